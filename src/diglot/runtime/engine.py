"""The engine: one command is one transaction, many commands are one group commit."""

from __future__ import annotations

import os
import random
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any

from diglot.compiler.graph import Graph, UnknownFormat, digest, from_json, to_json
from diglot.compiler.graph.resolution import latest

from . import commands as c
from . import stalling
from .clock import Clock, SystemClock
from .concurrency import Bell, GroupCommit, InstanceLocks, StateCache
from .decide import decide
from .effects import effects
from .errors import (
    AlreadyEnded,
    CallerError,
    Conflict,
    CorruptState,
    DefinitionHasErrors,
    StaleAttempt,
    StoreError,
    UnknownDefinition,
    UnknownInstance,
    UnrunnableGraph,
)
from .events import Event, Problem
from .faults import problem
from .identity import new_instance_id
from .inbox import message_types
from .lifecycle import Teller
from .plan import Plan
from .schedules import first_schedules
from .secrets import Provider, Secrets, from_environment, masked
from .semantics import Step, Surroundings
from .semantics.frame import LOOP_BUDGET, VISIT_BUDGET
from .starts import check_start
from .state import State
from .storable import NotStorableError, checked, encode_events, plain
from .store import DefinitionVersion, Done, InstanceRow, Lease, Save, Store, open_store
from .verify import prove

if TYPE_CHECKING:
    from diglot.compiler.expressions import EvaluatorPool

#: Commands that many of come to one instance at a time.
_MASSES = (c.CompleteJob, c.FailJob, c.FireTimer, c.EndChild)

#: So many commands' events are read at a time where a history is proven.
PIECE = 1_000

