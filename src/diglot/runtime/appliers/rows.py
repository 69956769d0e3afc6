"""The moves that appliers share: rows come and go, and the indexes and the counts with them."""

from __future__ import annotations

from typing import Any

from diglot.runtime import events as e
from diglot.runtime.state import Arrival, State

from .showing import hide


def see(state: State, id: int) -> None:
    """Note an id that was given out."""
    if id > state.counter:
        state.counter = id


def put(state: State, scope: int, route: e.Route, data: Any) -> None:
    """Put a token before the node to which a route leads."""
    id = route.arrival
    if id > state.counter:
        state.counter = id
    state.arrivals[id] = Arrival(id, route.node, scope, route.flow, data)
    state.at.setdefault((scope, route.node), []).append(id)
    if state.moves is not None:
        state.moves.append((scope, route.node, 1, route.flow or ""))
    state.scopes[scope].tokens += 1
    state.touched.add(("arrivals", id))


def take(state: State, arrivals: tuple[int, ...]) -> Any:
    """Take tokens away; what the last of them carried, or nothing where there are none."""
    data = None
    for id in arrivals:
        arrival = state.arrivals.pop(id)
        place = (arrival.scope, arrival.node)
        standing = state.at[place]
        standing.remove(id)
        if not standing:
            del state.at[place]
        if state.moves is not None:
            state.moves.append((*place, -1, arrival.flow or ""))
        state.scopes[arrival.scope].tokens -= 1
        state.touched.add(("arrivals", id))
        data = arrival.data
    return data


def count(state: State, scope: int, before: int, after: int) -> None:
    """Note that a scope has another number of tokens: most events leave it as it is."""
    if before != after:
        state.touched.add(("scopes", scope))


def opens(state: State, holder: int | None, table: str, id: int) -> None:
    """Note an open row, which ends with the visit or scope visit that holds it, if one does."""
    see(state, id)
    if holder is not None:
        state.open.setdefault(holder, {})[(table, id)] = None
    state.touched.add((table, id))


def shuts(state: State, holder: int | None, table: str, id: int) -> None:
    """Note that an open row is gone before its holder."""
    if holder is not None:
        state.open.get(holder, {}).pop((table, id), None)
    state.touched.add((table, id))


def drop(state: State, table: str, id: int) -> None:
    """Take an open row away, if it is there."""
    row = getattr(state, table).pop(id, None)
    if table == "subscriptions" and row is not None and row.kind == "signal":
        listeners = state.signals[row.type]
        del listeners[id]
        if not listeners:
            del state.signals[row.type]
    elif table == "jobs" and row is not None and row.sees:
        hide(state, row)


def close_open(state: State, holder: int) -> None:
    """Take away all that is open for a visit or scope visit that ends."""
    for table, id in state.open.pop(holder, ()):
        drop(state, table, id)
        state.touched.add((table, id))
