"""The embedded store: one file, write-ahead log, every commit on disk before it is acknowledged."""

from __future__ import annotations

import secrets
from typing import Any

import msgspec

from diglot.runtime import events as e
from diglot.runtime.errors import CallerError, CorruptState, StoreError
from diglot.runtime.state import State

from . import rows, sql
from .contract import (
    CommitHook,
    DefinitionVersion,
    InstanceRow,
    Lease,
    Save,
    Schedule,
)
from .rows import decode, encode
from .sqlite_file import is_of_the_file, layout_statements
from .sqlite_inbox import SqliteInbox, put_schedules
from .sqlite_save import write_save

_ALIVE = {
    "scopes": "SELECT id, payload FROM scope_visits WHERE instance=? ORDER BY id",
    "visits": "SELECT id, payload FROM node_visits WHERE instance=? ORDER BY id",
    "arrivals": "SELECT id, payload FROM arrivals WHERE instance=? ORDER BY id",
    "jobs": "SELECT id, visit, node, type, arguments, began_ms FROM jobs"
    " WHERE instance=? ORDER BY id",
    "timers": "SELECT id, purpose, due_ms, visit, scope, handler, part, repeat FROM timers"
    " WHERE instance=? ORDER BY id",
    "subscriptions": "SELECT id, visit, number, is_until, type, scope, handler, kind"
    " FROM subscriptions WHERE instance=? ORDER BY id",
    "items": "SELECT id, payload FROM item_results WHERE instance=? ORDER BY id",
    "kept": "SELECT id, payload FROM compensations WHERE instance=? ORDER BY id",
}
_INSTANCE = (
    "SELECT id, definition, status, sequence, counter, input, output, error, parent,"
    " parent_visit, started_ms, ended_ms FROM instances"
)
_VERSION = (
    "SELECT digest, namespace, name, version, graph, source, resources, diagnostics, published_ms"
    " FROM definition_versions"
)
_events = msgspec.json.Decoder(list[e.Event])


