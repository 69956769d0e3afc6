"""What holds for handlers in every state of random scopes within scopes."""

from __future__ import annotations

import os
from collections.abc import Callable
from operator import itemgetter
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from diglot.compiler.graph import Graph, Trigger
from diglot.runtime.engine import Settings
from diglot.runtime.events import encode
from diglot.runtime.plan import Plan
from diglot.runtime.state import ScopeVisit, State
from support.graphs import (
    Part,
    after,
    any_of,
    boundary,
    cycle,
    error,
    escalates,
    escalation,
    event_sub,
    heard,
    passes,
    process,
    raises,
    sends,
    sets,
    sub,
    turns,
    when,
)
from support.machine import Machine

law = settings(
    max_examples=500 if os.environ.get("DIGLOT_SWEEP") == "all" else 60,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
#: Handlers may well trigger themselves, or each other, for ever.
QUICK = Settings(loop_budget=30)
SIGNALS = ("s1", "s2")
CODES = ("E1", "E2")


class Names:
    """Ids that stand once in a graph."""

    def __init__(self) -> None:
        self._last = 0

    def __call__(self, kind: str) -> str:
        self._last += 1
        return f"{kind}{self._last}"


def triggers(*, is_critical: bool) -> st.SearchStrategy[Trigger]:
    """What may come; errors only where they are allowed to interrupt."""
    simple: list[Trigger] = [
        *(heard(type, kind="signal") for type in SIGNALS),
        heard("m1"),
        after("PT5S"),
        turns(".x >= 2"),
        turns(".x % 2 == 1"),
        escalation("E1"),
        escalation(),
        any_of(heard("s1", kind="signal"), after("PT9S")),
        heard("s1", "s2", kind="signal", mode="all"),
    ]
    if is_critical:
        simple += [error("E1"), error("E2"), error()]
    else:
        simple += [cycle("R2/PT4S")]
    return st.sampled_from(simple)


@st.composite
def scopes(draw: st.DrawFn, names: Names, depth: int) -> tuple[str, dict[str, Part]]:
    """The flows of a scope with one or two branches, and its parts."""
    start, parts, lines = names("start"), dict[str, Part](), list[str]()
    for _ in range(draw(st.integers(1, 2))):
        chain = [start]
        for _ in range(draw(st.integers(1, 3))):
            chain.append(draw(steps(names, depth, parts, lines)))
        lines.append(" -> ".join([*chain, names("end")]))
    # The drawing begins at the first name of all.
    lines.sort(key=lambda line: not line.startswith(start))
    for _ in range(draw(st.integers(0, 2))) if depth else ():
        interrupts = draw(st.booleans())
        flows, inner = draw(scopes(names, depth - 1))
        trigger = draw(triggers(is_critical=interrupts))
        parts[names("handler")] = event_sub(trigger, flows, interrupts=interrupts, named=inner)
    return "\n".join(lines), parts


@st.composite
def steps(
    draw: st.DrawFn, names: Names, depth: int, parts: dict[str, Part], lines: list[str]
) -> str:
    """One node of a chain, perhaps with boundary events."""
    kinds = ["task", "task", "task", "escalate", "send", "set", "wait", "pass", "error"]
    kind = draw(st.sampled_from([*kinds, *["sub"] * 5 * bool(depth)]))
    name = names(kind)
    simple: dict[str, Callable[[], Part]] = {
        "escalate": lambda: escalates(draw(st.sampled_from(CODES))),
        "send": lambda: sends(draw(st.sampled_from(SIGNALS)), kind="signal"),
        "set": lambda: sets(x=".x + 1"),
        "wait": lambda: when(".x >= 1"),
        "pass": passes,
        "error": lambda: raises(draw(st.sampled_from(CODES))),
    }
    if kind in simple:
        parts[name] = simple[kind]()
    elif kind == "sub":
        flows, inner = draw(scopes(names, depth - 1))
        parts[name] = sub(flows, named=inner)
    if kind in ("task", "sub", "wait"):
        for _ in range(draw(st.integers(0, 2))):
            interrupts = draw(st.booleans())
            catch = names("boundary")
            trigger = draw(triggers(is_critical=interrupts))
            parts[catch] = boundary(name, trigger, interrupts=interrupts)
            lines.append(f"{catch} -> {names('task')} -> {names('end')}")
    return name


@st.composite
def graphs(draw: st.DrawFn) -> Graph:
    """A process with handlers in and around its sub-processes."""
    flows, parts = draw(scopes(Names(), 2))
    return process(flows, {"x": 0}, named=parts)


Move = tuple[str, Any]
MOVES: st.SearchStrategy[list[Move]] = st.lists(
    st.one_of(
        st.tuples(st.just("complete"), st.integers(0, 5)),
        st.tuples(st.just("fail"), st.sampled_from(CODES)),
        st.tuples(st.just("send"), st.sampled_from([*SIGNALS, "m1"])),
        st.tuples(st.just("advance"), st.sampled_from([1000, 5000, 20_000])),
    ),
    max_size=12,
)


def play(run: Machine, moves: list[Move], look: Callable[[Machine], None]) -> None:
    """Make the moves that can be made, and look at the state after each."""
    look(run)
    for move, what in moves:
        state = run.state
        if state.status != "running":
            return
        jobs: list[str] = sorted(job.node for job in state.jobs.values())
        if move == "send":
            run.send(what)
        elif move == "advance":
            run.advance(what)
        elif jobs and move == "complete":
            run.complete(jobs[int(what) % len(jobs)], x=what)
        elif jobs:
            run.fail(jobs[0], what)
        look(run)


def is_interrupting(plan: Plan, handler: str | None) -> bool:
    assert handler is not None
    return plan.handlers[handler].handler.is_interrupting


def armed_for(state: State, holder: int) -> set[tuple[str, int]]:
    """The triggers of handlers that are waited for, for a visit or a scope visit."""
    rows = [*state.timers.values(), *state.subscriptions.values()]
    found = {
        (row.handler, getattr(row, "part", getattr(row, "index", 0)))
        for row in rows
        if row.handler is not None and (row.visit or row.scope) == holder
    }
    visit: Any = state.visits.get(holder) or state.scopes.get(holder)
    return found | {(key, 0) for key in visit.truths if key}


@law
@given(graphs(), MOVES)
def test_at_most_one_interrupting_handler_runs_in_a_scope_and_alone(
    graph: Graph, moves: list[Move]
) -> None:
    plan = Plan(graph, "", {})

    def look(run: Machine) -> None:
        state = run.state
        for scope in state.scopes.values():
            inside = [state.scopes[id].handler for id in state.handling.get(scope.id, ())]
            taking_over = [handler for handler in inside if is_interrupting(plan, handler)]
            assert len(taking_over) <= 1
            assert scope.is_closed == bool(taking_over)
            if taking_over:
                assert scope.tokens == 1
                assert not state.visits_in[scope.id]

    play(Machine(graph, settings=QUICK), moves, look)


@law
@given(graphs(), MOVES)
def test_nothing_is_alive_in_what_is_gone(graph: Graph, moves: list[Move]) -> None:
    def look(run: Machine) -> None:
        state = run.state
        for visit in state.visits.values():
            assert visit.scope in state.scopes
        for scope in state.scopes.values():
            assert scope.owner is None or scope.owner in state.visits
            assert scope.parent is None or scope.parent in state.scopes
        waiting = [*state.timers.values(), *state.subscriptions.values()]
        for row in waiting:
            assert row.visit in state.visits or row.scope in state.scopes
        for job in state.jobs.values():
            assert job.visit in state.visits
        assert set(state.watching) <= {*state.visits, *state.scopes}

    play(Machine(graph, settings=QUICK), moves, look)


@law
@given(graphs(), MOVES)
def test_handlers_are_armed_as_long_as_what_they_guard_is_active(
    graph: Graph, moves: list[Move]
) -> None:
    plan = Plan(graph, "", {})

    def is_over(scope: ScopeVisit) -> bool:
        return scope.is_closed or scope.is_completing

    def endless(guards: Any) -> set[tuple[str, int]]:
        """What stays armed for as long as it can be; a timer may have fired."""
        return {
            (handler.id, occasion.index)
            for handler in guards.armed
            for occasion in handler.occasions
            if occasion.due is None and handler.wanted is None
        }

    def look(run: Machine) -> None:
        state = run.state
        for visit in state.visits.values():
            assert armed_for(state, visit.id) >= endless(plan.nodes[visit.node].guards)
        for scope in state.scopes.values():
            armed = armed_for(state, scope.id)
            wanted = set[tuple[str, int]]()
            if not is_over(scope):
                wanted = endless(plan.guards_of(scope.scope))
                assert armed >= wanted
            else:
                assert armed == wanted

    play(Machine(graph, settings=QUICK), moves, look)


@law
@given(graphs(), MOVES)
def test_a_new_engine_at_every_move_does_the_same(graph: Graph, moves: list[Move]) -> None:
    kept = Machine(graph, settings=QUICK)
    restarted = Machine(graph, settings=QUICK, restarts=True)

    play(kept, moves, lambda run: None)
    play(restarted, moves, lambda run: None)

    before = [encode([event]) for event in kept.history]
    after = [encode([event]) for event in restarted.history]
    assert [one.replace(kept.id.encode(), b"") for one in before] == [
        one.replace(restarted.id.encode(), b"") for one in after
    ]


@law
@given(graphs(), MOVES, st.booleans())
def test_what_is_open_stands_in_the_order_it_was_opened(
    graph: Graph, moves: list[Move], restarts: bool
) -> None:
    def look(run: Machine) -> None:
        for held in run.state.open.values():
            assert list(held) == sorted(held, key=itemgetter(1))

    play(Machine(graph, settings=QUICK, restarts=restarts), moves, look)


@law
@given(graphs(), MOVES)
def test_a_scope_that_completes_has_only_handlers_that_run_beside(
    graph: Graph, moves: list[Move]
) -> None:
    plan = Plan(graph, "", {})

    def look(run: Machine) -> None:
        state = run.state
        for scope in state.scopes.values():
            beside = state.handling.get(scope.id, {})
            if scope.is_completing:
                assert scope.tokens == len(beside) > 0
            elif beside and not scope.is_closed:
                assert scope.tokens > len(beside)
            assert scope.tokens > 0
            for id in beside:
                assert is_interrupting(plan, state.scopes[id].handler) == scope.is_closed

    play(Machine(graph, settings=QUICK), moves, look)
