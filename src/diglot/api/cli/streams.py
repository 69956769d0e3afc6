"""Standard input, output and error: whole, writable, and in colour only where that is wanted."""

from __future__ import annotations

import io
import json
import logging
import os
import sys
from types import TracebackType
from typing import Any, TextIO

import typer

from diglot.compiler.plain import plain, plain_json

_ExcInfo = tuple[type[BaseException], BaseException, TracebackType | None] | tuple[None, None, None]


def prepare_streams() -> None:
    """Make up for streams that are closed, and for terminals that cannot show every character."""
    if sys.stdin is None:
        sys.stdin = open(os.devnull, encoding="utf-8")  # noqa: SIM115
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115
        stream = getattr(sys, name)
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def give_up_output() -> None:
    """Send what standard output still holds nowhere: it cannot be written."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.close(nowhere)


def wants_colour(stream: TextIO) -> bool:
    """Whether colours are welcome: on a terminal, unless NO_COLOR or a dumb one says no."""
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def print_json(value: Any) -> None:
    """Print a value for people and programs; a stream that is not Unicode gets escapes."""
    is_unicode = (getattr(sys.stdout, "encoding", "") or "").lower().startswith("utf")
    typer.echo(plain_json(json.dumps(value, indent=2, ensure_ascii=not is_unicode)))


def tell(line: str, *, err: bool = True) -> None:
    """Say something to people in a line; names that others gave cannot steer the terminal."""
    typer.echo(plain(line), err=err)


def log_in_lines() -> None:
    """Show what the runtime has to say in lines like our own; where it happened is for DEBUG."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_Lines("diglot: %(message)s"))
    logging.basicConfig(handlers=[handler], level=logging.WARNING)


class _Lines(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        return "\n".join(map(plain, super().format(record).split("\n")))

    def formatException(self, ei: _ExcInfo) -> str:
        return f"diglot: {ei[0].__name__}: {ei[1]}" if ei[0] is not None else ""
