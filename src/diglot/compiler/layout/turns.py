"""In which turn what depends on each other is looked at."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

Ways = Sequence[Sequence[tuple[int, float]]]


def topological(before: Ways, after: Ways) -> list[int]:
    """Numbers so that each comes behind what is before it; those of circles are left out."""
    open_ = [len(others) for others in before]
    ready = deque(number for number, left in enumerate(open_) if not left)
    turn: list[int] = []
    while ready:
        number = ready.popleft()
        turn.append(number)
        for other, _ in after[number]:
            open_[other] -= 1
            if not open_[other]:
                ready.append(other)
    return turn
