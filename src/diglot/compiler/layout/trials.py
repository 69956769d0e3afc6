"""The best of some orders: which ways go above, and which lines lead back above."""

from __future__ import annotations

from .cycles import back_wires
from .layers import into_layers
from .order import crossings, order_rows
from .spine import Spine, find_spine
from .working import Box, Layers, Wire

#: So many lines that lead back are tried above as well as below, in a part that is not too large.
_TRIALS = 6
_SMALL = 150


def in_order(boxes: list[Box], wires: list[Wire]) -> tuple[Layers, Spine]:
    """Layers whose rows are ordered.

    The main way has half of the others above it, and what leads back runs below; or otherwise
    where fewer lines cross so.
    """
    back = back_wires(len(boxes), wires)
    sides = {number: _first_side(wires, number) for number in sorted(back)}
    best = into_layers(boxes, wires, back, sides)
    spine = find_spine(best)
    order_rows(best, spine)
    cost = _cost(best)
    if cost == 0 or len(boxes) > _SMALL:
        return best, spine
    for number in sorted(back)[:_TRIALS]:
        if wires[number].drop is not None or cost == 0:
            continue
        tried = {**sides, number: -sides[number]}
        layers = into_layers(boxes, wires, back, tried)
        order_rows(layers, spine)
        found = _cost(layers)
        if found < cost:
            best, cost, sides = layers, found, tried
    for above in (0.0, 1.0):
        other = find_spine(best, above)
        layers = into_layers(boxes, wires, back, sides)
        order_rows(layers, other)
        found = _cost(layers)
        if found < cost:
            best, spine, cost = layers, other, found
    return best, spine


def _first_side(wires: list[Wire], number: int) -> int:
    """Above a box that has lines below it, else below."""
    source = wires[number].source
    has_drops = any(wire.drop is not None and wire.source == source for wire in wires)
    return -1 if has_drops and wires[number].drop is None else 1


def _cost(layers: Layers) -> int:
    """Crossings, with those of the turns of lines that lead back."""
    places = layers.positions()
    cost = crossings(layers)
    for bend, boxes in layers.held.items():
        if layers.wire[bend] not in layers.back:
            continue
        for box in boxes:
            low, high = sorted((places[bend], places[box]))
            chain = layers.chains[layers.wire[bend]]
            near = layers.left if bend == chain[0] else layers.right
            between = layers.rows[layers.layer[box]][low + 1 : high]
            cost += sum(len(near[node]) for node in between)
            # The other lines of the box itself cross it where they go to its side.
            for node in near[box]:
                step = places[node] - places[near[box][0]]
                cost += 1 if step * layers.side[bend] > 0 else 0
    return cost
