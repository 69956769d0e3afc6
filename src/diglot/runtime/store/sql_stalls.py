"""Instances that cannot go on before something is mended, in SQL."""

from __future__ import annotations

from typing import Any

from . import sql
from .rows import decode, encode
from .sql_jobs import SqlJobs


class SqlStalls(SqlJobs):
    """What a store knows of what cannot go on."""

    def stall(self, instance: str, reason: str, now_ms: int, pauses_ms: tuple[int, int]) -> None:
        """Note that an instance cannot go on; see the contract."""
        first_ms, longest_ms = pauses_ms
        with self._transaction() as connection:
            found = connection.execute(sql.STALLED + connection.for_update, (instance,)).fetchone()
            tries = 0 if found is None else int(found[0])
            pause_ms = min(first_ms << min(tries, 20), longest_ms)
            connection.execute(sql.STALL, (instance, reason, now_ms, pause_ms))
            connection.execute(sql.HOLD_JOBS, (instance,))

    def stalls(self, due_ms: int | None = None, limit: int = 2**31) -> dict[str, str]:
        """Why instances cannot go on, by their ids; those to be looked at again by then."""
        return dict(self._all(sql.STALLS, (due_ms, limit)))

    def end_stall(self, instance: str) -> None:
        """The instance can go on."""
        with self._transaction() as connection:
            if connection.execute(sql.END_STALL, (instance,)).rowcount > 0:
                connection.execute(sql.FREE_JOBS, (instance,))
                connection.execute(sql.RENEW_ALL, (instance,))

    def put_off(
        self, instance: str, subscription: int, number: int, envelope: dict[str, Any]
    ) -> None:
        """Keep an event for a subscription of an instance that cannot go on."""
        self._do(sql.PUT_OFF, (instance, number, subscription, encode(envelope)))

    def undelivered(self, instance: str, limit: int) -> list[tuple[int, int, dict[str, Any]]]:
        """(number, subscription, envelope) of what was kept for an instance, the oldest first."""
        found = self._all(sql.UNDELIVERED, (instance, limit))
        return [(number, at, decode(envelope)) for number, at, envelope in found]

    def delivered(self, instance: str, subscription: int, number: int) -> None:
        """The event has been offered after all."""
        self._do(sql.DELIVERED, (instance, number, subscription))
