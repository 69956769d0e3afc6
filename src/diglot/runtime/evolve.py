"""Applying events to a state: total, dull, and without a look at the graph."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from . import events as e
from .state import Arrival, Job, ScopeVisit, State, Subscription, Timer, Visit

Applier = Callable[[State, Any], None]
A = TypeVar("A", bound=Callable[..., None])

_appliers: dict[type, Applier] = {}


def applies(event: type) -> Callable[[A], A]:
    """Register the one function that applies events of this type."""

    def register(applier: A) -> A:
        if event in _appliers:
            raise RuntimeError(f"{event.__name__} is applied twice")
        _appliers[event] = applier
        return applier

    return register


def evolve(state: State, event: e.Event) -> None:
    """Change `state` by one event."""
    state.sequence += 1
    _appliers[type(event)](state, event)


def fold(id: str, history: Iterable[e.Event]) -> State:
    """The state that a whole history gives."""
    state = State(id)
    for event in history:
        evolve(state, event)
    return state


def _see(state: State, id: int) -> None:
    if id > state.counter:
        state.counter = id


def _put(state: State, scope: int, route: e.Route, data: Any) -> None:
    id = route.arrival
    if id > state.counter:
        state.counter = id
    state.arrivals[id] = Arrival(id, route.node, scope, route.flow, data)
    state.at.setdefault((scope, route.node), []).append(id)
    state.scopes[scope].tokens += 1
    state.touched.add(("arrivals", id))


def _take(state: State, arrivals: tuple[int, ...]) -> Any:
    data = None
    for id in arrivals:
        arrival = state.arrivals.pop(id)
        place = (arrival.scope, arrival.node)
        standing = state.at[place]
        standing.remove(id)
        if not standing:
            del state.at[place]
        state.scopes[arrival.scope].tokens -= 1
        state.touched.add(("arrivals", id))
        data = arrival.data
    return data


def _count(state: State, scope: int, before: int, after: int) -> None:
    """Note that a scope has another number of tokens: most events leave it as it is."""
    if before != after:
        state.touched.add(("scopes", scope))


def _close_open(state: State, holder: int) -> None:
    for table, id in state.open.pop(holder, ()):
        getattr(state, table).pop(id, None)
        state.touched.add((table, id))


def _end_visit(state: State, id: int) -> Visit:
    visit = state.visits.pop(id)
    del state.visits_in[visit.scope][id]
    scope = state.scopes[visit.scope]
    scope.tokens -= 1
    _close_open(state, id)
    state.bodies.pop(id, None)
    state.touched.add(("visits", id))
    state.touched.add(("scopes", visit.scope))
    return visit


@applies(e.InstanceStarted)
def _(state: State, event: e.InstanceStarted) -> None:
    state.definition = event.definition
    state.status = "running"
    state.input = event.input
    state.started_ms = event.at_ms
    state.parent = event.parent
    state.parent_visit = event.parent_visit


@applies(e.InstanceEnded)
def _(state: State, event: e.InstanceEnded) -> None:
    state.status = event.status
    state.ended_ms = event.at_ms
    state.output = event.output
    state.error = event.error
    # A job that nobody waits for is still done, unless somebody wants all of this to stop.
    unawaited = {id: job for id, job in state.jobs.items() if job.visit is None}
    if event.status == "cancelled":
        unawaited = {}
    for table in ("scopes", "visits", "arrivals", "jobs", "timers", "subscriptions"):
        rows = getattr(state, table)
        state.touched.update((table, id) for id in rows)
        rows.clear()
    state.jobs.update(unawaited)
    for index in (state.at, state.visits_in, state.bodies, state.handling, state.open):
        index.clear()


@applies(e.InstanceSuspended)
def _(state: State, event: e.InstanceSuspended) -> None:
    state.status = "suspended"


@applies(e.InstanceResumed)
def _(state: State, event: e.InstanceResumed) -> None:
    state.status = "running"


@applies(e.ScopeEntered)
def _(state: State, event: e.ScopeEntered) -> None:
    _see(state, event.id)
    state.scopes[event.id] = ScopeVisit(
        event.id,
        event.scope,
        event.parent,
        event.owner,
        event.input,
        dict(event.variables),
        event.at_ms,
        event.handler,
    )
    state.visits_in[event.id] = {}
    if event.owner is not None:
        state.bodies.setdefault(event.owner, {})[event.id] = None
    elif event.parent is not None:
        state.handling.setdefault(event.parent, {})[event.id] = None
        state.scopes[event.parent].tokens += 1
        state.touched.add(("scopes", event.parent))
    state.touched.add(("scopes", event.id))
    _put(state, event.id, e.Route(event.arrival, event.start), event.input)


@applies(e.ScopeLeft)
def _(state: State, event: e.ScopeLeft) -> None:
    scope = state.scopes[event.id]
    _clear(state, scope)
    del state.scopes[event.id]
    del state.visits_in[event.id]
    state.handling.pop(event.id, None)
    if scope.owner is not None:
        state.bodies.get(scope.owner, {}).pop(event.id, None)
    elif scope.parent is not None:
        parent = state.scopes[scope.parent]
        state.handling[scope.parent].pop(event.id)
        parent.tokens -= 1
        parent.result = scope.result
        state.touched.add(("scopes", scope.parent))
    state.touched.add(("scopes", event.id))


def _clear(state: State, scope: ScopeVisit) -> None:
    """Take the scope's timers away; its tokens have been ended before."""
    _close_open(state, scope.id)


