"""Deterministic simulation: one seed is one whole history of workers, crashes, clocks and events.

The database is a real file; time is virtual. Nothing runs at the same moment: what two engines do
to one file is one interleaving, drawn by the seed. A step that fails is replayed by its seed.
"""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

from diglot.runtime import commands as c
from diglot.runtime import events as e
from diglot.runtime.clock import ManualClock
from diglot.runtime.engine import Engine
from diglot.runtime.errors import CallerError, StaleAttempt
from diglot.runtime.scheduler import tick
from diglot.runtime.state import State
from diglot.runtime.store import InstanceRow, Lease, Store, open_store

from .laws import check_tokens
from .play import JOB_TYPES, answer, failure
from .random_workflows import EVENT_KEYS, EVENT_TYPES, EVERYTHING, NO_RACES, graph_of, make_case

#: How long a lease lasts, and the most rounds that may be needed to end what has been started.
LEASE_MS = 5_000
ROUNDS = 3_000


class Crash(BaseException):
    """The process of an engine dies here."""


class Broken(AssertionError):
    """An invariant does not hold."""


def die_at(store: Store, moment: str, commits: int) -> None:
    """Let the process of a store die before or after one of its commits to come."""
    left = commits

    def hook(now: str) -> None:
        nonlocal left
        if now == moment:
            left -= 1
            if left < 0:
                raise Crash

    store.on_commit = hook


class Node:
    """An engine process on the shared file; it can die at a commit and be started again."""

    def __init__(self, url: str, clock: ManualClock, number: int) -> None:
        self.url = url
        self.clock = clock
        self.number = number
        self.start()

    def start(self) -> None:
        """Open the file as a process that has just begun."""
        self.store: Store = open_store(self.url)
        self.engine = Engine(
            self.store, clock=self.clock, secrets=lambda name: None, chance=lambda: 7
        )

    def stop(self) -> None:
        """Let go of the file; nothing of the memory is kept."""
        self.store.close()

    def die_at(self, moment: str, commits: int) -> None:
        """Die before or after one of the commits to come."""
        die_at(self.store, moment, commits)


