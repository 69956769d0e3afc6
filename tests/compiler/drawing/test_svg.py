"""A drawing is well-formed, the same each time, harmless, and says in words what it shows."""

from __future__ import annotations

import re
from xml.sax.saxutils import quoteattr

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from diglot.compiler.drawing import State, to_svg
from diglot.compiler.drawing.parts import Picture
from support.diagrams import (
    SVG,
    edge,
    group_of,
    label,
    parsed,
    picture,
    pictures,
    plane,
    shape,
    texts_in,
    title_of,
)

ORDER = picture(
    "<documentation>How orders go.</documentation>"
    "<startEvent id='came' name='Order came'/><userTask id='check' name='Check the order'/>"
    "<exclusiveGateway id='ok' name='Is it paid?'/><endEvent id='done' name='Shipped'/>"
    "<sequenceFlow id='one' sourceRef='came' targetRef='check'/>"
    "<sequenceFlow id='two' sourceRef='check' targetRef='ok'/>"
    "<sequenceFlow id='three' sourceRef='ok' targetRef='done' name='yes'/>",
    shape("came", 0, 22, 36, 36),
    shape("check", 100, 0, 100, 80),
    shape("ok", 250, 15, 50, 50, "isMarkerVisible='true'"),
    shape("done", 400, 22, 36, 36),
    edge("one", (36, 40), (100, 40)),
    edge("two", (200, 40), (250, 40)),
    edge("three", (300, 40), (400, 40)),
)


def _named(name: str, element: str = "task", size: tuple[float, float] = (100, 80)) -> Picture:
    return picture(f"<{element} id='a' name={quoteattr(name)}/>", shape("a", 0, 0, *size))


def test_two_drawings_of_a_picture_are_the_same() -> None:
    states = {"check": State(status="done"), "ok": State(status="active")}
    turned = dict(reversed(states.items()))
    assert to_svg(ORDER, states=states) == to_svg(ORDER, states=turned)


def test_a_drawing_needs_nothing_and_runs_nothing() -> None:
    svg = to_svg(ORDER, states={"check": State(status="done")})
    names = {element.tag.removeprefix(SVG) for element in parsed(svg).iter()}
    assert names <= {
        "svg", "title", "desc", "style", "g", "rect", "circle", "path", "text", "tspan",
    }  # fmt: skip
    assert "url(" not in svg
    assert "href" not in svg


def test_a_drawing_has_the_size_of_its_picture() -> None:
    top = parsed(to_svg(ORDER))
    x, y, width, height = (float(each) for each in top.attrib["viewBox"].split())
    assert (width, height) == (float(top.attrib["width"]), float(top.attrib["height"]))
    assert (x, y, width, height) == pytest.approx(ORDER.bounds, abs=0.01)


def test_a_drawing_says_in_words_what_it_shows() -> None:
    top = parsed(to_svg(ORDER))
    assert top.attrib["role"] == "img"
    assert top.findtext(f"{SVG}title") == "Order"
    assert top.findtext(f"{SVG}desc") == (
        "A diagram with 1 activity, 1 gateway and 2 events. It starts at \u201cOrder came\u201d."
        " It ends at \u201cShipped\u201d. How orders go."
    )


def test_what_has_no_name_is_told_by_what_it_is() -> None:
    one = picture(
        "<startEvent id='a'/><endEvent id='b'/><endEvent id='c'><errorEventDefinition/></endEvent>",
        *(shape(name, n * 50, 0, 36, 36) for n, name in enumerate("abc")),
    )
    said = parsed(to_svg(one)).findtext(f"{SVG}desc")
    assert said == (
        "A diagram with 3 events. It starts at a start event."
        " It ends at an end event or an error end event."
    )


def test_pools_are_told() -> None:
    (one,) = pictures(
        "<collaboration id='c'><participant id='a' name='Buyer'/>"
        "<participant id='b' name='Seller'/></collaboration>",
        plane("c", shape("a", 0, 0, 300, 60), shape("b", 0, 100, 300, 60)),
    )
    said = parsed(to_svg(one)).findtext(f"{SVG}desc")
    assert said == ("A diagram with no steps in 2 pools: \u201cBuyer\u201d and \u201cSeller\u201d.")


