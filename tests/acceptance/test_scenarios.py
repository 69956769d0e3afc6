"""The twelve scenarios that the engine is accepted by, and an order that is undone.

Source: requirements E.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from acceptance.definitions import DOCUMENTS
from acceptance.house import Direct, House, Job
from diglot.runtime.faults import problem
from support.stores import new_url

pytestmark = pytest.mark.both_stores

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
AWAY = problem("communication", "the other side is away", status=503)
REFUSED = problem("communication", "it will never work", status=422)

both_languages = pytest.mark.parametrize("language", ["yaml", "bpmn"])


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    found = Direct(new_url(tmp_path))
    yield found
    found.close()


@pytest.fixture
def publish(house: House) -> Callable[[str, str], str]:
    def from_documents(name: str, language: str) -> str:
        return house.publish(DOCUMENTS[name][language], f"{name}.{language}")

    return from_documents


def names(jobs: list[Job]) -> list[str]:
    return sorted(job.node for job in jobs)


def only(jobs: list[Job]) -> Job:
    (job,) = jobs
    return job


@both_languages
def test_1_tasks_follow_each_other(
    house: House, publish: Callable[[str, str], str], language: str
) -> None:
    instance = house.start(publish("sequence", language))
    first = only(house.work())
    assert (first.node, house.work()) == ("a", [])

    assert house.complete(first, {"n": 1}) == "taken"
    second = only(house.work())
    assert house.complete(second, {"n": 2}) == "taken"

    assert house.shown(instance).status == "completed"
    assert house.journal(instance) == [
        ("opened", "a"), ("completed", "a"), ("opened", "b"), ("completed", "b"),
    ]  # fmt: skip


@both_languages
@pytest.mark.parametrize(("amount", "task"), [(101, "a"), (100, "b")])
def test_2_the_input_chooses_the_way(
    house: House, publish: Callable[[str, str], str], language: str, amount: int, task: str
) -> None:
    instance = house.start(publish("choice", language), {"amount": amount})

    job = only(house.work())
    house.complete(job, {})

    assert job.node == task
    assert house.shown(instance).status == "completed"


@both_languages
def test_3_a_join_waits_for_what_goes_on_side_by_side(
    house: House, publish: Callable[[str, str], str], language: str
) -> None:
    instance = house.start(publish("parallel", language))
    a, b = sorted(house.work(), key=lambda job: job.node)
    house.complete(b, {})
    assert house.work() == []

    house.complete(a, {})
    c = only(house.work())
    house.complete(c, {})

    assert c.node == "c"
    assert house.shown(instance).status == "completed"


def test_4_what_fails_for_a_while_is_tried_again_after_a_pause_that_grows(
    house: House, publish: Callable[[str, str], str]
) -> None:
    instance = house.start(publish("retry", "yaml"))
    for pause_s in (10, 20):
        assert house.fail(only(house.work()), AWAY) == "taken"
        house.pass_time(pause_s - 1)
        assert house.work() == []
        house.pass_time(1)

    assert house.complete(only(house.work()), {"n": 3}) == "taken"

    assert house.shown(instance).status == "completed"


@both_languages
def test_4_a_worker_asks_for_a_pause_and_another_attempt(
    house: House, publish: Callable[[str, str], str], language: str
) -> None:
    instance = house.start(publish("one", language))
    first = only(house.work())
    assert house.retry(first, AWAY, 10)
    house.pass_time(9)
    assert house.work() == []
    house.pass_time(1)

    second = only(house.work())
    house.complete(second, {})

    assert (second.attempt, second.key) == (2, first.key)
    assert house.attempts(second) == ["retried", "completed"]
    assert house.shown(instance).status == "completed"


@both_languages
def test_5_what_will_never_work_ends_the_instance(
    house: House, publish: Callable[[str, str], str], language: str
) -> None:
    instance = house.start(publish("sequence", language))

    house.fail(only(house.work()), REFUSED)

    shown = house.shown(instance)
    assert shown.status == "faulted"
    assert shown.error is not None
    assert (shown.error["status"], shown.error["detail"]) == (422, "it will never work")
    assert house.work() == []


@both_languages
def test_6_what_a_dead_worker_held_is_given_to_the_next(
    house: House, publish: Callable[[str, str], str], language: str
) -> None:
    instance = house.start(publish("one", language))
    lost = only(house.work(lease_s=30))
    house.pass_time(29)
    assert house.work() == []
    house.pass_time(1)

    again = only(house.work())
    house.complete(again, {})

    assert (again.attempt, again.key) == (2, lost.key)
    assert house.attempts(again) == ["expired", "completed"]
    assert house.shown(instance).status == "completed"


@both_languages
def test_7_a_late_result_changes_nothing(
    house: House, publish: Callable[[str, str], str], language: str
) -> None:
    instance = house.start(publish("sequence", language))
    old = only(house.work(lease_s=1))
    house.pass_time(1)
    new = only(house.work())
    before = house.journal(instance)

    assert house.complete(old, {"of": "old"}) == "late"
    assert house.journal(instance) == before

    assert house.complete(new, {"of": "new"}) == "taken"
    after = house.journal(instance)
    assert house.complete(old, {"of": "old"}) == "late"
    assert house.journal(instance) == after


@both_languages
def test_8_the_same_result_twice_moves_nothing_twice(
    house: House, publish: Callable[[str, str], str], language: str
) -> None:
    instance = house.start(publish("sequence", language))
    job = only(house.work())

    answers = [house.complete(job, {"n": 1}) for _ in range(3)]

    assert answers == ["taken", "repeated", "repeated"]
    assert house.journal(instance) == [("opened", "a"), ("completed", "a"), ("opened", "b")]


@both_languages
def test_9_an_event_from_outside_is_waited_for(
    house: House, publish: Callable[[str, str], str], language: str
) -> None:
    instance = house.start(publish("event", language))
    assert house.tell("other", {}, id="1")
    assert house.work() == []

    assert house.tell("paid", {"sum": 7}, id="2")
    assert not house.tell("paid", {"sum": 7}, id="2")
    house.complete(only(house.work()), {})

    assert house.shown(instance).status == "completed"


@both_languages
@pytest.mark.parametrize("name", ["sequence", "parallel", "event", "task-limit", "whole-limit"])
def test_10_a_new_engine_goes_on_from_what_is_kept(
    house: House, publish: Callable[[str, str], str], language: str, name: str
) -> None:
    instance = house.start(publish(name, language))
    house.restart()
    house.tell("paid", {}, id="1")
    for _ in range(3):
        for job in house.work():
            house.restart()
            assert house.complete(job, {}) == "taken"
            house.restart()

    assert house.shown(instance).status == "completed"


@both_languages
@pytest.mark.parametrize("name", ["sequence", "parallel", "task-limit"])
def test_11_nothing_begins_after_a_cancel(
    house: House, publish: Callable[[str, str], str], language: str, name: str
) -> None:
    instance = house.start(publish(name, language))
    jobs = house.work(1)
    before = house.journal(instance)

    house.cancel(instance)

    assert [house.complete(job, {}) for job in jobs] == ["late"]
    house.pass_time(3600)
    assert house.work() == []
    assert house.shown(instance).status == "cancelled"
    opened = [entry for entry in house.journal(instance) if entry[0] == "opened"]
    assert opened == [entry for entry in before if entry[0] == "opened"]


@both_languages
def test_12_a_task_that_takes_too_long_is_given_up(
    house: House, publish: Callable[[str, str], str], language: str
) -> None:
    instance = house.start(publish("task-limit", language))
    slow = only(house.work(lease_s=3600))
    house.pass_time(60)

    other = only(house.work())
    assert other.node == "b"
    assert house.complete(slow, {}) == "late"
    house.complete(other, {})

    assert house.shown(instance).status == "completed"


@both_languages
def test_12_an_instance_that_takes_too_long_ends(
    house: House, publish: Callable[[str, str], str], language: str
) -> None:
    instance = house.start(publish("whole-limit", language))
    slow = only(house.work(lease_s=3600))
    house.pass_time(60)

    shown = house.shown(instance)
    assert shown.status == "faulted"
    assert shown.error is not None
    assert "timeout" in shown.error["type"]
    assert house.complete(slow, {}) == "late"
    assert house.work() == []


def test_an_order_that_is_shipped_is_done(house: House) -> None:
    instance = house.start(house.publish(_fulfilment(), "fulfilment.bpmn"))
    for job in house.work():
        house.complete(job, {})

    house.complete(only(house.work()), {})

    assert house.shown(instance).status == "completed"
    assert house.work() == []


@pytest.mark.parametrize(
    "order",
    [("reserve", "charge", "courier"), ("courier", "reserve", "charge")],
)
def test_an_order_that_is_not_shipped_is_undone_in_the_reverse_order_of_what_was_done(
    house: House, order: tuple[str, ...]
) -> None:
    undo = {"reserve": "release", "charge": "refund", "courier": "dismiss"}
    instance = house.start(house.publish(_fulfilment(), "fulfilment.bpmn"))
    jobs = {job.node: job for job in house.work()}
    for name in order:
        house.complete(jobs[name], {})
    house.fail(only(house.work()), {"type": "not-shipped", "status": 500})
    for name in reversed(order):
        job = only(house.work())
        assert job.node == undo[name]
        house.restart()
        house.complete(job, {})

    assert house.work() == []
    done = [node for what, node in house.journal(instance) if what == "completed"]
    assert done == [*order, *(undo[name] for name in reversed(order))]
    assert house.shown(instance).status in ("completed", "compensated")


def _fulfilment() -> str:
    return (EXAMPLES / "fulfilment.bpmn").read_text(encoding="utf-8")
