"""`diglot verify`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from diglot.runtime.engine import Engine
from diglot.runtime.errors import CorruptState
from diglot.runtime.store import Store, open_store

from .streams import tell

#: So many ids of instances are read at a time.
PAGE = 1_000


def verify_instances(instances: list[str], database: str | None, *, every: bool) -> int:
    """Prove instances; 1 if the history of one does not give its state.

    The first may be the address of the database.
    """
    if database is None and instances and "://" in instances[0]:
        database, *instances = instances
    if database is None:
        tell("diglot: verify needs the database: diglot verify URL --all")
        return 2
    if not instances and not every:
        tell("diglot: name the instances to prove, or give --all")
        return 2
    engine = Engine(open_store(database, create=False))
    try:
        return _prove(engine, _every(engine.store) if every else instances)
    finally:
        engine.close()


def _every(store: Store) -> Iterator[str]:
    """Every instance, however many there are."""
    ids = store.ids("", PAGE)
    while ids:
        yield from ids
        ids = store.ids(ids[-1], PAGE)


def _prove(engine: Engine, instances: Iterable[str]) -> int:
    proven = failed = looked_at = 0
    for instance in instances:
        try:
            events = engine.verify(instance)
        except CorruptState as error:
            failed += 1
            tell(f"{instance}: {error}", err=False)
        else:
            proven += 1
            looked_at += events
            tell(f"{instance}: {events} events give the state", err=False)
    if proven + failed > 1:
        tell(f"{looked_at} events in all", err=False)
    tell(f"{proven} proven, {failed} failed", err=False)
    return int(failed > 0)
