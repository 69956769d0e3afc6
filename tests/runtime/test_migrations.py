"""A database goes from layout to layout, and says who can live with it."""

from __future__ import annotations

import shlex
import threading
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import create_engine, inspect, text
from sqlalchemy.pool import NullPool

from diglot.runtime import commands as c
from diglot.runtime.desk import Desk, Held
from diglot.runtime.engine import Engine
from diglot.runtime.errors import CallerError, StoreError
from diglot.runtime.store import chain, open_store
from diglot.runtime.store.layout import new_stamp
from diglot.runtime.store.migrating import migrate
from support.graphs import process
from support.steps import FIRST, LEANER, NOTE, PLACES, REMARK, known
from support.stores import new_url

pytestmark = pytest.mark.both_stores

TWO = process("start -> a -> b -> end")


_OF_JOBS = {
    "sqlite": (
        "SELECT sql FROM sqlite_master WHERE type='index' AND tbl_name='jobs' AND sql IS NOT NULL",
        "SELECT 'without rowid: ' || wr FROM pragma_table_list WHERE name='jobs'",
    ),
    "postgresql": ("SELECT indexdef FROM pg_indexes WHERE tablename='jobs'",),
}


class Died(Exception):
    """The migration ends here."""


@pytest.fixture
def url(tmp_path: Path) -> str:
    """A database with the first layout, in which an instance is on its way."""
    found = new_url(tmp_path)
    engine = Engine(found)
    engine.start(engine.deploy(TWO), {"n": 1}, instance="one")
    engine.close()
    return found


def look(url: str) -> Any:
    """SQLAlchemy's view of a database."""
    address = url.replace("postgresql://", "postgresql+psycopg://")
    return create_engine(address, poolclass=NullPool)


def columns(url: str, table: str) -> set[str]:
    found = inspect(look(url))
    return {one["name"] for one in found.get_columns(table)} if found.has_table(table) else set()


def stamp(url: str) -> dict[str, str]:
    with look(url).connect() as connection:
        rows = connection.execute(text("SELECT key, value FROM meta WHERE key <> 'seal'"))
        return {key: value for key, value in rows}


def shape(url: str) -> Any:
    """What the database itself says of the table of jobs: columns, key, indexes, how it is kept."""
    engine = look(url)
    found = inspect(engine)
    with engine.connect() as connection:
        said = [
            sorted(" ".join(row[0].split()) for row in connection.execute(text(question)))
            for question in _OF_JOBS[engine.dialect.name]
        ]
    key = found.get_pk_constraint("jobs")["constrained_columns"]
    columns = [(one["name"], str(one["type"])) for one in found.get_columns("jobs")]
    return said, key, columns


def finish(engine: Engine) -> None:
    """Do the two jobs of the instance that was on its way, and prove it."""
    desk = Desk(engine)
    for _ in range(2):
        (lease,) = desk.claim(("work",), 1, "tester")
        assert desk.complete([(Held(lease.instance, lease.job, lease.attempt), {})]) == ["taken"]
    assert engine.instance("one").status == "completed"
    assert engine.verify("one") > 0


def done(url: str, *steps: chain.Revision, **more: Any) -> list[str]:
    return [one.step.id for one in migrate(url, known=known(*steps), **more)]


def test_a_new_database_has_the_newest_layout(url: str) -> None:
    assert stamp(url) == dict(new_stamp())
    assert list(migrate(url)) == []


def test_steps_are_done_in_their_order_and_what_was_there_stays(url: str) -> None:
    assert done(url, NOTE, REMARK, PLACES) == ["0002", "0003", "0004"]

    assert "remark" in columns(url, "instances")
    assert columns(url, "places") == {"name"}
    assert (stamp(url)["layout"], stamp(url)["engines"]) == ("0004", "0003")
    assert done(url, NOTE, REMARK, PLACES) == []
    with look(url).connect() as connection:
        found = connection.execute(text("SELECT id, status FROM instances")).fetchall()
    assert [tuple(row) for row in found] == [("one", "running")]


def test_an_engine_of_before_goes_on_after_what_only_adds(url: str) -> None:
    engine = Engine(url)
    assert done(url, NOTE, REMARK, only_pre=True) == ["0002"]

    finish(engine)
    engine.close()
    open_store(url).close()


