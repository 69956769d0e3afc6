"""Values given on the command line: as JSON, in a file, or through standard input."""

from __future__ import annotations

import contextlib
import json
import math
from typing import TYPE_CHECKING, Any, NoReturn

import typer

from .documents import read_bytes
from .streams import tell

if TYPE_CHECKING:
    from diglot.compiler.serverless_workflow.compose import Limits


def json_value(text: str, option: str) -> Any:
    """A value given as JSON, as @FILE, or as - for standard input; files may be JSON or YAML.

    Raises:
        typer.Exit: it is none; the reason has been printed.
    """
    check_text(text, option)
    if text == "-" or text.startswith("@"):
        return _out_of_file(text.removeprefix("@"), option)
    try:
        return read_json(text)
    except RecursionError:
        fail(f"{option} is nested too deep")
    except ValueError as error:
        fail(f"{option} is not JSON: {error}; give JSON, @FILE or - for standard input")


def check_text(text: str, option: str) -> None:
    """See to it that an option was given text: bytes that are none come as lone surrogates.

    Raises:
        typer.Exit: it was not; the reason has been printed.
    """
    if any("\ud800" <= character <= "\udfff" for character in text):
        fail(f"{option} is no UTF-8 text")


def secret_value(text: str, name: str) -> Any:
    """A secret given as text, as a JSON object, or as @FILE with either in it.

    Raises:
        typer.Exit: it is none; the reason has been printed, and nothing of the secret.
    """
    try:
        if text.startswith("@"):
            text = read_bytes(text[1:]).decode().removesuffix("\n")
        return read_json(text) if text.startswith("{") else text
    except (ValueError, RecursionError):
        fail(f"the secret {name} starts like a JSON object and is none, or is no UTF-8 text")


def _out_of_file(name: str, option: str) -> Any:
    from diglot.compiler.diagnostics import Report
    from diglot.compiler.render import render
    from diglot.compiler.serverless_workflow.yaml import decode, load_document

    shown = "<stdin>" if name == "-" else name
    report = Report()
    limits = _limits()
    source = decode(read_bytes(name), shown, report, limits=limits)
    if source is not None:
        with contextlib.suppress(ValueError, RecursionError):
            return read_json(source.text.removeprefix("\ufeff"))
        # What is no plain JSON is YAML, or the reader of documents says what is wrong with it.
        document = load_document(source, report, limits=limits)
        if document is not None:
            return document.value
    sources = {} if source is None else {shown: source}
    typer.echo(render(report.sorted(), sources, "text", colour=False), err=True, nl=False)
    fail(f"{option}: {shown} can be read neither as JSON nor as YAML")


def _limits() -> Limits:
    """A value of the caller's is his own: it may be larger than a document of anybody's."""
    from diglot.compiler.serverless_workflow.compose import Limits

    return Limits(size_bytes=64 * 1_048_576, nodes=5_000_000, key_length=1_048_576)


def read_json(text: str) -> Any:
    """A value out of JSON that every reader of JSON takes for the same.

    Raises:
        ValueError: it is none.
        RecursionError: it is nested too deep.
    """
    return json.loads(
        text, parse_constant=_refuse, parse_float=_finite, object_pairs_hook=_without_repetition
    )


def _refuse(name: str) -> NoReturn:
    raise ValueError(f"{name} is no number of JSON")


def _finite(text: str) -> float:
    number = float(text)
    if math.isinf(number):
        raise ValueError(f"{text} is too large a number")
    return number


def _without_repetition(members: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(members)
    if len(value) < len(members):
        names = [name for name, _ in members]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"{twice!r} stands twice in one object")
    return value


def fail(message: str) -> NoReturn:
    """End a call that is wrong."""
    tell(f"diglot: {message}")
    raise typer.Exit(2)
