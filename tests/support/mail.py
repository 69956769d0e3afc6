"""A simulation of messages and signals: who gets them while engines die at their commits.

One seed is one history of instances that send, wait, catch and are started, on one database with
one or two engines. At the end everybody who asks for what is left gets it; then each message has
been taken exactly once, and each signal once by everyone who waited for it when it came.
"""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path
from typing import Any, cast

from diglot.compiler import graph as g
from diglot.runtime import commands as c
from diglot.runtime import events as e
from diglot.runtime.clock import ManualClock
from diglot.runtime.errors import CallerError
from diglot.runtime.scheduler import tick

from .graphs import (
    boundary,
    event_sub,
    fork,
    join,
    key,
    process,
    sends,
    starts,
    told,
    told_all,
    waits_for,
)
from .laws import check_tokens
from .simulation import Broken, Crash, Node

MESSAGES = ("m.a", "m.b", "m.c")
SIGNALS = ("s.a", "s.b")
KEYS = ("k1", "k2")

_KEY = key("key", ".data.key")
_MINE = key("mine", ".data.key", g.Expression(text=".key", of="variables"), is_shared=False)

#: What runs: each is started by hand, `starts-...` by what is sent besides.
CAST = {
    "any": process("start -> wait -> end", name="any", wait=waits_for("m.a")),
    "mine": process("start -> wait -> again -> end", name="mine", wait=waits_for("m.a", _MINE),
                    again=waits_for("m.b", _MINE)),
    "conversation": process(
        "start -> ask -> wait -> last -> end",
        name="conversation",
        ask=sends("m.c", '{key, mark: (.mark + "/ask")}', _KEY),
        wait=waits_for("m.a", _KEY),
        last=waits_for("m.b", _KEY),
    ),
    "boundary": process(
        """
        start -> wait -> end
        told -> endT
        called -> endC
        """,
        name="boundary",
        wait=waits_for("m.b"),
        told=boundary("wait", told("m.a"), interrupts=False),
        called=boundary("wait", told("s.a", kind="signal"), interrupts=False),
    ),
    "handler": process(
        "start -> wait -> end",
        name="handler",
        wait=waits_for("m.c", _MINE),
        heard=event_sub(told("m.b"), "startH -> endH", interrupts=False),
        caught=event_sub(told("s.b", kind="signal"), "startS -> endS", interrupts=False),
    ),
    "catches": process(
        """
        start -> both -> one -> all -> end
        both -> two -> all
        """,
        name="catches",
        both=fork(),
        one=waits_for("s.a", kind="signal"),
        two=waits_for("s.b", kind="signal"),
        all=join(),
    ),
    "throws": process(
        """
        start -> both -> throw -> tell -> end
        both -> own -> endO
        """,
        name="throws",
        both=fork(),
        throw=sends("s.a", '{mark: (.mark + "/throw")}', kind="signal"),
        tell=sends("m.b", '{key, mark: (.mark + "/tell")}'),
        own=waits_for("s.a", kind="signal"),
        noted=event_sub(told("s.a", kind="signal"), "startN -> endN", interrupts=False),
    ),
    "starts": process(
        """
        start -> first -> wait -> end
        startS -> endS
        """,
        name="starts",
        start=starts(told("m.c", _KEY)),
        first=sends("m.a", '{key, mark: (.mark + "/first")}'),
        wait=waits_for("m.b", _KEY),
        startS=starts(told("s.b", kind="signal")),
    ),
    "gathers": process(
        "start -> end",
        name="gathers",
        start=starts(told_all(told("m.b"), told("s.a", kind="signal"))),
    ),
}  # fmt: skip


