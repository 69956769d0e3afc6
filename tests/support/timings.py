"""Parts of timed graphs for the tests of their checks."""

from __future__ import annotations

from diglot.compiler.checks.timing import check_timing
from diglot.compiler.diagnostics import Report
from diglot.compiler.graph import Action, Constant, Duration, ErrorTemplate, Graph, TimerTrigger

SECOND, MINUTE, HOUR, DAY = 1_000, 60_000, 3_600_000, 86_400_000
WORK = Action(type="http", arguments=Constant({}))
EXPIRED = ErrorTemplate(type=Constant("timeout"), status=Constant(408))


def found(graph: Graph) -> list[str]:
    return [code for code, _ in findings(graph)]


def findings(graph: Graph) -> list[tuple[str, str]]:
    report = Report()
    check_timing(graph, report, {})
    return [(one.code, one.message) for one in report]


def after(milliseconds: int = 0, *, months: int = 0) -> TimerTrigger:
    return TimerTrigger(form="duration", value=Duration(months=months, milliseconds=milliseconds))


def cycle(text: str) -> TimerTrigger:
    return TimerTrigger(form="cycle", value=Constant(text))
