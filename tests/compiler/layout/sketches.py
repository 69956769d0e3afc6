"""Sketches: small ones written in a line, and any that can be thought of."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Literal

from hypothesis import strategies as st

from diglot.compiler.layout import Item, Lane, Link, Pool, Size, Sketch

Kind = Literal["event", "boundary", "activity", "gateway", "container", "data", "annotation"]

SIZES: dict[Kind, Size] = {
    "event": Size(36, 36),
    "boundary": Size(36, 36),
    "activity": Size(100, 80),
    "gateway": Size(50, 50),
    "container": Size(140, 120),
    "data": Size(36, 50),
    "annotation": Size(100, 30),
}
#: By the first letter of an id, in sketches that are written.
_KINDS: dict[str, Kind] = {
    "e": "event",
    "b": "boundary",
    "t": "activity",
    "g": "gateway",
    "c": "container",
    "d": "data",
    "n": "annotation",
}


def sketch(
    flows: str,
    *,
    inside: dict[str, str] | None = None,
    on: dict[str, str] | None = None,
    lanes: dict[str, str] | None = None,
    pools: Iterable[str] = (),
    lane_order: Iterable[tuple[str, str]] = (),
    messages: str = "",
    associations: str = "",
    labels: dict[str, Size] | None = None,
) -> Sketch:
    """A sketch out of ways such as `e1 g1 t1 e2, g1 t2 e2`; the first letter tells the kind.

    `inside` names the parent, `on` the host, and `lanes` the lane of an item; `lane_order` gives
    lanes with their pools.
    """
    inside, on, lanes, labels = inside or {}, on or {}, lanes or {}, labels or {}
    names: dict[str, None] = dict.fromkeys([*inside.values()] if inside else [])
    links: list[Link] = []
    kinds: list[tuple[Literal["sequence", "message", "association"], str]]
    kinds = [("sequence", flows), ("message", messages), ("association", associations)]
    for kind, ways in kinds:
        for way in ways.split(","):
            steps = way.split()
            names |= dict.fromkeys(steps)
            for source, target in pairwise(steps):
                name = f"{source}-{target}"
                links.append(
                    Link(id=name, source=source, target=target, kind=kind, label=labels.get(name))
                )
    names |= dict.fromkeys([*inside, *on, *lanes])
    items = tuple(
        Item(
            id=name,
            kind=_KINDS[name[0]],
            size=SIZES[_KINDS[name[0]]],
            parent=inside.get(name, ""),
            host=on.get(name, ""),
            lane=lanes.get(name, ""),
            label=labels.get(name),
        )
        for name in names
        if name not in set(pools)
    )
    return Sketch(
        items=items,
        links=tuple(links),
        pools=tuple(Pool(id=pool) for pool in pools),
        lanes=tuple(Lane(id=name, pool=pool) for name, pool in lane_order),
    )


@dataclass(slots=True)
class _Made:
    """A sketch while dice make it."""

    items: list[Item] = field(default_factory=list[Item])
    links: list[Link] = field(default_factory=list[Link])
    pools: list[Pool] = field(default_factory=list[Pool])
    lanes: list[Lane] = field(default_factory=list[Lane])


_LABELS = st.none() | st.builds(
    Size, st.integers(10, 90).map(float), st.sampled_from([14.0, 28.0, 42.0])
)


@st.composite
def sketches(draw: st.DrawFn, *, with_pools: bool | None = None) -> Sketch:
    """Any sound sketch: every reference leads to what it should, as in a valid model."""
    made = _Made()
    has_pools = draw(st.booleans()) if with_pools is None else with_pools
    frames = [""]
    if has_pools:
        frames = _pools(draw, made)
    for frame in frames:
        lanes = [lane.id for lane in made.lanes if lane.pool == frame]
        _scope(draw, made, frame, lanes, depth=0)
    if has_pools:
        _messages(draw, made)
    _beside(draw, made)
    return Sketch(
        items=tuple(made.items),
        links=tuple(made.links),
        pools=tuple(made.pools),
        lanes=tuple(made.lanes),
    )


def _pools(draw: st.DrawFn, made: _Made) -> list[str]:
    frames: list[str] = []
    for number in range(draw(st.integers(1, 3))):
        made.pools.append(Pool(id=f"pool{number}"))
        if draw(st.booleans()):
            frames.append(f"pool{number}")
            for lane in range(draw(st.integers(0, 3))):
                made.lanes.append(Lane(id=f"lane{number}{lane}", pool=f"pool{number}"))
    return frames


def _scope(draw: st.DrawFn, made: _Made, parent: str, lanes: list[str], depth: int) -> None:
    """Nodes of a pool or container, what is on and in them, and flows between any two."""
    kinds: list[Kind] = ["event", "activity", "gateway"]
    if depth < 2:
        kinds.append("container")
    own: list[Item] = []
    for _ in range(draw(st.integers(1, 7 - 2 * depth))):
        kind = draw(st.sampled_from(kinds))
        item = Item(
            id=f"{kind}{len(made.items)}",
            kind=kind,
            size=SIZES[kind],
            parent=parent,
            lane=draw(st.sampled_from(lanes)) if lanes else "",
            label=draw(_LABELS) if kind in ("event", "gateway") else None,
        )
        made.items.append(item)
        own.append(item)
        if kind in ("activity", "container"):
            for _ in range(draw(st.sampled_from([0, 0, 1, 2]))):
                event = Item(
                    id=f"boundary{len(made.items)}",
                    kind="boundary",
                    size=SIZES["boundary"],
                    parent=parent,
                    lane=item.lane,
                    host=item.id,
                    label=draw(_LABELS),
                )
                made.items.append(event)
                own.append(event)
        if kind == "container":
            _scope(draw, made, item.id, [], depth + 1)
    sources = st.sampled_from(own)
    targets = st.sampled_from([item for item in own if item.kind != "boundary"])
    for _ in range(draw(st.integers(0, 2 * len(own)))):
        source, target = draw(sources), draw(targets)
        if source.id != target.id:
            _link(draw, made, source.id, target.id, "sequence")


def _link(
    draw: st.DrawFn,
    made: _Made,
    source: str,
    target: str,
    kind: Literal["sequence", "message", "association"],
) -> None:
    name = f"link{len(made.links)}"
    label = draw(_LABELS) if kind != "association" else None
    made.links.append(Link(id=name, source=source, target=target, kind=kind, label=label))


def _messages(draw: st.DrawFn, made: _Made) -> None:
    pool_of = {item.id: _pool_of(made, item) for item in made.items}
    ends = [(item.id, pool_of[item.id]) for item in made.items if item.kind != "container"]
    ends += [(pool.id, pool.id) for pool in made.pools]
    for _ in range(draw(st.integers(0, 4))):
        (source, one), (target, other) = draw(st.sampled_from(ends)), draw(st.sampled_from(ends))
        if one != other:
            _link(draw, made, source, target, "message")


def _pool_of(made: _Made, item: Item) -> str:
    by_id = {one.id: one for one in made.items}
    at = item.parent
    while at in by_id:
        at = by_id[at].parent
    return at


def _beside(draw: st.DrawFn, made: _Made) -> None:
    hosts = list(made.items)
    for _ in range(draw(st.integers(0, 4))):
        host = draw(st.sampled_from(hosts)) if hosts else None
        if host is None:
            return
        kind: Kind = draw(st.sampled_from(["data", "annotation"]))
        wide = Size(draw(st.sampled_from([60.0, 200.0, 300.0])), 60.0)
        item = Item(
            id=f"{kind}{len(made.items)}",
            kind=kind,
            size=wide if kind == "annotation" else SIZES[kind],
            parent=host.parent,
            lane=host.lane,
            label=draw(_LABELS) if kind == "data" else None,
        )
        made.items.append(item)
        _link(draw, made, item.id, host.id, "association")
