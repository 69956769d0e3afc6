"""How a careful modeler would draw it."""

from __future__ import annotations

from itertools import pairwise

import pytest

from diglot.compiler.layout import (
    Bounds,
    Item,
    Lane,
    Layout,
    Link,
    Point,
    Pool,
    Size,
    Sketch,
    lay_out,
)
from diglot.compiler.layout.quality import measure

from .sketches import sketch


def _middle(layout: Layout, name: str) -> float:
    bounds = layout.bounds[name]
    return bounds.y + bounds.height / 2


def _center(layout: Layout, name: str) -> float:
    bounds = layout.bounds[name]
    return bounds.x + bounds.width / 2


def _bends(layout: Layout, name: str) -> int:
    return len(layout.routes[name]) - 2


def test_nothing_is_laid_out_as_nothing() -> None:
    assert lay_out(Sketch()) == Layout()


def test_a_sequence_is_one_line() -> None:
    layout = lay_out(sketch("e1 t1 g1 t2 e2"))

    assert len({_middle(layout, name) for name in ("e1", "t1", "g1", "t2", "e2")}) == 1
    assert all(_bends(layout, name) == 0 for name in layout.routes)


def test_steps_that_follow_each_other_keep_their_distance() -> None:
    layout = lay_out(sketch("t1 t2 t3"))

    edges = [layout.bounds[name].x for name in ("t1", "t2", "t3")]
    assert [after - before for before, after in pairwise(edges)] == [150, 150]


@pytest.mark.parametrize(
    "ways",
    [
        "e1 g1 t1 t2 t3 e2, g1 t4 e3",
        "e1 g1 t4 e3, g1 t1 t2 t3 e2",
        "e1 g1 t1 t2 t3 e2, g1 t4 e3, g1 t5 e4",
        "e1 g1 t1 t2 t3 e2, t3 g1",
        "e1 g1 t1 t2 t3 e2, g1 e2",
    ],
)
def test_the_longest_way_is_the_main_one_and_straight(ways: str) -> None:
    layout = lay_out(sketch(ways))

    assert len({_middle(layout, name) for name in ("e1", "g1", "t1", "t2", "t3", "e2")}) == 1


def test_of_two_ways_the_shorter_lies_below() -> None:
    layout = lay_out(sketch("e1 g1 t4 e3, g1 t1 t2 t3 e2"))

    assert _middle(layout, "t4") > _middle(layout, "t1")


def test_of_three_ways_the_main_one_lies_between() -> None:
    layout = lay_out(sketch("e1 g1 t1 g2 e2, g1 t2 t3 g2, g1 t4 g2"))

    assert _middle(layout, "t1") < _middle(layout, "t2") < _middle(layout, "t4")
    assert _middle(layout, "g1") == _middle(layout, "t2") == _middle(layout, "g2")


def test_other_ways_leave_and_enter_a_gateway_at_its_corners() -> None:
    layout = lay_out(sketch("e1 g1 t1 t2 g2 e2, g1 t3 g2"))

    gateway, merge = layout.bounds["g1"], layout.bounds["g2"]
    assert layout.routes["g1-t3"][0] == (gateway.x + 25, gateway.y + 50)
    assert layout.routes["t3-g2"][-1] == (merge.x + 25, merge.y + 50)
    assert _bends(layout, "g1-t3") == _bends(layout, "t3-g2") == 1


def test_ways_that_meet_at_an_event_come_from_above_and_below() -> None:
    layout = lay_out(sketch("e1 g1 t1 e2, g1 t2 e2, g1 t3 e2", labels={"e2": Size(30, 14)}))

    end = layout.bounds["e2"]
    docks = {layout.routes[name][-1] for name in ("t1-e2", "t2-e2", "t3-e2")}
    assert docks == {(end.x + 18, end.y), (end.x, end.y + 18), (end.x + 18, end.y + 36)}


