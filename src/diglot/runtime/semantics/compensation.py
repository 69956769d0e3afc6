"""Compensation: what was kept is undone, one thing after the other, the latest first.

What a boundary event of an activity led to depends on that activity, and goes before it even where
it was done earlier.

A run of a scope is undone in that scope, brought back with the variables it had at its end: by the
scope's own handler, else by undoing what was done in it. (The standard leaves open what becomes of
a sub-process without a handler: BPMN21-403.) An activity is undone by undoing its runs, and then by
its own handler. What a compensation has turned to is kept no more, so nothing is undone twice.

Source: BPMN 2.0.2 10.7, 13.5.5.
"""

from __future__ import annotations

from collections.abc import Iterator
from heapq import merge
from typing import TYPE_CHECKING

from diglot.compiler.graph import Compensate
from diglot.runtime import events as e
from diglot.runtime.faults import Fault

from .entering import enter_scope
from .registry import runs
from .transactions import begin_cancel, cancelled_by, end_cancel

if TYPE_CHECKING:
    from diglot.runtime.plan import NodePlan
    from diglot.runtime.state import Kept, ScopeVisit, Undoing, Visit

    from .step import Step


@runs(Compensate)
def compensate(step: Step, visit: Visit, plan: NodePlan) -> None:
    """Undo what was done before; who does not wait for it goes on at once."""
    node = plan.node
    assert isinstance(node, Compensate)
    if node.cancels:
        begin_cancel(step, visit)
    elif not node.waits:
        for route in step.routes(plan.outgoing):
            step.emit(e.TokenPut(visit.scope, route, visit.input))
            step.queue.append((True, route.arrival))
    go_on(step, visit)


def go_on(step: Step, visit: Visit) -> None:
    """Let a compensation go on as far as it can; it is over when there is nothing left to undo."""
    try:
        _go_on(step, visit)
    except Fault as found:
        step.fail(visit, found.problem)


def _go_on(step: Step, visit: Visit) -> None:
    """It rests where a handler runs: in a revived scope, or as a visit of its own."""
    state = step.state
    while True:
        top = visit.undoing[-1] if visit.undoing else None
        if top is None:
            found = _next_at_base(step, visit)
            if found is None:
                _leave(step, visit)
                return
            is_resting = _turn_to(step, visit, *found)
        elif top.node:
            is_resting = _undo_activity(step, visit, top)
        else:
            is_resting = _undo_scope(step, visit, state.scopes[top.scope])
        if is_resting:
            return


def _leave(step: Step, visit: Visit) -> None:
    transaction = cancelled_by(step, visit)
    if transaction is not None:
        end_cancel(step, transaction)
        return
    node = step.plan.nodes[visit.node].node
    assert isinstance(node, Compensate)
    step.finish(visit, visit.input, None if node.waits else ())


def _undo_activity(step: Step, visit: Visit, top: Undoing) -> bool:
    """Its runs, the latest first, then its own handler; true if something runs now."""
    if top.visit is not None:
        return True
    run = None if top.body is None else _latest(step, top.body)
    if run is not None:
        return _turn_to(step, visit, run, top.scope)
    undo = None if top.is_partial else step.plan.nodes[top.node].undo
    if undo is None or undo.handler.activity is None:
        step.emit(e.CompensationDone(visit.id))
        return False
    plan = step.plan.nodes[undo.handler.activity]
    step.begin(plan, top.scope, (), None, compensates=visit.id)
    return True


def _undo_scope(step: Step, visit: Visit, scope: ScopeVisit) -> bool:
    """Its handler undoes all of it; without one its activities are undone, the latest first."""
    if scope.tokens > 0:
        return True
    assert scope.revives is not None
    kept = None
    if scope.is_partial or scope.scope not in step.plan.undoing:
        kept = _latest(step, scope.revives)
    if kept is not None:
        return _turn_to(step, visit, kept, scope.id)
    step.emit(e.ScopeLeft(scope.id))
    return False


def _turn_to(step: Step, visit: Visit, kept: Kept, scope: int) -> bool:
    """Begin to undo what was kept, done in the scope visit `scope`; true if something runs now."""
    if kept.node:
        step.emit(e.CompensationTaken(visit.id, kept.id, scope))
        return False
    id = step.new_id()
    step.emit(e.ScopeRevived(id, kept.id, scope, visit.id, step.now_ms))
    undo = None if kept.stopped_after else step.plan.undoing.get(kept.scope)
    if undo is None or undo.handler.run is None:
        return False
    enter_scope(step, undo.handler.run, parent=id, owner=None, data=None, handler=undo.id)
    return True


# -- what is next


def _next_at_base(step: Step, visit: Visit) -> tuple[Kept, int] | None:
    """The latest of what the compensation is asked to undo, and the scope visit it was done in.

    What is done after it began is none of its business; after a cancel nothing is done any more.
    """
    node = step.plan.nodes[visit.node].node
    assert isinstance(node, Compensate)
    found: tuple[Kept, int] | None = None
    before = None if node.cancels else visit.id
    for holder, scope in _places(step, visit):
        kept = _latest(step, holder, before=before, node=node.activity)
        if kept is not None and (found is None or kept.place > found[0].place):
            found = kept, scope
    return found


def _places(step: Step, visit: Visit) -> Iterator[tuple[int, int]]:
    """Who may hold what is to be undone, each with the scope visit to undo it in.

    An event sub-process belongs to the scope it handles for.
    """
    scope = step.state.scopes[visit.scope]
    transaction = cancelled_by(step, visit)
    if transaction is not None:
        # The whole activity is cancelled, and with it the runs it completed before.
        yield transaction.id, transaction.scope
    while True:
        yield scope.id, scope.id
        if scope.revives is not None:
            yield scope.revives, scope.id
        form = step.plan.scopes[scope.scope].form
        if form != "event-sub-process" or scope.parent is None:
            return
        scope = step.state.scopes[scope.parent]


def _latest(
    step: Step, holder: int, *, before: int | None = None, node: str | None = None
) -> Kept | None:
    """The last thing done of what was kept, and of nothing that something is to go before."""
    groups = step.state.kept_by.get(holder, {})
    if node is not None:
        groups = {node: groups.get(node, {})}
    among = [_backwards(step, group, before) for group in groups.values()]
    in_order = merge(*among, key=lambda kept: kept.place, reverse=True)
    return next((kept for kept in in_order if not _has_branch(step, kept, groups, before)), None)


def _backwards(step: Step, group: dict[int, None], before: int | None) -> Iterator[Kept]:
    kept = step.state.kept
    return (kept[id] for id in reversed(group) if not before or id < before)


def _has_branch(
    step: Step, kept: Kept, groups: dict[str, dict[int, None]], before: int | None
) -> bool:
    """Whether something is kept that a boundary event of the activity led to: that goes first.

    It began after the event; which of the tokens brought it there is not looked at. What it depends
    on itself began before it did, so that there is always something that nothing goes before.
    """
    return any(
        one.began > first
        for flow, first in kept.branches.items()
        for name in step.plan.led_to(flow).intersection(groups)
        for one in _backwards(step, groups[name], before)
    )
