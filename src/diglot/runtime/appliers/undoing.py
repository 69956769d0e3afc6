"""Compensation: what is kept to be undone, what of it is being undone, and what is forgotten."""

from __future__ import annotations

from diglot.runtime import events as e
from diglot.runtime.indexes import hold
from diglot.runtime.state import Kept, ScopeVisit, State, Undoing, Visit

from .registry import applies
from .rows import see


@applies(e.CompensationKept)
def _(state: State, event: e.CompensationKept) -> None:
    see(state, event.id)
    hold(
        state,
        Kept(
            event.id,
            event.holder,
            event.node,
            event.scope,
            event.body,
            event.variables,
            event.began,
            event.branches,
            event.stopped_after,
        ),
    )
    state.touched.add(("kept", event.id))


@applies(e.CompensationTaken)
def _(state: State, event: e.CompensationTaken) -> None:
    kept = _give_up(state, event.kept)
    state.visits[event.visit].undoing.append(
        Undoing(event.scope, kept.node, kept.body, is_partial=kept.stopped_after > 0)
    )
    state.touched.add(("visits", event.visit))


@applies(e.CompensationDone)
def _(state: State, event: e.CompensationDone) -> None:
    end_undoing(state, event.visit)


def end_undoing(state: State, compensation: int) -> None:
    """The innermost thing that a compensation is at has been undone, if it is still there."""
    visit = state.visits.get(compensation)
    if visit is not None and visit.undoing:
        body = visit.undoing.pop().body
        if body is not None:
            forget(state, body)
        state.touched.add(("visits", compensation))


@applies(e.VisitMoved)
def _(state: State, event: e.VisitMoved) -> None:
    visit = state.visits[event.visit]
    for scope, change in ((visit.scope, -1), (event.scope, 1)):
        state.scopes[scope].tokens += change
        state.touched.add(("scopes", scope))
        if state.moves is not None:
            state.moves.append((scope, visit.node, change, visit.race))
    del state.visits_in[visit.scope][visit.id]
    state.visits_in[event.scope][visit.id] = None
    visit.scope = event.scope
    state.touched.add(("visits", event.visit))


@applies(e.ScopeRevived)
def _(state: State, event: e.ScopeRevived) -> None:
    see(state, event.id)
    kept = _give_up(state, event.kept)
    state.scopes[event.id] = ScopeVisit(
        event.id,
        kept.scope,
        event.parent,
        event.owner,
        None,
        event.at_ms,
        dict(kept.variables or {}),
        is_closed=True,
        revives=kept.body,
        is_partial=kept.stopped_after > 0,
    )
    state.visits_in[event.id] = {}
    state.bodies.setdefault(event.owner, {})[event.id] = None
    state.visits[event.owner].undoing.append(Undoing(event.id))
    state.touched.update((("scopes", event.id), ("visits", event.owner)))
    state.assigned.update((event.id, name) for name in kept.variables or ())


def end_revival(state: State, scope: ScopeVisit) -> None:
    """What was not undone of a revived run is undone no more."""
    assert scope.revives is not None
    forget(state, scope.revives)
    visit = state.visits.get(scope.owner or 0)
    if visit is not None:
        visit.undoing[:] = [one for one in visit.undoing if one.node or one.scope != scope.id]
        state.touched.add(("visits", visit.id))


def forget(state: State, holder: int) -> None:
    """What was kept of a scope visit or visit goes with it, unless it is a part of something."""
    if holder not in state.adopted:
        for nodes in list(state.kept_by.get(holder, {}).values()):
            for id in list(nodes):
                body = _give_up(state, id).body
                if body is not None:
                    forget(state, body)


def forget_visit(state: State, visit: Visit) -> None:
    """What was kept of a visit goes with it, and what it has begun to undo."""
    forget(state, visit.id)
    for undoing in visit.undoing:
        if undoing.body is not None:
            forget(state, undoing.body)


def _give_up(state: State, id: int) -> Kept:
    """Take away one thing kept; whoever does so sees to its parts."""
    kept = state.kept.pop(id)
    nodes = state.kept_by[kept.holder]
    del nodes[kept.node][id]
    if not nodes[kept.node]:
        del nodes[kept.node]
    if not nodes:
        del state.kept_by[kept.holder]
    if kept.body is not None:
        del state.adopted[kept.body]
    state.touched.add(("kept", id))
    return kept
