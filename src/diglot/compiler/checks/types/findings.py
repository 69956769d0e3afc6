"""From what was seen to what is told.

An expression that is laid out at several places (in a function, around each task that an
extension extends) is told of only where the same holds at all of them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import msgspec

from diglot.compiler.checks.positions import span_inside
from diglot.compiler.diagnostics import Code, Related, Report, Severity
from diglot.compiler.source import Source, Span

from .seen import Seen


class Finding(msgspec.Struct, frozen=True):
    """Something to be told of a stretch of an expression."""

    code: Code
    seen: Seen
    start: int
    end: int
    parameters: Mapping[str, Any] = {}
    hint: str = ""
    severity: Severity | None = None
    related: tuple[Related, ...] = ()

    @property
    def key(self) -> tuple[str, Span | None, int, int, str]:
        """What makes it the same finding elsewhere."""
        subject = str(self.parameters.get("property", ""))
        return self.code.id, self.seen.expression.span, self.start, self.end, subject


def whole(code: Code, seen: Seen, **parameters: Any) -> Finding:
    """A finding of an expression as a whole."""
    return Finding(code, seen, 0, len(seen.expression.text), parameters)


def tell(
    findings: Iterable[Finding],
    seen: Iterable[Seen],
    report: Report,
    sources: Mapping[str, Source],
) -> None:
    """Add the findings to a report, each once, in the order of their first place."""
    looks = Counter(one.expression.span for one in seen)
    found: dict[tuple[str, Span | None, int, int, str], list[Finding]] = {}
    for finding in findings:
        found.setdefault(finding.key, []).append(finding)
    for key, same in found.items():
        if len(same) < looks[key[1]]:
            continue
        first = same[0]
        expression = first.seen.expression
        span = span_inside(expression, first.start, first.end, sources)
        report.add(
            first.code,
            span or first.seen.span,
            first.seen.pointer,
            hint=first.hint,
            severity=first.severity,
            related=first.related,
            **first.parameters,
        )


def authored(seen: Iterable[Seen]) -> Iterator[Seen]:
    """The expressions that an author wrote; what a reader made is its own affair."""
    return (one for one in seen if one.expression.span is not None)
