"""What can be kept: JSON of bounded depth; all else is refused at the border or faults the run."""

from __future__ import annotations

import threading
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from diglot.runtime import commands as c
from diglot.runtime import events as e
from diglot.runtime.concurrency import GroupCommit
from diglot.runtime.engine import Engine
from diglot.runtime.errors import CallerError, StaleAttempt, StoreError
from diglot.runtime.scheduler import settle
from diglot.runtime.state import State
from diglot.runtime.storable import MAX_NESTING, NotStorableError, encode_events, plain
from diglot.runtime.store import Save, open_store
from support import json_values
from support.runs import Run, workflow

#: Puts its data into one array more, `n` times.
GROW = (
    "do: [{grow: {set: '${ [.] }'}}, {again: {switch: [{more: "
    "{when: '(($context.c // 0) < %d)', then: grow}}], "
    "export: {as: '$context + {c: (($context.c // 0) + 1)}'}}}]"
)
WAITING = "do: [{w: {wait: PT1S}}, {keep: {set: '${ . }'}}]"
CALL = """
do:
  - attempt:
      try: [{call: {call: http, with: {method: get, endpoint: https://example.com}}}]
      catch: {as: found, do: [{tell: {set: '${ $found }'}}]}
"""


def nested(levels: int) -> Any:
    value: Any = 1
    for _ in range(levels):
        value = [value]
    return value


# -- the measure


@given(json_values.values)
def test_a_json_value_is_kept_as_it_is(value: Any) -> None:
    assert plain(value) == value


@given(st.sampled_from(["[", "{", '"', "\\", '\\"', "]"]), st.integers(0, 3))
def test_brackets_in_texts_are_no_levels(mark: str, levels: int) -> None:
    value = {"text": mark * 1000, mark * 500: nested(levels)}
    assert plain(value) == value


def test_a_value_of_the_most_levels_is_kept_and_of_one_more_is_not() -> None:
    wide = [nested(3)] * 1000
    assert plain(nested(MAX_NESTING)) == nested(MAX_NESTING)
    assert plain(wide) == wide
    for levels in (MAX_NESTING + 1, 5000):
        with pytest.raises(NotStorableError, match="deeper than"):
            plain(nested(levels))


def test_what_json_cannot_say_becomes_null_or_is_refused() -> None:
    assert plain([float("nan"), float("inf"), (1, 2), {1: 2}]) == [None, None, [1, 2], {"1": 2}]
    for value in ("\ud800", object(), {None: 1}, {"a": {"b": "\udfff"}}):
        with pytest.raises(NotStorableError):
            plain(value)


def test_events_have_room_around_the_deepest_value() -> None:
    event = e.ScopeEntered(1, "/", None, None, "/#start", 2, 0, {"v": nested(MAX_NESTING)}, 0)
    assert e.decode(encode_events([event])) == [event]


# -- at the border


@pytest.mark.parametrize("input", ["\ud800", {"a": object()}, nested(MAX_NESTING + 1)])
def test_an_input_that_cannot_be_kept_is_refused_and_starts_nothing(input: Any) -> None:
    run = Run()
    digest = run.engine.deploy(workflow(WAITING))

    with pytest.raises(CallerError, match="the input cannot be kept"):
        run.engine.start(digest, input)

    assert run.engine.store.instances() == []


def test_an_input_belongs_to_the_instance_alone() -> None:
    run = Run()
    input: dict[str, Any] = {"n": 1, "list": [1]}
    instance = run.start(WAITING, input)
    input["n"] = 2
    input["list"].append(2)

    run.advance(1000)

    assert run.row(instance).output == {"n": 1, "list": [1]}
    assert run.engine.verify(instance) > 0


def test_an_input_is_in_memory_what_it_is_on_disk() -> None:
    run = Run()
    instance = run.start("do: [{w: {wait: PT1S}}, {a: {set: {x: '${ .x == null }'}}}]", {"x": 0.0})
    strange = run.start(
        "do: [{w: {wait: PT1S}}, {a: {set: {x: '${ .x == null }'}}}]", {"x": float("nan")}
    )
    run.advance(1000)

    assert run.row(instance).output == {"x": False}
    assert run.row(strange).output == {"x": True}


def test_an_event_that_cannot_be_kept_is_refused() -> None:
    run = Run()
    with pytest.raises(CallerError, match="the event cannot be kept"):
        run.engine.publish_event({"id": "1", "source": "/s", "type": "t", "data": "\ud800"})
    assert run.engine.store.open_inbox(10) == []


@pytest.mark.parametrize("output", ["\ud800", {1, "a", object()}, nested(5000)])
def test_a_result_that_cannot_be_kept_is_a_failure_the_run_can_catch(output: Any) -> None:
    run = Run()
    instance = run.start(CALL)
    (lease,) = run.claim()

    run.engine.complete(lease, output)

    row = run.row(instance)
    assert row.status == "completed"
    assert row.output["detail"].startswith("the result cannot be kept")
    assert run.claim() == []


