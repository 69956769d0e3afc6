"""Applying events to a state: total, dull, and without a look at the graph."""

from __future__ import annotations

from collections.abc import Iterable

from . import events as e
from .appliers import appliers, applies
from .state import State

__all__ = ["applies", "evolve", "fold"]


def evolve(state: State, event: e.Event) -> None:
    """Change `state` by one event."""
    state.sequence += 1
    appliers[type(event)](state, event)


def fold(id: str, history: Iterable[e.Event]) -> State:
    """The state that a whole history gives."""
    state = State(id)
    for event in history:
        evolve(state, event)
    return state
