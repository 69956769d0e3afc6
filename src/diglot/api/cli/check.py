"""`diglot check`."""

from __future__ import annotations

import sys
from typing import Literal

import typer

from diglot.compiler.diagnostics import Severity
from diglot.compiler.graph import Graph
from diglot.compiler.render import render

from .documents import compile_file
from .streams import tell, wants_colour


def check_files(
    files: list[str],
    format: Literal["text", "json", "sarif"],
    *,
    strict: bool,
    verbose: bool = False,
) -> int:
    """Check documents and print what was found; 1 if one is refused.

    `strict`: a warning refuses one, too, and every broken rule of BPMN is an error. `verbose`: what
    there is to run is said on standard error.
    """
    compiled = [compile_file(name, is_strict=strict) for name in files]
    for one in compiled if verbose else ():
        for graph in one.graphs:
            tell(f"{one.source.name}: {_described(graph)}")
    findings = [found for one in compiled for found in one.diagnostics]
    sources = {each.name: each for one in compiled for each in (*one.imported, one.source)}
    typer.echo(render(findings, sources, format, colour=wants_colour(sys.stdout)), nl=False)
    refusing = {Severity.ERROR, Severity.WARNING} if strict else {Severity.ERROR}
    return int(any(found.severity in refusing for found in findings))


def _described(graph: Graph) -> str:
    """A definition in a line: what it is, what it is called, and whether it is to be run."""
    what = "process" if graph.namespace == "bpmn" else "workflow"
    name = graph.name if what == "process" else graph.key
    title = f' "{graph.title}"' if graph.title not in ("", graph.name) else ""
    idle = ", not executable" if graph.metadata.get("executable", True) is False else ""
    return f"{what} {name} {graph.version}{title}{idle}"
