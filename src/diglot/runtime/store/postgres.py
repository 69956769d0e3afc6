"""The store of many engines: a PostgreSQL database, and any number of processes on it."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from typing import Any, Final

import psycopg
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from psycopg.rows import TupleRow
from psycopg.types.numeric import Int8BinaryDumper, Int8Dumper
from psycopg_pool import ConnectionPool, PoolTimeout

from diglot.runtime.errors import StoreError

from . import chain, sql
from .address import shown_to_a_shell
from .arrays import columns, register
from .bulk import Bulk, Many
from .contract import CommitHook, Save
from .database import CommitUnknown, Connection
from .layout import LOCK, layout_statements
from .numbered import lock_key, numbered
from .packing import unpack
from .postgres_wakes import Wakes
from .sharing import Turns
from .sql_store import SqlStore

#: So many connections of one engine are open at most.
MOST_CONNECTIONS: Final = 10
#: How long a connection is waited for, and a database that went away.
PATIENCE_S: Final = 30.0
#: After this time it is tried again.
_PAUSE_S: Final = 0.05
#: A pool that cannot connect waits twice as long each time; asked anew, it tries at once.
_ASK_AGAIN_S: Final = 0.25
#: How it is found out, in seconds, that there is nobody any more at the other end of a connection.
_ALIVE: Final = {"keepalives_idle": "10", "keepalives_interval": "5", "keepalives_count": "4"}
#: Settings of every session that are not in the URL, in milliseconds: a statement of ours takes
#: far less, and a transaction whose engine is stuck must not hold its rows. A machine that is gone
#: without a word is noticed within half a minute, on either side.
_SETTINGS: Final = {
    "statement_timeout": "60000",
    "lock_timeout": "30000",
    "idle_in_transaction_session_timeout": "60000",
    "tcp_user_timeout": "30000",
    **{f"tcp_{name}": value for name, value in _ALIVE.items()},
}
#: Too many sessions; a lock that could not be had in time.
_PASSING: Final = frozenset(("53300", "55P03"))
_REFUSALS = (psycopg.Error, PoolTimeout, OverflowError, UnicodeError)
_Raw = psycopg.Connection[TupleRow]
_SNAPSHOT: Final = b"BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
_TABLES: Final = (
    "SELECT table_name FROM information_schema.tables WHERE table_schema=current_schema"
)


class _Writing:
    """A connection in a transaction."""

    __slots__ = ("_bulk", "_raw")

    for_update = " FOR UPDATE"
    skip_locked = " FOR UPDATE SKIP LOCKED"

    def __init__(self, raw: _Raw, bulk: Bulk) -> None:
        self._raw = raw
        self._bulk = bulk

    def execute(self, statement: str, parameters: Sequence[Any] = ()) -> psycopg.Cursor[TupleRow]:
        """Do one statement."""
        return self._raw.execute(numbered(statement), parameters)

    def executemany(self, statement: str, parameters: Iterable[Sequence[Any]]) -> None:
        """Do one statement once with each of these, in one go."""
        rows = list(parameters)
        many = self._bulk(statement) if len(rows) > 1 else None
        if many is not None:
            self._many(many, rows)
        elif len(rows) == 1:
            self.execute(statement, rows[0])
        elif rows:
            self._raw.cursor().executemany(numbered(statement), rows)

    def unanswered(self) -> AbstractContextManager[object]:
        """Statements that are sent one behind the other, without a wait for each."""
        return self._raw.pipeline()

    def change_each(self, statement: str, parameters: Sequence[Sequence[Any]]) -> list[bool]:
        """Do one statement once with each of these; whether it changed a row."""
        many = self._bulk.returning(statement) if len(parameters) > 1 else None
        if many is None:
            return [self.execute(statement, one).rowcount > 0 for one in parameters]
        changed = {key for (key,) in self._many(many, parameters)}
        if statement.startswith("INSERT"):
            return [one[0] in changed for one in parameters]
        return [number in changed for number in range(1, len(parameters) + 1)]

    def find_each(self, statement: str, keys: Sequence[tuple[Any, ...]]) -> list[Any]:
        """The row that a SELECT finds for each of these, or nothing; it is held."""
        many = self._bulk(statement) if len(keys) > 1 else None
        if many is None:
            held = statement + self.for_update
            return [self.execute(held, key).fetchone() for key in keys]
        rows = self._many(many + " FOR UPDATE OF t", keys)
        found = {row[-1]: row[:-1] for row in rows}
        return [found.get(number) for number in range(1, len(keys) + 1)]

    def find_all(self, statement: str, keys: Sequence[tuple[Any, ...]]) -> list[list[Any]]:
        """The rows that a SELECT finds for each of these."""
        many = self._bulk(statement) if len(keys) > 1 else None
        if many is None:
            return [self.execute(statement, key).fetchall() for key in keys]
        found: list[list[Any]] = [[] for _ in keys]
        for row in self._many(many, keys):
            found[row[-1] - 1].append(row[:-1])
        return found

    def _many(self, many: Many, rows: Sequence[Sequence[Any]]) -> psycopg.Cursor[TupleRow]:
        return self._raw.execute(many.text, columns(many.types, rows))

    def alone(self, what: str) -> None:
        """Let nobody else do the same."""
        self._raw.execute(b"SELECT pg_advisory_xact_lock($1)", (lock_key(what),))

    def beside(self, what: str) -> None:
        """Let nobody be alone with it."""
        self._raw.execute(b"SELECT pg_advisory_xact_lock_shared($1)", (lock_key(what),))


class PostgresStore(SqlStore):
    """A store in one PostgreSQL database."""

    def __init__(self, url: str, *, on_commit: CommitHook | None = None) -> None:
        try:
            given: dict[str, Any] = dict(conninfo_to_dict(url))
        except psycopg.Error as error:
            raise StoreError(f"the address of the database cannot be read: {error}") from error
        self.address = shown_to_a_shell(url)
        self.path = f"{given.get('host') or 'localhost'}/{given.get('dbname') or ''}"
        self.on_commit = on_commit
        self._turns = Turns()
        options = " ".join(f"-c {name}={value}" for name, value in _SETTINGS.items())
        if given.get("options"):
            options += f" {given['options']}"
        given["options"] = options
        for name, value in {**_ALIVE, "tcp_user_timeout": "30000", "connect_timeout": "10"}.items():
            given.setdefault(name, value)
        given.setdefault("application_name", f"diglot {chain.KNOWN.head}")
        conninfo = make_conninfo(**given)
        self._pool: ConnectionPool[_Raw] = ConnectionPool(
            conninfo,
            min_size=1,
            max_size=MOST_CONNECTIONS,
            timeout=PATIENCE_S,
            reconnect_timeout=_ASK_AGAIN_S,
            open=False,
            configure=_configure,
            kwargs={"autocommit": True, "cursor_factory": psycopg.RawCursor},
        )
        try:
            with _connected(conninfo) as first:
                self._prepare(first)
            self._pool.open(wait=True, timeout=PATIENCE_S)
        except _REFUSALS as error:
            self._pool.close()
            raise self._refusal(error) from error
        except BaseException:
            self._pool.close()
            raise
        self._wakes = Wakes(conninfo)

    def close(self) -> None:
        """Let go of the database."""
        self._wakes.close()
        self._pool.close()

    def wakes(self, call: Callable[[], None]) -> None:
        """Call this whenever another process may have made something due."""
        self._wakes.listen(call)

    @contextmanager
    def sole(self, what: str) -> Generator[bool, None, None]:
        """Do something that one engine does at a time; false: another one is at it."""
        take = f"BEGIN; SELECT pg_try_advisory_xact_lock({lock_key(f'sole {what}')})"
        try:
            with self._asked(take.encode()) as (raw, found):
                found.nextset()
                try:
                    yield found.fetchone() == (True,)
                finally:
                    # Where the session has ended by itself, others have taken over.
                    with suppress(psycopg.OperationalError):
                        raw.execute("ROLLBACK")
        except _REFUSALS as error:
            raise self._refusal(error) from error

    def _prepare(self, raw: _Raw) -> None:
        types: dict[tuple[str, str], str] = {}
        self._bulk = Bulk(types)
        with raw.transaction():
            connection = _Writing(raw, self._bulk)
            tables = connection.execute(_TABLES).fetchall()
            if not tables:
                connection.alone(LOCK)
                tables = connection.execute(_TABLES).fetchall()
            if not tables:
                self._lay_out(connection, layout_statements("postgresql"))
            else:
                self._check_layout(connection, is_ours=("meta",) in tables)
            for table, column, type in connection.execute(
                "SELECT table_name, column_name, udt_name FROM information_schema.columns"
                " WHERE table_schema=current_schema"
            ).fetchall():
                types[table, column] = type

    @contextmanager
    def _connection(self) -> Generator[_Raw, None, None]:
        """A connection; whoever cannot have one in time is told so."""
        until = time.monotonic() + PATIENCE_S
        while True:
            try:
                raw = self._pool.getconn(_ASK_AGAIN_S)
                break
            except PoolTimeout:
                if time.monotonic() > until:
                    raise
        try:
            yield raw
        finally:
            self._pool.putconn(raw)

    @contextmanager
    def _asked(
        self, statement: bytes, parameters: Sequence[Any] = ()
    ) -> Generator[tuple[_Raw, psycopg.Cursor[TupleRow]], None, None]:
        """A connection, and what its first statement gave, which changes nothing.

        As many as there are may have died unnoticed, so that another one is asked.
        """
        for left in reversed(range(MOST_CONNECTIONS + 1)):
            with self._connection() as raw:
                try:
                    found = raw.execute(statement, parameters)
                except psycopg.OperationalError:
                    if left and raw.broken:
                        continue
                    raise
                yield raw, found
                return

    @contextmanager
    def _transaction(self) -> Generator[Connection, None, None]:
        is_committing = False
        try:
            with self._asked(b"BEGIN") as (raw, _):
                try:
                    yield _Writing(raw, self._bulk)
                    if self.on_commit is not None:
                        self.on_commit("before")
                    is_committing = True
                    raw.execute("COMMIT")
                    is_committing = False
                except BaseException:
                    if not raw.broken:
                        raw.execute("ROLLBACK")
                    raise
        except _REFUSALS as error:
            if is_committing and isinstance(error, psycopg.OperationalError):
                raise CommitUnknown(f"{self.path}: {_why(error)}") from error
            raise self._refusal(error) from error
        self._wakes.tell()
        if self.on_commit is not None:
            self.on_commit("after")

    @contextmanager
    def _snapshot(self) -> Generator[Connection, None, None]:
        try:
            with self._asked(_SNAPSHOT) as (raw, _):
                try:
                    yield _Writing(raw, self._bulk)
                finally:
                    if not raw.broken:
                        raw.execute("ROLLBACK")
        except _REFUSALS as error:
            raise self._refusal(error) from error

    def _all(self, statement: str, parameters: Sequence[Any] = ()) -> list[Any]:
        try:
            with self._asked(numbered(statement), parameters) as (_, found):
                return found.fetchall()
        except _REFUSALS as error:
            raise self._refusal(error) from error

    def save(self, saves: list[Save]) -> list[Exception | None]:
        """Write many commands' changes in one transaction; see the contract.

        A server that is away is waited for. Where the connection breaks in the middle of the
        commit, it is found out whether the changes are there.
        """
        # Engines that save the same instances take them in one order, and do not block each other.
        order = sorted(range(len(saves)), key=lambda number: saves[number].state.id)
        found = self._save_patiently([saves[number] for number in order])
        outcomes: list[Exception | None] = [None] * len(saves)
        for number, outcome in zip(order, found, strict=True):
            outcomes[number] = outcome
        return outcomes

    def _save_patiently(self, saves: list[Save]) -> list[Exception | None]:
        until = time.monotonic() + PATIENCE_S
        while True:
            try:
                found = super().save(saves)
            except CommitUnknown:
                if self._are_saved(saves):
                    return [None for _ in saves]
                continue
            reason = found[0].__cause__ if found and found[0] is not None else None
            if not _passes(reason) or time.monotonic() > until:
                return found
            time.sleep(_PAUSE_S)

    def _are_saved(self, saves: list[Save]) -> bool:
        """Whether a commit whose answer was lost is on disk: all of it is, or nothing."""
        until = time.monotonic() + PATIENCE_S
        while True:
            try:
                found = self._one(f"{sql.HISTORY} LIMIT 1", (saves[0].state.id, saves[0].base))
            except StoreError:
                if time.monotonic() > until:
                    raise
                time.sleep(_PAUSE_S)
                continue
            return found is not None and unpack(bytes(found[2])) == saves[0].done[0].payload

    def _is_lost(self, error: BaseException | None) -> bool:
        return isinstance(error, psycopg.OperationalError | PoolTimeout)

    def _refusal(self, error: Exception) -> StoreError:
        return StoreError(f"{self.path}: {_why(error)}")


def _passes(error: BaseException | None) -> bool:
    """Whether nothing was written, and the same may go well in a moment.

    The connection could not be had or broke, or others were in the way.
    """
    if not isinstance(error, psycopg.OperationalError):
        return False
    state = error.sqlstate
    return state is None or state in _PASSING or state.startswith(("08", "40", "57P"))


def _configure(raw: _Raw) -> None:
    # Whatever their size, numbers are of the columns' type: one statement stays one.
    raw.adapters.register_dumper(int, Int8Dumper)
    raw.adapters.register_dumper(int, Int8BinaryDumper)
    register(raw)


@contextmanager
def _connected(conninfo: str) -> Generator[_Raw, None, None]:
    with psycopg.connect(conninfo, autocommit=True, cursor_factory=psycopg.RawCursor) as raw:
        _configure(raw)
        yield raw


def _why(error: Exception) -> str:
    """What the database said; what to do where that is not plain."""
    if isinstance(error, PoolTimeout):
        return f"no connection was to be had for {PATIENCE_S:.0f} s"
    return str(error).strip() or type(error).__name__
