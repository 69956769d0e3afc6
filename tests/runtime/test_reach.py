"""Where tokens can still go, against a search from every node."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from diglot.runtime import reach
from diglot.runtime.reach import Reach, between

Ways = dict[str, list[tuple[str, str]]]


@st.composite
def graphs(draw: st.DrawFn) -> Ways:
    """Nodes with flows between them, whichever way; a node may have none."""
    names = [str(number) for number in range(draw(st.integers(2, 8)))]
    ways: Ways = {name: [] for name in names}
    edges = st.tuples(st.sampled_from(names), st.sampled_from(names))
    for number, (source, target) in enumerate(draw(st.lists(edges, max_size=20))):
        ways[source].append((f"f{number}", target))
    return ways


def reached(ways: Ways, begin: str, without: str = "") -> set[str]:
    """The nodes that `begin` leads to, itself among them."""
    found: set[str] = set()
    rest = [begin] if begin != without else []
    while rest:
        node = rest.pop()
        if node not in found:
            found.add(node)
            rest.extend(target for _, target in ways[node] if target != without)
    return found


@given(graphs())
def test_the_flows_that_are_reached_are_those_a_search_finds(ways: Ways) -> None:
    merge = "0"
    incoming = [flow for leaving in ways.values() for flow, target in leaving if target == merge]
    seen = Reach(merge, incoming, ways)

    for node in ways.keys() - {merge}:
        found = {
            flow
            for passed in reached(ways, node, merge)
            for flow, target in ways[passed]
            if target == merge
        }
        kind = seen.kind(node)
        mask = 0 if kind is None else seen.masks[kind]
        assert {flow for flow, bit in seen.bits.items() if mask & bit} == found
    assert seen.kind(merge) is None


@given(graphs())
def test_the_kinds_that_reach_a_flow_are_found_among_those_asked_for(ways: Ways) -> None:
    incoming = [flow for leaving in ways.values() for flow, target in leaving if target == "0"]
    found = Reach("0", incoming, ways)
    for node in ways:
        found.kind(node)
    for known in (dict.fromkeys(range(size), 1) for size in range(len(found.masks) + 1)):
        for bit in found.bits.values():
            expected = {kind for kind in known if found.masks[kind] & bit}
            assert set(found.holding(bit, known)) == expected


def test_without_a_table_the_kinds_are_looked_through(monkeypatch: pytest.MonkeyPatch) -> None:
    ways: Ways = {"a": [("f0", "m")], "b": [("f1", "m"), ("g", "a")], "c": [("f2", "m")], "m": []}
    monkeypatch.setattr(reach, "_TABLE", 0)
    found = Reach("m", ["f0", "f1", "f2"], ways)
    kinds = {kind: 1 for kind in map(found.kind, "abc") if kind is not None}
    assert set(found.holding(found.bits["f0"], kinds)) == {found.kind("a"), found.kind("b")}


def leads_off(ways: Ways, node: str, join: str) -> bool:
    """Whether a token at the node may come to a dead end without the join."""
    return any(not ways[passed] for passed in reached(ways, node, join))


@given(graphs())
def test_the_region_of_a_join_is_what_lies_between_its_split_and_it(ways: Ways) -> None:
    start, join = "0", "1"
    split, region = between(join, [start], ways)

    every_way = [
        node
        for node in ways
        if node != join and join in reached(ways, start) and join not in reached(ways, start, node)
    ]
    if not every_way:
        assert (split, region) == (None, frozenset())
        return
    # The last of them: from it the join is reached without any of the others.
    assert split in every_way
    others = [node for node in every_way if node != split]
    assert all(split in reached(ways, node) for node in others)

    for node in ways.keys() - {split, join}:
        inside = any(
            target not in (split, join) and node in reached({**ways, split: [], join: []}, target)
            for _, target in ways[split]
        )
        only_by_split = node not in reached(ways, start, split)
        leads_there = join in reached({**ways, split: []}, node)
        is_between = inside and only_by_split and leads_there
        closed = {**ways, split: [("", join)]}
        assert (node in region) == (is_between and not leads_off(closed, node, join))
