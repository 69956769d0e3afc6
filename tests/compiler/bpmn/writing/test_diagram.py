"""Diagrams of files that have none, or not all of them; what is drawn already stays where it is."""

from __future__ import annotations

from xml.etree.ElementTree import Element

import msgspec

from support.exported_files import (
    BPMNDI,
    DC,
    MODEL,
    TOOL,
    Exported,
    diagram,
    exported,
    file,
    graphs_of,
    mended,
    written,
)

BIOC = "http://bpmn.io/schema/bpmn/biocolor/1.0"
OMG = "http://www.omg.org/spec/BPMN/non-normative/color/1.0"
COLOUR = f"xmlns:bioc='{BIOC}' bioc:stroke='#831311' xmlns:c='{OMG}' c:border-color='#831311'"
FLOW = "<startEvent id='s'/><task id='a'/><sequenceFlow id='f' sourceRef='s' targetRef='a'/>"
INSIDE = (
    "<startEvent id='s'/><sequenceFlow id='f' sourceRef='s' targetRef='p'/>"
    "<subProcess id='p'><task id='i'/><task id='j'/></subProcess>"
)


def shape(element: str, x: float, y: float, width: float, height: float, more: str = "") -> str:
    """A shape; `more` is `attributes` or `attributes>children`."""
    attributes, _, children = more.partition(">")
    return (
        f"<bpmndi:BPMNShape id='{element}_shape' bpmnElement='{element}' {attributes}>"
        f"<dc:Bounds x='{x}' y='{y}' width='{width}' height='{height}'/>{children}"
        "</bpmndi:BPMNShape>"
    )


def edge(element: str, *points: tuple[float, float]) -> str:
    bends = "".join(f"<di:waypoint x='{x}' y='{y}'/>" for x, y in points)
    return f"<bpmndi:BPMNEdge id='{element}_edge' bpmnElement='{element}'>{bends}</bpmndi:BPMNEdge>"


def _drawn(found: Exported) -> list[Element]:
    return [one for one in found.root.iter() if one.get("bpmnElement")]


def _label(found: Exported, id: str) -> dict[str, str]:
    bounds = found.shape(id).find(f"{BPMNDI}BPMNLabel/{DC}Bounds")
    assert bounds is not None
    return bounds.attrib


def _overlap(found: Exported, one: str, other: str) -> bool:
    x, y, width, height = found.bounds(one)
    x2, y2, width2, height2 = found.bounds(other)
    return x < x2 + width2 and x2 < x + width and y < y2 + height2 and y2 < y + height


def test_a_process_without_a_diagram_gets_one_with_all_that_is_seen_of_it():
    found = mended(FLOW)

    assert found.planes() == {"order": ["s", "a", "f"]}
    assert found.bounds("s")[2:] == (36, 36)
    assert found.bounds("a")[2:] == (100, 80)
    assert len(found.way("f")) == 2
    assert not _overlap(found, "s", "a")


def test_two_processes_without_a_pool_have_a_diagram_each():
    other = "<process id='other'><task id='b'/></process>"

    assert mended(FLOW, around=other).planes() == {"other": ["b"], "order": ["s", "a", "f"]}


def test_an_empty_process_has_no_diagram():
    assert mended(FLOW, around="<process id='other'/>").planes() == {"order": ["s", "a", "f"]}


def test_pools_are_drawn_with_their_processes_and_the_messages_between_them():
    around = (
        "<collaboration id='c'><participant id='shop' name='Shop' processRef='order'/>"
        "<participant id='buyer' name='Buyer'/>"
        "<messageFlow id='m' sourceRef='a' targetRef='buyer'/></collaboration>"
    )
    found = mended(FLOW, around=around)

    assert found.planes() == {"c": ["shop", "buyer", "s", "a", "m", "f"]}
    assert found.shape("shop").get("isHorizontal") == "true"
    assert _overlap(found, "shop", "a")
    assert not _overlap(found, "shop", "buyer")


def test_lanes_are_drawn_around_what_is_in_them():
    lanes = (
        "<laneSet id='l'><lane id='desk' name='Desk'><flowNodeRef>s</flowNodeRef></lane>"
        "<lane id='office' name='Office'><flowNodeRef>a</flowNodeRef></lane></laneSet>"
    )
    around = "<collaboration id='c'><participant id='shop' processRef='order'/></collaboration>"
    found = mended(lanes + FLOW, around=around)

    assert _overlap(found, "desk", "s")
    assert _overlap(found, "office", "a")
    assert not _overlap(found, "desk", "a")
    assert not _overlap(found, "desk", "office")


def test_a_sub_process_is_drawn_open_with_what_is_in_it():
    found = mended(INSIDE)

    assert found.planes() == {"order": ["s", "p", "i", "j", "f"]}
    assert found.shape("p").get("isExpanded") == "true"
    assert _overlap(found, "p", "i")


