"""Which lines lead back: those that a walk in order of the document finds to close a circle."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from .working import Wire


def back_wires(count: int, wires: Sequence[Wire]) -> frozenset[int]:
    """Numbers of the wires that lead back; without them there is no circle."""
    out: list[list[int]] = [[] for _ in range(count)]
    is_entered = [False] * count
    back: list[int] = []
    for number, wire in enumerate(wires):
        if wire.orders:
            continue
        if wire.source == wire.target:
            back.append(number)
            continue
        out[wire.source].append(number)
        is_entered[wire.target] = True
    starts = [node for node in range(count) if not is_entered[node]]
    is_open = [False] * count
    is_seen = [False] * count
    for start in (*starts, *range(count)):
        if is_seen[start]:
            continue
        is_seen[start] = is_open[start] = True
        path: list[tuple[int, Iterator[int]]] = [(start, iter(out[start]))]
        while path:
            node, ways = path[-1]
            for number in ways:
                target = wires[number].target
                if is_open[target]:
                    back.append(number)
                elif not is_seen[target]:
                    is_seen[target] = is_open[target] = True
                    path.append((target, iter(out[target])))
                    break
            else:
                is_open[node] = False
                path.pop()
    return frozenset(back)