#: Gets every CloudEvent that leaves the engine; an exception means: send it again later.
Sink = Callable[[dict[str, Any]], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """How an engine behaves. Times are seconds where they end in `_s`."""

    loop_budget: int = LOOP_BUDGET
    visit_budget: int = VISIT_BUDGET
    cached_instances: int = 10_000
    cached_definitions: int = 1_000
    #: Events that start a workflow are read like this where the document does not say (A33).
    schedule_read: str | None = None
    #: How long a message that nobody takes is kept for those who begin to wait for it.
    message_ttl_s: float = 3600
    #: After so many attempts that ended without a result a job fails.
    most_attempts: int = 20
    #: After so many events the state is written down, and history before that of the time before
    #: is forgotten; nothing: all of it is kept.
    most_history: int | None = None
    #: Completed lifecycle events carry the output besides its address (A42).
    lifecycle_output: bool = False
    #: What `$runtime.metadata` shows.
    metadata: dict[str, Any] = field(default_factory=dict[str, Any])


class Engine:
    """Publishes definitions, starts instances and moves them on.

    Safe in any thread. Commands of one instance follow each other; commands of several instances
    that are decided while a commit runs go into the next one together.
    """

    def __init__(
        self,
        database: str | Store = "sqlite://",
        *,
        clock: Clock | None = None,
        secrets: Provider | None = None,
        settings: Settings | None = None,
        sinks: Iterable[Sink] = (),
        pool: EvaluatorPool | None = None,
        chance: Callable[[], int] | None = None,
    ) -> None:
        self.store = open_store(database) if isinstance(database, str) else database
        self.clock = clock or SystemClock()
        self.settings = settings or Settings()
        self.sinks = tuple(sinks)
        self.secrets = Secrets(secrets or from_environment(os.environ), self.store.seal_key())
        self._pool = pool
        self._chance = chance or partial(random.Random().getrandbits, 64)
        self._plans: dict[str, Plan] = {}
        self._plans_guard = threading.Lock()
        self._states = StateCache(self.settings.cached_instances)
        self._locks = InstanceLocks()
        self._group = GroupCommit(self.store.save)
        #: Set whenever something may have become due or ready.
        self.wake = Bell()
        self._runtime = {
            "name": "diglot",
            "version": _version(),
            "metadata": self.settings.metadata,
        }

    def close(self) -> None:
        """Let go of the database and of the evaluators."""
        self.store.close()
        if self._pool is not None:
            self._pool.close()

    # -- definitions

    def deploy(
        self,
        graph: Graph,
        *,
        source: str = "",
        findings: Iterable[Mapping[str, Any]] = (),
        resources: dict[str, Any] | None = None,
        is_scheduled: bool = True,
        by_events_alone: bool = False,
    ) -> str:
        """Publish a graph and give its digest; the same graph again changes nothing.

        `findings` are what the compiler found in the document, as its JSON tells it; they are kept
        with the version. `diglot.publish` looks for them beside what is published already, too.
        `resources` are the documents behind the graph's schema addresses. What starts by itself is
        the highest version alone (A100), and without `is_scheduled` not even that one. With
        `by_events_alone` neither the clock nor a condition starts it.

        Raises:
            DefinitionHasErrors: one of the findings is an error that is not suppressed.
            UnrunnableGraph: the graph has a kind no rule runs, or starts at a time that is none.
            CallerError: another document has this namespace, name and version.
        """
        kept = [dict(found) for found in findings]
        check_no_errors(kept)
        key = digest(graph)
        plan = Plan(graph, key, resources or {})
        now_ms = self.clock.now_ms()
        known = [version for version, _ in self.store.versions(graph.namespace, graph.name)]
        is_latest = latest([*known, graph.version]) == graph.version
        schedules = None
        if is_latest and is_scheduled:
            schedules = first_schedules(plan, self.bare_step(plan), by_events_alone=by_events_alone)
        self.store.publish(
            DefinitionVersion(
                digest=key,
                namespace=graph.namespace,
                name=graph.name,
                version=graph.version,
                graph=to_json(graph),
                source=source,
                resources=resources or {},
                diagnostics=kept,
                published_ms=now_ms,
            ),
            schedules,
            message_types(plan),
        )
        self._keep_plan(plan)
        self.wake.set()
        return key

    def find(self, namespace: str, name: str, version: str = "latest") -> str:
        """The digest of a published version; `latest` is the highest by semantic versioning.

        Raises:
            UnknownDefinition: it is not published.
        """
        found = dict(self.store.versions(namespace, name))
        if version == "latest" and found:
            version = latest(found)
        if version not in found:
            raise UnknownDefinition(f"{namespace}/{name} {version} is not published")
        return found[version]

    def findings(self, key: str) -> list[dict[str, Any]]:
        """What was found in the document of a version when it was first published.

        Warnings and notes, and whatever the document itself says is to be ignored.

        Raises:
            UnknownDefinition: no version has this digest.
        """
        version = self.store.definition(key)
        if version is None:
            raise UnknownDefinition(f"no definition has the digest {key}")
        return list(version.diagnostics)

    def plan(self, key: str) -> Plan:
        """A published version, ready to run.

        Raises:
            UnknownDefinition: no version has this digest.
            CorruptState: it is kept in a way that this version of Diglot cannot run.
        """
        plan = self._plans.get(key)
        if plan is None:
            version = self.store.definition(key)
            if version is None:
                raise UnknownDefinition(f"no definition has the digest {key}")
            try:
                plan = Plan(from_json(version.graph), key, version.resources)
            except (UnknownFormat, UnrunnableGraph) as error:
                raise CorruptState(f"the graph with the digest {key}: {error}") from error
            self._keep_plan(plan)
        return plan

    def bare_step(self, plan: Plan) -> Step:
        """A step of no instance: what the triggers of a definition's starts can see."""
        around = Surroundings(
            now_ms=self.clock.now_ms(),
            secrets=self.secrets,
            pool=self._pool,
            runtime=self._runtime,
        )
        return Step(plan, State("schedule"), around)

    def _keep_plan(self, plan: Plan) -> None:
        """Keep a plan at hand; the one that was made first makes room."""
        with self._plans_guard:
            self._plans[plan.digest] = plan
            while len(self._plans) > self.settings.cached_definitions:
                del self._plans[next(iter(self._plans))]

    # -- commands

    def start(
        self,
        definition: str,
        input: Any = None,
        *,
        instance: str | None = None,
        parent: str | None = None,
        parent_visit: int | None = None,
        start: str | None = None,
        keys: dict[str, Any] | None = None,
        message: int = 0,
        tenant: str = "",
    ) -> str:
        """Start an instance of the version with this digest and give its id.

        With an `instance` id of the caller's the call can be repeated: it starts once. The first
        token goes to the node `start`, or where the definition says. `keys` are values of shared
        correlation keys, and `message` is the place in the inbox of a message that is taken by it.
        `tenant` is whose instance it is.

        Raises:
            UnknownDefinition: no version has this digest.
            CallerError: the input is no JSON, or nested too deep; or it has no such start.
            MessageGone: somebody else took the message.
        """
        plan = self.plan(definition)
        if start is not None:
            check_start(plan, start)
        id = instance or new_instance_id(self.clock.now_ms())
        data = checked(input, "the input")
        self.submit(
            id,
            c.StartInstance(
                definition, data, parent, parent_visit, start, keys or {}, message, tenant
            ),
        )
        return id

    def submit(self, instance: str, command: c.Command) -> None:
        """Carry out a command; it is on disk when this returns.

        Raises:
            UnknownInstance: no such instance.
            StaleAttempt: a result came from an attempt that is not the current one.
        """
        error = self.submit_many([(instance, command)])[0]
        if error is not None:
            raise error

    def submit_many(self, work: list[tuple[str, c.Command]]) -> list[Exception | None]:
        """Carry out commands and commit them together; those of one instance in their order.

        For each: nothing when it is on disk, or what was wrong with it. What is wrong with one
        leaves the others alone.
        """
        outcomes: list[Exception | None] = [None] * len(work)
        #: Instances where something was wrong: their commands go one by one.
        apart: set[str] = set()
        waiting = _by_instance(work)
        while waiting:
            with self._locks.of(sorted(waiting)):
                saves: list[tuple[list[int], Save]] = []
                left: dict[str, list[int]] = {}
                try:
                    self._fetch(work, waiting)
                    for instance, numbers in waiting.items():
                        commands = [work[number][1] for number in numbers]
                        done, save = self._decide_all(
                            instance, commands, outcomes, numbers, is_apart=instance in apart
                        )
                        if save is not None:
                            saves.append((numbers[:done], save))
                        if not done:
                            apart.add(instance)
                        if numbers[done:]:
                            left[instance] = numbers[done:]
                    for numbers in self._commit(saves, outcomes):
                        instance = work[numbers[0]][0]
                        apart.add(instance)
                        left[instance] = numbers + left.get(instance, [])
                except BaseException:
                    for _, save in saves:
                        self._states.forget(save.state.id)
                    raise
            waiting = left
        stalling.note(self, [(id, error) for (id, _), error in zip(work, outcomes, strict=True)])
        return outcomes

    def _fetch(self, work: list[tuple[str, c.Command]], waiting: dict[str, list[int]]) -> None:
        """Load what is not at hand in one go: a look at each costs as much as all else."""
        missing = [
            instance
            for instance, numbers in waiting.items()
            if not isinstance(work[numbers[0]][1], c.StartInstance)
            and self._states.get(instance) is None
        ]
        if len(missing) > 1:
            # Where one of them cannot be read, each is loaded alone, and that one fails alone.
            with suppress(CorruptState):
                for state in self.store.load_all(missing).values():
                    self._states.put(state)

    def _decide_all(
        self,
        instance: str,
        commands: list[c.Command],
        outcomes: list[Exception | None],
        numbers: list[int],
        *,
        is_apart: bool,
    ) -> tuple[int, Save | None]:
        """Decide as many of an instance's commands as go into one save; how many that are.

        None: together they cannot be decided, but one by one.
        """
        try:
            save = self._decide(instance, commands[0])
        except Exception as error:
            outcomes[numbers[0]] = error
            return 1, None
        if save is None:
            return 1, None
        done = 1
        while not is_apart and done < len(commands) and _can_follow(save, commands[done]):
            try:
                if not self._add(save, commands[done]):
                    break
            except Exception:
                # What it changed before it failed is in the state: decided alone, it says why.
                self._states.forget(instance)
                return 0, None
            done += 1
        if self._is_long(save):
            self._add(save, c.CondenseHistory())
        return done, save

    def _is_long(self, save: Save) -> bool:
        """Whether it is time to write the state down; not where it is as long as the history."""
        most, state = self.settings.most_history, save.state
        if most is None or state.is_over or save.base // most == state.sequence // most:
            return False
        return len(state.visits) + len(state.jobs) + len(state.items) < most

    def _decide(self, instance: str, command: c.Command) -> Save | None:
        cached = self._states.get(instance)
        if cached is None and isinstance(command, c.StartInstance):
            # Where it has been done before, the store finds out.
            state = self._fresh(instance)
        else:
            state = cached or self._load(instance)
        save = self._decide_on(state, command)
        if save is None and cached is not None and self._is_behind(cached):
            # Another engine moved the instance on: what finds nothing to do may find it there.
            state = self._load(instance)
            save = self._decide_on(state, command)
        if save is None:
            _check_nothing_done(state, command)
        return save

    def _is_behind(self, state: State) -> bool:
        row = self.store.instance(state.id)
        return row is not None and row.sequence != state.sequence

    def _decide_on(self, state: State, command: c.Command) -> Save | None:
        save = Save(state, state.sequence, state.counter, self.clock.now_ms())
        try:
            return save if self._add(save, command) else None
        except NotStorableError as found:
            fresh = self._load(state.id) if save.base else self._fresh(state.id)
            if fresh.sequence != save.base:
                return self._decide_on(fresh, command)
            start = command if isinstance(command, c.StartInstance) else None
            stop = c.StopInstance(problem("runtime", str(found), instance="/"), start)
            save = Save(fresh, save.base, fresh.counter, save.at_ms)
            self._add(save, stop)
            _hold(save.done[0], command)
            return save

    def _add(self, save: Save, command: c.Command) -> bool:
        """Decide a command on the state of a save and add what it did; false if that is nothing.

        Raises:
            NotStorableError: its events cannot be kept; the state is of no use any more.
        """
        state = save.state
        events, told = self._events(state, command, save.at_ms)
        if not events:
            return False
        try:
            payload = encode_events(events)
        except NotStorableError:
            self._states.forget(state.id)
            raise
        last = save.done[-1] if save.done else None
        if isinstance(command, c.CondenseHistory):
            save.done.append(Done(events, payload, is_whole=True))
            return True
        if isinstance(command, c.CompleteJob | c.FailJob) and command.token:
            save.done.append(_hold(Done(events, payload), command))
        elif last is None or last.job is not None:
            save.done.append(Done(events, payload))
        else:
            last.events.extend(events)
            last.payload = b"%b,%b" % (last.payload[:-1], payload[1:])
        outbox, inbox, behind = effects(state, events, len(save.inbox))
        save.outbox.extend(outbox)
        save.inbox.extend(inbox)
        save.behind.update(behind)
        save.outbox.extend(("event", envelope) for envelope in told)
        save.takes = _taken_by(command)
        return True

    def _events(
        self, state: State, command: c.Command, now_ms: int
    ) -> tuple[list[Event], list[dict[str, Any]]]:
        """What the command causes, and the CloudEvents that tell of it."""
        start = command.start if isinstance(command, c.StopInstance) else command
        if isinstance(start, c.StartInstance):
            plan = self.plan(start.definition)
        else:
            plan = self._plan_of(state)
        teller = None
        if self.sinks:
            teller = Teller(plan, now_ms, with_output=self.settings.lifecycle_output)
        around = Surroundings(
            now_ms=now_ms,
            seed=self._chance(),
            secrets=self.secrets,
            pool=self._pool,
            runtime=self._runtime,
            loop_budget=self.settings.loop_budget,
            visit_budget=self.settings.visit_budget,
            observe=teller,
        )
        try:
            events = decide(plan, state, command, around)
        except BaseException:
            self._states.forget(state.id)
            raise
        return events, [] if teller is None else teller.told

    def _plan_of(self, state: State) -> Plan:
        try:
            return self.plan(state.definition)
        except UnknownDefinition as error:
            raise CorruptState(str(error)) from error

    def look_afresh(self, instance: str) -> None:
        """See that an instance can be read, and that its definition can be run.

        Raises:
            CorruptState: one of them is not as it has to be.
            UnknownInstance: no such instance.
        """
        with self._locks.of([instance]):
            self._states.forget(instance)
            state = self._load(instance)
            with self._plans_guard:
                self._plans.pop(state.definition, None)
            self._plan_of(state)

    def _fresh(self, instance: str) -> State:
        state = State(instance)
        self._states.put(state)
        return state

    def _load(self, instance: str) -> State:
        state = self.store.load(instance)
        if state is None:
            raise UnknownInstance(f"no instance has the id {instance}")
        self._states.put(state)
        return state

    def _commit(
        self, saves: list[tuple[list[int], Save]], outcomes: list[Exception | None]
    ) -> list[list[int]]:
        """Put saves on disk with whatever else is waiting; what is to be decided again, by save."""
        if not saves:
            return []
        errors = self._group.commit([save for _, save in saves])
        again: list[list[int]] = []
        for (numbers, save), error in zip(saves, errors, strict=True):
            state = save.state
            if error is None:
                state.touched.clear()
                state.assigned.clear()
                if state.is_over:
                    self._states.forget(state.id)
                continue
            self._states.forget(state.id)
            if not isinstance(error, Exception):
                # The thread that wrote was stopped in the middle of it.
                error = StoreError("the commit was cut off and may not be on disk")
            elif isinstance(error, Conflict):
                if save.base > 0 or len(numbers) > 1:
                    again.append(numbers)
                # A start that finds the instance there has been done before.
                continue
            elif len(numbers) > 1 and not isinstance(error, StoreError):
                # One of them was refused: alone, it is seen which.
                again.append(numbers)
                continue
            for number in numbers:
                outcomes[number] = error
        self.wake.set()
        return again

    # -- conveniences over commands

    def complete(self, lease: Lease, output: Any = None) -> None:
        """A worker's result; one that is no JSON is a failure of the job.

        Raises:
            StaleAttempt: the lease is not the current one; nothing changed.
        """
        try:
            data = plain(output)
        except NotStorableError as found:
            # Given out again, the job would end like this again.
            self.fail(lease, problem("runtime", f"the result cannot be kept: {found}"))
            return
        self.submit(lease.instance, c.CompleteJob(lease.job, data, lease.attempt))

    def fail(self, lease: Lease, error: Problem) -> None:
        """A worker's failure.

        Raises:
            StaleAttempt: the lease is not the current one; nothing changed.
        """
        self.submit(
            lease.instance, c.FailJob(lease.job, checked(error, "the error"), lease.attempt)
        )

    def cancel(self, instance: str, by: str = "") -> None:
        """Stop an instance for good."""
        self.submit(instance, c.CancelInstance(by))

    def suspend(self, instance: str, by: str = "") -> None:
        """Let an instance stand still."""
        self.submit(instance, c.SuspendInstance(by))

    def resume(self, instance: str, by: str = "") -> None:
        """Let a suspended instance go on."""
        self.submit(instance, c.ResumeInstance(by))

    def publish_event(self, envelope: dict[str, Any]) -> bool:
        """Take a CloudEvent in; false if its source and id were known already.

        Raises:
            CallerError: it is no CloudEvent.
        """
        for name in ("id", "source", "type"):
            if not isinstance(envelope.get(name), str) or not envelope[name]:
                raise CallerError(f"a CloudEvent needs {name}, a text that is not empty")
        event = checked({"specversion": "1.0", **envelope}, "the event")
        # Only the machine knows which instance it was.
        event.pop("diglotinstance", None)
        is_new = self.store.receive(event, self.clock.now_ms())
        self.wake.set()
        return is_new

    # -- looking

    def state(self, instance: str) -> State:
        """The state of an instance as it is on disk.

        Raises:
            UnknownInstance: no such instance.
        """
        state = self.store.load(instance)
        if state is None:
            raise UnknownInstance(f"no instance has the id {instance}")
        return state

    def instance(self, instance: str) -> InstanceRow:
        """An instance as people may see it: secrets are `***`.

        Raises:
            UnknownInstance: no such instance.
        """
        row = self.store.instance(instance)
        if row is None:
            raise UnknownInstance(f"no instance has the id {instance}")
        return InstanceRow(
            id=row.id,
            definition=row.definition,
            status=row.status,
            sequence=row.sequence,
            input=masked(row.input),
            output=masked(row.output),
            error=masked(row.error),
            parent=row.parent,
            started_ms=row.started_ms,
            ended_ms=row.ended_ms,
            tenant=row.tenant,
            stalled=row.stalled,
        )

    def verify(self, instance: str) -> int:
        """Prove that an instance's history gives its state; the number of events looked at.

        Raises:
            UnknownInstance: no such instance.
            CorruptState: it does not.
        """
        while True:
            stored = self.state(instance)
            try:
                return prove(stored, self._commits_of(stored))
            except CorruptState:
                # Where it went on meanwhile, history may have been forgotten while it was read.
                if self.state(instance).sequence == stored.sequence:
                    raise

    def _commits_of(self, state: State) -> Iterator[tuple[int, int, list[Event]]]:
        """The history of an instance up to a state of it, a piece at a time."""
        read = 0
        while read < state.sequence:
            piece = self.store.history(state.id, read, PIECE)
            for commit in piece:
                # What was added since then is not in the state that was read.
                if commit[0] <= state.sequence:
                    yield commit
            if len(piece) < PIECE:
                return
            read = piece[-1][0] + len(piece[-1][2]) - 1


def _by_instance(work: list[tuple[str, c.Command]]) -> dict[str, list[int]]:
    """The numbers of each instance's commands, in the order of the instances' ids."""
    found: dict[str, list[int]] = {}
    for number, (instance, _) in enumerate(work):
        found.setdefault(instance, []).append(number)
    return {instance: found[instance] for instance in sorted(found)}


def _can_follow(save: Save, command: c.Command) -> bool:
    """Whether a command can be decided before what was decided last is on disk."""
    return isinstance(command, _MASSES) and save.base > 0 and save.takes is None


def check_no_errors(findings: Iterable[Mapping[str, Any]]) -> None:
    """Refuse what has errors; what is suppressed is none: the document's author answers for it.

    Raises:
        DefinitionHasErrors: one of the findings is an error that is not suppressed.
    """
    for found in findings:
        if found.get("severity") == "error" and not found.get("suppression"):
            what = f"{found.get('code')}: {found.get('message')}"
            raise DefinitionHasErrors(f"the document has errors and is not published: {what}")


def _hold(done: Done, command: c.Command) -> Done:
    """What a result did counts only if its attempt holds the job, whatever it did."""
    if isinstance(command, c.CompleteJob | c.FailJob) and command.token:
        done.job, done.attempt = command.job, command.token
    return done


def _taken_by(command: c.Command) -> int | None:
    """The message of the inbox that is taken by a command, which has done something."""
    if isinstance(command, c.DeliverEvent) and command.takes:
        return command.number
    if isinstance(command, c.StartInstance) and command.message:
        return command.message
    return None


def _check_nothing_done(state: State, command: c.Command) -> None:
    """A command that finds nothing to do is an error only where somebody relied on it."""
    if isinstance(command, c.CompleteJob | c.FailJob):
        raise StaleAttempt(f"job {state.id}.{command.job} is not open any more")
    if isinstance(command, c.SuspendInstance | c.ResumeInstance) and state.is_over:
        raise AlreadyEnded(f"instance {state.id} is {state.status}")


def _version() -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("diglot")
    except PackageNotFoundError:
        return "0"
