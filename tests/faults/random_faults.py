"""Processes that die, stand still and come back while others work: what was promised has to hold.

    python -m tests.faults.random_faults --minutes 5 --engines 4 --workers 4 --seed 1

Engines and workers are killed and stopped at random, and the database is; then all are left alone
until everything has ended, and everything is proven.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

from conformance.harness.postgres import Server

from diglot.runtime import events as e
from diglot.runtime.engine import Engine
from diglot.runtime.store import InstanceRow, open_store

from .calling import NoAnswer, ask
from .definitions import KINDS, Kind

ROOT = Path(__file__).resolve().parents[2]
#: How long everything may take to end once nothing is disturbed any more.
SETTLE_S = 90.0
#: So many starts may be without an answer before they are asked for again.
MOST_UNSURE = 10
#: What is not flushed is lost with the machine, not with the process, which is all that dies here.
SETTINGS = ("fsync=off",)
#: What can happen, with its weight.
FAULTS = {"kill engine": 4, "kill worker": 4, "stop engine": 2, "stop worker": 2, "server": 1}


class Process:
    """An engine or a worker, which can be begun again."""

    def __init__(self, log: Path, *arguments: str) -> None:
        self._log = log
        self._arguments = arguments
        self.begin()

    def begin(self) -> None:
        """Let it begin, as a process that knows nothing."""
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(
                [sys.executable, "-m", *self._arguments], cwd=ROOT, stdout=log, stderr=log
            )
        self.wakes_s: float | None = None

    def signal(self, number: int) -> None:
        """Send it a signal."""
        self._process.send_signal(number)

    def end(self) -> None:
        """Kill it."""
        self._process.kill()
        self._process.wait()


class Town:
    """The database, engines and workers, and what is asked of them."""

    def __init__(self, store: str, engines: int, workers: int, seed: int) -> None:
        self.chance = random.Random(seed)
        self.folder = Path(tempfile.mkdtemp(prefix="faults-", dir="/tmp"))
        self.server: Server | None = None
        if store == "postgres":
            self.server = Server(*SETTINGS).create().start()
            self.url = self.server.database()
        else:
            self.url = f"sqlite:///{self.folder / 'runs.db'}"
        engine = Engine(self.url, secrets=lambda name: None)
        self.digests = {name: engine.deploy(kind.graph) for name, kind in KINDS.items()}
        engine.close()
        self.sockets = [self.folder / f"e{number}" for number in range(engines)]
        self.engines = [
            Process(
                self.folder / f"e{number}.log",
                "tests.faults.engine_process", self.url, str(path),
            )
            for number, path in enumerate(self.sockets)
        ]  # fmt: skip
        self.workers = [
            Process(
                self.folder / f"w{number}.log", "tests.faults.worker_process", f"w{number}",
                str(self.folder / f"w{number}.journal"), str(seed), *map(str, self.sockets),
            )
            for number in range(workers)
        ]  # fmt: skip
        self.counts: Counter[str] = Counter()
        #: Instances whose start was acknowledged, each with its kind; starts without an answer;
        #: messages that are to be sent.
        self.started: dict[str, str] = {}
        self._unsure: list[tuple[str, str]] = []
        self._messages: list[str] = []

    # -- what goes on

    def live(self, seconds: float, most_open: int) -> None:
        """Ask for work, and let things happen to those who do it."""
        until_s = time.monotonic() + seconds
        next_s = time.monotonic() + 1.0
        while time.monotonic() < until_s:
            if time.monotonic() >= next_s:
                self.fault()
                next_s = time.monotonic() + self.chance.uniform(0.2, 1.2)
            self.wake()
            if len(self.started) < most_open:
                self.ask_for_one()
            self.send()
            time.sleep(0.02)

    def ask_for_one(self, again: float = 0.5) -> None:
        """Start an instance; one without an answer is asked for again, as the same one."""
        if len(self._unsure) >= MOST_UNSURE or (self._unsure and self.chance.random() < again):
            kind, instance = self._unsure.pop(0)
        else:
            kind = self.chance.choice([name for name in KINDS if name != "answers"])
            instance = f"{kind}-{len(self.started) + len(self._unsure):05}"
        try:
            ask(
                self.chance.choice(self.sockets), "start",
                definition=self.digests[kind], instance=instance,
            )  # fmt: skip
        except NoAnswer:
            self.counts["starts without an answer"] += 1
            self._unsure.append((kind, instance))
            return
        self.started[instance] = kind
        if KINDS[kind].hears:
            self._messages.append(instance)

    def send(self) -> None:
        """Send a message to an instance that waits for one, or will; now and then twice."""
        if not self._messages:
            return
        instance = self._messages[0]
        event = {
            "id": f"paid {instance}", "source": "/town", "type": "paid",
            "diglotkind": "message", "data": {"id": instance},
        }  # fmt: skip
        try:
            ask(self.chance.choice(self.sockets), "publish", event=event)
        except NoAnswer:
            self.counts["messages without an answer"] += 1
            return
        if self.chance.random() < 0.8:
            self._messages.pop(0)

    def fault(self) -> None:
        """Something happens."""
        names = [name for name in FAULTS for _ in range(FAULTS[name])]
        name = self.chance.choice(names)
        if name == "server":
            self._shake_server()
            return
        self.counts[name] += 1
        what, _, who = name.partition(" ")
        victim = self.chance.choice(self.engines if who == "engine" else self.workers)
        if what == "kill":
            victim.end()
            victim.begin()
        elif victim.wakes_s is None:
            victim.signal(signal.SIGSTOP)
            victim.wakes_s = time.monotonic() + self.chance.uniform(0.2, 5.0)

    def wake(self, *, all: bool = False) -> None:
        """Let those go on that have stood still for long enough."""
        for one in (*self.engines, *self.workers):
            if one.wakes_s is not None and (all or time.monotonic() >= one.wakes_s):
                one.signal(signal.SIGCONT)
                one.wakes_s = None

    def _shake_server(self) -> None:
        if self.server is None:
            return
        what = self.chance.choice(("stop", "kill"))
        self.counts[f"{what} server"] += 1
        getattr(self.server, what)()
        time.sleep(self.chance.uniform(0.1, 1.5))
        insist(self.server.start)

    # -- the end

    def settle(self) -> None:
        """Leave everything alone until all is over.

        Raises:
            AssertionError: something does not end.
        """
        self.wake(all=True)
        until_s = time.monotonic() + SETTLE_S
        store = open_store(self.url)
        while True:
            while self._unsure or self._messages:
                assert time.monotonic() < until_s, "nobody answers"
                if self._unsure:
                    self.ask_for_one(again=1.0)
                self.send()
                time.sleep(0.005)
            rows = store.instances(limit=1_000_000)
            left = [row.id for row in rows if row.ended_ms is None]
            if not left and not store.due_outbox(2**60, 1) and not store.open_inbox(1):
                break
            assert time.monotonic() < until_s, f"not over: {left[:20]}; see {self.folder}"
            time.sleep(0.2)
        store.close()

    def prove(self) -> None:
        """What was acknowledged is there, everything was done, and each result was taken once."""
        did, taken = self._journals()
        engine = Engine(self.url, secrets=lambda name: None)
        rows = engine.store.instances(limit=1_000_000)
        names = {digest: name for name, digest in self.digests.items()}
        assert set(self.started) <= {row.id for row in rows}, "an acknowledged start is lost"
        closed: set[str] = set()
        for row in rows:
            self.counts["events"] += engine.verify(row.id)
            closed |= self._proven(engine, row, names[row.definition])
        asks = sum(kind == "asks" for kind in self.started.values())
        answers = sum(names[row.definition] == "answers" for row in rows)
        assert answers == asks, f"{asks} messages began {answers} instances"
        undone = closed - set(did)
        assert not undone, f"done by nobody: {sorted(undone)[:5]}"
        lost = set(taken) - closed
        assert not lost, f"taken, and not there: {sorted(lost)[:5]}"
        twice = [key for key, times in taken.items() if times > 1]
        assert not twice, f"taken twice: {twice[:5]}"
        assert engine.store.leases() == []
        engine.close()
        self.counts["instances"] = len(rows)
        self.counts["jobs"] = len(closed)
        self.counts["side effects"] = sum(did.values())

    def _proven(self, engine: Engine, row: InstanceRow, kind: str) -> set[str]:
        """The keys of the jobs of an instance, each of which has ended once."""
        events = [x for _, _, events in engine.store.history(row.id) for x in events]
        nodes = {x.id: x.node for x in events if isinstance(x, e.JobOpened)}
        ended = [x.id for x in events if isinstance(x, e.JobClosed) and x.outcome != "cancelled"]
        assert len(ended) == len(set(ended)), f"{row.id}: a job has several results"
        found = dict(Counter(nodes[id] for id in ended))
        assert found == KINDS[kind].jobs, f"{row.id}: {found}"
        assert row.status == _status(KINDS[kind]), f"{row.id} is {row.status}: {row.error}"
        return {f"{row.id}.{id}" for id in ended}

    def _journals(self) -> tuple[Counter[str], Counter[str]]:
        """How often each key had its side effect, and how often its result was taken."""
        did: Counter[str] = Counter()
        taken: Counter[str] = Counter()
        for path in self.folder.glob("*.journal"):
            for line in path.read_text().splitlines():
                what, _, rest = line.partition(" ")
                key = rest.rpartition(" ")[0]
                did[key] += what == "did"
                taken[key] += what == "taken"
                if what in ("late", "repeated", "taken"):
                    self.counts[f"results {what}"] += 1
        return did, +taken

    def close(self) -> None:
        """End everybody."""
        for one in (*self.engines, *self.workers):
            one.end()
        if self.server is not None:
            self.server.remove()


def _status(kind: Kind) -> str:
    return "faulted" if kind is KINDS["retry"] else "completed"


def insist(do: Callable[[], Any]) -> None:
    """Start a server whose former processes may not have gone yet."""
    for _ in range(50):
        try:
            do()
            return
        except AssertionError:
            time.sleep(0.1)
    do()


def main(arguments: list[str]) -> int:
    """Run, prove, and print what there was."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=1.0)
    parser.add_argument("--engines", type=int, default=4)
    parser.add_argument("--workers", type=int, default=4)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--most", type=int, default=5_000, help="so many instances are started")
    parser.add_argument("--store", choices=("postgres", "sqlite"), default="postgres")
    given = parser.parse_args(arguments)
    town = Town(given.store, given.engines, given.workers, given.seed)
    try:
        town.live(given.minutes * 60, given.most)
        began_s = time.monotonic()
        town.settle()
        settled_s = time.monotonic() - began_s
        town.prove()
    finally:
        town.close()
    shutil.rmtree(town.folder)
    for what, count in sorted(town.counts.items()):
        print(f"{count:8} {what}")
    print(f"{settled_s:8.1f} seconds until everything had ended; all of it is proven")
    return 0


if __name__ == "__main__":
    os.environ.setdefault("PYTHONWARNINGS", "ignore")
    sys.exit(main(sys.argv[1:]))
