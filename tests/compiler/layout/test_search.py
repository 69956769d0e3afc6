"""Lines find their way between what is there."""

from __future__ import annotations

import itertools

from hypothesis import given, settings
from hypothesis import strategies as st

from diglot.compiler.layout import Bounds, Point
from diglot.compiler.layout.field import Field
from diglot.compiler.layout.ports import left_of, right_of
from diglot.compiler.layout.search import BEND, Search

_ONE = Bounds(0, 0, 100, 80)
_OTHER = Bounds(400, 0, 100, 80)


def _found(shapes: dict[str, Bounds], routes: dict[str, list[Point]]) -> list[Point]:
    field = Field({"one": _ONE, "other": _OTHER, **shapes}, routes)
    found = field.find([right_of(_ONE)], [left_of(_OTHER)], (), {"one", "other"})
    assert found is not None
    return found


def test_a_line_is_straight_where_it_can_be() -> None:
    assert _found({}, {}) == [Point(100, 40), Point(400, 40)]


def test_a_line_goes_around_what_is_in_its_way() -> None:
    line = _found({"wall": Bounds(200, 0, 50, 300)}, {})

    assert min(point.y for point in line) < 0
    assert len(line) == 6


def test_a_line_keeps_off_a_line_that_runs_its_way() -> None:
    line = _found({}, {"other line": [Point(150, 40), Point(350, 40)]})

    level = [one.y for one, other in itertools.pairwise(line) if one.y == other.y != 40]
    assert len(level) == 1
    assert abs(level[0] - 40) >= 10


def test_a_line_crosses_another_rather_than_go_far() -> None:
    assert _found({}, {"other line": [Point(250, -900), Point(250, 900)]}) == [
        Point(100, 40),
        Point(400, 40),
    ]


def test_there_is_no_line_to_what_is_shut_in() -> None:
    around = {
        "left": Bounds(350, -100, 20, 300),
        "right": Bounds(550, -100, 20, 300),
        "above": Bounds(350, -120, 220, 40),
        "below": Bounds(350, 180, 220, 40),
    }
    field = Field({"one": _ONE, "other": _OTHER, **around}, {})

    assert field.find([right_of(_ONE)], [left_of(_OTHER)], (), {"one", "other"}) is None


def test_a_search_ends_when_its_steps_are_spent() -> None:
    grid = [float(number) for number in range(0, 1000, 10)]
    search = Search(grid, grid, lambda part: part.right - part.left + part.bottom - part.top, 5)
    ports = right_of(Bounds(0, 0, 10, 20)), left_of(Bounds(900, 900, 10, 20))

    assert search.run([ports[0]], [ports[1]]) is None
    assert search.left == 0


_PLACES = st.tuples(st.integers(-3, 8), st.integers(-3, 3))


@settings(max_examples=60, deadline=None)
@given(st.lists(_PLACES, max_size=8))
def test_what_is_found_is_a_way_through_free_room(places: list[tuple[int, int]]) -> None:
    blocks = [Bounds(x * 50 + 110, y * 60 + 5, 20, 30) for x, y in places]
    shapes = {
        f"block{number}": block
        for number, block in enumerate(blocks)
        if not (block.x < 500 and block.x + 20 > 90 and -30 < block.y < 80) or 140 < block.x < 340
    }
    field = Field({"one": _ONE, "other": _OTHER, **shapes}, {})

    line = field.find([right_of(_ONE)], [left_of(_OTHER)], (), {"one", "other"})

    assert line is not None
    assert (line[0], line[-1]) == (Point(100, 40), Point(400, 40))
    price = field.price(line, (), {"one", "other"})
    assert price is not None
    assert price >= 300 + BEND * (len(line) - 2)
