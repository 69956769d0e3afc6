"""The cases of the token simulator: what is triggered, and which elements tokens leave in order.

Compared are the flow nodes that tokens leave, in order; only what is independent of each other may
come in another order.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from diglot.compiler import compile_source
from diglot.runtime import commands as c
from diglot.runtime.clock import ManualClock
from diglot.runtime.engine import Engine, Settings
from diglot.runtime.scheduler import settle

from .outcome import Outcome, Reporter, Verdict, judged, settled
from .simulated import Model, tag
from .simulated_exits import Exit, exits_of
from .token_simulation_disputes import DISPUTES

_EPOCH_MS = 1_780_000_000_000


def run(suites: Path, report: Reporter) -> Outcome:
    """Run every case."""
    return settled(_verdicts(suites / "bpmn" / "token-simulation"), report, DISPUTES)


def _verdicts(folder: Path) -> Iterator[Verdict]:
    path = folder / "expectations.json"
    if not path.is_file():
        return
    for number, case in enumerate(json.loads(path.read_text(encoding="utf-8"))["cases"]):
        name = f"token-simulation/{number:03d}-{case['name']}"
        yield judged(name, lambda case=case: _problem(folder, case))


def _problem(folder: Path, case: dict[str, Any]) -> str | None:
    waits_at = {
        step["element"] for step in case["steps"] if step["op"] == "waitAtElement" and step["value"]
    }
    model = Model((folder / case["bpmn"]).read_bytes(), _named(waits_at, case, folder))
    trial = Trial(model, case["bpmn"])
    try:
        for step in case["steps"]:
            problem = trial.play(step)
            if problem is not None:
                return problem
    finally:
        trial.close()
    return None


def _named(waits_at: set[str | None], case: dict[str, Any], folder: Path) -> set[str]:
    """The activities that wait; where the case names none it means every one there is."""
    found = {id for id in waits_at if id is not None}
    if None in waits_at:
        root = Model((folder / case["bpmn"]).read_bytes(), set()).root
        found |= {task.get("id") for kind in ("task", "sendTask") for task in root.iter(tag(kind))}
    return found


class Trial:
    """One case on an engine of its own."""

    def __init__(self, model: Model, name: str) -> None:
        self.model = model
        self.ways: dict[str, list[str]] = {}
        settings = Settings(metadata={"ways": self.ways})
        self.engine = Engine("sqlite://", clock=ManualClock(_EPOCH_MS), settings=settings)
        self._events = 0
        #: How many exits of earlier traces there are, by instance.
        self._looked: dict[str, int] = {}
        if not list(model.root.iter(tag("process"))):
            # A model of closed participants: messages go between them, and nothing runs.
            self.digests: dict[str, str] = {}
            return
        compiled = compile_source(model.text(), name)
        if compiled.is_refused:
            errors = [one for one in compiled.diagnostics if one.severity.value == "error"]
            raise ValueError(f"refused: {errors[0].code} {errors[0].message}")
        self.digests = {graph.name: self.engine.deploy(graph) for graph in compiled.graphs}

    def close(self) -> None:
        """Let the database go."""
        self.engine.close()

    def play(self, step: dict[str, Any]) -> str | None:
        """Play a step; what is wrong with a trace."""
        match step["op"]:
            case "setConfig":
                self.ways[step["element"]] = step["activeOutgoing"]
            case "trigger":
                self._trigger(step["element"])
            case "signal":
                self._publish("message", step["element"])
            case "expectTrace" if step.get("trace") is not None:
                return self._compare(step["trace"])
            case _:
                pass
        return None

    def _trigger(self, id: str | None) -> None:
        element = None if id is None else self.model.find(id)
        if element is None:
            self._trigger_what_waits()
        elif self._complete(str(id)):
            pass
        elif self._is_start(element):
            digest = self.digests[self.model.process_of(str(id))]
            name = f"i{len(self.engine.store.instances(limit=1000)):03}"
            self.engine.start(digest, {}, instance=name, start=self._start(element))
        elif not self._deliver(str(id)):
            self._publish(*self.model.triggers[str(id)])
        self._settle()

    def _is_start(self, element: Any) -> bool:
        is_top = element.getparent().tag == tag("process")
        waits = element.get("id") in self.model.triggers
        return is_top and (element.tag == tag("startEvent") or not waits)

    def _start(self, element: Any) -> str | None:
        """The start event to name; a process that begins as a whole needs none."""
        if element.tag != tag("startEvent"):
            return None
        starts = element.getparent().iterchildren(tag("startEvent"))
        first = next((one for one in starts if one.get("id") not in self.model.triggers), None)
        return None if element is first else str(element.get("id"))

    def _trigger_what_waits(self) -> None:
        """Trigger the one thing that waits, where the case does not name it."""
        for row in self.engine.store.instances(limit=1000):
            state = self.engine.state(row.id)
            plan = self.engine.plan(state.definition)
            for visit in state.visits.values():
                pointer = plan.nodes[visit.node].node.pointer
                if self._complete(pointer):
                    return
                if pointer in self.model.triggers:
                    self._publish(*self.model.triggers[pointer])
                    return

    def _deliver(self, id: str) -> bool:
        """Trigger what waits at an element in the youngest instance; false if nothing does."""
        kind, name = self.model.triggers[id]
        for row in self.engine.store.instances(limit=1000):
            state = self.engine.state(row.id)
            plan = self.engine.plan(state.definition)
            for subscription in sorted(state.subscriptions.values(), key=lambda one: one.id):
                if subscription.handler is not None:
                    element = plan.handlers[subscription.handler].handler.pointer
                else:
                    assert subscription.visit is not None
                    element = plan.nodes[state.visits[subscription.visit].node].node.pointer
                if element == id and kind == "message":
                    envelope = self._envelope(kind, name)
                    self.engine.submit(row.id, c.DeliverEvent(subscription.id, envelope))
                    return True
        return False

    def _complete(self, id: str) -> bool:
        for row in reversed(self.engine.store.instances(limit=1000)):
            state = self.engine.state(row.id)
            plan = self.engine.plan(state.definition)
            for job in sorted(state.jobs.values(), key=lambda job: job.id):
                if plan.nodes[job.node].node.pointer == id:
                    self.engine.submit(row.id, c.CompleteJob(job.id, {}))
                    self._settle()
                    return True
        return False

    def _publish(self, kind: str, name: str) -> None:
        self.engine.publish_event(self._envelope(kind, name))
        self._settle()

    def _envelope(self, kind: str, name: str) -> dict[str, Any]:
        self._events += 1
        id = f"e{self._events}"
        return {"id": id, "source": "/simulator", "type": name, "diglotkind": kind}

    def _settle(self) -> None:
        """Do all that is due, the tasks among it that nobody has to trigger."""
        settle(self.engine)
        for row in self.engine.store.instances(limit=1000):
            state = self.engine.state(row.id)
            plan = self.engine.plan(state.definition)
            for job in list(state.jobs.values()):
                if plan.nodes[job.node].node.pointer not in self.model.waits_at:
                    self.engine.submit(row.id, c.CompleteJob(job.id, {}))
                    self._settle()
                    return

    # -- traces

    def _compare(self, trace: list[str]) -> str | None:
        wanted = [name for name in _left(trace) if self._is_flow_node(name)]
        actual = self._new_exits()
        if _is_an_order_of(wanted, actual):
            return None
        return f"expected {' '.join(wanted)}, got {' '.join(one.element for one in actual)}"

    def _is_flow_node(self, id: str) -> bool:
        element = self.model.find(id)
        if element is None:
            return False
        kinds = ("process", "sequenceFlow", "messageFlow", "participant")
        return element.tag not in map(tag, kinds)

    def _new_exits(self) -> list[Exit]:
        """What tokens have left since the last look; what was left before is behind all of it."""
        found: list[Exit] = []
        for row in reversed(self.engine.store.instances(limit=1000)):
            exits = exits_of(self.engine, row.id)
            known, first = self._looked.get(row.id, 0), len(found)
            for one in exits[known:]:
                after = {first + index - known for index in one.after if index >= known}
                found.append(Exit(one.element, frozenset(after)))
            self._looked[row.id] = len(exits)
        return found


def _left(trace: list[str]) -> Iterator[str]:
    for line in trace:
        action, element, _ = line.split(":")
        if action == "exit":
            # A collapsed sub-process stands in a diagram of its own, which the simulator names.
            yield element.removesuffix("_plane")


def _is_an_order_of(wanted: list[str], exits: list[Exit]) -> bool:
    """Whether the exits can come in the order wanted, where each keeps behind what it follows."""
    left = dict(enumerate(exits))
    for name in wanted:
        ready = (
            index
            for index, one in left.items()
            if one.element == name and not any(before in left for before in one.after)
        )
        index = next(ready, None)
        if index is None:
            return False
        del left[index]
    return not left
