"""Starts, ends, waits, and what goes out: events sent and errors raised.

Source: BPMN 2.0.2 13.5; DSL reference, Emit, Raise, Wait.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from diglot.compiler.graph import Emit, End, Raise, Start, Wait
from diglot.runtime import events as e
from diglot.runtime.clock import iso
from diglot.runtime.faults import Fault, fault

from .conditions import wait_until
from .correlation import learn_from_sent
from .delivery import catch_signal
from .errors import build_error
from .registry import passes, runs

if TYPE_CHECKING:
    from diglot.runtime.plan import NodePlan
    from diglot.runtime.state import Visit

    from .frame import Frame, Routes
    from .step import Step


@passes(Start)
def start(step: Step, frame: Frame, plan: NodePlan) -> tuple[Any, Routes | None]:
    """A token begins with the scope's input."""
    return frame.raw, None


@passes(End)
def end(step: Step, frame: Frame, plan: NodePlan) -> tuple[Any, Routes | None]:
    """A token's data is the result of its scope; the machine sees to the rest."""
    return frame.raw, ()


@passes(Raise)
def raise_here(step: Step, frame: Frame, plan: NodePlan) -> tuple[Any, Routes | None]:
    """Raise the error of the template, or again the one that came as data."""
    node = plan.node
    assert isinstance(node, Raise)
    if node.again:
        raise Fault(dict(frame.input))
    raise Fault(build_error(step, plan.parts, frame, node.pointer))


@runs(Wait)
def wait(step: Step, visit: Visit, plan: NodePlan) -> None:
    """Wait for the condition, or for the moment: one not in the future has come (A35)."""
    timer, condition = plan.parts
    if condition is not None:
        wait_until(step, visit, plan)
        return
    due = timer(step, step.frame(visit), visit.input)
    if due is None:
        raise fault("expression", "a wait for a time that never comes")
    if due.at_ms <= step.now_ms:
        step.finish(visit, visit.input)
    else:
        step.emit(e.TimerArmed(step.new_id(), "wait", due.at_ms, visit=visit.id))


#: Attributes whose values are texts. Source: CloudEvents 1.0.2, Context Attributes.
_TEXTS = ("id", "source", "type", "time", "subject", "datacontenttype", "dataschema")


@runs(Emit)
def emit(step: Step, visit: Visit, plan: NodePlan) -> None:
    """Send the event; what its author left out is filled in, and the envelope is the output.

    Source: DSL reference, Event Properties; our decision A15.
    """
    node = plan.node
    assert isinstance(node, Emit)
    compute, keys = plan.parts
    frame = step.frame(visit)
    envelope: dict[str, Any] = compute(step, frame, visit.input)
    if envelope.get("type") is None:
        raise fault("validation", "an event needs a type")
    for name in _TEXTS:
        if not isinstance(envelope.get(name) or "", str):
            raise fault("validation", f"the {name} of an event is text, not {envelope[name]!r:.80}")
    graph = step.plan.graph
    filled: dict[str, Any] = {
        "specversion": "1.0",
        "id": f"{step.state.id}.{visit.id}",
        "source": f"/{graph.key}/{graph.version}",
        "time": iso(step.now_ms),
        **{name: value for name, value in envelope.items() if value is not None},
    }
    if node.kind != "event":
        filled["diglotkind"] = node.kind
    if node.kind == "signal":
        # Its own catchers have it already, in this very step.
        filled["diglotinstance"] = step.state.id
    learn_from_sent(step, keys, filled, frame)
    if not node.is_local:
        step.emit(e.EventEmitted(visit.id, filled))
    if node.kind == "signal":
        catch_signal(step, filled)
        if step.state.visits.get(visit.id) is not visit:
            return
    step.finish(visit, filled)
