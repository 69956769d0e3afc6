"""A state as one value: what a history can begin with instead of all that came before."""

from __future__ import annotations

from typing import Any, Final

import msgspec

from .indexes import index
from .state import Arrival, Item, Job, Kept, ScopeVisit, State, Subscription, Timer, Visit

_FACTS: Final = (
    "definition", "status", "input", "output", "error", "parent", "parent_visit", "tenant",
    "started_ms", "ended_ms", "counter", "sequence",
)  # fmt: skip
_TABLES: Final[dict[str, type]] = {
    "scopes": ScopeVisit,
    "visits": Visit,
    "arrivals": Arrival,
    "jobs": Job,
    "timers": Timer,
    "subscriptions": Subscription,
    "items": Item,
    "kept": Kept,
}


def whole(state: State) -> dict[str, Any]:
    """All of a state, as JSON knows it."""
    found: dict[str, Any] = {name: getattr(state, name) for name in _FACTS}
    for table in _TABLES:
        found[table] = list(getattr(state, table).values())
    plain: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(found))
    return plain


def restore(state: State, found: dict[str, Any]) -> None:
    """Make a state, of which only the id is known, what it was."""
    for name in _FACTS:
        setattr(state, name, found[name])
    for table, kind in _TABLES.items():
        rows: list[Any] = [msgspec.convert(row, kind) for row in found[table]]
        getattr(state, table).update((row.id, row) for row in sorted(rows, key=_by_id))
    index(state)


def _by_id(row: Any) -> int:
    return int(row.id)
