"""Merges against an oracle that enumerates the paths of the standard's table, on random graphs."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from diglot.compiler.graph import Flow, Graph, Inclusive, Join, Race
from diglot.runtime import commands as c
from diglot.runtime import events as e
from diglot.runtime.decide import decide
from diglot.runtime.evolve import fold
from diglot.runtime.plan import Plan
from diglot.runtime.secrets import Secrets
from diglot.runtime.semantics import Surroundings, board
from diglot.runtime.state import State
from support.graphs import (
    Part,
    after,
    boundary,
    choice,
    complex_gate,
    error,
    fork,
    inclusive,
    join,
    passes,
    process,
    race,
    receive,
    task,
)
from support.laws import check_tokens

EXAMPLES = 2_000 if os.environ.get("DIGLOT_SWEEP") == "all" else 150

# -- the oracle


class Oracle:
    """The words of Table 13.3, one by one; slow, and sure."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.leaving: dict[str, list[Flow]] = {}
        for flow in graph.flows:
            if flow.role != "handler":
                self.leaving.setdefault(flow.source, []).append(flow)
        self.merges = {node.id: node for node in graph.nodes if isinstance(node, Inclusive)}
        races = {node.id for node in graph.nodes if isinstance(node, Race)}
        self.raced = {flow.target: flow.source for flow in graph.flows if flow.source in races}

    def incoming(self, merge: str) -> set[str]:
        return {flow.id for flow in self.graph.flows if flow.target == merge}

    def paths(self, flow: Flow, merge: str, passed: tuple[str, ...] = ()) -> Iterator[Flow]:
        """The last flow of every path that starts with `flow` and does not visit the merge."""
        yield flow
        if flow.target != merge and flow.target not in passed:
            for following in self.leaving.get(flow.target, ()):
                yield from self.paths(following, merge, (*passed, flow.target))

    def starts(self, state: State, scope: int) -> Iterator[list[Flow]]:
        """For each token the flows its paths start with."""
        for arrival in state.arrivals.values():
            if arrival.scope == scope:
                yield [flow for flow in self.graph.flows if flow.id == arrival.flow]
        for visit in state.visits.values():
            if visit.scope == scope:
                place = visit.node if visit.race is None else self.raced[visit.node]
                yield self.leaving.get(place, [])

    def is_activated(self, state: State, scope: int, merge: str) -> bool:
        incoming = self.incoming(merge)
        kept = state.scopes[scope].gates.get(merge, {})
        standing = {
            state.arrivals[id].flow or "" for id in state.at.get((scope, merge), ())
        } & incoming
        if self.merges[merge].activation is not None and not kept:
            return False
        marked = standing | set(kept)
        if not marked:
            return False
        for starts in self.starts(state, scope):
            ends = {end.id for flow in starts for end in self.paths(flow, merge)} & incoming
            if ends - marked and not ends & marked:
                return False
        return True


# -- random graphs


@dataclass(frozen=True)
class Case:
    graph: Graph
    moves: tuple[int, ...]


KINDS = (
    "task", "task", "task", "merge", "merge", "merge", "complex", "fork", "choice", "race", "join",
    "pass",
)  # fmt: skip


@st.composite
def cases(draw: st.DrawFn) -> Case:
    """Any flows, but that only what waits leads back: else most graphs would run in circles."""
    kinds = draw(st.lists(st.sampled_from(KINDS), min_size=4, max_size=9))
    names = [f"n{number}" for number in range(len(kinds))]
    targets = st.sampled_from([*names, "end"])
    several = st.lists(targets, min_size=1, max_size=3, unique=True)
    first = draw(st.lists(st.sampled_from(names), min_size=2, max_size=4, unique=True))
    lines = ["start -> split", *(f"split -> {name}" for name in first)]
    parts: dict[str, Part] = {"split": fork()}
    for number, (name, kind) in enumerate(zip(names, kinds, strict=True)):
        onwards = st.sampled_from([*names[number + 1 :], "end"])
        is_waiting = kind in ("task", "race")
        after_it = draw(
            several if is_waiting else st.lists(onwards, min_size=1, max_size=3, unique=True)
        )
        match kind:
            case "task":
                parts[name] = task()
                lines += [f"{name} -> {target}" for target in after_it]
                if draw(st.booleans()):
                    trigger = error() if draw(st.booleans()) else after("PT1S")
                    edge = boundary(name, trigger, interrupts=draw(st.booleans()))
                    parts[f"{name}b"] = edge
                    lines.append(f"{name}b -> {draw(targets)}")
            case "merge" | "complex":
                default = after_it[0]
                parts[name] = (
                    inclusive(default=default)
                    if kind == "merge"
                    else complex_gate(".activationCount >= 2", default=default)
                )
                lines += [f"{name} -[.r % 2 == 0]-> {target}" for target in after_it]
            case "race":
                parts[name] = race()
                for target in after_it:
                    parts[f"{name}m{target}"] = receive("m")
                    lines.append(f"{name} -> {name}m{target} -> {target}")
            case "choice":
                parts[name] = choice(default=after_it[0])
                lines += [f"{name} -[.r % 3 == 0]-> {target}" for target in after_it]
            case _:
                parts[name] = {"fork": fork, "join": join, "pass": passes}[kind]()
                lines += [f"{name} -> {target}" for target in after_it[: 1 + (kind == "fork")]]
    moves = draw(st.lists(st.integers(0, 10**6), min_size=4, max_size=20))
    text = "\n".join(lines)
    return Case(process(text, {"r": 1}, named=parts), tuple(moves))


