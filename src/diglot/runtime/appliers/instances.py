"""Instances: begun, held up, and over."""

from __future__ import annotations

from diglot.runtime import events as e
from diglot.runtime.state import State
from diglot.runtime.whole import restore

from .registry import applies


@applies(e.InstanceStarted)
def _(state: State, event: e.InstanceStarted) -> None:
    state.definition = event.definition
    state.status = "running"
    state.input = event.input
    state.started_ms = event.at_ms
    state.parent = event.parent
    state.parent_visit = event.parent_visit
    state.tenant = event.tenant


@applies(e.InstanceEnded)
def _(state: State, event: e.InstanceEnded) -> None:
    state.status = event.status
    state.ended_ms = event.at_ms
    state.output = event.output
    state.error = event.error
    # A job that nobody waits for is still done, unless somebody wants all of this to stop.
    unawaited = {id: job for id, job in state.jobs.items() if job.visit is None}
    if event.status == "cancelled":
        unawaited = {}
    for table in (
        "scopes", "visits", "arrivals", "jobs", "timers", "subscriptions", "items", "kept",
    ):  # fmt: skip
        rows = getattr(state, table)
        state.touched.update((table, id) for id in rows)
        rows.clear()
    state.jobs.update(unawaited)
    for index in (
        state.at, state.visits_in, state.bodies, state.handling, state.open, state.items_of,
        state.tallies, state.kept_by, state.adopted, state.races, state.signals, state.watching,
        state.shown,
    ):  # fmt: skip
        index.clear()
    state.board = state.moves = None


@applies(e.HistoryCondensed)
def _(state: State, event: e.HistoryCondensed) -> None:
    if state.status == "pending":
        # Nothing came before: the history begins here.
        restore(state, event.state)
        state.sequence += 1


@applies(e.InstanceSuspended)
def _(state: State, event: e.InstanceSuspended) -> None:
    state.status = "suspended"


@applies(e.InstanceResumed)
def _(state: State, event: e.InstanceResumed) -> None:
    state.status = "running"
