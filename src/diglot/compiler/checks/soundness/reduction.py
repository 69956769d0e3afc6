"""A net is made smaller, step by step, as long as it stays sound or unsound as it is.

What is left of a sound net is nothing, nearly always. Each rule is exact: it keeps whether
something gets stuck, has two tokens in one place, or never ends. Every transition carries the run
of the net that it stands for, so that what is found in the rest can be told of the whole.

Source: Murata, Petri nets: properties, analysis and applications (1989); Desel and Esparza, Free
choice Petri nets (1995).
"""

from __future__ import annotations

from heapq import heappop, heappush
from typing import Final

from .merges import is_in_circle, is_merged
from .rest import Rest
from .rope import Rope

#: A place with many ways in and out is taken away if that adds no more transitions than this.
MOST_ADDED: Final = 8
#: One with more ways through is taken away once no other can be: so few are led on and on.
FEW: Final = 4


def reduce(rest: Rest) -> None:
    """Apply the rules until none fits.

    Where a merge that waits stands in a circle, what it waits for hangs on every place of it:
    then all is left as it is.
    """
    if any(is_in_circle(rest, number) for number in rest.awaiting):
        return
    while True:
        while rest.todo:
            place = rest.todo.pop()
            rest.asked.discard(place)
            if place in rest.places:
                _look_at(rest, place)
        if not _eliminate_late(rest):
            return


def _look_at(rest: Rest, place: int) -> None:
    for number in tuple(rest.consumers[place]):
        if _is_needless(rest, number):
            rest.remove(number)
    if not rest.producers[place] and place not in rest.marked:
        # A merge waits also for what only seems to come.
        if not rest.awaiting:
            _bury(rest, place)
        return
    if _begin(rest, place) or _is_twin(rest, place):
        return
    if place in rest.marked or (rest.awaiting and is_merged(rest, place)):
        return
    if not _put_behind(rest, place, at_once=True):
        _put_before(rest, place)


def _bury(rest: Rest, place: int) -> None:
    """Nothing ever comes to the place: what needs it never happens."""
    for number in tuple(rest.consumers[place]):
        rest.dead.append(number)
        rest.remove(number)
    rest.drop(place)


def _is_needless(rest: Rest, number: int) -> bool:
    """Whether a step does nothing, or what another one does."""
    if number in rest.doubling or number in rest.splits or number in rest.awaiting:
        return False
    takes, gives = rest.takes[number], rest.gives[number]
    if takes == gives:
        return True
    key = rest.takes_sum[number], rest.gives_sum[number]
    twin = rest.step_twins.get(key)
    if (
        twin is not None
        and twin != number
        and twin in rest.takes
        and twin not in rest.doubling
        and twin not in rest.splits
        and twin not in rest.awaiting
        and rest.takes[twin] == takes
        and rest.gives[twin] == gives
        and (twin in rest.ending) == (number in rest.ending)
    ):
        return True
    rest.step_twins[key] = number
    return False


def _is_twin(rest: Rest, place: int) -> bool:
    """Take away a place that has a token whenever another one has."""
    if place in rest.marked or (
        rest.splits and any(place not in rest.gives[number] for number in rest.producers[place])
    ):
        return False
    key = rest.consumers_sum[place], rest.producers_sum[place]
    twin = rest.place_twins.get(key)
    if (
        twin is not None
        and twin != place
        and twin in rest.places
        and twin not in rest.marked
        and rest.consumers[twin] == rest.consumers[place]
        and rest.producers[twin] == rest.producers[place]
    ):
        around = rest.consumers[place] | rest.producers[place]
        for merge in rest.consumers[place] & rest.awaiting.keys():
            entries = rest.awaiting[merge]
            entries[twin] = Rope(entries.pop(place, None), entries.get(twin))
        rest.drop(place)
        for merge in rest.consumers[twin] & rest.awaiting.keys():
            rest.await_less(merge)
        for number in around:
            rest.wake_if_thin(number)
        return True
    rest.place_twins[key] = place
    return False


def _begin(rest: Rest, place: int) -> bool:
    """Take the first step, where there is but one token and one way on."""
    if rest.marked != {place} or rest.producers[place] or len(rest.consumers[place]) != 1:
        return False
    (number,) = rest.consumers[place]
    if rest.takes[number] != {place} or rest.width(number) > 1 or number in rest.doubling:
        return False
    rest.prefix.append(rest.run[number])
    rest.marked = set(rest.gives[number])
    rest.remove(number)
    rest.drop(place)
    return True


def _put_behind(rest: Rest, place: int, *, at_once: bool) -> bool:
    """Whatever puts a token on the place goes on at once in each way that leads from it."""
    before, after = rest.producers[place], rest.consumers[place]
    if not after or before & after:
        return False
    for number in after:
        if len(rest.takes[number]) > 1:
            return False
    added = len(before) * len(after) - len(before) - len(after)
    if rest.splits and not _can_go_on(rest, place):
        return False
    widths = [rest.width(number) for number in after]
    wide = max(widths) > 1
    if at_once and (added > 0 or len(before) * len(after) > FEW or (wide and len(before) > 1)):
        _leave(rest, place)
        return False
    if not min(widths) and not _may_drain(rest, place):
        return False
    if after & rest.ending and any(rest.width(number) > 1 for number in before):
        # What goes on beside would not be seen.
        return False
    _compose(rest, place)
    return True


