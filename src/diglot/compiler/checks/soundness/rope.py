"""Runs of transitions, put together without copying."""

from __future__ import annotations

from collections.abc import Iterator

from .net import Shot


class Rope:
    """One run after another; a run is a shot, a rope again, or nothing."""

    __slots__ = ("first", "second")

    def __init__(self, first: Run, second: Run) -> None:
        self.first = first
        self.second = second


Run = Shot | Rope | None


def shots(run: Run) -> Iterator[Shot]:
    """The transitions of a run in order."""
    todo: list[Run] = [run]
    while todo:
        part = todo.pop()
        if isinstance(part, Rope):
            todo += (part.second, part.first)
        elif part is not None:
            yield part


class Split:
    """What is known of a transition some of whose places get a token: which, and what is done then.

    `ways`: by place the place of the whole net that gets the token, and the run from there.
    """

    __slots__ = ("later", "number", "ways")

    def __init__(self, number: int, ways: dict[int, tuple[int, Run]], later: Run = None) -> None:
        self.number = number
        self.ways = ways
        self.later = later

    def copy(self) -> Split:
        """One that can be changed without this one."""
        return Split(self.number, dict(self.ways), self.later)

    def run(self, before: Run, chosen: tuple[int, ...]) -> Run:
        """The run in which these places get a token."""
        run = Rope(before, Shot(self.number, tuple(self.ways[place][0] for place in chosen)))
        for place in chosen:
            run = Rope(run, self.ways[place][1])
        return Rope(run, self.later)
