"""Findings as a JSON list with stable keys."""

from __future__ import annotations

import json
from collections.abc import Iterable

from diglot.compiler.diagnostics import Diagnostic
from diglot.compiler.plain import plain_json


def render_json(diagnostics: Iterable[Diagnostic]) -> str:
    """One object a finding; every key is always there, places that are not known are null.

    Lines and columns count from 1, in characters; the end is the place behind the last one.
    """
    return (
        plain_json(
            json.dumps([_plain(found) for found in diagnostics], ensure_ascii=False, indent=2)
        )
        + "\n"
    )


def _plain(found: Diagnostic) -> dict[str, str | int | None]:
    span = found.span
    return {
        "code": found.code,
        "severity": found.severity.value,
        "message": found.message,
        "file": span.file if span else None,
        "line": span.start.line if span else None,
        "column": span.start.column if span else None,
        "endLine": span.end.line if span else None,
        "endColumn": span.end.column if span else None,
        "pointer": found.pointer,
        "hint": found.hint,
        "url": f"docs/codes/{found.code}.md",
    }
