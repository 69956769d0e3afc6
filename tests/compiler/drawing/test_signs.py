"""What is drawn of each element is what the standard's figures show.

Source: BPMN 2.0.2, 7.3, Tables 10.86 to 10.92 and the figures of each element.
"""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from diglot.compiler.drawing import to_svg
from diglot.compiler.drawing.symbols import EVENTS, GATEWAYS, MARKERS, TASKS
from diglot.specs.bpmn import metamodel
from support.diagrams import (
    SVG,
    drawn_of,
    group_of,
    only_shape,
    picture,
    pictures,
    plane,
    shape,
    texts_in,
)

TRIGGERS = [
    "message", "timer", "error", "escalation", "cancel", "compensate", "conditional", "link",
    "signal",
]  # fmt: skip
CATCHING = ["startEvent", "intermediateCatchEvent", "boundaryEvent"]
THROWING = ["intermediateThrowEvent", "endEvent"]


def rings(event: ElementTree.Element) -> list[ElementTree.Element]:
    """The circles of an event, not those of its symbol."""
    return event.findall(f"{SVG}circle")


def inks(element: ElementTree.Element) -> list[str]:
    """How the paths of a symbol are filled: with ink, with nothing, or with the surface."""
    return [path.attrib.get("fill", "surface") for path in element.iter(f"{SVG}path")]


# -- events


@pytest.mark.parametrize(
    ("element", "circles", "width"),
    [
        ("startEvent", 1, "1.5"),
        ("intermediateCatchEvent", 2, "1.5"),
        ("intermediateThrowEvent", 2, "1.5"),
        ("boundaryEvent", 2, "1.5"),
        ("endEvent", 1, "3.5"),
    ],
)
def test_an_event_has_the_circles_of_its_position(element: str, circles: int, width: str) -> None:
    event = drawn_of(f"<{element} id='a'/>", 36, 36)
    assert len(rings(event)) == circles
    assert rings(event)[0].attrib["stroke-width"] == width
    assert not any("stroke-dasharray" in ring.attrib for ring in rings(event))


@pytest.mark.parametrize(
    ("element", "circles"),
    [("startEvent' isInterrupting='false", 1), ("boundaryEvent' cancelActivity='false", 2)],
)
def test_what_does_not_interrupt_is_dashed(element: str, circles: int) -> None:
    name, _, more = element.partition("' ")
    event = drawn_of(f"<{name} id='a' {more}'><timerEventDefinition/></{name}>", 36, 36)
    assert [("stroke-dasharray" in ring.attrib) for ring in rings(event)] == [True] * circles


@pytest.mark.parametrize("trigger", TRIGGERS)
@pytest.mark.parametrize("element", CATCHING)
def test_what_is_caught_is_not_filled(element: str, trigger: str) -> None:
    event = drawn_of(f"<{element} id='a'><{trigger}EventDefinition/></{element}>", 36, 36)
    assert inks(event)
    assert "currentColor" not in inks(event)


@pytest.mark.parametrize("trigger", TRIGGERS)
@pytest.mark.parametrize("element", THROWING)
def test_what_is_thrown_is_filled(element: str, trigger: str) -> None:
    event = drawn_of(f"<{element} id='a'><{trigger}EventDefinition/></{element}>", 36, 36)
    assert "currentColor" in inks(event)
    assert "surface" not in inks(event)


def test_each_trigger_has_a_symbol_of_its_own() -> None:
    """Every event definition of the standard has one, and no two look alike."""
    defined = [name for name in metamodel.elements() if metamodel.is_a(name, "eventDefinition")]
    symbols = {
        name: only_shape(f"<endEvent id='a'><{name}/></endEvent>", size=(36, 36)).symbol
        for name in defined
        if name != "eventDefinition"
    }
    assert len(symbols) == 10
    assert set(symbols.values()) <= EVENTS.keys()
    assert len({EVENTS[symbol] for symbol in symbols.values()}) == len(symbols)


