"""`diglot export`."""

from __future__ import annotations

import sys
from pathlib import PurePath
from typing import Final

import typer

from diglot.compiler import Compiled
from diglot.compiler.diagnostics import Report, Severity
from diglot.compiler.export import View, export_bpmn
from diglot.compiler.render import render

from .documents import compile_file, print_findings, resolver
from .outputs import check_output, put
from .streams import tell, wants_colour

#: Endings that say something else than BPMN; any that says nothing will do.
_PICTURES: Final = (".svg", ".png", ".pdf", ".jpg", ".jpeg", ".gif")
_OTHERS: Final = (".yaml", ".yml", ".json")


def export_file(file: str, output: str | None, view: View, *, verbose: bool) -> int:
    """Write a document as BPMN; 1 if it is refused or would lose something, 2 if the call is wrong.

    `verbose`: what is only written in another way is told, too.
    """
    check_output(output, file)
    ending = PurePath(output or "").suffix.lower()
    if ending in _PICTURES or ending in _OTHERS:
        hint = "; diglot render draws pictures" if ending in _PICTURES else ""
        tell(f"diglot: {output}: what is exported is .bpmn or .xml{hint}")
        return 2
    compiled = compile_file(file)
    if refuse(compiled):
        return 1
    report = Report()
    text = export_bpmn(compiled.graphs, report, view=view, resolve=resolver(file))
    tell_losses(report, compiled, verbose=verbose)
    if text is None:
        return 1
    put(text, output)
    return 0


def refuse(compiled: Compiled) -> bool:
    """Whether a document has no meaning that could be shown, and why, which is printed.

    Of what else is wrong with it `diglot check` speaks.
    """
    errors = [found for found in compiled.diagnostics if found.severity is Severity.ERROR]
    if compiled.is_refused:
        print_findings(compiled, errors)
    elif errors:
        counted = "an error" if len(errors) == 1 else f"{len(errors)} errors"
        tell(f"diglot: {compiled.source.name} has {counted}, of which diglot check tells")
    return compiled.is_refused


def tell_losses(report: Report, compiled: Compiled | None = None, *, verbose: bool = False) -> None:
    """Say on standard error what an export altered; notes only where everything is asked for."""
    told = [found for found in report.sorted() if verbose or found.severity is not Severity.INFO]
    if told:
        read = () if compiled is None else (*compiled.imported, compiled.source)
        sources = {one.name: one for one in read}
        text = render(told, sources, "text", colour=wants_colour(sys.stderr))
        typer.echo(text, err=True, nl=False)
