"""What is done is kept where it can be undone: activities with a handler, and runs of scopes.

Each thing kept has a holder, the scope visit or visit it is a part of, and knows under what its own
parts are kept. What is not completed is not kept, and its parts go with it, unless a transaction
around it is cancelled: what is still active cannot be undone as a whole, but what is done inside
of it can.

Source: BPMN 2.0.2 10.7, 13.5.5.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from diglot.runtime import events as e

if TYPE_CHECKING:
    from diglot.runtime.plan import NodePlan
    from diglot.runtime.state import ScopeVisit

    from .step import Step


def keep_activity(step: Step, scope: int, plan: NodePlan, visit: int) -> None:
    """An activity is done: keep it if it has a handler, or runs that were kept."""
    body = visit if visit in step.state.kept_by else None
    if plan.undo is not None or body is not None:
        # One that was done at once is no visit of the state.
        found = step.state.visits.get(visit)
        branches = {} if found is None else dict(found.branches)
        step.emit(
            e.CompensationKept(
                step.new_id(), scope, plan.id, "", body, began=visit, branches=branches
            )
        )


def keep_run(step: Step, holder: int, scope: ScopeVisit) -> None:
    """A run of a scope is done: keep it if it has a handler, or activities that were kept.

    One that was terminated is not completed.
    """
    if scope.is_terminated:
        return
    if scope.id in step.state.kept_by or scope.scope in step.plan.undoing:
        step.emit(
            e.CompensationKept(
                step.new_id(), holder, "", scope.scope, scope.id, dict(scope.variables)
            )
        )


def keep_handler(step: Step, scope: ScopeVisit) -> None:
    """A handler's scope is done: what was done in it is a part of the scope it was a handler of.

    A handler that undoes something cannot be undone itself.
    """
    if scope.parent is None or scope.id not in step.state.kept_by:
        return
    if step.state.scopes[scope.parent].revives is None:
        keep_run(step, scope.parent, scope)


def keep_parts(step: Step, scope: ScopeVisit) -> None:
    """Keep what is done inside of what still runs in a scope visit that is about to be stopped.

    Nothing that is stopped is completed: no handler of its own undoes it, its parts are undone
    alone. What is undone just now is not kept again.
    """
    state = step.state
    for id in list(state.visits_in.get(scope.id, ())):
        visit = state.visits[id]
        if visit.compensates is not None:
            continue
        for body in list(state.bodies.get(id, ())):
            keep_stopped_run(step, id, state.scopes[body])
        last = _last_part(step, id)
        if last:
            step.emit(
                e.CompensationKept(
                    step.new_id(), scope.id, visit.node, "", id,
                    began=id, branches=dict(visit.branches), stopped_after=last,
                )
            )  # fmt: skip
    for id in list(state.handling.get(scope.id, ())):
        keep_stopped_run(step, scope.id, state.scopes[id])


def keep_stopped_run(step: Step, holder: int, scope: ScopeVisit) -> None:
    """A run of a scope is about to be stopped: keep it if something is done in it."""
    if scope.revives is not None or scope.is_terminated:
        return
    keep_parts(step, scope)
    last = _last_part(step, scope.id)
    if last:
        step.emit(
            e.CompensationKept(
                step.new_id(), holder, "", scope.scope, scope.id, dict(scope.variables),
                stopped_after=last,
            )
        )  # fmt: skip


def _last_part(step: Step, holder: int) -> int:
    """The place of the last thing that is kept of a scope visit or visit; 0 if there is none."""
    kept, nodes = step.state.kept, step.state.kept_by.get(holder, {})
    return max((kept[next(reversed(group))].place for group in nodes.values()), default=0)
