"""What holds for every state of every instance."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

import msgspec

from diglot.runtime import events as e
from diglot.runtime.evolve import evolve
from diglot.runtime.state import State


def check_tokens(state: State) -> None:
    """A scope's `tokens` are its visits, its arrivals, and the handlers that run inside it."""
    counted: Counter[int] = Counter()
    counted.update(visit.scope for visit in state.visits.values())
    counted.update(arrival.scope for arrival in state.arrivals.values())
    counted.update(
        scope.parent
        for scope in state.scopes.values()
        if scope.owner is None and scope.parent is not None
    )
    assert {id: scope.tokens for id, scope in state.scopes.items()} == {
        id: counted[id] for id in state.scopes
    }


def alive(state: State) -> dict[str, int]:
    """How many rows of each table are alive."""
    rows = {
        "scopes": state.scopes,
        "visits": state.visits,
        "arrivals": state.arrivals,
        "jobs": state.jobs,
        "timers": state.timers,
        "subscriptions": state.subscriptions,
        "items": state.items,
        "kept": state.kept,
    }
    return {name: len(found) for name, found in rows.items() if found}


def spelled_out(instance: str, history: Iterable[e.Event]) -> Iterator[bytes]:
    """Events as they are written, with the data that one of them leaves out as being the same.

    Whether it is left out rests on whether the machine held one value or two equal ones.
    """
    state = State(instance)
    for event in history:
        shown = event
        if isinstance(event, e.VisitPassed) and event.is_same:
            data = state.arrivals[event.arrivals[-1]].data
            shown = msgspec.structs.replace(event, is_same=False, data=data)
        elif isinstance(event, e.VisitEntered) and not event.is_read:
            shown = msgspec.structs.replace(event, is_read=True, input=event.data)
        evolve(state, event)
        yield e.encode([shown])