def test_what_leads_back_has_two_bends() -> None:
    layout = lay_out(sketch("e1 t1 t2 g1 e2, g1 t1"))

    assert _bends(layout, "g1-t1") == 2
    assert _middle(layout, "t1") == _middle(layout, "g1")
    task, gateway = layout.bounds["t1"], layout.bounds["g1"]
    assert layout.routes["g1-t1"][0] == (gateway.x + 25, gateway.y + 50)
    assert layout.routes["g1-t1"][-1] == (task.x + 50, task.y + 80)


def test_a_step_may_lead_to_itself() -> None:
    layout = lay_out(sketch("e1 t1 e2, t1 t1"))

    task = layout.bounds["t1"]
    route = layout.routes["t1-t1"]
    assert route[0] == (task.x + 100, task.y + 40)
    assert route[-1] == (task.x, task.y + 40)
    assert measure(sketch("e1 t1 e2, t1 t1"), layout).through == 0


def test_what_a_boundary_event_leads_to_lies_right_below() -> None:
    layout = lay_out(sketch("e1 t1 t2 e2, b1 t3 e3", on={"b1": "t1"}))

    assert _middle(layout, "t1") == _middle(layout, "t2")
    assert _middle(layout, "t3") > layout.bounds["t1"].y + 80
    assert layout.bounds["t3"].x == layout.bounds["t2"].x
    assert layout.routes["b1-t3"][0].x == layout.routes["b1-t3"][1].x == _center(layout, "b1")
    assert _bends(layout, "b1-t3") == 1


def test_what_compensates_hangs_upright_below_its_event() -> None:
    on = {"b1": "t1", "b2": "t2"}
    layout = lay_out(sketch("e1 t1 t2 e2", on=on, associations="b1 t3, b2 t4"))

    assert layout.bounds["t3"].x == layout.bounds["t1"].x
    assert layout.bounds["t3"].y == layout.bounds["t4"].y
    for name in ("b1-t3", "b2-t4"):
        start, end = layout.routes[name]
        assert start.x == end.x


def test_other_lines_pass_what_compensates() -> None:
    sketched = sketch("e1 t1 e2, b1 t4 e3", on={"b2": "t1", "b1": "t1"}, associations="b2 t3")

    layout = lay_out(sketched)

    event, drop = layout.bounds["b2"], layout.bounds["b1"]
    assert event.x + event.width < drop.x
    assert layout.bounds["t3"].x + 100 < drop.x + 18
    assert measure(sketched, layout).crossings == 0


def test_a_container_is_as_large_as_its_content_and_the_line_goes_on_inside() -> None:
    inside = {name: "c1" for name in ("e2", "t1", "t2", "e3")}
    layout = lay_out(sketch("e1 c1 e4, e2 t1 t2 e3", inside=inside))

    frame = layout.bounds["c1"]
    assert frame.width > 36 + 50 + 100 + 50 + 100 + 50 + 36
    assert len({_middle(layout, name) for name in ("e1", "e2", "t1", "e3", "e4")}) == 1


def test_a_small_container_has_the_size_that_it_asked_for() -> None:
    layout = lay_out(sketch("e1 c1 e2"))

    assert layout.bounds["c1"][2:] == (140, 120)


def test_a_step_in_another_lane_keeps_to_it() -> None:
    lanes = {"e1": "upper", "t1": "upper", "t2": "lower", "e2": "lower"}
    inside = dict.fromkeys(lanes, "p1")
    layout = lay_out(
        sketch(
            "e1 t1 t2 e2",
            inside=inside,
            lanes=lanes,
            pools=["p1"],
            lane_order=[("upper", "p1"), ("lower", "p1")],
        )
    )

    border = layout.bounds["lower"].y
    assert _middle(layout, "t1") < border < _middle(layout, "t2")
    assert _bends(layout, "t1-t2") == 2


