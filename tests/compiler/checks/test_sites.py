from __future__ import annotations

from diglot.compiler.checks.sites import sites_kept, sites_of
from diglot.compiler.graph import Assign, Constant, End, Expression, Flow, Graph, Scope, Start
from diglot.compiler.graph.sites import walk_expressions


def graph_of(text: str) -> Graph:
    return Graph(
        namespace="checks",
        name="one",
        version="1.0.0",
        scopes=(Scope(id="/", form="process", start="start"),),
        nodes=(
            Start(id="start", scope="/"),
            Assign(id="set", scope="/", value=Expression(text=text)),
            Assign(id="fixed", scope="/", value=Constant(1)),
            End(id="end", scope="/"),
        ),
        flows=(
            Flow(id="a", source="start", target="set"),
            Flow(id="b", source="set", target="fixed"),
            Flow(id="c", source="fixed", target="end"),
        ),
    )


def test_the_expressions_of_a_graph_are_found_out_once_while_they_are_kept() -> None:
    graph = graph_of(".a")

    with sites_kept(graph):
        first, second = sites_of(graph), sites_of(graph)

    assert first is second
    assert list(walk_expressions(graph)) == list(first)


def test_those_of_another_graph_are_its_own() -> None:
    one, other = graph_of(".a"), graph_of(".b")

    with sites_kept(one):
        sites_of(one)
        with sites_kept(other):
            inner = [site.expression.text for site in sites_of(other)]
        foreign = [site.expression.text for site in sites_of(other)]
        outer = [site.expression.text for site in sites_of(one)]

    assert inner == [".b"]
    assert foreign == [".b"]
    assert outer == [".a"]


def test_a_graph_without_expressions_is_looked_through_once_too() -> None:
    graph = Graph(namespace="checks", name="none", version="1.0.0")

    with sites_kept(graph):
        first = sites_of(graph)

        assert first is sites_of(graph)
        assert not first
