"""Reading and compiling the documents named on the command line."""

from __future__ import annotations

import sys
from pathlib import Path

import typer

from diglot.compiler import Compiled, compile_source
from diglot.compiler.diagnostics import Diagnostic
from diglot.compiler.render import render

from .streams import wants_colour


def compile_file(name: str, *, is_strict: bool = False) -> Compiled:
    """Compile one document; `-` is standard input, and `is_strict` as in `compile_source`.

    Raises:
        typer.Exit: it cannot be read; the reason has been printed.
    """
    shown = "<stdin>" if name == "-" else name
    return compile_source(read_bytes(name), shown, is_strict=is_strict)


def read_bytes(name: str) -> bytes:
    """The bytes of a file; `-` is standard input.

    Raises:
        typer.Exit: it cannot be read; the reason has been printed.
    """
    try:
        return sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
    except OSError as error:
        typer.echo(f"diglot: {name or 'the empty name'}: {error.strerror}", err=True)
        raise typer.Exit(2) from error


def print_findings(compiled: Compiled, findings: list[Diagnostic]) -> None:
    """Print findings for people, on standard error."""
    sources = {compiled.source.name: compiled.source}
    text = render(findings, sources, "text", colour=wants_colour(sys.stderr))
    typer.echo(text, err=True, nl=False)
