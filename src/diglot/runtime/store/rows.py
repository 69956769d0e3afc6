"""Between a state and its rows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from diglot.runtime.appliers.showing import show
from diglot.runtime.errors import CorruptState
from diglot.runtime.events import Terms
from diglot.runtime.indexes import index
from diglot.runtime.state import (
    Arrival,
    Item,
    Job,
    Kept,
    ScopeVisit,
    State,
    Subscription,
    Timer,
    Visit,
)

from .contract import Save

encode = msgspec.json.encode

_any = msgspec.json.Decoder()
#: Tables whose rows are in one column.
_PACKED: Final[dict[str, msgspec.json.Decoder[Any]]] = {
    "scopes": msgspec.json.Decoder(ScopeVisit),
    "visits": msgspec.json.Decoder(Visit),
    "arrivals": msgspec.json.Decoder(Arrival),
    "items": msgspec.json.Decoder(Item),
    "kept": msgspec.json.Decoder(Kept),
}


def decode(payload: Any, decoder: msgspec.json.Decoder[Any] = _any) -> Any:
    """A value out of a column.

    Raises:
        CorruptState: nobody wrote it like this.
    """
    try:
        return decoder.decode(payload)
    except (msgspec.DecodeError, TypeError) as error:
        raise CorruptState(
            f"a row of the database cannot be read: {error}; go back to a copy"
        ) from error


def _scope_row(save: Save, scope: ScopeVisit, _: list[int]) -> tuple[Any, ...]:
    bare = replace(scope, variables={}) if scope.variables else scope
    return (save.state.number, scope.id, scope.scope, encode(bare))


def _visit_row(save: Save, visit: Visit, _: list[int]) -> tuple[Any, ...]:
    return (save.state.number, visit.id, visit.node, encode(visit))


def _arrival_row(save: Save, arrival: Arrival, _: list[int]) -> tuple[Any, ...]:
    return (save.state.number, arrival.id, arrival.node, encode(arrival))


def _item_row(save: Save, item: Item, _: list[int]) -> tuple[Any, ...]:
    return (save.state.number, item.id, item.visit, item.position, encode(item))


def _kept_row(save: Save, kept: Kept, _: list[int]) -> tuple[Any, ...]:
    return (save.state.number, kept.id, kept.holder, kept.node, encode(kept))


def _job_row(save: Save, job: Job, _: list[int]) -> tuple[Any, ...]:
    arguments, sees = job.arguments, None
    if job.sees:
        arguments, sees = {**arguments, "variables": None}, encode(job.sees)
    return (
        save.state.number, job.id, job.visit, job.node, job.type, encode(arguments), sees,
        job.began_ms, save.state.tenant, *_terms_row(job.terms), job.began_ms,
    )  # fmt: skip


_USUAL: Final = (0, None, 0, None, None, None)


def _terms_row(terms: Terms | None) -> tuple[Any, ...]:
    if terms is None:
        return _USUAL
    return (
        -terms.priority, terms.mutex, int(terms.is_once), terms.start_by_ms, terms.lease_ms,
        terms.run_ms,
    )  # fmt: skip


def _terms(row: tuple[Any, ...]) -> Terms | None:
    if row == _USUAL:
        return None
    rank, mutex, is_once, start_by_ms, lease_ms, run_ms = row
    return Terms(-rank, mutex, bool(is_once), start_by_ms, lease_ms, run_ms)


def _timer_row(save: Save, timer: Timer, _: list[int]) -> tuple[Any, ...]:
    return (
        save.state.number, timer.id, timer.purpose, timer.due_ms, timer.visit, timer.scope,
        timer.handler, timer.part, timer.repeat,
    )  # fmt: skip


def _subscription_row(save: Save, row: Subscription, marks: list[int]) -> tuple[Any, ...]:
    return (
        save.state.number, row.id, row.visit, row.index, int(row.is_until), row.type, row.scope,
        row.handler, row.kind, marks[save.behind.get(row.id, 0)], save.at_ms,
    )  # fmt: skip


#: The parameters of `PUT[table]` for a row that is alive. The last argument's n-th number is that
#: of the last inbox row after n of the events that the save emits.
PUT_ROW: Final[dict[str, Callable[[Save, Any, list[int]], tuple[Any, ...]]]] = {
    "scopes": _scope_row,
    "visits": _visit_row,
    "arrivals": _arrival_row,
    "jobs": _job_row,
    "timers": _timer_row,
    "subscriptions": _subscription_row,
    "items": _item_row,
    "kept": _kept_row,
}


def instance_start(save: Save) -> tuple[Any, ...]:
    """The parameters of `INSERT_INSTANCE`."""
    state = save.state
    return (
        state.id, state.definition, state.status, state.sequence, state.counter,
        encode(state.input), *_ending(state)[:2], state.parent, state.parent_visit,
        state.tenant, state.started_ms, state.ended_ms,
    )  # fmt: skip


def instance_change(save: Save) -> tuple[Any, ...]:
    """The parameters of `UPDATE_INSTANCE`."""
    state = save.state
    return (
        state.status, state.sequence, state.counter, *_ending(state), state.number, save.base,
    )  # fmt: skip


def instance_step(save: Save) -> tuple[Any, ...]:
    """The parameters of `UPDATE_RUNNING`."""
    state = save.state
    return (state.sequence, state.counter, state.number, save.base)


def _ending(state: State) -> tuple[bytes | None, bytes | None, int | None]:
    output = encode(state.output) if state.status == "completed" else None
    error = None if state.error is None else encode(state.error)
    return output, error, state.ended_ms


def build_state(instance: Any, rows: dict[str, list[Any]]) -> State:
    """A state out of its rows: `instance` is the whole row, `rows` those alive by table."""
    state = State(instance[0])
    state.definition, state.status, state.sequence, state.counter = instance[1:5]
    state.input = decode(instance[5])
    state.output = None if instance[6] is None else decode(instance[6])
    state.error = None if instance[7] is None else decode(instance[7])
    state.parent, state.parent_visit, state.started_ms, state.ended_ms = instance[8:12]
    state.tenant, state.number = instance[12:14]
    for table, kind in _PACKED.items():
        for _, payload in rows[table]:
            row = decode(payload, kind)
            getattr(state, table)[row.id] = row
    for scope_id, name, payload in rows["variables"]:
        state.scopes[scope_id].variables[decode(name)] = decode(payload)
    for id, visit_id, node, type, arguments, sees, began_ms, *terms in rows["jobs"]:
        job = Job(id, visit_id, node, type, decode(arguments), began_ms, terms=_terms(tuple(terms)))
        state.jobs[id] = job
        if sees is not None:
            show(state, job)
    for id, purpose, due_ms, visit_id, scope_id, handler, part, repeat in rows["timers"]:
        state.timers[id] = Timer(id, purpose, due_ms, visit_id, scope_id, handler, part, repeat)
    for id, visit_id, number, is_until, type, scope_id, handler, kind in rows["subscriptions"]:
        state.subscriptions[id] = Subscription(
            id, visit_id, number, bool(is_until), type, scope_id, handler, kind
        )
    index(state)
    return state
