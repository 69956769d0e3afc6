"""Deciding: what a command makes of a state, as events. No clock, no store, no surprise."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from diglot.compiler.graph import Compensate

from . import commands as c
from . import events as e
from .faults import Fault, reported
from .plan import Plan
from .semantics import Step, Surroundings
from .semantics.activities import end_child
from .semantics.correlation import learn
from .semantics.delivery import deliver
from .semantics.entering import enter_scope
from .semantics.escalation import escalate_from
from .semantics.triggers import fire
from .state import State
from .whole import whole

D = TypeVar("D", bound=Callable[..., None])
_deciders: dict[type, Callable[[Step, Any], None]] = {}


def decides(command: type) -> Callable[[D], D]:
    """Register the one function that decides commands of this type."""

    def register(decider: D) -> D:
        if command in _deciders:
            raise RuntimeError(f"{command.__name__} is decided twice")
        _deciders[command] = decider
        return decider

    return register


def decide(plan: Plan, state: State, command: c.Command, around: Surroundings) -> list[e.Event]:
    """The events that `command` causes; `state` is carried along to what they make of it.

    A command that has nothing to do any more (a timer of a visit that is gone, a second
    completion, anything at an instance that is over) causes none. Only the jobs that nobody waited
    for still end after their instance.
    """
    step = Step(plan, state, around)
    if state.is_over and not isinstance(command, c.CompleteJob | c.FailJob):
        return step.events
    _deciders[type(command)](step, command)
    step.run()
    return step.events


@decides(c.StartInstance)
def _(step: Step, command: c.StartInstance) -> None:
    state = step.state
    if state.status != "pending":
        return
    _begin(step, command)
    data = command.input
    rules = step.plan.rules
    place = "/input"
    try:
        if rules is not None:
            from .semantics import Frame

            if rules.input_schema is not None:
                rules.input_schema(data, "workflow input")
            if rules.read is not None:
                data = rules.read(step, Frame(None, 0, data, step.now_ms), data)
        # What can still fail is the moment of the workflow's own time-out.
        place = "/timeout"
        root = step.plan.graph.root
        enter_scope(step, root, parent=None, owner=None, data=data, start=command.start)
        if not step.state.is_over:
            learn(step, command.keys)
    except Fault as found:
        step.end_instance("faulted", error={**found.problem, "instance": place})


def _begin(step: Step, command: c.StartInstance) -> None:
    step.emit(
        e.InstanceStarted(
            command.definition,
            command.input,
            step.now_ms,
            command.parent,
            command.parent_visit,
            command.tenant,
        )
    )


@decides(c.CompleteJob)
def _(step: Step, command: c.CompleteJob) -> None:
    job = step.state.jobs.get(command.job)
    if job is None:
        return
    step.emit(e.JobClosed(job.id, "completed", command.token))
    if job.visit is not None:
        step.finish(step.state.visits[job.visit], command.output)


@decides(c.FailJob)
def _(step: Step, command: c.FailJob) -> None:
    job = step.state.jobs.get(command.job)
    if job is None:
        return
    step.emit(e.JobClosed(job.id, "failed", command.token))
    if job.visit is not None:
        step.fail(step.state.visits[job.visit], reported(command.error))


@decides(c.FireTimer)
def _(step: Step, command: c.FireTimer) -> None:
    timer = step.state.timers.get(command.timer)
    if timer is None or timer.due_ms > step.now_ms:
        return
    step.emit(e.TimerFired(timer.id, step.now_ms))
    if timer.purpose == "wait":
        assert timer.visit is not None
        visit = step.state.visits[timer.visit]
        step.finish(visit, visit.input)
    else:
        fire(step, timer)


@decides(c.DeliverEvent)
def _(step: Step, command: c.DeliverEvent) -> None:
    subscription = step.state.subscriptions.get(command.subscription)
    if subscription is not None:
        deliver(step, subscription, command.envelope, command.number)


@decides(c.EndChild)
def _(step: Step, command: c.EndChild) -> None:
    visit = step.state.visits.get(command.visit)
    if visit is not None and visit.child == command.child:
        step.emit(e.ChildEnded(visit.id, command.child, command.status))
        end_child(step, visit, command.status, command.output, command.error)


@decides(c.EscalateChild)
def _(step: Step, command: c.EscalateChild) -> None:
    visit = step.state.visits.get(command.visit)
    if visit is None or visit.child != command.child or command.number <= visit.escalated:
        return
    step.emit(e.ChildEscalated(visit.id, command.child, command.number, command.code))
    try:
        escalate_from(step, visit, command.code, command.payload)
    except Fault as found:
        if visit.id not in step.state.visits:
            raise
        step.fail(visit, found.problem)


@decides(c.CancelInstance)
def _(step: Step, command: c.CancelInstance) -> None:
    step.end_instance("cancelled", by=command.by)


@decides(c.StopInstance)
def _(step: Step, command: c.StopInstance) -> None:
    if command.start is not None:
        _begin(step, command.start)
    step.end_instance("faulted", error=command.error)


@decides(c.CondenseHistory)
def _(step: Step, command: c.CondenseHistory) -> None:
    if step.state.status != "pending":
        step.emit(e.HistoryCondensed(whole(step.state)))


@decides(c.SuspendInstance)
def _(step: Step, command: c.SuspendInstance) -> None:
    if step.state.status == "running":
        step.emit(e.InstanceSuspended(step.now_ms, command.by))


@decides(c.ResumeInstance)
def _(step: Step, command: c.ResumeInstance) -> None:
    state = step.state
    if state.status != "suspended":
        return
    step.emit(e.InstanceResumed(step.now_ms, command.by))
    step.queue.extend((True, id) for id in sorted(state.arrivals))
    for scope in list(state.scopes.values()):
        if scope.tokens == 0 or scope.scope in step.plan.minded:
            step.look_for_end(scope)
    nodes = step.plan.nodes
    step.queue.extend(
        (False, id) for id, visit in state.visits.items() if nodes[visit.node].kind is Compensate
    )
