"""Leaving a scope: its last token is gone, or an end event ends it, and at last the instance.

Source: BPMN 2.0.2 13.3.4, 13.5.6; DSL reference, Flow Directive.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from diglot.compiler.graph import End
from diglot.runtime import events as e
from diglot.runtime.faults import Fault

from .compensation import go_on
from .frame import Frame
from .inclusive import reset_one
from .keeping import keep_handler
from .registry import body_rules
from .scopes import end_body
from .stopping import cancel_contents

if TYPE_CHECKING:
    from diglot.runtime.plan import NodePlan
    from diglot.runtime.state import ScopeVisit

    from .step import Step


def token_ended(step: Step, plan: NodePlan, scope: ScopeVisit) -> None:
    """A token has come to an end of the scope visit: it ends alone, or with everything there."""
    node = plan.node
    assert isinstance(node, End)
    if node.effect == "instance":
        _complete_instance(step, scope.result)
    elif node.effect == "terminate":
        cancel_contents(step, scope)
        owner = None if scope.owner is None else step.state.visits[scope.owner]
        if step.plan.can_undo if owner is None else step.plan.nodes[owner.node].is_watchful:
            step.emit(e.ScopeTerminated(scope.id))
        step.queue.append((False, scope.id))
    else:
        step.look_for_end(scope)


def scope_done(step: Step, scope: ScopeVisit) -> None:
    """The last token of a scope visit is gone: hand its result over."""
    if scope.gates and reset_one(step, scope):
        step.queue.append((False, scope.id))
    elif scope.owner is not None:
        _body_done(step, scope, scope.owner)
    elif scope.parent is not None:
        if step.plan.can_undo:
            keep_handler(step, scope)
        step.emit(e.ScopeLeft(scope.id))
        step.look_for_end(step.state.scopes[scope.parent])
    else:
        # The root goes with the instance: the workflow's output may look at its variables.
        _complete_instance(step, scope.result)


def _body_done(step: Step, scope: ScopeVisit, owner: int) -> None:
    visit = step.state.visits[owner]
    plan = step.plan.nodes[visit.node]
    try:
        if plan.is_watchful:
            end_body(step, visit, plan, scope)
        elif scope.revives is not None:
            go_on(step, visit)
        else:
            step.emit(e.ScopeLeft(scope.id))
            body_rules[plan.kind](step, visit, plan, scope)
    except Fault as found:
        step.fail(visit, found.problem)


def _complete_instance(step: Step, result: Any) -> None:
    """The instance ends well: shape its output."""
    output = result
    rules = step.plan.rules
    if rules is not None:
        frame = Frame(None, step.root_scope(), result, step.state.started_ms)
        try:
            if rules.write is not None:
                output = rules.write(step, frame, result)
            if rules.output_schema is not None:
                rules.output_schema(output, "output")
        except Fault as found:
            step.end_instance("faulted", error={**found.problem, "instance": "/output"})
            return
    step.end_instance("completed", output=output)
