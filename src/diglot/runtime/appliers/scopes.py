"""Scope visits: entered, run again and left, with their variables and correlation keys."""

from __future__ import annotations

from diglot.runtime import events as e
from diglot.runtime.state import ScopeVisit, State, Timer

from .registry import applies
from .rows import close_open, opens, put, see, shuts
from .showing import part
from .undoing import end_revival, forget


@applies(e.ScopeEntered)
def _(state: State, event: e.ScopeEntered) -> None:
    see(state, event.id)
    state.scopes[event.id] = ScopeVisit(
        event.id,
        event.scope,
        event.parent,
        event.owner,
        event.input,
        event.at_ms,
        dict(event.variables),
        event.handler,
        position=event.position,
    )
    if event.position is not None and event.owner in state.tallies:
        state.tallies[event.owner].begun += 1
    state.visits_in[event.id] = {}
    if event.owner is not None:
        state.bodies.setdefault(event.owner, {})[event.id] = None
    elif event.parent is not None:
        state.handling.setdefault(event.parent, {})[event.id] = None
        state.scopes[event.parent].tokens += 1
        state.touched.add(("scopes", event.parent))
    state.touched.add(("scopes", event.id))
    state.assigned.update((event.id, name) for name in event.variables)
    put(state, event.id, e.Route(event.arrival, event.start), event.input)


@applies(e.ScopeLeft)
def _(state: State, event: e.ScopeLeft) -> None:
    scope = state.scopes[event.id]
    close_open(state, event.id)
    del state.scopes[event.id]
    del state.visits_in[event.id]
    state.watching.pop(event.id, None)
    state.handling.pop(event.id, None)
    if state.kept:
        forget(state, event.id)
    if scope.revives is not None:
        end_revival(state, scope)
    if scope.owner is not None:
        state.bodies.get(scope.owner, {}).pop(event.id, None)
    elif scope.parent is not None:
        parent = state.scopes[scope.parent]
        state.handling[scope.parent].pop(event.id)
        parent.tokens -= 1
        if parent.is_closed:
            # What ran beside the scope's tokens gives no result.
            parent.result = scope.result
        state.touched.add(("scopes", scope.parent))
    state.touched.add(("scopes", event.id))


@applies(e.RetryScheduled)
def _(state: State, event: e.RetryScheduled) -> None:
    scope = state.scopes[event.scope]
    for table, id in list(state.open.get(event.scope, ())):
        if table == "timers" and state.timers[id].purpose == "attempt":
            del state.timers[id]
            shuts(state, event.scope, table, id)
    see(state, event.timer)
    scope.retry_timer = event.timer
    state.timers[event.timer] = Timer(event.timer, "retry", event.due_ms, scope=event.scope)
    opens(state, event.scope, "timers", event.timer)
    state.touched.add(("scopes", event.scope))


@applies(e.ScopeRestarted)
def _(state: State, event: e.ScopeRestarted) -> None:
    scope = state.scopes[event.id]
    scope.runs += 1
    scope.retry_timer = None
    scope.result = None
    state.touched.add(("scopes", event.id))
    put(state, event.id, e.Route(event.arrival, event.start), scope.input)


@applies(e.ScopeTerminated)
def _(state: State, event: e.ScopeTerminated) -> None:
    state.scopes[event.id].is_terminated = True
    state.touched.add(("scopes", event.id))


@applies(e.ScopeSatisfied)
def _(state: State, event: e.ScopeSatisfied) -> None:
    state.scopes[event.id].is_satisfied = True
    state.touched.add(("scopes", event.id))


@applies(e.VariableSet)
def _(state: State, event: e.VariableSet) -> None:
    if event.scope in state.shown:
        part(state, event.scope)
    state.scopes[event.scope].variables[event.name] = event.value
    state.assigned.add((event.scope, event.name))


@applies(e.KeysKnown)
def _(state: State, event: e.KeysKnown) -> None:
    scope = state.scopes[event.scope]
    scope.keys = scope.keys | event.keys
    state.touched.add(("scopes", event.scope))
