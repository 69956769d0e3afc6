"""What is wrong in the diagrams of a file is mended, and told."""

from __future__ import annotations

import pytest

from support.exported_files import BPMNDI, DI, DIGLOT, MODEL, Exported, diagram, exported, file

FLOW = "<startEvent id='s'/><task id='a'/><sequenceFlow id='f' sourceRef='s' targetRef='a'/>"
PLACE = "<dc:Bounds x='5' y='6' width='100' height='80'/>"


def _shape(element: str, inside: str = PLACE, *, id: str = "shape", more: str = "") -> str:
    return f"<bpmndi:BPMNShape id='{id}' bpmnElement='{element}' {more}>{inside}</bpmndi:BPMNShape>"


def _edge(element: str, inside: str, *, more: str = "") -> str:
    return f"<bpmndi:BPMNEdge id='edge' bpmnElement='{element}' {more}>{inside}</bpmndi:BPMNEdge>"


def _mended(*drawn: str, body: str = FLOW, of: str = "order", around: str = "") -> Exported:
    first = exported(file(body, around=around, drawn=diagram(of, *drawn)))
    second = exported(first.text)
    assert second.text == first.text
    assert [name for name, _ in second.told if name.startswith("drawing")] == []
    return first


def _reasons(found: Exported) -> list[str]:
    return [one.message.partition(": ")[2] for one in found.found]


@pytest.mark.parametrize("element", ["", "nothing", "shape"])
def test_a_shape_that_draws_nothing_is_left_out(element: str):
    found = _mended(_shape(element))

    assert found.told == [("drawing-left-out", "shape")]
    assert _reasons(found) == ["it draws nothing of the model"]
    assert found.planes() == {"order": ["s", "a", "f"]} or element == "shape"


def test_what_is_drawn_twice_on_a_plane_is_left_out_the_second_time():
    found = _mended(
        _shape("a"), _shape("a", "<dc:Bounds x='9' y='9' width='9' height='9'/>", id="b")
    )

    assert found.bounds("a") == (5, 6, 100, 80)
    assert found.told == [("drawing-left-out", "b")]


@pytest.mark.parametrize(
    "inside",
    [
        "",
        "<dc:Bounds x='5' y='6' width='false' height='80'/>",
        "<dc:Bounds x='5' y='NaN' width='100' height='80'/>",
        "<dc:Bounds x='5' y='6' width='0' height='80'/>",
        "<dc:Bounds x='5' y='6' width='-100' height='80'/>",
        "<dc:Bounds x='1e300' y='6' width='100' height='80'/>",
    ],
)
def test_a_shape_without_a_place_gets_one(inside: str):
    found = _mended(_shape("a", inside))

    assert found.bounds("a")[2:] == (100, 80)
    assert ("drawing-corrected", "shape") in found.told


@pytest.mark.parametrize(
    "inside",
    ["", "<di:waypoint x='1' y='2'/>", "<di:waypoint x='1' y='2'/><di:waypoint x='a' y='3'/>"],
)
def test_an_edge_without_a_way_gets_one(inside: str):
    found = _mended(_edge("f", inside))

    assert len(found.way("f")) >= 2
    assert ("drawing-corrected", "edge") in found.told


def test_of_a_way_only_the_bends_that_are_no_numbers_are_left_out():
    bends = "".join(f"<di:waypoint x='{x}' y='1'/>" for x in ("1", "x", "3", "4"))

    assert _mended(_edge("f", bends)).way("f") == [(1, 1), (3, 1), (4, 1)]


def test_a_label_without_a_place_is_left_to_the_reader():
    label = "<bpmndi:BPMNLabel><dc:Bounds x='1' y='2' width='a' height='4'/></bpmndi:BPMNLabel>"
    found = _mended(_shape("a", PLACE + label))

    label_of = found.shape("a").find(f"{BPMNDI}BPMNLabel")
    assert label_of is not None
    assert len(label_of) == 0
    assert ("drawing-corrected", "shape") in found.told


def test_an_edge_whose_ends_are_on_no_plane_with_it_is_left_out_where_it_has_no_way():
    other = "<process id='other'><task id='b'/></process>"
    found = _mended(_edge("f", ""), _shape("b"), of="other", around=other)

    assert found.told == [("drawing-left-out", "edge")]
    assert found.planes() == {"other": ["b"], "order": ["s", "a", "f"]}


