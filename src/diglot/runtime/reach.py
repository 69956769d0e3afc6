"""Where a token can still go: what a merge waits for, and what lies between a split and its join.

A way is a flow inside one scope. What a merge waits for comes by sequence flows, of which the
standard's paths are made: the boundary events of an activity are none of its ways (ours: A103).

Source: BPMN 2.0.2 13.4.3, Table 13.3.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from threading import Lock

#: Flows that leave a node, each with the node it leads to.
Ways = Mapping[str, Sequence[tuple[str, str]]]

#: The table of kinds by incoming flow has at most so many entries; a larger one is done without.
_TABLE = 200_000


class Reach:
    """Which incoming flows of a merge can be reached from where, without a visit to the merge.

    Nodes from which the same flows can be reached are of one kind, which has a number: the sets of
    flows, as bits, stand in `masks`. What a node leads to is found out when it is asked for, as
    most nodes of a process are never asked for by most of its merges.
    """

    def __init__(self, merge: str, incoming: Sequence[str], ways: Ways) -> None:
        self.bits = {flow: 1 << number for number, flow in enumerate(incoming)}
        self.masks: list[int] = []
        self._ways = ways
        self._known: dict[int, int] = {}
        #: The merge does not wait for its own tokens.
        self._kinds: dict[str, int | None] = {merge: None}
        self._merge = merge
        self._holders: dict[int, list[int]] | None = {}
        self._room = _TABLE
        self._guard = Lock()

    def kind(self, node: str) -> int | None:
        """The kind of a node, or nothing if it leads to none of the flows."""
        try:
            return self._kinds[node]
        except KeyError:
            with self._guard:
                self._explore(node)
            return self._kinds[node]

    def holding(self, bit: int, among: Mapping[int, int]) -> list[int]:
        """The kinds among those given that can reach one flow."""
        holders = None if self._holders is None else self._holders.get(bit, [])
        if holders is not None and len(holders) < len(among):
            return [kind for kind in holders if kind in among]
        return [kind for kind in among if self.masks[kind] & bit]

    def _explore(self, first: str) -> None:
        """Find the kinds of a node and of all it leads to.

        Nodes on one circle lead to the same flows; circles are found by Tarjan's algorithm, which
        comes to them in such an order that all they lead to is known. Without recursion: processes
        are long.
        """
        order: dict[str, int] = {}
        lowest: dict[str, int] = {}
        path: list[str] = []
        work: list[tuple[str, Iterator[tuple[str, str]]]] = []

        def enter(node: str) -> None:
            order[node] = lowest[node] = len(order)
            path.append(node)
            work.append((node, iter(self._ways.get(node, ()))))

        if first not in self._kinds:
            enter(first)
        while work:
            node, rest = work[-1]
            for _, target in rest:
                if target in self._kinds:
                    continue
                if target not in order:
                    enter(target)
                    break
                lowest[node] = min(lowest[node], order[target])
            else:
                work.pop()
                if work:
                    above = work[-1][0]
                    lowest[above] = min(lowest[above], lowest[node])
                if lowest[node] == order[node]:
                    self._settle(_cut(path, node))

    def _settle(self, circle: list[str]) -> None:
        """Note the kind of the nodes of one circle; all that they lead to is known."""
        mask = 0
        for node in circle:
            for flow, target in self._ways.get(node, ()):
                if target == self._merge:
                    mask |= self.bits.get(flow, 0)
                else:
                    kind = self._kinds.get(target)
                    mask |= 0 if kind is None else self.masks[kind]
        kind = self._kind_of(mask) if mask else None
        for node in circle:
            self._kinds[node] = kind

    def _kind_of(self, mask: int) -> int:
        kind = self._known.get(mask)
        if kind is None:
            kind = len(self.masks)
            self.masks.append(mask)
            self._hold(kind, mask)
            self._known[mask] = kind
        return kind

    def _hold(self, kind: int, mask: int) -> None:
        self._room -= mask.bit_count()
        if self._holders is None or self._room < 0:
            self._holders = None
            return
        while mask:
            bit = mask & -mask
            self._holders.setdefault(bit, []).append(kind)
            mask ^= bit


def _cut(path: list[str], node: str) -> list[str]:
    circle = [path.pop()]
    while circle[-1] != node:
        circle.append(path.pop())
    return circle


def between(join: str, starts: Iterable[str], ways: Ways) -> tuple[str | None, frozenset[str]]:
    """The last node that every way to the join passes, and the nodes between the two.

    Between them is a node whose every way leads on to the join, and to which there is no way but by
    the first of the two.
    """
    before = _before(join, starts, ways)
    split = before[-1] if before else None
    if split is None:
        return None, frozenset()
    inside = reached((target for _, target in ways.get(split, ())), ways, {split, join})
    outside = reached(starts, ways, {split})
    back: dict[str, list[str]] = {}
    for source, leaving in ways.items():
        for _, target in leaving:
            back.setdefault(target, []).append(source)
    dead = [node for node in inside if not ways.get(node)]
    leads_off = _reached_back(dead, back, {split, join})
    leads_there = _reached_back(back.get(join, ()), back, {split, join})
    return split, frozenset((inside & leads_there) - outside - leads_off)


def _before(join: str, starts: Iterable[str], ways: Ways) -> list[str]:
    """The nodes that every way to the join passes, the first one first.

    One way is found; a node of it is passed by all where no other way leads past it. That is asked
    for all of them in one walk along the way: what is reached so far without the rest of it.
    """
    begins = list(starts)
    way = _one_way(join, begins, ways)
    place = {node: number for number, node in enumerate(way)}
    passed: list[str] = []
    seen: set[str] = set()
    furthest = -1
    rest = begins
    for number, node in enumerate(way):
        while rest:
            found = rest.pop()
            if found in place:
                furthest = max(furthest, place[found])
            elif found not in seen:
                seen.add(found)
                rest.extend(target for _, target in ways.get(found, ()))
        if furthest == number and node != join:
            passed.append(node)
        rest = [target for _, target in ways.get(node, ())]
    return passed


def _one_way(join: str, begins: list[str], ways: Ways) -> list[str]:
    came: dict[str, str | None] = dict.fromkeys(begins)
    line = list(came)
    for node in line:
        for _, target in ways.get(node, ()):
            if target not in came:
                came[target] = node
                line.append(target)
    way: list[str] = []
    last: str | None = join if join in came else None
    while last is not None:
        way.append(last)
        last = came[last]
    return way[::-1]


def reached(begins: Iterable[str], ways: Ways, without: Set[str] = frozenset()) -> set[str]:
    """The nodes that can be come to from those it begins at, by ways that avoid some others."""
    seen: set[str] = set()
    rest = [node for node in begins if node not in without]
    while rest:
        node = rest.pop()
        if node not in seen:
            seen.add(node)
            rest.extend(target for _, target in ways.get(node, ()) if target not in without)
    return seen


def _reached_back(
    begins: Iterable[str], back: Mapping[str, Sequence[str]], without: set[str]
) -> set[str]:
    seen: set[str] = set()
    rest = [node for node in begins if node not in without]
    while rest:
        node = rest.pop()
        if node not in seen:
            seen.add(node)
            rest.extend(source for source in back.get(node, ()) if source not in without)
    return seen
