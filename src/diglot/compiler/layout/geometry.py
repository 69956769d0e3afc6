"""Rectangles and lines, and quick answers to what is in the way."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final, NamedTuple

from .sketch import Bounds, Point

_CELL: Final = 160.0


class Segment(NamedTuple):
    """A straight part of a line, from its lower to its higher ends."""

    left: float
    top: float
    right: float
    bottom: float

    @property
    def is_upright(self) -> bool:
        """Whether it runs from top to bottom."""
        return self.left == self.right


def segment(one: Point, other: Point) -> Segment:
    """The segment between two points, whichever comes first."""
    return Segment(
        min(one.x, other.x), min(one.y, other.y), max(one.x, other.x), max(one.y, other.y)
    )


def segments(route: Sequence[Point]) -> list[Segment]:
    """The segments of a line."""
    return [segment(one, other) for one, other in pairwise(route)]


def box_of(bounds: Bounds) -> Segment:
    """A rectangle by its borders."""
    return Segment(bounds.x, bounds.y, bounds.x + bounds.width, bounds.y + bounds.height)


def straightened(points: Sequence[Point]) -> list[Point]:
    """Without points that are not needed."""
    made: list[Point] = []
    for point in points:
        if made and made[-1] == point:
            continue
        if len(made) > 1 and (
            made[-2].x == made[-1].x == point.x or made[-2].y == made[-1].y == point.y
        ):
            made.pop()
            if made[-1] == point:
                continue
        made.append(point)
    return made


def meet(one: Segment, other: Segment, less: float = 0.0) -> bool:
    """Whether the insides of two rectangles meet; each is less by so much at every side.

    A segment is a rectangle without an inside: what counts is whether it goes through the other.
    """
    return (
        one.left < other.right - less
        and other.left < one.right - less
        and one.top < other.bottom - less
        and other.top < one.bottom - less
    )


def goes_through(line: Segment, box: Segment, less: float = 1.0) -> bool:
    """Whether an upright or level line goes through the inside of a rectangle."""
    return (
        line.left < box.right - less
        and line.right > box.left + less
        and line.top < box.bottom - less
        and line.bottom > box.top + less
    )


def leans_through(one: Point, other: Point, box: Segment, less: float = 1.0) -> bool:
    """Whether a line at any angle goes through the inside of a rectangle."""
    low, high = 0.0, 1.0
    for start, step, near, far in (
        (one.x, other.x - one.x, box.left + less, box.right - less),
        (one.y, other.y - one.y, box.top + less, box.bottom - less),
    ):
        if near >= far:
            return False
        if step == 0.0:
            if not near < start < far:
                return False
            continue
        first, last = sorted(((near - start) / step, (far - start) / step))
        low, high = max(low, first), min(high, last)
        if low >= high:
            return False
    return True


class Index:
    """Rectangles (or segments) by where they are."""

    def __init__(self) -> None:
        self._cells: dict[tuple[int, int], list[int]] = {}
        self.boxes: list[Segment] = []
        self.names: list[str] = []
        #: Too large for cells.
        self._large: list[int] = []

    def add(self, name: str, box: Segment) -> None:
        """Remember a rectangle."""
        number = len(self.boxes)
        self.boxes.append(box)
        self.names.append(name)
        cells = _span(box)
        if (cells[2] - cells[0] + 1) * (cells[3] - cells[1] + 1) > 2500:
            self._large.append(number)
            return
        for column in range(cells[0], cells[2] + 1):
            for row in range(cells[1], cells[3] + 1):
                self._cells.setdefault((column, row), []).append(number)

    def near(self, box: Segment) -> Iterator[int]:
        """Numbers of rectangles that may meet this one, each once, in order."""
        cells = _span(box)
        if (cells[2] - cells[0] + 1) * (cells[3] - cells[1] + 1) > 2500:
            yield from range(len(self.boxes))
            return
        if cells[0] == cells[2] and cells[1] == cells[3] and not self._large:
            yield from self._cells.get((cells[0], cells[1]), ())
            return
        found = set(self._large)
        for column in range(cells[0], cells[2] + 1):
            for row in range(cells[1], cells[3] + 1):
                found.update(self._cells.get((column, row), ()))
        yield from sorted(found)


def _span(box: Segment) -> tuple[int, int, int, int]:
    return (
        int(box.left // _CELL),
        int(box.top // _CELL),
        int(box.right // _CELL),
        int(box.bottom // _CELL),
    )
