"""Whether a net is sound, and a run to what is wrong with it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from .exploration import Space, Step, TooWide, Walk, lost
from .net import Game, Net, Shot
from .reduction import reduce
from .rest import Rest
from .rope import shots

Path = list[tuple[int, Step]]
Kind = Literal["sound", "stuck", "doubled", "endless", "undecided"]


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of a net; `run` are transitions of it that lead to what is wrong."""

    kind: Kind
    run: tuple[Shot, ...] = ()
    markings: int = 0


def decide(net: Net) -> Verdict:
    """Look at a net whole."""
    rest = Rest(net)
    reduce(rest)
    if not rest.places and not rest.marked:
        return Verdict("sound")
    try:
        space = Space(rest)
    except TooWide:
        return Verdict("undecided")
    found = _sparingly(net, space) if space.is_plain else None
    if found is not None:
        return found
    whole = space.walk(space.start, is_sparing=False)
    found = _fault(net, space, whole)
    if found is not None:
        return found
    if not whole.is_whole:
        return Verdict("undecided", markings=len(whole.came))
    wrong = lost(whole)
    if wrong is not None:
        return _told(net, space, whole.path_to(wrong), whole)
    return Verdict("sound", markings=len(whole.came))


def _sparingly(net: Net, space: Space) -> Verdict | None:
    """What is found by walking through as little as needed; nothing if that proves nothing."""
    walk = space.walk(space.start, is_sparing=True)
    found = _fault(net, space, walk)
    if found is not None:
        return found
    wrong = lost(walk) if walk.is_whole else None
    if wrong is not None:
        further = space.walk(wrong, is_sparing=False)
        found = _fault(net, space, further, walk.path_to(wrong))
        if found is not None:
            return found
        if further.is_whole and 0 not in further.came:
            return _told(net, space, walk.path_to(wrong), walk)
    if walk.is_whole and space.is_exact:
        return Verdict("sound", markings=len(walk.came))
    return None


def _fault(net: Net, space: Space, walk: Walk, before: Path | None = None) -> Verdict | None:
    if walk.stuck is not None:
        path = walk.path_to(walk.stuck)
    elif walk.doubled is not None:
        path = [*walk.path_to(walk.doubled[0]), walk.doubled]
    else:
        return None
    return _told(net, space, [*(before or ()), *path], walk)


def _told(net: Net, space: Space, path: Path, walk: Walk) -> Verdict:
    """The run of the whole net that a path of the rest stands for, and what is wrong at its end."""
    ropes = [*space.prefix, *(space.run_of(marking, step) for marking, step in path)]
    run: list[Shot] = []
    game = Game(net)
    for shot in (shot for rope in ropes for shot in shots(rope)):
        game.fire(shot)
        run.append(shot)
        if game.doubled is not None:
            return Verdict("doubled", tuple(run), len(walk.came))
    # What the rest leaves out can still move.
    seen = {game.marking()}
    while True:
        further = game.new_step(seen)
        if further is None:
            kind: Kind = "endless" if game.enabled() else "stuck"
            return Verdict(kind, tuple(run), len(walk.came))
        run.append(further)
        if game.doubled is not None:
            return Verdict("doubled", tuple(run), len(walk.came))
