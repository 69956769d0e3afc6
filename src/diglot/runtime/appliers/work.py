"""What is open outside the machine: jobs, timers, subscriptions and children."""

from __future__ import annotations

from diglot.runtime import events as e
from diglot.runtime.state import Job, State, Subscription, Timer

from .registry import applies
from .rows import drop, opens, shuts
from .showing import hide, show


@applies(e.JobOpened)
def _(state: State, event: e.JobOpened) -> None:
    job = Job(
        event.id,
        event.visit,
        event.node,
        event.type,
        event.arguments,
        event.at_ms,
        terms=event.terms,
    )
    state.jobs[event.id] = job
    if event.shows:
        show(state, job)
    opens(state, event.visit, "jobs", event.id)


@applies(e.JobClosed)
def _(state: State, event: e.JobClosed) -> None:
    job = state.jobs.pop(event.id)
    if job.sees:
        hide(state, job)
    shuts(state, job.visit, "jobs", event.id)


@applies(e.TimerArmed)
def _(state: State, event: e.TimerArmed) -> None:
    state.timers[event.id] = Timer(
        event.id,
        event.purpose,
        event.due_ms,
        event.visit,
        event.scope,
        event.handler,
        event.part,
        event.repeat,
    )
    opens(state, event.visit or event.scope, "timers", event.id)


@applies(e.TimerFired)
def _(state: State, event: e.TimerFired) -> None:
    timer = state.timers.pop(event.id)
    shuts(state, timer.visit or timer.scope, "timers", event.id)


@applies(e.SubscriptionOpened)
def _(state: State, event: e.SubscriptionOpened) -> None:
    state.subscriptions[event.id] = Subscription(
        event.id,
        event.visit,
        event.index,
        event.is_until,
        event.type,
        event.scope,
        event.handler,
        event.kind,
    )
    if event.kind == "signal":
        state.signals.setdefault(event.type, {})[event.id] = None
    opens(state, event.visit or event.scope, "subscriptions", event.id)


@applies(e.EventTaken)
def _(state: State, event: e.EventTaken) -> None:
    visit = state.visits[event.visit]
    subscription = state.subscriptions[event.subscription]
    visit.keys = event.keys
    visit.last_event = max(visit.last_event, event.number)
    if subscription.is_until:
        visit.until_taken.append(subscription.index)
    else:
        visit.taken.append(subscription.index)
        visit.pending.append(event.value)
    if event.closes:
        drop(state, "subscriptions", event.subscription)
        shuts(state, event.visit, "subscriptions", event.subscription)
    state.touched.add(("visits", event.visit))


@applies(e.EventRead)
def _(state: State, event: e.EventRead) -> None:
    visit = state.visits[event.visit]
    del visit.pending[0]
    visit.results.append(event.value)
    state.touched.add(("visits", event.visit))


@applies(e.EventEmitted)
def _(state: State, event: e.EventEmitted) -> None:
    """A CloudEvent that went out leaves nothing behind in the state."""


@applies(e.ChildStarted)
def _(state: State, event: e.ChildStarted) -> None:
    if event.waits:
        state.visits[event.visit].child = event.child
        state.touched.add(("visits", event.visit))


@applies(e.ChildEnded)
def _(state: State, event: e.ChildEnded) -> None:
    state.visits[event.visit].child = None
    state.touched.add(("visits", event.visit))


@applies(e.ChildCancelled)
def _(state: State, event: e.ChildCancelled) -> None:
    visit = state.visits.get(event.visit)
    if visit is not None:
        visit.child = None
        state.touched.add(("visits", event.visit))


@applies(e.ChildEscalated)
def _(state: State, event: e.ChildEscalated) -> None:
    state.visits[event.visit].escalated = event.number
    state.touched.add(("visits", event.visit))
