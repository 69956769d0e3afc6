from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from diglot.compiler.checks.components import components, has_circle

SIZE = 6
WAYS = st.lists(st.tuples(st.integers(0, SIZE - 1), st.integers(0, SIZE - 1)), max_size=12)


@given(ways=WAYS)
def test_there_is_a_circle_where_a_component_has_a_way_inside(ways: list[tuple[int, int]]) -> None:
    group = components(SIZE, ways)

    is_round = any(group[one] == group[other] for one, other in ways)

    assert has_circle(SIZE, ways) == is_round


def test_a_long_line_has_no_circle_and_a_long_ring_has_one() -> None:
    line = [(one, one + 1) for one in range(9_999)]

    assert not has_circle(10_000, line)
    assert has_circle(10_000, [*line, (9_999, 0)])
