"""Writing what a command changed, within a transaction that somebody else holds."""

from __future__ import annotations

import sqlite3
from typing import Any

from diglot.runtime import events as e
from diglot.runtime.errors import Conflict, MessageGone, StaleAttempt

from . import rows, sql
from .contract import Save
from .rows import encode

#: What may make a message match that did not.
_RENEWING = (e.VariableSet, e.KeysKnown)


def inbox_row(envelope: dict[str, Any], now_ms: int) -> tuple[Any, ...]:
    """The parameters of `RECEIVE`."""
    source, id = str(envelope.get("source", "")), str(envelope.get("id", ""))
    return (source, id, encode(envelope), now_ms, str(envelope.get("type", "")))


def is_free(connection: sqlite3.Connection, number: int, by: str | None = None) -> bool:
    """Whether a message of the inbox can be taken, or `by` has it already."""
    found = connection.execute(sql.TAKER, (number,)).fetchone()
    if found is None:
        return False
    taker, is_here = found
    return (taker is None and bool(is_here)) or (taker is not None and taker == by)


def take_message(connection: sqlite3.Connection, number: int, by: str) -> None:
    """Note who took a message that is free; it is kept no longer."""
    connection.execute(sql.TAKE_MESSAGE, (by, number))


def write_save(connection: sqlite3.Connection, save: Save) -> Exception | None:
    """Write one command's changes, or nothing of it and say why."""
    state = save.state
    execute = connection.execute
    if save.job is not None:
        holder = execute(sql.JOB_HOLDER, (state.id, save.job)).fetchone()
        if holder is None or holder != ("leased", save.attempt):
            return StaleAttempt(
                f"attempt {save.attempt} of job {state.id}.{save.job} is not the current one"
            )
    # An instance that began with the message is found to be there, which is no fault.
    by = state.id if save.base == 0 else None
    if save.takes is not None and not is_free(connection, save.takes, by):
        return MessageGone(f"message {save.takes} was taken by somebody, or is kept no longer")
    if save.base == 0:
        moved = execute(sql.INSERT_INSTANCE, rows.instance_row(state)).rowcount
    else:
        moved = execute(sql.UPDATE_INSTANCE, rows.instance_change(save)).rowcount
    if moved == 0:
        return Conflict(f"instance {state.id} is not at event {save.base} any more")
    if save.takes is not None:
        take_message(connection, save.takes, state.id)
    count = len(save.events)
    execute(
        sql.INSERT_EVENTS,
        (state.id, save.base + 1, count, save.at_ms, save.payload),
    )
    if save.job is not None:
        ended = (save.at_ms, _outcome(save), state.id, save.job, save.attempt)
        execute(sql.END_ATTEMPT, ended)
    _write_alive(connection, save, _receive(connection, save))
    if state.subscriptions and any(isinstance(event, _RENEWING) for event in save.events):
        execute(sql.RENEW, (state.id,))
    for kind, payload in save.outbox:
        execute(sql.SEND, (kind, state.id, encode(payload), save.at_ms))
    return None


def _outcome(save: Save) -> str:
    for event in save.events:
        if isinstance(event, e.JobClosed) and event.id == save.job:
            return event.outcome
    return "completed"


def _receive(connection: sqlite3.Connection, save: Save) -> list[int]:
    """Put what the command emits into the inbox; the number of the last row before and after each.

    An event that was there already adds no row, so the numbers cannot be counted beforehand.
    """
    if not save.inbox and not save.state.subscriptions:
        return []
    marks: list[int] = [connection.execute(sql.LAST_RECEIVED).fetchone()[0]]
    for envelope in save.inbox:
        received = connection.execute(sql.RECEIVE, inbox_row(envelope, save.at_ms))
        number = received.lastrowid if received.rowcount > 0 else None
        marks.append(marks[-1] if number is None else number)
    return marks


def _write_alive(connection: sqlite3.Connection, save: Save, marks: list[int]) -> None:
    state = save.state
    for table, id in sorted(state.touched):
        if id in getattr(state, table):
            connection.execute(sql.PUT[table], rows.put_row(save, table, id, marks))
        elif id <= save.base_counter:
            connection.execute(sql.TAKE[table], (state.id, id))