@applies(e.ScopeClosed)
def _(state: State, event: e.ScopeClosed) -> None:
    scope = state.scopes[event.id]
    _clear(state, scope)
    scope.is_closed = True
    scope.leave_by = event.leave_by
    scope.result = event.result
    scope.retry_timer = None
    state.touched.add(("scopes", event.id))


@applies(e.RetryScheduled)
def _(state: State, event: e.RetryScheduled) -> None:
    scope = state.scopes[event.scope]
    for table, id in list(state.open.get(event.scope, ())):
        if table == "timers" and state.timers[id].purpose == "attempt":
            del state.timers[id]
            _shuts(state, event.scope, table, id)
    _see(state, event.timer)
    scope.retry_timer = event.timer
    state.timers[event.timer] = Timer(event.timer, "retry", event.due_ms, scope=event.scope)
    _opens(state, event.scope, "timers", event.timer)
    state.touched.add(("scopes", event.scope))


@applies(e.ScopeRestarted)
def _(state: State, event: e.ScopeRestarted) -> None:
    scope = state.scopes[event.id]
    scope.runs += 1
    scope.retry_timer = None
    scope.result = None
    state.touched.add(("scopes", event.id))
    _put(state, event.id, e.Route(event.arrival, event.start), scope.input)


@applies(e.VisitEntered)
def _(state: State, event: e.VisitEntered) -> None:
    _see(state, event.id)
    _take(state, event.arrivals)
    state.visits[event.id] = Visit(
        event.id,
        event.node,
        event.scope,
        event.data,
        event.input if event.is_read else event.data,
        event.at_ms,
    )
    state.visits_in[event.scope][event.id] = None
    state.scopes[event.scope].tokens += 1
    state.touched.add(("visits", event.id))
    _count(state, event.scope, len(event.arrivals), 1)


@applies(e.VisitLeft)
def _(state: State, event: e.VisitLeft) -> None:
    visit = _end_visit(state, event.id)
    for route in event.routes:
        _put(state, visit.scope, route, event.data)


@applies(e.VisitPassed)
def _(state: State, event: e.VisitPassed) -> None:
    if event.id > state.counter:
        state.counter = event.id
    data = _take(state, event.arrivals)
    if not event.is_same:
        data = event.data
    for route in event.routes:
        _put(state, event.scope, route, data)
    _count(state, event.scope, len(event.arrivals), len(event.routes))


@applies(e.VisitSkipped)
def _(state: State, event: e.VisitSkipped) -> None:
    _see(state, event.id)
    data = _take(state, event.arrivals)
    for route in event.routes:
        _put(state, event.scope, route, data)
    _count(state, event.scope, len(event.arrivals), len(event.routes))


@applies(e.TokenEnded)
def _(state: State, event: e.TokenEnded) -> None:
    _see(state, event.id)
    state.scopes[event.scope].result = _take(state, event.arrivals)
    state.touched.add(("scopes", event.scope))


@applies(e.VisitFailed)
def _(state: State, event: e.VisitFailed) -> None:
    _end_visit(state, event.id)


@applies(e.VisitCancelled)
def _(state: State, event: e.VisitCancelled) -> None:
    _end_visit(state, event.id)


