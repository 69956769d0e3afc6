"""Laws of the machine, each over random workflows that are played to their end."""

from __future__ import annotations

import os
import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from diglot.compiler.graph import from_json, to_json
from diglot.runtime import commands as c
from diglot.runtime import events as e
from diglot.runtime.decide import decide
from diglot.runtime.engine import Engine
from diglot.runtime.evolve import evolve, fold
from diglot.runtime.plan import Plan
from diglot.runtime.secrets import Secrets
from diglot.runtime.semantics import Surroundings
from support import reference
from support.laws import alive, check_tokens, spelled_out
from support.play import Observed, Play, attempt, seven
from support.random_workflows import (
    EVERYTHING,
    NO_RACES,
    PURE,
    Case,
    Wanted,
    cases,
    graph_of,
    make_case,
)

EXAMPLES = 500 if os.environ.get("DIGLOT_SWEEP") == "all" else 60

#: What ends alike however its commands are spread over time.
STEADY = Wanted(has_races=False)

law = settings(
    max_examples=EXAMPLES,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)


def played(case: Case, kind: type[Engine] = Engine) -> Play:
    play = Play(case, kind)
    play.run()
    return play


def everything(play: Play) -> dict[str, list[e.Event]]:
    return {instance: play.history(instance) for instance in play.instances()}


class Verifying(Observed):
    def after(self, instance: str, command: c.Command, error: Exception | None) -> None:
        if error is None:
            self.verify(instance)


@law
@given(cases(EVERYTHING))
def test_history_gives_the_state_after_every_command(case: Case) -> None:
    played(case, Verifying).engine.close()


class Comparing(Observed):
    """What is kept in memory between two commands is what the rows say."""

    def after(self, instance: str, command: c.Command, error: Exception | None) -> None:
        held = self._states.get(instance)
        if held is not None and error is None:
            assert held.snapshot() == self.state(instance).snapshot()


@law
@given(cases(EVERYTHING))
def test_a_state_that_was_saved_is_loaded_as_it_was(case: Case) -> None:
    played(case, Comparing).engine.close()


class Deciding(Observed):
    """Decides each command twice more, on the state that history gives."""

    def before(self, instance: str, command: c.Command) -> None:
        history = [event for _, _, events in self.store.history(instance) for event in events]
        is_start = isinstance(command, c.StartInstance)
        key = command.definition if is_start else fold(instance, history).definition
        around = Surroundings(
            now_ms=self.clock.now_ms(), seed=7, secrets=Secrets(lambda name: None, b"k" * 32)
        )
        first, second = (
            decide(self.plan(key), fold(instance, history), command, around) for _ in range(2)
        )
        assert first == second
        self.expected = [*history, *first]

    def after(self, instance: str, command: c.Command, error: Exception | None) -> None:
        history = [event for _, _, events in self.store.history(instance) for event in events]
        if error is None:
            assert [*spelled_out(instance, history)] == [*spelled_out(instance, self.expected)]


@law
@given(cases(EVERYTHING))
def test_the_same_command_on_the_same_state_gives_the_same_events(case: Case) -> None:
    played(case, Deciding).engine.close()


@law
@given(cases(EVERYTHING), st.integers(0, 12))
def test_an_instance_that_is_over_leaves_only_jobs_nobody_waits_for(
    case: Case, cancelled_after: int
) -> None:
    play = Play(case)
    play.run(cancelled_after)
    play.engine.cancel("main")
    for _ in range(40):
        play.round()
    play.run_down()

    for instance in play.instances():
        state = play.engine.state(instance)
        if state.is_over:
            assert alive(state).keys() <= {"jobs"}
            assert all(job.visit is None for job in state.jobs.values())
    play.engine.close()


_VISIT_ENDS = (e.VisitLeft, e.VisitFailed, e.VisitCancelled)


@law
@given(cases(EVERYTHING))
def test_a_visit_is_entered_once_and_ends_once_and_a_job_is_closed_once(case: Case) -> None:
    play = played(case)
    for instance, events in everything(play).items():
        entered = Counter(event.id for event in events if isinstance(event, e.VisitEntered))
        ended = Counter(event.id for event in events if isinstance(event, _VISIT_ENDS))
        opened = Counter(event.id for event in events if isinstance(event, e.JobOpened))
        closed = Counter(event.id for event in events if isinstance(event, e.JobClosed))
        ids = [
            event.id
            for event in events
            if isinstance(
                event,
                e.VisitEntered | e.VisitPassed | e.VisitSkipped | e.TokenEnded | e.ScopeEntered,
            )
        ]
        assert len(ids) == len(set(ids)), "an id is given out once"
        assert set(ended.values()) <= {1}
        assert set(closed.values()) <= {1}
        assert ended.keys() <= entered.keys()
        assert closed.keys() <= opened.keys()
        # What has no end of its own was alive when the instance ended, or is alive still.
        ends = [at for at, event in enumerate(events) if isinstance(event, e.InstanceEnded)]
        before = events[: ends[0]] if ends else events
        assert entered.keys() - ended.keys() == fold(instance, before).visits.keys()
    play.engine.close()


@law
@given(cases(EVERYTHING), st.integers(0, 12))
def test_nothing_begins_after_the_end_or_after_a_cancel(case: Case, cancelled_after: int) -> None:
    play = Play(case)
    play.run(cancelled_after)
    play.engine.cancel("main")
    before = without_jobs(play.history("main"))
    for _ in range(20):
        play.round()
    play.run_down()

    assert without_jobs(play.history("main")) == before
    for events in map(without_jobs, everything(play).values()):
        ends = [at for at, event in enumerate(events) if isinstance(event, e.InstanceEnded)]
        assert ends in ([], [len(events) - 1])
    play.engine.close()


