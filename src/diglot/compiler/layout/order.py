"""From top to bottom: rows are ordered so that few lines cross.

Barycentres, swept to and fro, and neighbours exchanged where that helps. What comes first in the
document stays above where it makes no difference. Bends that a box holds move with it.

Source: Sugiyama, Tagawa and Toda, 1981; Gansner et al., A Technique for Drawing Directed Graphs.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from typing import Final

from .spine import Spine
from .working import Layers

_ROUNDS: Final = 8
#: Beyond so many nodes fewer rounds have to do.
_MANY: Final = 3000


def order_rows(layers: Layers, spine: Spine) -> None:
    """Fill the rows, and order them."""
    groups = _Groups(layers)
    _first_order(layers, spine, groups)
    best = crossings(layers)
    if best == 0:
        return
    kept = [list(row) for row in layers.rows]
    idle = 0
    rounds = _ROUNDS if len(layers.layer) < _MANY else 2
    for turn in range(rounds):
        _sweep(layers, groups, is_forth=turn % 2 == 0)
        if len(layers.layer) < _MANY:
            _exchange(layers, groups)
        found = crossings(layers)
        if found < best:
            best, idle = found, 0
            kept = [list(row) for row in layers.rows]
        else:
            idle += 1
        if best == 0 or idle > 3:
            break
    layers.rows[:] = kept


class _Groups:
    """Nodes that stay together: a box, and the bends that it holds above and below."""

    def __init__(self, layers: Layers) -> None:
        self.leader = list(range(len(layers.layer)))
        above: dict[int, list[int]] = {}
        below: dict[int, list[int]] = {}
        for bend, boxes in layers.held.items():
            self.leader[bend] = boxes[0]
            (above if layers.side[bend] < 0 else below).setdefault(boxes[0], []).append(bend)
        for box, bends in below.items():
            below[box] = sorted(bends, key=lambda bend: _nearness(layers, bend))
        for box, bends in above.items():
            above[box] = sorted(bends, key=lambda bend: _nearness(layers, bend), reverse=True)
        self.members = {
            box: (*above.get(box, ()), box, *below.get(box, ())) for box in {*above, *below}
        }

    def of(self, leader: int) -> tuple[int, ...]:
        return self.members.get(leader, (leader,))

    def leaders(self, row: Sequence[int]) -> list[int]:
        return [node for node in row if self.leader[node] == node]

    def spread(self, leaders: Iterable[int]) -> list[int]:
        return [node for leader in leaders for node in self.of(leader)]


def _nearness(layers: Layers, bend: int) -> tuple[int, float, int]:
    """Sorts what lies beside a box: drops from the right, then loops, short ones first."""
    number = layers.wire[bend]
    wire = layers.wires[number]
    if wire.drop is not None and number not in layers.back:
        return 0, -wire.drop.x, number
    return 1, len(layers.chains[number]), number


def _first_order(layers: Layers, spine: Spine, groups: _Groups) -> None:
    """Put everything where a walk along the ways, the upper ones first, comes by."""
    seen = [False] * len(layers.layer)
    rows = layers.rows
    for start in (*spine.starts, *range(len(layers.layer))):
        todo = [groups.leader[start]]
        while todo:
            leader = todo.pop()
            if seen[leader]:
                continue
            seen[leader] = True
            members = groups.of(leader)
            rows[layers.layer[leader]].extend(members)
            after: list[int] = []
            if layers.is_box(leader):
                after = [
                    chain[1]
                    for number in spine.ways[leader]
                    if (chain := layers.chains[number])[0] == leader
                ]
            for member in members:
                if not layers.is_box(member):
                    after.extend(layers.right[member])
            todo.extend(groups.leader[node] for node in reversed(after))
    for row in rows:
        row[:] = groups.spread(sorted(groups.leaders(row), key=lambda node: layers.band[node]))


def crossings(layers: Layers) -> int:
    """How many pairs of lines cross between the rows."""
    places = layers.positions()
    total = 0
    for row in layers.rows:
        ends: list[int] = []
        for node in row:
            targets = sorted(places[other] for other in layers.right[node])
            for target in targets:
                total += len(ends) - bisect_right(ends, target)
            for target in targets:
                ends.insert(bisect_right(ends, target), target)
    return total


def _sweep(layers: Layers, groups: _Groups, *, is_forth: bool) -> None:
    places = layers.positions()
    rows = layers.rows if is_forth else list(reversed(layers.rows))
    near = layers.left if is_forth else layers.right
    for row in rows:
        leaders = groups.leaders(row)
        wanted: dict[int, float] = {}
        for leader in leaders:
            others = near[leader] or [
                other for member in groups.of(leader) for other in near[member]
            ]
            if others:
                wanted[leader] = sum(places[other] for other in others) / len(others)
        movers = iter(
            sorted(
                (leader for leader in leaders if leader in wanted),
                key=lambda leader: (layers.band[leader], wanted[leader]),
            )
        )
        row[:] = groups.spread(next(movers) if leader in wanted else leader for leader in leaders)
        for place, node in enumerate(row):
            places[node] = place


def _exchange(layers: Layers, groups: _Groups) -> None:
    """Swap neighbours while that takes crossings away."""
    places = layers.positions()
    for _ in range(4):
        is_better = False
        for row in layers.rows:
            leaders = groups.leaders(row)
            for place in range(len(leaders) - 1):
                upper, lower = leaders[place], leaders[place + 1]
                if layers.band[upper] != layers.band[lower]:
                    continue
                above, below = groups.of(upper), groups.of(lower)
                now = _between(layers.left, places, above, below) + _between(
                    layers.right, places, above, below
                )
                if not now:
                    continue
                then = _between(layers.left, places, below, above) + _between(
                    layers.right, places, below, above
                )
                if then < now:
                    leaders[place], leaders[place + 1] = lower, upper
                    is_better = True
            row[:] = groups.spread(leaders)
            for place, node in enumerate(row):
                places[node] = place
        if not is_better:
            return


def _between(
    near: list[list[int]], places: list[int], above: tuple[int, ...], below: tuple[int, ...]
) -> int:
    """Crossings of the lines of two groups, the one above the other."""
    lower = [places[other] for node in below for other in near[node]]
    if not lower:
        return 0
    return sum(1 for node in above for other in near[node] for end in lower if places[other] > end)
