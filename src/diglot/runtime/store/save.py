"""Writing what a command changed, within a transaction that somebody else holds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from diglot.runtime import events as e
from diglot.runtime.errors import Conflict, MessageGone, StaleAttempt

from . import rows, sql
from .contract import Save
from .database import Connection
from .packing import pack
from .rows import encode

#: Job, number, worker, begin (`_ms`) and last progress of the attempt whose result is saved.
_Attempt = tuple[int | None, int | None, str | None, int | None, bytes | None]
_NONE: tuple[_Attempt, bool] = (None, None, None, None, None), False
#: By the number of the instance and that of the job; and whether it held a mutex key.
_Attempts = dict[tuple[int, int | None], tuple[_Attempt, bool]]
#: What may make a message match that did not.
_RENEWING = (e.VariableSet, e.KeysKnown)


def inbox_row(envelope: dict[str, Any], now_ms: int) -> tuple[Any, ...]:
    """The parameters of `RECEIVE`."""
    source, id = str(envelope.get("source", "")), str(envelope.get("id", ""))
    return (source, id, encode(envelope), now_ms, str(envelope.get("type", "")))


def is_free(connection: Connection, number: int, by: str | None = None) -> bool:
    """Whether a message of the inbox can be taken, or `by` has it already."""
    found = connection.execute(sql.TAKER + connection.for_update, (number,)).fetchone()
    if found is None:
        return False
    taker, is_here = found
    return (taker is None and bool(is_here)) or (taker is not None and taker == by)


def take_message(connection: Connection, number: int, by: str) -> None:
    """Note who took a message that is free; it is kept no longer."""
    connection.execute(sql.TAKE_MESSAGE, (by, number))


def hold_inbox(connection: Connection, saves: Sequence[Save]) -> None:
    """Let nothing come into the inbox beside what is saved, or only behind it.

    A subscription remembers which events came before it: the numbers below the one that it sees
    last have all to be there then, and what comes later has to find it.
    """
    if any(save.inbox for save in saves):
        connection.alone("inbox")
    elif any(save.state.subscriptions for save in saves):
        connection.beside("inbox")


def write_saves(connection: Connection, saves: Sequence[Save]) -> list[Exception | None]:
    """Write what commands changed; for each why nothing of it was, if there is a reason."""
    return [refusal for group in _groups(saves) for refusal in _write_group(connection, group)]


def _groups(saves: Sequence[Save]) -> Iterator[list[Save]]:
    """What can be written together: one save an instance, and one that takes a message alone."""
    group: list[Save] = []
    ids: set[str] = set()
    for save in saves:
        if group and (
            save.state.id in ids or save.takes is not None or group[-1].takes is not None
        ):
            yield group
            group, ids = [], set()
        group.append(save)
        ids.add(save.state.id)
    if group:
        yield group


def _write_group(connection: Connection, saves: Sequence[Save]) -> list[Exception | None]:
    """Write what changed in different instances, the rows of one table together."""
    refusals: list[Exception | None] = [None] * len(saves)
    attempts = _attempts(connection, saves, refusals)
    _take(connection, saves, refusals)
    _move(connection, saves, refusals)
    written = [save for save, refusal in zip(saves, refusals, strict=True) if refusal is None]
    _write(connection, written, attempts)
    return refusals


def _attempts(
    connection: Connection, saves: Sequence[Save], refusals: list[Exception | None]
) -> _Attempts:
    """The attempts whose results are saved; what is held stays so until this is written."""
    attempts: _Attempts = {}
    held = [
        (number, done)
        for number, save in enumerate(saves)
        for done in save.done
        if done.job is not None
    ]
    keys = [(saves[number].state.number, done.job) for number, done in held]
    for (number, done), holder in zip(
        held, connection.find_each(sql.JOB_HOLDER, keys), strict=True
    ):
        state = saves[number].state
        if holder is not None and holder[:2] == ("leased", done.attempt):
            attempts[state.number, done.job] = (done.job, *holder[1:5]), holder[5] is not None
        else:
            refusals[number] = StaleAttempt(
                f"attempt {done.attempt} of job {state.id}.{done.job} is not the current one"
            )
    return attempts


def _take(connection: Connection, saves: Sequence[Save], refusals: list[Exception | None]) -> None:
    """See that messages can be taken; they stay so until this is written."""
    for number, save in enumerate(saves):
        # An instance that began with the message is found to be there, which is no fault.
        by = save.state.id if save.base == 0 else None
        if save.takes is not None and not is_free(connection, save.takes, by):
            refusals[number] = MessageGone(
                f"message {save.takes} was taken by somebody, or is kept no longer"
            )


def _move(connection: Connection, saves: Sequence[Save], refusals: list[Exception | None]) -> None:
    """Move each instance on, unless it has gone on by itself."""
    kinds: tuple[list[int], list[int], list[int]] = ([], [], [])
    for number, save in enumerate(saves):
        if refusals[number] is None:
            kinds[0 if save.base == 0 else 1 + _goes_on(save)].append(number)
    for numbers, statement, parameters in (
        (kinds[0], sql.INSERT_INSTANCE, rows.instance_start),
        (kinds[1], sql.UPDATE_INSTANCE, rows.instance_change),
        (kinds[2], sql.UPDATE_RUNNING, rows.instance_step),
    ):
        moved = connection.change_each(statement, [parameters(saves[n]) for n in numbers])
        for number, has_moved in zip(numbers, moved, strict=True):
            save = saves[number]
            if not has_moved:
                refusals[number] = Conflict(
                    f"instance {save.state.id} is not at event {save.base} any more"
                )
    begun = [saves[number].state for number in kinds[0] if refusals[number] is None]
    found = connection.find_each(sql.NUMBER, [(state.id,) for state in begun])
    for state, (own,) in zip(begun, found, strict=True):
        state.number = own


def _goes_on(save: Save) -> bool:
    """Whether the instance runs as it did before."""
    return save.state.status == "running" and not isinstance(
        save.done[0].events[0], e.InstanceResumed
    )


def _write(connection: Connection, saves: Sequence[Save], attempts: _Attempts) -> None:
    """Write what else belongs to instances that have been moved on."""
    todo: dict[str, list[tuple[Any, ...]]] = {sql.END_ATTEMPT: []}
    put = todo.setdefault
    appended = put(sql.INSERT_EVENTS, [])
    for save in saves:
        state = save.state
        number = state.number
        if save.takes is not None:
            take_message(connection, save.takes, state.id)
        base = save.base
        for done in save.done:
            events = (
                number, base + 1, len(done.events), save.at_ms, pack(done.payload),
                1 if done.is_whole else None,
            )  # fmt: skip
            if done.is_whole:
                put(sql.FORGET, []).append((number, base + 1))
            attempt, has_mutex = attempts.get((number, done.job), _NONE)
            appended.append(events + attempt)
            if has_mutex:
                put(sql.FREE_MUTEX, []).append((number, done.job))
            base += len(done.events)
        marks = _receive(connection, save)
        for table, id in state.touched:
            row = getattr(state, table).get(id)
            if row is not None:
                put(sql.PUT[table], []).append(rows.PUT_ROW[table](save, row, marks))
            elif id <= save.base_counter:
                if table == "jobs" and (number, id) not in attempts:
                    put(sql.END_ATTEMPT, []).append((save.at_ms, "cancelled", None, number, id))
                    put(sql.FREE_MUTEX, []).append((number, id))
                put(sql.TAKE[table], []).append((number, id))
                if table == "scopes":
                    put(sql.UNASSIGN, []).append((number, id))
        for id, name in state.assigned:
            if id in state.scopes:
                value = state.scopes[id].variables[name]
                put(sql.ASSIGN, []).append((number, id, encode(name).decode(), encode(value)))
        for kind, payload in save.outbox:
            put(sql.SEND, []).append((kind, state.id, encode(payload), save.at_ms))
    with connection.unanswered():
        for statement, parameters in todo.items():
            if parameters:
                connection.executemany(statement, parameters)
        for save in saves:
            if save.state.subscriptions and _renews(save):
                connection.execute(sql.RENEW, (save.state.number,))


def _renews(save: Save) -> bool:
    """Whether a message may match now that did not before."""
    return any(isinstance(event, _RENEWING) for done in save.done for event in done.events)


def _receive(connection: Connection, save: Save) -> list[int]:
    """Put what the command emits into the inbox; the number of the last row before and after each.

    An event that was there already adds no row, so the numbers cannot be counted beforehand.
    """
    if not save.inbox and not save.state.subscriptions:
        return []
    marks: list[int] = [connection.execute(sql.LAST_RECEIVED).fetchone()[0]]
    for envelope in save.inbox:
        received = connection.execute(sql.RECEIVE, inbox_row(envelope, save.at_ms))
        if received.rowcount > 0:
            marks.append(connection.execute(sql.LAST_RECEIVED).fetchone()[0])
        else:
            marks.append(marks[-1])
    return marks
