"""What is new finds a place in a drawing that is there."""

from __future__ import annotations

from itertools import combinations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from diglot.compiler.layout import Bounds, Layout, Point, Sketch, lay_out
from diglot.compiler.layout.quality import measure

from .sketches import sketch, sketches

law = settings(max_examples=40, deadline=None)


def _some(sketched: Sketch, dice: int) -> set[str]:
    """About half of the items."""
    random = Random(dice)
    return {item.id for item in sketched.items if random.random() < 0.5}


def _without(layout: Layout, names: set[str], sketched: Sketch) -> Layout:
    """A layout from which shapes, with their lines, are taken away."""
    lost = {
        link.id
        for link in sketched.links
        if link.source in names or link.target in names or link.id in names
    }
    return Layout(
        bounds={name: at for name, at in layout.bounds.items() if name not in names},
        routes={name: way for name, way in layout.routes.items() if name not in lost},
        labels={name: at for name, at in layout.labels.items() if name not in names | lost},
    )


@law
@given(sketches(), st.integers(0, 1000))
def test_nothing_that_is_there_moves(sketched: Sketch, dice: int) -> None:
    names = _some(sketched, dice)
    fixed = _without(lay_out(sketched), names, sketched)

    amended = lay_out(sketched, fixed)

    assert {name: amended.bounds[name] for name in fixed.bounds} == fixed.bounds
    assert {name: amended.routes[name] for name in fixed.routes} == fixed.routes
    assert {name: amended.labels[name] for name in fixed.labels} == fixed.labels


@law
@given(sketches(), st.integers(0, 1000))
def test_everything_that_is_new_gets_a_place(sketched: Sketch, dice: int) -> None:
    names = _some(sketched, dice)
    fixed = _without(lay_out(sketched), names, sketched)

    amended = lay_out(sketched, fixed)

    assert set(amended.bounds) == {
        one.id for one in (*sketched.items, *sketched.pools, *sketched.lanes)
    }
    assert measure(sketched, amended).missing == 0


@law
@given(sketches(), st.integers(0, 1000))
def test_what_is_new_covers_nothing(sketched: Sketch, dice: int) -> None:
    plain = {item.id for item in sketched.items if item.kind not in ("boundary", "container")}
    names = _some(sketched, dice) & plain
    names |= {item.id for item in sketched.items if item.host in names}
    fixed = _without(lay_out(sketched), names, sketched)

    amended = lay_out(sketched, fixed)

    assert measure(sketched, amended).overlaps == 0


def test_a_drawing_that_is_whole_stays_as_it_is() -> None:
    sketched = sketch("e1 t1 g1 t2 e2, g1 t3 e2")
    drawn = lay_out(sketched)

    assert lay_out(sketched, drawn) == drawn


def test_a_new_step_stands_right_of_what_leads_to_it() -> None:
    drawn = lay_out(sketch("e1 t1 t2"))

    amended = lay_out(sketch("e1 t1 t2 t3"), drawn)

    before, new = amended.bounds["t2"], amended.bounds["t3"]
    assert new == Bounds(before.x + 150, before.y, 100, 80)
    assert amended.routes["t2-t3"] == (
        Point(before.x + 100, before.y + 40),
        Point(new.x, new.y + 40),
    )


def test_a_step_between_two_that_stay_stands_below_or_above() -> None:
    drawn = lay_out(sketch("e1 t1 t2 e2"))

    amended = lay_out(sketch("e1 t1 t3 t2 e2"), _without(drawn, {"t1-t2"}, sketch("t1 t2")))

    near, new = amended.bounds["t2"], amended.bounds["t3"]
    assert amended.bounds["t1"] == drawn.bounds["t1"]
    assert abs(new.y - near.y) >= 120
    assert abs(new.x - near.x) <= 150
    assert measure(sketch("e1 t1 t3 t2 e2"), amended).through == 0


def test_a_new_chain_is_laid_out_as_one() -> None:
    drawn = lay_out(sketch("e1 g1 t1 e2"))

    amended = lay_out(sketch("e1 g1 t1 e2, g1 t2 t3 t4 e3"), drawn)

    heights = {amended.bounds[name].y for name in ("t2", "t3", "t4")}
    assert len(heights) == 1
    assert amended.bounds["t3"].x == amended.bounds["t2"].x + 150


def test_a_new_boundary_event_keeps_clear_of_those_that_are_there() -> None:
    on = {"b1": "t1", "b2": "t1"}
    drawn = lay_out(sketch("e1 t1 e2", on={"b1": "t1"}))

    amended = lay_out(sketch("e1 t1 e2", on=on), drawn)

    host, one, other = (amended.bounds[name] for name in ("t1", "b1", "b2"))
    assert other.y + other.height / 2 == host.y + host.height
    assert other.x + other.width <= one.x


def test_a_container_without_a_shape_is_drawn_around_what_is_inside() -> None:
    inside = {"t1": "c1", "t2": "c1"}
    bounds = {"t1": Bounds(300, 300, 100, 80), "t2": Bounds(450, 300, 100, 80)}

    amended = lay_out(sketch("t1 t2", inside=inside), Layout(bounds=bounds))

    frame = amended.bounds["c1"]
    assert frame.x < 300
    assert frame.y < 300
    assert frame.x + frame.width > 550
    assert frame.y + frame.height > 380


def test_a_new_pool_stands_below_all() -> None:
    drawn = lay_out(sketch("t1 t2", inside={"t1": "p1", "t2": "p1"}, pools=["p1"]))

    inside = {"t1": "p1", "t2": "p1", "t3": "p2"}
    amended = lay_out(sketch("t1 t2", inside=inside, pools=["p1", "p2"]), drawn)

    upper, lower = amended.bounds["p1"], amended.bounds["p2"]
    assert upper == drawn.bounds["p1"]
    assert lower.y > upper.y + upper.height
    assert lower.x == upper.x


@pytest.mark.parametrize("number", [float("nan"), float("inf"), -float("inf"), 1e308, -1e9])
def test_places_that_are_none_are_not_kept(number: float) -> None:
    sketched = sketch("t1 t2")

    amended = lay_out(sketched, Layout(bounds={"t1": Bounds(number, 0, 100, 80)}))

    assert measure(sketched, amended).missing == 0
    assert all(abs(value) < 1e6 for bounds in amended.bounds.values() for value in bounds)


def test_what_is_drawn_at_one_place_stays_there() -> None:
    one = Bounds(100, 100, 100, 80)
    fixed = Layout(bounds={"t1": one, "t2": one, "t3": one})

    amended = lay_out(sketch("t1 t2 t3 t4"), fixed)

    assert [amended.bounds[name] for name in ("t1", "t2", "t3")] == [one] * 3
    others = [amended.bounds[name] for name in ("t1", "t4")]
    assert not any(
        first.x < second.x + second.width and second.x < first.x + first.width
        for first, second in combinations(others, 2)
        if first.y < second.y + second.height and second.y < first.y + first.height
    )
