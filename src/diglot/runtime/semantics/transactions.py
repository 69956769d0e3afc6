"""Transactions that are cancelled: everything in them stops, what is done is undone, they are left.

An error leaves a transaction without undoing anything (a hazard), and so does a terminate end.
A cancel that no cancel event of the transaction takes is an error: what follows on the ordinary
flows relies on work that has been undone.

Source: BPMN 2.0.2 10.3.5, 13.5.6.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from diglot.compiler.graph import Compensate
from diglot.runtime import events as e
from diglot.runtime.faults import fault, problem

from .handlers import leave_by_flow
from .keeping import keep_parts, keep_stopped_run
from .stopping import cancel_contents, cancel_visit

if TYPE_CHECKING:
    from diglot.runtime.state import ScopeVisit, Visit

    from .step import Step


def begin_cancel(step: Step, visit: Visit) -> None:
    """Stop everything else in the nearest transaction.

    A scope inside that the cancel comes from is stopped with the rest. Other runs of the same
    activity are cancelled like this one. What is done inside of what is stopped is kept, as it is
    to be undone, too.

    Raises:
        Fault: there is no transaction around it.
    """
    state = step.state
    body = _body_around(step, visit)
    if body is None or body.owner is None:
        raise fault("runtime", "there is no transaction to cancel")
    if visit.scope != body.id:
        step.emit(e.VisitMoved(visit.id, body.id))
    keep_parts(step, body)
    cancel_contents(step, body, but=visit.id)
    for id in list(state.bodies[body.owner]):
        if id != body.id:
            other = state.scopes[id]
            keep_stopped_run(step, body.owner, other)
            cancel_contents(step, other)
            step.emit(e.ScopeLeft(id))
    step.emit(e.ScopeClosed(body.id, ""))


def end_cancel(step: Step, transaction: Visit) -> None:
    """Everything is undone: the transaction is left by its cancel event."""
    taker = step.plan.nodes[transaction.node].cancelled
    if taker is None:
        detail = "the transaction was cancelled, and no cancel event on it takes that"
        step.fail(transaction, problem("runtime", detail))
        return
    scope = step.state.scopes[transaction.scope]
    cancel_visit(step, transaction)
    leave_by_flow(step, taker, scope, None, None)


def cancelled_by(step: Step, visit: Visit) -> Visit | None:
    """The transaction that this compensation cancels, or nothing if it only undoes something."""
    node = step.plan.nodes[visit.node].node
    owner = step.state.scopes[visit.scope].owner
    if not isinstance(node, Compensate) or not node.cancels or owner is None:
        return None
    return step.state.visits[owner]


def _body_around(step: Step, visit: Visit) -> ScopeVisit | None:
    scope: int | None = visit.scope
    while scope is not None:
        found = step.state.scopes[scope]
        if step.plan.scopes[found.scope].form == "transaction" and found.revives is None:
            return found
        scope = found.parent
    return None
