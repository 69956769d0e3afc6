"""Conditions that are waited for: looked at again when a variable in their sight has changed.

A condition is edge-triggered: it counts when it becomes true, and again only after it was false.

Source: BPMN 2.0.2 10.4.2, 10.5.5, 13.3.2 (Ready).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from diglot.runtime import events as e
from diglot.runtime.faults import Fault, problem
from diglot.runtime.state import Visit

from .data import read_input
from .triggers import come

if TYPE_CHECKING:
    from diglot.runtime.plan import NodePlan
    from diglot.runtime.state import ScopeVisit

    from .step import Step

    Holder = Visit | ScopeVisit

#: Under this a visit notes the truth of the condition that it is there to wait for.
OWN = ""


def wait_until(step: Step, visit: Visit, plan: NodePlan) -> None:
    """Wait for the node's own condition; one that is true already has been waited for."""
    _, condition = plan.parts
    is_true = condition(step, step.frame(visit), visit.input)
    step.emit(e.TruthSeen(visit.id, OWN, is_true))
    if is_true:
        step.finish(visit, visit.input)


def look_again(step: Step) -> bool:
    """Look at every condition that sees a variable set since the last look; whether there is one.

    At most so often in a step as a token may come to one node: conditions whose handlers change
    each other's truth never come to rest.
    """
    changed = _changed(step)
    if not changed:
        return False
    step.looks += 1
    if step.looks > step.around.loop_budget:
        detail = f"conditions keep changing each other: {step.looks} times in one step"
        step.end_instance("faulted", error=problem("runtime", detail, instance="/"))
        return False
    in_sight: dict[int, bool] = {}
    for id in sorted(step.state.watching):
        holder = _holder(step, id)
        if holder is not None and _sees(step, holder, changed, in_sight):
            _look(step, holder)
    return True


def _changed(step: Step) -> set[int] | None:
    """The scope visits with a variable set since the last look; after a pause, the root's too."""
    changed: set[int] = set()
    for event in step.events[step.looked :]:
        if isinstance(event, e.VariableSet):
            changed.add(event.scope)
        elif isinstance(event, e.InstanceResumed):
            changed.add(step.root_scope())
    step.looked = len(step.events)
    return changed if step.state.watching else None


def _holder(step: Step, id: int) -> Holder | None:
    return step.state.visits.get(id) or step.state.scopes.get(id)


def _sees(step: Step, holder: Holder, changed: set[int], in_sight: dict[int, bool]) -> bool:
    """Whether the scope in which a condition is asked is one of the changed ones, or inside one."""
    scope: int | None = holder.scope if isinstance(holder, Visit) else holder.id
    passed: list[int] = []
    while scope is not None and scope not in in_sight:
        if scope in changed:
            in_sight[scope] = True
            break
        passed.append(scope)
        scope = step.state.scopes[scope].parent
    found = scope is not None and in_sight[scope]
    in_sight.update(dict.fromkeys(passed, found))
    return found


def _look(step: Step, holder: Holder) -> None:
    try:
        if isinstance(holder, Visit) and holder.is_held:
            _release(step, holder)
            return
        for key, was_true in list(holder.truths.items()):
            if _holder(step, holder.id) is not holder or key not in holder.truths:
                return
            _look_at(step, holder, key, was_true)
    except Fault as found:
        if isinstance(holder, Visit):
            step.fail(holder, found.problem)
        else:
            step.fail_scope(holder, found.problem)


def _look_at(step: Step, holder: Holder, key: str, was_true: bool) -> None:
    frame = step.frame(holder) if isinstance(holder, Visit) else step.frame_of(holder)
    occasion = step.plan.conditions.get(key)
    if occasion is None:
        assert isinstance(holder, Visit)
        condition = step.plan.nodes[holder.node].parts[1]
    else:
        assert occasion.condition is not None
        condition = occasion.condition
    is_true = condition(step, frame, holder.input)
    if is_true == was_true:
        return
    step.emit(e.TruthSeen(holder.id, key, is_true))
    if not is_true:
        return
    if occasion is not None:
        come(step, occasion, holder)
    elif isinstance(holder, Visit):
        step.finish(holder, holder.input)


def _release(step: Step, visit: Visit) -> None:
    """Let a visit begin its work if what it needs is there now."""
    plan = step.plan.nodes[visit.node]
    rules = plan.rules
    assert rules is not None
    assert rules.needs is not None
    frame = step.frame(visit)
    if not rules.needs(step, frame, visit.data):
        return
    read_input(step, frame, rules)
    step.emit(e.VisitReady(visit.id, frame.input, step.now_ms))
    step.activate(visit, plan)
