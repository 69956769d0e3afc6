"""Flows that are drawn one by one: the usual shapes of a line before any is looked for."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import product

from .field import Field
from .ports import LEFT, RIGHT, STEP, Port
from .search import BEND
from .sketch import Point

#: From a port to the first bend.
_OFF = 20.0
#: A usual line that costs no more for what it meets is good enough.
_GOOD = 30.0


def usual(
    field: Field,
    starts: Sequence[Port],
    targets: Sequence[Port],
    free: Collection[str],
    ends: Collection[str],
) -> list[Point] | None:
    """The best line with two bends at most that goes through nothing and crosses little."""
    lines = [line for start, end in product(starts, targets) for line in _lines(start, end)]
    best = field.best(lines, free, ends)
    if best is None:
        return None
    price = field.price(best, free, ends)
    length = abs(best[0].x - best[-1].x) + abs(best[0].y - best[-1].y)
    is_good = price is not None and price <= length + 2 * BEND + _GOOD
    return best if is_good else None


def _lines(start: Port, end: Port) -> Iterator[list[Point]]:
    """Straight, around one corner, or over a step, as the ports' directions allow."""
    one, other = start.at, end.at
    if start.way in (LEFT, RIGHT):
        corners = [Point(other.x, one.y)]
        away = one.x + _OFF * STEP[start.way][0], other.x + _OFF * STEP[end.way][0]
        steps = [[Point(x, one.y), Point(x, other.y)] for x in (*away, (one.x + other.x) / 2)]
    else:
        corners = [Point(one.x, other.y)]
        away = one.y + _OFF * STEP[start.way][1], other.y + _OFF * STEP[end.way][1]
        steps = [[Point(one.x, y), Point(other.x, y)] for y in (*away, (one.y + other.y) / 2)]
    is_across = (start.way in (LEFT, RIGHT)) != (end.way in (LEFT, RIGHT))
    for bends in [corners] if is_across else steps:
        line = [one, *bends, other]
        if _leaves(start, bends[0], other) and _leaves(end, bends[-1], one):
            yield line


def _leaves(port: Port, to: Point, then: Point) -> bool:
    """Whether a line goes away from its port rather than back through its shape."""
    if to == port.at:
        to = then
    across, down = STEP[port.way]
    return (to.x - port.at.x) * across + (to.y - port.at.y) * down > 0
