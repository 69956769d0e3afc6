"""The indexes of a state, made of its rows: what the machine steps by."""

from __future__ import annotations

from operator import itemgetter

from .state import Kept, State, Tally


def index(state: State) -> None:
    """Make the indexes of a state that has its rows, each table in the order of its ids."""
    _index_scopes(state)
    _index_visits(state)
    for arrival in state.arrivals.values():
        state.at.setdefault((arrival.scope, arrival.node), []).append(arrival.id)
    for job in state.jobs.values():
        _holds(state, job.visit, "jobs", job.id)
        for scope in job.sees:
            state.shown.setdefault(scope, {})[job.id] = None
    for timer in state.timers.values():
        _holds(state, timer.visit or timer.scope, "timers", timer.id)
    for one in state.subscriptions.values():
        _holds(state, one.visit or one.scope, "subscriptions", one.id)
        if one.kind == "signal":
            state.signals.setdefault(one.type, {})[one.id] = None
    # As it was opened: rows come table by table.
    for holder, held in state.open.items():
        if len(held) > 1:
            state.open[holder] = dict.fromkeys(sorted(held, key=itemgetter(1)))
    _index_runs(state)
    for kept in list(state.kept.values()):
        hold(state, kept)


def hold(state: State, kept: Kept) -> None:
    """Put one thing kept into the state, in its place among those of its holder and node."""
    state.kept[kept.id] = kept
    nodes = state.kept_by.setdefault(kept.holder, {})
    group = nodes.setdefault(kept.node, {})
    is_last = not group or state.kept[next(reversed(group))].place < kept.place
    group[kept.id] = None
    if not is_last:
        nodes[kept.node] = dict.fromkeys(sorted(group, key=lambda id: state.kept[id].place))
    if kept.body is not None:
        state.adopted[kept.body] = kept.id


def _index_scopes(state: State) -> None:
    for scope in state.scopes.values():
        state.visits_in[scope.id] = {}
        if scope.truths:
            state.watching[scope.id] = None
        if scope.owner is not None:
            state.bodies.setdefault(scope.owner, {})[scope.id] = None
        elif scope.parent is not None:
            state.handling.setdefault(scope.parent, {})[scope.id] = None


def _index_visits(state: State) -> None:
    for visit in state.visits.values():
        state.visits_in[visit.scope][visit.id] = None
        if visit.race is not None:
            state.races.setdefault(visit.race, {})[visit.id] = None
        if visit.truths or visit.is_held:
            state.watching[visit.id] = None


def _index_runs(state: State) -> None:
    """Tell how far activities are that run several times."""
    for visit in state.visits.values():
        if visit.total is not None:
            begun = len(state.bodies.get(visit.id, ()))
            state.tallies[visit.id] = Tally(begun)
            state.items_of[visit.id] = {}
    for item in state.items.values():
        state.items_of[item.visit][item.position] = item.id
        tally = state.tallies[item.visit]
        tally.begun += 1
        tally.terminated += item.is_terminated
        tally.completed += not item.is_terminated


def _holds(state: State, holder: int | None, table: str, id: int) -> None:
    if holder is not None:
        state.open.setdefault(holder, {})[(table, id)] = None
