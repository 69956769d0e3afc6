"""`diglot check`."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import Literal

import typer

from diglot.compiler import Compiled
from diglot.compiler.collecting import collecting_seldom
from diglot.compiler.diagnostics import Severity
from diglot.compiler.graph import Graph
from diglot.compiler.render import render
from diglot.compiler.severities import BadSeverity, read_severities

from .documents import compile_file, settings_of
from .streams import tell, wants_colour
from .values import fail


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckOptions:
    """What the command line asks for.

    `strict`: a warning refuses a document, too, and every broken rule of BPMN is an error.
    `verbose`: what there is to run is said on standard error. `severities` are `CODE=WEIGHT`.
    """

    files: tuple[str, ...]
    format: Literal["text", "json", "sarif"]
    strict: bool = False
    verbose: bool = False
    severities: tuple[str, ...] = ()
    config: str | None = None
    shows_suppressed: bool = False
    fix: bool = False
    #: The pools of each BPMN file are played together.
    collaboration: bool = False


def check_files(options: CheckOptions) -> int:
    """Check documents and print what was found; 1 if one has errors."""
    chosen = _severities(options.severities)
    with collecting_seldom():
        return _check(options, chosen)


def _check(options: CheckOptions, chosen: dict[str, str]) -> int:
    if options.fix:
        _fix_files(options, chosen)
    compiled = [_compile(name, options, chosen) for name in options.files]
    if len(compiled) > 1:
        # Late, because what is by itself has no others to be checked with.
        from diglot.compiler.several import beside_each_other

        compiled = beside_each_other(compiled)
    if options.collaboration:
        from diglot.compiler.several import with_pools

        compiled = [with_pools(one) for one in compiled]
    for one in compiled if options.verbose else ():
        for graph in one.graphs:
            tell(f"{one.source.name}: {_described(graph)}")
    findings = [found for one in compiled for found in one.diagnostics]
    sources = {each.name: each for one in compiled for each in (*one.imported, one.source)}
    shown = render(
        findings,
        sources,
        options.format,
        colour=wants_colour(sys.stdout),
        suppressed=[found for one in compiled for found in one.suppressed],
        shows_suppressed=options.shows_suppressed,
    )
    typer.echo(shown, nl=False)
    refusing = {Severity.ERROR, Severity.WARNING} if options.strict else {Severity.ERROR}
    return int(any(found.severity in refusing for found in findings))


def _fix_files(options: CheckOptions, chosen: dict[str, str]) -> None:
    """Put the fixes of documents into their files; what they were is told on standard error."""
    from .fix import fix_file

    if "-" in options.files:
        fail("--fix changes files; standard input is none")
    for name in options.files:
        severities = {**settings_of(name, options.config), **chosen}
        for title in fix_file(name, is_strict=options.strict, severities=severities):
            tell(f"{name}: {title}")


def _compile(name: str, options: CheckOptions, chosen: dict[str, str]) -> Compiled:
    settings = settings_of(name, options.config)
    return compile_file(name, is_strict=options.strict, severities={**settings, **chosen})


def _severities(given: tuple[str, ...]) -> dict[str, str]:
    """What the options decide by the ids of codes."""
    chosen: dict[str, str] = {}
    for text in given:
        code, separator, weight = text.partition("=")
        if not separator:
            fail(f"--severity wants CODE=error, warning, info or off, not {text}")
        chosen[code.strip().upper()] = weight.strip()
    try:
        read_severities(chosen)
    except BadSeverity as error:
        fail(f"--severity: {error}")
    return chosen


def _described(graph: Graph) -> str:
    """A definition in a line: what it is, what it is called, and whether it is to be run."""
    what = "process" if graph.namespace == "bpmn" else "workflow"
    name = graph.name if what == "process" else graph.key
    title = f' "{graph.title}"' if graph.title not in ("", graph.name) else ""
    idle = ", not executable" if graph.metadata.get("executable", True) is False else ""
    return f"{what} {name} {graph.version}{title}{idle}"
