"""A SQLite file: opened so that a commit is on disk, and laid out once."""

from __future__ import annotations

import sqlite3
from pathlib import Path

_PRAGMAS = (
    "journal_mode=WAL",
    "synchronous=FULL",
    # Where fsync leaves the data in the disk's own memory (macOS), one that does not.
    "fullfsync=ON",
    "wal_autocheckpoint=4000",
    "cache_size=-65536",
)
#: How long a write waits for another process that writes.
BUSY_S = 30


def open_file(path: str) -> sqlite3.Connection:
    """A connection that commits when it is told to, and then to the disk."""
    if path != ":memory:":
        Path(path).absolute().parent.mkdir(parents=True, exist_ok=True)
    connection = sqlite3.connect(
        path, isolation_level=None, check_same_thread=False, timeout=BUSY_S
    )
    try:
        for pragma in _PRAGMAS:
            connection.execute(f"PRAGMA {pragma}")
    except BaseException:
        connection.close()
        raise
    return connection


_OF_THE_FILE = frozenset(
    (
        sqlite3.SQLITE_BUSY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_IOERR, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_READONLY,
    )
)  # fmt: skip


def is_of_the_file(error: BaseException | None) -> bool:
    """Whether the file said no to everything, not to what was written into it."""
    # The rest of the number is detail.
    return getattr(error, "sqlite_errorcode", 0) & 0xFF in _OF_THE_FILE


def why(error: Exception) -> str:
    """What the database or the system said; what to do where that is not plain."""
    if isinstance(error, OSError):
        return error.strerror or str(error)
    # The rest of the number is detail.
    match getattr(error, "sqlite_errorcode", 0) & 0xFF:
        case sqlite3.SQLITE_BUSY:
            return f"another process held the database for {BUSY_S} s; try again when it is done"
        case sqlite3.SQLITE_CANTOPEN:
            return "the file or its folder cannot be opened; see to their permissions"
        case sqlite3.SQLITE_READONLY:
            return "the file or its folder cannot be written to; see to their permissions"
        case sqlite3.SQLITE_NOTADB:
            return "the file is not a SQLite database; give another one"
        case sqlite3.SQLITE_CORRUPT:
            return f"the file is damaged ({error}); go back to a copy of it"
        case _:
            return str(error)
