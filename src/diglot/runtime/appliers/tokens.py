"""Tokens: arrivals that are put and taken, and visits that begin and end."""

from __future__ import annotations

from diglot.runtime import events as e
from diglot.runtime.state import State, Visit

from .gates import leave_race
from .registry import applies
from .repetition import end_items
from .rows import close_open, count, put, see, take
from .undoing import end_undoing, forget_visit


@applies(e.VisitEntered)
def _(state: State, event: e.VisitEntered) -> None:
    see(state, event.id)
    take(state, event.arrivals)
    state.visits[event.id] = Visit(
        event.id,
        event.node,
        event.scope,
        event.data,
        event.input if event.is_read else event.data,
        event.at_ms,
        race=event.race,
        compensates=event.compensates,
        is_held=event.is_held,
    )
    state.visits_in[event.scope][event.id] = None
    state.scopes[event.scope].tokens += 1
    state.touched.add(("visits", event.id))
    if event.compensates is not None:
        state.visits[event.compensates].undoing[-1].visit = event.id
        state.touched.add(("visits", event.compensates))
    if event.is_held:
        state.watching[event.id] = None
    if event.race is not None:
        state.races.setdefault(event.race, {})[event.id] = None
    if state.moves is not None:
        state.moves.append((event.scope, event.node, 1, event.race))
    count(state, event.scope, len(event.arrivals), 1)


@applies(e.VisitReady)
def _(state: State, event: e.VisitReady) -> None:
    visit = state.visits[event.id]
    visit.input, visit.began_ms, visit.is_held = event.input, event.at_ms, False
    state.watching.pop(event.id, None)
    state.touched.add(("visits", event.id))


@applies(e.VisitLeft)
def _(state: State, event: e.VisitLeft) -> None:
    visit = _end_visit(state, event.id)
    for route in event.routes:
        put(state, visit.scope, route, event.data)
    count(state, visit.scope, 1, len(event.routes))


@applies(e.VisitPassed)
def _(state: State, event: e.VisitPassed) -> None:
    if event.id > state.counter:
        state.counter = event.id
    data = take(state, event.arrivals)
    if not event.is_same:
        data = event.data
    for route in event.routes:
        put(state, event.scope, route, data)
    count(state, event.scope, len(event.arrivals), len(event.routes))


@applies(e.VisitSkipped)
def _(state: State, event: e.VisitSkipped) -> None:
    see(state, event.id)
    data = take(state, event.arrivals)
    for route in event.routes:
        put(state, event.scope, route, data)
    count(state, event.scope, len(event.arrivals), len(event.routes))


@applies(e.VisitFailed)
def _(state: State, event: e.VisitFailed) -> None:
    count(state, _end_visit(state, event.id).scope, 1, 0)


@applies(e.VisitCancelled)
def _(state: State, event: e.VisitCancelled) -> None:
    count(state, _end_visit(state, event.id).scope, 1, 0)


def _end_visit(state: State, id: int) -> Visit:
    visit = state.visits.pop(id)
    del state.visits_in[visit.scope][id]
    scope = state.scopes[visit.scope]
    scope.tokens -= 1
    close_open(state, id)
    if visit.total is not None:
        end_items(state, id)
    if visit.compensates is not None:
        end_undoing(state, visit.compensates)
    if state.kept:
        forget_visit(state, visit)
    if visit.race is not None:
        leave_race(state, visit.race, id)
    if state.moves is not None:
        state.moves.append((visit.scope, visit.node, -1, visit.race))
    state.bodies.pop(id, None)
    state.watching.pop(id, None)
    state.touched.add(("visits", id))
    return visit


@applies(e.TokenPut)
def _(state: State, event: e.TokenPut) -> None:
    put(state, event.scope, event.route, event.data)
    count(state, event.scope, 0, 1)
    if event.beside is not None and event.route.flow is not None:
        state.visits[event.beside].branches.setdefault(event.route.flow, event.route.arrival)
        state.touched.add(("visits", event.beside))


@applies(e.TokenEnded)
def _(state: State, event: e.TokenEnded) -> None:
    see(state, event.id)
    state.scopes[event.scope].result = take(state, event.arrivals)
    state.touched.add(("scopes", event.scope))


@applies(e.TokensWithdrawn)
def _(state: State, event: e.TokensWithdrawn) -> None:
    scope = state.scopes[event.scope]
    if event.arrivals:
        take(state, event.arrivals)
    else:
        scope.gates = {}
        for id in [id for id, arrival in state.arrivals.items() if arrival.scope == event.scope]:
            take(state, (id,))
    state.touched.add(("scopes", event.scope))
