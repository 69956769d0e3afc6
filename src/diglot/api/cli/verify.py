"""`diglot verify`."""

from __future__ import annotations

from diglot.runtime.engine import Engine
from diglot.runtime.errors import CorruptState
from diglot.runtime.store import open_store

from .streams import tell


def verify_instances(instances: list[str], database: str | None, *, every: bool) -> int:
    """Prove instances; 1 if the history of one does not give its state."""
    if database is None:
        tell("diglot: verify needs --database URL")
        return 2
    if not instances and not every:
        tell("diglot: name the instances to prove, or give --all")
        return 2
    engine = Engine(open_store(database, create=False))
    failed = 0
    try:
        if every:
            instances = [row.id for row in engine.store.instances(limit=1_000_000)]
        for instance in instances:
            try:
                events = engine.verify(instance)
            except CorruptState as error:
                failed += 1
                tell(f"{instance}: {error}", err=False)
            else:
                tell(f"{instance}: {events} events give the state", err=False)
    finally:
        engine.close()
    tell(f"{len(instances) - failed} proven, {failed} failed", err=False)
    return int(failed > 0)
