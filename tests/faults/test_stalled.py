"""What cannot go on before something is mended stalls, alone; mended, it goes on by itself."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import create_engine, text

from diglot.api.cli.waits import waits
from diglot.compiler import graph as g
from diglot.runtime import engine as engines
from diglot.runtime.desk import Desk, Held
from diglot.runtime.errors import CorruptState
from diglot.runtime.scheduler import PAUSE_WHEN_OVERDUE_S, settle, sleep_s
from diglot.runtime.stalling import PAUSES_MS
from diglot.runtime.store import Lease, open_store
from support.graphs import heard, node, process, wait, waits_for
from support.post import Post
from support.runs import workflow
from support.stores import new_url

pytestmark = pytest.mark.both_stores

WORKS = process("start -> a -> b -> end", name="works")
WAITS = process("start -> pause -> end", name="waits", pause=wait("PT5S"))
HEARS = process(
    "start -> hear -> end",
    name="hears",
    hear=node(g.Receive, strategy=heard("one", "two", kind="event", mode="all").strategy),
)
TAKES = process("start -> hear -> end", name="takes", hear=waits_for("paid"))
A_WHILE_MS = PAUSES_MS[1]


class Broken:
    """Instances of a definition that is no graph, or whose rows are no rows, until it is mended."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.post = Post(open_store(url))
        self._kept: list[tuple[str, dict[str, Any]]] = []

    def change(self, statement: str, **values: Any) -> list[Any]:
        """What somebody else does to the database."""
        engine = create_engine(self.url.replace("postgresql://", "postgresql+psycopg://"))
        with engine.begin() as connection:
            found = connection.execute(text(statement), values)
            rows = [*found] if found.returns_rows else []
        engine.dispose()
        return rows

    def break_definition(self, name: str) -> None:
        """An engine that has not read it yet finds no graph."""
        ((graph,),) = self.change("SELECT graph FROM definition_versions WHERE name=:n", n=name)
        put = "UPDATE definition_versions SET graph=:graph WHERE name=:n"
        self.change(put, graph=b"{}", n=name)
        self._kept.append((put, {"graph": bytes(graph), "n": name}))
        self.post.restart()

    def break_rows(self, instance: str) -> None:
        """A visit of an instance cannot be read."""
        where = "run=(SELECT number FROM instances WHERE id=:i)"
        (id, payload), *_ = self.change(
            f"SELECT id, payload FROM node_visits WHERE {where}", i=instance
        )
        put = f"UPDATE node_visits SET payload=:payload WHERE {where} AND id=:id"
        self.change(put, payload=b"{", i=instance, id=id)
        self._kept.append((put, {"payload": bytes(payload), "i": instance, "id": id}))
        self.post.restart()

    def mend(self) -> None:
        """All is as it was, and somebody waits for it to be noticed."""
        for statement, values in self._kept:
            self.change(statement, **values)
        self._kept.clear()
        self.post.advance(A_WHILE_MS)

    def stalled(self, instance: str) -> str | None:
        return self.post.engine.instance(instance).stalled

    def jobs(self) -> list[Lease]:
        return Desk(self.post.engine).claim(["work"], 100, "w")

    def do(self, jobs: list[Lease]) -> list[str]:
        held = [(Held(x.instance, x.job, x.attempt), {x.node: 1}) for x in jobs]
        return [*Desk(self.post.engine).complete(held)]


@pytest.fixture
def broken(tmp_path: Path) -> Any:
    found = Broken(new_url(tmp_path))
    yield found
    found.post.engine.close()


Break = Callable[[Broken, str], None]


def break_definition(broken: Broken, instance: str) -> None:
    broken.break_definition("waits")


BREAKS = pytest.mark.parametrize("break_it", [break_definition, Broken.break_rows])


@BREAKS
def test_who_cannot_go_on_says_so_and_goes_on_when_it_can(broken: Broken, break_it: Break) -> None:
    stuck, fine = broken.post.begin(WAITS), broken.post.begin(WORKS)
    break_it(broken, stuck)

    broken.post.advance(5000)

    assert "CorruptState" in (broken.stalled(stuck) or "")
    assert broken.post.engine.instance(stuck).status == "running"
    assert broken.stalled(fine) is None
    assert broken.do(broken.jobs()) == ["taken"]

    broken.mend()

    assert broken.stalled(stuck) is None
    assert broken.post.row(stuck).status == "completed"
    broken.post.engine.verify(stuck)
    assert broken.post.engine.store.stalls() == {}


