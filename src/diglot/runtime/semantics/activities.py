"""Activities: pure data, jobs, child instances.

Source: BPMN 2.0.2 13.3; DSL reference, Set, Call, Run.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from diglot.compiler.graph import Assign, Call, Pass, Task
from diglot.runtime import events as e
from diglot.runtime.evaluate import type_name
from diglot.runtime.faults import fault, problem

from .registry import passes, runs

if TYPE_CHECKING:
    from diglot.runtime.plan import NodePlan
    from diglot.runtime.state import Visit

    from .frame import Frame, Routes
    from .step import Step


@passes(Assign)
def assign(step: Step, frame: Frame, plan: NodePlan) -> tuple[Any, Routes | None]:
    """The value is the whole output; nothing of the input is kept."""
    return plan.parts(step, frame, frame.input), None


@passes(Pass)
def pass_on(step: Step, frame: Frame, plan: NodePlan) -> tuple[Any, Routes | None]:
    """The input is the output."""
    return frame.input, None


@runs(Task)
def open_job(step: Step, visit: Visit, plan: NodePlan) -> None:
    """Open a job with the arguments as they are now; go on at once if nobody waits for it."""
    node = plan.node
    assert isinstance(node, Task)
    compute, compute_type, shows = plan.parts
    frame = step.frame(visit)
    arguments = compute(step, frame, visit.input)
    type: Any = node.action.type
    if compute_type is not None:
        type = compute_type(step, frame, visit.input)
        if not isinstance(type, str) or not type:
            raise fault("expression", f"a job's type is a text, not {type_name(type)}")
    holder = visit.id if node.waits else None
    step.emit(e.JobOpened(step.new_id(), holder, node.id, type, arguments, step.now_ms, shows))
    if not node.waits:
        step.finish(visit, visit.input)


@runs(Call)
def start_child(step: Step, visit: Visit, plan: NodePlan) -> None:
    """Start the child under an id that a second run of the same step would give again."""
    node = plan.node
    assert isinstance(node, Call)
    data = visit.input
    if plan.parts is not None:
        data = plan.parts(step, step.frame(visit), visit.input)
    child = f"{step.state.id}.{visit.id}"
    step.emit(
        e.ChildStarted(
            visit.id, child, node.namespace, node.process, node.version, data, node.waits
        )
    )
    if not node.waits:
        step.finish(visit, visit.input)


def end_child(step: Step, visit: Visit, status: str, output: Any, error: e.Problem | None) -> None:
    """The child has ended: its output is ours, its fault is raised here (our decision A31)."""
    if status == "completed":
        step.finish(visit, output)
        return
    if error is None:
        error = problem("runtime", f"the child instance was {status}")
    inherited = {name: value for name, value in error.items() if name != "instance"}
    step.fail(visit, inherited)