def test_a_sub_process_that_is_drawn_closed_gets_a_plane_of_its_own():
    closed = shape("p", 200, 80, 100, 80, "isExpanded='false'")
    found = mended(INSIDE, drawn=diagram("order", shape("s", 100, 100, 36, 36), closed))

    assert found.planes() == {"order": ["s", "p", "f"], "p": ["i", "j"]}
    assert found.bounds("p") == (200, 80, 100, 80)


def test_a_small_sub_process_with_nothing_in_it_is_taken_for_a_closed_one():
    drawn = diagram("order", shape("s", 100, 100, 36, 36), shape("p", 200, 80, 100, 80))

    assert [*mended(INSIDE, drawn=drawn).planes()] == ["order", "p"]


def test_the_planes_of_closed_sub_processes_are_kept():
    planes = diagram("order", shape("p", 200, 80, 100, 80, "isExpanded='false'")) + diagram(
        "p", shape("i", 10, 20, 100, 80)
    )
    found = mended(INSIDE, drawn=planes)

    assert found.bounds("i") == (10, 20, 100, 80)
    assert found.planes()["p"] == ["i", "j"]
    assert found.planes()["order"] == ["p", "s", "f"]


def test_what_has_a_place_is_not_moved_and_what_has_none_gets_one_beside_it():
    body = FLOW + "<task id='b'/><sequenceFlow id='g' sourceRef='a' targetRef='b'/>"
    places = [
        shape("s", 500.5, 300, 36, 36),
        shape("a", 700, 278, 120, 90),
        edge("f", (536.5, 318), (600, 318), (600, 320), (700, 320)),
    ]
    found = mended(body, drawn=diagram("order", *places))

    assert found.bounds("s") == (500.5, 300, 36, 36)
    assert found.bounds("a") == (700, 278, 120, 90)
    assert found.way("f") == [(536.5, 318), (600, 318), (600, 320), (700, 320)]
    assert found.planes() == {"order": ["s", "a", "f", "b", "g"]}
    assert not _overlap(found, "a", "b")
    assert not _overlap(found, "s", "b")
    assert found.told == []


def test_a_complete_diagram_is_written_as_it_was():
    kept = [
        shape("s", 1, 2, 36, 36, f"{COLOUR} >"),
        shape("a", 100, 0, 100, 80, "isMarkerVisible='true' tool:x='1'"),
        edge("f", (37, 20), (100, 20)),
    ]
    found = mended(FLOW, drawn=diagram("order", *kept))

    assert len(_drawn(found)) == 4
    assert found.shape("s").get(f"{{{BIOC}}}stroke") == "#831311"
    assert found.shape("s").get(f"{{{OMG}}}border-color") == "#831311"
    assert found.shape("a").get(f"{TOOL}x") == "1"
    assert found.shape("a").get("isMarkerVisible") == "true"


def test_labels_and_their_styles_are_kept():
    label = "<bpmndi:BPMNLabel labelStyle='big'><dc:Bounds x='5' y='6' width='70' height='14'/>"
    drawn = diagram(
        "order",
        shape("s", 1, 2, 36, 36, f">{label}</bpmndi:BPMNLabel>"),
        shape("a", 99, 0, 100, 80),
    ).replace(
        "</bpmndi:BPMNDiagram>",
        "<bpmndi:BPMNLabelStyle id='big'><dc:Font name='Arial' size='11'/></bpmndi:BPMNLabelStyle>"
        "</bpmndi:BPMNDiagram>",
    )
    found = mended(FLOW, drawn=drawn)

    assert _label(found, "s") == {"x": "5", "y": "6", "width": "70", "height": "14"}
    assert found.of("big").tag == f"{BPMNDI}BPMNLabelStyle"
    label_of = found.shape("s").find(f"{BPMNDI}BPMNLabel")
    assert label_of is not None
    assert label_of.get("labelStyle") == "big"


def test_a_diagram_whose_vocabulary_has_other_prefixes_is_the_same_diagram():
    drawn = diagram("order", shape("s", 1, 2, 36, 36), shape("a", 99, 0, 100, 80))
    text = file(FLOW, drawn=drawn)
    other = text.replace("bpmndi:", "ns3:").replace(":bpmndi", ":ns3").replace("<dc:", "<q:")
    other = other.replace("xmlns:dc=", "xmlns:q=")

    assert exported(other).bounds("s") == (1, 2, 36, 36)
    assert exported(other).planes() == exported(text).planes()


def test_several_diagrams_of_one_process_are_kept_and_the_first_is_completed():
    two = diagram("order", shape("s", 1, 2, 36, 36)) + diagram(
        "order", shape("s", 7, 8, 36, 36).replace("s_shape", "s_again")
    ).replace("'diagram_order'", "'d2'").replace("'plane_order'", "'p2'")
    found = mended(FLOW, drawn=two)

    planes = [
        [one.get("bpmnElement") for one in plane] for plane in found.root.iter(f"{BPMNDI}BPMNPlane")
    ]
    assert planes == [["s", "a", "f"], ["s"]]


