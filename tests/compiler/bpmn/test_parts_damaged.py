"""Parts that are damaged, missing, there twice or hostile: told with their place, and never run."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from diglot.compiler import codes
from diglot.compiler.bpmn.writing.parts import DamagedPart, decode, encode
from diglot.compiler.diagnostics import Code, Severity
from diglot.compiler.graph import Flow, Task
from diglot.compiler.source import Position, Span
from support.edits import Edited, Element, model, of_export, own

ORDER = """
do:
- reserve: {run: {shell: {command: reserve}}}
- ship: {run: {shell: {command: ship}}}
"""
_SPAN = Span("order.bpmn", Position(3, 5), Position(3, 9))

Change = Callable[[dict[str, object]], object]


def _text(part: Element) -> str:
    assert part.text is not None
    return part.text


def _errors(file: Edited) -> list[str]:
    found = file.compiled().diagnostics
    return [codes.by_id(one.code).name for one in found if one.severity is Severity.ERROR]


def _refused(file: Edited, code: Code, problem: str) -> None:
    """The file has this one error, with its place, its reason and a hint."""
    error = file.only_error()
    assert error.code == code.id
    assert problem in error.message
    assert error.span is not None
    assert error.span.start.line > 1
    assert error.hint


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "truncated"),
        ("{", "truncated"),
        ("not json", "malformed"),
        ("[]", "Expected `object`"),
        ("null", "Expected `object`"),
        ("7", "Expected `object`"),
        ('{"type": "Task"}', "missing required field"),
        ('{"type": "Nothing", "id": "a", "scope": "/"}', "Invalid value 'Nothing'"),
        ('{"type": "Pass", "id": 7, "scope": "/"}', "Expected `str`, got `int`"),
        ('{"type": "Pass", "id": "a", "scope": "/", "start_quantity": "many"}', "Expected `int`"),
        ("[" * 500 + "]" * 500, "nested more than 400 deep"),
        ('{"id": ' * 500, "nested more than 400 deep"),
        ('{"type": "Pass", "id": "\\ud800", "scope": "/"}', "surrogate"),
    ],
)
def test_a_part_that_is_none_any_more_is_refused_where_it_stands(text: str, problem: str) -> None:
    file = Edited(ORDER)

    file.parts("reserve")[0].text = text

    _refused(file, codes.PART_DAMAGED, problem)


def test_a_part_of_an_unknown_kind_is_refused() -> None:
    file = Edited(ORDER)

    file.parts("reserve")[0].set("kind", "dragon")

    _refused(file, codes.PART_DAMAGED, "`dragon` is no kind of part")


def test_a_huge_part_is_refused_in_no_time() -> None:
    with pytest.raises(DamagedPart, match="nested more than 400 deep"):
        decode("node", "[" * 5_000_000, _SPAN)


def test_a_heading_that_is_none_any_more_is_refused() -> None:
    file = Edited(ORDER)

    next(file.root.iter(own("graph"))).text = "{}"

    _refused(file, codes.PART_DAMAGED, "missing required field")


def test_a_heading_of_another_format_is_refused() -> None:
    file = Edited(ORDER)
    heading = next(file.root.iter(own("graph")))

    heading.text = json.dumps({**json.loads(_text(heading)), "format": "99"})

    _refused(file, codes.PART_DAMAGED, "the format of the graph is '99'")


def test_parts_without_a_heading_are_not_taken_for_plain_bpmn() -> None:
    file = Edited(ORDER)

    heading = next(file.root.iter(own("graph")))
    extensions = heading.getparent()
    assert extensions is not None
    extensions.remove(heading)

    assert codes.PARTS_WITHOUT_GRAPH.name in _errors(file)


def test_a_process_that_lost_its_outermost_scope_is_refused() -> None:
    file = Edited(ORDER)

    (scope,) = [one for one in file.root.iter(own("part")) if one.get("kind") == "scope"]
    extensions = scope.getparent()
    assert extensions is not None
    extensions.remove(scope)

    _refused(file, codes.PART_MISSING, "the scope `/`")


def test_a_copy_of_an_element_is_refused_as_long_as_it_has_the_same_parts() -> None:
    file = Edited(ORDER)

    file.copy("reserve", "again")

    _refused(file, codes.PART_TWICE, "the node `/do/0/reserve` stands in line")


def test_a_copy_without_the_parts_is_a_new_element() -> None:
    file = Edited(ORDER)

    file.copy("reserve", "again")
    file.forget("again")
    file.lead("reserve_to_ship", "again")
    file.connect("again", "ship", "on")

    assert [one.name for one in file.graph().nodes if isinstance(one, Task)] == [
        "reserve", "ship", "Reserve",
    ]  # fmt: skip


@pytest.mark.parametrize("order", ["", "-1", "x", "9" * 5000, "1.5", "\u0663"])
def test_an_order_that_is_none_comes_last(order: str) -> None:
    file = Edited(ORDER)

    file.parts("reserve")[0].set("order", order)

    assert file.graph().nodes[-1].id == "/do/0/reserve"


def _set(name: str, value: object) -> Change:
    def change(members: dict[str, object]) -> object:
        return members.__setitem__(name, value)

    return change


@pytest.mark.parametrize(
    ("element", "kind", "change"),
    [
        ("reserve", "node", _set("scope", "/nowhere")),
        ("reserve_to_ship", "flow", _set("target", "/nowhere")),
        ("reserve_to_ship", "flow", _set("source", "/nowhere")),
        ("start", "node", _set("subject", "/nowhere")),
    ],
)
def test_what_refers_to_nowhere_is_never_run_as_it_is(
    element: str, kind: str, change: Change
) -> None:
    file = Edited(ORDER)
    (part,) = [one for one in file.parts(element) if one.get("kind") == kind]
    members = json.loads(_text(part))

    change(members)
    part.text = json.dumps(members)

    compiled = file.compiled()
    graph = compiled.graph
    if graph is not None and not compiled.has_errors:
        nodes, scopes = {one.id for one in graph.nodes}, {one.id for one in graph.scopes}
        assert {one.scope for one in graph.nodes} <= scopes
        assert {end for one in graph.flows for end in (one.source, one.target)} <= nodes


def test_scopes_in_a_circle_are_refused_or_left_out() -> None:
    file = Edited(
        """
        do:
        - outer:
            for: {each: a, in: .as}
            do:
            - inner:
                for: {each: b, in: .bs}
                do: [{work: {run: {shell: {command: work}}}}, {more: {run: {shell: {command: b}}}}]
            - more: {run: {shell: {command: more}}}
        """.replace("\n        ", "\n")
    )
    scopes = [one for one in file.root.iter(own("part")) if one.get("kind") == "scope"]
    ids = [json.loads(_text(one))["id"] for one in scopes]
    for part, parent in zip(scopes[1:], [ids[-1], ids[1]], strict=True):
        part.text = json.dumps({**json.loads(_text(part)), "parent": parent})

    compiled = file.compiled()

    assert compiled.has_errors or {one.parent for one in compiled.graphs[0].scopes} <= {
        None,
        *(one.id for one in compiled.graphs[0].scopes),
    }


def test_more_nodes_than_any_graph_may_have_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    file = Edited(ORDER)

    monkeypatch.setattr("diglot.compiler.bpmn.read_parts.NODE_LIMIT", 3)

    _refused(file, codes.PARTS_TOO_MANY, "more than 3 nodes")


def test_a_part_outside_of_the_extensions_of_an_element_is_none() -> None:
    file = Edited(ORDER)
    part = file.parts("reserve")[0]

    file.find("reserve").append(part)

    assert codes.PART_DAMAGED.name not in [
        codes.by_id(one.code).name for one in of_export(file.compiled())
    ]


def test_a_part_is_read_as_it_was_written() -> None:
    flow = Flow(id="é\u0085\u2028\x7f", source="a", target="b", name="<&>\"'")

    text = encode(flow)

    assert text.isascii() or all(character.isprintable() for character in text)
    assert decode("flow", text, _SPAN) == flow


def test_what_is_read_has_the_place_of_the_element_that_it_stands_at() -> None:
    file = Edited(ORDER)

    graph = file.graph()

    (found,) = [one for one in graph.nodes if one.id == "/do/0/reserve"]
    assert found.span is not None
    line = file.text.splitlines()[found.span.start.line - 1]
    assert '<bpmn:scriptTask id="reserve"' in line


def test_an_extension_that_others_wrote_is_no_part() -> None:
    file = Edited(ORDER)

    extensions = file.find("reserve").find(model("extensionElements"))
    assert extensions is not None
    extensions.append(extensions.makeelement("{urn:other}part", {"kind": "node"}))

    assert file.graph().nodes
