"""The author's mistakes as values: a diagnostic has a code, a place and a cure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import StrEnum
from typing import Any

import msgspec

from .source import Span


class Severity(StrEnum):
    """How much a finding weighs; only an error refuses a document."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"


class Code(msgspec.Struct, frozen=True):
    """One kind of finding, declared once in `codes`; pages and messages are drawn from it.

    `message` is a format string for the parameters of `Diagnostic.parameters`; `bad` and `good`
    are paths below `conformance/` of a file that has the finding and of one that has not.
    """

    id: str
    name: str
    severity: Severity
    message: str
    why: str
    remedy: str
    bad: str = ""
    good: str = ""


class Diagnostic(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One finding at one place.

    `pointer` is the JSON pointer (or element id) of the construct, `""` for the document itself.
    """

    code: str
    severity: Severity
    message: str
    span: Span | None = None
    pointer: str = ""
    hint: str = ""
    parameters: dict[str, Any] = {}


def diagnose(
    code: Code,
    span: Span | None,
    pointer: str = "",
    *,
    hint: str = "",
    severity: Severity | None = None,
    **parameters: Any,
) -> Diagnostic:
    """A diagnostic of `code` with its message filled in; the hint defaults to the remedy."""
    return Diagnostic(
        code=code.id,
        severity=severity or code.severity,
        message=code.message.format(**parameters) if parameters else code.message,
        span=span,
        pointer=pointer,
        hint=hint or code.remedy,
        parameters=parameters,
    )


class Report:
    """Diagnostics as they are found; kept in order of place once sorted."""

    def __init__(self, found: Iterable[Diagnostic] = ()) -> None:
        self.diagnostics: list[Diagnostic] = list(found)

    def add(
        self,
        code: Code,
        span: Span | None,
        pointer: str = "",
        *,
        hint: str = "",
        severity: Severity | None = None,
        **parameters: Any,
    ) -> None:
        """Record a finding of `code` at `span`; keyword parameters fill its message."""
        self.diagnostics.append(
            diagnose(code, span, pointer, hint=hint, severity=severity, **parameters)
        )

    @property
    def has_errors(self) -> bool:
        """Whether any finding refuses the document."""
        return any(found.severity is Severity.ERROR for found in self.diagnostics)

    def sorted(self) -> list[Diagnostic]:
        """By file, line and column; findings without a place come first."""

        def place(found: Diagnostic) -> tuple[str, int, int, str]:
            if found.span is None:
                return ("", 0, 0, found.code)
            start = found.span.start
            return (found.span.file, start.line, start.column, found.code)

        return sorted(self.diagnostics, key=place)

    def __iter__(self) -> Iterator[Diagnostic]:
        return iter(self.diagnostics)

    def __len__(self) -> int:
        return len(self.diagnostics)
