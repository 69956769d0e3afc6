"""What an event reacts to: the event definitions as triggers of the graph.

An event that does not say what it waits for (a timer without a time) waits for a message of its
own id, which lets somebody trigger it from outside.

Source: BPMN 2.0.2 10.5.5.
"""

from __future__ import annotations

import re
from typing import Final, Literal

from diglot.specs.bpmn.times import check_time
from diglot.specs.serverless_workflow.durations import parse_duration

from .. import codes
from ..graph import (
    Attribute,
    CancelTrigger,
    CompensationTrigger,
    ConditionTrigger,
    Constant,
    Correlation,
    DataRules,
    Duration,
    ErrorTrigger,
    EscalationTrigger,
    EventFilter,
    EventKind,
    EventStrategy,
    EventTrigger,
    Expression,
    Record,
    SeveralTrigger,
    TimerTrigger,
    Trigger,
    Value,
)
from ..source import Span
from .document import Element
from .messages import spoken
from .profiles.contract import Written
from .read_correlation import correlations_of
from .reading import RESULT, Reading, written_in

_Form = Literal["instant", "duration", "cycle"]
#: What computing the time of a start may cost.
_FUEL: Final = 20_000
#: How the children of a timer name the moment.
_TIMES: Final[tuple[tuple[str, _Form], ...]] = (
    ("timeDate", "instant"),
    ("timeDuration", "duration"),
    ("timeCycle", "cycle"),
)
_DATE: Final = re.compile(
    r"\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?(?:\[[\w/+-]+\])?"
)
_INTERVAL: Final = re.compile(r"R-?\d*/\S+")
_CRON: Final = re.compile(r"[\d*?/,L#W\-A-Za-z]+(?:\s+[\d*?/,L#W\-A-Za-z]+){4,6}")
_QUOTED: Final = re.compile(r"""^(["'])([^"']*)\1$""")
_DURATION: Final = re.compile(r"-?P(?:\d|T)\S*")


def error_code(reading: Reading, definition: Element) -> str | None:
    """The code of an error event; None where it names no error."""
    return _code(reading, definition, "errorRef", "errorCode")


def escalation_code(reading: Reading, definition: Element) -> str | None:
    """The code of an escalation event; None where it names no escalation."""
    return _code(reading, definition, "escalationRef", "escalationCode")


def _code(reading: Reading, definition: Element, reference: str, attribute: str) -> str | None:
    written = definition.get(reference).strip()
    if not written:
        return None
    found = reading.document.find(written)
    if found is None:
        # Some tools write the code itself where a reference belongs.
        return written
    return found.get(attribute).strip() or found.get("name").strip() or found.id


def signal_name(reading: Reading, definition: Element) -> str:
    """The name of a signal; those that name none are one signal."""
    written = definition.get("signalRef").strip()
    found = reading.document.find(written) if written else None
    if found is not None:
        return spoken(found)
    return written.rpartition(":")[2] or "signal"


def message_filter(
    reading: Reading, node: Element, thing: Element, *, is_start: bool = False
) -> EventFilter:
    """The messages that a node takes; `thing` is its event definition, or the task itself."""
    name, message = reading.messages.flowing(node, thing, sends=False)
    if not name:
        name = reading.index.id_of(node)
        reading.find(codes.MESSAGE_WITHOUT_NAME, node, name=name)
    reading.spoken[name] = None
    correlations = correlations_of(reading, message, thing, node)
    if is_start:
        # Nobody is there yet who could expect anything.
        correlations = tuple(one for one in correlations if one.expect is None)
    return event_filter("message", name, correlations)


def event_filter(
    kind: EventKind, name: str, correlations: tuple[Correlation, ...] = ()
) -> EventFilter:
    """The events of one kind and name."""
    return EventFilter(
        kind=kind,
        attributes=(Attribute(name="type", value=Constant(name)),),
        correlations=correlations,
    )


def filter_of(
    reading: Reading, event: Element, definition: Element, *, is_start: bool = False
) -> EventFilter | None:
    """The events a message or signal event takes; None for events of other kinds."""
    if definition.name == "messageEventDefinition":
        return message_filter(reading, event, definition, is_start=is_start)
    if definition.name == "signalEventDefinition":
        return event_filter("signal", signal_name(reading, definition))
    return None


