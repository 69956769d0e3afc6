"""Texts without a place in the file stand where they can be read, and in nobody's way."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from diglot.compiler.drawing import Picture, to_svg
from diglot.compiler.drawing.parts import Line, Shape
from diglot.compiler.layout import Bounds
from diglot.compiler.layout.geometry import box_of, meet
from support.diagrams import SVG, edge, group_of, label, only_shape, picture, shape

FLOW = "<sequenceFlow id='f' sourceRef='a' targetRef='b' name='{}'/>"


def _label(one: Shape | Line) -> Bounds:
    assert one.label is not None
    return one.label.box


def _flow(origin: str, name: str, *points: tuple[float, float]) -> Line:
    (line,) = picture(
        f"<{origin} id='a'/><task id='b'/>{FLOW.format(name)}", edge("f", *points)
    ).lines
    return line


def test_a_label_stands_below_its_shape() -> None:
    box = _label(only_shape("<startEvent id='a' name='Order came'/>", size=(36, 36)))
    assert (round(box.x + box.width / 2), box.y) == (18, 41)


def test_a_label_goes_where_no_line_is() -> None:
    one = picture(
        "<exclusiveGateway id='a' name='Paid?'/><task id='b'/>" + FLOW.format(""),
        shape("a", 0, 0, 50, 50),
        shape("b", -25, 150, 100, 80),
        edge("f", (25, 50), (25, 150)),
    )
    assert _label(one.shapes[0]).y < 0


def test_the_label_of_a_choice_stands_at_its_beginning_and_others_in_the_middle() -> None:
    points = ((0, 0), (400, 0))
    one = picture(
        "<exclusiveGateway id='a'/><task id='b'/>" + FLOW.format("yes"),
        shape("a", -50, -25, 50, 50),
        edge("f", *points),
    ).lines[0]
    assert _label(one).x < 20
    assert _label(_flow("task", "yes", *points)).x > 150


def test_a_label_keeps_clear_of_the_slash_and_of_the_message() -> None:
    one = picture(
        "<exclusiveGateway id='a' default='f'/><task id='b'/>" + FLOW.format("else"),
        shape("a", -50, -25, 50, 50),
        edge("f", (0, 0), (400, 0)),
    ).lines[0]
    assert one.start == "slash"
    assert _label(one).x > 12


@pytest.mark.parametrize(
    "points",
    [((0, 0), (300, 0)), ((0, 0), (0, 300)), ((0, 0), (300, 200)), ((300, 0), (0, 200))],
)
def test_a_label_does_not_cover_its_own_line(points: tuple[tuple[float, float], ...]) -> None:
    line = _flow("task", "if it is paid", *points)
    (x1, y1), (x2, y2) = points
    box = _label(line)
    for n in range(101):
        x, y = x1 + (x2 - x1) * n / 100, y1 + (y2 - y1) * n / 100
        assert not (box.x < x < box.x + box.width and box.y < y < box.y + box.height)


def test_a_label_is_narrow_where_there_is_little_room() -> None:
    one = picture(
        "<task id='a'/><task id='b'/>" + FLOW.format("if it is paid"),
        shape("a", 0, 0, 100, 80),
        shape("b", 154, 0, 100, 80),
        edge("f", (100, 40), (154, 40)),
    )
    box = _label(one.lines[0])
    assert box.x >= 100
    assert box.x + box.width <= 154


@given(st.lists(st.sampled_from("abcdefgh"), unique=True, min_size=2))
@settings(deadline=None, max_examples=25)
def test_labels_do_not_cover_each_other(names: list[str]) -> None:
    one = picture(
        "".join(f"<startEvent id='{name}' name='The order of {name} came'/>" for name in names),
        *(shape(name, n % 4 * 110, n // 4 * 110, 36, 36) for n, name in enumerate(names)),
    )
    boxes = [box_of(_label(each)) for each in one.shapes]
    assert not any(meet(*pair) for pair in combinations(boxes, 2))


def test_a_label_of_the_file_is_in_the_way_of_others() -> None:
    one = picture(
        "<startEvent id='a' name='First'/><startEvent id='b' name='Second'/>",
        shape("a", 0, 0, 36, 36),
        shape("b", 200, 0, 36, 36, ">" + label(-20, 40, 80, 20)),
    )
    first, second = (box_of(_label(each)) for each in one.shapes)
    assert not meet(first, second)


# -- what is open


def _open(*inside: str) -> Picture:
    return picture(
        "<subProcess id='a' name='Check the order'><task id='b'/><task id='c'/></subProcess>",
        shape("a", 0, 0, 400, 200, "isExpanded='true'"),
        *inside,
    )


@pytest.mark.parametrize(
    ("inside", "heading"),
    [
        ((), "middle"),
        ((shape("b", 150, 40, 100, 80),), "middle"),
        ((shape("b", 150, 10, 100, 80),), "left"),
        ((shape("b", 150, 10, 100, 80), shape("c", 10, 10, 100, 80)), "right"),
    ],
)
def test_the_name_of_what_is_open_avoids_what_it_holds(
    inside: tuple[str, ...], heading: str
) -> None:
    one = _open(*inside)
    assert one.shapes[0].heading == heading
    text = group_of(to_svg(one), "a").find(f"{SVG}text")
    assert text is not None
    x = float(text.attrib["x"])
    assert {"left": x < 100, "middle": x == 200, "right": x > 300}[heading]


# -- what stands on borders, and in what is closed


def test_a_text_keeps_clear_of_the_events_on_its_activity() -> None:
    one = picture(
        "<task id='a' name='Call the customer'/><boundaryEvent id='b' attachedToRef='a'/>",
        shape("a", 0, 0, 100, 80),
        shape("b", 32, 42, 36, 56),
    )
    assert one.shapes[0].covered == (Bounds(32, 42, 36, 56),)
    text = group_of(to_svg(one), "a").find(f"{SVG}text")
    assert text is not None
    assert max(float(span.attrib["y"]) for span in text) < 42


def test_an_activity_that_would_hide_what_stands_in_it_is_open() -> None:
    one = picture(
        "<callActivity id='a' name='Check'/><task id='b'/><task id='c'/>",
        shape("a", 0, 0, 300, 200),
        shape("b", 50, 50, 100, 80),
        shape("c", 400, 50, 100, 80),
    )
    called = one.shapes[0]
    assert (called.is_open, called.markers) == (True, ())


def test_a_task_that_an_event_was_laid_on_stays_a_task() -> None:
    one = picture(
        "<task id='a' name='Check'/><startEvent id='b'/>",
        shape("a", 0, 0, 100, 80),
        shape("b", 50, 30, 36, 36),
    )
    assert not one.shapes[0].is_open


@pytest.mark.parametrize("form", ["<task id='a' name='{}'/>", "<receiveTask id='a' name='{}'/>"])
@given(name=st.text(st.characters(codec="ascii", categories=["L", "N", "Zs"]), max_size=80),
       width=st.integers(50, 300), height=st.integers(40, 200))  # fmt: skip
@settings(deadline=None, max_examples=60)
def test_no_text_leaves_its_activity(form: str, name: str, width: int, height: int) -> None:
    from diglot.compiler.layout.measure import text_width

    one = picture(form.format(name), shape("a", 0, 0, width, height))
    for text in group_of(to_svg(one), "a").iter(f"{SVG}text"):
        size = float(text.attrib["font-size"])
        for line in list(text) or [text]:
            wide = text_width(line.text or "", size=size)
            x, y = float(line.attrib["x"]), float(line.attrib["y"])
            assert x - wide / 2 >= 0
            assert x + wide / 2 <= width
            assert size * 0.5 <= y <= height
