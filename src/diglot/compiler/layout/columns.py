"""How far right everything lies: columns of shapes, and the channels between them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from .working import GAP, GRID, Layers, up_to_grid

#: A shape wider than this does not make narrow ones move to its middle.
_WIDE: Final = 150.0
_HALF: Final = 50.0
#: Between a shape and the first track beside it, and between a text or a note and that.
_MARGIN: Final = 20.0
_LEAST: Final = 10.0


@dataclass(frozen=True, slots=True)
class Columns:
    """By box its left border; by channel (the first is left of all) where its tracks begin.

    Notes may lie further left than what is first.
    """

    x: list[float]
    channels: list[float]
    left: float
    right: float


@dataclass(slots=True)
class _Column:
    """A column, with the room it has beyond the shapes that end it."""

    #: By box: its left border from that of the column.
    at: dict[int, float]
    width: float
    #: From the left border to where the grid should be met.
    meets: float
    slack_left: float
    slack_right: float


def columns(layers: Layers, counts: Sequence[int], reach: Sequence[tuple[float, float]]) -> Columns:
    """Place columns beside each other.

    `counts` tells the tracks of each channel, `reach` what each box needs at its sides.
    """
    made = [_column(layers, reach, number) for number in range(len(layers.rows))]
    needs = _text_needs(layers, made)
    x: list[float] = [0.0] * len(layers.boxes)
    channels: list[float] = []
    edge = 0.0
    if not made:
        return Columns(x, [0.0], 0.0, 0.0)
    for number in range(len(made) + 1):
        count = counts[number]
        tracks = (count - 1) * GRID
        if number == 0:
            channels.append(edge)
            edge += tracks + _MARGIN if count else 0.0
        elif number == len(made):
            channels.append(edge + _MARGIN)
            edge += tracks + _MARGIN if count else 0.0
            continue
        else:
            slack = made[number - 1].slack_right + made[number].slack_left
            width = max(GRID, GAP - slack, needs[number])
            if count:
                margins = max(_LEAST, _MARGIN - made[number - 1].slack_right)
                margins += max(_LEAST, _MARGIN - made[number].slack_left)
                width = max(width, tracks + margins)
            column = made[number]
            width = up_to_grid(edge + width + column.meets) - column.meets - edge
            channels.append(_tracks_begin(made, number, edge, width, tracks))
            edge += width
        column = made[number]
        for box, offset in column.at.items():
            x[box] = edge + offset
        edge += column.width
    notes = [(x[n], note) for n, box in enumerate(layers.boxes) for note in box.notes]
    left = min((at + note.left for at, note in notes), default=0.0)
    right = max((at + note.right for at, note in notes), default=0.0)
    return Columns(x, channels, min(0.0, -up_to_grid(-left)), max(edge, right))


def _tracks_begin(
    made: list[_Column], number: int, edge: float, width: float, tracks: float
) -> float:
    """In the middle between the shapes of both sides, but beside all texts."""
    before, column = made[number - 1], made[number]
    low = edge + max(_LEAST, _MARGIN - before.slack_right)
    high = edge + width - max(_LEAST, _MARGIN - column.slack_left) - tracks
    middle = (edge - before.slack_right + edge + width + column.slack_left - tracks) / 2
    return max(low, min(middle // 5 * 5, high))


def _column(layers: Layers, reach: Sequence[tuple[float, float]], number: int) -> _Column:
    boxes = [node for node in layers.rows[number] if layers.is_box(node)]
    narrow = [node for node in boxes if layers.boxes[node].width <= _WIDE]
    wide = [node for node in boxes if layers.boxes[node].width > _WIDE]
    half = max((layers.boxes[node].width / 2 + reach[node][0] for node in narrow), default=0.0)
    middle = half
    at: dict[int, float] = {}
    if wide:
        start = max(0.0, half - _HALF, *(reach[node][0] for node in wide))
        middle = start + _HALF
        at.update(dict.fromkeys(wide, start))
    for node in narrow:
        at[node] = middle - layers.boxes[node].width / 2
    width = max(
        (at[node] + layers.boxes[node].width + reach[node][1] for node in boxes),
        default=0.0,
    )
    return _Column(
        at,
        width,
        middle,
        min(at.values(), default=0.0),
        min((width - at[node] - layers.boxes[node].width for node in boxes), default=0.0),
    )


def _text_needs(layers: Layers, made: list[_Column]) -> list[float]:
    """By channel: the width that texts of lines want, which stand at their beginning."""
    needs = [0.0] * (len(made) + 1)
    for number, wire in enumerate(layers.wires):
        chain = layers.chains[number]
        if wire.label is None or not chain or number in layers.back:
            continue
        step = chain[1] if len(chain) > 1 else chain[0]
        if not layers.is_box(step):
            continue
        box = layers.boxes[wire.source]
        column, after = made[layers.layer[wire.source]], made[layers.layer[step]]
        start = column.at[wire.source]
        if wire.drop is not None:
            start += wire.drop.x
        elif number in layers.from_corner:
            start += box.width / 2
        else:
            start += box.width
        has = column.width - start
        has += after.at[step] if number not in layers.to_corner else 0.0
        gap = layers.layer[wire.source] + 1
        needs[gap] = max(needs[gap], wire.label.width + 2 * GRID - has)
    return needs
