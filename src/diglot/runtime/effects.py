"""What a command's events want from the world outside the instance: rows of outbox and inbox."""

from __future__ import annotations

from typing import Any

from . import events as e
from .state import State

#: All other events stay inside.
_OUTWARD = frozenset(
    (
        e.EventEmitted,
        e.SubscriptionOpened,
        e.ChildStarted,
        e.ChildCancelled,
        e.EscalationRaised,
        e.InstanceEnded,
    )
)


def effects(
    state: State, events: list[e.Event], before: int = 0
) -> tuple[list[tuple[str, dict[str, Any]]], list[dict[str, Any]], dict[int, int]]:
    """Messages for other instances, CloudEvents for the inbox, and subscriptions opened after them.

    The last says for a subscription how many CloudEvents were emitted in the commit before it was
    opened, `before` of them by earlier commands: it does not take those.
    """
    outbox: list[tuple[str, dict[str, Any]]] = []
    inbox: list[dict[str, Any]] = []
    behind: dict[int, int] = {}
    for number, event in enumerate(events, state.sequence - len(events) + 1):
        if event.__class__ not in _OUTWARD:
            continue
        match event:
            case e.EventEmitted(envelope=envelope):
                inbox.append(envelope)
            case e.SubscriptionOpened(id=id):
                if before or inbox:
                    behind[id] = before + len(inbox)
            case e.ChildStarted():
                outbox.append(("child", _child(state, event)))
            case e.ChildCancelled(child=child):
                outbox.append(("child-cancelled", {"child": child}))
            case e.EscalationRaised(is_taken=False) if state.parent is not None:
                outbox.append(("child-escalated", _escalated(state, event, number)))
            case e.InstanceEnded() if state.parent is not None:
                outbox.append(("child-ended", _ended(state, event)))
            case _:
                pass
    return outbox, inbox, behind


def _child(state: State, event: e.ChildStarted) -> dict[str, Any]:
    return {
        "visit": event.visit,
        "child": event.child,
        "namespace": event.namespace,
        "process": event.process,
        "version": event.version,
        "input": event.input,
        "waits": event.waits,
        "tenant": state.tenant,
    }


def _escalated(state: State, event: e.EscalationRaised, number: int) -> dict[str, Any]:
    return {
        "parent": state.parent,
        "visit": state.parent_visit,
        "child": state.id,
        "number": number,
        "code": event.code,
        "payload": event.payload,
    }


def _ended(state: State, event: e.InstanceEnded) -> dict[str, Any]:
    return {
        "parent": state.parent,
        "visit": state.parent_visit,
        "child": state.id,
        "status": event.status,
        "output": event.output,
        "error": event.error,
    }
