"""Which column everything stands in: behind all that leads to it, and no further."""

from __future__ import annotations

from collections.abc import Sequence

from .turns import topological
from .working import Box, Layers, Wire


def assign_layers(count: int, wires: Sequence[Wire], back: frozenset[int]) -> list[int]:
    """By box: the number of its layer, from 0 at the left."""
    ahead: list[list[tuple[int, int]]] = [[] for _ in range(count)]
    for number, wire in enumerate(wires):
        if not wire.orders and number not in back:
            ahead[wire.source].append((wire.target, 1))
    for wire in wires:
        if wire.orders and wire.source != wire.target:
            _order(ahead, wire)
    behind: list[list[tuple[int, int]]] = [[] for _ in range(count)]
    for node, ways in enumerate(ahead):
        for target, length in ways:
            behind[target].append((node, length))
    turn = topological(behind, ahead)
    layer = [0] * count
    for node in turn:
        layer[node] = max((layer[before] + length for before, length in behind[node]), default=0)
    _pull(turn, ahead, behind, layer)
    used = {number: place for place, number in enumerate(sorted(set(layer)))}
    return [used[number] for number in layer]


def _order(ahead: list[list[tuple[int, int]]], wire: Wire) -> None:
    """Keep the target from standing left of the source, unless the source must follow it."""
    seen = {wire.target}
    todo = [wire.target]
    while todo:
        for after, _ in ahead[todo.pop()]:
            if after == wire.source:
                return
            if after not in seen:
                seen.add(after)
                todo.append(after)
    ahead[wire.source].append((wire.target, wire.least))


def _pull(
    turn: list[int],
    ahead: list[list[tuple[int, int]]],
    behind: list[list[tuple[int, int]]],
    layer: list[int],
) -> None:
    """Move what only leads to something, such as a second start, up to what it leads to."""
    is_loose = [False] * len(layer)
    for node in turn:
        is_loose[node] = all(
            is_loose[before] and len(ahead[before]) == 1 for before, _ in behind[node]
        )
    for node in reversed(turn):
        if is_loose[node] and ahead[node]:
            layer[node] = min(layer[after] - length for after, length in ahead[node])


def into_layers(
    boxes: list[Box], wires: list[Wire], back: frozenset[int], sides: dict[int, int]
) -> Layers:
    """Layers of boxes, with a bend wherever a line passes one; rows are still empty.

    `sides` says which wires run above (-1) what they lead back over, rather than below. A line to
    another lane changes it at once where its source has more ways, else where it joins others.
    """
    layer = assign_layers(len(boxes), wires, back)
    made = Layers(
        boxes,
        wires,
        layer,
        [box.band for box in boxes],
        [-1] * len(boxes),
        [[] for _ in range(max(layer, default=-1) + 1)],
        [],
        back,
        left=[[] for _ in boxes],
        right=[[] for _ in boxes],
    )
    out, into = _degrees(len(boxes), wires, back)
    for number, wire in enumerate(wires):
        if wire.orders:
            made.chains.append([])
        elif number in back:
            made.chains.append(_chain_back(made, number, wire, sides.get(number, 1)))
        else:
            forks = out[wire.source] > 1 or into[wire.target] < 2
            band = made.band[wire.target if forks else wire.source]
            made.chains.append(_chain(made, number, wire, band))
        for one, other in zip(made.chains[-1], made.chains[-1][1:], strict=False):
            made.right[one].append(other)
            made.left[other].append(one)
    return made


def _degrees(
    count: int, wires: Sequence[Wire], back: frozenset[int]
) -> tuple[list[int], list[int]]:
    """By box: how many lines leave it to the right, and how many come from the left."""
    out, into = [0] * count, [0] * count
    for number, wire in enumerate(wires):
        if not wire.orders and number not in back:
            out[wire.source] += wire.drop is None
            into[wire.target] += 1
    return out, into


def _chain(made: Layers, number: int, wire: Wire, band: int) -> list[int]:
    """A line from left to right, which runs in a band."""
    first, last = made.layer[wire.source], made.layer[wire.target]
    chain = [wire.source]
    if wire.drop is not None:
        elbow = made.add_bend(first, made.band[wire.source], number)
        made.held[elbow] = (wire.source,)
        made.side[elbow] = 1
        chain = [elbow]
    chain += [made.add_bend(layer, band, number) for layer in range(first + 1, last)]
    return [*chain, wire.target]


def _chain_back(made: Layers, number: int, wire: Wire, side: int) -> list[int]:
    first, last = made.layer[wire.target], made.layer[wire.source]
    band = made.band[wire.source]
    if wire.drop is not None:
        side = 1
    chain = [made.add_bend(layer, band, number) for layer in range(first, last + 1)]
    for bend, box in ((chain[0], wire.target), (chain[-1], wire.source)):
        if made.band[box] == band and box not in made.held.get(bend, ()):
            made.held[bend] = (*made.held.get(bend, ()), box)
        made.side[bend] = side
    return chain
