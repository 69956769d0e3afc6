"""A connection to a SQLite file, and transactions on it."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Generator
from contextlib import contextmanager
from typing import Any

from diglot.runtime.errors import StoreError

from .contract import CommitHook
from .sqlite_file import open_file, why

#: What the database says no with: its own errors, numbers and texts that no column holds.
_REFUSALS = (sqlite3.Error, OverflowError, UnicodeError)


class SqliteBase:
    """What all parts of the store do to their file."""

    def __init__(self, path: str, on_commit: CommitHook | None) -> None:
        self.path = path
        self.on_commit = on_commit
        self._lock = threading.RLock()
        try:
            self._connection = open_file(path)
        except (sqlite3.Error, OSError) as error:
            raise StoreError(f"{path} cannot be opened: {why(error)}") from error

    def close(self) -> None:
        """Let go of the file."""
        with self._lock:
            self._connection.close()

    @contextmanager
    def _transaction(self) -> Generator[sqlite3.Connection, None, None]:
        with self._lock:
            connection = self._connection
            try:
                connection.execute("BEGIN IMMEDIATE")
                yield connection
                if self.on_commit is not None:
                    self.on_commit("before")
                connection.execute("COMMIT")
            except _REFUSALS as error:
                self._roll_back()
                raise self._refusal(error) from error
            except BaseException:
                self._roll_back()
                raise
            if self.on_commit is not None:
                self.on_commit("after")

    @contextmanager
    def _snapshot(self) -> Generator[None, None, None]:
        """Several reads of one moment, whatever other processes write meanwhile."""
        with self._lock:
            try:
                self._connection.execute("BEGIN")
                yield
            except sqlite3.Error as error:
                raise self._refusal(error) from error
            finally:
                self._roll_back()

    def _refusal(self, error: Exception) -> StoreError:
        return StoreError(f"{self.path}: {why(error)}")

    def _roll_back(self) -> None:
        if self._connection.in_transaction:
            self._connection.execute("ROLLBACK")

    def _all(self, statement: str, parameters: tuple[Any, ...] = ()) -> list[Any]:
        with self._lock:
            try:
                return self._connection.execute(statement, parameters).fetchall()
            except _REFUSALS as error:
                raise self._refusal(error) from error

    def _one(self, statement: str, parameters: tuple[Any, ...] = ()) -> Any:
        found = self._all(statement, parameters)
        return found[0] if found else None

    def _do(self, statement: str, parameters: tuple[Any, ...] = ()) -> int:
        with self._transaction() as connection:
            return connection.execute(statement, parameters).rowcount
