"""The ways of lines through layers that have their heights and columns."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from .channels import Piece, tracks
from .columns import Columns
from .geometry import straightened
from .sketch import Point
from .working import GRID, Layers


@dataclass(slots=True)
class Channels:
    """What changes its height between the layers.

    A piece is found by its wire and where it is: at its step in the chain, or around the `start`
    or `end` at the left or the right end of the chain.
    """

    pieces: dict[tuple[int, str | int], Piece]
    #: By piece: its channel, counted from the left.
    channel: dict[tuple[int, str | int], int]
    #: By channel: how many tracks it has, and the track of each net.
    counts: list[int]
    track: list[list[int]]


def fill_channels(layers: Layers, y: list[float]) -> Channels:
    """Find what changes its height, and give it tracks."""
    made = Channels({}, {}, [], [])
    for number, chain in enumerate(layers.chains):
        for step, (one, other) in enumerate(pairwise(chain)):
            if y[one] != y[other]:
                made.pieces[number, step] = Piece((-1, 1), (y[one], y[other]), (one, other))
                made.channel[number, step] = layers.layer[other]
        if number in layers.back:
            _turns(layers, y, number, made)
    by_channel: list[list[Piece]] = [[] for _ in range(len(layers.rows) + 1)]
    for key, piece in made.pieces.items():
        by_channel[made.channel[key]].append(piece)
    for pieces in by_channel:
        track, count = tracks(pieces)
        made.track.append(track)
        made.counts.append(count)
    return made


def _turns(layers: Layers, y: list[float], number: int, made: Channels) -> None:
    """Where a line that leads back turns around, at the sides of its ends."""
    wire, chain = layers.wires[number], layers.chains[number]
    first, last = chain[0], chain[-1]
    if number not in layers.to_corner:
        ports = wire.target, first
        made.pieces[number, "start"] = Piece((1, 1), (y[wire.target], y[first]), ports)
        made.channel[number, "start"] = layers.layer[first]
    if number not in layers.from_corner and wire.drop is None:
        ports = last, wire.source
        made.pieces[number, "end"] = Piece((-1, -1), (y[last], y[wire.source]), ports)
        made.channel[number, "end"] = layers.layer[last] + 1


def route_of(
    layers: Layers, number: int, y: list[float], across: Columns, channels: Channels
) -> list[Point]:
    """The way of one line, from its source to its target."""
    chain = layers.chains[number]
    is_back = number in layers.back
    points = _end(layers, number, y, across, is_source=not is_back, bend=chain[0])
    for step in ("start", *range(len(chain) - 1), "end"):
        if (number, step) in channels.pieces:
            points += _bends(across, channels, (number, step))
    points += _end(layers, number, y, across, is_source=is_back, bend=chain[-1])[::-1]
    return straightened(points[::-1] if is_back else points)


def _bends(across: Columns, channels: Channels, key: tuple[int, str | int]) -> Iterator[Point]:
    piece, channel = channels.pieces[key], channels.channel[key]
    x = across.channels[channel] + GRID * channels.track[channel][piece.net]
    for height in piece.heights:
        yield Point(x, height)


def _end(
    layers: Layers,
    number: int,
    y: list[float],
    across: Columns,
    *,
    is_source: bool,
    bend: int,
) -> list[Point]:
    """From the border of a box to the height of the bend that the line begins or ends with."""
    wire = layers.wires[number]
    node = wire.source if is_source else wire.target
    box, x = layers.boxes[node], across.x[node]
    top = y[node] - box.line
    if is_source and wire.drop is not None:
        at = x + wire.drop.x
        return [Point(at, top + wire.drop.y), Point(at, y[bend])]
    if number in (layers.from_corner if is_source else layers.to_corner):
        at = x + box.width / 2
        is_above = y[bend] < y[node]
        return [Point(at, top if is_above else top + box.height), Point(at, y[bend])]
    return [Point(x + box.width if is_source else x, y[node])]
