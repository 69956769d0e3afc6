"""Event definitions: messages, escalations and timers, and who uses a definition.

Source: BPMN 2.0.2 8.4.4, 10.5.1, 10.5.5.
"""

from __future__ import annotations

import re
from typing import Final

from ... import codes
from ..document import Element
from .facts import Facts, is_formal
from .kinds import EVENT_DEFINITIONS, EVENTS, THROW_EVENTS
from .rule import Findings, called, found, rule

_TIMES: Final = {"timeDate": "date", "timeDuration": "duration", "timeCycle": "cycle"}

_NUMBER: Final = r"[0-9]+(?:[.,][0-9]+)?"
_DURATION: Final = (
    rf"[+-]?P(?=[0-9T])(?:{_NUMBER}Y)?(?:{_NUMBER}M)?(?:{_NUMBER}W)?(?:{_NUMBER}D)?"
    rf"(?:T(?=[0-9])(?:{_NUMBER}H)?(?:{_NUMBER}M)?(?:{_NUMBER}S)?)?"
)
_ZONE: Final = r"(?:Z|[+-][0-9]{2}(?::?[0-9]{2})?)?(?:\[[^\]]*\])?"
_TIME: Final = r"[0-9]{2}(?::?[0-9]{2}(?::?[0-9]{2}(?:[.,][0-9]+)?)?)?"
_DATE: Final = rf"[0-9]{{4}}-?[0-9]{{2}}-?[0-9]{{2}}(?:[T ]{_TIME}{_ZONE})?"
_CYCLE: Final = (
    rf"R[0-9]*(?:/{_DATE})?/{_DURATION}(?:/{_DATE})?|R[0-9]*/{_DATE}/{_DATE}|{_DURATION}"
)
_FORMS: Final = {
    "timeDate": re.compile(_DATE),
    "timeDuration": re.compile(_DURATION),
    "timeCycle": re.compile(_CYCLE),
}
#: One word without the signs of an expression: whoever wrote it meant a time. What begins with a
#: digit and is none cannot be read at all.
_WORD: Final = re.compile(r"[A-Za-z][0-9A-Za-z:+,.\-/]{0,100}")


@rule(*EVENT_DEFINITIONS)
def a_thrown_definition_is_used_once(definition: Element, facts: Facts) -> Findings:
    """A definition inside a throwing event is used by no other event."""
    event = definition.parent
    if event is None or event.name not in THROW_EVENTS or not definition.id:
        return
    for other in facts.definition_users.get(definition, ()):
        yield found(
            codes.EVENT_DEFINITION_SHARED,
            definition,
            definition=called(definition),
            event=called(event),
            other=called(other),
        )


@rule("messageEventDefinition")
def a_message_event_can_be_run(definition: Element, facts: Facts) -> Findings:
    """In a process that is run a message event names its message and its operation."""
    event = definition.parent
    if event is None or event.name not in EVENTS or not facts.is_executable(definition):
        return
    has_message = bool(definition.get("messageRef"))
    if not has_message:
        yield found(codes.MESSAGE_EVENT_WITHOUT_MESSAGE, definition, event=called(event))
    if definition.child("operationRef") is None and (has_message or facts.is_strict):
        yield found(codes.MESSAGE_EVENT_WITHOUT_OPERATION, definition, event=called(event))


@rule("endEvent", "intermediateThrowEvent")
def a_raised_escalation_has_a_code(event: Element, facts: Facts) -> Findings:
    """In a process that is run an escalation that is raised has a code."""
    if not facts.is_executable(event):
        return
    for definition in facts.definitions_of(event):
        if definition.name != "escalationEventDefinition":
            continue
        escalation = facts.attribute(definition, "escalationRef")
        if escalation is None or not escalation.get("escalationCode"):
            yield found(codes.ESCALATION_WITHOUT_CODE, event, event=called(event))


@rule("timerEventDefinition")
def a_timer_is_one_time(timer: Element, facts: Facts) -> Findings:
    """A timer has exactly one of date, duration and cycle, and what is literal is ISO 8601."""
    times = list(timer.each(*_TIMES))
    if len(times) > 1:
        event = timer if timer.parent is None else timer.parent
        listed = " and ".join(f"`{time.name}`" for time in times)
        yield found(codes.TIMER_AMBIGUOUS, timer, event=called(event), found=listed)
    for time in times:
        text = time.text.strip()
        if not is_formal(time) or not _WORD.fullmatch(text):
            continue
        if not _FORMS[time.name].fullmatch(text):
            yield found(codes.TIMER_MALFORMED, time, text=text, kind=_TIMES[time.name])