def _can_go_on(rest: Rest, place: int) -> bool:
    """Whether what gives to the place, or takes from it, may be a split."""
    before, after = rest.producers[place], rest.consumers[place]
    for first in before & rest.splits.keys():
        if len(after) > 1 or after & (rest.splits.keys() | rest.ending | rest.doubling.keys()):
            return False
        (second,) = after
        split, given = rest.splits[first], rest.gives[second]
        if given & (split.ways.keys() | rest.gives[first]):
            return False
        if place in split.ways and len(given) != 1:
            return False
    return not any(
        rest.splits[second].ways.keys() & rest.gives[first]
        for second in after & rest.splits.keys()
        for first in before
    )


def _may_drain(rest: Rest, place: int) -> bool:
    """Whether two tokens can be seen elsewhere if they are not seen here."""
    if len(rest.producers[place]) > 1:
        return False
    (number,) = rest.producers[place]
    if not rest.takes[number]:
        # It happens again and again.
        return False
    if rest.width(number) == 1:
        return True
    if number in rest.splits:
        return False
    group = rest.group
    given = {group[other] for other in rest.gives[number]}
    return not any(group[taken] in given for taken in rest.takes[number])


def _compose(rest: Rest, place: int) -> None:
    before, after = tuple(rest.producers[place]), tuple(rest.consumers[place])
    if len(after) == 1:
        (second,) = after
        for first in before:
            _go_on(rest, first, place, second)
        rest.remove(second)
    else:
        for first in before:
            for second in after:
                number = rest.add(set(rest.takes[first]), set(rest.gives[first]), rest.run[first])
                if first in rest.doubling:
                    rest.doubling[number] = rest.doubling[first]
                if first in rest.awaiting:
                    rest.awaiting[number] = dict(rest.awaiting[first])
                    rest.merge[number] = rest.merge[first]
                _go_on(rest, number, place, second)
        for number in (*before, *after):
            rest.remove(number)
    rest.drop(place)


def _go_on(rest: Rest, first: int, place: int, second: int) -> None:
    """Let a step that gives to the place do the second one at once, which takes from there."""
    split = rest.splits.get(first)
    if split is not None and place in split.ways:
        (other,) = rest.gives[second]
        rest.lead(first, place, other, rest.run[second])
        rest.wake_around(first)
        return
    rest.ungive(first, place)
    given = rest.gives[first]
    for other in rest.gives[second]:
        if other in given:
            rest.doubling.setdefault(first, other)
        else:
            rest.give(first, other)
    if second in rest.doubling:
        rest.doubling.setdefault(first, rest.doubling[second])
    if second in rest.ending:
        rest.ending.add(first)
    if split is not None:
        split.later = Rope(split.later, rest.run[second])
    else:
        rest.run[first] = Rope(rest.run[first], rest.run[second])
        if second in rest.splits:
            rest.split(first, rest.splits[second].copy())
    rest.wake_if_thin(first, *rest.gives[second], lost=place)


def _put_before(rest: Rest, place: int) -> bool:
    """What puts a token on the place, and on no other, waits until the token is needed."""
    if len(rest.producers[place]) != 1:
        return False
    (first,) = rest.producers[place]
    takes = rest.takes[first]
    if rest.width(first) != 1 or not takes or first in rest.awaiting:
        return False
    for other in takes:
        if len(rest.consumers[other]) > 1:
            return False
    after = tuple(rest.consumers[place])
    if not after:
        return False
    for number in after:
        if not takes.isdisjoint(rest.takes[number]):
            return False
    if len(takes) > 1 and (len(after) > 1 or any(number in rest.awaiting for number in after)):
        return False
    if first in rest.doubling and not rest.awaiting.keys().isdisjoint(after):
        return False
    for second in after:
        for other in takes:
            rest.take(second, other)
        if first in rest.doubling:
            rest.doubling.setdefault(second, rest.doubling[first])
        if second in rest.awaiting:
            (other,) = takes
            done = rest.awaiting[second].pop(place, None)
            rest.awaiting[second][other] = Rope(rest.run[first], done)
        else:
            rest.run[second] = Rope(rest.run[first], rest.run[second])
        rest.wake_if_thin(second, *takes)
    rest.remove(first)
    rest.drop(place)
    return True


def _eliminate_late(rest: Rest) -> bool:
    """Take away one of the places that were left for later, the one that costs the least."""
    late = rest.late
    while late:
        known, place = heappop(late)
        if place not in rest.places or place in rest.marked:
            continue
        cost = _cost(rest, place)
        if cost > known:
            heappush(late, (cost, place))
            if late[0] == (cost, place) and cost[0] > MOST_ADDED:
                return False
        elif cost[0] > MOST_ADDED:
            heappush(late, (cost, place))
            return False
        elif _put_behind(rest, place, at_once=False):
            return True
    return False


def _leave(rest: Rest, place: int) -> None:
    heappush(rest.late, (_cost(rest, place), place))


def _cost(rest: Rest, place: int) -> tuple[int, int]:
    """How many more transitions there are without the place, and how many change."""
    before, after = len(rest.producers[place]), len(rest.consumers[place])
    return before * after - before - after, before * after
