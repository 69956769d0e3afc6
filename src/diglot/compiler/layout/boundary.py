"""Boundary events sit on the lower border of their host, from its right end on."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from .sketch import Item
from .working import GRID, up_to_grid

#: From the right border of the host to the middle of the first event.
_END: Final = 30.0
#: Between the middles of two events, at least and at most.
_STEP: Final = 50.0
_FAR: Final = 70.0


def along_border(events: Sequence[Item], width: float) -> tuple[float, list[float]]:
    """The width that a host needs for its events, and by event how far right its middle is.

    The first event is the one furthest right. A text stands at the left of the line that leaves
    its event, so the next event keeps clear of it.
    """
    if not events:
        return width, []
    ends = [max(_END, event.size.width / 2 + GRID) for event in events]
    steps = [
        up_to_grid(
            max(
                _STEP,
                (event.size.width + after.size.width) / 2 + GRID,
                (event.label.width + GRID) if event.label is not None else 0.0,
            )
        )
        for event, after in pairwise(events)
    ]
    last = events[-1]
    tail = max(ends[-1], last.label.width + GRID if last.label is not None else 0.0)
    needed = ends[0] + sum(steps) + max(_END, min(tail, width - ends[0] - sum(steps)))
    width = max(width, up_to_grid(needed))
    spare = width - needed
    if steps and spare > 0:
        steps = [max(step, min(_FAR, step + spare / len(steps) // GRID * GRID)) for step in steps]
    middles = [width - ends[0]]
    for step in steps:
        middles.append(middles[-1] - step)
    return width, middles
