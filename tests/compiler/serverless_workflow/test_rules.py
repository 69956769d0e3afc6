from __future__ import annotations

import pytest

from diglot.compiler import codes
from diglot.compiler.diagnostics import Report
from diglot.compiler.graph import (
    Constant,
    End,
    ErrorTrigger,
    Expression,
    Graph,
    Handler,
    Pass,
    Scope,
)
from diglot.compiler.graph.builder import Builder
from diglot.compiler.serverless_workflow.constructs import CONSTRUCTS
from diglot.compiler.serverless_workflow.reading import Place, Reading, reads, rules
from diglot.specs import constructs
from diglot.specs.serverless_workflow.model.tasks import SetTask
from support.workflows import graph_of

HEADING = Graph(namespace="n", name="m", version="1.0.0")


def test_every_task_has_a_rule():
    graph_of("do: [{a: {set: {x: 1}}}]")

    assert set(rules()) == CONSTRUCTS


def test_every_rule_reads_a_construct_of_the_catalogue():
    assert set(constructs("serverless_workflow")) >= CONSTRUCTS


def test_two_rules_for_one_construct_are_a_mistake_of_ours():
    def rule(task: SetTask, at: Place, reading: Reading) -> None:
        raise AssertionError

    with pytest.raises(ValueError, match="set"):
        reads("set")(rule)


def test_parts_stay_in_the_order_in_which_they_are_added():
    builder = Builder(Report())
    builder.add_scope(Scope(id="/"))
    builder.add(Pass(id="b", scope="/"))
    builder.add(End(id="a", scope="/"))
    builder.add_handler(Handler(id="h", trigger=ErrorTrigger(), node="b"))
    builder.add_flow("b", "a", name="x", condition=Expression(text="."))
    graph = builder.freeze(HEADING)

    assert [node.id for node in graph.nodes] == ["b", "a"]
    assert [scope.id for scope in graph.scopes] == ["/"]
    assert [handler.id for handler in graph.handlers] == ["h"]
    assert [(flow.id, flow.name) for flow in graph.flows] == [("b->a", "x")]
    assert graph.key == "n/m"


def test_flows_between_the_same_nodes_have_different_ids():
    builder = Builder(Report())
    flows = [
        builder.add_flow("a", "b"),
        builder.add_flow("a", "b"),
        builder.add_flow("a", "b", role="skip"),
        builder.add_flow("a", "b", role="handler"),
        builder.add_flow("a", "b"),
    ]

    assert flows == ["a->b", "a->b#2", "a->b#skip", "a->b#handler", "a->b#3"]
    assert builder.is_target("b")
    assert not builder.is_target("a")


def test_an_id_that_is_taken_is_reported_and_the_first_part_stays():
    report = Report()
    builder = Builder(report)
    builder.add(Pass(id="a", scope="/", name="first"))
    builder.add(Pass(id="a", scope="/", name="second", pointer="/x"))
    builder.add_scope(Scope(id="/"))
    builder.add_scope(Scope(id="/", pointer="/y"))
    builder.add_handler(Handler(id="h", trigger=ErrorTrigger()))
    builder.add_handler(Handler(id="h", trigger=ErrorTrigger(variable="e"), pointer="/z"))
    graph = builder.freeze(HEADING)

    assert [(found.code, found.pointer) for found in report] == [
        (codes.DUPLICATE_NODE_ID.id, "/x"),
        (codes.DUPLICATE_NODE_ID.id, "/y"),
        (codes.DUPLICATE_NODE_ID.id, "/z"),
    ]
    assert [node.name for node in graph.nodes] == ["first"]
    assert graph.handlers[0].trigger == ErrorTrigger()


def test_a_builder_is_full_by_nodes_or_by_the_length_of_their_ids():
    few = Builder(Report(), limit=1)
    few.add(Pass(id="a", scope="/"))
    long = Builder(Report())
    long.add(Pass(id="a" * 50_000_000, scope="/"))

    assert few.is_full
    assert long.is_full
    assert not Builder(Report()).is_full


def test_a_constant_is_the_authors_value_itself():
    graph = graph_of("do: [{a: {set: {x: [1, 2.5, null, true]}}}]")

    assert any(
        getattr(node, "value", None) == Constant({"x": [1, 2.5, None, True]})
        for node in graph.nodes
    )
