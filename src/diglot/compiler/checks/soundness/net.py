"""A net: places where tokens wait, and transitions, each one step of one node.

A net is sound if no place ever has two tokens, and from whatever can be reached the empty marking
can be: an end takes its token away.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple


class Transition(NamedTuple):
    """Takes one token from each place of `takes` and puts one on each of `gives`.

    Of `some`, at least one place gets a token, too, and others as it comes. With `ends_all` every
    token there is goes. What `awaits` takes a token from each place that has one, and waits for
    what can still come to the others, unless that can as well come to where a token is already.

    Source: BPMN 2.0.2 13.4.3, Table 13.3.
    """

    takes: tuple[int, ...]
    gives: tuple[int, ...]
    ends_all: bool = False
    some: tuple[int, ...] = ()
    awaits: bool = False


class Shot(NamedTuple):
    """A transition that fired, with the places of its `some` that got a token."""

    number: int
    some: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Net:
    """Places are numbers from 0 to `places`; `marked` have a token at the beginning."""

    places: int
    transitions: tuple[Transition, ...]
    marked: tuple[int, ...]


class Unfit(Exception):
    """A step that has not what it takes."""


class Game:
    """A net that is played: the tokens on its places, from the beginning on."""

    def __init__(self, net: Net) -> None:
        self._net = net
        self._tokens = dict.fromkeys(net.marked, 1)
        self._consumers: dict[int, list[int]] = {}
        self._coming: dict[int, dict[int, frozenset[int]]] = {}
        for number, step in enumerate(net.transitions):
            for place in step.takes:
                self._consumers.setdefault(place, []).append(number)
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
        for place in step.takes:
            left = self._tokens.get(place, 0) - 1
            if left > 0:
                self._tokens[place] = left
            elif left == 0:
                del self._tokens[place]
        if step.ends_all:
            self._tokens.clear()
        for place in (*step.gives, *shot.some):
            self._tokens[place] = self._tokens.get(place, 0) + 1
            if self._tokens[place] > 1:
                self.doubled = place

    def marking(self) -> frozenset[tuple[int, int]]:
        """The tokens by place."""
        return frozenset(self._tokens.items())

    def enabled(self) -> list[Shot]:
        """What can fire, in the order of the places; of what `some` can get, each one alone."""
        found: dict[int, None] = {}
        for place in sorted(self._tokens):
            found |= {n: None for n in self._consumers.get(place, ()) if self._can_fire(n)}
        steps = self._net.transitions
        return [
            shot
            for number in found
            for shot in ([Shot(number, (one,)) for one in steps[number].some] or [Shot(number)])
        ]

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
        if not step.awaits:
            return all(place in self._tokens for place in step.takes)
        there = [place for place in step.takes if place in self._tokens]
        if not there:
            return False
        coming = self._coming.get(number)
        if coming is None:
            coming = self._coming[number] = coming_to(self._net, number)
        free = frozenset[int]().union(*(coming[place] for place in there))
        return not any(
            token in coming[place] and token not in free
            for place in step.takes
            if place not in self._tokens
            for token in self._tokens
        )


def coming_to(net: Net, number: int) -> dict[int, frozenset[int]]:
    """From where a token can come to each place of a transition, other than through itself."""
    before: dict[int, set[int]] = {}
    for other, step in enumerate(net.transitions):
        if other != number:
            for place in (*step.gives, *step.some):
                before.setdefault(place, set()).update(step.takes)
    return {place: reached(place, before) for place in net.transitions[number].takes}


def reached(place: int, before: Mapping[int, Iterable[int]]) -> frozenset[int]:
    """The places that a place can be reached from, itself not among them unless by a circle."""
    found: set[int] = set()
    todo = [place]
    while todo:
        for one in before.get(todo.pop(), ()):
            if one not in found:
                found.add(one)
                todo.append(one)
    return frozenset(found)


def replay(net: Net, run: Iterable[Shot]) -> Game:
    """A net after a run.

    Raises:
        Unfit: it is none.
    """
    game = Game(net)
    for shot in run:
        game.fire(shot)
    return game
