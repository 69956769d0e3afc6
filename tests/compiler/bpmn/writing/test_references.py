"""Ids that every reader takes, and references that every reader follows."""

from __future__ import annotations

import pytest

from support.exported_files import (
    BPMNDI,
    DIGLOT,
    MODEL,
    diagram,
    exported,
    file,
    graphs_of,
    mended,
    written,
)

FLOW = "<startEvent id='s'/><task id='a'/><sequenceFlow id='f' sourceRef='s' targetRef='a'/>"
MESSAGE = "<message id='m' name='Paid'/>"


@pytest.mark.parametrize(
    ("id", "plain"),
    [("größe", "gro_e"), ("a:b", "a_b"), ("1st", "_1st"), ("a b", "a_b")],
)
def test_an_id_that_readers_refuse_is_written_otherwise_and_stands_beside(id: str, plain: str):
    body = FLOW.replace("'a'", f"'{id}'")
    graphs = graphs_of(file(body))

    found = written(graphs)

    assert found.told == [("id-written-otherwise", plain)]
    assert found.of(plain).get(f"{DIGLOT}id") == id
    assert found.of("f").get("targetRef") == plain
    assert [one.id for one in graphs_of(found.text)[0].nodes] == [one.id for one in graphs[0].nodes]


def test_what_is_drawn_or_referred_to_and_has_no_id_gets_one():
    found = mended("<task/><task/>")

    tasks = [*found.root.iter(f"{MODEL}task")]
    assert [one.attrib for one in tasks] == [
        {"id": "task_1", f"{DIGLOT}id": ""},
        {"id": "task_2", f"{DIGLOT}id": ""},
    ]
    assert found.told == []


def test_an_id_that_somebody_took_is_given_to_nobody_else():
    found = mended("<task id='task_1'/><task/>")

    assert [one.get("id") for one in found.root.iter(f"{MODEL}task")] == ["task_1", "task_2"]


def test_an_id_that_a_diagram_has_too_stays_with_the_model():
    shape = "<bpmndi:BPMNShape id='a' bpmnElement='a'><dc:Bounds x='0' y='0' width='9' height='9'/></bpmndi:BPMNShape>"  # noqa: E501
    found = exported(file("<task id='a'/>", drawn=diagram("order", shape)))

    assert found.of("a").tag == f"{MODEL}task"
    assert found.shape("a").get("id") == "a_1"


@pytest.mark.parametrize("prefix", ["order:", "tool:", "bpmn:"])
def test_a_reference_within_the_file_is_the_bare_id(prefix: str):
    body = (
        f"<startEvent id='s'><messageEventDefinition id='d' messageRef='{prefix}m'/></startEvent>"
    )
    head = "<definitions xmlns='http://www.omg.org/spec/BPMN/20100524/MODEL' xmlns:tool='urn:t' xmlns:order='urn:o' xmlns:bpmn='http://www.omg.org/spec/BPMN/20100524/MODEL' targetNamespace='urn:o'>"  # noqa: E501

    found = exported(file(body, around=MESSAGE, head=head))

    assert found.of("d").get("messageRef") == "m"


@pytest.mark.parametrize(
    ("body", "id", "name"),
    [
        ("<task id='x' default='nothing'/>", "x", "default"),
        ("<dataObject id='x' itemSubjectRef='xsd:string'/>", "x", "itemSubjectRef"),
        ("<group id='x' categoryValueRef='nothing'/>", "x", "categoryValueRef"),
    ],
)
def test_a_reference_to_nothing_is_set_aside(body: str, id: str, name: str):
    found = mended(FLOW + body)

    assert found.of(id).get(name) is None
    assert found.of(id).get(f"{DIGLOT}{name}") is not None
    assert ("attribute-set-aside", id) in found.told


def test_an_element_whose_text_refers_to_nothing_is_set_aside():
    found = mended("<laneSet><lane id='x'><flowNodeRef>nothing</flowNodeRef></lane></laneSet>"
                   "<task id='a'/>")  # fmt: skip

    aside = found.of("x").find(f"{MODEL}extensionElements/{DIGLOT}aside")
    assert aside is not None
    assert [(one.tag, one.text) for one in aside] == [(f"{DIGLOT}flowNodeRef", "nothing")]


