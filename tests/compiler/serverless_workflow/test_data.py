from __future__ import annotations

import pytest

from diglot.compiler.graph import (
    Assign,
    Constant,
    DataRules,
    Expression,
    Graph,
    Listing,
    Record,
    Schema,
    UriTemplate,
    Value,
    to_json,
)
from support.workflows import compile_text, findings, graph_of, node, scope


def value_of(body: str) -> Value:
    return node(graph_of(f"do: [{{a: {{set: {body}}}}}]"), "/do/0/a", Assign).value


def texts(value: Value | None) -> str:
    assert isinstance(value, Expression)
    return value.text


def rules_of(fields: str) -> DataRules:
    rules = node(graph_of(f"do: [{{a: {{set: {{x: 1}}, {fields}}}}}]"), "/do/0/a", Assign).data
    assert rules is not None
    return rules


def test_what_holds_no_expression_is_one_constant():
    assert value_of("{a: 1, b: [x, {c: null}]}") == Constant({"a": 1, "b": ["x", {"c": None}]})


def test_only_the_parts_with_expressions_are_taken_apart():
    found = value_of('{a: "${ .x }", b: [1, "${ .y }"], c: {d: 2}}')

    assert isinstance(found, Record)
    members = dict(found.members)
    assert texts(members["a"]) == ".x"
    assert isinstance(members["b"], Listing)
    assert texts(members["b"].items[1]) == ".y"
    assert members["c"] == Constant({"d": 2})


def test_data_may_be_one_expression():
    assert texts(value_of('"${ .x + 1 }"')) == ".x + 1"


def test_bare_text_in_data_is_no_expression():
    assert value_of("{a: hello}") == Constant({"a": "hello"})


@pytest.mark.parametrize("written", [".x > 1", '"${ .x > 1 }"', '"  ${.x > 1}  "'])
def test_where_only_an_expression_can_stand_the_signs_around_it_are_optional(written: str):
    graph = graph_of(f"do: [{{a: {{if: {written}, set: {{x: 1}}}}}}]")
    guard = node(graph, "/do/0/a", Assign).guard

    assert guard is not None
    assert guard.condition.text == ".x > 1"


@pytest.mark.parametrize(
    ("written", "start", "end"),
    [
        (".x > 1", (3, 9), (3, 15)),
        ('"${ .x > 1 }"', (3, 13), (3, 19)),
        ("'${.x > 1}'", (3, 12), (3, 18)),
        ("|\n      ${\n        .x > 1\n      }", (5, 9), (5, 15)),
    ],
)
def test_an_expression_knows_where_its_text_stands(
    written: str, start: tuple[int, int], end: tuple[int, int]
):
    graph = graph_of(f"do:\n- a:\n    if: {written}\n    set: {{x: 1}}\n")
    guard = node(graph, "/do/0/a", Assign).guard

    assert guard is not None
    span = guard.condition.span
    assert span is not None
    assert (span.start.line - 1, span.start.column) == start
    assert (span.end.line - 1, span.end.column) == end


def test_data_rules_come_from_input_output_and_export():
    rules = rules_of(
        'input: {from: .i}, output: {as: {o: "${ .o }", p: .p}}, export: {as: "$context + ."}'
    )

    assert texts(rules.read) == ".i"
    assert isinstance(rules.write, Record)
    assert dict(rules.write.members)["p"] == Constant(".p")
    assert texts(rules.export) == "$context + ."
    assert (rules.export_to, rules.export_mode) == ("context", "replace")


def test_schemas_stand_at_the_three_points_where_data_is_validated():
    rules = rules_of(
        "input: {schema: {document: {type: object}}}, "
        "output: {schema: {resource: {endpoint: 'https://x/{y}'}}}, "
        "export: {schema: {format: json, document: true}}"
    )

    assert rules.input_schema == Schema(document={"type": "object"})
    assert rules.output_schema == Schema(
        resource=Record((("endpoint", Record((("uri", UriTemplate("https://x/{y}")),))),))
    )
    assert rules.export_schema == Schema(document=True)


def test_a_task_without_rules_has_none():
    assert node(graph_of("do: [{a: {set: {x: 1}}}]"), "/do/0/a", Assign).data is None


