"""Which way is the main one: the longest from the first start, and of each box the longest on."""

from __future__ import annotations

from dataclasses import dataclass

from .working import Layers


@dataclass(frozen=True, slots=True)
class Spine:
    """The wires that should run straight, and in what order the ways from a box lie."""

    #: Wires of the main way of the whole, and those that each box goes on with.
    trunk: frozenset[int]
    onward: frozenset[int]
    #: By box: the wires that leave it to the right, from top to bottom.
    ways: tuple[tuple[int, ...], ...]
    #: Boxes by rank: those that nothing leads to first, in order.
    starts: tuple[int, ...]


def find_spine(layers: Layers, above: float = 0.5) -> Spine:
    """Follow the longest way from each box; so many of the others lie above it, at most."""
    count = len(layers.boxes)
    out: list[list[int]] = [[] for _ in range(count)]
    into: list[list[int]] = [[] for _ in range(count)]
    for number, wire in enumerate(layers.wires):
        if not wire.orders and number not in layers.back:
            out[wire.source].append(number)
            into[wire.target].append(number)
    rest = [0] * count
    onward: dict[int, int] = {}
    ways: list[tuple[int, ...]] = [()] * count
    for box in sorted(range(count), key=lambda box: -layers.layer[box]):
        plain = [number for number in out[box] if layers.wires[number].drop is None]
        drops = [number for number in out[box] if layers.wires[number].drop is not None]
        main = _longest(layers, plain or drops, rest)
        if main is None:
            continue
        rest[box] = 1 + max(rest[layers.wires[number].target] for number in out[box])
        if plain:
            onward[box] = main
            others = [number for number in plain if number != main]
            middle = int((len(plain) - 1) * above)
            plain = [*others[:middle], main, *others[middle:]]
        ways[box] = (*plain, *drops)
    starts = tuple(box for box in range(count) if not into[box])
    trunk: list[int] = []
    if starts:
        at = max(starts, key=lambda start: (rest[start] > 0, -start))
        while at in onward:
            trunk.append(onward[at])
            at = layers.wires[onward[at]].target
    return Spine(frozenset(trunk), frozenset(onward.values()), tuple(ways), starts)


def _longest(layers: Layers, ways: list[int], rest: list[int]) -> int | None:
    """The way that goes on for longest; of equal ones that nearest to the middle."""
    if not ways:
        return None
    most = max(rest[layers.wires[number].target] for number in ways)
    middle = (len(ways) - 1) // 2
    longest = [
        (abs(place - middle), place)
        for place, number in enumerate(ways)
        if rest[layers.wires[number].target] == most
    ]
    return ways[min(longest)[1]]
