"""Errors: how one finds the handler that takes it.

Source: BPMN 2.0.2 10.5.1, 10.5.6, 13.5.4; DSL, Fault Tolerance; DSL reference, Catch, Error.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from diglot.compiler.graph.errors import canonical_error_type
from diglot.runtime import events as e
from diglot.runtime.faults import Fault, fault

from .handlers import leave_by_flow, take_over
from .retries import goes_on, next_run, schedule_run
from .stopping import cancel_bodies, cancel_contents

if TYPE_CHECKING:
    from diglot.runtime.guards import OccasionPlan
    from diglot.runtime.parts import ErrorPlan
    from diglot.runtime.state import ScopeVisit, Visit

    from .frame import Frame
    from .step import Step


def raise_error(step: Step, visit: Visit, error: e.Problem) -> None:
    """Take `error` from the visit outwards, scope by scope, to the first handler that takes it.

    What the handler guards is stopped first. Nobody takes it: the instance faults.
    """
    while True:
        plan = step.plan.nodes[visit.node]
        error = _blame(step, error, plan.node.pointer)
        # While it waits for its data nothing guards it yet.
        takers = [] if visit.is_held else plan.guards.errors
        taker, error = _taker(step, takers, error, step.frame(visit))
        cancel_bodies(step, visit)
        scope = step.state.scopes[visit.scope]
        step.emit(e.VisitFailed(visit.id, error))
        if taker is not None:
            bound = {taker.variable: error}
            leave_by_flow(step, taker.handler, scope, error, error, bound)
            if visit.compensates is not None:
                step.queue.append((False, visit.compensates))
            return
        if visit.compensates is not None:
            # What fails while something is undone fails where that was asked for.
            visit = step.state.visits[visit.compensates]
            continue
        owner = _leave_scope(step, scope, error)
        if owner is None:
            return
        visit, error = owner


def raise_in_scope(
    step: Step, scope: ScopeVisit, error: e.Problem, *, is_from_handler: bool = False
) -> None:
    """An error that comes from the scope itself, such as a time-out of one run of it.

    One that is from a handler of the scope is not for its handlers.
    """
    owner = _leave_scope(step, scope, error, is_from_handler=is_from_handler)
    if owner is not None:
        raise_error(step, *owner)


def _leave_scope(
    step: Step, scope: ScopeVisit, error: e.Problem, *, is_from_handler: bool = False
) -> tuple[Visit, e.Problem] | None:
    """Offer the error to the scope's own handlers; if none takes it, leave towards the owner."""
    while True:
        if not scope.is_closed and not is_from_handler:
            catchers = step.plan.guards_of(scope.scope).errors
            taker, error = _taker(step, catchers, error, step.frame_of(scope))
            left = error if taker is None else _catch(step, taker, scope, error)
            if left is None:
                return None
            error = left
        if scope.owner is not None:
            return step.state.visits[scope.owner], error
        if scope.parent is None:
            step.end_instance("faulted", error=error)
            return None
        # A scope that runs for a handler: its errors go past the scope it belongs to.
        parent = step.state.scopes[scope.parent]
        cancel_contents(step, scope)
        step.emit(e.ScopeLeft(scope.id))
        scope, is_from_handler = parent, True


def _blame(step: Step, error: e.Problem, pointer: str) -> e.Problem:
    return error if error.get("instance") else {**error, "instance": pointer}


def _taker(
    step: Step, takers: list[OccasionPlan], error: e.Problem, frame: Frame
) -> tuple[OccasionPlan | None, e.Problem]:
    """The first that takes the error; a condition that fails replaces the error."""
    for taker in takers:
        try:
            if _matches(step, taker, error, frame):
                return taker, error
        except Fault as found:
            pointer = taker.handler.handler.pointer or error.get("instance", "")
            error = {**found.problem, "instance": pointer}
    return None, error


def _matches(step: Step, taker: OccasionPlan, error: e.Problem, frame: Frame) -> bool:
    for name, value in taker.match:
        expected, actual = value(step, frame, frame.raw), error.get(name)
        if name == "type" and isinstance(expected, str) and isinstance(actual, str):
            expected, actual = canonical_error_type(expected), canonical_error_type(actual)
        if expected != actual:
            return False
    frame.extra = {taker.variable: error}
    if taker.when is not None and not taker.when(step, frame, frame.raw):
        return False
    return taker.except_when is None or not taker.except_when(step, frame, frame.raw)


def _catch(
    step: Step, taker: OccasionPlan, scope: ScopeVisit, error: e.Problem
) -> e.Problem | None:
    """A handler inside the scope: retry first, else take over.

    What is left is the error that goes on outwards: the same if the handler gives it up, another
    if its policy cannot be computed.
    """
    handler = taker.handler
    if handler.retry is not None:
        try:
            due_ms = next_run(step, handler.retry, taker, scope, error)
        except Fault as found:
            return {**found.problem, "instance": handler.handler.pointer}
        if due_ms is not None:
            schedule_run(step, scope, error, due_ms)
            return None
        if not goes_on(handler):
            return error
    take_over(step, handler, scope, error, {taker.variable: error})
    return None


def build_error(step: Step, template: ErrorPlan, frame: Frame, pointer: str) -> e.Problem:
    """The error of a template; `instance` is the machine's, whatever the author wrote (A29).

    Source: DSL reference, Error.
    """
    error: e.Problem = {
        "type": template.type(step, frame, frame.input),
        "status": template.status(step, frame, frame.input),
    }
    if not isinstance(error["type"], str):
        raise fault("expression", "the type of an error is text")
    error["type"] = canonical_error_type(error["type"])
    for name, part in (("title", template.title), ("detail", template.detail)):
        value = None if part is None else part(step, frame, frame.input)
        if value is not None:
            error[name] = value if isinstance(value, str) else json.dumps(value)
    if pointer:
        error["instance"] = pointer
    return error
