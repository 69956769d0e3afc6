"""What no run comes to, by looking at all that can be."""

from __future__ import annotations

from .exploration import MOST_WAYS
from .net import Game
from .scope_net import ScopeNet

#: Markings with so many tokens in all are looked at; what is not known then is not told.
_MOST_TOKENS = 8_000


def never_done(told: ScopeNet) -> tuple[str, ...]:
    """The nodes that no run does although flows lead to them; none where that is too much."""
    if any(len(step.some) > MOST_WAYS for step in told.net.transitions):
        return ()
    known = dict.fromkeys(move.node for move in told.moves)
    done: set[str] = set()
    rest = [Game(told.net)]
    seen = {rest[0].marking()}
    tokens = 0
    while rest:
        game = rest.pop()
        for shot in game.enabled(most_ways=MOST_WAYS):
            done.add(told.moves[shot.number].node)
            if len(done) == len(known):
                return ()
            after = game.after(shot)
            marking = after.marking()
            if after.doubled is not None or marking in seen:
                continue
            tokens += len(marking)
            if tokens > _MOST_TOKENS:
                return ()
            seen.add(marking)
            rest.append(after)
    return tuple(node for node in known if node and node not in done)
