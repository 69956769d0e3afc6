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


class _Event(msgspec.Struct, frozen=True, array_like=True, tag_field="event", gc=False):
    pass


class Route(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A token put on a flow: the new arrival, the node it goes to, and the flow taken."""

    arrival: int
    node: str
    flow: str | None = None


class Terms(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """On what terms a job is given out.

    A higher `priority` goes first. Of jobs of one tenant with the same `mutex` one is out at a
    time. With `is_once` a lost attempt is not made again: what it did is unknown. A job that nobody
    had before `start_by_ms` fails. A lease lasts `lease_ms`, if the worker does not ask for less,
    and an attempt `run_ms` at most.
    """

    priority: int = 0
    mutex: str | None = None
    is_once: bool = False
    start_by_ms: int | None = None
    lease_ms: int | None = None
    run_ms: int | None = None


class InstanceStarted(_Event, frozen=True, tag="instance.started"):
    """`input` is raw."""

    definition: str
    input: Any
    at_ms: int
    parent: str | None = None
    parent_visit: int | None = None
    tenant: str = ""


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


class HistoryCondensed(_Event, frozen=True, tag="history.condensed"):
    """All that came before is in `state`, as `whole` tells it: the history may begin here."""

    state: dict[str, Any]


class ScopeEntered(_Event, frozen=True, tag="scope.entered"):
    """A scope is instantiated and its start node gets a token (`arrival`).

    `parent` is the enclosing scope visit, `owner` the visit whose body this is; a scope that runs
    for a `handler` has no owner and counts as a token of its parent. It is run number `position`
    of an activity that runs several times.
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
    position: int | None = None


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

    `input` is what `read` made of it, where it differs (`is_read`). `race` is the visit of the
    race it takes part in, `compensates` the visit of the compensation it is done for. While it
    `is_held` it waits for the data it needs.
    """

    id: int
    node: str
    scope: int
    arrivals: tuple[int, ...]
    data: Any
    at_ms: int
    is_read: bool = False
    input: Any = None
    race: int | None = None
    compensates: int | None = None
    is_held: bool = False


class VisitReady(_Event, frozen=True, tag="visit.ready"):
    """The data a held visit needs is there; `input` is what `read` made of its raw input."""

    id: int
    input: Any
    at_ms: int


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
    """These arrivals of a scope visit are taken away.

    Where none is named it is all of them, and its gateways begin anew.
    """

    scope: int
    arrivals: tuple[int, ...] = ()


class TokenPut(_Event, frozen=True, tag="token.put"):
    """A handler put a token with `data` on a flow of the scope.

    `beside`: the visit that it guards goes on, and may be undone later.
    """

    scope: int
    route: Route
    data: Any
    beside: int | None = None


class IterationBegun(_Event, frozen=True, tag="iteration.begun"):
    """A loop goes to its next item; `items` stands in the first one only."""

    visit: int
    position: int
    items: tuple[Any, ...] | None = None


class IterationDone(_Event, frozen=True, tag="iteration.done"):
    """The result of one item, collected by the loop. Written no more: see `ItemEnded`."""

    visit: int
    result: Any


class VariableSet(_Event, frozen=True, tag="variable.set"):
    """A variable of a scope visit has a new value."""

    scope: int
    name: str
    value: Any


class JobOpened(_Event, frozen=True, tag="job.opened"):
    """Work waits for a worker of `type`; without a visit nobody waits for its result.

    With `shows` the arguments' member `variables` is all that the visit can see then.
    """

    id: int
    visit: int | None
    node: str
    type: str
    arguments: Any
    at_ms: int
    shows: bool = False
    terms: Terms | None = None


class JobClosed(_Event, frozen=True, tag="job.closed"):
    """The job is over: `outcome` is completed or failed."""

    id: int
    outcome: str
    attempt: int = 0


class TimerArmed(_Event, frozen=True, tag="timer.armed"):
    """Fires at `due_ms` for a visit or a scope visit.

    `purpose`: wait, retry, attempt, or handler (then `handler` names it, and `part` which of its
    triggers). `repeat` is what is left of a cycle after this time, as an ISO 8601 repeating
    interval or cron fields.
    """

    id: int
    purpose: str
    due_ms: int
    visit: int | None = None
    scope: int | None = None
    handler: str | None = None
    part: int = 0
    repeat: str | None = None


class TimerFired(_Event, frozen=True, tag="timer.fired"):
    """The timer is over."""

    id: int
    at_ms: int


class SubscriptionOpened(_Event, frozen=True, tag="subscription.opened"):
    """The visit takes events that match its filter number `index`.

    `type` is the one event type it can match, or nothing where that is not known beforehand.
    With a `handler` its trigger number `index` listens, on the visit or the scope visit it guards.
    """

    id: int
    visit: int | None
    index: int
    is_until: bool = False
    type: str | None = None
    scope: int | None = None
    handler: str | None = None
    kind: str = "event"


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


class KeysKnown(_Event, frozen=True, tag="keys.known"):
    """Shared correlation keys that had no value have one; `scope` is the root scope visit."""

    scope: int
    keys: dict[str, Any]


class ChildEscalated(_Event, frozen=True, tag="child.escalated"):
    """The child instance raised an escalation that nobody in it took, its event `number`."""

    visit: int
    child: str
    number: int
    code: str


class ItemsBegun(_Event, frozen=True, tag="items.begun"):
    """An activity is to run `total` times; `items` stands where some of them have to wait."""

    visit: int
    total: int
    items: tuple[Any, ...] | None = None


class ItemEnded(_Event, frozen=True, tag="item.ended"):
    """Run number `position` of an activity is over with this result, or was terminated inside."""

    id: int
    visit: int
    position: int
    result: Any = None
    is_terminated: bool = False


class LoopBegun(_Event, frozen=True, tag="loop.begun"):
    """An activity is to run at most `maximum` times."""

    visit: int
    maximum: int


class ScopeTerminated(_Event, frozen=True, tag="scope.terminated"):
    """Everything in the scope visit was stopped from inside: it ends, and is not completed."""

    id: int


class CompensationKept(_Event, frozen=True, tag="compensation.kept"):
    """Something is done that can be undone: the activity `node`, or one run of `scope`.

    `holder` is the scope visit or visit it was a part of, `body` the scope visit or visit whose
    parts are undone with it. `variables` are those of the scope itself as they were at its end.
    The activity began as the visit `began`; `branches` are the flows of boundary events that went
    on beside it, each with the first arrival on it. Of something that was stopped on its way only
    its parts are undone, and `stopped_after` is the id under which the last of them was kept.
    """

    id: int
    holder: int
    node: str
    scope: str
    body: int | None = None
    variables: dict[str, Any] | None = None
    began: int = 0
    branches: dict[str, int] = {}
    stopped_after: int = 0


class CompensationTaken(_Event, frozen=True, tag="compensation.taken"):
    """The compensation `visit` turns to an activity that was `kept`, done in `scope`."""

    visit: int
    kept: int
    scope: int


class CompensationDone(_Event, frozen=True, tag="compensation.done"):
    """The compensation is done with the activity it turned to last."""

    visit: int


class VisitMoved(_Event, frozen=True, tag="visit.moved"):
    """The visit goes on in another scope visit: a cancel in that of the transaction."""

    visit: int
    scope: int


class ScopeRevived(_Event, frozen=True, tag="scope.revived"):
    """A run of a scope that was `kept` is there again, with its variables, to be undone.

    `owner` is the compensation; the scope gets no token and none of its handlers listens.
    """

    id: int
    kept: int
    parent: int
    owner: int
    at_ms: int


class GateTurned(_Event, frozen=True, tag="gate.turned"):
    """What a gateway keeps in mind from here on, a number by incoming flow; nothing: as at first.

    Of a complex gateway the flows it took a token of when it was activated, of a join that ignores
    the rest how many tokens it still ignores.
    """

    scope: int
    node: str
    flows: dict[str, int]


class ScopeSatisfied(_Event, frozen=True, tag="scope.satisfied"):
    """The completion condition of an ad-hoc body is true: what runs is awaited, nothing begins."""

    id: int


class ScopeCompleting(_Event, frozen=True, tag="scope.completing"):
    """Only handlers of the scope run any more: no further one may begin.

    `withdrawn` are the timers and subscriptions of those that could have.
    """

    id: int
    withdrawn: tuple[int, ...] = ()


class TruthSeen(_Event, frozen=True, tag="truth.seen"):
    """What a condition is now, when it is first looked at and whenever that changes.

    `holder` is the visit or scope visit for which it is waited, `condition` its name there: a
    handler's id, and the number of the trigger where it is not the first; nothing for the one that
    a visit is there to wait for.
    """

    holder: int
    condition: str
    is_true: bool


class EventHeard(_Event, frozen=True, tag="event.heard"):
    """A CloudEvent matched a subscription of a handler; `value` is what was read of it.

    `key` says for what of the handler the place in the inbox is kept. `closes`: the subscription
    takes no more until all else that the handler waits for has come.
    """

    subscription: int
    event_source: str
    event_id: str
    value: Any
    key: str
    number: int = 0
    closes: bool = False


class TriggerMet(_Event, frozen=True, tag="trigger.met"):
    """One of several triggers that all have to come has come, with `value`."""

    holder: int
    handler: str
    part: str
    value: Any = None


class TriggersForgotten(_Event, frozen=True, tag="triggers.forgotten"):
    """All triggers of a handler had come; these `parts` have to come again for the next time."""

    holder: int
    handler: str
    parts: tuple[str, ...]


class EscalationRaised(_Event, frozen=True, tag="escalation.raised"):
    """An escalation went outwards from the visit; nobody here takes one that is not `is_taken`."""

    visit: int
    code: str
    payload: Any = None
    is_taken: bool = False


Event = (
    InstanceStarted
    | InstanceEnded
    | InstanceSuspended
    | HistoryCondensed
    | InstanceResumed
    | ScopeEntered
    | ScopeLeft
    | ScopeClosed
    | ScopeRestarted
    | RetryScheduled
    | VisitEntered
    | VisitReady
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
    | ItemsBegun
    | ItemEnded
    | LoopBegun
    | ScopeTerminated
    | CompensationKept
    | CompensationTaken
    | CompensationDone
    | ScopeRevived
    | VisitMoved
    | KeysKnown
    | ChildEscalated
    | GateTurned
    | ScopeSatisfied
    | ScopeCompleting
    | TruthSeen
    | EventHeard
    | TriggerMet
    | TriggersForgotten
    | EscalationRaised
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
