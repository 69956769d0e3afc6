"""What can be asked of an instance. Time, chance and the outside arrive in the command."""

from __future__ import annotations

from typing import Any

import msgspec

from .events import Problem


class StartInstance(msgspec.Struct, frozen=True, gc=False):
    """Begin; `definition` is the digest of the graph.

    The first token goes to `start`, a `Start` of the root scope, or where the graph says. `keys`
    are values of shared correlation keys, and `message` is the place in the inbox of the message
    that is taken by it. `tenant` is whose instance it is, and its jobs are.
    """

    definition: str
    input: Any = None
    parent: str | None = None
    parent_visit: int | None = None
    start: str | None = None
    keys: dict[str, Any] = {}
    message: int = 0
    tenant: str = ""


class CompleteJob(msgspec.Struct, frozen=True, gc=False):
    """A worker is done; the store checks the attempt's fencing `token` when it saves."""

    job: int
    output: Any = None
    token: int = 0


class FailJob(msgspec.Struct, frozen=True, gc=False):
    """A worker could not do it; the error's `instance` is set by the machine."""

    job: int
    error: Problem
    token: int = 0


class FireTimer(msgspec.Struct, frozen=True, gc=False):
    """A timer is due. Fired twice, the second finds nothing."""

    timer: int


class DeliverEvent(msgspec.Struct, frozen=True, gc=False):
    """A CloudEvent is offered to one subscription, which takes it or not.

    `number` is its place in the inbox: offered again, it is known and not taken twice. With
    `takes` nobody else may have it afterwards, nor have taken it before.
    """

    subscription: int
    envelope: dict[str, Any]
    number: int = 0
    takes: bool = False


class EndChild(msgspec.Struct, frozen=True, gc=False):
    """A child instance has ended."""

    visit: int
    child: str
    status: str
    output: Any = None
    error: Problem | None = None


class EscalateChild(msgspec.Struct, frozen=True, gc=False):
    """Nobody in a child instance took this escalation, its event `number`."""

    visit: int
    child: str
    number: int
    code: str
    payload: Any = None


class CancelInstance(msgspec.Struct, frozen=True, gc=False):
    """Stop for good: no ordinary task begins afterwards."""

    by: str = ""


class StopInstance(msgspec.Struct, frozen=True, gc=False):
    """The machine cannot carry out a command of this instance: it faults with `error`.

    `start` is the command where it was a start: then there is no instance yet.
    """

    error: Problem
    start: StartInstance | None = None


class SuspendInstance(msgspec.Struct, frozen=True, gc=False):
    """Stand still until resumed."""

    by: str = ""


class ResumeInstance(msgspec.Struct, frozen=True, gc=False):
    """Go on."""

    by: str = ""


class CondenseHistory(msgspec.Struct, frozen=True, gc=False):
    """Write down the whole state: what came before it is needed no more."""


Command = (
    StartInstance
    | CompleteJob
    | FailJob
    | FireTimer
    | DeliverEvent
    | EndChild
    | EscalateChild
    | CancelInstance
    | StopInstance
    | SuspendInstance
    | ResumeInstance
    | CondenseHistory
)