def test_what_refers_to_something_that_is_set_aside_is_set_aside_too():
    found = mended(
        "<task id='a'/><textAnnotation id='n'/>"
        "<association id='x' sourceRef='a' targetRef='nothing'/>"
        "<association id='y' sourceRef='n' targetRef='x'/>"
    )

    assert [*found.root.iter(f"{MODEL}association")] == []
    asides = [*found.root.iter(f"{DIGLOT}association")]
    assert {one.get("id") for one in asides} == {"x", "y"}


def test_a_reference_to_another_file_is_set_aside_because_editors_follow_none():
    other = "<import namespace='urn:other' location='other.bpmn' importType='http://www.omg.org/spec/BPMN/20100524/MODEL'/>"
    body = f"{FLOW}<group id='g' categoryValueRef='o:red'/>"
    text = file(body, around=other).replace("<definitions", "<definitions xmlns:o='urn:other'", 1)

    found = exported(text)

    assert found.of("g").attrib == {"id": "g", f"{DIGLOT}categoryValueRef": "o:red"}
    assert [one.message for one in found.found if one.pointer == "g"] == [
        "`categoryValueRef` of `group` is written as `diglot:categoryValueRef`: "
        "it refers to another file"
    ]


@pytest.mark.parametrize("called", ["pay", "tool:pay"])
def test_what_is_called_may_be_deployed_elsewhere(called: str):
    found = mended(f"<callActivity id='c' calledElement='{called}'/>")

    assert found.of("c").get("calledElement") == called
    assert found.told == []


def test_a_shape_follows_what_it_draws_to_its_new_id():
    shape = "<bpmndi:BPMNShape id='d' bpmnElement='größe'><dc:Bounds x='7' y='8' width='100' height='80'/></bpmndi:BPMNShape>"  # noqa: E501
    found = exported(file("<task id='größe'/>", drawn=diagram("order", shape)))

    assert found.bounds("gro_e") == (7, 8, 100, 80)
    assert len([*found.root.iter(f"{BPMNDI}BPMNShape")]) == 1


def test_of_two_elements_with_one_id_each_keeps_its_shape():
    body = (
        "<laneSet id='l'><lane id='x'><flowNodeRef>a</flowNodeRef></lane></laneSet><task id='a'/>"
        "<textAnnotation id='x'><text>Look</text></textAnnotation>"
    )
    found = mended(body)

    assert found.told == [("id-written-otherwise", "x_1")]
    assert found.of("x").tag == f"{MODEL}lane"
    assert found.of("x_1").tag == f"{MODEL}textAnnotation"
    assert found.shape("x").get("isHorizontal") == "true"
    assert found.bounds("x_1")[3] == 30


def test_an_id_that_is_empty_is_none():
    found = mended("<task id=''/>")

    task = next(found.root.iter(f"{MODEL}task"))
    assert task.get("id") == "task_1"
    assert ("part-left-out", "order") in found.told


def test_an_id_of_space_only_is_written_as_the_name_of_its_element():
    found = mended("<task id=' '/>")

    assert found.of("task").get(f"{DIGLOT}id") == " "
    assert found.told == [("id-written-otherwise", "task")]


def test_an_id_of_a_shape_that_readers_refuse_is_written_otherwise():
    shape = "<bpmndi:BPMNShape id='1 x' bpmnElement='a'><dc:Bounds x='7' y='8' width='9' height='9'/></bpmndi:BPMNShape>"  # noqa: E501
    found = exported(file("<task id='a'/>", drawn=diagram("order", shape)))

    assert found.shape("a").get("id") == "_1_x"
    assert found.told == [("id-written-otherwise", "_1_x")]


def test_a_message_flow_without_an_id_is_read_again_without_one():
    around = (
        "<collaboration><participant processRef='order'/><participant id='buyer'/>"
        "<messageFlow sourceRef='buyer' targetRef='s'/></collaboration>"
    )
    body = FLOW.replace(
        "<startEvent id='s'/>",
        "<startEvent id='s'><messageEventDefinition messageRef='m'/></startEvent>",
    )

    found = mended(body, around=MESSAGE + around)

    assert next(found.root.iter(f"{MODEL}messageFlow")).attrib[f"{DIGLOT}id"] == ""
    assert found.told == []
