"""Whether a net is sound, and a run to what is wrong with it."""

from __future__ import annotations

from .counting import count
from .exploration import BUDGET, Space, Step, TooWide, Walk, lost
from .net import Game, Net, Shot, coming_to, path_back
from .reduction import reduce
from .rest import Rest
from .rope import shots
from .verdict import Kind, Verdict

Path = list[tuple[int, Step]]


def decide(net: Net, *, budget: int = BUDGET) -> Verdict:
    """Look at a net whole, through at most `budget` markings."""
    if not net.is_plain:
        return count(net)
    rest = Rest(net)
    if not _depends_on_paths(net):
        rest.aside.clear()
        reduce(rest)
    if not rest.places and not rest.marked:
        return Verdict("sound")
    try:
        space = Space(rest)
    except TooWide:
        return Verdict("undecided")
    found = _sparingly(net, space, budget) if space.is_plain else None
    if found is not None:
        return found
    whole = space.walk(space.start, is_sparing=False, budget=budget)
    found = _fault(net, space, whole)
    if found is not None:
        return found
    if not whole.is_whole:
        return Verdict("undecided", markings=len(whole.came))
    wrong = lost(whole)
    if wrong is not None:
        return _told(net, space, whole.path_to(wrong), whole)
    return Verdict("sound", markings=len(whole.came))


def _depends_on_paths(net: Net) -> bool:
    """Whether a merge does not wait for something because it would come aside."""
    if not any(step.aside for step in net.transitions):
        return False
    return any(
        coming_to(net, number) != coming_to(net, number, by_paths=True)
        for number, step in enumerate(net.transitions)
        if step.awaits and len(step.takes) > 1
    )


def _sparingly(net: Net, space: Space, budget: int) -> Verdict | None:
    """What is found by walking through as little as needed; nothing if that proves nothing."""
    walk = space.walk(space.start, is_sparing=True, budget=budget)
    found = _fault(net, space, walk)
    if found is not None:
        return found
    wrong = lost(walk) if walk.is_whole else None
    if wrong is not None:
        further = space.walk(wrong, is_sparing=False, budget=budget)
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
    # What the rest leaves out can still move, and may come to more than one end.
    kind, further = _end_of(game)
    if kind == "undecided":
        return Verdict(kind, markings=BUDGET)
    return Verdict(kind, (*run, *further), len(walk.came))


def _end_of(game: Game) -> tuple[Kind, list[Shot]]:
    """How a game ends that never ends well, and the steps to there."""
    start = game.marking()
    came: dict[frozenset[tuple[int, int]], tuple[frozenset[tuple[int, int]], Shot] | None]
    came = {start: None}
    todo = [(start, game)]
    while todo:
        marking, now = todo.pop()
        enabled = now.enabled()
        if not enabled:
            return "stuck", [shot for _, shot in path_back(came, marking)]
        for shot in reversed(enabled):
            after = now.after(shot)
            if after.doubled is not None:
                return "doubled", [*(step for _, step in path_back(came, marking)), shot]
            following = after.marking()
            if following and following not in came:
                if len(came) >= BUDGET:
                    return "undecided", []
                came[following] = marking, shot
                todo.append((following, after))
    # Into the circle, or to where all that comes after it has been seen.
    return "endless", [shot for _, shot in path_back(came, next(reversed(came)))]
