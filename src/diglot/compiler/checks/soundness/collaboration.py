"""All that the processes of a file can come to together, and what they cannot."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, combinations, pairwise
from typing import Any, Final, NamedTuple

from ..components import components
from .composition import Step, Whole
from .net import reached

#: Places with a token, in order, each as often as it has one.
Marking = tuple[int, ...]

#: So many markings are looked at.
BUDGET: Final = 20_000
#: More tokens than this do not come to one place, and no more messages of a kind are under way;
#: nor does a second token enter an activity that is at work inside.
MOST_TOKENS: Final = 3
#: A split that gives to some of more flows than this is not walked through.
MOST_WAYS: Final = 6
#: So many steps from one marking to another are looked at, and so many tokens in all markings.
_MOST_STEPS: Final = 200_000
_MOST_IN_ALL: Final = 2_000_000


class Delivery(NamedTuple):
    """In which order messages are taken, where it is not any.

    It `begins` with no message under way. What it knows of those that are is changed by a step;
    `after` says how, or `None` where messages do not come in such an order that it can be taken.
    """

    begins: Hashable
    after: Callable[[Any, Step], Hashable | None]


@dataclass(frozen=True, slots=True)
class Run:
    """A run to where something is wrong for good: the steps, and what is left at its end.

    Up to the step of the number `decided` it could still have gone well; none did if it never
    could. It `goes_on` where it ends if it moves there for ever.
    """

    steps: tuple[Step, ...]
    left: Marking
    decided: int | None
    goes_on: bool


@dataclass(frozen=True, slots=True)
class Collaboration:
    """What is known of a file whose processes run side by side, each of them once.

    `is_safe`: no place ever has two tokens. `completes`: whatever happens, in the end only tokens
    of processes that never began are left. `delivers`: and no message. `ends_once`: no end of a
    process is ever come to twice. What is true is certain only if it `is_whole`: within the budget,
    and nothing was left out because too much had come together. What is false is, always. It
    `is_wide` where the budget was not enough.
    """

    is_safe: bool
    completes: bool
    delivers: bool
    ends_once: bool
    is_whole: bool
    markings: int
    is_wide: bool = False
    #: The steps to where two tokens are in one place.
    to_unsafe: tuple[Step, ...] = ()
    #: To where it cannot complete any more, and to where it has and a message is left.
    stuck: Run | None = None
    late: Run | None = None


def run_together(
    whole: Whole,
    *,
    budget: int = BUDGET,
    most: int = MOST_TOKENS,
    is_sparing: bool = False,
    delivery: Delivery | None = None,
) -> Collaboration:
    """Look at every marking, as far as the budget goes.

    Without a `delivery` messages are taken in any order, as the machine takes them. With one a
    marking counts once for each order that its messages may be in.

    `is_sparing`: steps that have nothing to do with any other are taken before all others, since
    in which order they are taken changes nothing. Whether it `is_safe` is not known then.
    """
    walk = _Walk(whole, most, delivery, is_sparing=is_sparing)
    walk.go(budget)
    return walk.result()


class _Walk:
    def __init__(
        self, whole: Whole, most: int, delivery: Delivery | None, *, is_sparing: bool
    ) -> None:
        self._whole = whole
        self._most = most
        self._delivery = delivery
        self._alone = _alone(whole, may_send=delivery is None) if is_sparing else {}
        self._by_place: dict[int, list[Step]] = {}
        for step in whole.steps:
            waits = step.awaits is not None and not step.needs
            for place in step.takes if waits else (*step.needs, *step.takes)[:1]:
                self._by_place.setdefault(place, []).append(step)
        start = tuple(sorted(whole.marked))
        order = None if delivery is None else delivery.begins
        self._number: dict[tuple[Marking, Hashable], int] = {(start, order): 0}
        self._markings = [start]
        #: By the number of a marking what the delivery knows of its messages.
        self._orders = [order]
        self._came: list[tuple[int, Step] | None] = [None]
        self._ways: list[tuple[int, int]] = []
        self._unsafe: int | None = None
        #: Where something more could happen than is looked at.
        self._open: set[int] = set()
        self._is_wide = False

    def go(self, budget: int) -> None:
        budget = min(budget, _MOST_IN_ALL // max(1, len(self._markings[0])))
        rest = deque([0])
        while rest:
            at = rest.popleft()
            order = None
            for step, after in self._after(self._markings[at]):
                if self._delivery is not None:
                    order = self._delivery.after(self._orders[at], step)
                    if order is None:
                        continue
                if after is None:
                    self._open.add(at)
                    continue
                number = self._number.get((after, order))
                if number is None:
                    if len(self._markings) >= budget or len(self._ways) >= _MOST_STEPS:
                        self._open.update((at, *rest))
                        self._is_wide = True
                        return
                    number = self._number[after, order] = len(self._markings)
                    self._markings.append(after)
                    self._orders.append(order)
                    self._came.append((at, step))
                    rest.append(number)
                    if self._unsafe is None and self._is_doubled(after):
                        self._unsafe = number
                self._ways.append((at, number))

    def _after(self, marking: Marking) -> Iterator[tuple[Step, Marking | None]]:
        for place in marking if self._alone else ():
            if place in self._alone:
                yield from ((step, self._fired(step, marking, ())) for step in self._alone[place])
                return
        there = set(marking)
        seen: set[int] = set()
        for place in dict.fromkeys(marking):
            for step in self._by_place.get(place, ()):
                if id(step) in seen or not _can_be_taken(step, there, marking):
                    continue
                seen.add(id(step))
                for some in _choices(step.some):
                    taken = step._replace(some=tuple(some)) if step.some else step
                    yield taken, self._fired(step, marking, some)

    def _fired(self, step: Step, marking: Marking, some: Sequence[int]) -> Marking | None:
        left = list(marking)
        for place in step.takes:
            if step.awaits is None or place in left:
                left.remove(place)
        for place in step.needs:
            left.remove(place)
        if step.clears:
            left = [place for place in left if place not in step.clears]
        for place in (*step.gives, *some):
            count = left.count(place)
            if place in self._whole.ends and count == 2:
                # Often enough to be known.
                continue
            if count >= self._most or (count and place in self._whole.inside):
                return None
            left.append(place)
        return tuple(sorted(left))

    def _is_doubled(self, marking: Marking) -> bool:
        others = self._whole.messages | self._whole.ends | self._whole.several
        return any(one == other and one not in others for one, other in pairwise(marking))

    def result(self) -> Collaboration:
        whole = self._whole
        group = components(len(self._markings), self._ways)
        leaving = {group[one] for one, other in self._ways if group[one] != group[other]}
        leaving.update(group[one] for one in self._open)
        last = [number for number in range(len(self._markings)) if group[number] not in leaving]
        aside = whole.messages | whole.ends | whole.idle
        stuck = [n for n in last if any(place not in aside for place in self._markings[n])]
        late = [n for n in last if any(place in whole.messages for place in self._markings[n])]
        return Collaboration(
            is_safe=self._unsafe is None,
            completes=not stuck,
            delivers=not stuck and not late,
            ends_once=not any(
                one == other and one in whole.ends
                for marking in self._markings
                for one, other in pairwise(marking)
            ),
            is_whole=not self._open,
            markings=len(self._markings),
            is_wide=self._is_wide,
            to_unsafe=self._path(self._unsafe),
            stuck=self._run(stuck, last),
            late=None if stuck else self._run(late, last),
        )

    def _run(self, wrong: Sequence[int], last: Sequence[int]) -> Run | None:
        """The shortest run to one of the last markings that are wrong."""
        if not wrong:
            return None
        end = wrong[0]
        before: dict[int, list[int]] = {}
        for one, other in self._ways:
            before.setdefault(other, []).append(one)
        good = {*last, *self._open} - {*wrong}
        good |= reached(good, before)
        numbers = [end]
        while (came := self._came[numbers[-1]]) is not None:
            numbers.append(came[0])
        numbers.reverse()
        hopeless = next(at for at, number in enumerate(numbers) if number not in good)
        return Run(
            steps=self._path(end),
            left=self._markings[end],
            decided=hopeless - 1 if hopeless else None,
            goes_on=any(one == end for one, _ in self._ways),
        )

    def _path(self, number: int | None) -> tuple[Step, ...]:
        path: list[Step] = []
        while number is not None and (came := self._came[number]) is not None:
            number, step = came
            path.append(step)
        return tuple(reversed(path))


def _alone(whole: Whole, *, may_send: bool) -> dict[int, list[Step]]:
    """By place all that can happen to a token there, where nothing else has to do with it.

    Where messages come in order, who sends one has to do with all others that send.
    """
    takers: dict[int, list[Step]] = {}
    looked_at: set[int] = set(whole.messages)
    for step in whole.steps:
        for place in {*step.takes, *step.needs}:
            takers.setdefault(place, []).append(step)
        looked_at |= {*step.empty, *step.clears}
        for place, coming in (step.awaits or {}).items():
            looked_at |= {place, *coming}

    def is_alone(step: Step) -> bool:
        is_plain = not (step.some or step.needs or step.empty or step.clears or step.awaits)
        given = {*step.gives} - (whole.messages if may_send else frozenset())
        return is_plain and len(step.takes) == 1 and looked_at.isdisjoint({*step.takes} | given)

    return {place: steps for place, steps in takers.items() if all(map(is_alone, steps))}


def _can_be_taken(step: Step, there: set[int], marking: Marking) -> bool:
    if not step.empty.isdisjoint(there) or not there.issuperset(step.needs):
        return False
    if step.awaits is None:
        # Where tokens gather, several are taken from one place.
        return there.issuperset(step.takes) and all(
            marking.count(place) >= step.takes.count(place)
            for place in step.takes
            if len(step.takes) > 1
        )
    free: set[int] = set()
    awaited: set[int] = set()
    for place, coming in step.awaits.items():
        (free if place in there else awaited).update(coming)
    return not there & awaited - free


def _choices(some: Sequence[int]) -> Iterator[Sequence[int]]:
    if not some:
        yield ()
    elif len(some) > MOST_WAYS:
        yield some
    else:
        yield from chain.from_iterable(combinations(some, n) for n in range(1, len(some) + 1))
