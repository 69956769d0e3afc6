"""What comes in and goes out: events, messages, and what starts by itself."""

from __future__ import annotations

from typing import Any

from . import sql
from .contract import InboxRow, OutboxRow, Receiver, Schedule
from .database import Connection, Database
from .rows import decode, encode
from .save import inbox_row, is_free, take_message


class SqlInbox(Database):
    """Inbox, outbox and schedules."""

    # -- events in, messages out

    def receive(self, envelope: dict[str, Any], now_ms: int) -> bool:
        """Put a CloudEvent into the inbox; false if its source and id were there already."""
        with self._transaction() as connection:
            connection.alone("inbox")
            return connection.execute(sql.RECEIVE, inbox_row(envelope, now_ms)).rowcount > 0

    def open_inbox(self, limit: int) -> list[InboxRow]:
        """Events not yet offered to everyone, in order of arrival."""
        return _inbox_rows(self._all(sql.OPEN_INBOX, (limit,)))

    def listeners(
        self, inbox_id: int, type: str, *, signals: bool = True, but: str | None = None
    ) -> list[tuple[str, int]]:
        """(instance, subscription) that may take an event of this type, by their age.

        Those of messages are not among them, those of signals with `signals` alone, and then
        without those of the instance `but`.
        """
        return self._all(sql.LISTENERS, (inbox_id, type, int(signals), but))

    def close_inbox(self, inbox_id: int) -> None:
        """The event has been offered to everyone; its id stays known."""
        self._do("UPDATE inbox SET is_done=1, envelope=NULL WHERE id=? AND is_done=0", (inbox_id,))

    # -- messages

    def receivers(self, type: str) -> list[Receiver]:
        """Subscriptions that may take a message of this type, oldest first."""
        return [Receiver(*row) for row in self._all(sql.RECEIVERS, (type,))]

    def renewed_receivers(self, limit: int) -> list[Receiver]:
        """Subscriptions to which kept messages may be news, oldest first."""
        return [Receiver(*row) for row in self._all(sql.RENEWED_RECEIVERS, (limit,))]

    def settle_receivers(self, receivers: list[Receiver]) -> None:
        """What is kept has been offered to these, unless there is more news by now."""
        with self._transaction() as connection:
            connection.executemany(
                sql.SETTLE_RECEIVER,
                [(one.instance, one.subscription, one.news) for one in receivers],
            )

    def taker(self, inbox_id: int) -> str | None:
        """Who took a message."""
        found = self._one("SELECT taken_by FROM inbox WHERE id=?", (inbox_id,))
        return None if found is None else found[0]

    def receives(self, type: str) -> bool:
        """Whether instances of some definition wait for messages of this type."""
        return self._one(sql.RECEIVES, (type,)) is not None

    def keep(self, inbox_id: int, until_ms: int) -> bool:
        """Nobody took the message: keep it; false if somebody did by now."""
        return self._do(sql.KEEP, (until_ms, inbox_id)) > 0

    def kept(self, receiver: Receiver, after: int, now_ms: int, limit: int) -> list[InboxRow]:
        """Kept messages a subscription may take, behind number `after`, in order of arrival."""
        of_type = "type IS NOT NULL" if receiver.type is None else "type=?"
        types = () if receiver.type is None else (receiver.type,)
        who = (receiver.instance, receiver.subscription)
        return _inbox_rows(
            self._all(sql.KEPT.format(of_type), (after, now_ms, *types, *who, limit))
        )

    def expire_kept(self, now_ms: int) -> int:
        """Let go of messages that have been kept long enough; how many there were."""
        if self._one(sql.EXPIRED_KEPT, (now_ms,)) is None:
            return 0
        return self._do(sql.EXPIRE_KEPT, (now_ms,))

    # -- messages of the engine itself

    def due_outbox(self, now_ms: int, limit: int, run: str | None = None) -> list[OutboxRow]:
        """What is to be sent now, in order."""
        found = self._all(sql.DUE_OUTBOX, (run, now_ms, limit))
        return [
            OutboxRow(id, kind, instance, decode(payload), tries)
            for id, kind, instance, payload, tries in found
        ]

    def sent(self, outbox_ids: list[int]) -> None:
        """These have arrived."""
        with self._transaction() as connection:
            connection.executemany("DELETE FROM outbox WHERE id=?", [(id,) for id in outbox_ids])

    def send_again(self, outbox_id: int, due_ms: int) -> None:
        """It has not; try again then."""
        self._do("UPDATE outbox SET tries=tries+1, due_ms=? WHERE id=?", (due_ms, outbox_id))

    # -- schedules

    def event_schedules(self, inbox_id: int) -> list[Schedule]:
        """Schedules that wait for events and are older than this one, the oldest first."""
        return self._schedules("form='event' AND after<?", (inbox_id,))

    def due_schedules(self, now_ms: int) -> list[Schedule]:
        """Schedules by the clock that are due."""
        return self._schedules("due_ms<=?", (now_ms,))

    def awaiting_schedules(self) -> list[Schedule]:
        """Schedules that wait for the end of the run they started."""
        return self._schedules("run IS NOT NULL", ())

    def _schedules(self, condition: str, parameters: tuple[Any, ...]) -> list[Schedule]:
        found = self._all(
            "SELECT digest, number, form, due_ms, after, run, payload, begun_ms FROM schedules"
            f" WHERE {condition} ORDER BY begun_ms, digest, number",
            parameters,
        )
        return [
            Schedule(digest, number, form, due_ms, after, run, decode(payload), begun_ms)
            for digest, number, form, due_ms, after, run, payload, begun_ms in found
        ]

    def converse(self, digest: str, key: str, instance: str) -> str:
        """The running instance that has a conversation; `instance` gets it where none has."""
        with self._transaction() as connection:
            connection.alone("conversations")
            holder = connection.execute(sql.CONVERSATION, (digest, key)).fetchone()
            if holder is not None:
                return str(holder[0])
            connection.execute(sql.CONVERSE, (digest, key, instance))
        return instance

    def save_schedule(self, schedule: Schedule, *, takes: tuple[int, str] | None = None) -> bool:
        """Remember where a schedule stands.

        With `takes` it takes the message with this number in this name; false, and nothing
        changed, if somebody else has it.
        """
        with self._transaction() as connection:
            if takes is not None:
                if not is_free(connection, takes[0]):
                    return False
                take_message(connection, *takes)
            connection.execute(
                "UPDATE schedules SET due_ms=?, after=?, run=?, payload=?"
                " WHERE digest=? AND number=?",
                (
                    schedule.due_ms, schedule.after, schedule.run, encode(schedule.payload),
                    schedule.digest, schedule.number,
                ),
            )  # fmt: skip
        return True


def _inbox_rows(found: list[Any]) -> list[InboxRow]:
    return [
        InboxRow(id, decode(envelope), taken_by, received_ms)
        for id, envelope, taken_by, received_ms in found
    ]


def put_schedules(connection: Connection, schedules: list[Schedule]) -> None:
    """Let schedules begin that have not."""
    connection.executemany(
        "INSERT INTO schedules (digest, number, form, due_ms, after, run, payload, begun_ms)"
        " VALUES (?,?,?,?,(SELECT coalesce(max(id),0) FROM inbox),NULL,?,?)"
        " ON CONFLICT (digest, number) DO NOTHING",
        [(s.digest, s.number, s.form, s.due_ms, encode(s.payload), s.begun_ms) for s in schedules],
    )
