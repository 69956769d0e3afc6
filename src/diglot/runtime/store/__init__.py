"""Stores: where instances live between two steps."""

from __future__ import annotations

from pathlib import Path

from diglot.runtime.errors import CallerError, StoreError

from .contract import CommitHook, DefinitionVersion, InstanceRow, Lease, Save, Schedule, Store
from .sqlite import SqliteStore

__all__ = [
    "CommitHook",
    "DefinitionVersion",
    "InstanceRow",
    "Lease",
    "Save",
    "Schedule",
    "Store",
    "open_store",
]


def open_store(url: str, *, create: bool = True, on_commit: CommitHook | None = None) -> Store:
    """The store behind a database URL: `sqlite:///file.db`, or `sqlite://` in memory.

    Without `create` a file that is not there is an error.

    Raises:
        CallerError: no store is for such a URL.
        StoreError: the database cannot be opened.
    """
    if url == "sqlite://":
        return SqliteStore(":memory:", on_commit=on_commit)
    file = url.removeprefix("sqlite:///")
    if file in ("", url):
        raise CallerError(f"{url!r} is not a database URL; give sqlite:///FILE")
    if not create and not Path(file).exists():
        raise StoreError(f"there is no database {file}; name the one that the run was kept in")
    return SqliteStore(file, on_commit=on_commit)
