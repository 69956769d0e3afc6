"""`diglot graph`."""

from __future__ import annotations

import typer

from .documents import chosen, compile_file, print_findings


def print_graph(file: str, process: str | None, *, as_json: bool) -> int:
    """Print the graph of a process, or of the first, in its readable or its interchange form."""
    compiled = compile_file(file)
    if compiled.graph is None or compiled.has_errors:
        print_findings(compiled, list(compiled.diagnostics))
        return 1
    graph = chosen(compiled, process)
    others = [other.name for other in compiled.graphs if other is not graph]
    if others and process is None:
        typer.echo(f"diglot: this is {graph.name}; --process shows {' or '.join(others)}", err=True)
    if as_json:
        from diglot.compiler.graph import to_json

        typer.echo(to_json(graph).decode())
    else:
        from diglot.compiler.graph.text import to_text

        typer.echo(to_text(graph))
    return 0