def awaited_by_id(reading: Reading, event: Element) -> EventFilter:
    """What an event waits for that does not say it: a message of its own id."""
    name = reading.index.id_of(event)
    reading.spoken[name] = None
    return event_filter("message", name)


def tell_incomplete(reading: Reading, event: Element) -> None:
    """Say that an event is awaited by its id, as it says nothing itself."""
    reading.find(codes.AWAITED_BY_ID, event, event=reading.index.id_of(event))


def timer_of(
    reading: Reading, event: Element, definition: Element, *, is_start: bool = False
) -> TimerTrigger | None:
    """When a timer fires; None where it does not say it, or not so that it can be understood.

    With `is_start` it starts instances, and is read before any of them has variables.
    """
    for name, form in _TIMES:
        found = definition.child(name)
        written = None if found is None else written_in(found)
        if written is None or not written.text:
            continue
        # Python's and FEEL's authors write the text of a time in quotes.
        text = _QUOTED.sub(r"\2", written.text)
        if _is_plain(form, text):
            return _constant(reading, definition, form, text, written.span_of())
        value = reading.value(written)
        if value is None:
            return None
        if is_start and isinstance(value, Expression):
            return _beforehand(reading, definition, form, value, written)
        return _computed(reading, definition, form, value, written)
    tell_incomplete(reading, event)
    return None


def _is_plain(form: _Form, text: str) -> bool:
    """Whether the text of a timer is meant to be a time as it stands, right or wrong."""
    match form:
        case "duration":
            return _DURATION.fullmatch(text) is not None
        case "instant":
            return _DATE.fullmatch(text) is not None
        case "cycle":
            plain = _INTERVAL, _CRON, _DURATION
            return text.startswith("@") or any(one.fullmatch(text) for one in plain)


def _computed(
    reading: Reading, definition: Element, form: _Form, value: Value, written: Written
) -> TimerTrigger | None:
    if not isinstance(value, Constant):
        return TimerTrigger(form=form, value=value)
    text = value.document
    if not isinstance(text, str):
        _unreadable(reading, definition, f"{text!r} is no time", written.span_of())
        return None
    return _constant(reading, definition, form, text, written.span_of())


def _beforehand(
    reading: Reading, definition: Element, form: _Form, value: Expression, written: Written
) -> TimerTrigger | None:
    """A time that is computed without variables; None where it is none, which is told."""
    # Late: a process without expressions needs none of it.
    from ..expressions import ExpressionError, compile_jq

    program = compile_jq(value.text)
    if not program.plain:
        return TimerTrigger(form=form, value=value)
    try:
        found = program.evaluate({}, {"__now": 0}, fuel=_FUEL)
        text = found[0] if len(found) == 1 else None
    except ExpressionError:
        text = None
    if not isinstance(text, str):
        problem = f"before an instance begins there are no variables for `{written.text:.60}`"
        _unreadable(reading, definition, problem, written.span_of())
        return None
    known = _constant(reading, definition, form, text, written.span_of())
    # What depends on the time is computed again, by the clock of the machine.
    return TimerTrigger(form=form, value=value) if known and program.variables else known


def _constant(
    reading: Reading, definition: Element, form: _Form, text: str, span: Span
) -> TimerTrigger | None:
    """A time that is known beforehand; None where no clock could follow it, which is told."""
    text = text.strip()
    if form == "duration":
        text = text.replace(",", ".")
    elif form == "cycle" and _DURATION.fullmatch(text):
        # A bare duration is repeated for ever, as every engine reads it.
        text = f"R/{text}"
    try:
        check_time(form, text)
    except ValueError as problem:
        _unreadable(reading, definition, str(problem), span)
        return None
    if form != "duration":
        return TimerTrigger(form=form, value=Constant(text))
    parsed = parse_duration(text)
    length = Duration(months=parsed.months, milliseconds=parsed.milliseconds)
    return TimerTrigger(form=form, value=length)


def _unreadable(reading: Reading, definition: Element, problem: str, span: Span) -> None:
    reading.find(codes.TIME_UNREADABLE, definition, span=span, problem=problem)


