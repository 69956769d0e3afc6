"""The embedded store: one file, write-ahead log, every commit on disk before it is acknowledged."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable, Generator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any

from diglot.runtime.errors import StoreError

from .address import shown_to_a_shell
from .contract import CommitHook
from .database import Connection
from .layout import layout_statements
from .sharing import Turns
from .sql_store import SqlStore
from .sqlite_file import is_of_the_file, open_file, why

#: What the database says no with: its own errors, numbers and texts that no column holds.
_REFUSALS = (sqlite3.Error, OverflowError, UnicodeError)


_NOTHING = nullcontext()


class _Writing:
    """The connection while it is the only one that writes."""

    __slots__ = ("execute", "executemany")

    for_update = skip_locked = ""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self.execute = connection.execute
        self.executemany = connection.executemany

    def unanswered(self) -> AbstractContextManager[object]:
        """Nothing waits for an answer anyway."""
        return _NOTHING

    def change_each(self, statement: str, parameters: Sequence[Sequence[Any]]) -> list[bool]:
        """Do one statement once with each of these; whether it changed a row."""
        return [self.execute(statement, one).rowcount > 0 for one in parameters]

    def find_each(self, statement: str, keys: Sequence[tuple[Any, ...]]) -> list[Any]:
        """The row that a SELECT finds for each of these, or nothing."""
        return [self.execute(statement, key).fetchone() for key in keys]

    def find_all(self, statement: str, keys: Sequence[tuple[Any, ...]]) -> list[list[Any]]:
        """The rows that a SELECT finds for each of these."""
        return [self.execute(statement, key).fetchall() for key in keys]

    def alone(self, what: str) -> None:
        """Nobody else writes anyway."""

    beside = alone


class SqliteStore(SqlStore):
    """A store in one SQLite file; `:memory:` is a database of its own for tests."""

    def __init__(self, path: str, *, on_commit: CommitHook | None = None) -> None:
        self.path = path
        self.address = shown_to_a_shell(f"sqlite:///{path}")
        self.on_commit = on_commit
        self._lock = threading.RLock()
        self._turns = Turns()
        try:
            self._connection = open_file(path)
        except (sqlite3.Error, OSError) as error:
            raise StoreError(f"{path} cannot be opened: {why(error)}") from error
        self._writing = _Writing(self._connection)
        try:
            with self._transaction() as connection:
                self._prepare(connection)
        except BaseException:
            self._connection.close()
            raise

    def close(self) -> None:
        """Let go of the file."""
        with self._lock:
            self._connection.close()

    def wakes(self, call: Callable[[], None]) -> None:
        """Other processes on the file are not heard; whoever waits looks again now and then."""

    def sole(self, what: str) -> AbstractContextManager[bool]:
        """One process writes a file; that of a command beside it does no harm."""
        return nullcontext(True)

    def _prepare(self, connection: Connection) -> None:
        tables = connection.execute(
            "SELECT name FROM sqlite_master WHERE type='table' AND name NOT LIKE 'sqlite%'"
        ).fetchall()
        if not tables:
            self._lay_out(connection, layout_statements("sqlite"))
        else:
            self._check_layout(connection, is_ours=("meta",) in tables)

    @contextmanager
    def _transaction(self) -> Generator[Connection, None, None]:
        with self._lock:
            connection = self._connection
            try:
                connection.execute("BEGIN IMMEDIATE")
                yield self._writing
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
    def _snapshot(self) -> Generator[Connection, None, None]:
        with self._lock:
            try:
                self._connection.execute("BEGIN")
                yield self._writing
            except sqlite3.Error as error:
                raise self._refusal(error) from error
            finally:
                self._roll_back()

    def _refusal(self, error: Exception) -> StoreError:
        return StoreError(f"{self.path}: {why(error)}")

    def _roll_back(self) -> None:
        if self._connection.in_transaction:
            self._connection.execute("ROLLBACK")

    def _all(self, statement: str, parameters: Sequence[Any] = ()) -> list[Any]:
        with self._lock:
            try:
                return self._connection.execute(statement, parameters).fetchall()
            except _REFUSALS as error:
                raise self._refusal(error) from error

    def _is_lost(self, error: BaseException | None) -> bool:
        return is_of_the_file(error)
