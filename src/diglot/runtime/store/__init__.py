"""Stores: where instances live between two steps."""

from __future__ import annotations

from diglot.runtime.errors import CallerError

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


def open_store(url: str, *, on_commit: CommitHook | None = None) -> Store:
    """The store behind a database URL: `sqlite:///file.db`, or `sqlite://` in memory.

    Raises:
        CallerError: no store is for such a URL.
        StoreError: the database cannot be opened.
    """
    if url == "sqlite://":
        return SqliteStore(":memory:", on_commit=on_commit)
    if url.startswith("sqlite:///"):
        return SqliteStore(url.removeprefix("sqlite:///"), on_commit=on_commit)
    raise CallerError(f"{url!r} is not a database URL; give sqlite:///FILE")
