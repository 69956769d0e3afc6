"""Gateways: what merges keep in mind, and who still takes part in a race."""

from __future__ import annotations

from diglot.runtime import events as e
from diglot.runtime.state import State

from .registry import applies


@applies(e.GateTurned)
def _(state: State, event: e.GateTurned) -> None:
    gates = state.scopes[event.scope].gates
    gates.pop(event.node, None)
    if event.flows:
        gates[event.node] = dict(event.flows)
    state.touched.add(("scopes", event.scope))


def leave_race(state: State, race: int, id: int) -> None:
    """A visit takes part no more; a race that nobody is left in is gone."""
    racing = state.races[race]
    del racing[id]
    if not racing:
        del state.races[race]
