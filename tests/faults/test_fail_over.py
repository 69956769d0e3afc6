"""The primary is lost and its standby takes over: nothing that was acknowledged is lost."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest

from diglot.runtime.engine import Engine
from faults.calling import NoAnswer, ask
from faults.random_faults import Process
from faults.standby import Pair
from support.graphs import process

pytestmark = pytest.mark.slow

WORK = process("start -> a -> b -> end")
#: How long engines may take to go on once there is a server again.
RECOVERY_S = 5.0
#: So many starts before, and after.
MANY = 100
PATIENCE_S = 60.0


@pytest.fixture
def pair() -> Iterator[Pair]:
    pair = Pair()
    yield pair
    pair.remove()


class Load:
    """Clients that start instances and workers that end them; what they were told is kept."""

    def __init__(self, engines: list[Path], digest: str) -> None:
        self._engines = engines
        self._digest = digest
        self._done = threading.Event()
        self.started: list[str] = []
        self.finished: list[str] = []
        #: The moments of the answers.
        self.answers_s: list[float] = []
        self._threads = [
            *(threading.Thread(target=self._start, args=(number,)) for number in range(2)),
            *(threading.Thread(target=self._work, args=(number,)) for number in range(2)),
        ]
        for thread in self._threads:
            thread.start()

    def _start(self, client: int) -> None:
        number = 0
        while not self._done.wait(0.005):
            instance = f"c{client}-{number}"
            try:
                ask(
                    self._engines[(client + number) % 2], "start",
                    definition=self._digest, instance=instance,
                )  # fmt: skip
            except NoAnswer:
                continue
            self.started.append(instance)
            self.answers_s.append(time.monotonic())
            number += 1

    def _work(self, worker: int) -> None:
        while not self._done.is_set():
            try:
                jobs = ask(self._engines[worker], "claim", worker=f"w{worker}", most=10)
                for job in jobs:
                    output = {job["node"]: 1}
                    answer = ask(self._engines[worker], "complete", held=job["held"], output=output)
                    if answer == "taken":
                        self.finished.append(job["key"])
            except NoAnswer:
                continue

    def go_on_for(self, starts: int) -> None:
        """Wait until so many more instances have begun."""
        wanted = len(self.started) + starts
        until_s = time.monotonic() + PATIENCE_S
        while len(self.started) < wanted:
            assert time.monotonic() < until_s, f"{len(self.started)} starts, not {wanted}"
            time.sleep(0.01)

    def stop(self) -> None:
        """End; what is asked for is waited for."""
        self._done.set()
        for thread in self._threads:
            thread.join()


def outage_s(moments: list[float]) -> float:
    """The longest time without an answer."""
    ordered = sorted(moments)
    return max(after - before for before, after in pairwise(ordered))


def test_engines_go_on_with_the_standby_and_nothing_acknowledged_is_lost(
    pair: Pair, tmp_path: Path
) -> None:
    database = pair.primary.database().partition("@/")[2].partition("?")[0]
    url = pair.url(database)
    engine = Engine(url, secrets=lambda name: None)
    digest = engine.deploy(WORK)
    engine.close()
    sockets = [tmp_path / "e0", tmp_path / "e1"]
    processes = [
        Process(tmp_path / f"{path.name}.log", "tests.faults.engine_process", url, str(path))
        for path in sockets
    ]
    load = Load(sockets, digest)
    try:
        load.go_on_for(MANY)
        began_s = time.monotonic()

        pair.fail_over()

        promoted_s = time.monotonic()
        load.go_on_for(MANY)
    finally:
        load.stop()
        for one in processes:
            one.end()

    print(
        f"{len(load.started)} starts; promoted after {promoted_s - began_s:.2f} s,"
        f" without an answer for {outage_s(load.answers_s):.2f} s"
    )
    assert outage_s(load.answers_s) < promoted_s - began_s + RECOVERY_S
    engine = Engine(url, secrets=lambda name: None)
    ids = set(engine.store.ids("", 10**6))
    assert set(load.started) <= ids
    for instance in ids:
        engine.verify(instance)
    # What was taken is no job any more.
    for key in load.finished:
        instance, _, job = key.rpartition(".")
        assert int(job) not in engine.state(instance).jobs
    engine.close()


def test_the_lost_server_is_rebuilt_and_takes_its_place_again(pair: Pair) -> None:
    database = pair.primary.database().partition("@/")[2].partition("?")[0]
    engine = Engine(pair.url(database), secrets=lambda name: None)
    digest = engine.deploy(WORK)
    engine.start(digest, {}, instance="first")

    pair.fail_over()
    engine.start(digest, {}, instance="second")
    engine.close()
    pair.rebuild()
    engine = Engine(pair.url(database), secrets=lambda name: None)
    engine.start(digest, {}, instance="third")
    pair.fail_over()
    engine.start(digest, {}, instance="fourth")

    assert engine.store.ids("", 10) == ["first", "fourth", "second", "third"]
    for instance in engine.store.ids("", 10):
        engine.verify(instance)
    engine.close()
