"""Events that come to an instance: to the nodes that receive, and to the handlers that listen.

Source: BPMN 2.0.2 10.5.1 (Publication), 13.5.1.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from diglot.runtime.faults import Fault

from .receive import offer
from .triggers import hear

if TYPE_CHECKING:
    from diglot.runtime.state import Subscription

    from .step import Step


def deliver(
    step: Step, subscription: Subscription, envelope: dict[str, Any], number: int = 0
) -> bool:
    """Offer a CloudEvent to a subscription; true if it was taken.

    What fails in doing so is an error of the visit or of the scope that listens.
    """
    try:
        if subscription.handler is not None:
            return hear(step, subscription, envelope, number)
        return offer(step, subscription, envelope, number)
    except Fault as found:
        if subscription.visit is not None:
            step.fail(step.state.visits[subscription.visit], found.problem)
        else:
            assert subscription.scope is not None
            step.fail_scope(step.state.scopes[subscription.scope], found.problem)
        return True


def catch_signal(step: Step, envelope: dict[str, Any]) -> None:
    """Offer a signal to all in the instance itself who listen for it now.

    Event sub-processes come first: one that interrupts its activity absorbs the signal, and the
    activity's boundary events do not get it.

    Source: BPMN 2.0.2 10.5.6.
    """
    state = step.state
    names = envelope.get("type"), None
    listeners = [state.subscriptions[id] for name in names for id in state.signals.get(name, ())]
    listeners.sort(key=lambda one: (one.scope is None, one.id))
    absorbed: set[int | None] = set()
    for subscription in listeners:
        is_boundary = subscription.handler is not None and subscription.visit is not None
        if subscription.id not in state.subscriptions:
            continue
        if is_boundary and subscription.visit in absorbed:
            continue
        scope = None if subscription.scope is None else state.scopes[subscription.scope]
        deliver(step, subscription, envelope)
        if scope is not None and scope.is_closed:
            absorbed.add(scope.owner)