class Simulation:
    """One seed's world. `run` plays it and raises `Broken` where an invariant does not hold."""

    def __init__(self, seed: int, path: Path) -> None:
        self.seed = seed
        self.random = random.Random(seed)
        #: Where nothing races, the end must be that of a run without any fault.
        self.is_exact = seed % 3 == 0
        self.case = make_case(self.random, NO_RACES if self.is_exact else EVERYTHING)
        self.clock = ManualClock()
        url = f"sqlite:///{path}"
        count = 1 + self.random.randrange(2)
        self.nodes = [Node(url, self.clock, number) for number in range(count)]
        self.leases: list[Lease] = []
        #: The newest attempt of each job that was ever given out.
        self.newest: dict[tuple[str, int], int] = {}
        self.started: list[str] = []
        self.cancelled: set[str] = set()
        #: How long each instance's history was at the last look, and its status.
        self.known: dict[str, tuple[int, str]] = {}
        #: Events that were acknowledged, and the number of the last one that was tried.
        self.sent: list[dict[str, Any]] = []
        self.numbers = 0
        #: How often, at the end, nothing but time and events could go on.
        self.pauses = 0
        self.done: list[str] = []
        #: The events of the inbox by their number, and for each subscription that was seen the
        #: last number that was there before it.
        self.inbox: dict[int, dict[str, Any]] = {}
        self.floors: dict[tuple[str, int], int] = {}

    @property
    def node(self) -> Node:
        return self.nodes[self.random.randrange(len(self.nodes))]

    def run(self, steps: int = 60) -> None:
        """Play `steps` random steps, then let everything end, and look at all of it."""
        try:
            for document in (*self.case.children, self.case.main):
                self.digest = self.node.engine.deploy(graph_of(document))
            for _ in range(steps):
                self.step()
            self.end()
            self.look_at_everything()
        except Crash as crash:
            raise Broken("a crash was not noticed") from crash
        finally:
            for node in self.nodes:
                node.stop()

    def step(self) -> None:
        """One thing happens, to one engine, which may die of it."""
        actions = [name for name, weight in ACTIONS.items() for _ in range(weight)]
        name = actions[self.random.randrange(len(actions))]
        node = self.node
        self.done.append(f"{name}@{node.number}")
        if self.random.randrange(100) < 15:
            moment = ("before", "after")[self.random.randrange(2)]
            self.done[-1] += f" dies {moment}"
            node.die_at(moment, self.random.randrange(3))
        try:
            getattr(self, f"do_{name}")(node)
        except Crash:
            node.stop()
            node.start()
        except StaleAttempt:
            pass
        node.store.on_commit = None
        self.look()

    # -- what can happen

    def do_start(self, node: Node) -> None:
        if len(self.started) < 3:
            name = f"main{len(self.started)}"
            self.started.append(name)
        name = self.started[self.random.randrange(len(self.started))]
        node.engine.start(self.digest, self.case.input, instance=name)

    def do_tick(self, node: Node) -> None:
        tick(node.engine)

    def do_claim(self, node: Node) -> None:
        limit = 1 + self.random.randrange(3)
        now_ms = self.clock.now_ms()
        for lease in node.store.claim(JOB_TYPES, limit, f"w{node.number}", now_ms, LEASE_MS):
            key = lease.instance, lease.job
            self.check(lease.attempt > self.newest.get(key, 0), f"{key} was leased twice")
            self.newest[key] = lease.attempt
            self.leases.append(lease)

    def do_finish(self, node: Node) -> None:
        """A worker reports, perhaps late, perhaps again: leases are never forgotten here."""
        if not self.leases:
            return
        lease = self.leases[self.random.randrange(len(self.leases))]
        is_old = lease.attempt < self.newest[lease.instance, lease.job]
        before = node.store.history(lease.instance)
        try:
            self.report(node, lease)
        except StaleAttempt:
            self.check(node.store.history(lease.instance) == before, "a refused result moved it")
            raise
        self.check(not is_old, f"attempt {lease.attempt} of {lease.job} is old and was taken")

    def report(self, node: Node, lease: Lease) -> None:
        """Give a job's result; it is the same for all its attempts."""
        times = 0 if self.is_exact else self.random.randrange(3)
        output = answer(lease.node, times)
        if output is None:
            node.engine.fail(lease, failure(lease.node, times))
        else:
            node.engine.complete(lease, output)

    def do_extend(self, node: Node) -> None:
        if self.leases:
            lease = self.leases[self.random.randrange(len(self.leases))]
            held = node.store.extend(lease, self.clock.now_ms() + LEASE_MS, {"done": 1})
            newest = self.newest[lease.instance, lease.job]
            self.check(not held or lease.attempt == newest, "an old lease was lengthened")

    def do_give_back(self, node: Node) -> None:
        if self.leases:
            lease = self.leases[self.random.randrange(len(self.leases))]
            now_ms = self.clock.now_ms()
            held = node.store.give_back(lease, now_ms, now_ms + 100, "released")
            newest = self.newest[lease.instance, lease.job]
            self.check(not held or lease.attempt == newest, "an old lease was given back")

    def do_wait(self, node: Node) -> None:
        due_ms = node.store.next_due()
        if due_ms is not None:
            self.clock.advance(max(0, due_ms - self.clock.now_ms()))

    def do_jump(self, node: Node) -> None:
        far = (-3_600_000, -1_000, -1, 1, 700, 6_000, 3_600_000)
        self.clock.advance(far[self.random.randrange(len(far))])

    def do_send(self, node: Node) -> None:
        """Publish an event: a new one, or an old one again."""
        if self.sent and self.random.randrange(4) == 0:
            again = self.sent[self.random.randrange(len(self.sent))]
            self.check(not node.engine.publish_event(again), "an event was taken in twice")
            return
        self.publish(
            node,
            EVENT_TYPES[self.random.randrange(3)],
            EVENT_KEYS[self.random.randrange(2)],
        )

    def publish(self, node: Node, type: str, key: str) -> None:
        self.numbers += 1
        number = self.numbers
        event = {
            "id": str(number),
            "source": "/simulation",
            "type": type,
            "data": {"n": number, "key": key},
        }
        if node.engine.publish_event(event):
            self.sent.append(event)

    def do_suspend(self, node: Node) -> None:
        self.ask(node, c.SuspendInstance("operator"))

    def do_resume(self, node: Node) -> None:
        self.ask(node, c.ResumeInstance("operator"))

    def do_cancel(self, node: Node) -> None:
        if not self.is_exact and self.random.randrange(4) == 0:
            name = self.ask(node, c.CancelInstance("operator"))
            if name is not None and node.engine.instance(name).status == "cancelled":
                self.cancelled.add(name)

    def do_nonsense(self, node: Node) -> None:
        """Commands for things that are gone or never were."""
        ids = [number for row in self.rows() for number in node.engine.state(row.id).visits]
        number = self.random.choice(ids) if ids else 1
        command = (
            c.FireTimer(number + 1),
            c.EndChild(number, "nobody", "completed", 1),
            c.DeliverEvent(number + 1, {"id": "x", "source": "/x", "type": "never"}, 0),
            c.CompleteJob(-number, 1, 1),
        )[self.random.randrange(4)]
        self.ask(node, command)

    def ask(self, node: Node, command: c.Command) -> str | None:
        if not self.started:
            return None
        name = self.started[self.random.randrange(len(self.started))]
        try:
            node.engine.submit(name, command)
        except CallerError:
            return None
        return name

    def do_restart(self, node: Node) -> None:
        node.stop()
        node.start()

    # -- the end

    def end(self) -> None:
        """Let go on whatever stands still, and answer everything, until all is over."""
        node = self.nodes[0]
        for name in list(self.started):
            node.engine.start(self.digest, self.case.input, instance=name)
        for _ in range(ROUNDS):
            self.look()
            self.resume_all(node)
            if not self.settle(node):
                self.look_for_lost_events()
                messages = node.store.due_outbox(2**60, 1)
                if not self.open_instances(node) and not self.jobs(node) and not messages:
                    return
                self.answer_one(node)
        left = self.open_instances(node)
        self.check(left == [], f"not over: {[self.why(node, instance) for instance in left]}")

    def settle(self, node: Node) -> int:
        total = 0
        for one in (node, *self.nodes):
            for _ in range(50):
                done = tick(one.engine)
                total += done
                if not done:
                    break
            else:
                raise Broken("ticks never come to rest")
        return total

    def resume_all(self, node: Node) -> None:
        for row in node.store.instances(status="suspended", limit=1000):
            node.engine.resume(row.id)

    def open_instances(self, node: Node) -> list[str]:
        return sorted(row.id for row in self.rows() if row.ended_ms is None)

    def jobs(self, node: Node) -> int:
        return sum(len(node.engine.state(row.id).jobs) for row in self.rows())

    def answer_one(self, node: Node) -> None:
        now_ms = self.clock.now_ms()
        leases = node.store.claim(JOB_TYPES, 1, "last", now_ms, LEASE_MS)
        if leases:
            self.report(node, leases[0])
            return
        self.pauses += 1
        if self.pauses % 3 == 0 and self.listens(node):
            self.publish(node, EVENT_TYPES[self.numbers % 3], EVENT_KEYS[self.numbers // 3 % 2])
            return
        # A job that was given back before the clock stepped back is ready much later, and what
        # came to be due while the clock was ahead is due much later, too.
        due_ms = node.store.next_due()
        self.clock.advance(3_600_000 if due_ms is None else max(1, due_ms - now_ms))

    def listens(self, node: Node) -> bool:
        return any(
            node.engine.state(instance).subscriptions for instance in self.open_instances(node)
        )

    def why(self, node: Node, instance: str) -> dict[str, Any]:
        found = node.engine.state(instance).snapshot()
        return {
            name: found[name]
            for name in ("id", "status", "visits", "jobs", "timers", "subscriptions")
        }

    # -- what must hold

    def check(self, holds: bool, what: str) -> None:
        if not holds:
            steps = ", ".join(self.done[-12:])
            raise Broken(f"seed {self.seed}: {what}; last steps: {steps}")

    def look(self) -> None:
        """Histories only grow, and what is over stays as it is."""
        store = self.nodes[0].store
        floor = max(self.inbox, default=0)
        self.inbox |= {row.id: row.envelope for row in store.open_inbox(10_000)}
        for row in self.rows():
            length, status = self.known.get(row.id, (0, "pending"))
            self.check(row.sequence >= length, f"{row.id} lost events")
            if status in ("completed", "faulted", "cancelled") and row.sequence != length:
                self.check(row.status == status, f"{row.id} has another end than before")
                new = [
                    event
                    for first, _, events in store.history(row.id)
                    for event in events
                    if first > length
                ]
                # Only the jobs that nobody waits for end after their instance.
                late = all(isinstance(event, e.JobClosed) for event in new)
                self.check(late and status != "cancelled", f"{row.id} moved after its end")
            if row.sequence != length:
                state = self.verify(row.id)
                for id in state.subscriptions:
                    self.floors.setdefault((row.id, id), floor)
                self.known[row.id] = row.sequence, row.status

    def rows(self) -> list[InstanceRow]:
        """Every instance."""
        return self.nodes[0].store.instances(limit=10_000)

    def look_for_lost_events(self) -> None:
        """At rest nobody who has got nothing yet was passed over by an event of the right type."""
        store = self.nodes[0].store
        self.check(store.open_inbox(1) == [], "events are left")
        for row in self.rows():
            state = self.nodes[0].engine.state(row.id)
            for id, subscription in state.subscriptions.items():
                assert subscription.visit is not None
                visit = state.visits[subscription.visit]
                if visit.taken or visit.until_taken:
                    continue
                for number, event in self.inbox.items():
                    # Where a key is expected, it is the first one.
                    is_wanted = (
                        event["type"] == subscription.type and event["data"]["key"] == EVENT_KEYS[0]
                    )
                    listens = (row.id, id) in store.listeners(number, event["type"])
                    missed = is_wanted and listens
                    self.check(not missed, f"event {number} passed {row.id} by")

    def verify(self, instance: str) -> State:
        engine = self.nodes[0].engine
        engine.verify(instance)
        state = engine.state(instance)
        check_tokens(state)
        return state

    def look_at_everything(self) -> None:
        """At the end: each result was taken once, and nothing is left alive."""
        node = self.nodes[0]
        for row in self.rows():
            self.verify(row.id)
            events = [event for _, _, found in node.store.history(row.id) for event in found]
            closed = [event.id for event in events if isinstance(event, e.JobClosed)]
            self.check(len(closed) == len(set(closed)), "a job was closed twice")
            for job in {key[1] for key in self.newest if key[0] == row.id}:
                attempts = node.store.attempts(row.id, job)
                taken = [one for one in attempts if one["outcome"] in ("completed", "failed")]
                self.check(len(taken) <= 1, f"job {job} has several results")
                self.check((job in closed) == bool(taken), f"job {job} was closed by nobody")
            taken_in = [
                (event.visit, event.event_source, event.event_id)
                for event in events
                if isinstance(event, e.EventTaken)
            ]
            self.check(len(taken_in) == len(set(taken_in)), "an event was taken twice")
            for event in events:
                if isinstance(event, e.EventTaken):
                    floor = self.floors.get((row.id, event.subscription), 0)
                    self.check(event.number > floor, f"event {event.number} came before")
        now_ms = self.clock.now_ms() + 10**12
        self.check(node.store.due_timers(now_ms, 10) == [], "timers are left")
        self.check(node.store.due_outbox(now_ms, 10) == [], "messages are left")
        self.check(node.store.leases() == [], "leases are left")
        for name in self.cancelled:
            self.check(node.engine.instance(name).status == "cancelled", f"{name} lives again")
        if self.is_exact:
            self.compare_with_a_run_without_faults()

    def compare_with_a_run_without_faults(self) -> None:
        """The plain run answers each job as this one did: by its node alone."""
        from .play import Play

        play = Play(self.case)
        play.answers_by_node_alone = True
        expected = play.run(ROUNDS)
        play.engine.close()
        for name in self.started:
            row = self.nodes[0].engine.instance(name)
            self.check(
                (row.status, row.output, row.error)
                == (expected.status, expected.output, expected.error),
                f"{name} ended as {row.status} {row.output} {row.error}, "
                f"not as {expected.status} {expected.output} {expected.error}",
            )


#: What can happen, with its weight.
ACTIONS: dict[str, int] = {
    "start": 4,
    "tick": 12,
    "claim": 8,
    "finish": 12,
    "extend": 2,
    "give_back": 2,
    "wait": 8,
    "jump": 4,
    "send": 6,
    "suspend": 2,
    "resume": 4,
    "cancel": 1,
    "nonsense": 4,
    "restart": 2,
}
