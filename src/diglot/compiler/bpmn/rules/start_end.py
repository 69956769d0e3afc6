"""Start and end events: their flows and what they are defined by.

Source: BPMN 2.0.2 10.5.2, 10.5.3.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from ... import codes
from ..document import Element
from .facts import Facts
from .kinds import SUB_PROCESSES
from .rule import Findings, called, found, rule

_STARTS: Final = frozenset({"message", "timer", "conditional", "signal"})
_STARTS_EVENT_SUB_PROCESS: Final = _STARTS | {"escalation", "error", "compensate"}
#: Triggers that leave nothing to go on beside them.
_INTERRUPTS: Final = frozenset({"error", "compensate"})
_ENDS: Final = frozenset(
    {"message", "escalation", "error", "cancel", "compensate", "signal", "terminate"}
)


def foreign(triggers: Collection[str], known: frozenset[str], *, needs_one: bool = False) -> str:
    """The triggers that are not among the known ones, as a message names them.

    `needs_one`: none at all is as foreign. A reader can take such an event for one that waits for a
    message of its own name, and says so then.
    """
    if needs_one and not triggers:
        return "nothing"
    return ", ".join(dict.fromkeys(one for one in triggers if one not in known))


def _is_event_sub_process(scope: Element | None) -> bool:
    return scope is not None and scope.name in SUB_PROCESSES and scope.flag("triggeredByEvent")


@rule("startEvent")
def nothing_leads_to_a_start(event: Element, facts: Facts) -> Findings:
    """A start event has no incoming flow."""
    if facts.incoming(event):
        yield found(codes.START_WITH_INCOMING, event, event=called(event))


@rule("startEvent")
def something_leaves_a_start(event: Element, facts: Facts) -> Findings:
    """A start event has an outgoing flow."""
    if not facts.outgoing(event):
        yield found(codes.START_WITHOUT_OUTGOING, event, event=called(event))


@rule("startEvent")
def a_start_has_a_fitting_trigger(event: Element, facts: Facts) -> Findings:
    """What starts a process, a sub-process and an event sub-process differs."""
    triggers = facts.triggers(event)
    scope = event.parent
    if scope is not None and scope.name == "process":
        wrong = foreign(triggers, _STARTS)
        if wrong:
            yield found(codes.START_TRIGGER, event, event=called(event), trigger=wrong)
    elif _is_event_sub_process(scope):
        wrong = foreign(triggers, _STARTS_EVENT_SUB_PROCESS, needs_one=facts.is_strict)
        if wrong:
            yield found(codes.EVENT_SUB_PROCESS_TRIGGER, event, event=called(event), trigger=wrong)
        goes_on = not event.flag("isInterrupting", True) and _INTERRUPTS.intersection(triggers)
        if goes_on:
            yield found(
                codes.NON_INTERRUPTING_TRIGGER,
                event,
                event=called(event),
                trigger=", ".join(sorted(goes_on)),
            )
    elif scope is not None and scope.name in ("subProcess", "transaction") and triggers:
        yield found(
            codes.START_OF_SUB_PROCESS_TRIGGER,
            event,
            event=called(event),
            trigger=", ".join(triggers),
        )


def _is_ad_hoc(scope: Element) -> bool:
    return scope.name == "adHocSubProcess"


@rule("startEvent")
def a_start_has_an_end(event: Element, facts: Facts) -> Findings:
    """Beside a start event there is an end event."""
    scope = event.parent
    if scope is not None and not _is_ad_hoc(scope) and not facts.holds(scope, "endEvent"):
        yield found(codes.START_WITHOUT_END, event, event=called(event))


@rule("endEvent")
def an_end_has_a_start(event: Element, facts: Facts) -> Findings:
    """Beside an end event there is a start event, or something else that starts an instance."""
    scope = event.parent
    if scope is None or _is_ad_hoc(scope) or facts.holds(scope, "startEvent"):
        return
    if scope not in facts.instantiating:
        yield found(codes.END_WITHOUT_START, event, event=called(event))


@rule("endEvent")
def nothing_leaves_an_end(event: Element, facts: Facts) -> Findings:
    """An end event has no outgoing flow."""
    if facts.outgoing(event):
        yield found(codes.END_WITH_OUTGOING, event, event=called(event))


@rule("endEvent")
def something_leads_to_an_end(event: Element, facts: Facts) -> Findings:
    """An end event has an incoming flow."""
    if not facts.incoming(event):
        yield found(codes.END_WITHOUT_INCOMING, event, event=called(event))


@rule("endEvent")
def an_end_has_a_fitting_result(event: Element, facts: Facts) -> Findings:
    """An end event brings something about and waits for nothing."""
    wrong = foreign(facts.triggers(event), _ENDS)
    if wrong:
        yield found(codes.END_RESULT, event, event=called(event), trigger=wrong)


@rule("endEvent")
def a_cancel_ends_a_transaction(event: Element, facts: Facts) -> Findings:
    """There is a transaction around an end event that cancels."""
    if "cancel" in facts.triggers(event) and not any(
        scope.name == "transaction" for scope in event.ancestors()
    ):
        yield found(codes.CANCEL_END_OUTSIDE_TRANSACTION, event, event=called(event))
