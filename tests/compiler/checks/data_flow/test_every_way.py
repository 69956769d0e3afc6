"""The findings on small random graphs are those of all their ways, one by one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from diglot.compiler.checks.data_flow import check_data_flow
from diglot.compiler.diagnostics import Report
from diglot.compiler.graph import (
    Assign,
    Choice,
    Constant,
    DataRules,
    End,
    Expression,
    Flow,
    Graph,
    Node,
    Pass,
    Record,
    Scope,
    ScopeNode,
    Start,
    Variable,
)

NAMES = ("x", "y")


@dataclass(frozen=True)
class Step:
    """A node that writes or reads a variable, and where the way may go on; -1 is the end."""

    writes: bool
    name: str
    targets: tuple[int, ...]


@st.composite
def steps(draw: Any) -> list[Step]:
    count = draw(st.integers(1, 7))
    found: list[Step] = []
    for place in range(count):
        later = [*range(place + 1, count), -1]
        targets = draw(st.lists(st.sampled_from(later), min_size=1, max_size=3, unique=True))
        found.append(Step(draw(st.booleans()), draw(st.sampled_from(NAMES)), tuple(targets)))
    return found


def graph_of(found: list[Step]) -> Graph:
    """The steps in a sub-process, whose variables nobody outside can bring."""
    nodes: list[Node] = [
        Start(id="start", scope="/"),
        ScopeNode(id="hold", scope="/", body="body"),
        End(id="end", scope="/"),
        Start(id="body.start", scope="body"),
        End(id="body.end", scope="body"),
    ]
    flows = [
        Flow(id="a", source="start", target="hold"),
        Flow(id="b", source="hold", target="end"),
        Flow(id="c", source="body.start", target="n0"),
    ]
    for place, step in enumerate(found):
        id = f"n{place}"
        if step.writes:
            rules = DataRules(
                export=Record(((step.name, Constant(place)),)), export_mode="variables"
            )
            nodes.append(
                Assign(id=id, scope="body", pointer=id, name=id, value=Constant({}), data=rules)
            )
        else:
            read = Record((("in", Expression(text=f".{step.name} * 2", of="variables")),))
            rules = DataRules(read=read)
            nodes.append(Pass(id=id, scope="body", pointer=id, name=id, data=rules))
        ways = [f"{id}->{target}" for target in step.targets]
        nodes.append(Choice(id=f"{id}#", scope="body", branches=tuple(ways[:-1]), default=ways[-1]))
        flows.append(Flow(id=f"{id}-", source=id, target=f"{id}#"))
        for way, target in zip(ways, step.targets, strict=True):
            to = "body.end" if target < 0 else f"n{target}"
            flows.append(Flow(id=way, source=f"{id}#", target=to))
    empty = tuple(Variable(name=name, value=Constant(None)) for name in NAMES)
    return Graph(
        namespace="test",
        name="test",
        version="1.0.0",
        scopes=(
            Scope(id="/", form="process", start="start", binds_input=True),
            Scope(id="body", parent="/", start="body.start", form="sub-process", variables=empty),
        ),
        nodes=tuple(nodes),
        flows=tuple(flows),
    )


def ways_of(found: list[Step], place: int = 0) -> Iterator[tuple[int, ...]]:
    """Every way through the steps, as their places."""
    for target in found[place].targets:
        if target < 0:
            yield (place,)
        else:
            yield from ((place, *rest) for rest in ways_of(found, target))


def told(graph: Graph, code: str) -> set[str]:
    report = Report()
    check_data_flow(graph, report, {})
    return {one.pointer for one in report if one.code == code}


def is_set(found: list[Step], way: tuple[int, ...], reading: int) -> bool:
    name = found[reading].name
    before = way[: way.index(reading)]
    return any(found[place].writes and found[place].name == name for place in before)


def next_use(found: list[Step], way: tuple[int, ...], writing: int) -> Step | None:
    name = found[writing].name
    behind = way[way.index(writing) + 1 :]
    return next((found[place] for place in behind if found[place].name == name), None)


@settings(max_examples=100, deadline=None)
@given(steps())
def test_what_is_never_set_is_set_on_no_way(found: list[Step]) -> None:
    ways = list(ways_of(found))
    expected = {
        f"n{place}"
        for place, step in enumerate(found)
        if not step.writes
        and any(place in way for way in ways)
        and not any(is_set(found, way, place) for way in ways if place in way)
    }

    assert told(graph_of(found), "DG1801") == expected


@settings(max_examples=100, deadline=None)
@given(steps())
def test_what_is_missing_on_a_way_is_set_on_another(found: list[Step]) -> None:
    ways = list(ways_of(found))

    for pointer in told(graph_of(found), "DG1802"):
        place = int(pointer.removeprefix("n"))
        answers = {is_set(found, way, place) for way in ways if place in way}
        assert answers == {True, False}


@settings(max_examples=100, deadline=None)
@given(steps())
def test_what_is_lost_or_never_read_is_read_on_no_way(found: list[Step]) -> None:
    ways = list(ways_of(found))
    lost: set[str] = set()
    never: set[str] = set()
    for place, step in enumerate(found):
        through = [way for way in ways if place in way]
        uses = [next_use(found, way, place) for way in through]
        if not step.writes or not through or any(one and not one.writes for one in uses):
            continue
        (lost if any(uses) else never).add(f"n{place}")
    graph = graph_of(found)

    assert told(graph, "DG1804") == lost
    assert told(graph, "DG1805") == never
