"""Which nodes of neighbouring rows come to lie level: chains that do not cross each other.

Source: Brandes and Koepf, Fast and Simple Horizontal Coordinate Assignment (the alignment).
"""

from __future__ import annotations

from bisect import insort

from .spine import Spine
from .working import Layers


def align(layers: Layers, spine: Spine) -> list[int]:
    """By node: the first node of the chain that it lies level with."""
    places = layers.positions()
    wanted: list[tuple[int, int, int, int, int]] = []
    for number, chain in enumerate(layers.chains):
        for step in range(len(chain) - 1):
            one, other = chain[step], chain[step + 1]
            if layers.band[one] == layers.band[other]:
                rank = _rank(layers, spine, number, one, other)
                wanted.append((rank, number, step, one, other))
    wanted.sort()
    before: dict[int, int] = {}
    after: dict[int, int] = {}
    kept: list[list[tuple[int, int]]] = [[] for _ in layers.rows]
    for _, _, _, one, other in wanted:
        if one in after or other in before:
            continue
        pairs = kept[layers.layer[one]]
        pair = (places[one], places[other])
        if _crosses(pairs, pair):
            continue
        insort(pairs, pair)
        after[one] = other
        before[other] = one
    first = list(range(len(layers.layer)))
    for row in layers.rows:
        for node in row:
            if node in before:
                first[node] = first[before[node]]
    return first


def _rank(layers: Layers, spine: Spine, number: int, one: int, other: int) -> int:
    """What should be straight before others comes first."""
    is_bend = not layers.is_box(one), not layers.is_box(other)
    if number in spine.trunk:
        return 0
    if all(is_bend):
        return 1
    if number in spine.onward:
        return 2
    return 3 if any(is_bend) else 4


def _crosses(pairs: list[tuple[int, int]], pair: tuple[int, int]) -> bool:
    """Whether a pair of places crosses one of those kept, which are sorted and do not cross."""
    low, high = 0, len(pairs)
    while low < high:
        middle = (low + high) // 2
        if pairs[middle] < pair:
            low = middle + 1
        else:
            high = middle
    before = pairs[low - 1] if low else None
    behind = pairs[low] if low < len(pairs) else None
    return (before is not None and before[1] >= pair[1]) or (
        behind is not None and behind[1] <= pair[1]
    )
