"""A SQLite file: opened so that a commit is on disk, and laid out once."""

from __future__ import annotations

import sqlite3
from pathlib import Path


def open_file(path: str) -> sqlite3.Connection:
    """A connection that commits when it is told to, and then to the disk."""
    if path != ":memory:":
        Path(path).absolute().parent.mkdir(parents=True, exist_ok=True)
    connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=30)
    for pragma in (
        "journal_mode=WAL",
        "synchronous=FULL",
        "foreign_keys=ON",
        "wal_autocheckpoint=4000",
        "cache_size=-65536",
    ):
        connection.execute(f"PRAGMA {pragma}")
    return connection


def layout_statements() -> list[str]:
    """What makes the tables in an empty file."""
    # SQLAlchemy is needed once in a database's life; opening one does not pay for it.
    from sqlalchemy.dialects import sqlite
    from sqlalchemy.schema import CreateIndex, CreateTable

    from .tables import metadata

    dialect = sqlite.dialect()
    made: list[str] = []
    for table in metadata.sorted_tables:
        made.append(str(CreateTable(table).compile(dialect=dialect)))
        made.extend(
            str(CreateIndex(index).compile(dialect=dialect))
            for index in sorted(table.indexes, key=lambda index: str(index.name))
        )
    return made