@pytest.mark.parametrize("name", ["sourceElement", "targetElement"])
def test_an_end_of_an_edge_that_is_not_drawn_is_left_out(name: str):
    bends = "<di:waypoint x='1' y='2'/><di:waypoint x='3' y='2'/>"
    found = _mended(_edge("f", bends, more=f"{name}='nothing'"))

    assert found.shape("f").get(name) is None
    assert found.told == [("drawing-corrected", "edge")]
    assert _reasons(found) == [f"its `{name}` names nothing"]


def test_a_style_that_is_not_there_is_left_out():
    found = _mended(_shape("a", PLACE + "<bpmndi:BPMNLabel labelStyle='nothing'/>"))

    label = found.shape("a").find(f"{BPMNDI}BPMNLabel")
    assert label is not None
    assert label.attrib == {}
    assert [name for name, _ in found.told] == ["drawing-corrected"]


@pytest.mark.parametrize("element", ["", "nothing", "a"])
def test_a_plane_of_nothing_is_that_of_what_holds_what_is_drawn_on_it(element: str):
    found = _mended(_shape("a"), of=element)

    assert [*found.planes()] == ["order"]
    assert found.bounds("a") == (5, 6, 100, 80)
    assert ("drawing-corrected", f"plane_{element}") in found.told


def test_a_plane_of_nothing_with_nothing_on_it_is_left_out():
    found = _mended(of="nothing")

    assert found.told == [("drawing-left-out", "diagram_nothing")]
    assert found.planes() == {"order": ["s", "a", "f"]}


def test_a_diagram_without_a_plane_is_left_out():
    text = file(FLOW, drawn="<bpmndi:BPMNDiagram id='d'/>")

    found = exported(text)

    assert found.told == [("drawing-left-out", "d")]
    assert found.planes() == {"order": ["s", "a", "f"]}


def test_what_other_tools_say_at_a_shape_is_set_aside_at_what_it_draws():
    extension = "<di:extension><tool:x>5</tool:x></di:extension>"
    found = _mended(_shape("a", extension + PLACE))

    assert found.told == [("element-set-aside", "a")]
    assert found.shape("a").find(f"{DI}extension") is None
    aside = found.of("a").find(f"{MODEL}extensionElements/{DIGLOT}aside")
    assert aside is not None
    assert aside.attrib == {"of": "shape"}
    assert [one.tag for one in aside] == [f"{DI}extension"]


def test_what_other_tools_say_at_a_shape_stays_where_the_shape_is_gone():
    extension = "<di:extension><tool:x>5</tool:x></di:extension>"
    twice = _shape("a", extension + PLACE, id="twice")

    found = _mended(_shape("a"), twice)

    aside = found.of("a").find(f"{MODEL}extensionElements/{DIGLOT}aside")
    assert aside is not None
    assert aside.attrib == {"of": "twice"}


def test_a_file_may_draw_very_many_things_in_vain():
    shapes = [_shape(f"nothing{n}", id=f"s{n}") for n in range(3_000)]

    found = _mended(*shapes)

    assert found.planes() == {"order": ["s", "a", "f"]}
    assert found.told[-1] == ("more-alterations", "")
    assert len(found.told) == 51


@pytest.mark.parametrize(
    ("inside", "said", "is_open"),
    [
        ("<dc:Bounds x='60' y='60' width='100' height='80'/>", "", "true"),
        ("<dc:Bounds x='900' y='900' width='100' height='80'/>", "", None),
        ("<dc:Bounds x='60' y='60' width='100' height='80'/>", "isExpanded='false'", "false"),
    ],
    ids=["inside", "elsewhere", "said otherwise"],
)
def test_a_sub_process_that_is_drawn_with_its_content_says_that_it_is_open(
    inside: str, said: str, is_open: str | None
):
    frame = _shape("p", "<dc:Bounds x='20' y='20' width='300' height='200'/>", more=said)
    task = _shape("b", inside, id="inner")
    found = _mended(frame, task, body="<subProcess id='p'><task id='b'/></subProcess>")

    assert found.shape("p").get("isExpanded") == is_open
    assert ("it is open" in " ".join(_reasons(found))) == (is_open == "true")


def test_a_plane_with_pools_on_it_is_that_of_their_collaboration():
    around = "<collaboration id='talk'><participant id='p' processRef='order'/></collaboration>"
    pool = _shape("p", "<dc:Bounds x='0' y='0' width='600' height='300'/>", id="pool")
    task = _shape("a", "<dc:Bounds x='60' y='60' width='100' height='80'/>", id="task")
    found = _mended(pool, task, body="<task id='a'/>", around=around)

    assert found.planes() == {"talk": ["p", "a"]}
    assert _reasons(found) == ["it is the plane of `talk`"]
