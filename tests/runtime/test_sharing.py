"""Whose turn it is when several tenants have work."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from diglot.runtime.store.sharing import Round, Turns

LINES = st.dictionaries(
    st.tuples(st.sampled_from("xyz"), st.sampled_from("ABCDE")), st.integers(1, 30), min_size=1
)


def claim(turns: Turns, ready: dict[tuple[str, str], int], limit: int) -> Counter[str]:
    """How many jobs each tenant gets; they are taken out of what is ready."""
    given: Counter[str] = Counter()
    turn = Round(turns, [line for line, count in ready.items() if count], limit)
    for type, tenant, most in turn:
        count = min(most, ready[type, tenant])
        ready[type, tenant] -= count
        given[tenant] += count
        turn.took(type, tenant, count, has_more=count == most)
    return given


@given(LINES, st.integers(1, 40))
def test_each_tenant_gets_its_share_and_nothing_is_left_while_there_is_room(
    ready: dict[tuple[str, str], int], limit: int
) -> None:
    has: Counter[str] = Counter()
    for (_, tenant), count in ready.items():
        has[tenant] += count
    total = sum(has.values())

    given = claim(Turns(), dict(ready), limit)

    assert sum(given.values()) == min(limit, total)
    for tenant, count in has.items():
        assert given[tenant] >= min(count, limit // len(has))


def test_a_flood_of_one_tenant_lets_another_have_every_second_job() -> None:
    turns = Turns()
    ready = {("work", "flood"): 1000, ("work", "small"): 10}

    for _ in range(10):
        first, second = claim(turns, ready, 1), claim(turns, ready, 1)
        assert {*first, *second} == {"flood", "small"}


def test_a_tenant_with_many_types_gets_no_more_than_one_with_one() -> None:
    ready = {("x", "many"): 50, ("y", "many"): 50, ("z", "many"): 50, ("x", "one"): 50}

    assert claim(Turns(), ready, 20) == {"many": 10, "one": 10}


def test_types_of_a_tenant_take_turns() -> None:
    turns = Turns()
    ready = {("x", "A"): 100, ("y", "A"): 100}

    for _ in range(10):
        claim(turns, ready, 1)

    assert ready == {("x", "A"): 95, ("y", "A"): 95}
