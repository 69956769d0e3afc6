"""Whatever a file's diagram says, the picture is a picture, soon and of a bounded size."""

from __future__ import annotations

import random
import re
import time
from collections.abc import Callable, Sequence
from xml.sax.saxutils import quoteattr

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from diglot.compiler.drawing import Picture, State, to_svg
from support.diagrams import SVG, edge, parsed, picture, pictures, plane, shape

NUMBERS = st.sampled_from(
    ["0", "1", "-1", "36", "-100", "NaN", "INF", "-inf", "1e308", "-1e308", "1e400", "1e-320",
     "", "abc", "999999", "1000001", "0x10", "1_0", " 5 ", "\uff11", "33.3333333"]
) | st.integers(-2000, 2000).map(str)  # fmt: skip
NAMES = st.sampled_from(
    ["", "Pay", "x" * 10_000, "word " * 2_000, "<script>alert(1)</script>", '" onload="x',
     "\u202etxt", "a\n\n\nb", "\u6ce8\u6587" * 50, "e" + "\u0301" * 500, "\u00a0"]
)  # fmt: skip
ELEMENTS = (
    "<startEvent id='s' name={0}/><task id='t' name={0}/>"
    "<userTask id='u' name={0}><standardLoopCharacteristics/></userTask>"
    "<subProcess id='p1' name={0}><task id='t1' name={0}/></subProcess>"
    "<exclusiveGateway id='g' name={0} default='f2'/><endEvent id='e'/>"
    "<boundaryEvent id='b' attachedToRef='u' name={0}/><dataObjectReference id='d' name={0}/>"
    "<textAnnotation id='a'><text>{1}</text></textAnnotation><group id='gr'/>"
    "<sequenceFlow id='f1' sourceRef='s' targetRef='t' name={0}/>"
    "<sequenceFlow id='f2' sourceRef='g' targetRef='e' name={0}/>"
    "<association id='as' sourceRef='a' targetRef='nobody'/>"
)
IDS = ["s", "t", "u", "p1", "t1", "g", "e", "b", "d", "a", "gr", "f1", "f2", "as", "p", "", "no"]
ATTRIBUTES = [
    "", "isExpanded='true'", "isExpanded='perhaps'", "isHorizontal='false'",
    "bioc:fill='url(#x)' bioc:stroke='javascript:1'", "bioc:fill='#123'",
    "participantBandKind='top_initiating' isMessageVisible='true'",
]  # fmt: skip


@st.composite
def _box(draw: st.DrawFn) -> str:
    if draw(st.integers(0, 9)) == 0:
        return ""
    names = [name for name in ("x", "y", "width", "height") if draw(st.integers(0, 9))]
    return f"<dc:Bounds {' '.join(f'{name}={quoteattr(draw(NUMBERS))}' for name in names)}/>"


@st.composite
def _drawn(draw: st.DrawFn) -> str:
    element, text = draw(st.sampled_from(IDS)), draw(_box() | st.just(None))
    told = "" if text is None else f"<bpmndi:BPMNLabel>{text}</bpmndi:BPMNLabel>"
    if draw(st.booleans()):
        more = draw(st.sampled_from(ATTRIBUTES))
        inner = draw(_box()) + told
        return f"<bpmndi:BPMNShape bpmnElement='{element}' {more}>{inner}</bpmndi:BPMNShape>"
    points = draw(st.lists(st.tuples(NUMBERS, NUMBERS), max_size=5))
    way = "".join(f"<di:waypoint x={quoteattr(x)} y={quoteattr(y)}/>" for x, y in points)
    return f"<bpmndi:BPMNEdge bpmnElement='{element}'>{way}{told}</bpmndi:BPMNEdge>"


@given(st.lists(_drawn(), max_size=25), NAMES, st.sampled_from(["p", "p1", "t", "", "nothing"]))
@settings(max_examples=150, deadline=None)
def test_any_diagram_becomes_a_picture(drawn: Sequence[str], name: str, element: str) -> None:
    elements = ELEMENTS.format(quoteattr(name), name.replace("<", "&lt;"))
    (one,) = pictures(f"<process id='p'>{elements}</process>", plane(element, *drawn))
    states = {"t": State(status="failed", count=10**30, note=name), "f1": State(status="done")}
    for svg in (to_svg(one), to_svg(one, states=states)):
        _check(svg)


def _check(svg: str) -> None:
    assert len(svg) < 300_000
    for element in parsed(svg).iter():
        assert element.tag.removeprefix(SVG) in {
            "svg", "title", "desc", "style", "g", "rect", "circle", "path", "text", "tspan",
        }  # fmt: skip
        for name, value in element.attrib.items():
            assert not name.startswith("on")
            assert "url(" not in value
            if name in ("x", "y", "cx", "cy", "d", "transform", "viewBox"):
                assert not re.search(r"nan|inf|\de", value)
            if name in ("width", "height", "r", "rx", "font-size"):
                assert float(value) >= 0


def _crowd(count: int, *, size: float, more: str = "") -> Picture:
    return picture(
        "".join(f"<subProcess id='e{n}' name='Some name of it {n}'/>" for n in range(count)),
        *(shape(f"e{n}", 0, 0, size, size, more) for n in range(count)),
    )


def _tangle(count: int) -> Picture:
    chance = random.Random(1)
    flows = (f"<sequenceFlow id='f{n}' sourceRef='a' name='flow {n}'/>" for n in range(count))
    way = [[(chance.randint(0, 2000), chance.randint(0, 2000)) for _ in range(6)]
           for _ in range(count)]  # fmt: skip
    return picture("".join(flows), *(edge(f"f{n}", *points) for n, points in enumerate(way)))


@pytest.mark.parametrize(
    "make",
    [
        lambda: _crowd(1_500, size=40),
        lambda: _crowd(1_500, size=1_400),
        lambda: _crowd(1_500, size=900_000, more="isExpanded='true' bioc:fill='#ffeeaa'"),
        lambda: _tangle(800),
    ],
    ids=["all in one place", "all large", "all huge and open", "all lines crossing"],
)
def test_a_crowd_is_drawn_in_seconds(make: Callable[[], Picture]) -> None:
    before = time.process_time()

    svg = to_svg(make())

    assert time.process_time() - before < 8
    assert svg.endswith("</svg>\n")
