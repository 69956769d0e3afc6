"""Bringing a database from its layout to that of this version, step by step.

A step and the stamp that says so are one transaction, so a migration that dies can be begun again,
and of two at once each step is done by one.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from diglot.runtime.errors import CallerError, StoreError

from . import chain
from .address import NO_DRIVER, file_behind, shown_to_a_shell
from .layout import LOCK, own_version, read_stamp
from .numbered import lock_key
from .sqlite_file import open_file, why

if TYPE_CHECKING:
    from sqlalchemy import Connection, Engine

#: How long a step waits for a table that is in use, on PostgreSQL. Engines wait longer.
PATIENCE_S: Final = 10
#: Called when a step is done and not yet on disk.
StepHook = Callable[[chain.Revision], None]

_STAMP: Final = "SELECT key, value FROM meta WHERE key IN ('layout', 'engines', 'version')"


@dataclass(frozen=True, slots=True)
class Migrated:
    """A step, and the statements that it took."""

    step: chain.Revision
    statements: tuple[str, ...]


def migrate(
    url: str,
    *,
    only_pre: bool = False,
    dry_run: bool = False,
    known: chain.Chain = chain.KNOWN,
    on_step: StepHook = lambda step: None,
) -> Iterator[Migrated]:
    """Do the steps that a database lacks, and give each when it is on disk.

    With `only_pre` those that engines of before can live with, as long as none that they cannot
    comes before. A `dry_run` does the steps one on top of the other and takes all of them back.

    Raises:
        StoreError: there is no such database, it is none of ours, it is of a later version, or a
            step fails; what was done before stays done.
        CallerError: no database has such an address, or its driver is not installed.
    """
    with _opened(url) as (engine, path):
        stamp = _stamp(engine, path)
        known.refuse_newer(stamp, path)
        missing = known.after(stamp.layout)
        if only_pre:
            missing = _first_pre(missing, path, url)
        if dry_run:
            yield from _rehearse(engine, path, missing, known)
            return
        for step in missing:
            found = _do(engine, path, step, known, on_step)
            if found is not None:
                yield found


def _first_pre(
    missing: tuple[chain.Revision, ...], path: str, url: str
) -> tuple[chain.Revision, ...]:
    phases = [step.phase for step in missing]
    if "post" in phases and "pre" in phases[phases.index("post") :]:
        raise StoreError(
            f"{path} has to be brought to an earlier release first; stop every engine on it, and"
            f" run: diglot migrate {shown_to_a_shell(url)}"
        )
    return tuple(step for step in missing if step.phase == "pre")


def _do(
    engine: Engine, path: str, step: chain.Revision, known: chain.Chain, on_step: StepHook
) -> Migrated | None:
    """Do one step; nothing if somebody else has done it by now."""
    with _refusing(path), engine.connect() as connection:
        with connection.begin():
            _lock(connection)
            if step not in known.after(_read(connection, path).layout):
                return None
            statements = _upgrade(connection, step, known)
            on_step(step)
        return Migrated(step, statements)


def _rehearse(
    engine: Engine, path: str, missing: tuple[chain.Revision, ...], known: chain.Chain
) -> Iterator[Migrated]:
    with _refusing(path), engine.connect() as connection, connection.begin() as transaction:
        _lock(connection)
        # Somebody else may have done some by now.
        left = known.after(_read(connection, path).layout)
        found = [
            Migrated(step, _upgrade(connection, step, known)) for step in missing if step in left
        ]
        transaction.rollback()
    yield from found


def _upgrade(connection: Connection, step: chain.Revision, known: chain.Chain) -> tuple[str, ...]:
    """Do a step and stamp it; the statements that changed the layout."""
    from alembic.operations import Operations
    from alembic.runtime.migration import MigrationContext
    from sqlalchemy import event, text

    told: list[str] = []

    def tell(*given: Any) -> None:
        told.append(str(given[2]))

    module = import_module(f"{known.package}.step_{step.id}")
    event.listen(connection, "before_cursor_execute", tell)
    try:
        module.upgrade(Operations(MigrationContext.configure(connection)))
    finally:
        event.remove(connection, "before_cursor_execute", tell)
    for key, value in (
        ("layout", step.id),
        ("engines", known.engines_of(step.id)),
        ("version", own_version()),
    ):
        connection.execute(
            text("UPDATE meta SET value=:value WHERE key=:key"), {"key": key, "value": value}
        )
    return tuple(statement for statement in told if not statement.startswith(("SELECT", "PRAGMA")))


def _lock(connection: Connection) -> None:
    """Let no other migration begin; SQLite has done so with the transaction."""
    from sqlalchemy import text

    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": lock_key(LOCK)})
        # Whoever waits for a table keeps all engines waiting behind it.
        connection.execute(text(f"SET LOCAL lock_timeout='{PATIENCE_S}s'"))


def _stamp(engine: Engine, path: str) -> chain.Stamp:
    with _refusing(path), engine.connect() as connection, connection.begin():
        return _read(connection, path)


def _read(connection: Connection, path: str) -> chain.Stamp:
    from sqlalchemy import inspect, text

    tables = inspect(connection).get_table_names()
    if not tables:
        raise StoreError(f"{path} is empty; the first engine that opens it makes its tables")
    if "meta" not in tables:
        return read_stamp((), path)
    return read_stamp([tuple(row) for row in connection.execute(text(_STAMP))], path)


@contextmanager
def _refusing(path: str) -> Generator[None, None, None]:
    from sqlalchemy.exc import SQLAlchemyError

    try:
        yield
    except SQLAlchemyError as error:
        cause = getattr(error, "orig", None) or error
        raise StoreError(f"{path}: {str(cause).splitlines()[0]}") from error


@contextmanager
def _opened(url: str) -> Generator[tuple[Engine, str], None, None]:
    """A database as SQLAlchemy sees it, with transactions that begin when they are told to."""
    from sqlalchemy import create_engine, event
    from sqlalchemy.pool import NullPool

    file = file_behind(url)
    if file is None:
        try:
            import psycopg
        except ImportError:
            raise CallerError(NO_DRIVER) from None
        engine = create_engine(
            "postgresql+psycopg://", creator=lambda: psycopg.connect(url), poolclass=NullPool
        )
        path = shown_to_a_shell(url)
    else:
        if not Path(file).exists():
            raise StoreError(f"there is no database {file}")
        path = file
        engine = create_engine("sqlite://", creator=lambda: _file(file), poolclass=NullPool)
        event.listen(engine, "begin", _begin)
    try:
        yield engine, path
    finally:
        engine.dispose()


def _begin(connection: Connection) -> None:
    connection.exec_driver_sql("BEGIN IMMEDIATE")


def _file(path: str) -> sqlite3.Connection:
    try:
        return open_file(path)
    except sqlite3.Error as error:
        raise StoreError(f"{path} cannot be opened: {why(error)}") from error
