"""Merges that wait for what can still come are made smaller, too, where that is plain to see.

Source: BPMN 2.0.2 13.4.3, Table 13.3.
"""

from __future__ import annotations

from .rest import Rest
from .rope import Rope


def is_in_circle(rest: Rest, number: int) -> bool:
    """Whether what a step gives can come back to it."""
    group, split = rest.group, rest.splits.get(number)
    given = (*rest.gives[number], *(split.ways if split else ()))
    taken = {group[place] for place in rest.takes[number]}
    return any(group[place] in taken for place in given)


def is_merged(rest: Rest, place: int) -> bool:
    """Take away a place of a merge that waits, if another of its places does as well."""
    if len(rest.consumers[place]) != 1:
        return False
    (number,) = rest.consumers[place]
    if number not in rest.awaiting:
        return False
    for other in rest.takes[number]:
        if other != place and len(rest.consumers[other]) == 1 and other not in rest.marked:
            if _are_ways_of_one_split(rest, place, other):
                (split,) = rest.producers[place]
                rest.drop(place)
                rest.settle(split)
            elif _are_choices(rest, place, other):
                _do_at_once(rest, number, place)
                _do_at_once(rest, number, other)
                for step in tuple(rest.producers[place]):
                    rest.give(step, other)
                rest.drop(place)
                rest.wake(other)
            else:
                continue
            rest.await_less(number)
            return True
    return False


def _do_at_once(rest: Rest, merge: int, place: int) -> None:
    """What a merge does first with a token of a place is done by whatever gives it."""
    run = rest.awaiting[merge].pop(place, None)
    for step in rest.producers[place]:
        rest.run[step] = Rope(rest.run[step], run)


def _are_ways_of_one_split(rest: Rest, one: int, other: int) -> bool:
    if len(rest.producers[one]) != 1 or rest.producers[one] != rest.producers[other]:
        return False
    (number,) = rest.producers[one]
    split = rest.splits.get(number)
    return split is not None and one in split.ways and other in split.ways


def _are_choices(rest: Rest, one: int, other: int) -> bool:
    """Whether one token goes to the one place or to the other, and nowhere else."""
    takes: set[int] | None = None
    for place in (one, other):
        for number in rest.producers[place]:
            if number in rest.splits or rest.gives[number] != {place}:
                return False
            if number in rest.awaiting or len(rest.takes[number]) != 1:
                return False
            if takes is not None and rest.takes[number] != takes:
                return False
            takes = rest.takes[number]
    return takes is not None