@pytest.mark.parametrize(
    ("element", "title"),
    [
        ("check", "User task: Check the order"),
        ("came", "Start event: Order came"),
        ("ok", "Exclusive gateway: Is it paid?"),
        ("three", "Sequence flow: yes (from Is it paid? to Shipped)"),
    ],
)
def test_each_piece_says_what_it_is(element: str, title: str) -> None:
    assert title_of(to_svg(ORDER), element) == title


def test_what_an_element_says_of_itself_is_told() -> None:
    one = picture(
        "<boundaryEvent id='a' cancelActivity='false'><documentation>Ask again.</documentation>"
        "<timerEventDefinition/></boundaryEvent>",
        shape("a", 0, 0, 36, 36),
    )
    told = title_of(to_svg(one), "a")
    assert told == "Non-interrupting timer boundary event\nAsk again."


def test_an_element_that_is_drawn_twice_has_its_id_once() -> None:
    one = picture("<task id='a'/>", shape("a", 0, 0, 100, 80), shape("a", 200, 0, 100, 80))
    svg = to_svg(one)
    assert svg.count('id="e-a"') == 1
    assert svg.count('data-element="a"') == 2


def test_the_text_of_a_task_is_wrapped_into_it() -> None:
    assert texts_in(to_svg(_named("Check the creditworthiness of the customer"))) == [
        "Check the",
        "creditworthiness",
        "of the customer",
    ]


def test_a_text_that_is_too_long_is_cut_and_told_in_full() -> None:
    name = "Check " * 60
    svg = to_svg(_named(name))
    lines = texts_in(svg)
    assert len(lines) <= 6
    assert lines[-1].endswith("\u2026")
    assert title_of(svg, "a").endswith(name.strip())


def test_a_text_keeps_clear_of_the_symbol_of_its_task() -> None:
    svg = to_svg(_named("Write what the customer said into the book", "userTask"))
    first = next(parsed(svg).iter(f"{SVG}text"))
    tops = [float(span.attrib["y"]) for span in first]
    assert min(tops) > 25 or float(first[0].attrib["x"]) > 50


def test_a_file_label_is_written_where_the_file_says() -> None:
    one = picture(
        "<startEvent id='a' name='Order came'/>",
        shape("a", 0, 0, 36, 36, ">" + label(100, 200, 60, 14)),
    )
    (text,) = parsed(to_svg(one)).iter(f"{SVG}text")
    assert text.text == "Order came"
    assert float(text.attrib["x"]) == 130
    assert 200 < float(text.attrib["y"]) < 214


# -- names that would do harm

NAMES = st.text(max_size=40) | st.sampled_from(
    [
        "</title><script>alert(1)</script>",
        '" onload="alert(1)',
        "&lt;b&gt; &amp; ]]>",
        "a\x00b\x1b[31m\u202etxt.exe\ufffe\ud800",
        "e" + "\u0301" * 500,
        "\n" * 200,
        "x" * 5_000,
    ]
)


@given(NAMES, NAMES)
@settings(max_examples=60, deadline=None)
def test_any_name_is_only_a_name(name: str, other: str) -> None:
    hostile = msgspec.structs.replace(
        ORDER,
        title=name,
        documentation=other,
        shapes=tuple(
            msgspec.structs.replace(one, name=name, id=f"{other}{n}", documentation=other)
            for n, one in enumerate(ORDER.shapes)
        ),
        lines=tuple(
            msgspec.structs.replace(one, name=other, documentation=name) for one in ORDER.lines
        ),
    )
    svg = to_svg(hostile)
    names = {element.tag for element in parsed(svg).iter()}
    assert f"{SVG}script" not in names
    assert not re.search("[\x00-\x08\x0b\x0c\x0e-\x1f\u202a-\u202e\ufffe\uffff\ud800-\udfff]", svg)
    attributes = {name for element in parsed(svg).iter() for name in element.attrib}
    assert not any(name.startswith("on") for name in attributes)
    assert len(svg) < 60_000


