"""A database as the store sees it: transactions, and a connection within one."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager
from typing import Any, Protocol

from diglot.runtime.errors import StoreError

from .contract import CommitHook


class CommitUnknown(StoreError):
    """The connection broke while a commit was under way: it may be on disk, or not."""


class Rows(Protocol):
    """What a statement found or did."""

    @property
    def rowcount(self) -> int:
        """How many rows it changed."""
        ...

    def fetchone(self) -> Any:
        """The next row, or nothing."""
        ...

    def fetchall(self) -> list[Any]:
        """All rows that are left."""
        ...


class Connection(Protocol):
    """A connection in a transaction. Statements number their parameters as SQLite does.

    Where only one transaction writes at a time, `for_update` and `skip_locked` are empty, and
    `alone` and `beside` have nothing to do.
    """

    #: At the end of a SELECT: nobody else changes the rows before this transaction has ended.
    for_update: str
    #: The same, and rows that somebody else is about to change are left out.
    skip_locked: str

    def execute(self, statement: str, parameters: Sequence[Any] = (), /) -> Rows:
        """Do one statement."""
        ...

    def executemany(self, statement: str, parameters: Iterable[Sequence[Any]], /) -> object:
        """Do one statement once with each of these."""
        ...

    def unanswered(self) -> AbstractContextManager[object]:
        """Statements whose answers nobody asks for: what is wrong with one shows at the end."""
        ...

    def change_each(self, statement: str, parameters: Sequence[Sequence[Any]], /) -> Sequence[bool]:
        """Do one statement once with each of these; whether it changed a row.

        No two of them begin with the same value, which is that of an `id`.
        """
        ...

    def find_each(self, statement: str, keys: Sequence[tuple[Any, ...]], /) -> list[Any]:
        """The row that a SELECT finds for each of these, or nothing; it is held as `for_update`.

        Its parameters are the values of columns, by equality.
        """
        ...

    def find_all(self, statement: str, keys: Sequence[tuple[Any, ...]], /) -> list[list[Any]]:
        """The rows that a SELECT finds for each of these, in its order.

        Its parameters are the values of columns, by equality.
        """
        ...

    def alone(self, what: str) -> None:
        """Let nobody else be `alone` with this, or `beside` it, until the transaction has ended."""
        ...

    def beside(self, what: str) -> None:
        """Let nobody be `alone` with this until the transaction has ended."""
        ...


class Database(ABC):
    """Transactions on one database, safe in any thread. Every method raises `StoreError`."""

    #: Where it is, for people: no password stands in it.
    path: str
    #: Its address as it is typed in a shell, without a password.
    address: str
    on_commit: CommitHook | None

    @abstractmethod
    def close(self) -> None:
        """Let go of the database."""

    @abstractmethod
    def _transaction(self) -> AbstractContextManager[Connection]:
        """Statements that are done together or not at all; on disk when it is left."""

    @abstractmethod
    def _snapshot(self) -> AbstractContextManager[Connection]:
        """Several reads of one moment, whatever others write meanwhile."""

    @abstractmethod
    def _all(self, statement: str, parameters: Sequence[Any] = ()) -> list[Any]:
        """Every row that one statement finds."""

    @abstractmethod
    def _is_lost(self, error: BaseException | None) -> bool:
        """Whether the database said no to everything, not to what was written into it."""

    def _one(self, statement: str, parameters: Sequence[Any] = ()) -> Any:
        found = self._all(statement, parameters)
        return found[0] if found else None

    def _do(self, statement: str, parameters: Sequence[Any] = ()) -> int:
        with self._transaction() as connection:
            return connection.execute(statement, parameters).rowcount
