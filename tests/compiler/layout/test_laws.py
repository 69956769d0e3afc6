"""What holds for every layout of every sketch."""

from __future__ import annotations

from itertools import combinations, pairwise

from hypothesis import given, settings

from diglot.compiler.layout import Bounds, Layout, Point, Sketch, lay_out

from .sketches import sketches

law = settings(max_examples=60, deadline=None)


def _cover(one: Bounds, other: Bounds) -> bool:
    """Whether two rectangles have an inside in common."""
    return (
        one.x < other.x + other.width
        and other.x < one.x + one.width
        and one.y < other.y + other.height
        and other.y < one.y + one.height
    )


def _is_in(inner: Bounds, outer: Bounds) -> bool:
    return (
        outer.x <= inner.x
        and outer.y <= inner.y
        and inner.x + inner.width <= outer.x + outer.width
        and inner.y + inner.height <= outer.y + outer.height
    )


def _around(sketch: Sketch, name: str) -> set[str]:
    """What an item is inside of."""
    parents = {item.id: item.parent for item in sketch.items}
    found: set[str] = set()
    while name := parents.get(name, ""):
        found.add(name)
    return found


def _is_on(at: Point, shape: Bounds) -> bool:
    """Whether a point lies on the border of a shape, or of a round one that fills its bounds."""
    across = (2 * (at.x - shape.x) / shape.width - 1) ** 2
    down = (2 * (at.y - shape.y) / shape.height - 1) ** 2
    if shape.width == shape.height == 36 and abs(across + down - 1) < 1e-9:
        return True
    beside = at.x in (shape.x, shape.x + shape.width)
    above = at.y in (shape.y, shape.y + shape.height)
    return (beside and shape.y <= at.y <= shape.y + shape.height) or (
        above and shape.x <= at.x <= shape.x + shape.width
    )


def _passes(one: Point, other: Point, shape: Bounds) -> bool:
    """Whether a line at right angles, or an end of one at another angle, is in a shape."""
    low_x, high_x = sorted((one.x, other.x))
    low_y, high_y = sorted((one.y, other.y))
    return (
        low_x < shape.x + shape.width
        and shape.x < high_x
        and low_y < shape.y + shape.height
        and shape.y < high_y
        if one.x != other.x and one.y != other.y
        else low_x < shape.x + shape.width
        and shape.x < high_x + (one.x == other.x) * 1e-9
        and low_y < shape.y + shape.height
        and shape.y < high_y + (one.y == other.y) * 1e-9
    )


def _flows(sketch: Sketch, layout: Layout) -> list[tuple[str, tuple[Point, ...]]]:
    return [
        (link.id, layout.routes[link.id]) for link in sketch.links if link.kind != "association"
    ]


@law
@given(sketches())
def test_everything_has_a_place_and_every_line_its_way(sketch: Sketch) -> None:
    layout = lay_out(sketch)

    shapes = {one.id for one in (*sketch.items, *sketch.pools, *sketch.lanes)}
    assert set(layout.bounds) == shapes
    assert set(layout.routes) == {link.id for link in sketch.links}
    texts = {one.id for one in (*sketch.items, *sketch.links) if one.label is not None}
    assert set(layout.labels) == texts


@law
@given(sketches())
def test_shapes_have_the_size_that_was_asked_for_or_more(sketch: Sketch) -> None:
    layout = lay_out(sketch)

    for item in sketch.items:
        bounds = layout.bounds[item.id]
        assert bounds.width >= item.size.width
        assert bounds.height >= item.size.height
        if item.kind not in ("activity", "container"):
            assert bounds[2:] == item.size


@law
@given(sketches())
def test_no_two_shapes_cover_each_other(sketch: Sketch) -> None:
    layout = lay_out(sketch)

    for one, other in combinations(sketch.items, 2):
        are_nested = one.id in _around(sketch, other.id) or other.id in _around(sketch, one.id)
        if not are_nested and other.id != one.host and one.id != other.host:
            assert not _cover(layout.bounds[one.id], layout.bounds[other.id]), (one, other)


@law
@given(sketches())
def test_what_is_inside_of_something_is_drawn_inside(sketch: Sketch) -> None:
    layout = lay_out(sketch)

    for item in sketch.items:
        for frame in (item.parent, item.lane):
            if frame:
                assert _is_in(layout.bounds[item.id], layout.bounds[frame])


