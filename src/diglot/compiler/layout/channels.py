"""Between two layers: where the upright parts of lines run, in tracks beside each other.

Lines that leave (or enter) at the same place share their track. The tracks are ordered so that few
lines cross and none runs along another.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from .working import GRID

#: Costs more than any crossings: a line that runs along another.
_ALONG: Final = 1000
#: With more lines than this between two layers they are only sorted.
_MANY: Final = 60


@dataclass(slots=True)
class Piece:
    """A part of a line that changes its height: from one place beside the channel to another.

    A side is -1 for the left, +1 for the right; a port is what the line docks at there.
    """

    sides: tuple[int, int]
    heights: tuple[float, float]
    ports: tuple[int, int]
    #: The upright line that it is a part of.
    net: int = 0


@dataclass(slots=True)
class _Net:
    """An upright line with what joins it from the left and from the right."""

    left: list[tuple[float, int]] = field(default_factory=list[tuple[float, int]])
    right: list[tuple[float, int]] = field(default_factory=list[tuple[float, int]])
    low: float = 0.0
    high: float = 0.0

    def join(self, side: int, height: float, port: int) -> None:
        ends = self.left if side < 0 else self.right
        if (height, port) not in ends:
            ends.append((height, port))
        heights = [end for end, _ in (*self.left, *self.right)]
        self.low, self.high = min(heights), max(heights)


def tracks(pieces: Sequence[Piece]) -> tuple[list[int], int]:
    """The track of each net, from 0 at the left, and how many; pieces learn their nets."""
    nets = _nets(pieces)
    order = _order(nets)
    track = [0] * len(nets)
    for place, number in enumerate(order):
        net = nets[number]
        track[number] = max(
            (
                track[other] + 1
                for other in order[:place]
                if nets[other].low < net.high + GRID and net.low < nets[other].high + GRID
            ),
            default=0,
        )
    return track, max(track, default=-1) + 1


def _nets(pieces: Sequence[Piece]) -> list[_Net]:
    shared: dict[tuple[int, int], list[int]] = {}
    for number, piece in enumerate(pieces):
        for side, port in zip(piece.sides, piece.ports, strict=True):
            shared.setdefault((side, port), []).append(number)
    nets: list[_Net] = []
    net_of: dict[int, int] = {}
    for (_, _), numbers in sorted(shared.items(), key=lambda item: item[0][0]):
        free = [number for number in numbers if number not in net_of]
        if len(free) > 1:
            nets.append(_Net())
            for number in free:
                net_of[number] = len(nets) - 1
    for number, piece in enumerate(pieces):
        if number not in net_of:
            nets.append(_Net())
            net_of[number] = len(nets) - 1
        net = nets[net_of[number]]
        for side, height, port in zip(piece.sides, piece.heights, piece.ports, strict=True):
            net.join(side, height, port)
        piece.net = net_of[number]
    return nets


def _cost(one: _Net, other: _Net) -> int:
    """What it costs that one runs left of the other: crossings, and lines along each other."""
    if one.high < other.low or other.high < one.low:
        return 0
    cost = 0
    for height, port in one.right:
        if other.low < height < other.high:
            cost += 1
        for end, end_port in other.left:
            if end == height and port != end_port:
                cost += _ALONG
    for height, _ in other.left:
        if one.low < height < one.high:
            cost += 1
    return cost


def _order(nets: list[_Net]) -> list[int]:
    if len(nets) > _MANY:
        return sorted(range(len(nets)), key=lambda number: _turn(nets[number], number))
    order: list[int] = []
    for number in range(len(nets)):
        _insert(order, nets, number)
    if len(nets) > 2:
        for number in range(len(nets)):
            order.remove(number)
            _insert(order, nets, number)
    return order


def _turn(net: _Net, number: int) -> tuple[int, float, int]:
    """Sorts many lines: those that go up by their height, then those that go down, against it."""
    left = net.left[0][0] if net.left else net.high
    right = net.right[0][0] if net.right else net.high
    return (0, left, number) if right < left else (1, -left, number)


def _insert(order: list[int], nets: list[_Net], number: int) -> None:
    net = nets[number]
    cost = sum(_cost(net, nets[other]) for other in order)
    best, place = cost, 0
    for index, other in enumerate(order):
        cost += _cost(nets[other], net) - _cost(net, nets[other])
        if cost < best:
            best, place = cost, index + 1
    order.insert(place, number)
