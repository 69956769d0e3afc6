"""Everything that can happen in a scope: what the machine comes to by each move there is."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

from diglot.compiler.checks.soundness.net import reached
from diglot.compiler.checks.soundness.playable import BREAKS, HOLDS, TAKE
from diglot.compiler.checks.soundness.surroundings import Surroundings, way_of
from diglot.compiler.graph import Choice, Graph, Inclusive, Scope

from .rehearsal import Fault, Rehearsal

#: What stands for a state, so that it is known again.
_Key = tuple[object, ...]
_OVER: _Key = ("over",)


@dataclass(frozen=True, slots=True)
class Explored:
    """What is wrong with a scope, and how many states it can be in.

    It is not looked behind two tokens before one node. `endless`: from somewhere on nothing leads
    to an end, nor to another fault.
    """

    faults: frozenset[Fault]
    states: int


def explore(
    graph: Graph, scope: Scope, around: Surroundings | None = None, most: int = 150
) -> Explored | None:
    """Try every move from every state; None if there are more states than `most`."""
    exploration = _Exploration(graph, scope, around or Surroundings(graph))
    after: dict[_Key, list[_Key]] = {}
    found: set[Fault] = set()
    todo = exploration.begun()
    while todo:
        state = todo.pop()
        key = _key(state)
        if key in after:
            continue
        if len(after) > most:
            return None
        reached = after[key] = []
        if state.is_over:
            continue
        if exploration.is_doubled(state):
            found.add("doubled")
            continue
        following = list(exploration.following(state))
        if not following:
            found.add("stuck")
        reached += [_key(one) for one in following]
        todo += following
    if not _all_come_to_something(after):
        found.add("endless")
    return Explored(frozenset(found), len(after))


def _all_come_to_something(after: dict[_Key, list[_Key]]) -> bool:
    """Whether from every state one can be reached that nothing follows."""
    before: dict[_Key, list[_Key]] = {}
    for key, following in after.items():
        for one in following:
            before.setdefault(one, []).append(key)
    last = {key for key, following in after.items() if not following}
    return len(last | reached(last, before)) == len(after)


def _key(state: Rehearsal) -> _Key:
    if state.is_over:
        return _OVER
    alive = state.state
    return (
        tuple(sorted(job.node for job in alive.jobs.values())),
        tuple(state.awaited()),
        tuple(sorted((one.node, one.flow or "", str(one.data)) for one in alive.arrivals.values())),
    )


class _Exploration:
    def __init__(self, graph: Graph, scope: Scope, around: Surroundings) -> None:
        self._scope, self._around = scope, around
        self._first = Rehearsal(graph, scope, around)
        self._nodes = {node.id: node for node in self._first.graph.nodes}
        self._handlers = [handler.id for handler in self._first.graph.handlers]

    def begun(self) -> list[Rehearsal]:
        """The states that the scope may begin in: one for each start, and each way from it."""
        states: list[Rehearsal] = []
        for start in self._around.starts(self._scope):
            for take in self._ways(start.id):
                state = self._first.copy()
                state.begin("" if start.id == self._scope.start else start.id, take)
                states.append(state)
        return states

    def is_doubled(self, state: Rehearsal) -> bool:
        """Whether two tokens are at one place."""
        for node in self._around.ways.nodes_of(self._scope.id):
            if self._around.keeps_apart(node):
                if any(state.on(flow.id) > 1 for flow in self._around.ways.arriving(node.id)):
                    return True
            elif node.start_quantity > 1:
                if state.inside(node.id) > 1:
                    return True
            elif state.at(node.id) > 1:
                return True
        return False

    def following(self, state: Rehearsal) -> Iterator[Rehearsal]:
        """The states that one move leads to."""
        for node in sorted({job.node for job in state.state.jobs.values()}):
            if node.startswith(HOLDS):
                for take in self._ways(self._around.flows[node.removeprefix(HOLDS)].target):
                    other = state.copy()
                    other.complete(node, {TAKE: take})
                    yield other
            else:
                yield from self._ends_of(state, node)
        for node in sorted(set(state.awaited()).difference(self._handlers)):
            other = state.copy()
            other.send(node)
            yield other

    def _ways(self, id: str) -> list[list[str]]:
        """What a token may be told of the flows that are to be taken by the node it comes to."""
        node = self._nodes[id]
        skipping = [[flow.id] for flow in self._around.ways.leaving(id) if flow.role == "skip"]
        match node:
            case Choice(branches=branches, default=default):
                return [[flow] for flow in (*branches, *([default] if default else ()))]
            case Inclusive(branches=branches, default=default):
                asked = [flow for flow in branches if flow in self._around.asked]
                always = len(asked) < len(branches)
                least = 0 if default is not None or always or not branches else 1
                some = [
                    list(chosen)
                    for count in range(least, len(asked) + 1)
                    for chosen in combinations(asked, count)
                ]
                return [*some, *skipping]
            case _:
                return [[], *skipping]

    def _ends_of(self, state: Rehearsal, node: str) -> Iterator[Rehearsal]:
        """An activity is done, a handler takes it out or begins beside it, or it breaks all."""
        around, kind = self._around, self._around.ways.nodes[node]
        handlers = [one for one in around.handlers(node) if way_of(one) is not None]
        breaks = around.may_break(kind) or any(one.raises for one in around.handlers(node))
        if around.completes(kind) or not (breaks or handlers):
            done = state.copy()
            done.complete(node, None)
            yield done
        for handler in handlers:
            other = state.copy()
            if handler.is_interrupting:
                other.fail(node, handler.id)
            else:
                other.send(handler.id)
                other.complete(node, None)
            yield other
        if breaks or around.may_end_early(self._scope):
            other = state.copy()
            other.fail(node, BREAKS)
            yield other