@law
@given(sketches(with_pools=True))
def test_lanes_share_their_pool_without_a_gap(sketch: Sketch) -> None:
    layout = lay_out(sketch)

    for pool in sketch.pools:
        lanes = [layout.bounds[lane.id] for lane in sketch.lanes if lane.pool == pool.id]
        if lanes:
            outer = layout.bounds[pool.id]
            assert lanes[0].y == outer.y
            assert lanes[-1].y + lanes[-1].height == outer.y + outer.height
            assert all(upper.y + upper.height == lower.y for upper, lower in pairwise(lanes))
    for upper, lower in pairwise(layout.bounds[pool.id] for pool in sketch.pools):
        assert upper.y + upper.height < lower.y


@law
@given(sketches())
def test_boundary_events_sit_on_the_border_of_their_host(sketch: Sketch) -> None:
    layout = lay_out(sketch)

    for item in sketch.items:
        if item.kind == "boundary":
            event, host = layout.bounds[item.id], layout.bounds[item.host]
            assert event.y + event.height / 2 == host.y + host.height
            assert host.x <= event.x
            assert event.x + event.width <= host.x + host.width


@law
@given(sketches())
def test_flows_run_at_right_angles_from_border_to_border(sketch: Sketch) -> None:
    layout = lay_out(sketch)

    ends = {link.id: (link.source, link.target) for link in sketch.links}
    for name, route in _flows(sketch, layout):
        source, target = ends[name]
        assert all(one.x == other.x or one.y == other.y for one, other in pairwise(route))
        assert all(one != other for one, other in pairwise(route))
        assert _is_on(route[0], layout.bounds[source])
        assert _is_on(route[-1], layout.bounds[target])


@law
@given(sketches())
def test_no_flow_passes_through_a_shape(sketch: Sketch) -> None:
    layout = lay_out(sketch)

    ends = {link.id: (link.source, link.target) for link in sketch.links}
    for name, route in _flows(sketch, layout):
        source, target = ends[name]
        free = _around(sketch, source) | _around(sketch, target)
        hosts = {item.host for item in sketch.items if item.id == source and item.host}
        for item in sketch.items:
            if item.id in free:
                continue
            shape = layout.bounds[item.id]
            if item.id in (source, target) and item.kind in ("event", "boundary"):
                # A line beside the middle of a round shape meets it within its bounds.
                shape = Bounds(shape.x + 4, shape.y + 4, shape.width - 8, shape.height - 8)
            parts = [part for part in pairwise(route) if _passes(*part, shape)]
            if item.id in hosts:
                # The half of an event that lies on its host.
                parts = parts[1:]
            assert parts == [], (name, item.id)


@law
@given(sketches())
def test_no_text_covers_a_shape_or_another_text(sketch: Sketch) -> None:
    layout = lay_out(sketch)

    for (_, one), (_, other) in combinations(layout.labels.items(), 2):
        assert not _cover(one, other)
    for text in layout.labels.values():
        for item in sketch.items:
            shape = layout.bounds[item.id]
            assert not _cover(text, shape) or (item.kind == "container" and _is_in(text, shape))


@law
@given(sketches())
def test_a_layout_is_always_the_same(sketch: Sketch) -> None:
    assert lay_out(sketch) == lay_out(sketch)


@law
@given(sketches(with_pools=False))
def test_a_flow_that_closes_no_circle_leads_to_the_right(sketch: Sketch) -> None:
    flows = [link for link in sketch.links if link.kind == "sequence"]
    host = {item.id: item.host for item in sketch.items if item.kind == "boundary"}
    steps = [(host.get(link.source, link.source), link.target) for link in flows]
    if _has_circle(steps):
        return

    layout = lay_out(sketch)

    for source, target in steps:
        assert layout.bounds[source].x < layout.bounds[target].x


def _has_circle(steps: list[tuple[str, str]]) -> bool:
    left = list(steps)
    while left:
        targets = {target for _, target in left}
        kept = [(source, target) for source, target in left if source in targets]
        if len(kept) == len(left):
            return True
        left = kept
    return False
