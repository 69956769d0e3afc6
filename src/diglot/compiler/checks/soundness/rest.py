"""What is left of a net while it is made smaller: places, steps, and what each step stands for."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from random import Random

from ..components import components
from .net import Net, Shot
from .rope import Rope, Run, Split


class Rest:
    """What is left of a net. Places and transitions keep their numbers; new ones have higher.

    `doubling` are transitions whose run puts two tokens on one place, with that place.
    """

    def __init__(self, net: Net) -> None:
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
        #: Of each of these the transition of the net that it was.
        self.merge: dict[int, int] = {}
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
        self.todo: deque[int] = deque()
        self.asked = set[int]()
        self.late: list[int] = []
        for step in net.transitions:
            gives, is_split = step.gives, len(step.some) > 1
            if len(step.some) == 1:
                gives += step.some
            run = None if is_split else Shot(self._next, step.some)
            number = self.add(set(step.takes), set(gives), run)
            if is_split:
                self.split(number, Split(number, {place: (place, None) for place in step.some}))
            if step.awaits and len(step.takes) > 1:
                self.awaiting[number] = {}
                self.merge[number] = number
            if step.ends_all:
                self.ending.add(number)
            if len(set(gives)) < len(gives):
                self.doubling[number] = _repeated(gives)
        self.group = components(
            size,
            [(p, q) for one in net.transitions for p in one.takes for q in (*one.gives, *one.some)],
        )
        for place in range(size):
            self.wake(place)

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
        for place in self.takes.pop(number):
            self.consumers[place].discard(number)
            self.consumers_sum[place] ^= sign
            self.wake(place)
        for place in self.gives.pop(number):
            self.producers[place].discard(number)
            self.producers_sum[place] ^= sign
            self.wake(place)
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

    def wake_around(self, number: int) -> None:
        """Have all places of a step looked at."""
        for place in self.takes[number]:
            self.wake(place)
        for place in self.gives[number]:
            self.wake(place)
        for place in self.splits[number].ways if number in self.splits else ():
            self.wake(place)

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
                for place in self.places:
                    self.wake(place)
        self.wake_around(number)


def _repeated(places: Sequence[int]) -> int:
    return next(place for place in places if places.count(place) > 1)
