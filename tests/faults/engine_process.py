"""A process with an engine, its scheduler and its desk: `engine_process URL SOCKET`."""

from __future__ import annotations

import logging
import sys
import time
from pathlib import Path
from typing import Any

from diglot.runtime.desk import Desk, Held
from diglot.runtime.engine import Engine, Settings
from diglot.runtime.errors import StoreError
from diglot.runtime.scheduler import Scheduler
from diglot.runtime.store import Store, open_store

from .calling import serve

TYPES = ("work", "http")
LEASE_S = 2.0


def _opened(url: str) -> Store:
    """The store, once the database is there."""
    while True:
        try:
            return open_store(url)
        except StoreError as error:
            logging.warning("%s", error)
            time.sleep(0.1)


def main(url: str, path: str) -> None:
    """Answer until the process is ended."""
    logging.basicConfig(level=logging.WARNING, format="%(asctime)s %(name)s %(message)s")
    engine = Engine(_opened(url), secrets=lambda name: None, settings=Settings(most_attempts=1_000))
    desk = Desk(engine)
    Scheduler(engine).start()

    def start(definition: str, instance: str) -> str:
        return engine.start(definition, {"id": instance}, instance=instance)

    def claim(worker: str, most: int) -> list[dict[str, Any]]:
        leases = desk.claim(TYPES, most, worker, lease_s=LEASE_S, wait_s=0.5)
        return [
            {"held": (x.instance, x.job, x.attempt), "node": x.node, "key": x.idempotency_key}
            for x in leases
        ]

    def complete(held: tuple[str, int, int], output: Any) -> str:
        return desk.complete([(Held(*held), output)])[0]

    def fail(held: tuple[str, int, int], error: dict[str, Any]) -> str:
        return desk.fail([(Held(*held), error)])[0]

    def retry(held: tuple[str, int, int], error: dict[str, Any]) -> bool:
        return desk.retry([(Held(*held), error)], pause_s=0.05)[0]

    def publish(event: dict[str, Any]) -> bool:
        return engine.publish_event(event)

    serve(
        Path(path),
        {
            "start": start, "claim": claim, "complete": complete, "fail": fail, "retry": retry,
            "publish": publish,
        },
    )  # fmt: skip


if __name__ == "__main__":
    main(*sys.argv[1:])
