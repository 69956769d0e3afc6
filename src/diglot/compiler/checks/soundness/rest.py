"""What is left of a net while it is made smaller: places, steps, and what each step stands for."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from functools import cached_property
from random import Random

from ..components import components
from .net import Net, Shot
from .rope import Rope, Run, Split

#: A step with so few places is looked at whole when it changes.
_THIN = 3


class Rest:
    """What is left of a net. Places and transitions keep their numbers; new ones have higher.

    `doubling` are transitions whose run puts two tokens on one place, with that place.
    """

    def __init__(self, net: Net) -> None:
        self._net = net
        size = net.places
        draw = Random(7).getrandbits
        self.takes: dict[int, set[int]] = {}
        self.gives: dict[int, set[int]] = {}
        self.consumers: list[set[int]] = [set() for _ in range(size)]
        self.producers: list[set[int]] = [set() for _ in range(size)]
        self.places = set(range(size))
        self.marked = set(net.marked)
        self.prefix: list[Run] = []
        #: Of a split it is only what is done before.
        self.run: dict[int, Run] = {}
        self.splits: dict[int, Split] = {}
        #: Of merges that wait, by place what is done first with a token from there.
        self.awaiting: dict[int, dict[int, Run]] = {}
        #: Of each of these the first transition of its node.
        self.merge: dict[int, int] = {}
        #: Places that a step gives to on no path, of a rest that is not made smaller.
        self.aside: dict[int, frozenset[int]] = {}
        self.doubling: dict[int, int] = {}
        self.ending: set[int] = set()
        self.dead: list[int] = []
        # Sums of random numbers tell sets apart, so that twins are found without comparing all.
        self.place_sign = [draw(62) for _ in range(size)]
        self._step_sign: dict[int, int] = {}
        self._draw = draw
        self.takes_sum: dict[int, int] = {}
        self.gives_sum: dict[int, int] = {}
        self.consumers_sum = [0] * size
        self.producers_sum = [0] * size
        self.step_twins: dict[tuple[int, int], int] = {}
        self.place_twins: dict[tuple[int, int], int] = {}
        self._next = 0
        self.todo: deque[int] = deque(range(size))
        self.asked = set(range(size))
        #: Places left for later, each behind what it costs to take it away: a heap.
        self.late: list[tuple[tuple[int, int], int]] = []
        merges: dict[tuple[int, ...], int] = {}
        for step in net.transitions:
            gives, is_split = step.gives, len(step.some) > 1
            if len(step.some) == 1:
                gives += step.some
            run = None if is_split else Shot(self._next, step.some)
            given = set(gives)
            number = self.add(set(step.takes), given, run)
            if is_split:
                self.split(number, Split(number, {place: (place, None) for place in step.some}))
            if step.awaits and len(step.takes) > 1:
                self.awaiting[number] = {}
                self.merge[number] = merges.setdefault(step.takes, number)
            if step.aside:
                self.aside[number] = frozenset(step.aside)
            if step.ends_all:
                self.ending.add(number)
            if len(given) < len(gives):
                self.doubling[number] = _repeated(gives)

    @cached_property
    def group(self) -> list[int]:
        """Of each place of the net its number among those that lie in one circle."""
        steps = self._net.transitions
        ways = [(p, q) for one in steps for p in one.takes for q in (*one.gives, *one.some)]
        return components(self._net.places, ways)

    def add(self, takes: set[int], gives: set[int], run: Run) -> int:
        """A new step; its number."""
        number = self._next
        self._next += 1
        sign = self._step_sign[number] = self._draw(62)
        self.takes[number], self.gives[number] = takes, gives
        self.run[number] = run
        taken = given = 0
        for place in takes:
            self.consumers[place].add(number)
            self.consumers_sum[place] ^= sign
            taken ^= self.place_sign[place]
        for place in gives:
            self.producers[place].add(number)
            self.producers_sum[place] ^= sign
            given ^= self.place_sign[place]
        self.takes_sum[number], self.gives_sum[number] = taken, given
        return number

    def split(self, number: int, split: Split) -> None:
        """Let a step give to some places, too."""
        self.splits[number] = split
        for place in split.ways:
            self.producers[place].add(number)
            self.producers_sum[place] ^= self._step_sign[number]

    def lead(self, number: int, place: int, other: int, run: Run) -> None:
        """Let a way of a split that leads to a place go on to another, by a run."""
        origin, before = self.splits[number].ways[place]
        self.unsplit(number, place)
        self.splits[number].ways[other] = origin, Rope(before, run)
        self.producers[other].add(number)
        self.producers_sum[other] ^= self._step_sign[number]

    def unsplit(self, number: int, place: int) -> None:
        """Let a split give to a place no more."""
        del self.splits[number].ways[place]
        self.producers[place].discard(number)
        self.producers_sum[place] ^= self._step_sign[number]

    def remove(self, number: int) -> None:
        """Take away a step with its arcs."""
        for place in tuple(self.splits[number].ways) if number in self.splits else ():
            self.unsplit(number, place)
            self.wake(place)
        self.splits.pop(number, None)
        self.awaiting.pop(number, None)
        sign = self._step_sign.pop(number)
        takes, gives = self.takes.pop(number), self.gives.pop(number)
        for place in takes:
            self.consumers[place].discard(number)
            self.consumers_sum[place] ^= sign
        for place in gives:
            self.producers[place].discard(number)
            self.producers_sum[place] ^= sign
        self.wake_each(takes)
        self.wake_each(gives)
        del self.run[number], self.takes_sum[number], self.gives_sum[number]
        self.doubling.pop(number, None)
        self.ending.discard(number)

    def give(self, number: int, place: int) -> None:
        """Let a step give to one more place."""
        self.gives[number].add(place)
        self.producers[place].add(number)
        self.gives_sum[number] ^= self.place_sign[place]
        self.producers_sum[place] ^= self._step_sign[number]

    def ungive(self, number: int, place: int) -> None:
        """Let a step give to one place less."""
        self.gives[number].discard(place)
        self.producers[place].discard(number)
        self.gives_sum[number] ^= self.place_sign[place]
        self.producers_sum[place] ^= self._step_sign[number]

    def take(self, number: int, place: int) -> None:
        """Let a step take from one more place."""
        self.takes[number].add(place)
        self.consumers[place].add(number)
        self.takes_sum[number] ^= self.place_sign[place]
        self.consumers_sum[place] ^= self._step_sign[number]

    def drop(self, place: int) -> None:
        """Take away a place with its arcs."""
        sign = self.place_sign[place]
        for number in self.consumers[place]:
            self.takes[number].discard(place)
            self.takes_sum[number] ^= sign
        for number in self.producers[place]:
            if place in self.gives[number]:
                self.gives[number].discard(place)
                self.gives_sum[number] ^= sign
            else:
                del self.splits[number].ways[place]
        self.places.discard(place)

    def wake(self, place: int) -> None:
        """Have a place looked at (again)."""
        if place not in self.asked and place in self.places:
            self.asked.add(place)
            self.todo.append(place)

    def wake_each(self, places: Iterable[int]) -> None:
        """Have places looked at (again)."""
        asked, left = self.asked, self.places
        for place in places:
            if place not in asked and place in left:
                asked.add(place)
                self.todo.append(place)

    def wake_around(self, number: int) -> None:
        """Have all places of a step looked at."""
        self.wake_each(self.takes[number])
        self.wake_each(self.gives[number])
        if number in self.splits:
            self.wake_each(self.splits[number].ways)

    def wake_if_thin(self, number: int, *places: int, lost: int | None = None) -> None:
        """Have all places of a step looked at, that lost one, or of a wide step those named.

        How many places a step has matters only where it is about one, and where a circle leads
        through the one that was `lost`.
        """
        takes, gives = self.takes[number], self.gives[number]
        is_wide = len(takes) > _THIN or len(gives) > _THIN
        if not is_wide or number in self.splits or number in self.awaiting:
            self.wake_around(number)
            return
        if lost is not None and any(self.group[place] == self.group[lost] for place in takes):
            self.wake_around(number)
            return
        for few in (takes, gives):
            if len(few) <= _THIN:
                places += tuple(few)
        self.wake_each((*places, next(iter(takes), -1)))

    def width(self, number: int) -> int:
        """To how many places a step can give."""
        ways = self.splits[number].ways if number in self.splits else ()
        return len(self.gives[number]) + len(ways)

    def run_of(self, number: int, taken: Iterable[int], chosen: tuple[int, ...]) -> Run:
        """The run that a step of the rest stands for, that takes from and gives to some places."""
        split = self.splits.get(number)
        run = self.run[number] if split is None else split.run(self.run[number], chosen)
        for place in taken if number in self.awaiting else ():
            run = Rope(self.awaiting[number].get(place), run)
        return run

    def settle(self, number: int) -> None:
        """Of what a step gives some there is one place left: it is given always."""
        split = self.splits[number]
        if len(split.ways) > 1:
            return
        (place,) = split.ways
        self.run[number] = split.run(self.run[number], (place,))
        del self.splits[number]
        self.gives[number].add(place)
        self.gives_sum[number] ^= self.place_sign[place]
        self.wake_around(number)

    def await_less(self, number: int) -> None:
        """A merge lost a place: with only one it waits for nothing."""
        if len(self.takes[number]) == 1:
            (place,) = self.takes[number]
            self.run[number] = Rope(self.awaiting.pop(number).get(place), self.run[number])
            if not self.awaiting:
                self.wake_each(self.places)
        self.wake_around(number)


def _repeated(places: Sequence[int]) -> int:
    return next(place for place in places if places.count(place) > 1)
