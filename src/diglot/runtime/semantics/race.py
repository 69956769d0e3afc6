"""Event-based gateways: several waits begin together, and the first that is over ends the others.

Source: BPMN 2.0.2 13.4.4, Table 13.4.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from diglot.compiler.graph import Race
from diglot.runtime import events as e

from .registry import runs
from .stopping import cancel_visit

if TYPE_CHECKING:
    from diglot.runtime.plan import NodePlan
    from diglot.runtime.state import Visit

    from .step import Step


@runs(Race)
def race(step: Step, visit: Visit, plan: NodePlan) -> None:
    """Begin what the flows lead to, in their order; what goes on at once has won already."""
    targets = tuple(dict.fromkeys(target for _, target in plan.outgoing))
    if not targets:
        step.finish(visit, visit.input)
        return
    state = step.state
    step.emit(e.VisitLeft(visit.id, visit.input, ()))
    for number, target in enumerate(targets, 1):
        step.begin(step.plan.nodes[target], visit.scope, (), visit.input, race=visit.id)
        if len(state.races.get(visit.id, ())) < number:
            # It went on without waiting, and what waits since before has lost.
            _withdraw(step, visit.id, None)
            return


def win(step: Step, visit: Visit) -> None:
    """A visit that takes part in a race is triggered: the others are withdrawn in the same step."""
    if visit.race is not None:
        _withdraw(step, visit.race, visit.id)


def _withdraw(step: Step, race: int, winner: int | None) -> None:
    for id in list(step.state.races.get(race, ())):
        if id != winner and id in step.state.visits:
            cancel_visit(step, step.state.visits[id])
