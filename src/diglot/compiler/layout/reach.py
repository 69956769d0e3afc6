"""How much room shapes need at their sides for notes and data that are wider than they.

Where nothing is beside them at their height, they may lie over the columns beside their host.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from .routes import Channels
from .working import CLEAR, GRID, Layers, Note


def reaches(layers: Layers, y: Sequence[float], between: Channels) -> list[tuple[float, float]]:
    """By box: the room that it needs at its left and at its right."""
    if not any(box.notes for box in layers.boxes):
        return [(box.left, box.right) for box in layers.boxes]
    spans = _Spans(layers, y, between)
    found: list[tuple[float, float]] = []
    for number, box in enumerate(layers.boxes):
        left, right = box.left, box.right
        for note in box.notes:
            over_left, over_right = -note.left, note.right - box.width
            if over_left > left and not spans.are_free(number, note, -1, over_left):
                left = over_left
            if over_right > right and not spans.are_free(number, note, 1, over_right):
                right = over_right
        found.append((left, right))
    return found


class _Spans:
    """From where to where down there is something, in columns and in the channels between."""

    def __init__(self, layers: Layers, y: Sequence[float], between: Channels) -> None:
        self._layers, self._y = layers, y
        self._columns = [list(self._column(number)) for number in range(len(layers.rows))]
        self._channels: list[list[tuple[float, float]]] = [[] for _ in range(len(layers.rows) + 1)]
        for key, piece in between.pieces.items():
            low, high = sorted(piece.heights)
            self._channels[between.channel[key]].append((low, high))

    def _column(self, number: int) -> Iterator[tuple[float, float]]:
        layers, y = self._layers, self._y
        for node in layers.rows[number]:
            if layers.is_box(node):
                box = layers.boxes[node]
                top = y[node] - box.line
                yield top - box.up, top + box.height + box.down
            else:
                yield y[node], y[node]
            for holder in layers.held.get(node, ()):
                low, high = sorted((y[node], y[holder]))
                yield low, high

    def are_free(self, number: int, note: Note, side: int, over: float) -> bool:
        """Whether a note may lie so far over the columns beside, and another as far towards it."""
        layers = self._layers
        box, at = layers.boxes[number], layers.layer[number]
        top = self._y[number] - box.line
        low, high = top + note.top - CLEAR, top + note.bottom + CLEAR
        rest = 2 * over
        while rest > 0:
            if _meets(self._channels[at if side < 0 else at + 1], low, high):
                return False
            at += side
            if not 0 <= at < len(layers.rows):
                break
            if _meets(self._columns[at], low, high):
                return False
            widths = [layers.boxes[node].width for node in layers.rows[at] if layers.is_box(node)]
            rest -= GRID + max(widths, default=0.0)
        return True


def _meets(spans: Sequence[tuple[float, float]], low: float, high: float) -> bool:
    return any(top < high and low < bottom for top, bottom in spans)