def test_an_engine_of_the_new_version_goes_on_with_what_it_finds(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    chain_of_5 = known(NOTE, REMARK, PLACES, LEANER)
    done(url, *chain_of_5.steps[1:])
    monkeypatch.setattr(chain, "KNOWN", chain_of_5)

    engine = Engine(url)
    finish(engine)
    engine.close()


def test_a_table_that_is_built_anew_stays_what_it_was(url: str) -> None:
    done(url, NOTE, REMARK, PLACES)
    before = shape(url)

    assert done(url, NOTE, REMARK, PLACES, LEANER) == ["0005"]

    assert shape(url) == before
    assert "remark" not in columns(url, "instances")


def test_an_engine_of_before_refuses_what_it_cannot_live_with(url: str) -> None:
    done(url, NOTE, REMARK)

    with pytest.raises(StoreError, match=r"has layout 0003 of diglot .*, this version needs 0001"):
        open_store(url)


def test_a_migration_of_before_refuses_what_it_cannot_live_with(url: str) -> None:
    done(url, NOTE, REMARK)

    with pytest.raises(StoreError, match=r"use diglot .* or a later one"):
        done(url)


def test_a_dry_run_tells_the_statements_and_changes_nothing(url: str) -> None:
    before = stamp(url)

    found = list(migrate(url, known=known(NOTE, REMARK, PLACES), dry_run=True))

    assert [one.step.id for one in found] == ["0002", "0003", "0004"]
    assert any("ADD COLUMN note" in statement for statement in found[0].statements)
    assert any("CREATE TABLE places" in statement for statement in found[2].statements)
    assert stamp(url) == before
    assert columns(url, "places") == set()
    assert not {"note", "remark"} & columns(url, "instances")


@pytest.mark.parametrize("step", [NOTE, REMARK, PLACES])
def test_a_migration_that_dies_is_begun_again_where_it_was(url: str, step: chain.Revision) -> None:
    def die(at: chain.Revision) -> None:
        if at == step:
            raise Died

    with pytest.raises(Died):
        done(url, NOTE, REMARK, PLACES, on_step=die)
    steps = [FIRST, NOTE, REMARK, PLACES]
    assert stamp(url)["layout"] == steps[steps.index(step) - 1].id
    added = {"note", "remark"} & columns(url, "instances")
    assert added == {NOTE: set(), REMARK: {"note"}, PLACES: {"remark"}}[step]
    assert columns(url, "places") == set()

    left = done(url, NOTE, REMARK, PLACES)

    assert left == [one.id for one in steps[steps.index(step) :]]
    assert columns(url, "places") == {"name"}


def test_of_two_migrations_at_once_each_step_is_done_by_one(url: str) -> None:
    found: list[list[str]] = []
    threads = [
        threading.Thread(target=lambda: found.append(done(url, NOTE, REMARK, PLACES)))
        for _ in range(2)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert sorted(one for ids in found for one in ids) == ["0002", "0003", "0004"]
    assert stamp(url)["layout"] == "0004"


def test_what_only_adds_waits_for_what_comes_before_it(url: str) -> None:
    with pytest.raises(StoreError, match=r"stop every engine on it, and run: diglot migrate"):
        done(url, REMARK, PLACES, only_pre=True)
    assert stamp(url)["layout"] == "0001"


def test_an_engine_that_needs_a_step_says_what_to_run(url: str) -> None:
    found = chain.Stamp("0001", "0001", "0.1.0")
    with pytest.raises(StoreError, match=r"run: diglot migrate ADDRESS --phase pre"):
        known(NOTE).refuse_unfit(found, "runs", "ADDRESS")
    with pytest.raises(StoreError, match=r"stop every engine on it, and run: diglot migrate"):
        known(REMARK, PLACES).refuse_unfit(found, "runs", "ADDRESS")
    known(REMARK).refuse_unfit(found, "runs", "ADDRESS")


def test_what_an_engine_says_to_run_is_what_lets_it_in(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(chain, "KNOWN", known(NOTE))
    with pytest.raises(StoreError, match="this version needs 0002; run: ") as refused:
        open_store(url)
    program, command, address, *phase = shlex.split(str(refused.value).split("run: ")[1])
    assert (program, command, phase) == ("diglot", "migrate", ["--phase", "pre"])

    assert done(address, NOTE, only_pre=True) == ["0002"]

    open_store(url).close()


def test_an_empty_database_is_not_migrated(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'empty.db'}"
    with look(url).connect() as connection:
        connection.execute(text("PRAGMA user_version=1"))

    with pytest.raises(StoreError, match="is empty; the first engine that opens it makes"):
        list(migrate(url))


def test_the_database_of_another_program_is_left_alone(tmp_path: Path) -> None:
    url = new_url(tmp_path)
    open_store(url).close()
    with look(url).begin() as connection:
        connection.execute(text("DELETE FROM meta"))

    with pytest.raises(StoreError, match="database of another program"):
        list(migrate(url))


def test_what_is_no_database_is_refused(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="there is no database"):
        list(migrate(f"sqlite:///{tmp_path}/none.db"))
    with pytest.raises(CallerError, match="not a database URL"):
        list(migrate("mysql://somewhere"))


def test_a_result_that_is_being_written_and_a_step_wait_for_each_other(url: str) -> None:
    engine = Engine(url)
    waits = threading.Event()

    def slowly(_: chain.Revision) -> None:
        threading.Timer(0.2, waits.set).start()
        waits.wait()

    worker = threading.Thread(target=lambda: engine.submit("one", c.SuspendInstance("tester")))
    migration = threading.Thread(target=lambda: done(url, NOTE, on_step=slowly))
    migration.start()
    worker.start()
    migration.join()
    worker.join()

    assert engine.instance("one").status == "suspended"
    assert stamp(url)["layout"] == "0002"
    engine.close()