# -- inside a run


@pytest.mark.parametrize("levels", [MAX_NESTING + 20, 1500])
def test_a_run_that_nests_its_data_without_end_faults_and_stays_readable(levels: int) -> None:
    run = Run()
    instance = run.start(GROW % levels, {})

    error = run.row(instance).error
    assert error is not None
    assert error["detail"] == f"a value is nested deeper than {MAX_NESTING} levels"
    assert run.row(instance).status == "faulted"
    assert run.engine.verify(instance) == 2


def test_a_run_that_cannot_be_kept_leaves_its_neighbours_alone() -> None:
    run = Run()
    deep = run.engine.deploy(workflow(GROW % 1500, name="deep"))
    fine = run.engine.deploy(workflow(WAITING, name="fine"))

    outcomes = run.engine.submit_many(
        [
            ("a", c.StartInstance(fine)),
            ("b", c.StartInstance(deep)),
            ("c", c.StartInstance(fine)),
        ]
    )

    assert outcomes == [None, None, None]
    assert [run.row(id).status for id in "abc"] == ["running", "faulted", "running"]


def test_a_late_result_does_not_fault_a_run_that_would_nest_too_deep_with_it() -> None:
    run = Run()
    body = GROW.removeprefix("do: [") % (MAX_NESTING - 20)
    instance = run.start(
        f"do: [{{call: {{call: http, with: {{method: get, endpoint: https://a.com}}}}}}, {body}"
    )
    (first,) = run.claim(lease_ms=1000)
    run.advance(1000)
    (second,) = run.claim()

    with pytest.raises(StaleAttempt):
        run.engine.complete(first, nested(100))
    assert run.row(instance).status == "running"

    run.engine.complete(second, 1)
    assert run.row(instance).status == "completed"
    assert run.engine.verify(instance) == run.row(instance).sequence


# -- events that are emitted twice


def test_an_event_emitted_again_costs_the_next_listener_nothing() -> None:
    run = Run()
    same = "{emit: {event: {with: {id: same, source: /s, type: told}}}}"
    instance = run.start(
        f"do: [{{first: {same}}}, {{again: {same}}}, {{w: {{wait: PT1S}}}}, {{third: {same}}}, "
        "{hear: {listen: {to: {one: {with: {type: wanted}}}}}}]"
    )
    run.advance(1000)
    run.engine.publish_event({"id": "1", "source": "/x", "type": "wanted", "data": 5})
    settle(run.engine)

    assert run.row(instance).output == [5]


# -- a commit that is cut off


class Killed(BaseException):
    """What stops a thread wherever it is."""


def test_whoever_waits_for_a_commit_that_is_cut_off_is_told_so() -> None:
    store = open_store("sqlite://")
    engine = Engine(store)
    digest = engine.deploy(workflow(WAITING))
    both_wait = threading.Event()
    write = engine._group._write  # pyright: ignore[reportPrivateUsage]
    waiting: list[Save] = []
    outcomes: dict[str, BaseException | None] = {}

    def held(saves: list[Save]) -> list[Exception | None]:
        if saves[0].state.id == "first":
            both_wait.wait(30)
            return write(saves)
        waiting.extend(saves)
        raise Killed

    group = GroupCommit(held)
    engine._group = group  # pyright: ignore[reportPrivateUsage]

    def start(id: str) -> None:
        try:
            engine.start(digest, {}, instance=id)
            outcomes[id] = None
        except BaseException as error:
            outcomes[id] = error

    threads = {id: threading.Thread(target=start, args=(id,)) for id in ("first", "b", "c")}
    threads["first"].start()
    while not group._writer.locked():  # pyright: ignore[reportPrivateUsage]
        threads["first"].join(0.001)
    threads["b"].start()
    threads["c"].start()
    while len(group._waiting) < 2:  # pyright: ignore[reportPrivateUsage]
        threads["first"].join(0.001)
    both_wait.set()
    for thread in threads.values():
        thread.join()

    assert len(waiting) == 2
    assert outcomes["first"] is None
    told = {type(outcomes["b"]), type(outcomes["c"])}
    assert told == {Killed, StoreError}
    assert {row.id for row in store.instances()} == {"first"}
    engine.close()


def test_a_state_that_was_not_written_is_not_believed() -> None:
    run = Run()
    instance = run.start(WAITING)

    def die(moment: str) -> None:
        raise Killed

    run.engine.store.on_commit = die
    with pytest.raises(Killed):
        run.engine.suspend(instance)
    run.engine.store.on_commit = None
    run.advance(1000)

    assert run.row(instance).status == "completed"
    assert isinstance(run.engine.state(instance), State)