class Mail:
    """One seed's world. `run` plays it and raises `Broken` where an invariant does not hold."""

    def __init__(self, seed: int, path: Path) -> None:
        self.random = random.Random(seed)
        self.clock = ManualClock()
        count = 1 + self.random.randrange(2)
        self.nodes = [Node(f"sqlite:///{path}", self.clock, number) for number in range(count)]
        self.digests: dict[str, str] = {}
        self.begun = 0
        self.numbers = 0
        self.sent: list[dict[str, Any]] = []
        #: For each subscription that was seen the last event of the inbox that was there before.
        self.floors: dict[tuple[str, int], int] = {}
        #: The signals of the inbox, by their number.
        self.signals: dict[int, dict[str, Any]] = {}
        self.last = 0
        self.done: list[str] = []

    def run(self, steps: int = 50) -> None:
        """Play `steps` random steps, then give everything that is left to somebody."""
        try:
            for name in CAST:
                self.digests[name] = self.nodes[0].engine.deploy(CAST[name])
            for _ in range(steps):
                self.step()
            self.settle()
            self.look_for_passed_signals()
            self.drain()
            self.look_at_everything()
        finally:
            for node in self.nodes:
                node.stop()

    def step(self) -> None:
        """One thing happens, to one engine, which may die of it."""
        node = self.pick(self.nodes)
        action = self.pick(("start", "start", "send", "send", "send", "again", "tick", "tick",
                            "tick", "wait", "restart", "cancel", "suspend", "resume"))  # fmt: skip
        self.done.append(action)
        if self.random.randrange(100) < 30:
            moment = self.pick(("before", "after"))
            self.done[-1] += f" dies {moment}"
            node.die_at(moment, self.random.randrange(8))
        try:
            getattr(self, f"do_{action}")(node)
        except Crash:
            node.stop()
            node.start()
        node.store.on_commit = None
        self.look()

    def pick(self, options: Any) -> Any:
        """One of several."""
        return options[self.random.randrange(len(options))]

    # -- what can happen

    def do_start(self, node: Node) -> None:
        name = self.pick(list(CAST))
        self.begun += 1
        instance = f"i{self.begun:03}-{name}"
        given = {"key": self.pick(KEYS), "mark": instance}
        node.engine.start(self.digests[name], given, instance=instance)

    def do_send(self, node: Node) -> None:
        type = self.pick((*MESSAGES, *SIGNALS))
        kind = self.pick((None, "signal" if type in SIGNALS else "message"))
        self.numbers += 1
        event: dict[str, Any] = {
            "id": str(self.numbers),
            "source": "/mail",
            "type": type,
            "data": {"key": self.pick(KEYS), "mark": str(self.numbers)},
        }
        if kind is not None:
            event["diglotkind"] = kind
        self.sent.append(event)
        node.engine.publish_event(event)

    def do_again(self, node: Node) -> None:
        if self.sent:
            node.engine.publish_event(self.pick(self.sent))

    def do_tick(self, node: Node) -> None:
        tick(node.engine)

    def do_wait(self, node: Node) -> None:
        # Messages are kept for longer than all of this takes.
        self.clock.advance(self.pick((1, 50, 5_000)))

    def do_restart(self, node: Node) -> None:
        node.stop()
        node.start()

    def do_cancel(self, node: Node) -> None:
        self.ask(node, c.CancelInstance("operator"))

    def do_suspend(self, node: Node) -> None:
        self.ask(node, c.SuspendInstance("operator"))

    def do_resume(self, node: Node) -> None:
        self.ask(node, c.ResumeInstance("operator"))

    def ask(self, node: Node, command: c.Command) -> None:
        instances = [row.id for row in node.store.instances(limit=1000)]
        if instances:
            try:
                node.engine.submit(self.pick(instances), command)
            except CallerError:
                return

    # -- the end

    def settle(self) -> None:
        """Let everything come to rest."""
        for event in self.sent:
            # Who sent it and got no answer sends it again.
            self.nodes[0].engine.publish_event(event)
        for node in (*self.nodes, *self.nodes):
            for row in node.store.instances(status="suspended", limit=1000):
                node.engine.resume(row.id)
            for _ in range(100):
                if not tick(node.engine):
                    break
            else:
                raise Broken("ticks never come to rest")
        self.look()

    def drain(self) -> None:
        """Somebody asks for every message that is left, in vain at last."""
        engine = self.nodes[0].engine
        for type in MESSAGES:
            graph = process("start -> wait -> end", name=f"drain-{type}", wait=waits_for(type))
            digest = engine.deploy(graph)
            for number in range(10_000):
                instance = engine.start(digest, {}, instance=f"z{type}-{number:04}")
                self.settle()
                if engine.instance(instance).status == "running":
                    break

    # -- invariants

    def check(self, holds: bool, what: str) -> None:
        """Break off where something does not hold."""
        if not holds:
            raise Broken(f"{what}; {self.done}")

    def look(self) -> None:
        """What holds at every moment: histories give states, and tokens are counted."""
        store = self.nodes[0].store
        opened = store.open_inbox(10_000)
        self.signals |= {row.id: row.envelope for row in opened}
        for row in store.instances(limit=1000):
            self.nodes[0].engine.verify(row.id)
            state = self.nodes[0].engine.state(row.id)
            check_tokens(state)
            for id in state.subscriptions:
                self.floors.setdefault((row.id, id), self.last)
        self.last = max([self.last, *(row.id for row in opened)])

    def histories(self) -> dict[str, list[e.Event]]:
        """The events of every instance."""
        store = self.nodes[0].store
        return {
            row.id: [event for _, _, events in store.history(row.id) for event in events]
            for row in store.instances(limit=10_000)
        }

    def look_for_passed_signals(self) -> None:
        """At rest nobody who caught nothing yet was passed over by a signal that came later."""
        store = self.nodes[0].store
        for row in store.instances(limit=1000):
            for id, found in self.nodes[0].engine.state(row.id).subscriptions.items():
                if found.kind != "signal" or found.handler is not None:
                    continue
                for number, event in self.signals.items():
                    passed = event["type"] == found.type and (row.id, id) in store.listeners(
                        number, event["type"]
                    )
                    self.check(not passed, f"signal {number} passed {row.id} by")

    def look_at_everything(self) -> None:
        """Each message was taken once, and each signal once by each who caught it."""
        sent = {event["data"]["mark"] for event in self.sent if event["type"] in MESSAGES}
        taken: Counter[str] = Counter()
        for instance, history in self.histories().items():
            opened = {
                event.id: event.kind for event in history if isinstance(event, e.SubscriptionOpened)
            }
            caught: Counter[tuple[int, str]] = Counter()
            for event in history:
                match event:
                    case e.EventTaken() | e.EventHeard():
                        if opened[event.subscription] == "message":
                            taken[event.value["mark"]] += 1
                            continue
                        caught[event.subscription, event.value["mark"]] += 1
                        floor = self.floors.get((instance, event.subscription), 0)
                        is_early = 0 < event.number <= floor
                        self.check(not is_early, f"signal {event.number} came before {instance}")
                    case e.InstanceStarted(input=given) if isinstance(given, list):
                        started_by = cast("list[dict[str, Any]]", given)
                        taken.update(data["mark"] for data in started_by)
                    case e.EventEmitted() if event.envelope["type"] in MESSAGES:
                        sent.add(event.envelope["data"]["mark"])
                    case _:
                        pass
            self.check(max(caught.values(), default=1) == 1, f"{instance} caught one twice")
        for schedule in self.nodes[0].store.event_schedules(2**60):
            taken.update(data["mark"] for data in schedule.payload["events"])
        wrong = {mark: taken[mark] for mark in sent if taken[mark] != 1}
        self.check(not wrong, f"messages were not taken once: {wrong}")
