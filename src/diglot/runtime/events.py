"""The facts of a run. Folding them in order gives the state again; nothing else is needed.

Each event is written as a JSON array whose first item is its type; new members go to the end of a
type, with a default. Times are milliseconds since 1970 in UTC (`_ms`). Ids of scope visits, visits,
arrivals, jobs, timers and subscriptions come from one counter of the instance.
"""

from __future__ import annotations

from typing import Any

import msgspec

#: An error as people see it: type, status, instance, and title and detail where known.
Problem = dict[str, Any]


class _Event(msgspec.Struct, frozen=True, array_like=True, tag_field="event"):
    pass


class Route(msgspec.Struct, frozen=True, array_like=True):
    """A token put on a flow: the new arrival, the node it goes to, and the flow taken."""

    arrival: int
    node: str
    flow: str | None = None


class InstanceStarted(_Event, frozen=True, tag="instance.started"):
    """`input` is raw."""

    definition: str
    input: Any
    at_ms: int
    parent: str | None = None
    parent_visit: int | None = None


class InstanceEnded(_Event, frozen=True, tag="instance.ended"):
    """`status`: completed, faulted or cancelled."""

    status: str
    at_ms: int
    output: Any = None
    error: Problem | None = None
    by: str = ""


class InstanceSuspended(_Event, frozen=True, tag="instance.suspended"):
    """Nothing new begins until it is resumed; what runs outside may still report."""

    at_ms: int
    by: str = ""


class InstanceResumed(_Event, frozen=True, tag="instance.resumed"):
    """Tokens that stood still go on."""

    at_ms: int
    by: str = ""


class ScopeEntered(_Event, frozen=True, tag="scope.entered"):
    """A scope is instantiated and its start node gets a token (`arrival`).

    `parent` is the enclosing scope visit, `owner` the visit whose body this is; a scope that runs
    for a `handler` has no owner and counts as a token of its parent.
    """

    id: int
    scope: str
    parent: int | None
    owner: int | None
    start: str
    arrival: int
    input: Any
    variables: dict[str, Any]
    at_ms: int
    handler: str | None = None


class ScopeLeft(_Event, frozen=True, tag="scope.left"):
    """A scope visit is over, done or cancelled; its tokens and variables are gone."""

    id: int


class ScopeClosed(_Event, frozen=True, tag="scope.closed"):
    """A handler of the scope takes over: its tokens are gone, no handler of it listens any more."""

    id: int
    handler: str
    leave_by: str | None = None
    result: Any = None


class ScopeRestarted(_Event, frozen=True, tag="scope.restarted"):
    """The scope runs again from its input."""

    id: int
    start: str
    arrival: int
    at_ms: int


class RetryScheduled(_Event, frozen=True, tag="retry.scheduled"):
    """Run number `run` of the scope failed with `error`; the next begins when `timer` fires."""

    scope: int
    run: int
    error: Problem
    timer: int
    due_ms: int


class VisitEntered(_Event, frozen=True, tag="visit.entered"):
    """A node is being executed; its raw input is the data of the arrivals it consumed.

    `input` is what `read` made of it, where it differs (`is_read`).
    """

    id: int
    node: str
    scope: int
    arrivals: tuple[int, ...]
    data: Any
    at_ms: int
    is_read: bool = False
    input: Any = None


class VisitLeft(_Event, frozen=True, tag="visit.left"):
    """The visit is over and its output is on these flows."""

    id: int
    data: Any
    routes: tuple[Route, ...]


class VisitPassed(_Event, frozen=True, tag="visit.passed"):
    """A node that needs nothing from outside was entered and left at once.

    `is_same`: the output is the input, and `data` is empty.
    """

    id: int
    node: str
    scope: int
    arrivals: tuple[int, ...]
    routes: tuple[Route, ...]
    is_same: bool
    data: Any = None


class VisitSkipped(_Event, frozen=True, tag="visit.skipped"):
    """The guard was false: the raw input went on and the node did nothing."""

    id: int
    node: str
    scope: int
    arrivals: tuple[int, ...]
    routes: tuple[Route, ...]


class TokenEnded(_Event, frozen=True, tag="token.ended"):
    """A token reached an end: its data is the scope's result so far."""

    id: int
    node: str
    scope: int
    arrivals: tuple[int, ...]


class VisitFailed(_Event, frozen=True, tag="visit.failed"):
    """The visit raised an error and is over, with all it had open."""

    id: int
    error: Problem


class VisitCancelled(_Event, frozen=True, tag="visit.cancelled"):
    """The visit was stopped from outside and is over, with all it had open."""

    id: int


