"""Variables: which scope visit holds one, and what an evaluation can see of them all.

Source: BPMN 2.0.2 10.4.1, Table 10.30; DSL, Runtime Expression Arguments.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from diglot.compiler.graph import ScopeNode
from diglot.runtime.faults import fault

from .descriptors import PROVIDERS

if TYPE_CHECKING:
    from diglot.runtime.state import ScopeVisit

    from .frame import Frame
    from .step import Step


def holder_of(step: Step, scope: int | None, name: str) -> ScopeVisit | None:
    """The nearest scope visit that has the variable, from `scope` outwards."""
    scopes = step.state.scopes
    while scope is not None:
        found = scopes[scope]
        if name in found.variables:
            return found
        scope = found.parent
    return None


def value_of(step: Step, name: str, frame: Frame) -> Any:
    """The value of `$name` for one evaluation.

    Raises:
        Fault: nothing gives it one.
    """
    if frame.extra is not None and name in frame.extra:
        return frame.extra[name]
    provide = PROVIDERS.get(name)
    holder = None
    if provide is None or name in step.plan.bound_names:
        holder = holder_of(step, frame.scope if frame.scope else None, name)
    if holder is None and provide is not None:
        return provide(step, frame)
    if holder is None:
        raise fault("expression", f"${name} is not defined here")
    return holder.variables[name]


def all_variables(step: Step, frame: Frame) -> dict[str, Any]:
    """Every variable in sight as one object; what is nearer to the evaluation wins.

    From the outside in: the scopes, what the activity read, its result, what is bound for this
    evaluation alone.
    """
    chain: list[dict[str, Any]] = []
    scope = frame.scope or None
    while scope is not None:
        visit = step.state.scopes[scope]
        chain.append(visit.variables)
        if step.plan.has_counts and visit.position is not None:
            chain.append(_counts(step, visit))
        scope = visit.parent
    found: dict[str, Any] = {}
    for variables in reversed(chain):
        found.update(variables)
    plan = frame.plan
    if plan is not None and plan.rules is not None and plan.rules.read is not None:
        _lay_over(found, frame.input)
    if frame.raw_output is not frame.input:
        _lay_over(found, frame.raw_output)
    _lay_over(found, frame.extra)
    return found


def _lay_over(variables: dict[str, Any], nearer: Any) -> None:
    if isinstance(nearer, dict):
        variables.update(cast("dict[str, Any]", nearer))


def _counts(step: Step, body: ScopeVisit) -> dict[str, int]:
    """How the runs of the activity stand that this scope visit is a run of.

    Source: BPMN 2.0.2 Table 10.30.
    """
    tally = step.state.tallies.get(body.owner or 0)
    if tally is None:
        return {}
    visit = step.state.visits[body.owner or 0]
    node = step.plan.nodes[visit.node].node
    if not isinstance(node, ScopeNode) or node.multi is None or not node.multi.counts:
        return {}
    return {
        "numberOfInstances": visit.total or 0,
        "numberOfActiveInstances": tally.begun - tally.completed - tally.terminated,
        "numberOfCompletedInstances": tally.completed,
        "numberOfTerminatedInstances": tally.terminated,
    }