def test_a_branch_to_another_lane_goes_straight_down_from_its_gateway() -> None:
    lanes = {"e1": "a", "g1": "a", "t1": "a", "t2": "a", "e2": "a", "t3": "b", "e3": "b"}
    layout = lay_out(
        sketch(
            "e1 g1 t1 t2 e2, g1 t3 e3",
            inside=dict.fromkeys(lanes, "p1"),
            lanes=lanes,
            pools=["p1"],
            lane_order=[("a", "p1"), ("b", "p1")],
        )
    )

    assert _bends(layout, "g1-t3") == 1
    assert layout.routes["g1-t3"][0].x == _center(layout, "g1")


def test_two_ways_to_lower_lanes_do_not_leave_as_one() -> None:
    lanes = {"e1": "a", "g1": "a", "t1": "b", "t2": "c"}
    layout = lay_out(
        sketch(
            "e1 g1 t1, g1 t2",
            inside=dict.fromkeys(lanes, "p1"),
            lanes=lanes,
            pools=["p1"],
            lane_order=[("a", "p1"), ("b", "p1"), ("c", "p1")],
        )
    )

    assert layout.routes["g1-t1"][0] != layout.routes["g1-t2"][0]


def test_a_message_goes_straight_from_pool_to_pool() -> None:
    inside = {"e1": "p1", "t1": "p1", "e2": "p1", "e3": "p2", "t2": "p2", "e4": "p2"}
    layout = lay_out(
        sketch("e1 t1 e2, e3 t2 e4", inside=inside, pools=["p1", "p2"], messages="t1 t2")
    )

    start, end = layout.routes["t1-t2"]
    assert start.x == end.x
    assert start.y == layout.bounds["t1"].y + 80
    assert end.y == layout.bounds["t2"].y


def test_what_receives_a_message_stands_no_further_left_than_what_sends_it() -> None:
    inside = {"t1": "p1", "t2": "p1", "t3": "p1", "e1": "p2", "t4": "p2"}
    layout = lay_out(sketch("t1 t2 t3, e1 t4", inside=inside, pools=["p1", "p2"], messages="t3 e1"))

    assert _center(layout, "e1") >= _center(layout, "t3")


def test_a_message_to_a_boundary_event_keeps_off_the_line_that_leaves_it() -> None:
    inside = {"t1": "p1", "b1": "p1", "e1": "p1", "t2": "p2"}
    sketched = sketch("b1 e1", inside=inside, on={"b1": "t1"}, pools=["p1", "p2"], messages="t2 b1")

    layout = lay_out(sketched)

    assert layout.routes["t2-b1"][-1].x != layout.routes["b1-e1"][0].x
    assert measure(sketched, layout).along == 0


def test_a_pool_without_content_is_a_band() -> None:
    layout = lay_out(sketch("t1", inside={"t1": "p1"}, pools=["p1", "p2"]))

    assert layout.bounds["p2"].height == 60
    assert layout.bounds["p2"].width == layout.bounds["p1"].width


def test_a_note_stands_above_and_data_below() -> None:
    layout = lay_out(sketch("e1 t1 e2", associations="n1 t1, d1 t1"))

    task, note, data = (layout.bounds[name] for name in ("t1", "n1", "d1"))
    assert note.y + note.height < task.y
    assert task.y + task.height < data.y
    for name in ("n1-t1", "d1-t1"):
        start, end = layout.routes[name]
        assert start.x == end.x


def test_an_association_may_end_at_a_line() -> None:
    items = sketch("e1 t1", associations="n1 e1").items
    links = (
        Link(id="flow", source="e1", target="t1"),
        Link(id="told", source="n1", target="flow", kind="association"),
    )

    layout = lay_out(Sketch(items=items, links=links))

    one, other = layout.routes["flow"]
    assert layout.routes["told"][-1] == ((one.x + other.x) / 2, one.y)


def test_the_text_of_a_gateway_stands_where_no_line_docks() -> None:
    labels = {"g1": Size(60, 14)}
    above = lay_out(sketch("e1 g1 t1 t2 e2, g1 t3 e3", labels=labels))
    below = lay_out(sketch("e1 t1 g1 e2, g1 t1, b1 t3 e3", on={"b1": "t1"}, labels=labels))

    assert above.labels["g1"].y + 14 <= above.bounds["g1"].y
    assert below.labels["g1"].y >= below.bounds["g1"].y + 50


