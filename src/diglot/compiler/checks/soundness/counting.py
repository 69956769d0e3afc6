"""A net whose places may have several tokens is looked at marking by marking.

Nothing of it is made smaller, and the shortest run to a fault is found.
"""

from __future__ import annotations

from collections import deque
from typing import Final

from .exploration import MOST_WAYS
from .net import Game, Net, Shot, first_lost, path_back
from .verdict import Verdict

Marking = frozenset[tuple[int, int]]

#: So many markings are looked at before it is given up.
BUDGET: Final = 5_000
#: More tokens than this on one place grow without end, as far as anybody can see.
_MOST_TOKENS: Final = 12


def count(net: Net) -> Verdict:
    """Look at every marking; `undecided` where there are too many."""
    start = Game(net)
    came: dict[Marking, tuple[Marking, Shot] | None] = {start.marking(): None}
    before: dict[Marking, list[Marking]] = {}
    rest = deque([start])
    while rest:
        game = rest.popleft()
        now = game.marking()
        enabled = game.enabled(most_ways=MOST_WAYS)
        if now and not enabled:
            return Verdict("stuck", _path(came, now), len(came))
        for shot in enabled:
            after = game.after(shot)
            marking = after.marking()
            before.setdefault(marking, []).append(now)
            if marking in came:
                continue
            came[marking] = now, shot
            if after.doubled is not None:
                return Verdict("doubled", _path(came, marking), len(came))
            if len(came) > BUDGET or any(tokens > _MOST_TOKENS for _, tokens in marking):
                return Verdict("undecided", (), len(came))
            rest.append(after)
    lost = first_lost(came, before, frozenset())
    if lost is not None:
        return Verdict("endless", _path(came, lost), len(came))
    return Verdict("sound", (), len(came))


def _path(came: dict[Marking, tuple[Marking, Shot] | None], marking: Marking) -> tuple[Shot, ...]:
    return tuple(shot for _, shot in path_back(came, marking))