@pytest.mark.parametrize(("more", "symbol"), [("", "multiple"), ("true", "parallel-multiple")])
def test_several_triggers_have_a_pentagon_or_a_cross(more: str, symbol: str) -> None:
    two = "<messageEventDefinition/><signalEventDefinition/>"
    one = only_shape(
        f"<startEvent id='a' parallelMultiple='{more}'>{two}</startEvent>", size=(36, 36)
    )
    assert one.symbol == symbol


# -- activities


@pytest.mark.parametrize("name", sorted(TASKS))
def test_the_sign_of_a_task_stands_in_its_upper_left_corner(name: str) -> None:
    element = {
        "business-rule": "businessRuleTask",
        "receive-start": "receiveTask' instantiate='true",
    }.get(name, f"{name}Task")
    name, _, more = element.partition("' ")
    task = drawn_of(f"<{name} id='a' {more + chr(39) if more else ''}/>", 100, 80)
    (sign,) = task.findall(f"{SVG}g")
    assert sign.attrib["transform"].startswith("translate(15 15)")


def test_a_plain_task_has_no_sign() -> None:
    assert drawn_of("<task id='a'/>", 100, 80).findall(f"{SVG}g") == []


@pytest.mark.parametrize(
    ("element", "rectangles", "attribute", "value"),
    [
        ("task", 1, "stroke-width", None),
        ("callActivity", 1, "stroke-width", "4"),
        ("transaction", 2, "stroke-width", None),
        ("subProcess' triggeredByEvent='true", 1, "stroke-dasharray", "0.2 4.2"),
    ],
)
@pytest.mark.parametrize("is_open", ["true", "false"])
def test_the_border_says_what_it_is(
    element: str, rectangles: int, attribute: str, value: str | None, is_open: str
) -> None:
    name, _, more = element.partition("' ")
    drawn = drawn_of(
        f"<{name} id='a' {more + chr(39) if more else ''}/>", 350, 200, f"isExpanded='{is_open}'"
    )
    found = drawn.findall(f"{SVG}rect")
    assert len(found) == rectangles
    assert found[0].attrib.get(attribute) == value


def test_every_marker_stands_at_the_lower_edge() -> None:
    drawn = drawn_of(
        "<adHocSubProcess id='a' isForCompensation='true'><multiInstanceLoopCharacteristics/>"
        "</adHocSubProcess>",
        100,
        80,
    )
    places = [mark.attrib["transform"] for mark in drawn.findall(f"{SVG}g")]
    assert places == [f"translate({x} 69)" for x in (23, 41, 59, 77)]


def test_no_two_markers_look_alike() -> None:
    marks = [MARKERS[name] for name in MARKERS if name != "collection"]
    assert len(set(marks)) == len(marks) == 6


# -- gateways


def test_each_gateway_has_a_sign_of_its_own() -> None:
    assert len(set(GATEWAYS.values())) == len(GATEWAYS) == 7


@pytest.mark.parametrize(("shown", "signs"), [("true", 1), ("false", 0)])
def test_the_cross_of_an_exclusive_gateway_may_be_left_out(shown: str, signs: int) -> None:
    drawn = drawn_of("<exclusiveGateway id='a'/>", 50, 50, f"isMarkerVisible='{shown}'")
    assert len(drawn.findall(f"{SVG}g")) == signs


# -- pools, lanes, data


def _pool(more: str, process: str, name: str, *size: float) -> ElementTree.Element:
    (one,) = pictures(
        f"<collaboration id='c'><participant id='a' name='{name}' {process}/></collaboration>"
        "<process id='p'/>",
        plane("c", shape("a", 0, 0, *size, more=more)),
    )
    return group_of(to_svg(one), "a")


@pytest.mark.parametrize(
    ("more", "band"),
    [("isHorizontal='true'", ("30", "200")), ("isHorizontal='false'", ("600", "30"))],
)
def test_the_name_of_a_pool_stands_in_a_band(more: str, band: tuple[str, str]) -> None:
    drawn = _pool(more, "processRef='p'", "Buyer", 600, 200)
    whole, header = drawn.findall(f"{SVG}rect")
    assert (whole.attrib["width"], whole.attrib["height"]) == ("600", "200")
    assert (header.attrib["width"], header.attrib["height"]) == band


