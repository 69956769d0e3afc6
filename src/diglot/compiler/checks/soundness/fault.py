"""What is wrong with a scope: where, what is to blame, and a run that shows it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

from diglot.compiler.graph import Scope

from .causes import Causes, causes_of
from .decision import decide
from .exploration import BUDGET
from .net import Game, Net, Shot, Unfit, coming_to, replay
from .scope_net import Move, ScopeNet, net_of
from .surroundings import Surroundings
from .verdict import Verdict

Kind = Literal["stuck", "doubled", "endless"]

#: So many faults of one scope are looked for, each with those before it cured.
_MOST = 20
#: So many markings are looked at in all behind the first fault.
_MOST_BEHIND = 4_000
#: So many markings are looked at to tell what goes round.
_MOST_ROUNDS = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """One thing that is wrong.

    `node` gets stuck, is entered twice, or is where no way leads to an end any more. To blame is
    the decision, or the split, `at` the step of this number; tokens of `lacking`, a node with its
    flow, never come, and `waiting` are other nodes that wait as well. Steps that `matters` names
    brought it about; the `lane` of a step tells tokens apart. A fault that is no `fact` shows only
    once those before it are cured.
    """

    kind: Kind
    node: str
    run: tuple[Shot, ...]
    moves: tuple[Move, ...]
    at: int | None = None
    lacking: tuple[str, str] | None = None
    waiting: tuple[str, ...] = ()
    circle: tuple[str, ...] = ()
    matters: frozenset[int] = frozenset()
    lanes: tuple[int, ...] = ()
    is_fact: bool = True

    @property
    def steps(self) -> tuple[Move, ...]:
        """The moves that a machine can make, without those that only stand for tokens on a way."""
        return tuple(move for move in self.moves if is_step(move))


def is_step(move: Move) -> bool:
    """Whether a node is done, and not only a token brought to one."""
    return bool(move.node) and not move.gathers


def faults_of(around: Surroundings, scope: Scope) -> Iterator[Fault | Verdict]:
    """What is wrong with a scope, one after the other; a verdict where it cannot be decided.

    After each fault the tokens are gathered at its node, as if it were cured, and it goes on.

    Raises:
        Untold: the scope has no net.
    """
    if scope.start not in around.ways.nodes:
        return
    whole = told = net_of(around, scope)
    cured: frozenset[str] = frozenset()
    budget = BUDGET
    for _ in range(_MOST):
        verdict = decide(told.net, budget=budget)
        if verdict.kind == "sound":
            return
        if verdict.kind == "undecided":
            yield verdict
            return
        fault = _fault(told, verdict)
        yield fault if not cured else _in_fact(whole, fault)
        if fault.kind == "endless" or fault.node in cured or not told.net.is_plain:
            return
        budget = budget - verdict.markings if cured else _MOST_BEHIND
        cured |= {fault.node}
        told = net_of(around, scope, cured)


def _fault(told: ScopeNet, verdict: Verdict) -> Fault:
    match verdict.kind:
        case "doubled":
            return _doubled(told, verdict.run)
        case "stuck":
            return _stuck(told, verdict.run)
        case _:
            return _endless(told, verdict.run)


def _doubled(told: ScopeNet, run: tuple[Shot, ...]) -> Fault:
    causes = causes_of(told.net, run)
    place = _crowded(told.net, causes)
    earlier = _earlier(told, causes, place)
    if earlier is not None:
        causes = causes_of(told.net, earlier)
        place = _crowded(told.net, causes)
    first, second = (causes.past([by]) for by in causes.tokens[place][:2])
    shared = sorted(first & second, reverse=True)
    split = next((shot for shot in shared if told.moves[causes.run[shot].number].node), None)
    lanes = tuple(
        0 if number in first & second else 1 if number in first else 2
        for number in range(len(causes.run))
    )
    return Fault(
        kind="doubled",
        node=told.places[place][0],
        run=causes.run,
        moves=_moves(told, causes.run),
        at=split,
        matters=first | second,
        lanes=lanes,
    )


def _crowded(net: Net, causes: Causes) -> int:
    """The place that has a token too many."""
    tokens = causes.tokens.items()
    return next(place for place, by in tokens if len(by) > 1 and place not in net.several)


def _earlier(told: ScopeNet, causes: Causes, place: int) -> tuple[Shot, ...] | None:
    """The run to the first node that both tokens pass, with both of them there at once."""
    first, second = (causes.past([by]) for by in causes.tokens[place][:2])
    one, other = first - second, second - first
    names = {told.moves[causes.run[shot].number].node for shot in other}
    met = next(
        (s for s in sorted(one) if told.moves[causes.run[s].number].node in names - {""}), None
    )
    shorter = first | second
    if met is not None:
        node = told.moves[causes.run[met].number].node
        again = min(s for s in other if told.moves[causes.run[s].number].node == node)
        shorter = causes.past([*causes.before[met], *causes.before[again]])
    for shots in (causes.only(shorter), causes.only(first | second)):
        run = _until_doubled(told.net, shots)
        if run is not None:
            return run
    return None


def _until_doubled(net: Net, run: tuple[Shot, ...]) -> tuple[Shot, ...] | None:
    """A run as far as the first second token on a place; None if it does not come to one."""
    game = Game(net)
    try:
        for number, shot in enumerate(run, 1):
            game.fire(shot)
            if game.doubled is not None:
                return run[:number]
    except Unfit:
        return None
    return None


def _stuck(told: ScopeNet, run: tuple[Shot, ...]) -> Fault:
    causes = causes_of(told.net, run)
    marked = set(causes.tokens)
    waiting = [
        number
        for number, step in enumerate(told.net.transitions)
        if len(step.takes) > 1 and marked.intersection(step.takes)
    ]
    held = [
        causes.past(by for p in told.net.transitions[n].takes for by in causes.tokens.get(p, ()))
        for n in waiting
    ]
    lacking = [_lacking(told, number, marked) for number in waiting]
    best = next((at for at, found in enumerate(lacking) if found[1]), 0 if waiting else None)
    names = [told.moves[number].node for number in waiting]
    if best is None:
        place = min(marked)
        node, missed, at, matters = (
            told.places[place][0],
            None,
            None,
            causes.past(causes.tokens[place]),
        )
    else:
        node, (missed, is_lost) = names[best], lacking[best]
        at = None
        if is_lost and missed is not None:
            at = _decision(told, run, waiting[best], missed)
        matters = held[best] if at is None else held[best] | causes.past([at])
        if not is_lost:
            matters = matters.union(*held)
    return Fault(
        kind="stuck",
        node=node,
        run=run,
        moves=_moves(told, run),
        at=at,
        lacking=None if missed is None else told.places[missed],
        waiting=tuple(dict.fromkeys(name for name in names if name != node)),
        matters=matters,
        lanes=(0,) * len(run),
    )


def _lacking(told: ScopeNet, number: int, marked: set[int]) -> tuple[int | None, bool]:
    """A place that the transition waits for, if any; whether nothing can come there any more."""
    coming = coming_to(told.net, number)
    missed = [place for place in told.net.transitions[number].takes if place not in marked]
    for place in missed:
        if not marked & coming[place]:
            return place, True
    return next(iter(missed), None), False


def _decision(told: ScopeNet, run: tuple[Shot, ...], number: int, missed: int) -> int | None:
    """The step after which no token could come to the place any more."""
    near = coming_to(told.net, number)[missed] | {missed}
    game = Game(told.net)
    there = near.intersection(told.net.marked)
    found = None
    for at, shot in enumerate(run):
        could = bool(there)
        step = told.net.transitions[shot.number]
        game.fire(shot)
        touched = near.intersection((*step.takes, *step.needs, *step.gives, *shot.some))
        if step.ends_all:
            touched = near
        there = (there - touched) | {place for place in touched if game.has_token(place)}
        if could and not there:
            found = at
    return found


def _endless(told: ScopeNet, run: tuple[Shot, ...]) -> Fault:
    causes = causes_of(told.net, run)
    game = replay(told.net, run)
    round_: dict[str, None] = {}
    seen = {game.marking()}
    for _ in range(_MOST_ROUNDS):
        for shot in game.enabled():
            round_[told.moves[shot.number].node] = None
        if game.new_step(seen) is None:
            break
    circle = tuple(node for node in round_ if node)
    last = len(run) - 1
    matters = causes.past(by for tokens in causes.tokens.values() for by in tokens)
    places = [told.places[place][0] for place in sorted(causes.tokens)]
    return Fault(
        kind="endless",
        node=next((move.node for move in told.moves if move.node in circle), places[0]),
        run=run,
        moves=_moves(told, run),
        at=last if last in matters else None,
        circle=circle,
        matters=matters,
        lanes=(0,) * len(run),
    )


def _moves(told: ScopeNet, run: tuple[Shot, ...]) -> tuple[Move, ...]:
    """What was done; of flows that are taken or not those that were."""
    moves: list[Move] = []
    for shot in run:
        move, step = told.moves[shot.number], told.net.transitions[shot.number]
        if step.some:
            left = _by_flow(told, shot.number)
            given = (*step.gives, *shot.some)
            move = move._replace(flows=tuple(f for f, place in left.items() if place in given))
        moves.append(move)
    return tuple(moves)


def _by_flow(told: ScopeNet, number: int) -> dict[str, int]:
    """By the flows that a step may leave by the places that get a token then."""
    step = told.net.transitions[number]
    places = [
        place for place in (*step.gives, *step.some) if not told.places[place][1].startswith("#")
    ]
    return dict(zip(told.moves[number].flows, places, strict=True))


def _in_fact(whole: ScopeNet, fault: Fault) -> Fault:
    """A fault of a net that was cured elsewhere; in fact one if its run is one of the whole net."""
    numbers: dict[tuple[str, str], list[int]] = {}
    for number, move in enumerate(whole.moves):
        numbers.setdefault((move.node, move.handler), []).append(number)
    game, run, kept = Game(whole.net), list[Shot](), list[int]()
    for at, move in enumerate(fault.moves):
        if move.gathers:
            continue
        for number in numbers.get((move.node, move.handler), ()):
            shot = _shot(whole, number, move)
            if shot is not None and _fires(game, shot):
                run.append(shot)
                kept.append(at)
                break
        else:
            return replace(fault, is_fact=False)
    shows = {
        "doubled": game.doubled is not None,
        "stuck": not game.enabled() and bool(game.marking()),
        "endless": bool(game.enabled()),
    }
    if not shows[fault.kind]:
        return replace(fault, is_fact=False)
    places = {old: new for new, old in enumerate(kept)}
    return replace(
        fault,
        run=tuple(run),
        moves=tuple(fault.moves[at] for at in kept),
        at=None if fault.at is None else places.get(fault.at),
        matters=frozenset(places[at] for at in fault.matters if at in places),
        lanes=tuple(fault.lanes[at] for at in kept),
    )


def _shot(whole: ScopeNet, number: int, move: Move) -> Shot | None:
    step, own = whole.net.transitions[number], whole.moves[number]
    if not step.some:
        return Shot(number) if own.flows == move.flows else None
    left = _by_flow(whole, number)
    if not set(move.flows) <= set(left):
        return None
    some = tuple(left[flow] for flow in move.flows if left[flow] in step.some)
    return Shot(number, some) if some else None


def _fires(game: Game, shot: Shot) -> bool:
    try:
        game.fire(shot)
    except Unfit:
        return False
    return True
