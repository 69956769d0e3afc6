"""`diglot verify`."""

from __future__ import annotations

import typer

from diglot.runtime.engine import Engine
from diglot.runtime.errors import CorruptState
from diglot.runtime.store import open_store


def verify_instances(instances: list[str], database: str | None, *, every: bool) -> int:
    """Prove instances; 1 if the history of one does not give its state."""
    if database is None:
        typer.echo("diglot: verify needs --database URL", err=True)
        return 2
    if not instances and not every:
        typer.echo("diglot: name the instances to prove, or give --all", err=True)
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
                typer.echo(f"{instance}: {error}")
            else:
                typer.echo(f"{instance}: {events} events give the state")
    finally:
        engine.close()
    typer.echo(f"{len(instances) - failed} proven, {failed} failed")
    return int(failed > 0)
