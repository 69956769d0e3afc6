"""`diglot graph`."""

from __future__ import annotations

import typer

from .documents import compile_file, print_findings


def print_graph(file: str, *, as_json: bool) -> int:
    """Print the graph in its readable or its interchange form."""
    compiled = compile_file(file)
    if compiled.graph is None or compiled.has_errors:
        print_findings(compiled, list(compiled.diagnostics))
        return 1
    if as_json:
        from diglot.compiler.graph import to_json

        typer.echo(to_json(compiled.graph).decode())
    else:
        from diglot.compiler.graph.text import to_text

        typer.echo(to_text(compiled.graph))
    return 0
