"""A net: places where tokens wait, and transitions, each one step of one node.

A net is sound if no place ever has two tokens, and from whatever can be reached the empty marking
can be: an end takes its token away.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping
from copy import copy
from dataclasses import dataclass
from itertools import chain, combinations
from typing import NamedTuple, TypeVar

_T = TypeVar("_T", bound=Hashable)
_S = TypeVar("_S")


class Transition(NamedTuple):
    """Takes one token from each place of `takes` and puts one on each of `gives`.

    Of `some`, at least one place gets a token, too, and others as it comes. With `ends_all` every
    token there is goes. What `awaits` takes a token from each place that has one, and waits for
    what can still come to the others, unless that can as well come to where a token is already.
    What is given to the places `aside` is on no path: no merge waits for it before it is given.
    It also takes a token from each place of `needs`, which no merge waits for, and there must be
    none on any of `empty`.

    Source: BPMN 2.0.2 13.4.3, Table 13.3.
    """

    takes: tuple[int, ...]
    gives: tuple[int, ...]
    ends_all: bool = False
    some: tuple[int, ...] = ()
    awaits: bool = False
    aside: tuple[int, ...] = ()
    needs: tuple[int, ...] = ()
    empty: tuple[int, ...] = ()


class Shot(NamedTuple):
    """A transition that fired, with the places of its `some` that got a token."""

    number: int
    some: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Net:
    """Places are numbers from 0 to `places`; `marked` have a token at the beginning.

    On the places of `several` more tokens than one may gather, and are counted.
    """

    places: int
    transitions: tuple[Transition, ...]
    marked: tuple[int, ...]
    several: frozenset[int] = frozenset()

    @property
    def is_plain(self) -> bool:
        """Whether places have a token or none, and steps ask for nothing but tokens."""
        return not self.several and not any(step.needs or step.empty for step in self.transitions)


class Unfit(Exception):
    """A step that has not what it takes."""


class Game:
    """A net that is played: the tokens on its places, from the beginning on."""

    def __init__(self, net: Net) -> None:
        self._net = net
        self._tokens = dict.fromkeys(net.marked, 1)
        self._consumers: dict[int, list[int]] = {}
        self._coming: dict[int, dict[int, frozenset[int]]] = {}
        #: How many tokens a transition takes from each place, where that is more than one.
        self._many: dict[int, Counter[int]] = {}
        for number, step in enumerate(net.transitions):
            for place in (*step.takes, *step.needs):
                self._consumers.setdefault(place, []).append(number)
            if len(step.takes) > 1 and len(set(step.takes)) < len(step.takes):
                self._many[number] = Counter(step.takes)
        #: A place that got a second token.
        self.doubled: int | None = None

    def fire(self, shot: Shot) -> None:
        """Let a transition fire.

        Raises:
            Unfit: it cannot.
        """
        step = self._net.transitions[shot.number]
        if not self._can_fire(shot.number) or bool(step.some) != bool(shot.some):
            raise Unfit(f"transition {shot.number} cannot fire")
        for place in (*step.takes, *step.needs):
            left = self._tokens.get(place, 0) - 1
            if left > 0:
                self._tokens[place] = left
            elif left == 0:
                del self._tokens[place]
        if step.ends_all:
            self._tokens.clear()
        for place in (*step.gives, *shot.some):
            self._tokens[place] = self._tokens.get(place, 0) + 1
            if self._tokens[place] > 1 and place not in self._net.several:
                self.doubled = place

    def after(self, shot: Shot) -> Game:
        """Another game, one transition further; this one stays as it is."""
        other = copy(self)
        other._tokens = dict(self._tokens)
        other.fire(shot)
        return other

    def has_token(self, place: int) -> bool:
        """Whether there is one on a place."""
        return place in self._tokens

    def marking(self) -> frozenset[tuple[int, int]]:
        """The tokens by place."""
        return frozenset(self._tokens.items())

    def enabled(self, *, most_ways: int = 1) -> list[Shot]:
        """What can fire, in the order of the places; of `some` at most so many are chosen."""
        # A join of many is asked once, however many of its places have a token.
        near = dict.fromkeys(
            number for place in sorted(self._tokens) for number in self._consumers.get(place, ())
        )
        return [
            Shot(number, chosen)
            for number in near
            if self._can_fire(number)
            for chosen in self._ways(number, most_ways)
        ]

    def _ways(self, number: int, most: int) -> Iterable[tuple[int, ...]]:
        some = self._net.transitions[number].some
        if not some:
            return [()]
        return chain.from_iterable(combinations(some, count) for count in range(1, most + 1))

    def new_step(self, seen: set[frozenset[tuple[int, int]]]) -> Shot | None:
        """Fire what leads to a marking that has not been seen, if there is something."""
        before = dict(self._tokens)
        for shot in self.enabled():
            self.fire(shot)
            now = self.marking()
            if now not in seen and now:
                seen.add(now)
                return shot
            self._tokens = dict(before)
        return None

    def _can_fire(self, number: int) -> bool:
        step = self._net.transitions[number]
        if any(place not in self._tokens for place in step.needs):
            return False
        if any(place in self._tokens for place in step.empty):
            return False
        if not step.awaits:
            many = self._many.get(number)
            if many is None:
                return all(place in self._tokens for place in step.takes)
            return all(self._tokens.get(place, 0) >= count for place, count in many.items())
        there = [place for place in step.takes if place in self._tokens]
        if not there and not step.needs:
            return False
        coming = self._coming.get(number)
        if coming is None:
            coming = self._coming[number] = coming_to(self._net, number, by_paths=True)
        free = frozenset[int]().union(*(coming[place] for place in there))
        return not any(
            token in coming[place] and token not in free
            for place in step.takes
            if place not in self._tokens
            for token in self._tokens
        )


def coming_to(net: Net, number: int, *, by_paths: bool = False) -> dict[int, frozenset[int]]:
    """From where a token can come to each place of a transition, other than through its node.

    What else waits for tokens on the same places is of the same node.
    `by_paths`: as far as a merge looks, which does not see what is given aside.
    """
    before: dict[int, set[int]] = {}
    own = net.transitions[number]
    for step in net.transitions:
        if step is not own and not (step.awaits and step.takes == own.takes):
            for place in (*step.gives, *step.some):
                if not (by_paths and place in step.aside):
                    before.setdefault(place, set()).update(step.takes)
    return {place: reached((place,), before) for place in own.takes}


def reached(goals: Iterable[_T], before: Mapping[_T, Iterable[_T]]) -> frozenset[_T]:
    """What the goals can be reached from, they themselves not among it unless by a way."""
    found: set[_T] = set()
    todo = list(goals)
    while todo:
        for one in before.get(todo.pop(), ()):
            if one not in found:
                found.add(one)
                todo.append(one)
    return frozenset(found)


def first_lost(came: Iterable[_T], before: Mapping[_T, Iterable[_T]], end: _T) -> _T | None:
    """The first marking that came up and from which the end cannot be reached, or nothing."""
    good = reached((end,), before) | {end}
    return next((marking for marking in came if marking not in good), None)


def path_back(came: Mapping[_T, tuple[_T, _S] | None], marking: _T) -> list[tuple[_T, _S]]:
    """The steps that lead to a marking, each with the marking before it."""
    path: list[tuple[_T, _S]] = []
    while (found := came[marking]) is not None:
        path.append(found)
        marking = found[0]
    return path[::-1]


def replay(net: Net, run: Iterable[Shot]) -> Game:
    """A net after a run.

    Raises:
        Unfit: it is none.
    """
    game = Game(net)
    for shot in run:
        game.fire(shot)
    return game
