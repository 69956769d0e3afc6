"""Activities that run again and again while a condition is true.

Source: BPMN 2.0.2 13.3.6, Table 10.28.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from diglot.compiler.graph import ScopeNode
from diglot.runtime import events as e

from .entering import enter_scope
from .frame import Frame
from .keeping import keep_run
from .multi import input_of_runs, whole_number

if TYPE_CHECKING:
    from diglot.runtime.parts import LoopPlan
    from diglot.runtime.plan import NodePlan
    from diglot.runtime.state import ScopeVisit, Visit

    from .step import Step


def begin_loop(step: Step, visit: Visit, plan: NodePlan) -> None:
    """Compute the maximum, once, and run for the first time, if it runs at all."""
    loop: LoopPlan = plan.parts
    if loop.maximum is not None:
        found = loop.maximum(step, step.frame(visit), visit.input)
        maximum = whole_number(found, 1, "the maximum of a loop")
        step.emit(e.LoopBegun(visit.id, maximum))
    if loop.loop.is_tested_before and not _is_wanted(step, visit, loop, 0):
        step.finish(visit, visit.input)
    else:
        _run(step, visit, plan, 0)


def end_round(step: Step, visit: Visit, plan: NodePlan, body: ScopeVisit) -> None:
    """A run is over: run again, or leave with its result.

    Tested afterwards, the condition sees the variables of the run that is over.
    """
    loop: LoopPlan = plan.parts
    assert body.position is not None
    next = body.position + 1
    is_wanted = visit.maximum is None or next < visit.maximum
    if is_wanted:
        is_wanted = _is_wanted(
            step, visit, loop, next, None if loop.loop.is_tested_before else body
        )
    keep_run(step, visit.id, body)
    step.emit(e.ScopeLeft(body.id))
    if not is_wanted:
        step.finish(visit, body.result)
    elif step.is_too_much(plan.id, visit.id):
        step.stop_loop(plan.id)
    else:
        _run(step, visit, plan, next)


def _is_wanted(
    step: Step, visit: Visit, loop: LoopPlan, position: int, body: ScopeVisit | None = None
) -> bool:
    if loop.condition is None:
        return True
    if body is not None:
        frame = Frame(None, body.id, body.result, step.now_ms)
        return loop.condition(step, frame, body.result)
    frame = step.frame(visit)
    if loop.loop.index:
        frame.extra = {loop.loop.index: loop.loop.first + position}
    return loop.condition(step, frame, visit.input)


def _run(step: Step, visit: Visit, plan: NodePlan, position: int) -> None:
    loop: LoopPlan = plan.parts
    node = plan.node
    assert isinstance(node, ScopeNode)
    bound = {loop.loop.index: loop.loop.first + position} if loop.loop.index else {}
    enter_scope(
        step,
        node.body,
        parent=visit.scope,
        owner=visit.id,
        data=input_of_runs(step, visit, node.body),
        variables=bound,
        position=position,
    )
