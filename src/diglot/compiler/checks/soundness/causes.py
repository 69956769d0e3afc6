"""Which steps of a run a token owes its place to."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from .net import Net, Shot


@dataclass(slots=True)
class Causes:
    """A run with, for each of its shots, the shots whose tokens it took.

    `tokens` are what is left at its end: by place the shot that each token came by, -1 for those
    that were there at the beginning.
    """

    run: tuple[Shot, ...]
    before: list[tuple[int, ...]] = field(default_factory=list[tuple[int, ...]])
    tokens: dict[int, list[int]] = field(default_factory=dict[int, list[int]])

    def past(self, shots: Iterable[int]) -> frozenset[int]:
        """The shots and all they owe to."""
        found: set[int] = set()
        todo = [shot for shot in shots if shot >= 0]
        while todo:
            shot = todo.pop()
            if shot not in found:
                found.add(shot)
                todo.extend(one for one in self.before[shot] if one >= 0)
        return frozenset(found)

    def only(self, shots: frozenset[int]) -> tuple[Shot, ...]:
        """Those shots, in the order of the run."""
        return tuple(shot for number, shot in enumerate(self.run) if number in shots)


def causes_of(net: Net, run: Sequence[Shot]) -> Causes:
    """The causes of a run, which can be played on the net."""
    found = Causes(tuple(run), tokens={place: [-1] for place in net.marked})
    tokens = found.tokens
    for number, shot in enumerate(run):
        step = net.transitions[shot.number]
        taken: list[int] = []
        for place in (*step.takes, *step.needs):
            if tokens.get(place):
                taken.append(tokens[place].pop(0))
                if not tokens[place]:
                    del tokens[place]
        if step.ends_all:
            tokens.clear()
        found.before.append(tuple(taken))
        for place in (*step.gives, *shot.some):
            tokens.setdefault(place, []).append(number)
    return found
