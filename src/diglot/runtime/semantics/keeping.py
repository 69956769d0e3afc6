"""What is done is kept where it can be undone: activities with a handler, and runs of scopes.

Each thing kept has a holder, the scope visit or visit it is a part of, and knows under what its own
parts are kept. What is not completed is not kept, and its parts go with it.

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
        step.emit(e.CompensationKept(step.new_id(), scope, plan.id, "", body))


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
