"""Activities that run several times: the items of a collection, and the rounds of a loop."""

from __future__ import annotations

from diglot.runtime import events as e
from diglot.runtime.state import Item, State, Tally

from .registry import applies
from .rows import see


@applies(e.IterationBegun)
def _(state: State, event: e.IterationBegun) -> None:
    visit = state.visits[event.visit]
    visit.position = event.position
    if event.items is not None:
        visit.items = event.items
    state.touched.add(("visits", event.visit))


@applies(e.IterationDone)
def _(state: State, event: e.IterationDone) -> None:
    visit = state.visits[event.visit]
    visit.results.append(event.result)
    state.touched.add(("visits", event.visit))


@applies(e.LoopBegun)
def _(state: State, event: e.LoopBegun) -> None:
    state.visits[event.visit].maximum = event.maximum
    state.touched.add(("visits", event.visit))


@applies(e.ItemsBegun)
def _(state: State, event: e.ItemsBegun) -> None:
    visit = state.visits[event.visit]
    visit.total, visit.items = event.total, event.items
    state.tallies[event.visit] = Tally()
    state.items_of[event.visit] = {}
    state.touched.add(("visits", event.visit))


@applies(e.ItemEnded)
def _(state: State, event: e.ItemEnded) -> None:
    see(state, event.id)
    state.items[event.id] = Item(
        event.id, event.visit, event.position, event.result, event.is_terminated
    )
    state.items_of[event.visit][event.position] = event.id
    tally = state.tallies[event.visit]
    if event.is_terminated:
        tally.terminated += 1
    else:
        tally.completed += 1
    state.touched.add(("items", event.id))


def end_items(state: State, visit: int) -> None:
    """What the runs of an activity gave goes with its visit."""
    for id in state.items_of.pop(visit).values():
        del state.items[id]
        state.touched.add(("items", id))
    del state.tallies[visit]