@applies(e.TokenPut)
def _(state: State, event: e.TokenPut) -> None:
    _put(state, event.scope, event.route, event.data)
    _count(state, event.scope, 0, 1)


@applies(e.IterationBegun)
def _(state: State, event: e.IterationBegun) -> None:
    visit = state.visits[event.visit]
    visit.position = event.position
    if event.items is not None:
        visit.items = event.items
    state.touched.add(("visits", event.visit))


@applies(e.IterationDone)
def _(state: State, event: e.IterationDone) -> None:
    visit = state.visits[event.visit]
    visit.results.append(event.result)
    state.touched.add(("visits", event.visit))


@applies(e.VariableSet)
def _(state: State, event: e.VariableSet) -> None:
    state.scopes[event.scope].variables[event.name] = event.value
    state.touched.add(("scopes", event.scope))


def _opens(state: State, holder: int | None, table: str, id: int) -> None:
    _see(state, id)
    if holder is not None:
        state.open.setdefault(holder, {})[(table, id)] = None
    state.touched.add((table, id))


def _shuts(state: State, holder: int | None, table: str, id: int) -> None:
    if holder is not None:
        state.open.get(holder, {}).pop((table, id), None)
    state.touched.add((table, id))


@applies(e.JobOpened)
def _(state: State, event: e.JobOpened) -> None:
    state.jobs[event.id] = Job(
        event.id, event.visit, event.node, event.type, event.arguments, event.at_ms
    )
    _opens(state, event.visit, "jobs", event.id)


@applies(e.JobClosed)
def _(state: State, event: e.JobClosed) -> None:
    job = state.jobs.pop(event.id)
    _shuts(state, job.visit, "jobs", event.id)


@applies(e.TimerArmed)
def _(state: State, event: e.TimerArmed) -> None:
    state.timers[event.id] = Timer(
        event.id, event.purpose, event.due_ms, event.visit, event.scope, event.handler
    )
    _opens(state, event.visit or event.scope, "timers", event.id)


@applies(e.TimerFired)
def _(state: State, event: e.TimerFired) -> None:
    timer = state.timers.pop(event.id)
    _shuts(state, timer.visit or timer.scope, "timers", event.id)


@applies(e.SubscriptionOpened)
def _(state: State, event: e.SubscriptionOpened) -> None:
    state.subscriptions[event.id] = Subscription(
        event.id, event.visit, event.index, event.is_until, event.type
    )
    _opens(state, event.visit, "subscriptions", event.id)


@applies(e.EventTaken)
def _(state: State, event: e.EventTaken) -> None:
    visit = state.visits[event.visit]
    subscription = state.subscriptions[event.subscription]
    visit.keys = event.keys
    visit.last_event = max(visit.last_event, event.number)
    if subscription.is_until:
        visit.until_taken.append(subscription.index)
    else:
        visit.taken.append(subscription.index)
        visit.pending.append(event.value)
    if event.closes:
        del state.subscriptions[event.subscription]
        _shuts(state, event.visit, "subscriptions", event.subscription)
    state.touched.add(("visits", event.visit))


@applies(e.EventRead)
def _(state: State, event: e.EventRead) -> None:
    visit = state.visits[event.visit]
    del visit.pending[0]
    visit.results.append(event.value)
    state.touched.add(("visits", event.visit))


@applies(e.EventEmitted)
def _(state: State, event: e.EventEmitted) -> None:
    """A CloudEvent that went out leaves nothing behind in the state."""


@applies(e.ChildStarted)
def _(state: State, event: e.ChildStarted) -> None:
    if event.waits:
        state.visits[event.visit].child = event.child
        state.touched.add(("visits", event.visit))


@applies(e.ChildEnded)
def _(state: State, event: e.ChildEnded) -> None:
    state.visits[event.visit].child = None
    state.touched.add(("visits", event.visit))


@applies(e.ChildCancelled)
def _(state: State, event: e.ChildCancelled) -> None:
    visit = state.visits.get(event.visit)
    if visit is not None:
        visit.child = None
        state.touched.add(("visits", event.visit))


@applies(e.TokensWithdrawn)
def _(state: State, event: e.TokensWithdrawn) -> None:
    for id in [id for id, arrival in state.arrivals.items() if arrival.scope == event.scope]:
        _take(state, (id,))
    state.touched.add(("scopes", event.scope))
