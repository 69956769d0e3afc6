from __future__ import annotations

from typing import Any

import msgspec
import pytest

from diglot.compiler.bpmn.writing.kept import kept_tree
from diglot.compiler.graph import Graph
from support.exported_files import file, graphs_of

FILE = file(
    "<task id='a' tool:cost='5'/>",
    drawn="<bpmndi:BPMNDiagram id='d'><bpmndi:BPMNPlane bpmnElement='order'/></bpmndi:BPMNDiagram>",
)


def _graph(**changes: Any) -> Graph:
    return msgspec.structs.replace(graphs_of(FILE)[0], **changes)


def _names(graph: Graph) -> list[str] | None:
    tree = kept_tree([graph])
    return None if tree is None else [child.name.rpartition("}")[2] for child in tree.children]


def test_the_tree_is_the_file_with_its_diagrams_behind_the_model():
    assert _names(_graph()) == ["process", "BPMNDiagram"]


def test_the_prefixes_of_the_file_are_declared_at_the_root():
    tree = kept_tree([_graph()])

    assert tree is not None
    assert tree.attributes["xmlns:tool"] == "https://diglot.example/tool"
    assert tree.attributes["xmlns"] == "http://www.omg.org/spec/BPMN/20100524/MODEL"


def test_a_tree_is_made_anew_each_time_so_that_what_is_kept_does_not_change():
    graph = _graph()
    first = kept_tree([graph])
    assert first is not None

    first.children.clear()
    first.attributes.clear()

    assert _names(graph) == ["process", "BPMNDiagram"]


def test_nothing_is_kept_of_no_graphs():
    assert kept_tree([]) is None


def test_graphs_of_different_files_have_no_file_in_common():
    other = _graph(foreign={"bpmn": ["definitions"], "namespaces": {}})

    assert kept_tree([_graph(), _graph()]) is not None
    assert kept_tree([_graph(), other]) is None
    assert kept_tree([_graph(), _graph(presentation=None)]) is None


def test_a_graph_whose_presentation_was_taken_out_has_a_file_without_diagrams():
    assert _names(_graph(presentation=None)) == ["process"]


_NO_TREES: list[Any] = [
    None,
    "definitions",
    [],
    {},
    {"bpmn": None},
    {"bpmn": []},
    {"bpmn": ["process"]},
    {"bpmn": ["definitions", []]},
    {"bpmn": ["definitions", {"id": 1}]},
    {"bpmn": ["definitions", {1: "a"}]},
    {"bpmn": ["definitions", {}, {}]},
    {"bpmn": ["definitions", {}, [], 1]},
    {"bpmn": ["definitions", {}, [], "", 5]},
    {"bpmn": ["definitions", {}, ["process"]]},
    {"bpmn": ["definitions", {}, [[None]]]},
    {"bpmn": ["definitions", {}, [["a b"]]]},
    {"bpmn": ["definitions", {}, [["a><b"]]]},
    {"bpmn": ["definitions", {}, [["{urn:a}b c"]]]},
    {"bpmn": ["definitions", {}, [["{urn:}a}b"]]]},
    {"bpmn": ["definitions", {}, [["task", {"a='1' b": "2"}]]]},
    {"bpmn": ["definitions", {}, [["task", {"a\n": "2"}]]]},
    {"bpmn": ["definitions", {}, [["task", {"": "2"}]]]},
    {"bpmn": ["definitions"], "namespaces": []},
    {"bpmn": ["definitions"], "namespaces": {"a": None}},
]


@pytest.mark.parametrize("foreign", _NO_TREES)
def test_what_is_no_tree_of_names_that_xml_has_counts_as_nothing_kept(foreign: Any):
    assert _names(_graph(foreign=foreign)) is None


def test_a_tree_that_is_deeper_than_any_file_may_be_counts_as_nothing_kept():
    tree: list[Any] = ["task"]
    for _ in range(5_000):
        tree = ["task", {}, [tree]]

    assert _names(_graph(foreign={"bpmn": ["definitions", {}, [tree]]})) is None


def test_a_tree_that_holds_itself_counts_as_nothing_kept():
    tree: list[Any] = ["task", {}, []]
    tree[2].append(tree)

    assert _names(_graph(foreign={"bpmn": ["definitions", {}, [tree]]})) is None


@pytest.mark.parametrize("prefix", ["a b", "1", "a:b'", "<"])
def test_a_prefix_that_xml_has_not_is_not_declared(prefix: str):
    tree = kept_tree([_graph(foreign={"bpmn": ["definitions"], "namespaces": {prefix: "urn:a"}})])

    assert tree is not None
    assert tree.attributes == {}


@pytest.mark.parametrize("written", [None, "x", 5, [5], [["a b"]], [["x", {"y": 1}]]])
def test_a_diagram_that_is_no_tree_is_left_out(written: Any):
    assert _names(_graph(presentation={"written": written})) == ["process"]
