"""Between a state and its rows."""

from __future__ import annotations

from collections.abc import Callable
from operator import itemgetter
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from diglot.runtime.appliers.showing import show
from diglot.runtime.appliers.undoing import hold
from diglot.runtime.errors import CorruptState
from diglot.runtime.events import Terms
from diglot.runtime.state import (
    Arrival,
    Item,
    Job,
    Kept,
    ScopeVisit,
    State,
    Subscription,
    Tally,
    Timer,
    Visit,
)

from .contract import Save

encode = msgspec.json.encode

_any = msgspec.json.Decoder()
_scope = msgspec.json.Decoder(ScopeVisit)
_visit = msgspec.json.Decoder(Visit)
_arrival = msgspec.json.Decoder(Arrival)
_item = msgspec.json.Decoder(Item)
_kept = msgspec.json.Decoder(Kept)


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
    for _, payload in rows["scopes"]:
        scope = decode(payload, _scope)
        state.scopes[scope.id] = scope
        state.visits_in[scope.id] = {}
    for scope in state.scopes.values():
        if scope.truths:
            state.watching[scope.id] = None
        if scope.owner is not None:
            state.bodies.setdefault(scope.owner, {})[scope.id] = None
        elif scope.parent is not None:
            state.handling.setdefault(scope.parent, {})[scope.id] = None
    for _, payload in rows["visits"]:
        visit = decode(payload, _visit)
        state.visits[visit.id] = visit
        state.visits_in[visit.scope][visit.id] = None
        if visit.race is not None:
            state.races.setdefault(visit.race, {})[visit.id] = None
        if visit.truths or visit.is_held:
            state.watching[visit.id] = None
    for _, payload in rows["arrivals"]:
        arrival = decode(payload, _arrival)
        state.arrivals[arrival.id] = arrival
        state.at.setdefault((arrival.scope, arrival.node), []).append(arrival.id)
    for scope_id, name, payload in rows["variables"]:
        state.scopes[scope_id].variables[decode(name)] = decode(payload)
    for id, visit_id, node, type, arguments, sees, began_ms, *terms in rows["jobs"]:
        job = Job(id, visit_id, node, type, decode(arguments), began_ms, terms=_terms(tuple(terms)))
        state.jobs[id] = job
        if sees is not None:
            show(state, job)
        _holds(state, visit_id, "jobs", id)
    for id, purpose, due_ms, visit_id, scope_id, handler, part, repeat in rows["timers"]:
        state.timers[id] = Timer(id, purpose, due_ms, visit_id, scope_id, handler, part, repeat)
        _holds(state, visit_id or scope_id, "timers", id)
    for id, visit_id, number, is_until, type, scope_id, handler, kind in rows["subscriptions"]:
        state.subscriptions[id] = Subscription(
            id, visit_id, number, bool(is_until), type, scope_id, handler, kind
        )
        _holds(state, visit_id or scope_id, "subscriptions", id)
        if kind == "signal":
            state.signals.setdefault(type, {})[id] = None
    # As it was opened: rows come table by table.
    for holder, held in state.open.items():
        if len(held) > 1:
            state.open[holder] = dict.fromkeys(sorted(held, key=itemgetter(1)))
    _build_runs(state, rows)
    return state


def _build_runs(state: State, rows: dict[str, list[Any]]) -> None:
    """Put runs that are over, and what can be undone, into a state that has its visits already."""
    for visit in state.visits.values():
        if visit.total is not None:
            begun = len(state.bodies.get(visit.id, ()))
            state.tallies[visit.id] = Tally(begun)
            state.items_of[visit.id] = {}
    for _, payload in rows["items"]:
        item = decode(payload, _item)
        state.items[item.id] = item
        state.items_of[item.visit][item.position] = item.id
        tally = state.tallies[item.visit]
        tally.begun += 1
        tally.terminated += item.is_terminated
        tally.completed += not item.is_terminated
    for _, payload in rows["kept"]:
        kept = decode(payload, _kept)
        hold(state, kept)


def _holds(state: State, holder: int | None, table: str, id: int) -> None:
    if holder is not None:
        state.open.setdefault(holder, {})[(table, id)] = None