# -- the play


class Game:
    """Moves an instance on by deciding alone, with the oracle looking at every event."""

    def __init__(self, graph: Graph) -> None:
        self.plan = Plan(graph, "one", {})
        self.oracle = Oracle(graph)
        self.state = State("one")
        self.history: list[e.Event] = []
        self.now_ms = 0
        self.fired = 0
        self.gathering = {
            node.id for node in graph.nodes if isinstance(node, Join) or node.id in
            self.oracle.merges
        }  # fmt: skip

    def around(self, looks: bool) -> Surroundings:
        return Surroundings(
            now_ms=self.now_ms,
            secrets=Secrets(lambda name: None, b"k" * 32),
            loop_budget=30,
            visit_budget=1_500,
            observe=self.look if looks else None,
        )

    def decide(self, command: c.Command) -> None:
        again = decide(self.plan, fold("one", self.history), command, self.around(False))
        events = decide(self.plan, self.state, command, self.around(True))
        assert events == again
        self.history += events
        if self.state.status == "running":
            check_tokens(self.state)
            for scope, merge in self.candidates():
                assert not self.oracle.is_activated(self.state, scope, merge)

    def candidates(self) -> set[tuple[int, str]]:
        waiting = {place for place in self.state.at if place[1] in self.oracle.merges}
        half_way = {
            (scope.id, node)
            for scope in self.state.scopes.values()
            for node in scope.gates
        }  # fmt: skip
        return {place for place in waiting | half_way if len(self.oracle.incoming(place[1])) > 1}

    def look(self, state: State, event: e.Event) -> None:
        """An event is about to be applied: a merge that goes on has to be activated."""
        if not isinstance(event, e.VisitPassed) or event.node not in self.oracle.merges:
            return
        merge = self.oracle.merges[event.node]
        if len(self.oracle.incoming(event.node)) < 2 or merge.activation is not None:
            return
        self.fired += 1
        assert self.oracle.is_activated(state, event.scope, event.node)
        flows = [state.arrivals[id].flow for id in event.arrivals]
        standing = [state.arrivals[id].flow for id in state.at[event.scope, event.node]]
        assert sorted(map(str, flows)) == sorted(map(str, set(standing)))
        # Whatever could move has moved.
        assert {arrival.node for arrival in state.arrivals.values()} <= self.gathering

    def move(self, number: int) -> bool:
        """Something comes from outside; false if nothing can."""
        possible: list[c.Command] = []
        state = self.state
        for job in state.jobs.values():
            possible += [c.CompleteJob(job.id, {"r": number % 7})] * 2
            if self.plan.nodes[job.node].guards.errors:
                possible.append(c.FailJob(job.id, {"type": "oops"}))
        possible += [c.FireTimer(timer.id) for timer in state.timers.values()]
        envelope = {"specversion": "1.0", "id": str(number), "source": "/s", "type": "m"}
        possible += [c.DeliverEvent(id, envelope) for id in state.subscriptions]
        if not possible or state.status != "running":
            return False
        command = possible[number % len(possible)]
        if isinstance(command, c.FireTimer):
            self.now_ms = max(self.now_ms, state.timers[command.timer].due_ms)
        self.decide(command)
        return True


@settings(
    max_examples=EXAMPLES,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
@given(case=cases())
@pytest.mark.parametrize("idle", [board.IDLE, 0], ids=["few merges", "many merges"])
def test_a_merge_goes_on_when_the_table_says_so_and_not_before(case: Case, idle: int) -> None:
    """Also where so many merges wait that they are found by what a node leads to."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(board, "IDLE", idle)
        play(case)


def play(case: Case) -> Game:
    game = Game(case.graph)
    game.decide(c.StartInstance("one", {}))
    for number in case.moves:
        if not game.move(number):
            break
    return game
