"""How high everything lies: chains straight, near to what they are joined with, in their lanes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from .spine import Spine
from .straight import align
from .turns import topological
from .working import CLEAR, ROW, ROW_GAP, Band, Layers, up_to_grid

_ROUNDS: Final = 6
#: How strongly the ends of lines of the main way, of bends, and of a box's corner pull each other.
_TRUNK, _BENDS, _PLAIN = 8, 4, 2


@dataclass(frozen=True, slots=True)
class Heights:
    """By node the height of its line; by band its upper and its lower border."""

    y: list[float]
    walls: list[tuple[float, float]]


def heights(layers: Layers, spine: Spine, bands: Sequence[Band]) -> Heights:
    """Give every node a height; all multiples of the grid. Without bands there are no walls."""
    first = align(layers, spine)
    blocks = {node: place for place, node in enumerate(sorted(set(first)))}
    block = [blocks[node] for node in first]
    count = len(blocks) + 2 * len(bands)
    least = _distances(layers, block, bands, len(blocks))
    below: list[list[tuple[int, float]]] = [[] for _ in range(count)]
    above: list[list[tuple[int, float]]] = [[] for _ in range(count)]
    for (upper, lower), distance in least.items():
        below[upper].append((lower, distance))
        above[lower].append((upper, distance))
    turn = topological(above, below)
    y = [0.0] * count
    for place in turn:
        y[place] = max((y[other] + distance for other, distance in above[place]), default=0.0)
    pulls = _pulls(layers, spine, block, count)
    _settle(turn, above, below, pulls, y, len(blocks))
    walls = [
        (y[len(blocks) + 2 * band], y[len(blocks) + 2 * band + 1]) for band in range(len(bands))
    ]
    return Heights([y[place] for place in block], walls)


def _distances(
    layers: Layers, block: list[int], bands: Sequence[Band], walls: int
) -> dict[tuple[int, int], float]:
    """The least distances from chains to those right below them, and to the borders of bands."""
    least: dict[tuple[int, int], float] = {}

    def keep(upper: int, lower: int, distance: float) -> None:
        pair = upper, lower
        least[pair] = max(least.get(pair, 0.0), up_to_grid(distance))

    for row in layers.rows:
        before = -1
        for node in row:
            band = layers.band[node]
            if before >= 0 and (not bands or layers.band[before] == band):
                keep(block[before], block[node], _apart(layers, before, node))
            elif bands:
                keep(walls + 2 * band, block[node], bands[band].padding + _up(layers, node))
                if before >= 0:
                    _end(layers, before, block, bands, walls, keep)
            before = node
        if before >= 0 and bands:
            _end(layers, before, block, bands, walls, keep)
    for band, made in enumerate(bands):
        strip = made.strip + made.padding if made.strip else 0.0
        keep(walls + 2 * band, walls + 2 * band + 1, max(made.least, strip))
        if band:
            keep(walls + 2 * band - 1, walls + 2 * band, made.gap)
    return least


def _end(
    layers: Layers,
    node: int,
    block: list[int],
    bands: Sequence[Band],
    walls: int,
    keep: object,
) -> None:
    assert callable(keep)
    band = layers.band[node]
    made = bands[band]
    keep(block[node], walls + 2 * band + 1, _down(layers, node) + made.padding + made.strip)


def _up(layers: Layers, node: int) -> float:
    """The room that a node needs above its line."""
    if not layers.is_box(node):
        return _text(layers, node)
    box = layers.boxes[node]
    return box.line + box.up


def _down(layers: Layers, node: int) -> float:
    if not layers.is_box(node):
        return 0.0
    box = layers.boxes[node]
    return box.height - box.line + box.down


def _text(layers: Layers, node: int) -> float:
    """The height of a text that stands on the first bend of its line."""
    number = layers.wire[node]
    label = layers.wires[number].label
    chain = layers.chains[number]
    if label is None or node not in (chain[0], chain[-1]):
        return 0.0
    return label.height


def _apart(layers: Layers, upper: int, lower: int) -> float:
    down, up = _down(layers, upper), _up(layers, lower)
    if layers.is_box(upper) and layers.is_box(lower):
        return max(down, ROW) + max(up, ROW) + ROW_GAP
    return down + up + CLEAR


def _pulls(
    layers: Layers, spine: Spine, block: list[int], count: int
) -> list[list[tuple[int, int]]]:
    """By chain: the chains that it is joined with, and how strongly."""
    pulls: list[list[tuple[int, int]]] = [[] for _ in range(count)]

    def join(one: int, other: int, weight: int) -> None:
        if block[one] != block[other]:
            pulls[block[one]].append((block[other], weight))
            pulls[block[other]].append((block[one], weight))

    for number, chain in enumerate(layers.chains):
        for one, other in pairwise(chain):
            are_bends = not layers.is_box(one) and not layers.is_box(other)
            weight = _TRUNK if number in spine.trunk else _BENDS if are_bends else _PLAIN
            join(one, other, weight)
    for bend, boxes in layers.held.items():
        for box in boxes:
            join(bend, box, 1)
    last: dict[int, int] = {}
    for box in _main_way(layers, spine):
        band = layers.band[box]
        if band in last:
            # Where the main way comes back to a lane it goes on at its height.
            join(last[band], box, _TRUNK)
        last[band] = box
    return pulls


def _main_way(layers: Layers, spine: Spine) -> list[int]:
    """The boxes of the main way, from left to right."""
    wires = [layers.wires[number] for number in spine.trunk]
    found = {box for wire in wires for box in (wire.source, wire.target)}
    return sorted(found, key=lambda box: (layers.layer[box], box))


def _settle(
    turn: list[int],
    above: list[list[tuple[int, float]]],
    below: list[list[tuple[int, float]]],
    pulls: list[list[tuple[int, int]]],
    y: list[float],
    walls: int,
) -> None:
    """Move each chain to the middle of those that it is joined with, as far as there is room."""
    for _ in range(_ROUNDS):
        is_moved = False
        for order in (turn, turn[::-1]):
            for place in order:
                low = max((y[other] + far for other, far in above[place]), default=None)
                high = min((y[other] - far for other, far in below[place]), default=None)
                if place >= walls:
                    # Bands are as low as they can be.
                    wanted = y[place] if low is None or order is not turn else low
                elif pulls[place]:
                    wanted = _median(pulls[place], y)
                else:
                    continue
                if low is not None:
                    wanted = max(wanted, low)
                if high is not None:
                    wanted = min(wanted, high)
                if wanted != y[place]:
                    y[place] = wanted
                    is_moved = True
        if not is_moved:
            return


def _median(pulls: list[tuple[int, int]], y: list[float]) -> float:
    ends = sorted((y[other], weight) for other, weight in pulls)
    half = sum(weight for _, weight in ends) / 2
    for height, weight in ends:
        half -= weight
        if half <= 0:
            return height
    return ends[-1][0]
