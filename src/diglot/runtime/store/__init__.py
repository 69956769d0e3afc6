"""Stores: where instances live between two steps."""

from __future__ import annotations

from pathlib import Path

from diglot.runtime.errors import CallerError, StoreError

from .address import NO_DRIVER, file_behind
from .contract import CommitHook, DefinitionVersion, Done, InstanceRow, Lease, Save, Schedule, Store
from .sqlite import SqliteStore

__all__ = [
    "CommitHook",
    "DefinitionVersion",
    "Done",
    "InstanceRow",
    "Lease",
    "Save",
    "Schedule",
    "Store",
    "open_store",
]


def open_store(url: str, *, create: bool = True, on_commit: CommitHook | None = None) -> Store:
    """The store behind a database URL.

    `sqlite:///file.db`, `sqlite://` in memory, or `postgresql://user@host/database`. Without
    `create` a file that is not there is an error.

    Raises:
        CallerError: no store is for such a URL.
        StoreError: the database cannot be opened.
    """
    file = file_behind(url)
    if file is None:
        return _open_postgres(url, on_commit)
    if not create and file != ":memory:" and not Path(file).exists():
        raise StoreError(f"there is no database {file}; name the one that the run was kept in")
    return SqliteStore(file, on_commit=on_commit)


def _open_postgres(url: str, on_commit: CommitHook | None) -> Store:
    try:
        from .postgres import PostgresStore
    except ImportError:
        raise CallerError(NO_DRIVER) from None
    return PostgresStore(url, on_commit=on_commit)
