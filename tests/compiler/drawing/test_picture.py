"""Diagrams as values: what is where, and how lines join it."""

from __future__ import annotations

import pytest

from diglot.compiler.drawing.routes import envelope_at
from diglot.compiler.layout import Bounds, Point
from support.diagrams import edge, label, only_line, only_shape, picture, pictures, plane, shape

TWO = "<task id='a' default='me:f'/><task id='b'/>"
BOTH = (shape("a", 0, 0, 100, 80), shape("b", 200, 0, 100, 80))
STRAIGHT = ((100, 40), (200, 40))


def test_a_flow_has_an_arrow_and_its_name() -> None:
    line = only_line(
        "<task id='a'/><task id='b'/><sequenceFlow id='f' sourceRef='a' targetRef='b' name='yes'/>",
        edge("f", *STRAIGHT),
        *BOTH,
    )
    assert (line.start, line.end, line.style, line.name) == ("none", "arrow", "solid", "yes")
    assert (line.source, line.target) == ("a", "b")


def test_a_default_flow_has_a_slash() -> None:
    flow = "<sequenceFlow id='f' sourceRef='a' targetRef='b'/>"
    assert only_line(TWO + flow, edge("f", *STRAIGHT), *BOTH).start == "slash"


@pytest.mark.parametrize(("origin", "start"), [("task", "diamond"), ("inclusiveGateway", "none")])
def test_a_condition_shows_where_it_leaves_an_activity(origin: str, start: str) -> None:
    process = (
        f"<{origin} id='a'/><task id='b'/><sequenceFlow id='f' sourceRef='a' targetRef='b'>"
        "<conditionExpression>x</conditionExpression></sequenceFlow>"
    )
    assert only_line(process, edge("f", *STRAIGHT), *BOTH).start == start


@pytest.mark.parametrize(
    ("direction", "ends"),
    [
        ("None", ("none", "none")),
        ("One", ("none", "open-arrow")),
        ("Both", ("open-arrow", "open-arrow")),
    ],
)
def test_an_association_is_dotted_and_has_its_directions(
    direction: str, ends: tuple[str, str]
) -> None:
    process = TWO + (
        f"<association id='f' sourceRef='a' targetRef='b' associationDirection='{direction}'/>"
    )
    line = only_line(process, edge("f", *STRAIGHT), *BOTH)
    assert (line.style, (line.start, line.end)) == ("dotted", ends)


def test_a_data_association_ends_at_its_activity() -> None:
    line = only_line(
        "<dataObjectReference id='d'/><task id='a'><dataInputAssociation id='f'>"
        "<sourceRef>d</sourceRef><targetRef>x</targetRef></dataInputAssociation></task>",
        edge("f", (250, 40), (100, 40)),
        shape("a", 0, 0, 100, 80),
        shape("d", 232, 15, 36, 50),
    )
    assert (line.source, line.target) == ("d", "a")
    assert (line.style, line.end) == ("dotted", "open-arrow")


def test_a_message_flow_is_dashed_from_a_circle_to_an_open_head() -> None:
    (one,) = pictures(
        "<collaboration id='c'><participant id='a'/><participant id='b'/>"
        "<messageFlow id='f' sourceRef='a' targetRef='b'/></collaboration>",
        plane(
            "c",
            shape("a", 0, 0, 300, 60),
            shape("b", 0, 160, 300, 60),
            edge("f", (150, 60), (150, 160), more="messageVisibleKind='non_initiating'"),
        ),
    )
    (line,) = one.lines
    assert (line.style, line.start, line.end) == ("dashed", "circle", "triangle")
    assert line.envelope == "answering"


def test_a_line_that_goes_on_inside_of_its_shapes_is_cut_at_their_outlines() -> None:
    line = only_line(
        "<startEvent id='a'/><exclusiveGateway id='b'/>"
        "<sequenceFlow id='f' sourceRef='a' targetRef='b'/>",
        edge("f", (18, 18), (225, 18)),
        shape("a", 0, 0, 36, 36),
        shape("b", 200, -7, 50, 50),
    )
    assert line.points[0].x == pytest.approx(36, abs=1)
    assert line.points[-1].x == pytest.approx(200, abs=1.5)
    assert {at.y for at in line.points} == {18}


def test_a_line_between_outlines_is_as_it_is_written() -> None:
    line = only_line(
        TWO + "<sequenceFlow id='f' sourceRef='a' targetRef='b'/>",
        edge("f", (100, 40), (150, 40), (150, 40), (150, 60), (200, 60)),
        *BOTH,
    )
    assert line.points == (Point(100, 40), Point(150, 40), Point(150, 60), Point(200, 60))


