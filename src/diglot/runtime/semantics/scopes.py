"""Scopes as activities: entered once, or once per item of a collection.

Source: BPMN 2.0.2 13.3.4, 13.3.7; DSL reference, Do, For, Fork, Try.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from diglot.compiler.graph import MultiInstance, ScopeNode
from diglot.runtime import events as e
from diglot.runtime.faults import fault

from .registry import continues, runs

if TYPE_CHECKING:
    from diglot.runtime.plan import NodePlan
    from diglot.runtime.state import ScopeVisit, Visit

    from .step import Step


@runs(ScopeNode)
def enter(step: Step, visit: Visit, plan: NodePlan) -> None:
    """Enter the body, or begin the loop over the collection."""
    node = plan.node
    assert isinstance(node, ScopeNode)
    if node.multi is None:
        step.enter_scope(node.body, parent=visit.scope, owner=visit.id, data=visit.input)
        return
    items = plan.parts[0](step, step.frame(visit), visit.input)
    if not isinstance(items, list):
        raise fault("expression", f"a loop needs an array, not {type_name(items)}")
    step.emit(e.IterationBegun(visit.id, 0, tuple(cast("list[Any]", items))))
    _next_item(step, visit, plan, visit.input)


@continues(ScopeNode)
def body_done(step: Step, visit: Visit, plan: NodePlan, body: ScopeVisit) -> None:
    """The body is done: leave, or go to the next item."""
    node = plan.node
    assert isinstance(node, ScopeNode)
    if node.multi is None:
        chosen = None if body.leave_by is None else (step.plan.route(body.leave_by),)
        step.finish(visit, body.result, chosen)
        return
    if not node.multi.is_chained:
        step.emit(e.IterationDone(visit.id, body.result))
    step.emit(e.IterationBegun(visit.id, visit.position + 1))
    _next_item(step, visit, plan, body.result if node.multi.is_chained else visit.input)


def _next_item(step: Step, visit: Visit, plan: NodePlan, data: Any) -> None:
    """Run the body for the item at the visit's position, if there is one and it may run.

    Source: DSL reference, For; our decision A16.
    """
    node = plan.node
    assert isinstance(node, ScopeNode)
    multi = node.multi
    assert multi is not None
    assert visit.items is not None
    position = visit.position
    if position < len(visit.items) and _may_run(step, visit, plan, multi, data):
        step.enter_scope(
            node.body,
            parent=visit.scope,
            owner=visit.id,
            data=data,
            variables={multi.item: visit.items[position], multi.index: position},
        )
        return
    step.finish(visit, data if multi.is_chained else list(visit.results))


def _may_run(step: Step, visit: Visit, plan: NodePlan, multi: MultiInstance, data: Any) -> bool:
    condition = plan.parts[1]
    if condition is None:
        return True
    assert visit.items is not None
    frame = step.frame(visit)
    frame.extra = {multi.item: visit.items[visit.position], multi.index: visit.position}
    return bool(condition(step, frame, data))


def type_name(value: Any) -> str:
    """The JSON name of a value's type, with its article."""
    match value:
        case None:
            return "null"
        case bool():
            return "a boolean"
        case int() | float():
            return "a number"
        case str():
            return "a string"
        case list():
            return "an array"
        case _:
            return "an object"
