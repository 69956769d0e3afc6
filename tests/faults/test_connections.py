"""Connections to PostgreSQL that break at every commit, at once, for a while, or without a word."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Iterator

import pytest
from conformance.harness.postgres import Server

from faults.house import House
from faults.proxy import Proxy

#: The output of the process, whatever happens to its connections.
OUTPUT = {"n": "a", "a": "a", "b": "b", "c": "c"}
IDLE_300_MS = "options=-c%20idle_in_transaction_session_timeout%3D300"


@pytest.fixture
def proxy(postgres: Server) -> Iterator[Proxy]:
    proxy = Proxy(postgres.folder)
    yield proxy
    proxy.close()


@pytest.fixture
def house(postgres: Server, proxy: Proxy) -> Iterator[House]:
    house = House(proxy.url(postgres.laid_out()))
    yield house
    proxy.accept()
    house.close()


@pytest.mark.slow
@pytest.mark.parametrize("moment", ["asked", "answered"])
def test_a_commit_that_is_cut_is_found_out_and_done_once(
    house: House, proxy: Proxy, moment: str
) -> None:
    commits: list[str] = []
    house.engine.store.on_commit = commits.append
    plain = house.run("plain")
    house.engine.store.on_commit = None
    assert house.engine.instance("plain").output == OUTPUT
    number = 0

    while True:
        number += 1
        proxy.cut_at(moment, number)
        instance = f"i{number:03}"

        assert house.run(instance) == plain, f"commit {number} was cut"
        assert house.engine.instance(instance).output == OUTPUT
        if proxy.commits < number:
            break

    # Every commit of the process was cut once.
    assert number > commits.count("before") > 8


def test_connections_that_break_all_at_once_are_had_anew(house: House, proxy: Proxy) -> None:
    # Each thread that looks at the same time leaves a connection behind.
    plain = house.run("plain")
    for number in range(3):
        threads = [threading.Thread(target=house.engine.store.instances) for _ in range(30)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        proxy.reset()

        assert house.run(f"i{number}") == plain

    assert house.refusals == 0


def test_a_database_that_lets_nobody_in_for_a_while_is_waited_for(
    house: House, proxy: Proxy
) -> None:
    plain = house.run("plain")
    proxy.refuse()
    back = threading.Timer(1.5, proxy.accept)
    began_s = time.monotonic()
    back.start()

    assert house.run("one") == plain

    back.join()
    assert house.refusals == 0
    assert time.monotonic() - began_s < 1.5 + 1.5


@pytest.mark.parametrize("seed", range(3))
def test_connections_that_break_at_any_time_lose_nothing(
    house: House, proxy: Proxy, seed: int
) -> None:
    plain = house.run("plain")
    chance = random.Random(seed)
    done = threading.Event()

    def break_now_and_then() -> None:
        while not done.wait(chance.uniform(0.01, 0.1)):
            proxy.reset()

    breaking = threading.Thread(target=break_now_and_then)
    breaking.start()
    try:
        told = [house.run(f"i{number}") for number in range(3)]
    finally:
        done.set()
        breaking.join()

    assert told == [plain] * 3


def test_a_connection_that_stands_still_goes_on_where_it_was(house: House, proxy: Proxy) -> None:
    plain = house.run("plain")
    proxy.stall()
    back = threading.Timer(0.7, proxy.go_on)
    back.start()

    assert house.run("one") == plain

    back.join()
    assert house.refusals == 0


def test_an_engine_whose_connection_stands_still_does_not_hold_up_the_others(
    postgres: Server, proxy: Proxy
) -> None:
    url = postgres.laid_out()
    stuck, other = House(f"{proxy.url(url)}&{IDLE_300_MS}"), House(url)
    stuck.engine.start(stuck.digest, {"n": 1}, instance="one")
    stuck.answers.add("late")
    # For a third of a second nobody else does what the one that stands still was doing.
    other.rounds = 10_000
    stands = threading.Event()

    def stand_still(moment: str) -> None:
        # It holds the rows of the instance, and can neither commit nor be told.
        if moment == "before" and not stands.is_set():
            proxy.stall()
            stands.set()

    stuck.engine.store.on_commit = stand_still
    holding = threading.Thread(target=lambda: stuck.finish("one"), daemon=True)
    holding.start()
    try:
        assert stands.wait(10)
        other.finish("one")
    finally:
        proxy.go_on()
        holding.join()

    assert other.engine.instance("one").output == OUTPUT
    assert stuck.told("one") == other.told("one") == other.run("plain")
    stuck.close()
    other.close()