def test_ways_that_begin_as_one_have_their_texts_where_they_are_alone() -> None:
    labels = {f"g1-t{number}": Size(30, 14) for number in range(1, 6)}
    ways = "e1 g1 t1 e2, g1 t2 e3, g1 t3 e4, g1 t4 e5, g1 t5 e6"

    layout = lay_out(sketch(ways, labels=labels))

    for number in range(1, 6):
        name = f"g1-t{number}"
        text, last = layout.labels[name], layout.routes[name][-1]
        assert abs(text.y + text.height / 2 - last.y) < 20


def test_parts_that_nothing_joins_stand_below_each_other() -> None:
    layout = lay_out(sketch("e1 t1, e2 t2"))

    assert layout.bounds["t2"].y >= layout.bounds["t1"].y + 80


def test_single_shapes_stand_beside_each_other() -> None:
    items = tuple(Item(id=f"t{n}", kind="activity", size=Size(100, 80)) for n in range(4))

    layout = lay_out(Sketch(items=items))

    assert len({layout.bounds[item.id].y for item in items}) < 4
    assert measure(Sketch(items=items), layout).overlaps == 0


_TASK = Item(id="a", kind="activity", size=Size(100, 80))


@pytest.mark.parametrize(
    "odd",
    [
        Sketch(items=(_TASK, _TASK), links=(Link(id="l", source="a", target="a"),)),
        Sketch(items=(_TASK,), links=(Link(id="l", source="a", target="nobody"),)),
        Sketch(items=(Item(id="b", kind="boundary", size=Size(36, 36), host="nobody"),)),
        Sketch(items=(Item(id="b", kind="boundary", size=Size(36, 36), host="b"),)),
        Sketch(items=(Item(id="c", kind="container", size=Size(1, 1), parent="c"),)),
        Sketch(
            items=(
                Item(id="c", kind="container", size=Size(1, 1), parent="d"),
                Item(id="d", kind="container", size=Size(1, 1), parent="c"),
            )
        ),
        Sketch(items=(Item(id="a", kind="activity", size=Size(float("nan"), float("inf"))),)),
        Sketch(items=(Item(id="a", kind="activity", size=Size(-5, 0), lane="nobody"),)),
        Sketch(lanes=(Lane(id="l", pool="nobody"), Lane(id="m", pool="", parent="m"))),
        Sketch(pools=(Pool(id="p"), Pool(id="p")), items=(Item(
            id="a", kind="event", size=Size(36, 36), parent="p"),)),
        Sketch(items=(_TASK,), links=(Link(id="l", source="l", target="l", kind="association"),)),
    ],
)  # fmt: skip
def test_a_sketch_that_is_wrong_is_laid_out_all_the_same(odd: Sketch) -> None:
    layout = lay_out(odd)

    assert {item.id for item in odd.items} <= set(layout.bounds)
    assert all(
        abs(number) < 1e9 and number == number for at in layout.bounds.values() for number in at
    )


def test_many_levels_of_containers_are_no_trouble() -> None:
    items = [
        Item(id=f"c{n}", kind="container", size=Size(100, 80), parent=f"c{n - 1}" if n else "")
        for n in range(300)
    ]

    layout = lay_out(Sketch(items=tuple(items)))

    inner, outer = layout.bounds["c299"], layout.bounds["c0"]
    assert outer.x < inner.x
    assert inner.x + inner.width < outer.x + outer.width


def test_a_layout_begins_at_the_same_place() -> None:
    layout = lay_out(sketch("e1 t1 e2"))

    assert layout.bounds["e1"] == Bounds(150, 102, 36, 36)
    assert layout.routes["e1-t1"] == (Point(186, 120), Point(240, 120))


