"""Intermediate events in the normal flow and at boundaries, and their compensation handlers.

Source: BPMN 2.0.2 10.5.4, 10.7.1.
"""

from __future__ import annotations

from typing import Final

from ... import codes
from ..document import Element
from .facts import Facts
from .kinds import ACTIVITIES
from .rule import Findings, called, found, rule
from .start_end import foreign

_CATCHES: Final = frozenset({"message", "timer", "conditional", "link", "signal"})
_THROWS: Final = frozenset({"message", "escalation", "compensate", "link", "signal"})
_AT_BOUNDARY: Final = frozenset(
    {"message", "timer", "escalation", "error", "cancel", "compensate", "conditional", "signal"}
)
#: Triggers after which the activity cannot go on.
_INTERRUPTS: Final = frozenset({"error", "cancel", "compensate"})


@rule("intermediateCatchEvent")
def a_catch_has_a_fitting_trigger(event: Element, facts: Facts) -> Findings:
    """An event in the normal flow waits for something that can happen there."""
    wrong = foreign(facts.triggers(event), _CATCHES, needs_one=facts.is_strict)
    if wrong:
        yield found(codes.CATCH_TRIGGER, event, event=called(event), trigger=wrong)


@rule("intermediateThrowEvent")
def a_throw_has_a_fitting_result(event: Element, facts: Facts) -> Findings:
    """An event in the normal flow throws what lets the flow go on."""
    wrong = foreign(facts.triggers(event), _THROWS)
    if wrong:
        yield found(codes.THROW_RESULT, event, event=called(event), trigger=wrong)


@rule("boundaryEvent")
def a_boundary_has_a_fitting_trigger(event: Element, facts: Facts) -> Findings:
    """A boundary event waits for something that can happen to an activity."""
    triggers = facts.triggers(event)
    wrong = foreign(triggers, _AT_BOUNDARY, needs_one=facts.is_strict)
    if wrong:
        yield found(codes.BOUNDARY_TRIGGER, event, event=called(event), trigger=wrong)
    goes_on = not event.flag("cancelActivity", True) and _INTERRUPTS.intersection(triggers)
    if goes_on:
        yield found(
            codes.NON_INTERRUPTING_TRIGGER,
            event,
            event=called(event),
            trigger=", ".join(sorted(goes_on)),
        )


@rule("boundaryEvent")
def a_transaction_is_cancelled(event: Element, facts: Facts) -> Findings:
    """A cancel is caught at a transaction."""
    host = facts.attribute(event, "attachedToRef")
    if host is not None and host.name != "transaction" and "cancel" in facts.triggers(event):
        yield found(
            codes.CANCEL_BOUNDARY_OUTSIDE_TRANSACTION,
            event,
            event=called(event),
            host=called(host),
        )


@rule("boundaryEvent")
def a_boundary_is_only_left(event: Element, facts: Facts) -> Findings:
    """A boundary event has an outgoing flow and no incoming one; a compensation has neither."""
    if facts.incoming(event):
        yield found(codes.BOUNDARY_WITH_INCOMING, event, event=called(event))
    compensates = "compensate" in facts.triggers(event)
    if compensates and facts.outgoing(event):
        yield found(codes.COMPENSATION_BOUNDARY_WITH_FLOW, event, event=called(event))
    if not compensates and not facts.outgoing(event):
        yield found(codes.BOUNDARY_WITHOUT_OUTGOING, event, event=called(event))


@rule("boundaryEvent")
def a_compensation_has_a_handler(event: Element, facts: Facts) -> Findings:
    """An association leads from a compensation event to the activity that compensates."""
    if "compensate" not in facts.triggers(event):
        return
    handlers = [one for one in facts.associated.get(event, ()) if one.name in ACTIVITIES]
    if not handlers:
        yield found(codes.COMPENSATION_WITHOUT_HANDLER, event, event=called(event))
    for handler in handlers:
        if not handler.flag("isForCompensation"):
            yield found(
                codes.COMPENSATION_HANDLER_UNMARKED,
                event,
                event=called(event),
                activity=called(handler),
            )
