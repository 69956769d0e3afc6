"""The proof that history has authority: folded, it gives the state that is stored."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from .errors import CorruptState
from .events import Event, HistoryCondensed
from .evolve import evolve
from .state import State
from .whole import whole


def prove(stored: State, commits: Iterable[tuple[int, int, list[Event]]]) -> int:
    """Fold a history and compare; `commits` are (first sequence, `at_ms`, events), oldest first.

    Gives the number of the last event.

    Raises:
        CorruptState: an event is missing, or the fold differs; it says in what.
    """
    expected = 1
    state = State(stored.id)
    for first, _, events in commits:
        if not state.sequence and isinstance(events[0], HistoryCondensed):
            # The history begins with a state.
            expected = first
        if first != expected:
            raise CorruptState(f"event {expected} is missing")
        expected += len(events)
        for event in events:
            if isinstance(event, HistoryCondensed) and state.sequence:
                _compare(whole(state), event.state, f"event {first}")
            evolve(state, event)
    _compare(state.snapshot(), stored.snapshot(), "rows")
    return expected - 1


def _compare(folded: dict[str, Any], known: dict[str, Any], what: str) -> None:
    wrong = [name for name, value in folded.items() if known[name] != value]
    if wrong:
        raise CorruptState(f"history and {what} disagree on {', '.join(wrong)}")
