"""The proof that history has authority: folded, it gives the state that is stored."""

from __future__ import annotations

from .errors import CorruptState
from .events import Event
from .evolve import fold
from .state import State


def prove(stored: State, commits: list[tuple[int, int, list[Event]]]) -> int:
    """Fold a history and compare; `commits` are (first sequence, `at_ms`, events), oldest first.

    Gives the number of events.

    Raises:
        CorruptState: an event is missing, or the fold differs; it says in what.
    """
    expected = 1
    for first, _, events in commits:
        if first != expected:
            raise CorruptState(f"event {expected} is missing")
        expected += len(events)
    folded = fold(stored.id, (event for _, _, events in commits for event in events)).snapshot()
    known = stored.snapshot()
    wrong = [name for name, value in folded.items() if known[name] != value]
    if wrong:
        raise CorruptState(f"history and rows disagree on {', '.join(wrong)}")
    return expected - 1
