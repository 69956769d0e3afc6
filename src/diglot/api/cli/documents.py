"""Reading and compiling the documents named on the command line."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import typer

from diglot.compiler import Compiled, compile_source
from diglot.compiler.diagnostics import Diagnostic, Severity
from diglot.compiler.graph import Graph
from diglot.compiler.imports import Resolve
from diglot.compiler.render import render

from ..beside import beside
from ..settings import BadSettings, find_settings, read_severities_of
from .streams import tell, wants_colour

#: So many warnings stand before the output of a run; more would bury it.
FEW: Final = 5


def compile_file(
    name: str, *, is_strict: bool = False, severities: Mapping[str, str] | None = None
) -> Compiled:
    """Compile one document; `-` is standard input, and `is_strict` as in `compile_source`.

    `severities` take the place of those in the `diglot.toml` that is nearest to the document.

    Raises:
        typer.Exit: it or its settings cannot be read; the reason has been printed.
    """
    data = read_bytes(name)
    return compile_source(
        data,
        "<stdin>" if name == "-" else _as_text(name),
        is_strict=is_strict,
        resolve=resolver(name),
        severities=settings_of(name) if severities is None else severities,
    )


def settings_of(name: str, config: str | None = None) -> dict[str, str]:
    """The severities that hold for a document: of the file `config`, else of the one nearest to it.

    Raises:
        typer.Exit: the file cannot be read, or says what cannot be; the reason has been printed.
    """
    folder = Path() if name == "-" else Path(name).parent
    file = find_settings(folder) if config is None else Path(config)
    try:
        return {} if file is None else read_severities_of(file)
    except BadSettings as error:
        tell(f"diglot: {error}")
        raise typer.Exit(2) from error


def resolver(name: str) -> Resolve | None:
    """What gives a document the files beside it; nothing does where it is standard input."""
    return None if name == "-" else beside(Path(name).parent)


def _as_text(name: str) -> str:
    """A file's name as it can be printed and stored, also where its bytes are no text."""
    return os.fsencode(name).decode("utf-8", "replace")


def compile_with_imports(name: str) -> list[Compiled]:
    """Compile a document and what it imports that has processes, itself last.

    Raises:
        typer.Exit: it cannot be read; the reason has been printed.
    """
    compiled = compile_file(name)
    folder, found = Path(name).parent, [compiled]
    for source in compiled.imported:
        below = Path(source.name).parent.relative_to(_as_text(str(folder))).as_posix()
        resolve = beside(folder, below)
        one = compile_source(
            source.text, source.name, resolve=resolve, severities=settings_of(source.name)
        )
        if one.graphs or one.has_errors:
            found.insert(0, one)
    return found


def read_bytes(name: str) -> bytes:
    """The bytes of a file; `-` is standard input.

    Raises:
        typer.Exit: it cannot be read; the reason has been printed.
    """
    try:
        return sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
    except OSError as error:
        tell(f"diglot: {name or 'the empty name'}: {error.strerror}")
        raise typer.Exit(2) from error


def chosen(compiled: Compiled, process: str | None) -> Graph:
    """The definition of a document that has this name; without one the first.

    Raises:
        typer.Exit: it has no such definition; the reason has been printed.
    """
    for graph in compiled.graphs:
        if process in (None, graph.name):
            return graph
    names = ", ".join(graph.name for graph in compiled.graphs)
    tell(f"diglot: {compiled.source.name} has no process {process}; it has {names}")
    raise typer.Exit(2)


def tell_findings(compiled: Compiled) -> None:
    """Say what a run has to know: the errors, and without any the warnings, if they are few."""
    errors, warnings = (
        [found for found in compiled.diagnostics if found.severity is severity]
        for severity in (Severity.ERROR, Severity.WARNING)
    )
    told = errors or (warnings if len(warnings) <= FEW else [])
    if told:
        print_findings(compiled, told)
    left = len(errors) + len(warnings) - len(told)
    if left:
        counted = "1 warning" if left == 1 else f"{left} warnings"
        name = compiled.source.name
        tell(f"diglot: {name} has {counted}, which diglot check shows")


def print_findings(compiled: Compiled, findings: list[Diagnostic]) -> None:
    """Print findings for people, on standard error."""
    sources = {one.name: one for one in (*compiled.imported, compiled.source)}
    text = render(findings, sources, "text", colour=wants_colour(sys.stderr))
    typer.echo(text, err=True, nl=False)
