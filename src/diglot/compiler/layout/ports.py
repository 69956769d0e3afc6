"""Where lines may dock, and which way they leave from there."""

from __future__ import annotations

from typing import Final, NamedTuple

from .sketch import Bounds, Point

RIGHT, DOWN, LEFT, UP = range(4)
#: By way: a step on it.
STEP: Final = ((1, 0), (0, 1), (-1, 0), (0, -1))


class Port(NamedTuple):
    """Where a line may dock, and in which direction it leaves from there."""

    at: Point
    way: int


def right_of(bounds: Bounds) -> Port:
    """The port at the right border, in the middle."""
    return Port(Point(bounds.x + bounds.width, bounds.y + bounds.height / 2), RIGHT)


def left_of(bounds: Bounds) -> Port:
    """The port at the left border."""
    return Port(Point(bounds.x, bounds.y + bounds.height / 2), LEFT)


def top_of(bounds: Bounds, x: float | None = None) -> Port:
    """The port at the upper border, in the middle or at a place of its own."""
    return Port(Point(_middle(bounds, x), bounds.y), UP)


def bottom_of(bounds: Bounds, x: float | None = None) -> Port:
    """The port at the lower border."""
    return Port(Point(_middle(bounds, x), bounds.y + bounds.height), DOWN)


def sides_of(bounds: Bounds) -> list[Port]:
    """The ports in the middle of each border."""
    return [bottom_of(bounds), top_of(bounds), right_of(bounds), left_of(bounds)]


def beside(bounds: Bounds, port: Port) -> list[Port]:
    """The ports left and right of the middle of an upper or lower border."""
    if port.way in (LEFT, RIGHT):
        return []
    aside = bounds.width / 4
    return [Port(Point(port.at.x + move, port.at.y), port.way) for move in (-aside, aside)]


def _middle(bounds: Bounds, x: float | None) -> float:
    if x is None:
        return bounds.x + bounds.width / 2
    return min(max(x, bounds.x), bounds.x + bounds.width)
