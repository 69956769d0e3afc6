"""A database that has no room, no connection or no time left: calls fail whole, and go on later."""

from __future__ import annotations

import threading
import time
from contextlib import ExitStack, suppress
from operator import attrgetter
from pathlib import Path
from typing import Any

import psycopg
import pytest
from conformance.harness.postgres import FAST, Server

from diglot.runtime.errors import StoreError
from diglot.runtime.store import postgres as postgres_store
from faults.house import House

#: Enough for many pages of a SQLite file.
LARGE = {"text": "x" * 3_000}


@pytest.fixture
def url(postgres: Server) -> str:
    return postgres.laid_out()


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(postgres_store, "PATIENCE_S", 0.3)


# -- SQLite


def test_a_disk_that_is_full_again_and_again_leaves_nothing_half_written(tmp_path: Path) -> None:
    house = House(f"sqlite:///{tmp_path / 'runs.db'}")
    connection: Any = attrgetter("engine.store._connection")(house)
    plain = house.run("plain")

    (pages,) = connection.execute("PRAGMA page_count").fetchone()

    def make_room() -> None:
        nonlocal pages
        pages += 1
        for instance in house.engine.store.ids("", 100):
            house.engine.verify(instance)
        connection.execute(f"PRAGMA max_page_count={pages}")

    house.on_refusal = make_room
    connection.execute(f"PRAGMA max_page_count={pages}")
    number = 0
    while house.refusals < 30:
        number += 1
        assert house.run(f"i{number}", LARGE) == plain

    assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    house.close()


# -- PostgreSQL


@pytest.mark.usefixtures("impatient")
def test_a_pool_that_is_used_up_is_an_error_and_its_end_is_none(url: str) -> None:
    house = House(url)
    with ExitStack() as held:
        for number in range(postgres_store.MOST_CONNECTIONS):
            held.enter_context(house.engine.store.sole(f"held {number}"))

        with pytest.raises(StoreError, match="no connection was to be had"):
            house.engine.start(house.digest, {}, instance="one")

    house.run("one")
    house.close()


@pytest.mark.slow
def test_a_server_that_is_full_is_waited_for() -> None:
    server = Server(*FAST, "max_connections=12", "superuser_reserved_connections=0")
    server.create().start()
    try:
        house = House(server.laid_out())
        plain = house.run("plain")
        others = [psycopg.connect(server.url("postgres"))]
        others[0].autocommit = True
        others[0].execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE application_name LIKE 'diglot%'"
        )
        # Others are faster than the engine.
        with suppress(psycopg.OperationalError):
            while True:
                others.append(psycopg.connect(server.url("postgres")))
        back = threading.Timer(0.5, lambda: [one.close() for one in others])
        back.start()

        assert house.run("one") == plain

        back.join()
        assert house.refusals == 0
        house.close()
    finally:
        server.remove()


def test_a_statement_that_takes_too_long_fails_whole(url: str) -> None:
    house = House(f"{url}&options=-c%20statement_timeout%3D200")
    plain = house.run("plain")
    with psycopg.connect(url) as other:
        other.execute("LOCK TABLE jobs")
        with pytest.raises(StoreError, match="statement timeout"):
            house.engine.start(house.digest, {"n": 1}, instance="one")
        assert house.engine.store.ids("", 10) == ["plain"]

    assert house.run("one") == plain
    house.close()


def test_a_transaction_that_stands_still_too_long_is_done_again(url: str) -> None:
    house = House(f"{url}&options=-c%20idle_in_transaction_session_timeout%3D100")
    plain = house.run("plain")
    stood: list[str] = []

    def stand_still(moment: str) -> None:
        if moment == "before" and not stood:
            stood.append(moment)
            time.sleep(0.4)

    house.engine.store.on_commit = stand_still

    assert house.run("one") == plain
    assert stood
    house.close()
