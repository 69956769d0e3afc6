"""A worker that dies between its side effect and its report: `dying_worker URL NOW_MS JOURNAL`."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

from diglot.runtime.clock import ManualClock
from diglot.runtime.desk import Desk
from diglot.runtime.engine import Engine


def main(url: str, now_ms: str, journal: str) -> None:
    """Claim one job, do it, and be gone."""
    engine = Engine(url, clock=ManualClock(int(now_ms)), secrets=lambda name: None)
    (lease,) = Desk(engine).claim(["work"], 1, "dies", lease_s=10)
    with Path(journal).open("a") as file:
        file.write(f"{lease.idempotency_key} {lease.attempt}\n")
    os.kill(os.getpid(), signal.SIGKILL)


if __name__ == "__main__":
    main(*sys.argv[1:])
