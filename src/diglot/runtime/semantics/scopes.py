"""Scopes as activities: entered once, or for one item of a collection after the other.

Source: BPMN 2.0.2 13.3.4, 13.3.7; DSL reference, Do, For, Fork, Try.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from diglot.compiler.graph import MultiInstance, ScopeNode
from diglot.runtime import events as e
from diglot.runtime.evaluate import type_name
from diglot.runtime.faults import fault

from .entering import enter_scope
from .keeping import keep_run
from .loops import begin_loop, end_round
from .multi import begin_runs, end_run
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
        if node.loop is not None:
            begin_loop(step, visit, plan)
        else:
            enter_scope(step, node.body, parent=visit.scope, owner=visit.id, data=visit.input)
        return
    if not node.multi.is_chained:
        begin_runs(step, visit, plan)
        return
    items = plan.parts.collection(step, step.frame(visit), visit.input)
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
        chosen = None if body.leave_by is None else step.plan.carried(body.leave_by)
        step.finish(visit, _result(plan, body), chosen, is_completed=not body.is_terminated)
        return
    step.emit(e.IterationBegun(visit.id, visit.position + 1))
    _next_item(step, visit, plan, body.result)


def _result(plan: NodePlan, body: ScopeVisit) -> Any:
    """What the rules of the activity see of its body: its variables, where it makes some of them.

    Tokens carry nothing then.
    """
    is_mapped = plan.rules is not None and plan.rules.export_mode == "variables"
    return dict(body.variables) if is_mapped else body.result


def end_body(step: Step, visit: Visit, plan: NodePlan, body: ScopeVisit) -> None:
    """The end of a body that something is to be known of before it is gone."""
    node = plan.node
    assert isinstance(node, ScopeNode)
    if node.loop is not None and node.multi is None:
        end_round(step, visit, plan, body)
    elif node.multi is not None and not node.multi.is_chained:
        end_run(step, visit, plan, body)
    else:
        keep_run(step, visit.id, body)
        step.emit(e.ScopeLeft(body.id))
        body_done(step, visit, plan, body)


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
        enter_scope(
            step,
            node.body,
            parent=visit.scope,
            owner=visit.id,
            data=data,
            variables={multi.item: visit.items[position], multi.index: position},
        )
        return
    step.finish(visit, data)


def _may_run(step: Step, visit: Visit, plan: NodePlan, multi: MultiInstance, data: Any) -> bool:
    condition = plan.parts.condition
    if condition is None:
        return True
    assert visit.items is not None
    frame = step.frame(visit)
    frame.extra = {multi.item: visit.items[visit.position], multi.index: visit.position}
    return bool(condition(step, frame, data))
