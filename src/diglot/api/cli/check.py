"""`diglot check`."""

from __future__ import annotations

import sys
from typing import Literal

import typer

from diglot.compiler.diagnostics import Severity
from diglot.compiler.render import render

from .documents import compile_file
from .streams import wants_colour


def check_files(files: list[str], format: Literal["text", "json", "sarif"], *, strict: bool) -> int:
    """Check documents and print what was found; 1 if one is refused.

    `strict`: a warning refuses one, too, and every broken rule of BPMN is an error.
    """
    compiled = [compile_file(name, is_strict=strict) for name in files]
    findings = [found for one in compiled for found in one.diagnostics]
    sources = {one.source.name: one.source for one in compiled}
    typer.echo(render(findings, sources, format, colour=wants_colour(sys.stdout)), nl=False)
    refusing = {Severity.ERROR, Severity.WARNING} if strict else {Severity.ERROR}
    return int(any(found.severity in refusing for found in findings))
