"""The store in SQL: definitions, instances and jobs, in a database of either kind."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from typing import Any

import msgspec

from diglot.runtime import events as e
from diglot.runtime.errors import CallerError, CorruptState, StoreError
from diglot.runtime.state import State

from . import chain, rows, sql
from .contract import (
    DefinitionVersion,
    InstanceRow,
    Save,
    Schedule,
)
from .database import CommitUnknown, Connection
from .layout import new_stamp, read_stamp
from .packing import unpack
from .rows import decode, encode
from .save import hold_inbox, write_saves
from .sql_inbox import put_schedules
from .sql_stalls import SqlStalls

_ALIVE = {
    "scopes": "SELECT id, payload FROM scope_visits WHERE run=? ORDER BY id",
    "visits": "SELECT id, payload FROM node_visits WHERE run=? ORDER BY id",
    "arrivals": "SELECT id, payload FROM arrivals WHERE run=? ORDER BY id",
    "variables": "SELECT scope, name, payload FROM variables WHERE run=? ORDER BY scope, name",
    "jobs": "SELECT id, visit, node, type, arguments, sees, began_ms, rank, mutex, is_once,"
    " start_by_ms, most_lease_ms, run_ms FROM jobs"
    " WHERE run=? ORDER BY id",
    "timers": "SELECT id, purpose, due_ms, visit, scope, handler, part, repeat FROM timers"
    " WHERE run=? ORDER BY id",
    "subscriptions": "SELECT id, visit, number, is_until, type, scope, handler, kind"
    " FROM subscriptions WHERE run=? ORDER BY id",
    "items": "SELECT id, payload FROM item_results WHERE run=? ORDER BY id",
    "kept": "SELECT id, payload FROM compensations WHERE run=? ORDER BY id",
}
_INSTANCE = (
    "SELECT id, definition, status, sequence, counter, input, output, error, parent,"
    " parent_visit, started_ms, ended_ms, tenant, number FROM instances"
)
#: The same, and why it cannot go on.
_ROW = _INSTANCE.replace(" FROM", ", (SELECT reason FROM stalls WHERE run=number) AS stalled FROM")
_VERSION = (
    "SELECT digest, namespace, name, version, graph, source, resources, diagnostics, published_ms"
    " FROM definition_versions"
)
_events = msgspec.json.Decoder(list[e.Event])


class SqlStore(SqlStalls):
    """What a store does, once there are transactions."""

    # -- the layout

    def _lay_out(self, connection: Connection, statements: list[str]) -> None:
        """Make the tables of an empty database."""
        for statement in statements:
            connection.execute(statement)
        for fact in (*new_stamp(), ("seal", secrets.token_hex(32))):
            connection.execute("INSERT INTO meta (key, value) VALUES (?,?)", fact)

    def _check_layout(self, connection: Connection, *, is_ours: bool) -> None:
        """See that the tables there are are ours, and that this version lives with them."""
        facts = connection.execute(sql.STAMP).fetchall() if is_ours else []
        chain.KNOWN.refuse_unfit(read_stamp(facts, self.path), self.path, self.address)

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
            connection.alone("definitions")
            connection.beside("inbox")
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
                hold_inbox(connection, saves)
                return write_saves(connection, saves)
        except CommitUnknown:
            raise
        except StoreError as error:
            if len(saves) == 1 or self._is_lost(error.__cause__):
                return [error for _ in saves]
            # One command's fault must not fail its neighbours.
            return [self.save([save])[0] for save in saves]

    # -- reading

    def load(self, instance: str) -> State | None:
        """The state of an instance out of its rows."""
        return self.load_all([instance]).get(instance)

    def load_all(self, instances: Sequence[str]) -> dict[str, State]:
        """The states of those of these instances that there are, by id."""
        with self._snapshot() as connection:
            found = connection.find_all(f"{_INSTANCE} WHERE id=?", [(one,) for one in instances])
            own = [row for rows in found for row in rows]
            numbers = [(row[-1],) for row in own]
            alive = {name: connection.find_all(text, numbers) for name, text in _ALIVE.items()}
        return {
            row[0]: rows.build_state(row, {name: found[place] for name, found in alive.items()})
            for place, row in enumerate(own)
        }

    def instance(self, instance: str) -> InstanceRow | None:
        """An instance without what is alive in it."""
        row = self._one(f"{_ROW} WHERE id=?", (instance,))
        return None if row is None else _instance(row)

    def instances(
        self, *, status: str | None = None, definition: str | None = None, limit: int = 100
    ) -> list[InstanceRow]:
        """The latest instances, newest first."""
        found = self._all(
            f"{_ROW} WHERE (CAST(?1 AS TEXT) IS NULL OR status=?1)"
            " AND (CAST(?2 AS TEXT) IS NULL OR definition=?2)"
            " ORDER BY started_ms DESC, id DESC LIMIT ?3",
            (status, definition, limit),
        )
        return [_instance(row) for row in found]

    def ids(self, after: str, limit: int) -> list[str]:
        """Ids of instances, in their order, behind one."""
        found = self._all("SELECT id FROM instances WHERE id>? ORDER BY id LIMIT ?", (after, limit))
        return [id for (id,) in found]

    def history(
        self, instance: str, after: int = 0, limit: int = 2**62
    ) -> list[tuple[int, int, list[e.Event]]]:
        """(first sequence, `at_ms`, events) of each command behind event `after`, oldest first."""
        found = self._all(f"{sql.HISTORY} LIMIT ?", (instance, after, limit))
        return [
            (sequence, at_ms, decode(unpack(payload), _events))
            for sequence, at_ms, payload in found
        ]

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
        tenant=row[12],
        stalled=row[14],
    )
