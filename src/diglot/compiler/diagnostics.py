"""The author's mistakes as values: a diagnostic has a code, a place and a cure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import StrEnum
from typing import Any

import msgspec

from .source import Span


class Severity(StrEnum):
    """How much a finding weighs; a document with an error is not published."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"


class Code(msgspec.Struct, frozen=True):
    """One kind of finding, declared once in `codes`; pages and messages are drawn from it.

    `message` is a format string for the parameters of `Diagnostic.parameters`; `bad` and `good`
    are paths below `conformance/` of a file that has the finding and of one that has not.
    What `is_judged` is an error that leaves a document's meaning clear: its author may decide
    otherwise, as with every warning and note; the other errors leave nothing to decide.
    """

    id: str
    name: str
    severity: Severity
    message: str
    why: str
    remedy: str
    bad: str = ""
    good: str = ""
    is_judged: bool = False


class Related(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Another place that a finding speaks of, and what it says of it."""

    message: str
    span: Span | None = None
    pointer: str = ""


class TraceStep(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One step of a run that shows a finding, in the modeler's words.

    `node` of `process` (a graph's key) is done, or its `handler` has come, and its token leaves by
    the ids of `flows`. `lane` tells the tokens of a run apart, from 0. A run has all
    of its steps, so that it can be played; what does not `matters` needs no telling.
    """

    message: str
    process: str = ""
    node: str = ""
    flows: tuple[str, ...] = ()
    handler: str = ""
    lane: int = 0
    matters: bool = True
    span: Span | None = None
    pointer: str = ""


class Edit(msgspec.Struct, frozen=True):
    """What stands at `span` becomes `text`; an empty span inserts."""

    span: Span
    text: str


class Fix(msgspec.Struct, frozen=True):
    """Edits of one file that cure a finding and change nothing else; they do not overlap."""

    title: str
    edits: tuple[Edit, ...]


class Diagnostic(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One finding at one place.

    `pointer` is the JSON pointer (or element id) of the construct, `""` for the document itself.
    `trace` is a run that comes to it, as far as its steps matter; each of `fixes` cures it alone.
    What `is_judged` leaves the document its meaning also where it is an error; see `Code`.
    """

    code: str
    severity: Severity
    message: str
    span: Span | None = None
    pointer: str = ""
    hint: str = ""
    parameters: dict[str, Any] = {}
    related: tuple[Related, ...] = ()
    trace: tuple[TraceStep, ...] = ()
    fixes: tuple[Fix, ...] = ()
    is_judged: bool = False

    @property
    def is_firm(self) -> bool:
        """Whether this takes the document its meaning, so that nobody may decide otherwise."""
        return self.severity is Severity.ERROR and not self.is_judged


def diagnose(
    code: Code,
    span: Span | None,
    pointer: str = "",
    *,
    hint: str = "",
    severity: Severity | None = None,
    is_judged: bool = False,
    related: Iterable[Related] = (),
    trace: Iterable[TraceStep] = (),
    fixes: Iterable[Fix] = (),
    **parameters: Any,
) -> Diagnostic:
    """A diagnostic of `code` with its message filled in; the hint defaults to the remedy.

    `is_judged`: here this leaves the document its meaning, whatever holds for the code.
    """
    return Diagnostic(
        code=code.id,
        severity=severity or code.severity,
        message=code.message.format(**parameters) if parameters else code.message,
        span=span,
        pointer=pointer,
        hint=hint or code.remedy,
        parameters=parameters,
        related=tuple(related),
        trace=tuple(trace),
        fixes=tuple(fixes),
        is_judged=is_judged or code.is_judged,
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
        is_judged: bool = False,
        related: Iterable[Related] = (),
        trace: Iterable[TraceStep] = (),
        fixes: Iterable[Fix] = (),
        **parameters: Any,
    ) -> None:
        """Record a finding of `code` at `span`; keyword parameters fill its message."""
        self.diagnostics.append(
            diagnose(
                code,
                span,
                pointer,
                hint=hint,
                severity=severity,
                is_judged=is_judged,
                related=related,
                trace=trace,
                fixes=fixes,
                **parameters,
            )
        )

    @property
    def has_errors(self) -> bool:
        """Whether any finding is an error."""
        return any(found.severity is Severity.ERROR for found in self.diagnostics)

    @property
    def is_refused(self) -> bool:
        """Whether any finding takes the document its meaning."""
        return any(found.is_firm for found in self.diagnostics)

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