def condition_of(reading: Reading, event: Element, definition: Element) -> Expression | None:
    """The condition of a conditional event; None where there is none that can be carried."""
    found = definition.child("condition")
    if found is None or not written_in(found).text:
        tell_incomplete(reading, event)
        return None
    return reading.condition(written_in(found))


def trigger_of(
    reading: Reading, event: Element, definition: Element, *, is_start: bool = False
) -> Trigger:
    """The trigger of one event definition of an event that starts or guards something."""
    match definition.name:
        case "errorEventDefinition":
            code = error_code(reading, definition)
            variable = reading.profile.error(definition).data_variable or "error"
            match = () if code is None else (("type", Constant(code)),)
            return ErrorTrigger(match=match, variable=variable)
        case "escalationEventDefinition":
            return EscalationTrigger(code=escalation_code(reading, definition))
        case "compensateEventDefinition":
            return CompensationTrigger()
        case "cancelEventDefinition":
            return CancelTrigger()
        case "timerEventDefinition":
            timer = timer_of(reading, event, definition, is_start=is_start)
            return timer if timer is not None else _by_id(reading, event)
        case "conditionalEventDefinition":
            condition = condition_of(reading, event, definition)
            if condition is None:
                return _by_id(reading, event)
            return ConditionTrigger(condition=condition)
        case _:
            taken = filter_of(reading, event, definition, is_start=is_start)
            if taken is None:
                return _by_id(reading, event)
            return EventTrigger(strategy=EventStrategy(mode="one", filters=(taken,)))


def _by_id(reading: Reading, event: Element) -> EventTrigger:
    return EventTrigger(
        strategy=EventStrategy(mode="one", filters=(awaited_by_id(reading, event),))
    )


def handler_trigger(reading: Reading, event: Element) -> Trigger:
    """What a boundary event or the start of an event sub-process waits for."""
    triggers = tuple(
        trigger_of(reading, event, definition) for definition in reading.definitions_of(event)
    )
    if not triggers:
        tell_incomplete(reading, event)
        return _by_id(reading, event)
    if len(triggers) == 1:
        return triggers[0]
    return SeveralTrigger(triggers=triggers, needs_all=event.flag("parallelMultiple"))


def start_triggers(reading: Reading, event: Element) -> tuple[Trigger, ...]:
    """What starts an instance at an event: each of several, or all of them together."""
    definitions = reading.definitions_of(event)
    if len(definitions) < 2 or not event.flag("parallelMultiple"):
        return tuple(
            trigger_of(reading, event, definition, is_start=True) for definition in definitions
        )
    filters: list[EventFilter] = []
    for definition in definitions:
        taken = filter_of(reading, event, definition, is_start=True)
        if taken is None:
            reading.find(codes.PARALLEL_START_OF_OTHER, event, event=reading.index.id_of(event))
        else:
            filters.append(taken)
    if not filters:
        return (_by_id(reading, event),)
    return (EventTrigger(strategy=EventStrategy(mode="all", filters=tuple(filters))),)


def handler_data(reading: Reading, event: Element, payload: DataRules | None) -> DataRules | None:
    """Which variables what came with the trigger goes to.

    `payload` are the rules for events; the code and the message of an error go to the variables
    that a vendor's extension names.
    """
    definitions = reading.definitions_of(event)
    names = {definition.name for definition in definitions}
    if names & {"messageEventDefinition", "signalEventDefinition"}:
        return payload
    members: list[tuple[str, Value]] = []
    for definition in definitions:
        facts = reading.profile.error(definition)
        is_error = definition.name == "errorEventDefinition"
        if facts.code_variable and is_error:
            members.append((facts.code_variable, Expression(text=".type?")))
        elif facts.code_variable:
            # What came is the payload, which does not say by which code it was thrown.
            members.append((facts.code_variable, Constant(escalation_code(reading, definition))))
        if facts.message_variable and is_error:
            members.append((facts.message_variable, Expression(text="(.detail // .title)?")))
    if not members and names == {"escalationEventDefinition"}:
        return DataRules(export=RESULT, export_mode="variables")
    if not members:
        return None
    return DataRules(export=Record(tuple(members)), export_mode="variables")
