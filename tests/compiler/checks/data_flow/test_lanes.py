"""Which nodes of drawn blocks may run at the same time, and how long it takes to know."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from diglot.compiler.checks.data_flow.lanes import Lane, Lanes, crossings
from diglot.compiler.checks.ways import Ways
from diglot.compiler.graph import Choice, End, Flow, Fork, Graph, Join, Node, Pass, Scope, Start

#: A block: a task, or parts one after the other ("then"), side by side ("and"), or one of ("or").
Block = Any

BLOCKS = st.recursive(
    st.just(("task",)),
    lambda inner: st.tuples(
        st.sampled_from(("then", "and", "or")), st.lists(inner, min_size=2, max_size=3)
    ),
    max_leaves=8,
)


class Drawing:
    """A block as nodes and flows, with the pairs of tasks that may run at the same time."""

    def __init__(self, block: Block) -> None:
        self.nodes: list[Node] = [Start(id="start", scope="/"), End(id="end", scope="/")]
        self.flows: list[Flow] = []
        self.together: set[frozenset[str]] = set()
        last, self.tasks = self._draw(block, "start")
        self._lead(last, "end")

    def _lead(self, source: str, target: str) -> str:
        id = f"{source}->{target}"
        self.flows.append(Flow(id=id, source=source, target=target))
        return id

    def _draw(self, block: Block, last: str) -> tuple[str, list[str]]:
        number = len(self.nodes)
        if block[0] == "task":
            self.nodes.append(Pass(id=f"t{number}", scope="/"))
            self._lead(last, f"t{number}")
            return f"t{number}", [f"t{number}"]
        if block[0] == "then":
            tasks: list[str] = []
            for part in block[1]:
                last, inner = self._draw(part, last)
                tasks += inner
            return last, tasks
        split, meeting = f"s{number}", f"m{number}"
        self._lead(last, split)
        self.nodes.append(Fork(id=split, scope="/"))
        kind = Join if block[0] == "and" else Pass
        self.nodes.append(kind(id=meeting, scope="/"))
        parts: list[list[str]] = []
        for part in block[1]:
            self.nodes.append(Pass(id=f"b{len(self.nodes)}", scope="/"))
            branch = self.nodes[-1].id
            self._lead(split, branch)
            end, inner = self._draw(part, branch)
            self._lead(end, meeting)
            parts.append(inner)
        if block[0] == "and":
            for one, other in combinations(parts, 2):
                self.together |= {frozenset((a, b)) for a in one for b in other}
        else:
            ways = tuple(flow.id for flow in self.flows if flow.source == split)
            place = next(at for at, node in enumerate(self.nodes) if node.id == split)
            self.nodes[place] = Choice(id=split, scope="/", branches=ways[:-1], default=ways[-1])
        return meeting, [task for part in parts for task in part]

    def graph(self) -> Graph:
        return Graph(
            namespace="test",
            name="test",
            version="1.0.0",
            scopes=(Scope(id="/", form="process", start="start"),),
            nodes=tuple(self.nodes),
            flows=tuple(self.flows),
        )


def are_together(one: Lane, other: Lane) -> bool:
    around = {(at.outer, at.split): at.branches for at in crossings(one)}
    return any(
        (at.outer, at.split) in around and around[at.outer, at.split].isdisjoint(at.branches)
        for at in crossings(other)
    )


@settings(max_examples=100, deadline=None)
@given(BLOCKS)
def test_tasks_of_different_branches_run_at_the_same_time_and_no_others(block: Block) -> None:
    drawing = Drawing(block)
    graph = drawing.graph()
    lanes = Lanes(graph, Ways(graph)).of_node

    found = {
        frozenset((a, b))
        for a, b in combinations(drawing.tasks, 2)
        if are_together(lanes[a], lanes[b])
    }

    assert found == drawing.together


def chain_of_splits(count: int) -> Iterator[Node | Flow]:
    """Splits inside each other, as deep as there are many."""
    yield Start(id="start", scope="/")
    yield End(id="end", scope="/")
    last = "start"
    for place in range(count):
        yield Fork(id=f"s{place}", scope="/")
        yield Join(id=f"j{place}", scope="/")
        yield Flow(id=f"a{place}", source=last, target=f"s{place}")
        yield Flow(id=f"b{place}", source=f"s{place}", target=f"j{place}")
        if place:
            yield Flow(id=f"c{place}", source=f"j{place}", target=f"j{place - 1}")
        last = f"s{place}"
    yield Flow(id="last", source=last, target=f"j{count - 1}")
    yield Flow(id="out", source="j0", target="end")


def test_splits_may_be_nested_without_end() -> None:
    parts = list(chain_of_splits(3_000))
    graph = Graph(
        namespace="test",
        name="test",
        version="1.0.0",
        scopes=(Scope(id="/", form="process", start="start"),),
        nodes=tuple(part for part in parts if not isinstance(part, Flow)),
        flows=tuple(part for part in parts if isinstance(part, Flow)),
    )

    lanes = Lanes(graph, Ways(graph)).of_node

    assert lanes["end"].depth == 0
    assert lanes["s2999"].depth == 2_999
