"""Workers that die, or are too slow: the job is done again under the same key, and counts once."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from diglot.runtime.desk import Desk, Held
from diglot.runtime.engine import Settings
from diglot.runtime.scheduler import settle
from diglot.runtime.store import Lease
from support.graphs import process
from support.runs import Run
from support.stores import new_url

pytestmark = pytest.mark.both_stores

ROOT = Path(__file__).resolve().parents[2]
ONE = process("start -> a -> end")
MOST_ATTEMPTS = 2


class Shop:
    """An engine, and workers in processes of their own that die before they report."""

    def __init__(self, folder: Path) -> None:
        self.url = new_url(folder)
        self.journal = folder / "journal"
        self.run = Run(self.url, settings=Settings(most_attempts=MOST_ATTEMPTS))
        self.desk = Desk(self.run.engine)
        self.instance = self.run.engine.start(self.run.engine.deploy(ONE), {}, instance="i")

    def let_one_die(self) -> None:
        """A worker does the job and is killed before it says so; its lease ends."""
        now_ms = str(self.run.clock.now_ms())
        died = subprocess.run(
            [
                sys.executable, "-m", "tests.faults.dying_worker", self.url, now_ms,
                str(self.journal),
            ],
            cwd=ROOT, check=False, capture_output=True, text=True,
        )  # fmt: skip
        assert died.returncode == -signal.SIGKILL, died.stderr
        self.run.advance(10_000)

    @property
    def done(self) -> list[str]:
        """The side effects: each key with its attempt."""
        return self.journal.read_text().splitlines()


@pytest.fixture
def shop(tmp_path: Path) -> Iterator[Shop]:
    shop = Shop(tmp_path)
    yield shop
    shop.run.engine.close()


def held(lease: Lease) -> Held:
    return Held(lease.instance, lease.job, lease.attempt)


def test_a_worker_that_dies_before_its_report_leaves_the_job_under_the_same_key(
    shop: Shop,
) -> None:
    shop.let_one_die()

    (again,) = shop.desk.claim(["work"], 1, "w")
    assert shop.done == [f"{again.idempotency_key} 1"]
    assert again.attempt == 2
    assert shop.desk.complete([(held(again), {"n": 1})]) == ["taken"]
    assert shop.run.row("i").output == {"n": 1}
    assert shop.run.engine.verify("i") > 0


def test_a_job_that_kills_every_worker_fails_after_so_many(shop: Shop) -> None:
    for _ in range(MOST_ATTEMPTS):
        assert shop.run.row("i").status == "running"
        shop.let_one_die()

    assert shop.desk.claim(["work"], 1, "w") == []
    assert shop.run.row("i").status == "faulted"
    assert "attempts gave no result" in str(shop.run.row("i").error)
    assert [line.split()[1] for line in shop.done] == ["1", "2"]


def test_a_worker_that_is_too_slow_is_told_so_and_its_result_is_not_taken(shop: Shop) -> None:
    (slow,) = shop.desk.claim(["work"], 1, "slow", lease_s=5)
    shop.run.clock.advance(5_000)
    settle(shop.run.engine)
    (quick,) = shop.desk.claim(["work"], 1, "quick", lease_s=5)

    assert [beat.until_ms for beat in shop.desk.beat([(held(slow), None)])] == [None]
    assert shop.desk.complete([(held(slow), {"by": "slow"})]) == ["late"]
    assert shop.desk.complete([(held(quick), {"by": "quick"})]) == ["taken"]
    assert shop.desk.complete([(held(slow), {"by": "slow"})] * 2) == ["late", "late"]
    assert shop.desk.complete([(held(quick), {"by": "quick"})]) == ["repeated"]

    assert slow.idempotency_key == quick.idempotency_key
    assert shop.run.row("i").output == {"by": "quick"}
    assert shop.run.engine.verify("i") > 0
