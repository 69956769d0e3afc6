"""Inclusive and complex gateways: every true flow is taken, and what can still come is waited for.

Whether a merge has to wait is a property of where the tokens stand, so it is looked at when all
that can move has moved, and not when a token comes.

Source: BPMN 2.0.2 13.4.3, Table 13.3; 13.4.5, Table 13.5.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from diglot.compiler.graph import Inclusive
from diglot.runtime import events as e
from diglot.runtime.faults import Fault, fault

from .frame import Frame
from .registry import passes

if TYPE_CHECKING:
    from diglot.runtime.gates import InclusivePlan
    from diglot.runtime.plan import NodePlan
    from diglot.runtime.state import ScopeVisit

    from .board import Board
    from .frame import Routes
    from .step import Step


@passes(Inclusive)
def split(step: Step, frame: Frame, plan: NodePlan) -> tuple[Any, Routes | None]:
    """Every branch whose condition is true, and those without one; the default if none is true.

    A complex gateway goes to its other phase with it. When it is reset it may give no token: what
    has no condition was taken when it started.
    """
    parts: InclusivePlan = plan.parts
    is_complex = parts.activation is not None
    gates = step.state.scopes[frame.scope].gates
    is_start = plan.id not in gates
    if is_complex:
        frame.extra = {"waitingForStart": is_start}
    chosen: list[tuple[str, str]] = []
    has_true = False
    for is_true, routes in parts.branches:
        if is_true is None:
            if is_start:
                chosen.extend(routes)
        elif is_true(step, frame, frame.input):
            has_true = True
            chosen.extend(routes)
    if not has_true:
        chosen.extend(parts.default)
    if not chosen and is_start and plan.outgoing:
        raise fault("runtime", "no branch is true and there is no default")
    if is_complex:
        taken = dict.fromkeys(_first(step, frame.scope, plan), 1) if is_start else {}
        step.emit(e.GateTurned(frame.scope, plan.id, taken))
    return frame.input, tuple(chosen)


def gather(step: Step, plan: NodePlan, scope: int) -> None:
    """A token came before a merge. An inclusive one looks when nothing moves any more."""
    parts: InclusivePlan = plan.parts
    if parts.activation is not None:
        _ask(step, plan, scope)


def fire(step: Step) -> bool:
    """Let one merge go on that waits for nothing any more; false if there is none."""
    # A step that has ended the instance has no state's board any more.
    board = step.state.board
    found = None if board is None else board.next_ready()
    if found is None:
        return False
    scope, node = found
    _go_on(step, step.plan.nodes[node], scope)
    return True


def is_half_way(step: Step, scope: ScopeVisit) -> bool:
    """Whether a complex gateway of the scope waits to be reset, which may make tokens."""
    return any(node in step.plan.gates.merges for node in scope.gates)


def reset_one(step: Step, scope: ScopeVisit) -> bool:
    """Reset a complex gateway of a scope that has no tokens left; false if none has to be.

    Nothing can come any more, and a reset may make tokens: the scope is done only after it.
    """
    waiting = [node for node in scope.gates if node in step.plan.gates.merges]
    if waiting:
        _go_on(step, step.plan.nodes[min(waiting)], scope.id)
    return bool(waiting)


#: Events that are more to a board than moves of tokens.
_WATCHED = frozenset({e.GateTurned, e.ScopeLeft, e.TokensWithdrawn, e.VariableSet})


def watch(step: Step, event: e.Event) -> None:
    """Let the board follow an event that has just been applied."""
    board = step.board
    assert board is not None
    board.follow()
    if type(event) not in _WATCHED:
        return
    match event:
        case e.GateTurned():
            board.turn(event.scope, event.node)
        case e.ScopeLeft():
            board.clear(event.id)
        case e.TokensWithdrawn(arrivals=()):
            board.clear(event.scope)
        case e.VariableSet():
            step.asks = step.plan.gates.has_complex
        case _:
            pass


def ask_again(step: Step) -> bool:
    """Ask the complex gateways that wait for their activation; whether one has been activated.

    A variable has another value, and their conditions may look at it.
    """
    step.asks = False
    asked = [
        (scope, node)
        for scope, node in sorted(_before(step))
        if step.plan.nodes[node].parts.activation is not None
    ]
    return any([_ask(step, step.plan.nodes[node], scope) for scope, node in asked])


def _ask(step: Step, plan: NodePlan, scope: int) -> bool:
    """Activate a complex gateway if it waits for that and its condition is true."""
    before = _before(step).get((scope, plan.id))
    if before is None or plan.id in step.state.scopes[scope].gates:
        return False
    counts = {flow: before.get(flow, 0) for flow in step.plan.incoming.get(plan.id, ())}
    frame = Frame(plan, scope, None, step.now_ms)
    held = sum(count > 0 for count in counts.values())
    frame.extra = {"activationCount": held, "activationCounts": counts}
    try:
        if not plan.parts.activation(step, frame, None):
            return False
    except Fault as found:
        _fail(step, plan, scope, found.problem)
        return True
    _go_on(step, plan, scope)
    return True


def _go_on(step: Step, plan: NodePlan, scope: int) -> None:
    """Consume one token of each incoming flow that counts, and take the flows that are true."""
    consumed = _consumed(step, scope, plan)
    data = step.state.arrivals[consumed[-1]].data if consumed else None
    step.begin(plan, scope, consumed, data)
    if plan.parts.activation is not None and (scope, plan.id) in _before(step):
        # A new cycle may begin with what was left over.
        _ask(step, plan, scope)


def _fail(step: Step, plan: NodePlan, scope: int, error: e.Problem) -> None:
    id = step.new_id()
    consumed = _consumed(step, scope, plan)
    step.emit(e.VisitEntered(id, plan.id, scope, consumed, None, step.now_ms))
    step.fail(step.state.visits[id], error)


def _before(step: Step) -> dict[tuple[int, str], dict[str, int]]:
    board: Board | None = step.state.board
    return {} if board is None else board.before


def _consumed(step: Step, scope: int, plan: NodePlan) -> tuple[int, ...]:
    """The arrivals that are consumed, oldest first: those of the first phase are not waited for."""
    kept = step.state.scopes[scope].gates.get(plan.id, {})
    first = _first(step, scope, plan)
    return tuple(sorted(id for flow, id in first.items() if flow not in kept))


def _first(step: Step, scope: int, plan: NodePlan) -> dict[str, int]:
    """The oldest arrival of each incoming flow that has one."""
    first: dict[str, int] = {}
    for id in step.state.at.get((scope, plan.id), ()):
        first.setdefault(step.state.arrivals[id].flow or "", id)
    return first