class TokensWithdrawn(_Event, frozen=True, tag="tokens.withdrawn"):
    """The arrivals of a scope visit are taken away."""

    scope: int


class TokenPut(_Event, frozen=True, tag="token.put"):
    """A handler put a token with `data` on a flow of the scope."""

    scope: int
    route: Route
    data: Any


class IterationBegun(_Event, frozen=True, tag="iteration.begun"):
    """A loop goes to its next item; `items` stands in the first one only."""

    visit: int
    position: int
    items: tuple[Any, ...] | None = None


class IterationDone(_Event, frozen=True, tag="iteration.done"):
    """The result of one item, collected by the loop."""

    visit: int
    result: Any


class VariableSet(_Event, frozen=True, tag="variable.set"):
    """A variable of a scope visit has a new value."""

    scope: int
    name: str
    value: Any


class JobOpened(_Event, frozen=True, tag="job.opened"):
    """Work waits for a worker of `type`; without a visit nobody waits for its result."""

    id: int
    visit: int | None
    node: str
    type: str
    arguments: Any
    at_ms: int


class JobClosed(_Event, frozen=True, tag="job.closed"):
    """The job is over: `outcome` is completed or failed."""

    id: int
    outcome: str
    attempt: int = 0


class TimerArmed(_Event, frozen=True, tag="timer.armed"):
    """Fires at `due_ms` for a visit or a scope visit.

    `purpose`: wait, retry, attempt, or handler (then `handler` names it).
    """

    id: int
    purpose: str
    due_ms: int
    visit: int | None = None
    scope: int | None = None
    handler: str | None = None


class TimerFired(_Event, frozen=True, tag="timer.fired"):
    """The timer is over."""

    id: int
    at_ms: int


class SubscriptionOpened(_Event, frozen=True, tag="subscription.opened"):
    """The visit takes events that match its filter number `index`.

    `type` is the one event type it can match, or nothing where that is not known beforehand.
    """

    id: int
    visit: int
    index: int
    is_until: bool = False
    type: str | None = None


class EventTaken(_Event, frozen=True, tag="event.taken"):
    """A CloudEvent matched a subscription; `value` is what was read of it.

    `keys` are the correlation values known after it. `closes`: the subscription takes no more.
    """

    visit: int
    subscription: int
    event_source: str
    event_id: str
    value: Any
    keys: dict[str, Any]
    closes: bool = False
    number: int = 0


class EventRead(_Event, frozen=True, tag="event.read"):
    """The body is done with an event; `value` takes its place in the result."""

    visit: int
    value: Any


class EventEmitted(_Event, frozen=True, tag="event.emitted"):
    """A CloudEvent goes out."""

    visit: int
    envelope: dict[str, Any]


class ChildStarted(_Event, frozen=True, tag="child.started"):
    """A definition is started as a child instance with the id `child`."""

    visit: int
    child: str
    namespace: str
    process: str
    version: str
    input: Any
    waits: bool = True


class ChildEnded(_Event, frozen=True, tag="child.ended"):
    """The child instance a visit waits for has ended."""

    visit: int
    child: str
    status: str


class ChildCancelled(_Event, frozen=True, tag="child.cancelled"):
    """The child instance is asked to stop; nobody waits for it any more."""

    visit: int
    child: str


Event = (
    InstanceStarted
    | InstanceEnded
    | InstanceSuspended
    | InstanceResumed
    | ScopeEntered
    | ScopeLeft
    | ScopeClosed
    | ScopeRestarted
    | RetryScheduled
    | VisitEntered
    | VisitLeft
    | VisitPassed
    | VisitSkipped
    | TokenEnded
    | VisitFailed
    | VisitCancelled
    | TokenPut
    | IterationBegun
    | IterationDone
    | VariableSet
    | JobOpened
    | JobClosed
    | TimerArmed
    | TimerFired
    | SubscriptionOpened
    | EventTaken
    | EventRead
    | EventEmitted
    | ChildStarted
    | ChildEnded
    | ChildCancelled
    | TokensWithdrawn
)

_decoder = msgspec.json.Decoder(list[Event])
_encoder = msgspec.json.Encoder()


def encode(events: list[Event]) -> bytes:
    """The events of one commit as JSON."""
    return _encoder.encode(events)


def decode(text: bytes | str) -> list[Event]:
    """The inverse of `encode`.

    Raises:
        msgspec.MsgspecError: the text is not a list of events this version knows.
    """
    return _decoder.decode(text)