class SqliteStore(SqliteInbox):
    """A store in one SQLite file; `:memory:` is a database of its own for tests."""

    def __init__(self, path: str, *, on_commit: CommitHook | None = None) -> None:
        super().__init__(path, on_commit)
        try:
            with self._transaction():
                self._prepare()
        except BaseException:
            self._connection.close()
            raise

    # -- the layout

    def _prepare(self) -> None:
        tables = self._connection.execute(
            "SELECT name FROM sqlite_master WHERE type='table' AND name NOT LIKE 'sqlite%'"
        ).fetchall()
        if not tables:
            for statement in layout_statements():
                self._connection.execute(statement)
            self._connection.executemany(
                "INSERT INTO meta (key, value) VALUES (?,?)",
                [("layout", sql.LAYOUT), ("seal", secrets.token_hex(32))],
            )
            return
        layout = self._fact("layout") if ("meta",) in tables else None
        if layout is None:
            raise StoreError(f"{self.path} is the database of another program; give another file")
        if layout != sql.LAYOUT:
            raise StoreError(
                f"{self.path} has layout {layout}, this version needs {sql.LAYOUT}; "
                "use the version that made it, or give another file"
            )

    def _fact(self, key: str) -> str | None:
        found = self._one("SELECT value FROM meta WHERE key=?", (key,))
        return None if found is None else found[0]

    def seal_key(self) -> bytes:
        """The key that seals of secrets are made with."""
        try:
            return bytes.fromhex(self._fact("seal") or "")
        except ValueError as error:
            raise CorruptState(f"the key of the seals in {self.path} cannot be read") from error

    # -- definitions

    def publish(
        self,
        version: DefinitionVersion,
        schedules: list[Schedule] | None,
        messages: frozenset[str | None] = frozenset(),
    ) -> bool:
        """Add a version; false if this digest is there already.

        `schedules` take the place of those of the definition's other versions; nothing leaves
        those as they are. `messages` are the types of messages that its instances wait for.

        Raises:
            CallerError: another document has this namespace, name and version.
        """
        named = (version.namespace, version.name, version.version)
        with self._transaction() as connection:
            found = connection.execute(
                "SELECT digest FROM definition_versions WHERE namespace=? AND name=? AND version=?",
                named,
            ).fetchone()
            if found is not None:
                if found[0] == version.digest:
                    put_schedules(connection, schedules or [])
                    return False
                raise CallerError(
                    f"{named[0]}/{named[1]} {named[2]} is published with other content; "
                    "give the document a new version, or use another database"
                )
            if self._has_digest(version.digest):
                return False
            connection.execute(
                "INSERT INTO definition_versions VALUES (?,?,?,?,?,?,?,?,?)",
                (
                    version.digest, *named, version.graph, version.source,
                    encode(version.resources), encode(version.diagnostics), version.published_ms,
                ),
            )  # fmt: skip
            connection.executemany(
                "INSERT INTO message_types (type, digest) VALUES (?,?)",
                [(type or "", version.digest) for type in sorted(messages, key=str)],
            )
            if schedules is None:
                return True
            connection.execute(
                "DELETE FROM schedules WHERE digest IN"
                " (SELECT digest FROM definition_versions WHERE namespace=? AND name=?)",
                named[:2],
            )
            put_schedules(connection, schedules)
        return True

    def _has_digest(self, digest: str) -> bool:
        return self._one("SELECT 1 FROM definition_versions WHERE digest=?", (digest,)) is not None

    def definition(self, digest: str) -> DefinitionVersion | None:
        """A version by its digest."""
        found = self._one(f"{_VERSION} WHERE digest=?", (digest,))
        if found is None:
            return None
        return DefinitionVersion(
            digest=found[0],
            namespace=found[1],
            name=found[2],
            version=found[3],
            graph=found[4],
            source=found[5],
            resources=decode(found[6]),
            diagnostics=decode(found[7]),
            published_ms=found[8],
        )

    def versions(self, namespace: str, name: str) -> list[tuple[str, str]]:
        """(version, digest) of every version of a definition."""
        return self._all(
            "SELECT version, digest FROM definition_versions WHERE namespace=? AND name=?",
            (namespace, name),
        )

    # -- saving

    def save(self, saves: list[Save]) -> list[Exception | None]:
        """Write many commands' changes in one transaction; see the contract."""
        try:
            with self._transaction() as connection:
                return [write_save(connection, save) for save in saves]
        except StoreError as error:
            if len(saves) == 1 or is_of_the_file(error.__cause__):
                return [error for _ in saves]
            # One command's fault must not fail its neighbours.
            return [self.save([save])[0] for save in saves]

    # -- reading

    def load(self, instance: str) -> State | None:
        """The state of an instance out of its rows."""
        with self._snapshot():
            row = self._one(f"{_INSTANCE} WHERE id=?", (instance,))
            if row is None:
                return None
            alive = {name: self._all(text, (instance,)) for name, text in _ALIVE.items()}
        return rows.build_state(row, alive)

    def instance(self, instance: str) -> InstanceRow | None:
        """An instance without what is alive in it."""
        row = self._one(f"{_INSTANCE} WHERE id=?", (instance,))
        return None if row is None else _instance(row)

    def instances(
        self, *, status: str | None = None, definition: str | None = None, limit: int = 100
    ) -> list[InstanceRow]:
        """The latest instances, newest first."""
        found = self._all(
            f"{_INSTANCE} WHERE (?1 IS NULL OR status=?1) AND (?2 IS NULL OR definition=?2)"
            " ORDER BY started_ms DESC, id DESC LIMIT ?3",
            (status, definition, limit),
        )
        return [_instance(row) for row in found]

    def history(self, instance: str, after: int = 0) -> list[tuple[int, int, list[e.Event]]]:
        """(first sequence, `at_ms`, events) of each command behind event `after`, oldest first."""
        found = self._all(
            "SELECT sequence, at_ms, payload FROM events WHERE instance=? AND sequence>?"
            " ORDER BY sequence",
            (instance, after),
        )
        return [(sequence, at_ms, decode(payload, _events)) for sequence, at_ms, payload in found]

    def attempts(self, instance: str, job: int) -> list[dict[str, Any]]:
        """Every time the job was given out, oldest first."""
        found = self._all(
            "SELECT attempt, worker, leased_ms, ended_ms, outcome, detail FROM attempts"
            " WHERE instance=? AND job=? ORDER BY attempt",
            (instance, job),
        )
        return [
            {
                "attempt": attempt,
                "worker": worker,
                "leased_ms": leased_ms,
                "ended_ms": ended_ms,
                "outcome": outcome,
                "detail": None if detail is None else decode(detail),
            }
            for attempt, worker, leased_ms, ended_ms, outcome, detail in found
        ]

    # -- jobs

    def claim(
        self,
        types: tuple[str, ...],
        limit: int,
        worker: str,
        now_ms: int,
        lease_ms: int,
        run: str | None = None,
    ) -> list[Lease]:
        """Lease up to `limit` ready jobs of these types, oldest first."""
        statement = sql.READY_JOBS.format(types=",".join("?" * len(types)))
        return self._lease(statement, (run, *types, now_ms, limit), worker, now_ms, lease_ms)

    def claim_job(
        self, instance: str, job: int, worker: str, now_ms: int, lease_ms: int
    ) -> Lease | None:
        """Lease one job; nothing if it is not ready."""
        found = self._lease(sql.READY_JOB, (instance, job, now_ms), worker, now_ms, lease_ms)
        return found[0] if found else None

    def _lease(
        self, statement: str, parameters: tuple[Any, ...], worker: str, now_ms: int, lease_ms: int
    ) -> list[Lease]:
        if not self._all(statement, parameters):
            return []
        until_ms = now_ms + lease_ms
        with self._transaction() as connection:
            ready = connection.execute(statement, parameters).fetchall()
            connection.executemany(
                sql.LEASE, [(row[5] + 1, worker, until_ms, row[0], row[1]) for row in ready]
            )
            connection.executemany(
                sql.BEGIN_ATTEMPT, [(row[0], row[1], row[5] + 1, worker, now_ms) for row in ready]
            )
        return [
            Lease(
                instance=instance,
                job=job,
                node=node,
                type=type,
                arguments=decode(arguments),
                attempt=attempt + 1,
                worker=worker,
                until_ms=until_ms,
            )
            for instance, job, node, type, arguments, attempt in ready
        ]

    def leases(self) -> list[Lease]:
        """Every job that is leased now."""
        found = self._all(
            "SELECT instance, id, node, type, arguments, attempt, worker, lease_until_ms FROM jobs"
            " WHERE state='leased' ORDER BY instance, id"
        )
        return [
            Lease(
                instance=instance,
                job=job,
                node=node,
                type=type,
                arguments=decode(arguments),
                attempt=attempt,
                worker=worker,
                until_ms=until_ms,
            )
            for instance, job, node, type, arguments, attempt, worker, until_ms in found
        ]

    def extend(self, lease: Lease, until_ms: int, progress: Any = None) -> bool:
        """Lengthen a lease and note progress; false if it is not the current attempt's."""
        held = (lease.instance, lease.job, lease.attempt)
        with self._transaction() as connection:
            if connection.execute(sql.EXTEND, (until_ms, *held)).rowcount == 0:
                return False
            if progress is not None:
                connection.execute(sql.PROGRESS, (encode(progress), *held))
        return True

    def give_back(self, lease: Lease, now_ms: int, ready_ms: int, outcome: str) -> bool:
        """Make a leased job ready again; false if it is not the current attempt's."""
        held = (lease.instance, lease.job, lease.attempt)
        with self._transaction() as connection:
            if connection.execute(sql.GIVE_BACK, (ready_ms, *held)).rowcount == 0:
                return False
            connection.execute(sql.END_ATTEMPT, (now_ms, outcome, *held))
        return True

    def expire(self, now_ms: int) -> int:
        """Make every job whose lease has ended ready again."""
        if not self._all(sql.EXPIRED, (now_ms,)):
            return 0
        with self._transaction() as connection:
            ended = connection.execute(sql.EXPIRED, (now_ms,)).fetchall()
            connection.executemany(sql.GIVE_BACK, [(now_ms, *row) for row in ended])
            connection.executemany(sql.END_ATTEMPT, [(now_ms, "expired", *row) for row in ended])
        return len(ended)

    # -- the clock

    def due_timers(self, now_ms: int, limit: int, run: str | None = None) -> list[tuple[str, int]]:
        """(instance, timer) of timers that are due, the longest due first."""
        return self._all(sql.DUE_TIMERS, (run, now_ms, limit))

    def next_due(self, run: str | None = None) -> int | None:
        """The moment (`_ms`) at which the next thing is due."""
        (due_ms,) = self._one(sql.NEXT_DUE, (run,))
        return None if due_ms is None else int(due_ms)


def _instance(row: Any) -> InstanceRow:
    return InstanceRow(
        id=row[0],
        definition=row[1],
        status=row[2],
        sequence=row[3],
        input=decode(row[5]),
        output=None if row[6] is None else decode(row[6]),
        error=None if row[7] is None else decode(row[7]),
        parent=row[8],
        started_ms=row[10],
        ended_ms=row[11],
    )
