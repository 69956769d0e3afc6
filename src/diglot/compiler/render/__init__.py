"""Findings for people and machines: text with a caret, JSON, SARIF, and a page for each code."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

from diglot.compiler.diagnostics import Diagnostic
from diglot.compiler.source import Source
from diglot.compiler.suppression import Suppressed

from .explain import explain
from .json import findings_of, render_json
from .sarif import render_sarif
from .text import render_text

__all__ = ["Format", "explain", "findings_of", "render"]

Format = Literal["text", "json", "sarif"]


def render(
    diagnostics: Iterable[Diagnostic],
    sources: Mapping[str, Source],
    format: Format = "text",
    *,
    colour: bool = False,
    suppressed: Sequence[Suppressed] = (),
    shows_suppressed: bool = False,
) -> str:
    """The findings in the order given, ending with a line end.

    `sources` are the documents by the file name in their spans; a finding in a file that is not
    among them is shown without its line. Only text has colours. What is suppressed is counted in
    text, and always in SARIF; elsewhere it is shown where that is asked for.
    """
    if format == "json":
        return render_json(diagnostics, suppressed if shows_suppressed else ())
    if format == "sarif":
        return render_sarif(diagnostics, suppressed)
    return render_text(
        diagnostics,
        sources,
        colour=colour,
        suppressed=suppressed,
        shows_suppressed=shows_suppressed,
    )
