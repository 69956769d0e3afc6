"""Findings as a JSON list with stable keys: `diglot/specs/findings/findings.schema.json`."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any

from diglot.compiler.diagnostics import Diagnostic, Fix, Related, TraceStep
from diglot.compiler.pipeline import Compiled
from diglot.compiler.plain import plain_json
from diglot.compiler.source import Span
from diglot.compiler.suppression import Suppressed

from .fingerprints import fingerprints

Plain = dict[str, Any]


def render_json(diagnostics: Iterable[Diagnostic], suppressed: Iterable[Suppressed] = ()) -> str:
    """One object a finding; every key is always there, places that are not known are null.

    Lines and columns count from 1, in characters; the end is the place behind the last one. Those
    that are suppressed come last and say why.
    """
    found = plain_findings(diagnostics, suppressed)
    return plain_json(json.dumps(found, ensure_ascii=False, indent=2)) + "\n"


def findings_of(compiled: Compiled) -> list[Plain]:
    """Everything found in a document as plain data, as it is kept with what is published of it."""
    return plain_findings(compiled.diagnostics, compiled.suppressed)


def plain_findings(
    diagnostics: Iterable[Diagnostic], suppressed: Iterable[Suppressed] = ()
) -> list[Plain]:
    """Findings as plain data, in the form of their JSON."""
    left, ignored = list(diagnostics), list(suppressed)
    prints = fingerprints([*left, *(one.finding for one in ignored)])
    reasons: Sequence[Suppressed | None] = [*(None for _ in left), *ignored]
    found = [*left, *(one.finding for one in ignored)]
    return [_plain(*one) for one in zip(found, prints, reasons, strict=True)]


def _plain(found: Diagnostic, fingerprint: str, suppressed: Suppressed | None) -> Plain:
    return {
        "code": found.code,
        "severity": found.severity.value,
        "message": found.message,
        **_place(found.span),
        "pointer": found.pointer,
        "hint": found.hint,
        "url": f"docs/codes/{found.code}.md",
        "fingerprint": fingerprint,
        "related": [_related(one) for one in found.related],
        "trace": [_step(one) for one in found.trace],
        "fixes": [_fix(one) for one in found.fixes],
        "suppression": None if suppressed is None else _suppression(suppressed),
    }


def _related(one: Related) -> Plain:
    return {"message": one.message, **_place(one.span), "pointer": one.pointer}


def _step(one: TraceStep) -> Plain:
    return {
        "message": one.message,
        **_place(one.span),
        "pointer": one.pointer,
        "process": one.process,
        "node": one.node,
        "flows": list(one.flows),
        "handler": one.handler,
        "lane": one.lane,
        "matters": one.matters,
    }


def _fix(one: Fix) -> Plain:
    edits = [{**_place(edit.span), "text": edit.text} for edit in one.edits]
    return {"title": one.title, "edits": edits}


def _suppression(one: Suppressed) -> Plain:
    return {"reason": one.reason, **_place(one.span)}


def _place(span: Span | None) -> Plain:
    return {
        "file": span.file if span else None,
        "line": span.start.line if span else None,
        "column": span.start.column if span else None,
        "endLine": span.end.line if span else None,
        "endColumn": span.end.column if span else None,
    }