def test_the_workflow_has_rules_of_its_own():
    graph = graph_of("input: {from: .i}\noutput: {as: .o}\ndo: [{a: {set: {x: 1}}}]")

    assert graph.data is not None
    assert texts(graph.data.read) == ".i"
    assert texts(graph.data.write) == ".o"


def test_a_schema_of_the_dialect_that_it_names_is_valid():
    draft_4 = (
        "{$schema: 'http://json-schema.org/draft-04/schema#', minimum: 1, exclusiveMinimum: true}"
    )
    body = "input: {schema: {document: %s}}\ndo: [{a: {set: {x: 1}}}]"

    assert findings(body % draft_4) == []
    assert findings(body % "{minimum: 1, exclusiveMinimum: true}") == ["DG0223@1:59"]


def loose(body: str) -> Graph:
    return graph_of(f"evaluate: {{mode: loose}}\ndo: [{{a: {{set: {body}}}}}]")


def test_in_loose_mode_every_string_is_tried():
    found = node(loose('{a: .x + 1, b: "${ .y }"}'), "/do/0/a", Assign).value

    assert isinstance(found, Record)
    a, b = (member for _, member in found.members)
    assert texts(a) == 'try (.x + 1\n) catch ".x + 1"'
    assert texts(b) == 'try (.y\n) catch "${ .y }"'


@pytest.mark.parametrize("text", ["hello", "two words", "$unknown", "1 +", "a: b", "halt"])
def test_in_loose_mode_what_does_not_compile_stays_text(text: str):
    assert node(loose(f"{{a: '{text}'}}"), "/do/0/a", Assign).value == Constant({"a": text})


def test_in_loose_mode_the_names_of_loops_are_known():
    graph = graph_of(
        "evaluate: {mode: loose}\n"
        "do: [{a: {for: {each: pet, in: .pets}, do: [{b: {set: {x: $pet}}}]}}]"
    )

    assert isinstance(node(graph, "/do/0/a/do/0/b", Assign).value, Record)


@pytest.mark.parametrize(
    "text",
    [
        "${ $workflow.definition.document.name }",
        "${ $task.definition }",
        '${ $workflow | .["definition"] }',
    ],
)
def test_the_document_is_kept_where_an_expression_looks_at_it(text: str):
    graph = graph_of(f"do:\n- a:\n    set:\n      x: '{text}'\n")

    assert graph.document["do"] == [{"a": {"set": {"x": text}}}]


def test_the_document_is_left_out_where_nothing_looks_at_it():
    graph = graph_of('do: [{a: {set: {x: "${ $task.name + .definition.x }"}}}]')

    assert graph.document is not None
    assert graph_of('do: [{a: {set: {x: "${ .definition }"}}}]').document is None
    assert graph_of('do: [{a: {set: {x: "${ $task.name }"}}}]').document is None


def test_the_heading_of_the_graph_is_that_of_the_document():
    graph, _ = compile_text(
        "document: {dsl: 1.0.3, namespace: n, name: m, version: 1.2.3, title: T, summary: S,\n"
        "  tags: {a: b}, metadata: {c: [1]}}\n"
        "use: {secrets: [key]}\n"
        "do: [{a: {set: {x: '${ $secrets.key }'}}}]"
    )

    assert graph is not None
    assert (graph.key, graph.version, graph.title, graph.documentation) == (
        "n/m",
        "1.2.3",
        "T",
        "S",
    )
    assert (graph.tags, graph.metadata) == ({"a": "b"}, {"c": [1]})
    assert graph.declarations.secrets == ("key",)
    assert graph.origin is not None
    assert (graph.origin.dialect, graph.origin.dialect_version) == ("serverless-workflow", "1.0.3")
    assert (graph.origin.file, len(graph.origin.sha256)) == ("one.yaml", 64)


def test_a_number_of_any_size_stays_what_it_is():
    number = 10**30

    assert value_of(f"{{x: {number}}}") == Constant({"x": number})
    assert str(number).encode() in to_json(graph_of(f"do: [{{a: {{set: {{x: {number}}}}}}}]"))


def test_a_scope_has_the_place_of_its_list():
    graph = graph_of("do:\n- a: {do: [{b: {set: {x: 1}}}]}")

    assert scope(graph, "/do/0/a/do").pointer == "/do/0/a/do"
    assert str(scope(graph, "/do/0/a/do").span) == "one.yaml:3:7"