def test_lanes_in_lanes_stand_right_of_the_name_that_they_share() -> None:
    size = Size(100, 80)
    sketched = Sketch(
        pools=(Pool(id="p"),),
        lanes=(
            Lane(id="all", pool="p"),
            Lane(id="upper", pool="p", parent="all"),
            Lane(id="lower", pool="p", parent="all"),
        ),
        items=(
            Item(id="t1", kind="activity", size=size, parent="p", lane="upper"),
            Item(id="t2", kind="activity", size=size, parent="p", lane="lower"),
        ),
        links=(Link(id="flow", source="t1", target="t2"),),
    )

    layout = lay_out(sketched)

    outer, upper, lower = (layout.bounds[name] for name in ("all", "upper", "lower"))
    assert upper.x == lower.x == outer.x + 30
    assert (outer.y, outer.y + outer.height) == (upper.y, lower.y + lower.height)
    assert measure(sketched, layout).outside == 0


def test_what_has_no_lane_goes_where_its_neighbour_is() -> None:
    lanes = {"t1": "a", "t2": "b"}
    inside = {f"t{number}": "p1" for number in range(1, 5)}

    layout = lay_out(
        sketch(
            "t1 t2 t3 t4",
            inside=inside,
            lanes=lanes,
            pools=["p1"],
            lane_order=[("a", "p1"), ("b", "p1")],
        )
    )

    assert _middle(layout, "t4") == _middle(layout, "t3") == _middle(layout, "t2")


def test_a_gateway_may_have_a_hundred_ways() -> None:
    sketched = sketch(", ".join(f"e1 g1 t{number} g2 e2" for number in range(100)))

    layout = lay_out(sketched)

    found = measure(sketched, layout)
    assert (found.overlaps, found.through, found.crossings, found.along) == (0, 0, 0, 0)


def test_a_note_lies_over_the_columns_beside_its_host_where_nothing_is() -> None:
    note = Item(id="n1", kind="annotation", size=Size(180, 60))
    plain = sketch("e1 t1 e2")
    noted = Sketch(
        items=(*plain.items, note),
        links=(*plain.links, Link(id="told", source="n1", target="t1", kind="association")),
    )

    layout = lay_out(noted)

    plainly = lay_out(plain)
    for name in ("t1", "e2"):
        assert layout.bounds[name].x == plainly.bounds[name].x
    assert layout.bounds["n1"].x < layout.bounds["t1"].x


def test_a_note_above_a_gateway_leaves_its_corner_free() -> None:
    layout = lay_out(sketch("e1 g1 t1 e2, g1 t2 e3, g1 t3 e4", associations="n1 g1"))

    gateway, note = layout.bounds["g1"], layout.bounds["n1"]
    docks = {layout.routes[name][0] for name in ("g1-t1", "g1-t2", "g1-t3")}
    assert (gateway.x + 25, gateway.y) in docks
    assert note.x > gateway.x + 25


def test_a_line_that_leaves_its_container_goes_around_what_is_inside() -> None:
    sketched = sketch("e1 t1 e2, t1 t2", inside=dict.fromkeys(("e1", "t1", "e2"), "c1"))

    layout = lay_out(sketched)

    assert layout.bounds["t2"].x > layout.bounds["c1"].x + layout.bounds["c1"].width
    assert measure(sketched, layout).through == 0


def test_where_the_main_way_comes_back_to_a_lane_it_goes_on_at_its_height() -> None:
    lanes = {"e1": "a", "t1": "a", "t2": "b", "t3": "a", "g1": "a", "e2": "a"}

    layout = lay_out(
        sketch(
            "e1 t1 t2 t3 g1 e2, g1 t2",
            inside=dict.fromkeys(lanes, "p1"),
            lanes=lanes,
            pools=["p1"],
            lane_order=[("a", "p1"), ("b", "p1")],
        )
    )

    assert len({_middle(layout, name) for name in ("e1", "t1", "t3", "g1", "e2")}) == 1
