"""What is new in a drawing, in groups that hang together and are set down as one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from .sketch import Bounds
from .tree import Tree


@dataclass(frozen=True, slots=True, kw_only=True)
class Island:
    """Some items with all that is inside of them and on them, or a pool with its lanes."""

    parent: str
    members: tuple[str, ...]
    #: Members, and what they are joined with that has a place; the most important first.
    anchors: tuple[tuple[str, str], ...]


def islands(tree: Tree, bounds: Mapping[str, Bounds]) -> list[Island]:
    """The islands of what has no bounds yet, in order; each is joined with one before, or none."""
    return _Islands(tree, bounds).found()


class _Islands:
    def __init__(self, tree: Tree, bounds: Mapping[str, Bounds]) -> None:
        self.tree = tree
        self.bounds = bounds
        #: Containers and pools without bounds that will be drawn around what is inside.
        self.around: set[str] = set()
        for name in (*tree.items, *tree.lanes):
            if name in bounds:
                outer = tree.ancestors(name) if name in tree.items else [tree.lanes[name].pool]
                self.around.update(one for one in outer if one and one not in bounds)

    def found(self) -> list[Island]:
        """All of them: in containers and pools that are there, then pools."""
        roots = [
            name for name in self.tree.items if name not in self.bounds and self._is_root(name)
        ]
        made: list[Island] = []
        for group in self._joined(roots):
            members = tuple(member for name in group for member in self._carried(name))
            made.append(
                Island(
                    parent=self.tree.parent[group[0]],
                    members=members,
                    anchors=self._anchors(members),
                )
            )
        made.sort(key=lambda island: not island.anchors)
        for pool in self.tree.pools:
            if pool not in self.bounds and pool not in self.around:
                made.append(Island(parent="", members=tuple(self._pool(pool)), anchors=()))
        return made

    def _is_root(self, name: str) -> bool:
        """Whether something is in a frame that has bounds or gets them from its content."""
        if name in self.around:
            return False
        parent = self.tree.parent[name]
        if parent and parent not in self.bounds and parent not in self.around:
            return False
        host = self.tree.host.get(name, "")
        return not host or host in self.bounds

    def _joined(self, roots: list[str]) -> list[list[str]]:
        """Roots in the same frame that lines join, directly or over each other."""
        first = {name: name for name in roots}

        def root(name: str) -> str:
            while first[name] != name:
                first[name] = first[first[name]]
                name = first[name]
            return name

        place = {name: number for number, name in enumerate(roots)}
        for link in self.tree.links.values():
            one, other = (self._root_of(end, place) for end in (link.source, link.target))
            if one and other and self._frame(one) == self._frame(other):
                early, late = sorted((root(one), root(other)), key=place.__getitem__)
                first[late] = early
        groups: dict[str, list[str]] = {}
        for name in roots:
            groups.setdefault(root(name), []).append(name)
        return list(groups.values())

    def _root_of(self, end: str, roots: Mapping[str, int]) -> str:
        while end and end not in roots:
            host = self.tree.host.get(end, "")
            end = host or self.tree.parent.get(end, "")
        return end

    def _frame(self, name: str) -> tuple[str, str]:
        return self.tree.parent[name], self.tree.lane.get(name, "")

    def _carried(self, root: str) -> Iterator[str]:
        """An item with everything inside of it, on it and beside it that has no bounds."""
        todo = [root]
        while todo:
            name = todo.pop()
            if name in self.bounds:
                continue
            yield name
            tree = self.tree
            todo += tree.children.get(name, ())
            todo += tree.boundary.get(name, ())
            todo += tree.beside.get(name, ())
            todo += [tree.under[name]] if name in tree.under else []

    def _pool(self, pool: str) -> Iterator[str]:
        yield pool
        for name, lane in self.tree.lanes.items():
            if lane.pool == pool:
                yield name
        for child in self.tree.children[pool]:
            yield from self._carried(child)

    def _anchors(self, members: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
        """What leads to an island by flows and what it leads to; else what it is joined with."""
        inside = set(members)
        flows: list[tuple[int, tuple[str, str]]] = []
        others: list[tuple[str, str]] = []
        for link in self.tree.links.values():
            for rank, one, other in (
                (0, link.target, link.source),
                (1, link.source, link.target),
            ):
                if one in inside and other in self.bounds and other in self.tree.items:
                    if link.kind == "sequence":
                        flows.append((rank, (one, other)))
                    else:
                        others.append((one, other))
        if flows or others:
            flows.sort(key=lambda found: found[0])
            return tuple(pair for _, pair in flows) or (others[0],)
        hosts = ((member, self.tree.host.get(member, "")) for member in members)
        return tuple(pair for pair in hosts if pair[1] in self.bounds)[:1]
