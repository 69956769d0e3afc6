"""A sketch made whole: what is inside of what, on whose border, beside whom, in which lane.

A sketch may be wrong in any way: unknown ids are forgotten, circles opened, doubles left out.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field

from .sketch import Item, Lane, Link, Pool, Size, Sketch

#: The largest side of a shape and of a text, so that sums stay exact.
_MOST = 1e6


@dataclass(slots=True)
class Tree:
    """A sketch whose references all lead somewhere. The top has the empty id."""

    items: dict[str, Item] = field(default_factory=dict[str, Item])
    links: dict[str, Link] = field(default_factory=dict[str, Link])
    pools: dict[str, Pool] = field(default_factory=dict[str, Pool])
    lanes: dict[str, Lane] = field(default_factory=dict[str, Lane])
    #: By item: the container or pool around it, or the top.
    parent: dict[str, str] = field(default_factory=dict[str, str])
    #: By container, pool and the top: what has a place of its own inside.
    children: dict[str, list[str]] = field(default_factory=dict[str, list[str]])
    #: By item: the events on its border.
    boundary: dict[str, list[str]] = field(default_factory=dict[str, list[str]])
    #: By item: annotations and data that are placed with it.
    beside: dict[str, list[str]] = field(default_factory=dict[str, list[str]])
    #: By item: what compensates for it, and stands below its last boundary event.
    under: dict[str, str] = field(default_factory=dict[str, str])
    #: By boundary event, annotation, data, and what stands below: what it is placed with.
    host: dict[str, str] = field(default_factory=dict[str, str])
    #: By pool (and the top): its lanes that have no lanes inside.
    leaves: dict[str, list[str]] = field(default_factory=dict[str, list[str]])
    #: By item that is directly in a pool with lanes: one of its leaves.
    lane: dict[str, str] = field(default_factory=dict[str, str])

    def ancestors(self, item: str) -> Iterator[str]:
        """What is around an item, from the inside out, without the top."""
        around = self.parent.get(item, "")
        while around:
            yield around
            around = self.parent.get(around, "")


def grow(sketch: Sketch) -> Tree:
    """Make the tree of a sketch."""
    tree = Tree()
    tree.pools = {pool.id: pool for pool in reversed(sketch.pools) if pool.id}
    tree.pools = dict(reversed(tree.pools.items()))
    for item in sketch.items:
        if item.id and item.id not in tree.items and item.id not in tree.pools:
            tree.items[item.id] = _sized(item)
    for link in sketch.links:
        if link.id and link.id not in tree.links:
            tree.links[link.id] = link
    _lanes(tree, sketch)
    _parents(tree)
    _boundaries(tree)
    tree.children = {"": [], **{pool: [] for pool in tree.pools}}
    for name, item in tree.items.items():
        if item.kind == "container":
            tree.children.setdefault(name, [])
    _beside(tree)
    _under(tree)
    for name in tree.items:
        if name not in tree.host:
            tree.children[tree.parent[name]].append(name)
    _lanes_of_items(tree)
    return tree


def _sized(item: Item) -> Item:
    size = _size(item.size)
    label = _size(item.label) if item.label is not None else None
    if size == item.size and label == item.label:
        return item
    return Item(
        id=item.id,
        kind=item.kind,
        size=size,
        parent=item.parent,
        lane=item.lane,
        host=item.host,
        label=label,
    )


def _size(size: Size) -> Size:
    width, height = (
        min(max(1.0, float(side)), _MOST) if math.isfinite(side) else 1.0 for side in size
    )
    return Size(width, height)


def _lanes(tree: Tree, sketch: Sketch) -> None:
    for lane in sketch.lanes:
        if lane.id and lane.id not in tree.lanes and (not lane.pool or lane.pool in tree.pools):
            tree.lanes[lane.id] = lane
    for name, lane in list(tree.lanes.items()):
        around, seen = lane.parent, {name}
        while around in tree.lanes and around not in seen:
            seen.add(around)
            around = tree.lanes[around].parent
        parent = tree.lanes.get(lane.parent)
        if lane.parent and (parent is None or around in seen or parent.pool != lane.pool):
            tree.lanes[name] = Lane(id=name, pool=lane.pool)
    inner: dict[str, list[str]] = {}
    tops: dict[str, list[str]] = {}
    for name, lane in tree.lanes.items():
        (inner if lane.parent else tops).setdefault(lane.parent or lane.pool, []).append(name)
    for pool, lanes in tops.items():
        leaves: list[str] = []
        todo = lanes[::-1]
        while todo:
            name = todo.pop()
            if name in inner:
                todo.extend(reversed(inner[name]))
            else:
                leaves.append(name)
        tree.leaves[pool] = leaves


def _parents(tree: Tree) -> None:
    for name, item in tree.items.items():
        around = tree.items.get(item.parent)
        is_known = item.parent in tree.pools or (
            around is not None and around.kind == "container" and item.parent != name
        )
        tree.parent[name] = item.parent if is_known else ""
        lane = tree.lanes.get(item.lane)
        if not tree.parent[name] and lane is not None and lane.pool:
            tree.parent[name] = lane.pool
    is_sound: dict[str, bool] = {"": True, **dict.fromkeys(tree.pools, True)}
    for name in tree.items:
        path: list[str] = []
        on_path: set[str] = set()
        at = name
        while at not in is_sound and at not in on_path:
            path.append(at)
            on_path.add(at)
            at = tree.parent[at]
        if at in on_path:
            tree.parent[at] = ""
        is_sound.update(dict.fromkeys(path, True))


def _boundaries(tree: Tree) -> None:
    for name, item in tree.items.items():
        if item.kind != "boundary":
            continue
        host = tree.items.get(item.host)
        if host is not None and host.kind in ("activity", "container"):
            tree.host[name] = item.host
            tree.boundary.setdefault(item.host, []).append(name)
            tree.parent[name] = tree.parent[item.host]


def _beside(tree: Tree) -> None:
    """Find what annotations and data are placed with: their host, or what they are joined with."""
    joined: dict[str, list[str]] = {}
    for link in tree.links.values():
        for one, other in ((link.source, link.target), (link.target, link.source)):
            item = tree.items.get(one)
            if item is not None and item.kind in ("data", "annotation"):
                joined.setdefault(one, []).append(other)
    for name, item in tree.items.items():
        if item.kind not in ("data", "annotation"):
            continue
        for wanted in (item.host, *joined.get(name, ())):
            host = _beside_whom(tree, name, item, wanted)
            if host:
                tree.host[name] = host
                tree.parent[name] = tree.parent[tree.host.get(host, host)]
                tree.beside.setdefault(host, []).append(name)
                break


def _beside_whom(tree: Tree, name: str, item: Item, wanted: str) -> str:
    """The item in the same container that is, or is around, what something should be beside."""
    link = tree.links.get(wanted)
    if link is not None and wanted not in tree.items:
        wanted = link.source
    host = tree.items.get(wanted)
    if host is None or host.kind in ("data", "annotation"):
        return ""
    around = tree.parent[name]
    at = wanted
    while around and tree.parent[at] != around:
        at = tree.parent[at]
        if at not in tree.items:
            return ""
    if item.lane in tree.lanes and tree.items[at].lane != item.lane:
        return ""
    return at


def _under(tree: Tree) -> None:
    """Find what an association from a boundary event leads to and nothing else is joined with."""
    joined: dict[str, int] = {}
    for link in tree.links.values():
        for end in {link.source, link.target}:
            joined[end] = joined.get(end, 0) + 1
    for link in tree.links.values():
        event, below = tree.items.get(link.source), tree.items.get(link.target)
        if event is None or below is None or event.kind != "boundary":
            continue
        host = tree.host.get(event.id, "")
        is_alone = (
            below.kind in ("activity", "container")
            and joined[below.id] == 1
            and below.id not in (*tree.boundary, *tree.beside, *tree.under, host)
        )
        are_together = (
            link.kind == "association"
            and host in tree.boundary
            and not any(other in tree.beside for other in tree.boundary[host])
            and tree.parent[below.id] == tree.parent[host]
            and below.lane == tree.items[host].lane
        )
        if is_alone and are_together:
            tree.under[host] = below.id
            tree.host[below.id] = host
            tree.boundary[host].sort(key=event.id.__eq__)


def _lanes_of_items(tree: Tree) -> None:
    first_leaf: dict[str, str] = {}
    for leaves in tree.leaves.values():
        for leaf in leaves:
            at = leaf
            while at:
                first_leaf.setdefault(at, leaf)
                at = tree.lanes[at].parent
    lane_inside: dict[str, str] = {}
    for name, item in tree.items.items():
        if item.lane in tree.lanes:
            for around in tree.ancestors(name):
                lane_inside.setdefault(around, item.lane)
    for pool, leaves in tree.leaves.items():
        lost: list[str] = []
        for name in tree.children[pool]:
            wanted = tree.items[name].lane or lane_inside.get(name, "")
            lane = tree.lanes.get(wanted)
            if lane is not None and lane.pool == pool and wanted in first_leaf:
                tree.lane[name] = first_leaf[wanted]
            else:
                lost.append(name)
        _find_lanes(tree, lost, leaves[0])


def _find_lanes(tree: Tree, lost: list[str], first: str) -> None:
    """What has no lane goes into that of something that it is joined with."""
    near: dict[str, list[str]] = {}
    for link in tree.links.values():
        one, other = (tree.host.get(end, end) for end in (link.source, link.target))
        if tree.parent.get(one) != tree.parent.get(other):
            continue
        near.setdefault(one, []).append(other)
        near.setdefault(other, []).append(one)
    todo = [name for name in lost if any(other in tree.lane for other in near.get(name, ()))]
    open_ = set(lost)
    while todo:
        name = todo.pop()
        lane = next((tree.lane[other] for other in near[name] if other in tree.lane), None)
        if lane is None or name not in open_:
            continue
        open_.discard(name)
        tree.lane[name] = lane
        todo.extend(other for other in near[name] if other in open_)
    for name in lost:
        tree.lane.setdefault(name, first)
