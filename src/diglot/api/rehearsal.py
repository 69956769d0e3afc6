"""The engine's machine plays one scope, token by token, as somebody decides.

Nothing is kept and nothing is called: the machine decides on a state in memory what comes of each
move. So a run that a finding tells can be seen to happen, and whatever can happen can be looked at.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final, Literal, Protocol

from diglot.compiler.checks.soundness.playable import (
    BREAKS,
    HOLDS,
    TAKE,
    awaited_by,
    event_type,
    playable,
)
from diglot.compiler.checks.soundness.surroundings import Surroundings
from diglot.compiler.graph import Graph, Inclusive, Join, Node, Race, Receive, Scope, Task
from diglot.runtime import commands as c
from diglot.runtime import events as e
from diglot.runtime.decide import decide
from diglot.runtime.evolve import fold
from diglot.runtime.plan import Plan
from diglot.runtime.secrets import Secrets
from diglot.runtime.semantics import Surroundings as RuntimeSurroundings
from diglot.runtime.state import State

Fault = Literal["stuck", "doubled", "endless"]

_ID: Final = "played"
#: So many tokens may pass without anybody's move before the machine gives up.
_LOOP_BUDGET: Final = 1_000


class Unplayable(Exception):
    """The machine does not do what was to be played; the message says what."""


class Moved(Protocol):
    """A node that is done and the flows it leaves by, or the handler that takes it out."""

    @property
    def node(self) -> str:
        """The node's id."""
        ...

    @property
    def flows(self) -> Sequence[str]:
        """The ids of the flows it leaves by."""
        ...

    @property
    def handler(self) -> str:
        """The id of the handler that takes it out or goes beside it, or nothing."""
        ...