# -- states


def test_a_state_is_a_class_a_sign_and_words() -> None:
    svg = to_svg(ORDER, states={"check": State(status="failed", count=3, note="no answer")})
    shown = group_of(svg, "check")
    assert shown.attrib["data-state"] == "failed"
    assert "failed" in shown.attrib["class"].split()
    assert title_of(svg, "check") == (
        "User task: Check the order \u2013 failed, 3 times: no answer"
    )
    assert "3" in texts_in(svg)


def test_states_are_told_together() -> None:
    states = {
        "came": State(status="done"),
        "check": State(status="done"),
        "ok": State(status="waiting"),
        "nobody": State(status="failed"),
    }
    said = parsed(to_svg(ORDER, states=states)).findtext(f"{SVG}desc") or ""
    assert said.endswith("State of its elements: 2 done, 1 waiting.")


@pytest.mark.parametrize("status", ["done", "active", "waiting", "failed", "skipped"])
def test_no_state_is_a_colour_alone(status: str) -> None:
    def drawn(states: dict[str, State]) -> int:
        return to_svg(ORDER, states=states, theme="light").count("<path")

    state = State(status=status)  # type: ignore[arg-type]
    assert drawn({"check": state}) > drawn({})


def test_a_flow_has_a_state_too() -> None:
    svg = to_svg(ORDER, states={"three": State(status="done", count=2)})
    assert group_of(svg, "three").attrib["data-state"] == "done"


# -- surroundings


def test_a_drawing_follows_light_and_dark_surroundings() -> None:
    svg = to_svg(ORDER)
    style = parsed(svg).findtext(f"{SVG}style") or ""
    assert "prefers-color-scheme:dark" in style
    assert "var(--diglot-ink,#20262e)" in style


def test_colours_stand_in_attributes_for_viewers_without_style_sheets() -> None:
    top = parsed(to_svg(ORDER))
    assert top.attrib["color"] == "#20262e"
    shown = [element.attrib.get("fill") for element in top.iter(f"{SVG}rect")]
    assert shown[0] == "#ffffff"


@pytest.mark.parametrize(
    ("background", "theme", "ink"),
    [
        ("#ffffff", "auto", "#20262e"),
        ("#101010", "auto", "#e3e8ee"),
        (None, "dark", "#e3e8ee"),
        ("none", "light", "#20262e"),
    ],
)
def test_a_colour_or_a_theme_is_for_all_surroundings(
    background: str | None, theme: str, ink: str
) -> None:
    svg = to_svg(ORDER, background=background, theme=theme)  # type: ignore[arg-type]
    top = parsed(svg)
    assert top.attrib["color"] == ink
    assert top.find(f"{SVG}style") is None


def test_a_picture_may_be_without_paper() -> None:
    assert 'class="p"' in to_svg(ORDER)
    assert 'class="p"' not in to_svg(ORDER, background="none")


@pytest.mark.parametrize("background", ["red", "#fff", "", "#12345g", "url(#x)"])
def test_a_background_that_is_no_colour_is_refused(background: str) -> None:
    with pytest.raises(ValueError, match="#rrggbb"):
        to_svg(ORDER, background=background)


def test_an_author_s_colours_are_kept_and_stay_readable() -> None:
    one = picture(
        "<task id='a' name='Pay'/><task id='b' name='Go'/>",
        shape("a", 0, 0, 100, 80, "bioc:fill='#ffe0b2' bioc:stroke='#6b3c00'"),
        shape("b", 200, 0, 100, 80, "bioc:stroke='#0d4372'"),
    )
    svg = to_svg(one)
    assert group_of(svg, "a").attrib["fill"] == "#ffe0b2"
    assert group_of(svg, "a").attrib["color"] == "#6b3c00"
    assert group_of(svg, "b").attrib["color"] == "#0d4372"
    # On dark paper that blue would hardly be seen.
    (name,) = group_of(svg, "b").attrib["class"].split()
    assert f".{name}{{color:#" in svg
    assert f".{name}{{color:#0d4372" not in svg
