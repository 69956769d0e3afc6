"""New databases for tests: SQLite, or PostgreSQL in tests that are run with both."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path

from diglot.runtime.store import Store, open_store

#: What makes an empty database where the test is not run with SQLite; its address.
_makers: list[Callable[[], str]] = []
_opened: list[Store] = []
#: So many stay open of a test that makes one after the other.
_MOST = 8


def new_url(folder: Path) -> str:
    """The address of an empty database that can be opened several times."""
    return _makers[-1]() if _makers else f"sqlite:///{folder / 'runs.db'}"


def new_store() -> Store:
    """An empty store, closed after the test, or when it has made some more."""
    while len(_opened) >= _MOST:
        _opened.pop(0).close()
    store = open_store(_makers[-1]() if _makers else "sqlite://")
    _opened.append(store)
    return store


@contextmanager
def made_by(maker: Callable[[], str]) -> Generator[None]:
    """Make new databases like this."""
    _makers.append(maker)
    try:
        yield
    finally:
        _makers.pop()


def close_all() -> None:
    """Close what is open still."""
    while _opened:
        _opened.pop().close()
