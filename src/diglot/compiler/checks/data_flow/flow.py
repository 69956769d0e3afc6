"""What is known at each point, followed along the ways until nothing changes any more.

Sets of variables are numbers. In the order of the points most graphs need two or three rounds; one
that needs very many is given up, and then nothing is said about it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from .points import Points

#: Visits of points, by the number of points, after which it is given up.
_MOST_ROUNDS: Final = 60

#: A way: the other point, and the variables that it takes along.
_Ways = Sequence[Sequence[tuple[int, int]]]


class TooMuch(Exception):
    """The circles of a graph are too entangled to be followed."""


def forward(points: Points, gains: Sequence[int], losses: Sequence[int]) -> list[int]:
    """What may hold before each point: on some way to it it was gained and not lost again."""
    return _spread(points.order, points.after, gains, losses)


def backward(points: Points, gains: Sequence[int], losses: Sequence[int]) -> list[int]:
    """What may come after each point: on some way from it it is gained before it is lost.

    `gains[p] | (after & ~losses[p])` is what comes at `p` itself.
    """
    return _spread(points.order[::-1], points.before, gains, losses)


def _spread(
    order: Sequence[int], ways: _Ways, gains: Sequence[int], losses: Sequence[int]
) -> list[int]:
    """What comes to each point along the ways, from points that come earlier in the order."""
    place = _places(len(ways), order)
    found = [0] * len(ways)
    dirty = _all_of(len(ways), order)
    left = _MOST_ROUNDS * len(order) + 1000
    again = True
    while again:
        again = False
        for point in order:
            if not dirty[point]:
                continue
            dirty[point] = 0
            left -= 1
            value = (found[point] & ~losses[point]) | gains[point]
            if not value:
                continue
            for target, taken in ways[point]:
                new = value if taken == -1 else value & taken
                old = found[target]
                if new is not old and new | old != old:
                    found[target] = new | old if old else new
                    dirty[target] = 1
                    again = again or place[target] <= place[point]
        if left < 0:
            raise TooMuch
    return found


def certain(points: Points, gains: Sequence[int], losses: Sequence[int]) -> list[int]:
    """What comes at or after each point for certain, if nothing interrupts: on every way.

    After a split it is enough that it comes on one of the ways.
    """
    order = points.order[::-1]
    plain = points.plain
    everything = 0
    for gain in gains:
        everything |= gain
    found = [everything] * len(plain)
    left = _MOST_ROUNDS * len(order) + 1000
    place = _places(len(plain), order)
    dirty = _all_of(len(plain), order)
    again = True
    while again:
        again = False
        for point in order:
            if not dirty[point]:
                continue
            dirty[point] = 0
            left -= 1
            targets = plain[point]
            if not targets:
                value = 0
            elif point in points.splits:
                value = 0
                for target, taken in targets:
                    value |= found[target] & taken
            else:
                value = -1
                for target, taken in targets:
                    value &= found[target] & taken
            value = (value & ~losses[point]) | gains[point]
            if value != found[point]:
                found[point] = value
                for source, _ in points.plain_before[point]:
                    dirty[source] = 1
                    again = again or place[source] <= place[point]
        if left < 0:
            raise TooMuch
    return found


def _places(count: int, order: Sequence[int]) -> list[int]:
    place = [-1] * count
    for number, point in enumerate(order):
        place[point] = number
    return place


def _all_of(count: int, order: Sequence[int]) -> bytearray:
    dirty = bytearray(count)
    for point in order:
        dirty[point] = 1
    return dirty