def test_a_definition_that_is_gone_stalls_its_instances(broken: Broken) -> None:
    instance = broken.post.begin(WAITS)
    broken.change("DELETE FROM definition_versions")
    broken.post.restart()

    broken.post.advance(5000)

    assert "no definition has the digest" in (broken.stalled(instance) or "")


def test_a_result_for_who_cannot_go_on_is_not_taken_and_the_others_are(broken: Broken) -> None:
    stuck, fine = broken.post.begin(WORKS), broken.post.begin(WORKS)
    jobs = broken.jobs()
    assert [job.instance for job in jobs] == [stuck, fine]
    broken.break_rows(stuck)

    assert broken.do(jobs) == ["stalled", "taken"]

    # Its job is given out no more until it can go on.
    broken.post.advance(40_000)
    assert {job.instance for job in broken.jobs()} <= {fine, stuck}
    broken.post.advance(40_000)
    assert {job.instance for job in broken.jobs()} == {fine}
    broken.mend()
    while jobs := broken.jobs():
        assert set(broken.do(jobs)) == {"taken"}
    broken.post.rest()
    assert [broken.post.row(one).status for one in (stuck, fine)] == ["completed", "completed"]


def test_events_wait_for_who_cannot_go_on_and_come_in_their_order(broken: Broken) -> None:
    stuck, fine = broken.post.begin(HEARS), broken.post.begin(HEARS)
    broken.break_rows(stuck)

    for type in ("two", "one"):
        broken.post.engine.publish_event({"id": type, "source": "/s", "type": type})
        broken.post.advance(0)

    assert broken.post.row(fine).status == "completed"
    assert broken.post.engine.store.open_inbox(10) == []
    broken.mend()
    assert broken.post.row(stuck).status == "completed"
    assert broken.post.taken() == [(one, id) for one in (stuck, fine) for id in ("two", "one")]


def test_a_message_is_kept_for_who_cannot_go_on(broken: Broken) -> None:
    stuck = broken.post.begin(TAKES)
    broken.break_rows(stuck)

    broken.post.engine.publish_event(
        {"id": "1", "source": "/s", "type": "paid", "diglotkind": "message", "data": {"n": 1}}
    )
    broken.post.advance(0)
    assert "CorruptState" in (broken.stalled(stuck) or "")

    broken.mend()
    assert broken.post.row(stuck).output == {"n": 1}


def test_who_cannot_go_on_is_looked_at_seldom(
    broken: Broken, monkeypatch: pytest.MonkeyPatch
) -> None:
    instance = broken.post.begin(WAITS)
    broken.break_rows(instance)
    looks: list[str] = []
    engine = broken.post.engine
    look = engine.look_afresh

    def counted(instance: str) -> None:
        looks.append(instance)
        look(instance)

    monkeypatch.setattr(engine, "look_afresh", counted)

    for _ in range(120):
        broken.post.advance(5000)

    # After 1, 2, 4, 8, 16 and 32 seconds, and then once a minute.
    assert 10 < len(looks) < 16


def test_a_rule_that_breaks_stalls_its_instance_and_people_are_told(
    broken: Broken, monkeypatch: pytest.MonkeyPatch
) -> None:
    instance = broken.post.begin(WAITS)

    def breaks(*_: object) -> None:
        raise KeyError("a mistake of ours")

    with monkeypatch.context() as patch:
        patch.setattr(engines, "decide", breaks)
        broken.post.advance(5000)
        (told,) = waits(broken.post.engine, instance)
        assert told.text.startswith(f"instance {instance} cannot go on: KeyError")

    broken.mend()
    assert broken.post.row(instance).status == "completed"


def test_a_start_that_stays_due_does_not_keep_the_scheduler_busy(broken: Broken) -> None:
    broken.post.publish(workflow("schedule: {every: {minutes: 1}}\ndo: [{a: {set: {x: 1}}}]"))
    broken.break_definition("one")

    broken.post.clock.advance(60_000)
    now_ms = broken.post.clock.now_ms()

    assert settle(broken.post.engine) == 0
    assert sleep_s(broken.post.engine, since_ms=now_ms) == PAUSE_WHEN_OVERDUE_S
    broken.mend()
    assert len(broken.post.instances) == 1


def test_a_proof_of_what_cannot_be_read_fails_alone(broken: Broken) -> None:
    stuck, fine = broken.post.begin(WAITS), broken.post.begin(WAITS)
    broken.break_rows(stuck)

    assert broken.post.engine.verify(fine) > 0
    with pytest.raises(CorruptState):
        broken.post.engine.verify(stuck)