def without_jobs(events: list[e.Event]) -> list[e.Event]:
    """A history apart from the ends of jobs: those that nobody waits for may come last of all."""
    return [event for event in events if not isinstance(event, e.JobClosed)]


class Suspending(Observed):
    """Lets the instance stand still around every command."""

    def carry_out(self, instance: str, command: c.Command) -> list[Exception | None]:
        pause: tuple[c.Command, c.Command] = (c.SuspendInstance(), c.ResumeInstance())
        if not isinstance(command, c.StartInstance):
            super().carry_out(instance, pause[0])
        found = super().carry_out(instance, command)
        super().carry_out(instance, pause[1])
        return found


@law
@given(cases(STEADY))
def test_standing_still_around_any_command_changes_no_end(case: Case) -> None:
    plain, paused = played(case), played(case, Suspending)
    assert paused.instances() == plain.instances()
    for instance in plain.instances():
        assert end(paused, instance) == end(plain, instance)
    paused.engine.close()
    plain.engine.close()


def end(play: Play, instance: str) -> tuple[Any, ...]:
    row = play.engine.instance(instance)
    return row.status, row.output, row.error


class Restarting(Observed):
    """Gives every command to an engine that has just been made."""

    def carry_out(self, instance: str, command: c.Command) -> list[Exception | None]:
        fresh = Engine(self.store, clock=self.clock, secrets=lambda name: None, chance=seven)
        return fresh.submit_many([(instance, command)])


@law
@given(cases(EVERYTHING))
def test_a_new_engine_for_every_command_makes_the_same_history(case: Case) -> None:
    plain, restarted = played(case), played(case, Restarting)
    assert restarted.instances() == plain.instances()
    for instance in plain.instances():
        histories = plain.history(instance), restarted.history(instance)
        first, second = ([*spelled_out(instance, history)] for history in histories)
        assert first == second
    restarted.engine.close()
    plain.engine.close()


class Repeating(Observed):
    """Carries out every command twice."""

    def after(self, instance: str, command: c.Command, error: Exception | None) -> None:
        before = self.store.history(instance)
        rows = self.state(instance).snapshot()
        fresh = Engine(self.store, clock=self.clock, secrets=lambda name: None)
        for engine in (self, fresh):
            Engine.submit_many(engine, [(instance, command)])
        assert self.store.history(instance) == before
        assert self.state(instance).snapshot() == rows


@law
@given(cases(EVERYTHING))
def test_a_command_that_comes_twice_changes_nothing_the_second_time(case: Case) -> None:
    played(case, Repeating).engine.close()


@law
@given(cases(PURE))
def test_a_pure_run_ends_as_plain_recursion_with_jq_says(case: Case) -> None:
    try:
        expected = reference.run(case.main, case.input)
    except reference.Ambiguous:
        assume(False)
        return
    play = played(case)
    row = play.row()
    assert reference.outcome_of(row.status, row.output, row.error) == expected
    play.engine.close()


class Counting(Observed):
    """A scope's `tokens` are what is alive in it."""

    def after(self, instance: str, command: c.Command, error: Exception | None) -> None:
        if error is None:
            check_tokens(self.state(instance))


@law
@given(cases(EVERYTHING))
def test_the_tokens_of_a_scope_are_its_visits_arrivals_and_handlers(case: Case) -> None:
    played(case, Counting).engine.close()


class Touching(Observed):
    """A command names every row that it changes as touched."""

    def before(self, instance: str, command: c.Command) -> None:
        self.history = [event for _, _, events in self.store.history(instance) for event in events]

    def after(self, instance: str, command: c.Command, error: Exception | None) -> None:
        history = [event for _, _, events in self.store.history(instance) for event in events]
        state = fold(instance, self.history)
        before = state.snapshot()
        state.touched.clear()
        state.assigned.clear()
        for event in history[len(self.history) :]:
            evolve(state, event)
        after = state.snapshot()
        assert set(changed_variables(before["scopes"], after["scopes"])) <= state.assigned
        for table in ("scopes", "visits", "arrivals", "jobs", "timers", "subscriptions"):
            ids = before[table].keys() | after[table].keys()
            changed = {id for id in ids if before[table].get(id) != after[table].get(id)}
            assert {(table, id) for id in changed} <= state.touched


def changed_variables(before: dict[int, Any], after: dict[int, Any]) -> Iterator[tuple[int, str]]:
    """Those of scope visits that are alive afterwards; the variables are taken out of both."""
    old = {id: scope.pop("variables", {}) for id, scope in before.items()}
    for id, scope in after.items():
        for name, value in scope.pop("variables", {}).items():
            if name not in old.get(id, {}) or old[id][name] != value:
                yield id, name


@law
@given(cases(EVERYTHING))
def test_every_row_that_changes_is_touched(case: Case) -> None:
    played(case, Touching).engine.close()


@pytest.mark.parametrize("wanted", [EVERYTHING, PURE, NO_RACES])
def test_random_workflows_are_the_same_each_time_and_survive_interchange(wanted: Wanted) -> None:
    for seed in range(10):
        one, two = (make_case(random.Random(seed), wanted) for _ in range(2))
        assert one == two
        graph = graph_of(one.main)
        assert to_json(from_json(to_json(graph))) == to_json(graph)
        Plan(graph, "x", {})


def test_a_command_that_is_refused_is_not_an_outcome() -> None:
    play = Play(Case({**TRIVIAL}, (), {}))
    assert attempt(play.engine, "nobody", c.FireTimer(1)) is not None
    play.engine.close()


TRIVIAL: dict[str, Any] = {
    "document": {"dsl": "1.0.3", "namespace": "test", "name": "main", "version": "1.0.0"},
    "do": [{"a": {"set": {"n": 1}}}],
}
