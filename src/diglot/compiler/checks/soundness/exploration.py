"""What is left of a net is walked through: choices are taken one way and the other.

Where steps do not touch each other, one order of them stands for all (stubborn sets).

Source: Valmari, Stubborn sets for reduced state space generation (1990).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Final, NamedTuple

from ..components import components
from .net import first_lost, path_back, reached
from .rest import Rest
from .rope import Run

#: So many markings are looked at before it is given up.
BUDGET: Final = 20_000


#: A step that gives to some of more places than this is not walked through.
MOST_WAYS: Final = 8


class Step(NamedTuple):
    """A transition of the rest, with the places of a split it gives to; its places as bits.

    Of a merge that waits, `coming` has for each place from where a token can come to it.
    """

    number: int
    chosen: tuple[int, ...]
    takes: int
    gives: int
    rank: int
    doubles: bool
    ends_all: bool
    coming: Mapping[int, int] | None = None

    def can_be_taken(self, marking: int) -> bool:
        """Whether it has what it takes."""
        there = marking & self.takes
        if there == self.takes or self.coming is None or not there:
            return there == self.takes
        awaited = free = 0
        for place, coming in self.coming.items():
            if marking & place:
                free |= coming
            else:
                awaited |= coming
        return not marking & awaited & ~free


class TooWide(Exception):
    """A split has too many ways to take all of them with all others."""


@dataclass(slots=True)
class Walk:
    """The markings that were reached, each with the marking and the step it was reached from."""

    came: dict[int, tuple[int, Step] | None]
    after: dict[int, list[int]] = field(default_factory=dict[int, list[int]])
    stuck: int | None = None
    #: A marking and the step from it that puts a second token on a place.
    doubled: tuple[int, Step] | None = None
    is_whole: bool = True

    def path_to(self, marking: int) -> list[tuple[int, Step]]:
        """The steps that lead there, each with the marking before it."""
        return path_back(self.came, marking)


class Space:
    """The rest of a net, ready to be walked through."""

    def __init__(self, rest: Rest) -> None:
        self._rest = rest
        self.prefix = rest.prefix
        self._places = places = sorted(rest.places)
        self._index = {place: at for at, place in enumerate(places)}
        ways = [
            (self._index[p], self._index[q])
            for number, takes in rest.takes.items()
            for p in takes
            for q in (*rest.gives[number], *_ways(rest, number))
        ]
        self._group = components(len(places), ways)
        is_acyclic = len(set(self._group)) == len(places) and all(p != q for p, q in ways)
        made = {number: list(self._steps_of(rest, number)) for number in rest.takes}
        #: Whether steps that touch each other take from the same places, so that what is enabled
        #: stays so until one of those is chosen. Only then may one order stand for all.
        self.is_plain = not rest.awaiting
        self.start = self._bits(rest.marked)
        # After what ends all there is nothing to be found, so that it hinders no other step.
        self.consumers = [
            [step for number in rest.consumers[p] for step in made[number] if not step.ends_all]
            for p in places
        ]
        self.producers = [
            [step for number in rest.producers[p] for step in made[number]] for p in places
        ]
        order = sorted(
            (step for steps in made.values() for step in steps),
            key=lambda step: (step.rank, step.number, step.chosen),
        )
        self._taking = [(step.takes, step) for step in order]
        self.is_free = all(
            one.takes == other.takes
            for group in self.consumers
            for one in group
            for other in group[:1]
        )
        self.is_exact = self.is_plain and self.is_free and is_acyclic

    def _bits(self, places: Iterable[int]) -> int:
        return sum(1 << self._index[place] for place in places)

    def _steps_of(self, rest: Rest, number: int) -> Iterator[Step]:
        takes, ways = rest.takes[number], tuple(sorted(_ways(rest, number)))
        if len(ways) > MOST_WAYS:
            raise TooWide
        rank = max((self._group[self._index[place]] for place in takes), default=0)
        coming = None
        if number in rest.awaiting:
            before = self._before(rest.merge[number])
            coming = {
                self._bits((place,)): self._bits(reached((place,), before)) for place in takes
            }
        chosen = [()] if not ways else [
            some for count in range(1, len(ways) + 1) for some in combinations(ways, count)
        ]  # fmt: skip
        for some in chosen:
            gives = self._bits((*rest.gives[number], *some))
            doubles = number in rest.doubling
            yield Step(
                number,
                some,
                self._bits(takes),
                gives,
                rank if gives else rank + len(self._index),
                doubles,
                number in rest.ending and not doubles,
                coming,
            )

    def _before(self, merge: int) -> dict[int, set[int]]:
        """By place from where its tokens come on a path, other than through a merge."""
        rest, before = self._rest, dict[int, set[int]]()
        for number, takes in rest.takes.items():
            if rest.merge.get(number) != merge:
                given = {*rest.gives[number], *_ways(rest, number)}
                for place in given - rest.aside.get(number, frozenset()):
                    before.setdefault(place, set()).update(takes)
        return before

    def run_of(self, marking: int, step: Step) -> Run:
        """The run of the whole net that a step stands for."""
        taken = [self._places[place] for place in _bits(marking & step.takes)]
        return self._rest.run_of(step.number, taken, step.chosen)

    def enabled(self, marking: int) -> list[Step]:
        """The steps that can be taken, those near the beginning first."""
        if self.is_plain:
            return [step for takes, step in self._taking if marking & takes == takes]
        return [
            step
            for takes, step in self._taking
            if marking & takes == takes
            or (step.coming is not None and marking & takes and step.can_be_taken(marking))
        ]

    def stubborn(self, marking: int, enabled: Sequence[Step]) -> Iterable[Step]:
        """Steps of which one has to be taken before anything else can matter to them."""
        if not enabled:
            return ()
        if self.is_free:
            first = enabled[0]
            place = (first.takes & -first.takes).bit_length() - 1
            return self.consumers[place] if first.takes else (first,)
        best: list[Step] | None = None
        for seed in enabled:
            found = self._closure(seed, marking)
            if best is None or len(found) < len(best):
                best = found
            if len(best) == 1:
                break
        return best or ()

    def _closure(self, seed: Step, marking: int) -> list[Step]:
        chosen = {seed}
        todo = [seed]
        found: list[Step] = []
        while todo:
            step = todo.pop()
            lacking = step.takes & ~marking
            if lacking:
                near = self.producers[(lacking & -lacking).bit_length() - 1]
            else:
                found.append(step)
                near = [other for place in _bits(step.takes) for other in self.consumers[place]]
            for other in near:
                if other not in chosen:
                    chosen.add(other)
                    todo.append(other)
        return found

    def walk(self, start: int, *, is_sparing: bool, budget: int) -> Walk:
        """Go through the markings from one on, all of them or as few as needed; ends at a fault."""
        walk = Walk(came={start: None})
        todo = [start]
        while todo:
            marking = todo.pop()
            enabled = self.enabled(marking)
            going_on = [step for step in enabled if not step.ends_all]
            chosen = self.stubborn(marking, going_on) if is_sparing else going_on
            after = walk.after[marking] = []
            if len(going_on) < len(enabled):
                after.append(0)
                walk.came.setdefault(0, (marking, next(step for step in enabled if step.ends_all)))
            if not enabled and marking:
                walk.stuck = marking
                return walk
            for step in chosen:
                rest = marking & ~step.takes
                if step.doubles or rest & step.gives:
                    walk.doubled = marking, step
                    return walk
                following = rest | step.gives
                after.append(following)
                if following not in walk.came:
                    if len(walk.came) >= budget:
                        walk.is_whole = False
                        return walk
                    walk.came[following] = marking, step
                    todo.append(following)
        return walk


def lost(walk: Walk) -> int | None:
    """A marking from which the walk never comes to the empty one, or nothing."""
    before: dict[int, list[int]] = {}
    for marking, following in walk.after.items():
        for one in following:
            before.setdefault(one, []).append(marking)
    return first_lost(walk.came, before, 0)


def _ways(rest: Rest, number: int) -> Iterable[int]:
    return rest.splits[number].ways if number in rest.splits else ()


def _bits(mask: int) -> Iterable[int]:
    while mask:
        yield (mask & -mask).bit_length() - 1
        mask &= mask - 1
