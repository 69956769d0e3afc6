"""Jobs in SQL: who gets which, for how long, and what became of every attempt."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from diglot.runtime import events as e

from . import sql
from .contract import Ended, Judgement, Lease
from .database import Connection
from .packing import unpack
from .rows import decode, encode
from .sharing import Limits, Round, Turns
from .sql_inbox import SqlInbox

_events = msgspec.json.Decoder(list[e.Event])


class SqlJobs(SqlInbox):
    """What a store does with jobs."""

    _turns: Turns

    # -- giving out

    def claim(
        self,
        types: tuple[str, ...],
        limit: int,
        worker: str,
        now_ms: int,
        lease_ms: int,
        run: str | None = None,
    ) -> list[Lease]:
        """Lease up to `limit` ready jobs of these types; see the contract."""
        if not types or limit <= 0:
            return []
        if run is not None:
            statement = sql.READY_JOBS.format(types=",".join("?" * len(types)))
            return self._lease(statement, (run, *types, now_ms, limit), worker, now_ms, lease_ms)
        waiting = [
            (type, tenant) for type in types for (tenant,) in self._all(sql.TENANTS, (type,))
        ]
        if not waiting:
            return []
        leased: list[tuple[Any, int]] = []
        turn = Round(self._turns, waiting, limit)
        with self._transaction() as connection:
            limits = Limits(connection)
            for type, tenant, wanted in turn:
                most = limits.room(type, tenant, wanted)
                ready: list[Any] = []
                given: list[Any] = []
                if most > 0:
                    statement = sql.READY_OF
                    who: tuple[Any, ...] = (type, tenant, now_ms, most)
                    if limits.most_each is not None:
                        statement, who = sql.READY_OF_OTHERS, (*who, limits.most_each)
                    ready = connection.execute(statement + connection.skip_locked, who).fetchall()
                    for row in ready:
                        if limits.lets_out(row) and _is_free(connection, row):
                            given.append(row)
                    leased += _give(connection, given, worker, now_ms, lease_ms)
                turn.took(type, tenant, len(given), has_more=len(ready) == most)
            return _leases(connection, leased, worker)

    def claim_job(
        self, instance: str, job: int, worker: str, now_ms: int, lease_ms: int
    ) -> Lease | None:
        """Lease one job; nothing if it is not ready, or another one has its key."""
        found = self._lease(sql.READY_JOB, (instance, job, now_ms), worker, now_ms, lease_ms)
        return found[0] if found else None

    def _lease(
        self, statement: str, parameters: tuple[Any, ...], worker: str, now_ms: int, lease_ms: int
    ) -> list[Lease]:
        if not self._all(statement, parameters):
            return []
        with self._transaction() as connection:
            ready = connection.execute(statement + connection.skip_locked, parameters).fetchall()
            given = [row for row in ready if _is_free(connection, row)]
            leased = _give(connection, given, worker, now_ms, lease_ms)
            return _leases(connection, leased, worker)

    def leases(self) -> list[Lease]:
        """Every job that is leased now."""
        with self._snapshot() as connection:
            rows = connection.execute(sql.LEASED).fetchall()
            return list(_told(connection, rows, [(row[6], row[13], row[14]) for row in rows]))

    def doubted(self) -> list[Lease]:
        """Every job of which nobody knows what its last attempt did."""
        with self._snapshot() as connection:
            rows = connection.execute(sql.DOUBTED).fetchall()
            return list(_told(connection, rows, [(row[6], row[13], 0) for row in rows]))

    def set_limit(self, kind: str, name: str, most: int | None) -> None:
        """So many jobs of a tenant, type or instance may be out at most; nothing lifts that."""
        if most is None:
            self._do("DELETE FROM limits WHERE kind=? AND name=?", (kind, name))
        else:
            self._do(sql.LIMIT, (kind, name, most))

    # -- while it is out

    def extend(self, lease: Lease, until_ms: int, progress: Any = None) -> int | None:
        """Lengthen a lease and note progress; see the contract."""
        with self._transaction() as connection:
            found = _holder(connection, lease)
            if found is None:
                return None
            run, leased_ms, _, run_ms = found
            if run_ms is not None:
                until_ms = min(until_ms, leased_ms + run_ms)
            connection.execute(sql.EXTEND, (until_ms, run, lease.job))
            if progress is not None:
                connection.execute(sql.PROGRESS, (encode(progress), run, lease.job))
        return until_ms

    def give_back(
        self, lease: Lease, now_ms: int, ready_ms: int, outcome: str, error: Any = None
    ) -> bool:
        """Make a leased job ready again; false if it is not the current attempt's."""
        with self._transaction() as connection:
            found = _holder(connection, lease)
            if found is None:
                return False
            _end(connection, [(found[0], lease.job)], now_ms, outcome, error)
            connection.execute(sql.GIVE_BACK, (ready_ms, found[0], lease.job))
            connection.execute(sql.FREE_MUTEX, (found[0], lease.job))
        return True

    def doubt(self, lease: Lease, now_ms: int, error: Any = None) -> bool:
        """Note that nobody knows what an attempt did; false if it is not the current one."""
        with self._transaction() as connection:
            found = _holder(connection, lease)
            if found is None:
                return False
            _end(connection, [(found[0], lease.job)], now_ms, "unknown", error)
            connection.execute(sql.DOUBT, (found[0], lease.job))
        return True

    def do_again(self, instance: str, job: int, now_ms: int) -> bool:
        """A doubted job is to be done again; false if nobody doubts it."""
        with self._transaction() as connection:
            found = connection.execute(
                sql.DOUBTS + connection.for_update, (instance, job)
            ).fetchone()
            if found is None:
                return False
            connection.execute(sql.GIVE_BACK, (now_ms, found[0], job))
            connection.execute(sql.FREE_MUTEX, (found[0], job))
        return True

    def expire(self, now_ms: int) -> list[Ended]:
        """End every lease whose time is over; see the contract."""
        if not self._all(sql.EXPIRED, (now_ms,)):
            return []
        with self._transaction() as connection:
            ended = connection.execute(sql.EXPIRED + connection.skip_locked, (now_ms,)).fetchall()
            again = [row[:2] for row in ended if not row[3]]
            once = [row[:2] for row in ended if row[3]]
            _end(connection, again, now_ms, "expired", None)
            _end(connection, once, now_ms, "unknown", None)
            connection.executemany(sql.GIVE_BACK, [(now_ms, *row) for row in again])
            connection.executemany(sql.FREE_MUTEX, again)
            connection.executemany(sql.DOUBT, once)
        return [
            Ended(instance, job, attempt, is_unknown=bool(is_once))
            for _, job, attempt, is_once, instance in ended
        ]

    def unstarted(self, now_ms: int, limit: int) -> list[tuple[str, int]]:
        """(instance, job) of jobs that nobody has had in time."""
        return self._all(sql.UNSTARTED, (now_ms, limit))

    # -- what became of it

    def judge(self, instance: str, job: int, attempt: int, outcome: str, now_ms: int) -> Judgement:
        """What is to be said to a result that is not of the current attempt; see the contract."""
        key = (instance, job, attempt)
        found = self._one(sql.RESULT, key)
        if found is not None:
            return "repeated" if _outcome(found[0], job) == outcome else "late"
        if self._one(sql.ENDED, key) is None:
            return "unheard"
        self._do(sql.LATE, (now_ms, outcome, *key))
        return "late"

    def attempts(self, instance: str, job: int) -> list[dict[str, Any]]:
        """Every time the job was given out, oldest first."""
        names = (
            "attempt", "worker", "leased_ms", "ended_ms", "outcome", "progress", "error", "late_ms",
            "late",
        )  # fmt: skip
        found: list[dict[str, Any]] = []
        for *values, events in self._all(sql.ATTEMPTS, (instance, job)):
            one: dict[str, Any] = dict(zip(names, values, strict=True))
            if events is not None:
                one["outcome"] = _outcome(events, job)
            for name in ("progress", "error"):
                if one[name] is not None:
                    one[name] = decode(one[name])
            found.append(one)
        return found