def test_a_pool_that_is_drawn_closed_stays_closed_and_its_process_has_a_diagram():
    around = "<collaboration id='c'><participant id='shop' processRef='order'/></collaboration>"
    found = mended(FLOW, around=around, drawn=diagram("c", shape("shop", 0, 0, 600, 60)))

    assert found.planes() == {"c": ["shop"], "order": ["s", "a", "f"]}


def test_a_call_of_a_process_in_the_same_file_is_one_shape_and_a_diagram():
    body = "<callActivity id='call' calledElement='other'/>"
    other = "<process id='other'><task id='b'/></process>"

    assert mended(body, around=other).planes() == {"other": ["b"], "order": ["call"]}


def test_data_and_notes_are_drawn_with_their_lines():
    body = (
        "<task id='a'><ioSpecification><dataInput id='in'/><inputSet><dataInputRefs>in"
        "</dataInputRefs></inputSet><outputSet/></ioSpecification>"
        "<dataInputAssociation id='reads'><sourceRef>list</sourceRef><targetRef>in</targetRef>"
        "</dataInputAssociation></task>"
        "<dataObject id='data'/><dataObjectReference id='list' name='List' dataObjectRef='data'/>"
        "<textAnnotation id='n'><text>Look twice</text></textAnnotation>"
        "<association id='of' sourceRef='a' targetRef='n'/>"
    )
    found = mended(body)

    assert set(found.planes()["order"]) == {"a", "list", "n", "reads", "of"}
    assert found.bounds("list")[2:] == (36, 50)
    assert not _overlap(found, "a", "n")
    assert not _overlap(found, "a", "list")


def test_a_boundary_event_lies_on_the_border_of_its_activity():
    body = (
        "<task id='a'/><boundaryEvent id='b' attachedToRef='a'><timerEventDefinition>"
        "<timeDuration>PT5S</timeDuration></timerEventDefinition></boundaryEvent>"
        "<task id='c'/><sequenceFlow id='f' sourceRef='b' targetRef='c'/>"
    )
    found = mended(body)

    _, y, width, height = found.bounds("b")
    _, top, _, tall = found.bounds("a")
    assert _overlap(found, "a", "b")
    assert y < top + tall < y + height or y < top < y + height
    assert (width, height) == (36, 36)


def test_a_choreography_is_drawn_with_a_band_for_each_participant():
    around = (
        "<choreography id='ch'><participant id='shop' name='Shop'/>"
        "<participant id='buyer' name='Buyer'/>"
        "<messageFlow id='m' sourceRef='shop' targetRef='buyer'/>"
        "<choreographyTask id='t' initiatingParticipantRef='shop'>"
        "<participantRef>shop</participantRef><participantRef>buyer</participantRef>"
        "<messageFlowRef>m</messageFlowRef></choreographyTask></choreography>"
    )
    found = mended(FLOW, around=around)

    bands = [one for one in _drawn(found) if one.get("choreographyActivityShape")]
    assert [(one.get("bpmnElement"), one.get("participantBandKind")) for one in bands] == [
        ("shop", "top_initiating"),
        ("buyer", "bottom_non_initiating"),
    ]
    assert {one.get("choreographyActivityShape") for one in bands} == {found.shape("t").get("id")}


def test_the_bands_of_choreography_tasks_that_are_drawn_are_kept():
    around = (
        "<choreography id='ch'><participant id='shop'/><participant id='buyer'/>"
        "<messageFlow id='m' sourceRef='shop' targetRef='buyer'/>"
        "<choreographyTask id='t' initiatingParticipantRef='shop'>"
        "<participantRef>shop</participantRef><participantRef>buyer</participantRef>"
        "<messageFlowRef>m</messageFlowRef></choreographyTask></choreography>"
    )
    band = shape("shop", 0, 0, 100, 20, "choreographyActivityShape='t_shape' "
                 "participantBandKind='top_initiating'")  # fmt: skip
    found = mended(FLOW, around=around, drawn=diagram("ch", shape("t", 0, 0, 100, 80), band))

    assert found.planes()["ch"] == ["t", "shop"]
    assert found.told == []


def test_a_new_shape_has_an_id_that_nobody_has():
    found = mended("<task id='a'/><task id='a_di'/>")

    ids = [one.get("id") for one in found.root.iter() if one.get("id")]
    assert len(ids) == len(set(ids))


def test_diagrams_stand_before_relationships():
    relation = "<relationship id='r' type='t'><source>a</source><target>a</target></relationship>"
    found = mended("<task id='a'/>", drawn=relation)

    names = [one.tag.rpartition("}")[2] for one in found.root]
    assert names == ["process", "BPMNDiagram", "relationship"]


def test_a_graph_whose_presentation_was_taken_out_is_drawn_anew():
    places = diagram("order", shape("s", 500, 500, 36, 36), shape("a", 900, 500, 100, 80))
    (graph,) = graphs_of(file(FLOW, drawn=places))

    found = written([msgspec.structs.replace(graph, presentation=None)])

    assert found.planes() == {"order": ["s", "a", "f"]}
    assert found.bounds("s") != (500, 500, 36, 36)
    assert found.of("a").tag == f"{MODEL}task"