@pytest.mark.parametrize(
    "points", [(), ((100, 40),), ((100, 40), (100, 40)), ((float("nan"), 1), (1, 1))]
)
def test_a_line_without_two_points_is_not_drawn(points: tuple[tuple[float, float], ...]) -> None:
    flow = "<sequenceFlow id='f' sourceRef='a' targetRef='b'/>"
    assert picture(TWO + flow, *BOTH, edge("f", *points)).lines == ()


@pytest.mark.parametrize(
    "bounds",
    [
        (0, 0, 0, 80),
        (0, 0, -100, 80),
        (float("nan"), 0, 100, 80),
        (float("inf"), 0, 100, 80),
        (0, 0, 1e12, 80),
    ],
)
def test_a_shape_without_sound_bounds_is_not_drawn(
    bounds: tuple[float, float, float, float],
) -> None:
    assert picture("<task id='a'/>", shape("a", *bounds)).shapes == ()


def test_what_the_file_has_not_is_not_drawn() -> None:
    one = picture("", shape("nobody", 0, 0, 100, 80), edge("nothing", (0, 0), (100, 0)))
    assert (one.shapes, one.lines) == ((), ())


def test_a_label_hangs_in_the_middle_of_its_bounds() -> None:
    one = only_shape(
        "<startEvent id='a' name='Order came'/>", ">" + label(-82, 43, 200, 14), size=(36, 36)
    )
    assert one.label is not None
    assert one.label.lines == ("Order came",)
    box = one.label.box
    assert (box.y, round(box.x + box.width / 2)) == (43, 18)


def test_a_label_without_bounds_stands_below_its_shape() -> None:
    one = only_shape("<startEvent id='a' name='Order came'/>", size=(36, 36))
    assert one.label is not None
    assert one.label.box.y > 36


def test_the_text_of_a_task_is_no_label() -> None:
    assert only_shape("<task id='a' name='Pay'/>").label is None


@pytest.mark.parametrize(
    ("more", "fill", "stroke"),
    [
        ("bioc:fill='#FFF' bioc:stroke='#0d4372'", "#ffffff", "#0d4372"),
        ("color:background-color='#ffe0b2' color:border-color='#6b3c00'", "#ffe0b2", "#6b3c00"),
        ("bioc:fill='rgb(255, 0, 300)'", "#ff00ff", ""),
        ("bioc:fill='url(#x)' bioc:stroke='red; background: url(x)'", "", ""),
    ],
)
def test_colours_are_taken_when_they_are_colours(more: str, fill: str, stroke: str) -> None:
    one = only_shape("<task id='a'/>", more)
    assert (one.colours.fill, one.colours.stroke) == (fill, stroke)


def test_a_picture_holds_all_that_is_in_it() -> None:
    one = picture(
        TWO + "<sequenceFlow id='f' sourceRef='a' targetRef='b'/>",
        *BOTH,
        edge("f", (100, 40), (150, 40), (150, -100), (200, 40)),
    )
    x, y, width, height = one.bounds
    assert x < 0
    assert y < -100
    assert x + width > 300
    assert y + height > 80


def test_an_empty_diagram_is_a_picture() -> None:
    one = picture("")
    assert one.bounds == Bounds(-20, -20, 40, 40)


def test_each_plane_is_a_picture_with_its_title_and_its_processes() -> None:
    found = pictures(
        "<collaboration id='c'><participant id='x' name='Buyer' processRef='me:p'/></collaboration>"
        "<process id='p'><subProcess id='s' name='Pay'><endEvent id='e'/></subProcess></process>",
        plane("c", shape("x", 0, 0, 600, 200), shape("s", 100, 50, 100, 80), name="Overview"),
        plane("s", shape("e", 0, 0, 36, 36), name="Detail"),
    )
    assert [(one.title, one.element, one.processes) for one in found] == [
        ("Overview", "c", ("p",)),
        ("Pay", "s", ("p",)),
    ]
    assert [one.is_inner for one in found[1].shapes] == [False]


@pytest.mark.parametrize(
    ("points", "at"),
    [
        (((0, 0), (200, 0)), (100, 0)),
        (((0, 0), (100, 0), (100, 110)), (100, 55)),
        (((0, 0), (0, 10), (200, 10), (200, 210)), (100, 10)),
        (((0, 0), (10, 0), (10, 10), (20, 10)), (10, 5)),
    ],
)
def test_the_message_of_a_flow_is_shown_on_no_bend(
    points: tuple[tuple[float, float], ...], at: tuple[float, float]
) -> None:
    assert envelope_at([Point(*point) for point in points]) == at
