"""What a command tells the outside: events that tasks emit, and the DSL's lifecycle events.

Source: DSL, Lifecycle Events; DSL reference, Lifecycle Events; our decision A42.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from . import events as e
from .clock import iso
from .plan import NodePlan, Plan
from .state import State

T = TypeVar("T", bound=Callable[..., None])

_tellers: dict[type, Callable[[Teller, Any], None]] = {}

_PREFIX = "io.serverlessworkflow."


def tells(event: type) -> Callable[[T], T]:
    """Register what is told about events of this type."""

    def register(teller: T) -> T:
        if event in _tellers:
            raise RuntimeError(f"{event.__name__} is told twice")
        _tellers[event] = teller
        return teller

    return register


class Teller:
    """Watches one command's events and gathers the CloudEvents to send.

    It is shown each event before it is applied, so that what the event ends can still be seen.
    `with_output`: completed events carry the output itself besides its address, as DSL 1.0.3 did.
    """

    #: As it was before the event.
    state: State

    def __init__(self, plan: Plan, now_ms: int, *, with_output: bool = False) -> None:
        self.plan = plan
        self.now_ms = now_ms
        self.with_output = with_output
        self.told: list[dict[str, Any]] = []

    def __call__(self, state: State, event: e.Event) -> None:
        """Look at an event that is about to be applied to `state`."""
        tell = _tellers.get(type(event))
        if tell is not None:
            self.state = state
            tell(self, event)

    def workflow(self, what: str, time_name: str, **data: Any) -> None:
        """A workflow event; `what` is the middle of its type."""
        self._tell(f"workflow.{what}", {"name": self._name(), time_name: self._now(), **data})

    def task(self, what: str, plan: NodePlan, visit: int, time_name: str, **data: Any) -> None:
        """A task event; `visit` tells runs of one task apart."""
        if not plan.is_task:
            return
        self._tell(
            f"task.{what}",
            {
                "workflow": self._name(),
                "task": plan.node.pointer,
                time_name: self._now(),
                **data,
            },
            visit=visit,
        )

    def output(self, value: Any, visit: int | None) -> dict[str, Any]:
        """Where an output is to be had, and the output itself where that is wanted."""
        place = f"/instances/{self.state.id}" + (f"/visits/{visit}" if visit else "")
        told: dict[str, Any] = {"outputUri": f"{place}/output"}
        if self.with_output:
            told["output"] = value
        return told

    def running(self, visit: int) -> NodePlan:
        """The node of a visit that is alive."""
        return self.plan.nodes[self.state.visits[visit].node]

    def ends_with(self) -> list[tuple[NodePlan, int]]:
        """The visits alive now, which end with the instance."""
        return [(self.plan.nodes[v.node], v.id) for v in self.state.visits.values()]

    def definition(self) -> dict[str, str]:
        """The reference of the definition."""
        graph = self.plan.graph
        return {"name": graph.name, "namespace": graph.namespace, "version": graph.version}

    def _name(self) -> str:
        graph = self.plan.graph
        return f"{graph.name}-{self.state.id}.{graph.namespace}"

    def _now(self) -> str:
        return iso(self.now_ms)

    def _tell(self, what: str, data: dict[str, Any], *, visit: int | None = None) -> None:
        graph = self.plan.graph
        number = self.state.sequence + 1
        envelope: dict[str, Any] = {
            "specversion": "1.0",
            "id": f"{self.state.id}-{number}-{what}" + (f"-{visit}" if visit else ""),
            "source": f"/{graph.key}/{graph.version}",
            "type": f"{_PREFIX}{what}.v1",
            "time": self._now(),
            "subject": self.state.id,
            "datacontenttype": "application/json",
            "data": data,
        }
        if visit is not None:
            envelope["visit"] = visit
        self.told.append(envelope)


@tells(e.InstanceStarted)
def _(teller: Teller, event: e.InstanceStarted) -> None:
    teller.workflow("started", "startedAt", definition=teller.definition())


@tells(e.EventEmitted)
def _(teller: Teller, event: e.EventEmitted) -> None:
    teller.told.append(event.envelope)


@tells(e.InstanceSuspended)
def _(teller: Teller, event: e.InstanceSuspended) -> None:
    teller.workflow("suspended", "suspendedAt")
    for plan, visit in teller.ends_with():
        teller.task("suspended", plan, visit, "suspendedAt")


@tells(e.InstanceResumed)
def _(teller: Teller, event: e.InstanceResumed) -> None:
    teller.workflow("resumed", "resumedAt")
    for plan, visit in teller.ends_with():
        teller.task("resumed", plan, visit, "resumedAt")


@tells(e.InstanceEnded)
def _(teller: Teller, event: e.InstanceEnded) -> None:
    for plan, visit in teller.ends_with():
        teller.task("cancelled", plan, visit, "cancelledAt")
    if event.status == "completed":
        teller.workflow("completed", "completedAt", **teller.output(event.output, None))
    elif event.status == "faulted":
        teller.workflow("faulted", "faultedAt", error=event.error)
    else:
        teller.workflow("cancelled", "cancelledAt")


@tells(e.VisitEntered)
def _(teller: Teller, event: e.VisitEntered) -> None:
    plan = teller.plan.nodes[event.node]
    teller.task("created", plan, event.id, "createdAt")
    teller.task("started", plan, event.id, "startedAt")


@tells(e.VisitPassed)
def _(teller: Teller, event: e.VisitPassed) -> None:
    plan = teller.plan.nodes[event.node]
    if not plan.is_task:
        return
    output = event.data
    if event.is_same:
        # The reset of a complex gateway may have taken nothing.
        output = teller.state.arrivals[event.arrivals[-1]].data if event.arrivals else None
    teller.task("created", plan, event.id, "createdAt")
    teller.task("started", plan, event.id, "startedAt")
    teller.task("completed", plan, event.id, "completedAt", **teller.output(output, event.id))


@tells(e.VisitLeft)
def _(teller: Teller, event: e.VisitLeft) -> None:
    plan = teller.running(event.id)
    teller.task("completed", plan, event.id, "completedAt", **teller.output(event.data, event.id))


@tells(e.VisitFailed)
def _(teller: Teller, event: e.VisitFailed) -> None:
    teller.task("faulted", teller.running(event.id), event.id, "faultedAt", error=event.error)


@tells(e.VisitCancelled)
def _(teller: Teller, event: e.VisitCancelled) -> None:
    teller.task("cancelled", teller.running(event.id), event.id, "cancelledAt")


@tells(e.ScopeRestarted)
def _(teller: Teller, event: e.ScopeRestarted) -> None:
    owner = teller.state.scopes[event.id].owner
    if owner is not None:
        teller.task("retried", teller.running(owner), owner, "retriedAt")


@tells(e.SubscriptionOpened)
def _(teller: Teller, event: e.SubscriptionOpened) -> None:
    if event.index == 0 and not event.is_until and event.handler is None:
        teller.workflow("correlation-started", "startedAt")


@tells(e.EventTaken)
def _(teller: Teller, event: e.EventTaken) -> None:
    visit = teller.state.visits[event.visit]
    if event.keys and event.keys != visit.keys:
        teller.workflow("correlation-completed", "completedAt", correlationKeys=event.keys)
