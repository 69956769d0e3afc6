"""Graphs as one file: what is kept, what is drawn anew, and what is not given out."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from diglot.compiler import codes, compile_source
from diglot.compiler.bpmn.writing.write import write_bpmn
from diglot.compiler.diagnostics import Report
from diglot.compiler.graph import Graph, digest, from_json, to_json
from support.exported_files import MODEL, diagram, exported, file, graphs_of, written

FLOW = "<startEvent id='s'/><task id='a'/><sequenceFlow id='f' sourceRef='s' targetRef='a'/>"
OTHER = "<process id='other' isExecutable='true'><task id='b'/></process>"
SHARED = "https://diglot.example/shared"
IMPORT = (
    "<import namespace='https://diglot.example/shared' location='shared.bpmn'"
    " importType='http://www.omg.org/spec/BPMN/20100524/MODEL'/>"
)
WORKFLOW = """\
document: {dsl: '1.0.1', namespace: shop, name: greet, version: '0.1.0'}
do:
- hello: {set: {text: hi}}
"""


def _graph(body: str = FLOW, **changes: Any) -> Graph:
    return msgspec.structs.replace(graphs_of(file(body))[0], **changes)


def _bare(body: str = FLOW, **changes: Any) -> Graph:
    return _graph(body, foreign=None, presentation=None, **changes)


def _digests(text: str) -> set[str]:
    return {digest(graph) for graph in graphs_of(text)}


def test_a_file_is_read_again_as_the_graphs_that_it_was_written_from():
    graphs = graphs_of(file(FLOW, around=OTHER))

    assert _digests(written(graphs).text) == {digest(graph) for graph in graphs}


def test_writing_the_same_graph_twice_gives_the_same_bytes():
    assert exported(file(FLOW)).text == exported(file(FLOW)).text


def test_a_graph_that_went_through_json_is_written_as_before():
    graph = _graph()

    assert written([from_json(to_json(graph))]).text == written([graph]).text


def test_of_no_graphs_there_is_no_file():
    report = Report()

    assert write_bpmn([], report) is None
    assert [one.code for one in report] == [codes.NOTHING_TO_EXPORT.id]
    assert report.has_errors


def test_one_process_of_a_file_takes_the_others_with_it():
    first, second = graphs_of(file(FLOW, around=OTHER))

    text = written([second]).text

    assert _digests(text) == {digest(first), digest(second)}
    assert text == written([first, second]).text


def test_a_graph_that_was_changed_is_drawn_anew_and_that_is_told():
    places = diagram(
        "order",
        "<bpmndi:BPMNShape id='x' bpmnElement='a'>"
        "<dc:Bounds x='900' y='900' width='100' height='80'/></bpmndi:BPMNShape>",
    )
    (graph,) = graphs_of(file(FLOW, drawn=places))
    changed = msgspec.structs.replace(graph, documentation="Since then")

    found = written([changed])

    assert found.told == [("graph-changed", "")]
    assert found.bounds("a") != (900, 900, 100, 80)
    assert _digests(found.text) == {digest(changed)}


_OTHER_FILES: list[Any] = [
    {"bpmn": ["definitions"], "namespaces": {}},
    {"bpmn": ["definitions", {}, [["process", {"id": "order"}]]]},
    {"bpmn": ["definitions", {}, [["process", {"id": "a", "isExecutable": "true"}]] * 2]},
    {"bpmn": ["definitions", {}, [["{}x"], ["{urn:a}b", {"{}c": "d"}]]]},
]


@pytest.mark.parametrize("foreign", _OTHER_FILES)
def test_a_graph_that_keeps_another_file_is_drawn_anew(foreign: Any):
    graph = _graph(foreign=foreign)

    found = written([graph])

    assert ("graph-changed", "") in found.told
    assert _digests(found.text) == {digest(graph)}


def test_what_keeps_no_file_is_drawn_and_nothing_is_told():
    assert written([_bare()]).told == []


def test_a_graph_that_no_document_has_is_not_given_out():
    graph = _bare()
    lost = msgspec.structs.replace(graph.nodes[1], id="z", scope="nowhere")
    report = Report()

    text = write_bpmn([msgspec.structs.replace(graph, nodes=(*graph.nodes, lost))], report)

    assert text is None
    assert [one.code for one in report] == [codes.EXPORT_DIFFERS.id]
    assert report.has_errors


@pytest.mark.parametrize("character", ["\0", "\x01", "\x1f", "\ufffe"])
def test_a_character_that_xml_has_not_is_told_and_is_not_lost(character: str):
    graph = _bare(documentation=f"Look{character}twice", title=f"The{character}order")

    found = written([graph])

    assert "Look\ufffdtwice" in found.text
    assert ("character-not-in-xml", "order") in found.told
    assert _digests(found.text) == {digest(graph)}


@pytest.mark.parametrize("text", ["a\rb", "a\r\nb", "\ta\n", "]]>", "<a & \"b'>", "&#0;", "\u2028"])
def test_a_text_is_what_it_was_whatever_xml_makes_of_it(text: str):
    graph = _bare(documentation=text, title=text)

    assert _digests(written([graph]).text) == {digest(graph)}


def test_graphs_of_two_files_become_one():
    one, other = _graph(), _graph("<task id='a' name='Pay'/>", name="other")

    found = written([one, other])

    assert [item.get("id") for item in found.root.iter(f"{MODEL}process")] == ["order", "other"]
    assert _digests(found.text) == {digest(one), digest(other)}
    assert found.told == []


def test_graphs_of_two_files_may_have_the_same_name():
    one, other = _graph(), _graph("<task id='a' name='Pay'/>")

    assert _digests(written([one, other]).text) == {digest(one), digest(other)}


def test_a_workflow_and_a_process_become_one_file():
    workflow = compile_source(WORKFLOW, "greet.yaml").graphs
    process = _graph()

    found = written([*workflow, process])

    assert _digests(found.text) == {digest(one) for one in (*workflow, process)}


def _resolve(path: str) -> bytes | None:
    around = "<message id='m' name='Paid'/>"
    shared = file("<task id='b'/>", around=around).replace("diglot.example/kept", SHARED[8:])
    return shared.replace("'order'", "'shared'").encode() if path == "shared.bpmn" else None


def _importing() -> str:
    body = (
        "<startEvent id='s'><messageEventDefinition messageRef='o:m'/></startEvent><task id='a'/>"
    )
    flow = "<sequenceFlow id='f' sourceRef='s' targetRef='a'/>"
    text = file(body + flow, around=IMPORT)
    return text.replace("<definitions", f"<definitions xmlns:o='{SHARED}'", 1)


def test_a_file_that_imports_is_kept_with_its_imports():
    graphs = graphs_of(_importing(), resolve=_resolve)

    found = written(graphs, resolve=_resolve)

    assert [one.get("location") for one in found.root.iter(f"{MODEL}import")] == ["shared.bpmn"]
    again = graphs_of(found.text, resolve=_resolve)
    assert [digest(one) for one in again] == [digest(one) for one in graphs]
    assert written(again, resolve=_resolve).text == found.text


def test_what_a_file_imports_is_not_needed_any_more_where_it_is_drawn_anew():
    graphs = graphs_of(_importing(), resolve=_resolve)

    found = written(graphs)

    assert ("graph-changed", "") in found.told
    assert _digests(found.text) == {digest(one) for one in graphs}


@pytest.mark.parametrize("name", ["a", "a:b", "ä", "a b", "<a>", "", "x" * 5_000])
def test_a_process_of_any_name_is_written(name: str):
    graph = _bare(name=name)

    found = written([graph])

    assert _digests(found.text) == {digest(graph)}


@pytest.mark.parametrize("foreign", [True, False])
def test_a_file_that_would_be_too_large_to_be_read_again_is_not_given_out(foreign: bool):
    # As JSON a graph may be larger than any file.
    words = "word " * 1_100_000
    graph = _graph() if foreign else _bare()
    graph = msgspec.structs.replace(graph, documentation=words)
    if foreign:
        tree: Any = ["definitions", {}, [["process", {"id": "order"}, [], words]]]
        graph = msgspec.structs.replace(graph, foreign={"bpmn": tree, "namespaces": {}})
    report = Report()

    assert write_bpmn([graph], report) is None
    assert [one.code for one in report] == [codes.EXPORT_TOO_LARGE.id]
