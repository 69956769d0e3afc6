"""What is wrong with a layout is counted."""

from __future__ import annotations

import msgspec
import pytest

from diglot.compiler.layout import Bounds, Layout, Point, Size, lay_out
from diglot.compiler.layout.quality import measure

from .sketches import sketch

_SKETCH = sketch("t1 t2, t3 t4", labels={"t1-t2": Size(40, 14)})
_BOUNDS = {
    "t1": Bounds(0, 0, 100, 80),
    "t2": Bounds(300, 0, 100, 80),
    "t3": Bounds(150, 200, 100, 80),
    "t4": Bounds(150, 400, 100, 80),
}
_ROUTES = {
    "t1-t2": (Point(100, 40), Point(300, 40)),
    "t3-t4": (Point(200, 280), Point(200, 400)),
}
_LABELS = {"t1-t2": Bounds(110, 20, 40, 14)}


def _with(
    bounds: dict[str, Bounds] | None = None,
    routes: dict[str, tuple[Point, ...]] | None = None,
    labels: dict[str, Bounds] | None = None,
) -> Layout:
    """The good layout with a change."""
    return Layout(
        bounds={**_BOUNDS, **(bounds or {})},
        routes={**_ROUTES, **(routes or {})},
        labels={**_LABELS, **(labels or {})},
    )


def _faults(layout: Layout) -> dict[str, int]:
    found = msgspec.to_builtins(measure(_SKETCH, layout))
    return {name: count for name, count in found.items() if count and name != "bends"}


def test_a_good_layout_has_no_faults() -> None:
    assert _faults(_with()) == {}


def test_two_shapes_in_one_place_are_counted() -> None:
    route = (Point(250, 240), Point(380, 240), Point(380, 130))
    layout = _with(bounds={"t4": Bounds(330, 50, 100, 80)}, routes={"t3-t4": route})

    assert _faults(layout) == {"overlaps": 1}


def test_a_shape_that_a_line_goes_through_is_counted() -> None:
    route = (Point(200, 80), Point(200, 400))
    layout = _with(bounds={"t3": Bounds(150, 0, 100, 80)}, routes={"t3-t4": route})

    assert _faults(layout) == {"through": 1}


def test_lines_that_cross_are_counted() -> None:
    route = (Point(200, -120), Point(200, 400))
    layout = _with(bounds={"t3": Bounds(150, -200, 100, 80)}, routes={"t3-t4": route})

    assert _faults(layout) == {"crossings": 1}


def test_lines_along_each_other_are_counted() -> None:
    route = (
        Point(200, 200), Point(200, 40), Point(270, 40), Point(270, 440), Point(250, 440)
    )  # fmt: skip

    assert _faults(_with(routes={"t3-t4": route})) == {"along": 1}


def test_a_line_without_a_way_is_counted() -> None:
    assert _faults(_with(routes={"t3-t4": ()})) == {"missing": 1}


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        (Bounds(90, 20, 40, 14), "label_overlaps"),
        (Bounds(110, 35, 40, 14), "label_crossings"),
    ],
)
def test_a_text_on_a_shape_or_a_line_is_counted(text: Bounds, fault: str) -> None:
    assert _faults(_with(labels={"t1-t2": text})) == {fault: 1}


def test_bends_are_counted() -> None:
    route = (Point(200, 280), Point(200, 340), Point(210, 340), Point(210, 400))

    assert measure(_SKETCH, _with(routes={"t3-t4": route})).bends == 2


def test_what_lies_outside_of_its_container_is_counted() -> None:
    sketched = sketch("t1 t2", inside={"t1": "c1"})
    bounds = {**lay_out(sketched).bounds, "t1": Bounds(5000, 5000, 100, 80)}

    assert measure(sketched, Layout(bounds=bounds)).outside == 1