def _holder(connection: Connection, lease: Lease) -> Any:
    held = (lease.instance, lease.job, lease.attempt)
    return connection.execute(sql.HOLDS + connection.for_update, held).fetchone()


def _end(connection: Connection, jobs: list[Any], now_ms: int, outcome: str, error: Any) -> None:
    said = None if error is None else encode(error)
    connection.executemany(sql.END_ATTEMPT, [(now_ms, outcome, said, *job) for job in jobs])


def _is_free(connection: Connection, row: Any) -> bool:
    """Whether no other job has the key of this one, which has it from now on."""
    run, job, tenant, mutex = row[0], row[1], row[7], row[8]
    if mutex is None:
        return True
    return connection.execute(sql.HOLD_MUTEX, (tenant, mutex, run, job)).rowcount > 0


def _give(
    connection: Connection, ready: list[Any], worker: str, now_ms: int, lease_ms: int
) -> list[tuple[Any, int]]:
    """Lease jobs; each with the moment at which that ends."""
    given: list[tuple[Any, int]] = []
    for row in ready:
        longest = [limit for limit in (lease_ms, row[9], row[10]) if limit is not None]
        given.append((row, now_ms + min(longest)))
    connection.executemany(
        sql.LEASE,
        [(row[6] + 1, worker, now_ms, until_ms, row[0], row[1]) for row, until_ms in given],
    )
    return given


def _leases(connection: Connection, given: list[tuple[Any, int]], worker: str) -> list[Lease]:
    rows = [row for row, _ in given]
    return list(_told(connection, rows, [(row[6] + 1, worker, until) for row, until in given]))


def _told(
    connection: Connection, rows: list[Any], held: list[tuple[int, str, int]]
) -> Iterator[Lease]:
    """Leases of jobs, each with (attempt, worker, until)."""
    shown = _arguments(connection, rows)
    for row, (attempt, worker, until_ms), arguments in zip(rows, held, shown, strict=True):
        yield Lease(
            instance=row[12],
            job=row[1],
            node=row[2],
            type=row[3],
            arguments=arguments,
            attempt=attempt,
            worker=worker,
            until_ms=until_ms,
            tenant=row[7],
            progress=None if row[11] is None else decode(row[11]),
        )


def _arguments(connection: Connection, jobs: list[Any]) -> list[Any]:
    """The arguments of jobs: (instance by its number, job, node, type, arguments, sees, ..)."""
    chains = [() if row[5] is None else decode(row[5]) for row in jobs]
    scopes = list(
        dict.fromkeys(
            (row[0], scope) for row, chain in zip(jobs, chains, strict=True) for scope in chain
        )
    )
    found = connection.find_all(sql.SHOWN, scopes)
    variables = {
        scope: {decode(name): decode(payload) for name, payload in rows}
        for scope, rows in zip(scopes, found, strict=True)
    }
    shown: list[Any] = []
    for row, chain in zip(jobs, chains, strict=True):
        arguments = decode(row[4])
        if chain:
            seen: dict[str, Any] = {}
            for scope in chain:
                seen.update(variables[row[0], scope])
            arguments["variables"] = seen
        shown.append(arguments)
    return shown


def _outcome(row: bytes, job: int) -> str:
    """How the attempt of a job ended whose result caused these events."""
    for event in decode(unpack(row), _events):
        if isinstance(event, e.JobClosed) and event.id == job:
            return event.outcome
    return "completed"
