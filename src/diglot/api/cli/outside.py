"""What comes from outside while a run goes on: events, messages and signals of the command line."""

from __future__ import annotations

import uuid
from collections import deque
from collections.abc import Iterable
from typing import Any, cast

from diglot.runtime.state import State, Subscription

from .values import check_text, fail, json_value

Envelope = dict[str, Any]


def read_event(text: str) -> Envelope:
    """A whole CloudEvent.

    Raises:
        typer.Exit: it is none; the reason has been printed.
    """
    event = json_value(text, "--event")
    if not isinstance(event, dict):
        fail("--event is no CloudEvent: it wants an object with id, source and type")
    return cast("Envelope", event)


def read_short(kind: str, text: str) -> Envelope:
    """A message or a signal given as NAME, NAME=JSON, or with a correlation key as NAME@KEY=JSON.

    Raises:
        typer.Exit: it cannot be read; the reason has been printed.
    """
    named, separator, data = text.partition("=")
    if not named.partition("@")[0]:
        fail(f"--{kind} wants NAME or NAME=JSON")
    check_text(named, f"what --{kind} names")
    return short(kind, named, json_value(data, f"--{kind} {named}") if separator else {})


def short(kind: str, named: str, data: Any) -> Envelope:
    """A message or a signal with a new id; `named` is NAME or NAME@KEY."""
    name, _, key = named.partition("@")
    envelope: Envelope = {
        "id": str(uuid.uuid4()),
        "source": "/diglot/run",
        "type": name,
        "diglotkind": kind,
        "data": data,
    }
    return {**envelope, "correlationkey": key} if key else envelope


class Outside:
    """What is still to come, in order within each option; what is waited for goes first."""

    def __init__(
        self, events: tuple[str, ...] = (), messages: tuple[str, ...] = (),
        signals: tuple[str, ...] = (),
    ) -> None:  # fmt: skip
        self._queues = [
            deque(read_event(text) for text in events),
            deque(read_short("message", text) for text in messages),
            deque(read_short("signal", text) for text in signals),
        ]

    def take(self, states: Iterable[State], *, is_stuck: bool) -> Envelope | None:
        """The next that one of these waits for; where the run `is_stuck`, the next of any."""
        heads = [queue for queue in self._queues if queue]
        if not heads:
            return None
        listening = [row for state in states for row in state.subscriptions.values()]
        for queue in heads:
            if any(_fits(row, queue[0]) for row in listening):
                return queue.popleft()
        return heads[0].popleft() if is_stuck else None


def _fits(row: Subscription, envelope: Envelope) -> bool:
    """Whether a subscription may take an event, as far as its type and kind go."""
    kind = envelope.get("diglotkind", row.kind)
    return row.type in (None, envelope.get("type")) and row.kind in ("event", kind)
