"""Entering a scope: its variables are declared, what guards it is armed, its first token is put.

Source: BPMN 2.0.2 10.4.1, 13.3.4; DSL reference, Do.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from diglot.runtime import events as e

from .frame import Frame
from .variables import holder_of

if TYPE_CHECKING:
    from .step import Step


def enter_scope(
    step: Step,
    scope_id: str,
    *,
    parent: int | None,
    owner: int | None,
    data: Any,
    variables: dict[str, Any] | None = None,
    handler: str | None = None,
    start: str | None = None,
    position: int | None = None,
) -> int:
    """Instantiate a scope: declare its variables, arm its timers, put a token on its start.

    Or on another `start` of its own.

    Raises:
        Fault: the first value of a variable, or what guards the scope, cannot be computed.
    """
    plan = step.plan
    scope = plan.scopes[scope_id]
    declared = dict(variables or {})
    given: dict[str, Any] = {}
    if scope.binds_input and isinstance(data, dict):
        # What is in variables need not travel on tokens, too.
        given, data = cast("dict[str, Any]", data), None
        declared = {**given, **declared}
    if plan.variables[scope_id]:
        frame = Frame(None, parent or 0, data, step.now_ms)
        for name, value in plan.variables[scope_id]:
            # What the input gives a variable goes before its first value.
            if name in given:
                continue
            if value is None:
                holder = holder_of(step, parent, name)
                declared[name] = None if holder is None else holder.variables[name]
            else:
                declared[name] = value(step, frame, data)
    id = step.new_id()
    arrival = step.new_id()
    step.emit(
        e.ScopeEntered(
            id,
            scope_id,
            parent,
            owner,
            start or scope.start,
            arrival,
            data,
            declared,
            step.now_ms,
            handler,
            position,
        )
    )
    if scope_id in plan.guards:
        step.arm(step.state.scopes[id])
    step.queue.append((True, arrival))
    return id
