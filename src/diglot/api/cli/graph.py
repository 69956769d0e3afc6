"""`diglot graph`."""

from __future__ import annotations

import typer

from diglot.compiler.plain import plain_json

from .documents import chosen, compile_file, print_findings
from .streams import tell


def print_graph(file: str, process: str | None, *, as_json: bool) -> int:
    """Print the graph of a process, or of the first, in its readable or its interchange form."""
    compiled = compile_file(file)
    if compiled.graph is None or compiled.is_refused:
        print_findings(compiled, list(compiled.diagnostics))
        return 1
    graph = chosen(compiled, process)
    others = [other.name for other in compiled.graphs if other is not graph]
    if others and process is None:
        tell(f"diglot: this is {graph.name}; --process shows {' or '.join(others)}")
    if as_json:
        from diglot.compiler.graph import to_json

        typer.echo(plain_json(to_json(graph).decode()))
    else:
        from diglot.compiler.graph.text import to_text

        typer.echo(to_text(graph))
    return 0