def test_a_closed_pool_has_its_name_in_the_middle() -> None:
    drawn = _pool("isHorizontal='true'", "", "Buyer", 600, 60)
    assert len(drawn.findall(f"{SVG}rect")) == 1
    (text,) = drawn.findall(f"{SVG}text")
    assert text.attrib["x"] == "300"


@pytest.mark.parametrize(("name", "is_turned"), [("Us", False), ("Telecommunication", True)])
def test_a_long_name_is_turned_in_a_narrow_pool(name: str, is_turned: bool) -> None:
    drawn = _pool("isHorizontal='false'", "", name, 60, 400)
    turned = [g for g in drawn.iter(f"{SVG}g") if "rotate" in g.attrib.get("transform", "")]
    assert bool(turned) == is_turned
    assert "".join(drawn.itertext()).endswith(name)


@pytest.mark.parametrize(("element", "is_filled"), [("dataInput", False), ("dataOutput", True)])
def test_the_arrow_of_an_output_is_dark(element: str, is_filled: bool) -> None:
    drawn = drawn_of(f"<ioSpecification><{element} id='a'/></ioSpecification>", 36, 50)
    (arrow,) = drawn.findall(f"{SVG}g")
    assert ("currentColor" in inks(arrow)) == is_filled


def test_a_group_is_dashed_with_dots_and_empty() -> None:
    (rectangle,) = drawn_of("<group id='a'/>", 300, 200).findall(f"{SVG}rect")
    assert rectangle.attrib["fill"] == "none"
    assert len(rectangle.attrib["stroke-dasharray"].split()) == 4


def test_a_note_has_a_bracket_on_its_left() -> None:
    drawn = drawn_of("<textAnnotation id='a'><text>Ask first</text></textAnnotation>", 100, 30)
    assert [path.attrib["d"] for path in drawn.findall(f"{SVG}path")] == ["M10 0H0V30h10"]


# -- choreographies


def test_the_name_of_a_choreography_stands_between_its_bands() -> None:
    band = "participantBandKind='{}'"
    (one,) = pictures(
        "<choreography id='c'><participant id='x' name='Buyer'/><participant id='y' name='Bank'/>"
        "<participant id='z' name='Seller'/>"
        "<subChoreography id='t' name='Settle'/></choreography>",
        plane(
            "c",
            shape("t", 0, 0, 100, 140),
            shape("x", 0, 0, 100, 20, band.format("top_initiating")),
            shape("y", 0, 20, 100, 20, band.format("middle_non_initiating")),
            shape("z", 0, 120, 100, 20, band.format("bottom_non_initiating")),
        ),
    )
    assert one.shapes[0].free == (40, 120)
    svg = to_svg(one)
    (name,) = group_of(svg, "t").findall(f"{SVG}text")
    assert 40 < float(name.attrib["y"]) < 101
    assert texts_in(svg) == ["Settle", "Buyer", "Bank", "Seller"]


def test_the_messages_of_a_choreography_are_in_the_picture() -> None:
    (one,) = pictures(
        "<choreography id='c'><participant id='x'/><choreographyTask id='t'/></choreography>",
        plane(
            "c",
            shape("t", 0, 0, 100, 80),
            shape(
                "x", 0, 0, 100, 20, "participantBandKind='top_initiating' isMessageVisible='true'"
            ),
        ),
    )
    assert one.bounds.y < -40


# -- everything that has a shape


@pytest.mark.parametrize(
    "name",
    [
        name
        for base in ("flowNode", "artifact", "conversationNode")
        for name, found in metamodel.elements().items()
        if metamodel.is_a(name, base) and not found.is_abstract and name != "association"
    ]
    + ["dataObject", "dataObjectReference", "dataStore", "dataStoreReference", "dataInput",
       "dataOutput", "participant", "lane", "message"],
)  # fmt: skip
def test_all_that_the_standard_gives_a_shape_is_drawn(name: str) -> None:
    one = picture(f"<{name} id='a' name='Pay'/>", shape("a", 0, 0, 100, 80))
    assert len(one.shapes) == 1
    assert len(group_of(to_svg(one), "a")) > 1
