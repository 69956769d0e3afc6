"""Activities that run once per item: one after the other, or several at a time.

What a run gave is a row of its own, so that the end of one costs the same however many there are.

Source: BPMN 2.0.2 13.3.7, Table 10.30.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from diglot.compiler.graph import ScopeNode
from diglot.runtime import events as e
from diglot.runtime.evaluate import type_name
from diglot.runtime.faults import fault

from .entering import enter_scope
from .frame import Frame
from .keeping import keep_run
from .stopping import cancel_bodies
from .variables import holder_of

if TYPE_CHECKING:
    from diglot.runtime.parts import RunsPlan
    from diglot.runtime.plan import NodePlan
    from diglot.runtime.state import ScopeVisit, Visit

    from .step import Step

#: No activity runs more often than this for one number or collection.
MOST_RUNS = 100_000


def begin_runs(step: Step, visit: Visit, plan: NodePlan) -> None:
    """Count the runs, once, and begin as many of them as may run at once."""
    runs: RunsPlan = plan.parts
    total, items = _items(step, visit, runs)
    waiting = items is not None and _width(runs, total) < total
    step.emit(e.ItemsBegun(visit.id, total, tuple(items or ()) if waiting else None))
    _go_on(step, visit, plan, items)


def end_run(step: Step, visit: Visit, plan: NodePlan, body: ScopeVisit) -> None:
    """A run is over: keep what it gave, and end the others or begin the next.

    Its own variables are still in sight, and it counts as completed already.
    """
    runs: RunsPlan = plan.parts
    assert body.position is not None
    is_enough = False
    if body.is_terminated:
        step.emit(e.ItemEnded(step.new_id(), visit.id, body.position, is_terminated=True))
    else:
        frame = Frame(None, body.id, body.result, step.now_ms)
        result = body.result
        if runs.output is not None:
            result = runs.output(step, frame, result)
        step.emit(e.ItemEnded(step.new_id(), visit.id, body.position, result))
        if runs.completion is not None:
            is_enough = runs.completion(step, frame, body.result)
        keep_run(step, visit.id, body)
    step.emit(e.ScopeLeft(body.id))
    if is_enough:
        cancel_bodies(step, visit)
        _conclude(step, visit, plan)
    else:
        _go_on(step, visit, plan, visit.items)


def input_of_runs(step: Step, visit: Visit, body: str) -> Any:
    """What each run gets: the activity's input, where somebody reads it.

    It would be written down with every run.
    """
    is_read = step.plan.has_data_on_tokens or step.plan.scopes[body].binds_input
    return visit.input if is_read else None


def whole_number(value: Any, least: int, what: str) -> int:
    """A whole number that is not below `least`.

    Raises:
        Fault: it is something else.
    """
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int):
        raise fault("expression", f"{what} is a whole number, not {type_name(value)} {value!r:.40}")
    if value < least:
        raise fault("expression", f"{what} is not below {least}, and this is {value}")
    return value


def _items(step: Step, visit: Visit, runs: RunsPlan) -> tuple[int, list[Any] | None]:
    """How often it runs, and for what."""
    frame = step.frame(visit)
    items: list[Any] | None = None
    total = 0
    if runs.collection is not None:
        found = runs.collection(step, frame, visit.input)
        if not isinstance(found, list):
            raise fault("expression", f"a loop needs an array, not {type_name(found)}")
        items = cast("list[Any]", found)
        total = len(items)
    elif runs.cardinality is not None:
        total = whole_number(
            runs.cardinality(step, frame, visit.input), 0, "the number of instances"
        )
    if total > MOST_RUNS:
        raise fault("runtime", f"an activity runs at most {MOST_RUNS} times, not {total}")
    return total, items


def _width(runs: RunsPlan, total: int) -> int:
    """How many may run at a time."""
    if runs.multi.is_sequential:
        return 1
    return total if runs.multi.limit is None else max(1, runs.multi.limit)


def _go_on(
    step: Step, visit: Visit, plan: NodePlan, items: list[Any] | tuple[Any, ...] | None
) -> None:
    """Begin what may begin; where nothing runs and nothing is left, the activity is done."""
    runs: RunsPlan = plan.parts
    tally = step.state.tallies[visit.id]
    total = visit.total or 0
    width = _width(runs, total)
    while visit.position < total and tally.begun < total:
        if tally.begun - tally.completed - tally.terminated >= width:
            return
        bound: dict[str, Any] = {}
        if runs.multi.item:
            bound[runs.multi.item] = None if items is None else items[tally.begun]
        if runs.multi.index:
            bound[runs.multi.index] = runs.multi.first + tally.begun
        if not _may_begin(step, visit, runs, bound):
            # No further one begins, whatever its condition would say then.
            step.emit(e.IterationBegun(visit.id, total))
            break
        node = plan.node
        assert isinstance(node, ScopeNode)
        enter_scope(
            step,
            node.body,
            parent=visit.scope,
            owner=visit.id,
            data=input_of_runs(step, visit, node.body),
            variables=bound,
            position=tally.begun,
        )
        if visit.id not in step.state.visits:
            return
    if tally.begun == tally.completed + tally.terminated:
        _conclude(step, visit, plan)


def _may_begin(step: Step, visit: Visit, runs: RunsPlan, bound: dict[str, Any]) -> bool:
    if runs.condition is None:
        return True
    frame = step.frame(visit)
    frame.extra = bound
    return runs.condition(step, frame, visit.input)


def _conclude(step: Step, visit: Visit, plan: NodePlan) -> None:
    """Collect what the runs gave in the order of the items and leave.

    Where it becomes a variable, it does so now and not before, and the token carries none of it.
    """
    runs: RunsPlan = plan.parts
    state = step.state
    ended = state.items_of[visit.id]
    results = [
        state.items[ended[position]].result if position in ended else None
        for position in range(visit.total or 0)
    ]
    name = runs.multi.output_to
    if not name:
        step.finish(visit, results)
        return
    holder = holder_of(step, visit.scope, name)
    scope = step.root_scope() if holder is None else holder.id
    step.emit(e.VariableSet(scope, name, results))
    step.finish(visit, visit.input)
