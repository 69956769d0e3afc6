"""A process that does jobs: `worker_process NAME JOURNAL SEED SOCKET...`.

Each side effect is a line in its journal, and so is each answer that a result was taken. It is
killed at any moment, as well between the two.
"""

from __future__ import annotations

import os
import random
import sys
import time
from pathlib import Path
from typing import Any

from .calling import NoAnswer, ask
from .definitions import FAILS, SHAKY

_ERROR = {"type": "https://example.com/oops", "status": 503, "title": "Oops"}


def main(name: str, journal: str, seed: str, *sockets: str) -> None:
    """Work until the process is ended."""
    chance = random.Random(f"{seed} {name} {os.getpid()}")
    engines = [Path(path) for path in sockets]
    log = os.open(journal, os.O_WRONLY | os.O_APPEND | os.O_CREAT)

    def note(*words: object) -> None:
        os.write(log, " ".join(str(word) for word in words).encode() + b"\n")

    while True:
        try:
            jobs = ask(chance.choice(engines), "claim", worker=name, most=chance.randrange(1, 6))
        except NoAnswer:
            time.sleep(0.05)
            continue
        for job in jobs:
            _do(job, engines, chance, note)


def _do(job: dict[str, Any], engines: list[Path], chance: random.Random, note: Any) -> None:
    held, node, key = job["held"], job["node"], job["key"]
    time.sleep(chance.choice((0, 0, 0.001, 0.01)))
    note("did", key, held[2])
    what, more = "complete", {"output": {node: node}}
    if node == FAILS:
        what, more = "fail", {"error": _ERROR}
    elif node == SHAKY and held[2] == 1:
        what, more = "retry", {"error": _ERROR}
    # Who gets no answer says it again, perhaps to another engine, until the job must be lost.
    for _ in range(6):
        try:
            answer = ask(chance.choice(engines), what, held=held, **more)
        except NoAnswer:
            time.sleep(0.1)
            continue
        note(answer, key, held[2])
        if chance.random() > 0.1:
            return


if __name__ == "__main__":
    main(*sys.argv[1:])
