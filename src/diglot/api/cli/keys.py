"""Which correlation keys a message must have to be taken by a wait."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from diglot.runtime.faults import Fault
from diglot.runtime.secrets import masked
from diglot.runtime.semantics import Step

if TYPE_CHECKING:
    from diglot.runtime.engine import Engine
    from diglot.runtime.parts import FilterPlan
    from diglot.runtime.state import State, Subscription

#: The name of the key that messages of vendors carry beside their data.
_CARRIED: Final = "correlationKey"


class WantedKey(NamedTuple):
    """A key and the value it has to have; one that `is_carried` stands beside the data."""

    name: str
    value: Any
    is_carried: bool

    @property
    def text(self) -> str:
        """The value as it stands behind the name of a message."""
        return self.value if isinstance(self.value, str) else json.dumps(self.value)


def wanted(engine: Engine, state: State, row: Subscription) -> tuple[FilterPlan, list[WantedKey]]:
    """The filter of a subscription, and those of its keys whose values are known by now.

    Source: BPMN 2.0.2 8.4.2.
    """
    plan = engine.plan(state.definition)
    step = Step(plan, state, engine.bare_step(plan).around)
    own: dict[str, Any] = {}
    if row.visit is not None:
        visit = state.visits[row.visit]
        frame, dot, own = step.frame(visit), visit.input, visit.keys
    else:
        assert row.scope is not None
        scope = state.scopes[row.scope]
        frame, dot = step.frame_of(scope), scope.input
    # The root scope visit alone has any.
    shared = {key: known for scope in state.scopes.values() for key, known in scope.keys.items()}
    found: list[WantedKey] = []
    filter = _filter(step, row)
    for key in filter.correlations:
        known = shared if key.is_shared else own
        if key.expect is not None:
            try:
                value = key.expect(step, frame, dot)
            except Fault:
                continue
        elif key.name in known:
            value = known[key.name]
        else:
            continue
        found.append(WantedKey(key.name, masked(value), key.name == _CARRIED))
    return filter, found


def _filter(step: Step, row: Subscription) -> FilterPlan:
    if row.handler is not None:
        filter = step.plan.handlers[row.handler].occasions[row.index].filter
        assert filter is not None
        return filter
    assert row.visit is not None
    filters: list[FilterPlan]
    until_filters: list[FilterPlan]
    filters, _, until_filters, _ = step.plan.nodes[step.state.visits[row.visit].node].parts
    return (until_filters if row.is_until else filters)[row.index]
