"""Stopping what is alive: a scope's contents, the bodies of a visit, the children of an instance.

Source: BPMN 2.0.2 13.3.2 (Terminated), 13.5.3, 13.5.6.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from diglot.runtime import events as e

if TYPE_CHECKING:
    from diglot.runtime.state import ScopeVisit, Visit

    from .step import Step


def cancel_visit(step: Step, visit: Visit) -> None:
    """Stop a visit with everything that runs for it."""
    cancel_bodies(step, visit)
    step.emit(e.VisitCancelled(visit.id))
    if visit.compensates is not None:
        step.queue.append((False, visit.compensates))


def cancel_contents(step: Step, scope: ScopeVisit, *, but: int = 0) -> None:
    """Stop every visit (`but` one) and every handler that runs inside a scope visit."""
    state = step.state
    for id in list(state.visits_in.get(scope.id, ())):
        # One may have gone with another that it compensated for.
        if id != but and id in state.visits:
            cancel_visit(step, state.visits[id])
    for id in list(state.handling.get(scope.id, ())):
        cancel_contents(step, state.scopes[id])
        step.emit(e.ScopeLeft(id))
    if scope.gates:
        step.emit(e.TokensWithdrawn(scope.id))
    elif scope.tokens > (1 if but else 0):
        # By name, so that nobody has to look through the tokens of other scopes.
        standing = (state.at.get((scope.id, node)) for node in step.plan.nodes_of[scope.scope])
        arrivals = sorted(id for ids in standing for id in ids or ())
        step.emit(e.TokensWithdrawn(scope.id, tuple(arrivals)))


def cancel_bodies(step: Step, visit: Visit) -> None:
    """Stop the scopes a visit owns, what compensates for it, and the child it waits for."""
    if visit.undoing and visit.undoing[-1].visit in step.state.visits:
        cancel_visit(step, step.state.visits[visit.undoing[-1].visit])
    for id in list(step.state.bodies.get(visit.id, ())):
        cancel_contents(step, step.state.scopes[id])
        step.emit(e.ScopeLeft(id))
    if visit.child is not None:
        step.emit(e.ChildCancelled(visit.id, visit.child))


def cancel_children(step: Step) -> None:
    """Ask every child instance somebody still waits for to stop."""
    for visit in list(step.state.visits.values()):
        if visit.child is not None:
            step.emit(e.ChildCancelled(visit.id, visit.child))