class Rehearsal:
    """A scope of a graph that is played by the machine."""

    def __init__(self, graph: Graph, scope: Scope, around: Surroundings | None = None) -> None:
        self._around = around or Surroundings(graph)
        self.graph = playable(self._around, scope)
        self._plan = Plan(self.graph, _ID, {})
        self._nodes = {node.id: node for node in self.graph.nodes}
        self._targets = {flow.id: flow.target for flow in self.graph.flows}
        self._handlers = {handler.id: handler for handler in self.graph.handlers}
        self.state = State(_ID)
        self.history: list[e.Event] = []
        self._is_begun = False
        #: Nodes that a race is to be decided for, as soon as it is their move.
        self._raced: Counter[str] = Counter()
        #: Those for which it has been decided before their move, as a merge would have waited.
        self._passed: Counter[str] = Counter()
        self._sent = 0

    # -- moves

    def begin(self, start: str = "", taking: Sequence[str] = ()) -> None:
        """Begin at a start, the first without a name; `taking` are flows for what is there."""
        self._decide(c.StartInstance(_ID, {TAKE: list(taking)}, start=start or None))
        self._is_begun = True

    def play(self, moves: Iterable[Moved]) -> None:
        """Do what a run says, one move after the other.

        Raises:
            Unplayable: the machine does something else.
        """
        for move in moves:
            self.move(move)

    def move(self, move: Moved) -> None:
        """Let a node be done, and leave as it is said.

        Raises:
            Unplayable: no token is there for it, or it leaves by other flows.
        """
        if self.state.is_over:
            raise Unplayable(f"all is over before `{move.node}`")
        before = self.holding()
        if not self._is_begun:
            self._begin_with(move)
            if isinstance(self._nodes[move.node], Task):
                self._work(move)
        elif self._passed[move.node]:
            self._passed[move.node] -= 1
            return
        elif self._raced[move.node]:
            self._raced[move.node] -= 1
            self.send(move.node)
        else:
            before -= self._bring_tokens(move)
            node = self._nodes[move.node]
            if isinstance(node, Task):
                self._work(move)
            elif isinstance(node, Race):
                self._raced.update(self._targets[flow] for flow in move.flows)
            elif isinstance(node, Receive):
                self.send(move.node)
        self._compare(move, before)

    def _begin_with(self, move: Moved) -> None:
        node = self._nodes[move.node]
        root = self.graph.scopes[0]
        self.begin("" if node.id == root.start else node.id, move.flows)

    def _bring_tokens(self, move: Moved) -> Counter[str]:
        """Let go of the tokens that the node takes, by their flows."""
        node = self._nodes[move.node]
        if isinstance(node, Inclusive):
            self._decide_races()
        held = [flow for flow in self._entering(move.node) if self.jobs(HOLDS + flow)]
        if not held and not _is_complex(node):
            raise Unplayable(f"no token is before `{move.node}`")
        if not isinstance(node, Join | Inclusive):
            tokens = sorted((job, flow) for flow in held for job in self.jobs(HOLDS + flow))
            held = [flow for _, flow in tokens[: node.start_quantity]]
        for flow in held:
            self.complete(HOLDS + flow, {TAKE: list(move.flows)})
        return Counter(held)

    def _decide_races(self) -> None:
        for node in list(self._raced.elements()):
            self._raced[node] -= 1
            self._passed[node] += 1
            self.send(node)

    def _work(self, move: Moved) -> None:
        """An activity is done, or a handler takes it out or begins beside it."""
        jobs = self.jobs(move.node)
        if not jobs:
            if move.flows and self._skips(move):
                return
            raise Unplayable(f"`{move.node}` does not begin")
        if move.handler and not self._handlers[move.handler].is_interrupting:
            self.send(move.handler)
            self.complete(move.node, None)
        elif move.handler:
            self.fail(move.node, move.handler)
        elif not move.flows and self._leaves(move.node):
            self.fail(move.node, BREAKS)
        else:
            self.complete(move.node, None)

    def _skips(self, move: Moved) -> bool:
        return all(self._around.flows[flow].role == "skip" for flow in move.flows)

    def _entering(self, node: str) -> list[str]:
        return [flow.id for flow in self._around.ways.arriving(node)]

    def _leaves(self, node: str) -> bool:
        """Whether a node has a way on, so that without one it ends what is around it."""
        return any(f.role == "sequence" for f in self._around.ways.leaving(node))

    def _compare(self, move: Moved, before: Counter[str]) -> None:
        """Look whether the tokens left by the flows that were said."""
        node = self._nodes[move.node]
        # A complex gateway is reset as soon as nothing comes any more, whenever that is.
        if self.state.is_over or isinstance(node, Race) or _is_complex(node):
            return
        given = self.holding() - before
        if move.flows and not set(move.flows) <= set(given):
            raise Unplayable(f"`{move.node}` does not leave by {', '.join(move.flows)}")

    # -- what the machine is asked

    def jobs(self, node: str) -> list[int]:
        """The open jobs of a node, the oldest first."""
        return sorted(job.id for job in self.state.jobs.values() if job.node == node)

    def complete(self, node: str, output: object) -> None:
        """The oldest job of a node is done."""
        self._decide(c.CompleteJob(self.jobs(node)[0], output))

    def fail(self, node: str, type: str) -> None:
        """The oldest job of a node fails."""
        problem = {"type": type, "status": 500}
        self._decide(c.FailJob(self.jobs(node)[0], problem))

    def send(self, to: str) -> None:
        """The event comes that a node or a handler waits for, to whoever has waited longest.

        Raises:
            Unplayable: nobody waits.
        """
        self._sent += 1
        type = event_type(to)
        waiting = [one.id for one in self.state.subscriptions.values() if one.type == type]
        if not waiting:
            raise Unplayable(f"nothing waits at `{to}`")
        envelope = {"specversion": "1.0", "id": str(self._sent), "source": "/play", "type": type}
        self._decide(c.DeliverEvent(min(waiting), envelope))

    def _decide(self, command: c.Command) -> None:
        around = RuntimeSurroundings(
            now_ms=0,
            secrets=Secrets(lambda name: None, b"k" * 32),
            loop_budget=_LOOP_BUDGET,
            visit_budget=_LOOP_BUDGET + 2 * len(self._nodes),
        )
        self.history += decide(self._plan, self.state, command, around)

    # -- looks

    @property
    def is_over(self) -> bool:
        """Whether the scope has come to an end."""
        return self.state.is_over

    def holding(self) -> Counter[str]:
        """How many tokens each flow holds, before the node it leads to."""
        held = (job.node for job in self.state.jobs.values() if job.node.startswith(HOLDS))
        return Counter(node.removeprefix(HOLDS) for node in held)

    def at(self, node: str) -> int:
        """How many tokens are before a node or in it."""
        held = self.holding()
        before = sum(held[flow] for flow in self._entering(node))
        standing = sum(arrival.node == node for arrival in self.state.arrivals.values())
        return before + self.inside(node) + standing

    def inside(self, node: str) -> int:
        """How many visits of a node are under way."""
        return sum(visit.node == node for visit in self.state.visits.values())

    def on(self, flow: str) -> int:
        """How many tokens are on a flow."""
        target = self._targets.get(f"{HOLDS}{flow}>", self._targets.get(flow, ""))
        standing = sum(
            arrival.flow == f"{HOLDS}{flow}>"
            for arrival in self.state.arrivals.values()
            if arrival.node == target
        )
        return self.holding()[flow] + standing

    def let_go(self) -> None:
        """Let every token go to the node it is before, as far as that only waits for others.

        Races are decided as they were to be.
        """
        self._decide_races()
        for flow in list(self.holding().elements()):
            target = self._nodes[self._targets[f"{HOLDS}{flow}>"]]
            waits = isinstance(target, Join | Inclusive) or target.start_quantity > 1
            if waits and self.jobs(HOLDS + flow):
                self.complete(HOLDS + flow, {TAKE: []})

    def is_stuck(self) -> bool:
        """Whether the scope goes on and nothing and nobody can bring it further."""
        state = self.state
        return not state.is_over and not (state.jobs or state.timers or state.subscriptions)

    def shows(self, kind: Fault, nodes: Iterable[str]) -> bool:
        """Whether a run has come to what it is to show of some nodes: any of them, if twice."""
        match kind:
            case "stuck":
                self.let_go()
                return self.is_stuck()
            case "doubled":
                return any(self.at(node) > 1 for node in nodes)
            case "endless":
                return not self.is_over and not self.is_stuck()

    def awaited(self) -> list[str]:
        """The nodes and the handlers that wait for an event, sorted."""
        waiting = (one.type for one in self.state.subscriptions.values())
        return sorted(awaited_by(type) for type in waiting if type is not None)

    def waiting(self) -> list[str]:
        """The nodes that tokens stand before, sorted."""
        return sorted({arrival.node for arrival in self.state.arrivals.values()})

    def copy(self) -> Rehearsal:
        """Another one that stands where this one does."""
        other = object.__new__(Rehearsal)
        other.__dict__.update(self.__dict__)
        other.state = fold(_ID, self.history)
        other.history = list(self.history)
        other._raced = Counter(self._raced)
        other._passed = Counter(self._passed)
        return other


def _is_complex(node: Node) -> bool:
    return isinstance(node, Inclusive) and node.activation is not None
