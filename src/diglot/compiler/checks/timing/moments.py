"""Single timers: lengths of nothing or of years, dates long past, cycles in vain.

Source: BPMN 2.0.2 10.5.5, Table 10.101; DSL reference, Duration, Wait, Timeout.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from diglot.compiler import codes
from diglot.compiler.diagnostics import Report
from diglot.compiler.graph import (
    Duration,
    Expression,
    Graph,
    Handler,
    Node,
    SeveralTrigger,
    Start,
    TimerTrigger,
    Trigger,
    Wait,
)
from diglot.compiler.source import Source
from diglot.specs.serverless_workflow.durations import parse_duration

from ..positions import span_inside
from .lengths import (
    YEAR_MS,
    known_cycle,
    known_duration,
    known_text,
    least_ms,
    name_of,
    spoken,
)

#: 2011-01-01, in UTC. BPMN 2.0 was published in that month and the DSL long after: nobody has
#: written a document of either to wait for a time before. A later date may have been to come when
#: its document was written, which only who knows today's date could tell.
_BEFORE_ANY_DOCUMENT_MS: Final = 1_293_840_000_000


@dataclass(frozen=True, slots=True)
class Armed:
    """A timer, and what it is a part of."""

    timer: TimerTrigger
    owner: Node | Handler
    #: What its author calls it: of a time-out, what that limits.
    name: str

    @property
    def interrupts(self) -> bool:
        """Whether what it guards is stopped when it fires."""
        return isinstance(self.owner, Handler) and (
            self.owner.is_interrupting or self.owner.raises is not None
        )

    @property
    def repeats(self) -> bool:
        """Whether it is armed again after it has fired."""
        if isinstance(self.owner, Handler):
            return not self.interrupts
        return isinstance(self.owner, Start)


def timers_of(graph: Graph, owners: Mapping[str, Node]) -> Iterator[Armed]:
    """Every timer of a graph; `owners` are the nodes by the scopes that they enter."""
    nodes = {node.id: node for node in graph.nodes}
    for node in graph.nodes:
        match node:
            case Wait(timer=TimerTrigger() as timer):
                yield Armed(timer, node, name_of(node))
            case Start(triggers=triggers):
                for trigger in triggers:
                    for timer in timers_in(trigger):
                        yield Armed(timer, node, name_of(node))
            case _:
                pass
    for handler in graph.handlers:
        name = name_of(handler)
        if handler.raises is not None:
            guarded = nodes.get(handler.node or "") or owners.get(handler.scope or "")
            name = graph.title or graph.name if guarded is None else name_of(guarded)
        for timer in timers_in(handler.trigger):
            yield Armed(timer, handler, name)


def timers_in(trigger: Trigger) -> Iterator[TimerTrigger]:
    """The timers of a trigger, of which it may have several."""
    rest = [trigger]
    while rest:
        one = rest.pop()
        if isinstance(one, TimerTrigger):
            yield one
        elif isinstance(one, SeveralTrigger):
            rest.extend(reversed(one.triggers))


def check_moment(armed: Armed, report: Report, sources: Mapping[str, Source]) -> None:
    """Report what is wrong with one timer as far as it is known."""
    timer, owner = armed.timer, armed.owner
    if isinstance(timer.value, Expression) and _check_text(armed, report, sources):
        return
    length: Duration | None = None
    cycle = known_cycle(timer)
    if cycle is not None:
        _check_cycle(armed, cycle.left, report)
        length = Duration(months=cycle.every.months, milliseconds=cycle.every.milliseconds)
    elif timer.form in ("duration", "every", "after"):
        length = known_duration(timer.value)
    elif timer.form == "instant":
        _check_date(armed, report)
    if length is None:
        return
    if length == Duration() and timer.form == "duration":
        code = codes.ZERO_LIMIT if armed.interrupts else codes.ZERO_WAIT
        report.add(code, owner.span, owner.pointer, node=armed.name)
    elif least_ms(length) > YEAR_MS:
        report.add(
            codes.LONGER_THAN_A_YEAR,
            owner.span,
            owner.pointer,
            node=armed.name,
            length=spoken(length),
        )


def _check_text(armed: Armed, report: Report, sources: Mapping[str, Source]) -> bool:
    """Report an expression that only says a text, which is no time."""
    timer, value = armed.timer, armed.timer.value
    text = known_text(value)
    if text is None or not isinstance(value, Expression):
        return False
    # Late: few documents have a date, a cycle, or an expression that is none.
    from diglot.specs.bpmn.times import check_time

    form = "duration" if timer.form in ("every", "after") else timer.form
    span = span_inside(value, 0, len(value.text), sources)
    try:
        if form == "duration":
            parse_duration(text)
        elif form != "cron":
            check_time(form, text)
    except ValueError as problem:
        pointer = armed.owner.pointer
        if form == "duration":
            report.add(codes.BAD_DURATION, span, pointer, duration=text[:100], problem=str(problem))
        else:
            report.add(codes.TIME_UNREADABLE, span, pointer, problem=str(problem))
        return True
    return False


def _check_date(armed: Armed, report: Report) -> None:
    text = known_text(armed.timer.value)
    if text is None:
        return
    from diglot.specs.bpmn.times import parse_instant

    try:
        at_ms = parse_instant(text)
    except ValueError:
        return
    if at_ms < _BEFORE_ANY_DOCUMENT_MS:
        owner = armed.owner
        report.add(codes.DATE_LONG_PAST, owner.span, owner.pointer, date=text, node=armed.name)


def _check_cycle(armed: Armed, left: int | None, report: Report) -> None:
    """Report a cycle that never fires, and one of which only the first time counts."""
    owner = armed.owner
    text = known_text(armed.timer.value)
    if left == 0:
        report.add(codes.TIMER_NEVER_FIRES, owner.span, owner.pointer, cycle=text, node=armed.name)
    elif left != 1 and not armed.repeats:
        report.add(codes.CYCLE_FIRES_ONCE, owner.span, owner.pointer, cycle=text, node=armed.name)
