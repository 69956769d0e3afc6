"""Which numbers can be reached from each other."""

from __future__ import annotations

from collections.abc import Collection, Iterable


def components(size: int, ways: Iterable[tuple[int, int]]) -> list[int]:
    """The component of each number from 0 to `size`; a later one never leads to an earlier one.

    Tarjan's algorithm, without recursion. Numbers of components rise along the ways.
    """
    after: list[list[int]] = [[] for _ in range(size)]
    for one, other in ways:
        after[one].append(other)
    order, low, group = [0] * size, [0] * size, [-1] * size
    path: list[int] = []
    count = found = 0
    for first in range(size):
        if order[first]:
            continue
        work = [(first, 0)]
        while work:
            node, taken = work.pop()
            if not taken:
                count += 1
                order[node] = low[node] = count
                path.append(node)
            else:
                low[node] = min(low[node], low[after[node][taken - 1]])
            for place in range(taken, len(after[node])):
                target = after[node][place]
                if not order[target]:
                    work += ((node, place + 1), (target, 0))
                    break
                if group[target] < 0:
                    low[node] = min(low[node], order[target])
            else:
                if low[node] == order[node]:
                    while True:
                        member = path.pop()
                        group[member] = found
                        if member == node:
                            break
                    found += 1
    return [found - 1 - one for one in group]


def has_circle(size: int, ways: Collection[tuple[int, int]]) -> bool:
    """Whether one of the numbers from 0 to `size` leads to itself, which is sooner told."""
    after: list[list[int]] = [[] for _ in range(size)]
    coming = [0] * size
    for one, other in ways:
        after[one].append(other)
        coming[other] += 1
    # What nothing leads to any more stands in no circle.
    rest = [one for one in range(size) if not coming[one]]
    count = 0
    while rest:
        count += 1
        for target in after[rest.pop()]:
            coming[target] -= 1
            if not coming[target]:
                rest.append(target)
    return count < size
