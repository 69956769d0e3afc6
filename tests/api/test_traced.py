"""Where a run stands, by its history, on the diagram of what it runs."""

from __future__ import annotations

import pytest

from diglot.api.cli.traced import Trace
from diglot.compiler.diagnostics import Report
from diglot.compiler.drawing import State
from diglot.compiler.export import View, draw, shown_states
from support.runs import Run, workflow


def shown(body: str, *, after_ms: int = 0, view: View = "business") -> dict[str, State]:
    """The states of elements once a workflow has come to rest, by the elements' ids."""
    run = Run()
    instance = run.start(body)
    if after_ms:
        run.advance(after_ms)
    graph = workflow(body)
    trace = Trace(graph)
    trace.follow(run.events(instance))
    drawn = draw((graph,), Report(), view=view)
    assert drawn is not None
    return shown_states(drawn, (graph,), trace.states())


def statuses(states: dict[str, State], *names: str) -> list[str]:
    return [states[name].status if name in states else "" for name in names]


def test_what_is_done_waits_and_has_not_begun_is_told_apart() -> None:
    states = shown(
        "do:\n- first: {set: {a: 1}}\n- pause: {wait: {seconds: 5}}\n- last: {set: {b: 1}}\n"
    )
    assert statuses(states, "first", "pause", "last") == ["done", "waiting", ""]


def test_what_waited_is_done_later() -> None:
    states = shown("do:\n- pause: {wait: {seconds: 5}}\n", after_ms=5_000)
    assert statuses(states, "pause", "end") == ["done", "done"]


def test_what_runs_is_counted_and_what_was_left_out_is_not() -> None:
    states = shown(
        "do:\n- loop:\n    for: {each: n, in: '[1, 2, 3, 4]'}\n    do:\n"
        "    - some: {if: $n > 1, set: {a: 1}}\n    - none: {if: $n > 9, set: {a: 1}}\n"
    )
    assert states["some"] == State(status="done", count=3)
    assert states["none"] == State(status="skipped", count=4)


RISKY = """do:
- risky:
    try:
    - boom: {raise: {error: {type: https://x.test/y, status: 500, title: It broke}}}
    catch:
      do:
      - mend: {set: {ok: true}}
- last: {set: {b: 1}}
"""


def test_what_failed_says_why() -> None:
    assert shown(RISKY)["boom"] == State(status="failed", count=1, note="It broke")


def test_the_way_that_was_not_taken_is_not_shown_as_taken() -> None:
    states = shown(RISKY)
    assert statuses(states, "risky", "risky_catch", "mend", "last") == ["done"] * 4
    taken = [name for name in states if name.startswith("risky_") and "_to_" in name]
    assert not any(name.startswith("risky_to_") for name in taken)
    assert "risky_catch_to_mend" in taken


def test_a_gateway_is_passed_once_its_branches_have_begun() -> None:
    states = shown(
        "do:\n- both:\n    fork:\n      branches:\n"
        "      - early: {wait: {seconds: 5}}\n      - late: {wait: {seconds: 9}}\n",
        after_ms=6_000,
    )
    assert statuses(states, "both_fork", "early", "late", "both_join") == [
        "done", "done", "waiting", "",
    ]  # fmt: skip


@pytest.mark.parametrize("view", ["business", "technical"])
def test_states_are_shown_in_each_view(view: View) -> None:
    states = shown("do:\n- first: {set: {a: 1}}\n", view=view)
    assert statuses(states, "start", "first", "end") == ["done"] * 3
