"""A scenario played on an engine of its own: what is done to it, and what then waits.

An element's n-th visit is its activation n. The instances are called as the scenario calls them;
one that a call activity began is called after its caller, the element and the activation.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from conformance.harness.evidence import is_authors
from diglot.compiler.graph import Graph
from diglot.runtime import commands as c
from diglot.runtime import events as e
from diglot.runtime.clock import ManualClock
from diglot.runtime.engine import Engine
from diglot.runtime.errors import StaleAttempt
from diglot.runtime.evolve import fold
from diglot.runtime.scheduler import settle
from diglot.runtime.state import State, Subscription, Timer
from diglot.runtime.store import InstanceRow, Lease

EPOCH_MS = 1_780_000_000_000
_MANY = 1_000
_DAY_MS = 86_400_000
#: An attempt that failed is not made again before somebody says so.
_NEVER_MS = EPOCH_MS + 36_500 * _DAY_MS

Kind = Literal["userTask", "effect", "incident", "timer", "message"]
Reply = Literal["committed", "rejected"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Waiting:
    """Something that waits to be done, fired or delivered; `own` is its id in the engine."""

    kind: Kind
    instance: str
    element: str
    activation: int
    name: str
    row: str
    own: int
    due_ms: int | None = None

    @property
    def id(self) -> dict[str, Any]:
        """What the scenario calls it."""
        return {
            "processInstanceId": self.instance,
            "elementId": self.element,
            "activation": self.activation,
        }


@dataclass(frozen=True, slots=True)
class Look:
    """What can be seen of an instance and of those it called."""

    status: str
    waiting: Sequence[Waiting]
    variables: Mapping[str, Any]
    open_instances: int
    clock_ms: int


class Play:
    """An engine with the graphs of one file; `messages` are the names of messages by their ids."""

    def __init__(self, graphs: Sequence[Graph], messages: Mapping[str, str]) -> None:
        self._clock = ManualClock(EPOCH_MS)
        self.engine = Engine("sqlite://", clock=self._clock)
        self._digests = {graph.name: self.engine.deploy(graph) for graph in graphs}
        self._messages = messages
        #: What the scenario calls an instance that began by itself, by its own id.
        self._names: dict[str, str] = {}
        self._leases: dict[tuple[str, int], Lease] = {}
        self._events = 0

    def close(self) -> None:
        """Let the database go."""
        self.engine.close()

    def play(self, stimulus: Mapping[str, Any]) -> Reply:
        """Do one thing and all that is due then.

        Raises:
            ValueError: there is no such stimulus.
        """
        outcome = self._do(stimulus)
        settle(self.engine)
        return outcome

    def look(self) -> Look:
        """What there is now; of the instance that began first and is nobody's child."""
        rows = self._rows()
        first = next((row for row in rows if row.parent is None), None)
        return Look(
            status="" if first is None else first.status,
            waiting=[one for row in rows for one in self._waiting(row)],
            variables={} if first is None else self._variables(first),
            open_instances=sum(row.ended_ms is None for row in rows),
            clock_ms=self._clock.now_ms() - EPOCH_MS,
        )

    def everything(self) -> list[dict[str, Any]]:
        """The whole state of every instance."""
        return [self.engine.state(row.id).snapshot() for row in self._rows()]

    # -- stimuli

    def _do(self, stimulus: Mapping[str, Any]) -> Reply:
        match stimulus["kind"]:
            case "startProcess":
                digest = self._digests[stimulus["processId"]]
                input = values(stimulus["initialVariables"])
                self.engine.start(digest, input, instance=stimulus["instanceId"])
                return "committed"
            case "triggerMessageStart":
                return self._begin(stimulus, self._messages[stimulus["channel"]["messageId"]])
            case "triggerTimerStart":
                return self._begin(stimulus, None)
            case "completeUserTaskInstance":
                result = {"kind": "success", "localPatch": stimulus["submittedValues"]}
                return self._finish("userTask", stimulus["taskId"], result)
            case "completeEffect":
                return self._finish("effect", stimulus["effectId"], stimulus["result"])
            case "fireTimer":
                return self._fire(stimulus["timerId"], stimulus["logicalTimeMs"])
            case "deliverMessage":
                name = self._messages[stimulus["channel"]["messageId"]]
                return self._deliver(stimulus["subscriptionId"], name)
            case "reportEffectFailure":
                return self._report(stimulus["effectId"], stimulus["generation"])
            case "retryIncident":
                return self._retry(**stimulus["incidentId"])
            case "cancelIncidentProcess":
                return self._cancel(**stimulus["incidentId"])
            case other:
                raise ValueError(f"nobody knows how to play {other}")

    def _begin(self, stimulus: Mapping[str, Any], message: str | None) -> Reply:
        """Let an instance begin by itself: by a message, or by the clock."""
        known = {row.id for row in self._rows()}
        if message is not None:
            self._publish(message)
        elif (due_ms := self.engine.store.next_due()) is not None:
            self._clock.advance(max(0, due_ms - self._clock.now_ms()))
        settle(self.engine)
        new = [row for row in self._rows() if row.id not in known]
        digest = self._digests[stimulus["processId"]]
        if len(new) != 1 or new[0].definition != digest:
            return "rejected"
        self._names[new[0].id] = stimulus["instanceId"]
        return "committed"

    def _finish(self, kind: Kind, id: Mapping[str, Any], result: Mapping[str, Any]) -> Reply:
        """Bring the result of a job, also where the job is long gone."""
        found = self._find(kind, id)
        row, job = (found.row, found.own) if found else self._gone(id)
        if not job:
            return "rejected"
        lease = self._leases.pop((row, job), None)
        token = 0 if lease is None else lease.attempt
        command: c.Command = c.CompleteJob(job, values(result["localPatch"]), token)
        if result["kind"] == "bpmnError":
            error = {"type": result["code"], "status": 500, "title": result["message"]}
            command = c.FailJob(job, error, token)
        try:
            self.engine.submit(row, command)
        except StaleAttempt:
            return "rejected"
        return "committed"

    def _fire(self, id: Mapping[str, Any], at_ms: int) -> Reply:
        found = self._find("timer", id)
        if found is None:
            return "rejected"
        self._clock.advance(EPOCH_MS + at_ms - self._clock.now_ms())
        settle(self.engine)
        return "rejected" if self._find("timer", id) else "committed"

    def _deliver(self, id: Mapping[str, Any], message: str) -> Reply:
        if self._find("message", id) is None:
            return "rejected"
        self._publish(message)
        settle(self.engine)
        return "rejected" if self._find("message", id) else "committed"

    def _report(self, id: Mapping[str, Any], generation: int) -> Reply:
        """Let an attempt of a job fail, so that it waits for somebody."""
        found = self._find("effect", id)
        lease = None if found is None else self._claim(found, self._clock.now_ms())
        if lease is None or lease.attempt != generation:
            return "rejected"
        now_ms = self._clock.now_ms()
        self.engine.store.give_back(lease, now_ms, _NEVER_MS, "failed")
        return "committed"

    def _retry(self, effectId: Mapping[str, Any], generation: int) -> Reply:
        """Give out a job again whose attempt failed."""
        found = self._incident(effectId, generation)
        if found is None or self._claim(found, self._clock.now_ms()) is not None:
            return "rejected"
        lease = self._claim(found, _NEVER_MS)
        if lease is None:
            return "rejected"
        self._leases[found.row, found.own] = lease
        return "committed"

    def _cancel(self, effectId: Mapping[str, Any], generation: int) -> Reply:
        found = self._incident(effectId, generation)
        if found is None:
            return "rejected"
        self.engine.cancel(found.row)
        return "committed"

    def _publish(self, message: str) -> None:
        self._events += 1
        envelope = {"id": f"m{self._events}", "source": "/scenario", "type": message}
        self.engine.publish_event({**envelope, "diglotkind": "message"})

    def _claim(self, found: Waiting, now_ms: int) -> Lease | None:
        """The lease of a job, if it is ready by then."""
        type = self.engine.state(found.row).jobs[found.own].type
        leases = self.engine.store.claim((type,), 1, "scenario", now_ms, _DAY_MS, found.row)
        return next((lease for lease in leases if lease.job == found.own), None)

    # -- looking

    def _find(self, kind: Kind, id: Mapping[str, Any]) -> Waiting | None:
        waiting = (one for row in self._rows() for one in self._waiting(row))
        return next((one for one in waiting if one.kind == kind and one.id == id), None)

    def _incident(self, id: Mapping[str, Any], generation: int) -> Waiting | None:
        found = self._find("incident", id)
        if found is None or len(self.engine.store.attempts(found.row, found.own)) != generation:
            return None
        return found

    def _gone(self, id: Mapping[str, Any]) -> tuple[str, int]:
        """(instance, job) of a job that is done with; job 0 if there never was one."""
        for row in self._rows():
            if self._name(row) == id["processInstanceId"]:
                visits = self._activations(row)
                wanted = id["elementId"], id["activation"]
                for _, _, events in self.engine.store.history(row.id):
                    for event in events:
                        if (
                            isinstance(event, e.JobOpened)
                            and visits.get(event.visit or 0) == wanted
                        ):
                            return row.id, event.id
        return "", 0

    def _rows(self) -> list[InstanceRow]:
        """Every instance, the oldest first."""
        return list(reversed(self.engine.store.instances(limit=_MANY)))

    def _name(self, row: InstanceRow) -> str:
        if row.parent is None:
            return self._names.get(row.id, row.id)
        caller = self.engine.store.instance(row.parent)
        visit = self.engine.state(row.id).parent_visit
        assert caller is not None
        assert visit is not None
        element, activation = self._activations(caller)[visit]
        above = self._name(caller)
        return f"call:{len(above)}:{above}:{len(element)}:{element}:{activation}"

    def _activations(self, row: InstanceRow) -> dict[int, tuple[str, int]]:
        """(element, activation) of every visit there was."""
        nodes = self.engine.plan(row.definition).nodes
        counts: dict[str, int] = {}
        found: dict[int, tuple[str, int]] = {}
        for _, _, events in self.engine.store.history(row.id):
            for event in events:
                if isinstance(event, e.VisitEntered | e.VisitPassed):
                    element = nodes[event.node].node.pointer
                    if is_authors(nodes[event.node]):
                        counts[element] = counts.get(element, 0) + 1
                    found[event.id] = element, max(1, counts.get(element, 0))
        return found

    def _waiting(self, row: InstanceRow) -> Iterator[Waiting]:
        state = self.engine.state(row.id)
        nodes = self.engine.plan(row.definition).nodes
        activations = self._activations(row)
        name = self._name(row)
        for job in sorted(state.jobs.values(), key=lambda job: job.id):
            element, activation = activations[job.visit or 0]
            yield Waiting(
                kind=self._kind(row, job.id, job.type),
                instance=name,
                element=element,
                activation=activation,
                name=nodes[job.node].node.name,
                row=row.id,
                own=job.id,
            )
        things: list[Timer | Subscription] = [*state.timers.values(), *state.subscriptions.values()]
        for thing in sorted(things, key=lambda thing: thing.id):
            element, activation = self._place(row, thing, activations)
            yield Waiting(
                kind="timer" if isinstance(thing, Timer) else "message",
                instance=name,
                element=element,
                activation=activation,
                name=element,
                row=row.id,
                own=thing.id,
                due_ms=thing.due_ms - EPOCH_MS if isinstance(thing, Timer) else None,
            )

    def _kind(self, row: InstanceRow, job: int, type: str) -> Kind:
        if type == "user-task":
            return "userTask"
        attempts = self.engine.store.attempts(row.id, job)
        return "incident" if attempts and attempts[-1]["outcome"] == "failed" else "effect"

    def _place(
        self,
        row: InstanceRow,
        thing: Timer | Subscription,
        activations: Mapping[int, tuple[str, int]],
    ) -> tuple[str, int]:
        """(element, activation) of what waits; a boundary event is active when its activity is."""
        element, activation = activations.get(thing.visit or 0, ("", 1))
        if thing.handler is not None:
            handlers = self.engine.plan(row.definition).graph.handlers
            element = next(one.pointer or one.id for one in handlers if one.id == thing.handler)
        return element, activation

    def _variables(self, row: InstanceRow) -> Mapping[str, Any]:
        if row.status == "completed":
            return dict(row.output or {})
        state = self.engine.state(row.id)
        if row.ended_ms is not None:
            # What it had when it was ended.
            *before, _ = self.engine.store.history(row.id)
            state = fold(row.id, (event for _, _, events in before for event in events))
        return _root_variables(state)


def values(named: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Named values of a scenario as an object; a null has no value written."""
    return {one["name"]: one["value"].get("value") for one in named}


def _root_variables(state: State) -> Mapping[str, Any]:
    roots = [scope for scope in state.scopes.values() if scope.parent is None]
    return dict(roots[0].variables) if roots else {}
