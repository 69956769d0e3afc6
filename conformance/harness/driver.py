"""Plays a case on an engine: one act after the other, each followed by all that is due.

The clock stands still except where the case moves it, ids and chance are the same in every play,
and everything the engine sends is caught. A play can lose its engine at any moment: it goes on with
another one on the same database and repeats the act that was not acknowledged.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, cast

from diglot.api.beside import beside
from diglot.compiler import Compiled, compile_source
from diglot.compiler.graph import Duration, Graph
from diglot.compiler.imports import Resolve
from diglot.runtime import commands as c
from diglot.runtime.actions import forget_documents
from diglot.runtime.clock import ManualClock, later
from diglot.runtime.engine import Engine, Settings
from diglot.runtime.errors import AlreadyEnded, StaleAttempt
from diglot.runtime.resources import fetch_resources
from diglot.runtime.scheduler import settle
from diglot.runtime.store import CommitHook, open_store
from diglot.runtime.worker import Worker, WorkerSettings
from diglot.specs.serverless_workflow.durations import parse_duration

from .case import (
    Advance,
    Begin,
    Case,
    Complete,
    Control,
    Fail,
    Look,
    Publish,
    Restart,
    Step,
)
from .doubles import DOUBLES_ONLY, Doubles, Servers
from .evidence import Evidence, instances_of
from .expectations import unmet
from .journal import Journal

#: The database of a play, in its folder.
DATABASE = "case.db"
#: The same dice in every play.
CHANCE = 0x5EED
#: How often one act may find something due; more is a definition that never comes to rest.
MOST_ROUNDS = 1_000


class PlayError(Exception):
    """The case asks for something that cannot be done at this point."""


class Play:
    """One play of a case; with a journal of an earlier one, that play goes on.

    `folder` holds the database, if that is not somewhere else. `graphs` stand in for those that the
    case's files give.
    """

    def __init__(
        self,
        case: Case,
        folder: Path,
        servers: Servers,
        *,
        on_commit: CommitHook | None = None,
        journal: Journal | None = None,
        graphs: Sequence[Graph] | None = None,
        database: str | None = None,
    ) -> None:
        self.case = case
        self._database = database or f"sqlite:///{folder / DATABASE}"
        self.folder = folder
        self._journal = journal or Journal()
        self.progress, self._told = self._journal.read()
        self.unmet: list[str] = []
        self.doubles = Doubles(case.doubles)
        self.has_repeats = False
        self._servers = servers
        self._on_commit = on_commit
        self._graphs = graphs_of(case) if graphs is None else graphs
        self._definition = ""
        self._engine: Engine | None = None
        self._worker: Worker | None = None
        servers.answer = self.doubles

    @property
    def is_done(self) -> bool:
        """Whether every step has been played."""
        return self.progress.step == len(self.case.steps)

    @property
    def engine(self) -> Engine:
        """The engine of the moment."""
        if self._engine is None:
            self._engine = self._open()
        return self._engine

    def close(self) -> None:
        """Let the engine go, as a process that ends does; the database stays."""
        if self._worker is not None:
            self._worker.close()
        if self._engine is not None:
            self._engine.store.close()
        self._engine = self._worker = None
        forget_documents()

    def revive(self) -> None:
        """Go on after the engine was killed."""
        self.close()
        self.doubles.undo()
        self.has_repeats = True
        engine = self.engine
        now_ms = engine.clock.now_ms()
        # Leases of the dead end by themselves; nobody needs to wait for that here.
        for lease in engine.store.leases():
            engine.store.give_back(lease, now_ms, now_ms, "expired")

    def next(self) -> None:
        """Play one step.

        Raises:
            PlayError: it cannot be played at this point.
        """
        progress = self.progress
        step = None if progress.step < 0 else self.case.steps[progress.step]
        if not progress.is_acted:
            is_repeated = progress.is_begun
            if step is not None and not is_repeated:
                progress.target = self._target(step)
            progress.is_begun = True
            self._journal.note(progress)
            self._act(step, is_repeated=is_repeated)
            progress.is_acted = True
            self._journal.note(progress)
        self._settle()
        if step is not None and step.expect:
            place = f"step {progress.step}: "
            self.unmet += [place + found for found in unmet(step.expect, self.evidence())]
        progress.step += 1
        progress.is_begun = progress.is_acted = False
        progress.target = None
        self._journal.note(progress)

    def finish(self) -> list[str]:
        """Look at what the case expects in the end; all that was not met."""
        self.unmet += unmet(self.case.expect, self.evidence())
        self.unmet += [f"no double answers {line}" for line in self.doubles.unanswered]
        return self.unmet

    def evidence(self) -> Evidence:
        """What can be seen now."""
        engine = self.engine
        instances = instances_of(engine, self._definition)
        return Evidence(
            engine=engine,
            definition=self._definition,
            instance=instances[-1].id if instances else None,
            told=tuple(self._told),
            requests=tuple(self.doubles.seen),
            has_repeats=self.has_repeats,
            secrets=frozenset(_texts(self.case.secrets)),
            folder=self.folder,
        )

    def instances(self) -> list[str]:
        """Every instance there is, children too, oldest first."""
        return [row.id for row in reversed(self.engine.store.instances(limit=10_000))]

    # -- the engine

    def _open(self) -> Engine:
        store = open_store(self._database, on_commit=self._on_commit)
        engine = Engine(
            store,
            clock=ManualClock(self.progress.now_ms),
            secrets=self.case.secrets.get,
            settings=Settings(**self.case.settings),
            sinks=[self._journal.tell, self._told.append],
            chance=lambda: CHANCE,
        )
        if self.case.has_worker:
            self._worker = Worker(engine, self._worker_settings())
        if self.progress.step >= 0 or self.progress.is_acted:
            self._definition = self._find(engine)
        return engine

    def _worker_settings(self) -> WorkerSettings:
        return WorkerSettings(
            allow_processes=True,
            policy=DOUBLES_ONLY,
            transport=self._servers.hosts(self.case.doubles),
        )

    def _find(self, engine: Engine) -> str:
        graph = self._graphs[-1]
        return engine.find(graph.namespace, graph.name, graph.version)

    def _settle(self) -> None:
        engine = self.engine
        for _ in range(MOST_ROUNDS):
            done = settle(engine)
            if self._worker is not None:
                done += self._worker.run_once()
            if not done:
                return
        raise PlayError(f"something is still due after {MOST_ROUNDS} rounds")

    # -- acts

    def _act(self, step: Step | None, *, is_repeated: bool) -> None:
        engine = self.engine
        if step is None:
            self._deploy()
            return
        try:
            self._do(engine, step)
        except (StaleAttempt, AlreadyEnded):
            # It was done before the engine died, and only its acknowledgement was lost.
            if not is_repeated:
                raise

    def _do(self, engine: Engine, step: Step) -> None:
        match step.act:
            case Begin(input, start):
                instance = f"i{self.progress.step}"
                if start is None:
                    engine.start(self._definition, input, instance=instance)
                else:
                    engine.start(self._definition, input, instance=instance, start=start)
            case Complete(_, output):
                instance, job = self._chosen()
                engine.submit(instance, c.CompleteJob(job, output))
            case Fail(_, error):
                instance, job = self._chosen()
                engine.submit(instance, c.FailJob(job, dict(error)))
            case Publish(envelope):
                engine.publish_event(dict(envelope))
            case Advance(duration):
                self._advance(duration)
            case Restart():
                self.close()
            case Control(word):
                self._control(engine, word)
            case Look():
                pass

    def _deploy(self) -> None:
        for graph in self._graphs:
            resources = fetch_resources(graph, DOUBLES_ONLY, self._servers.hosts(self.case.doubles))
            self._definition = self.engine.deploy(graph, resources=resources)

    def _advance(self, duration: str) -> None:
        parsed = parse_duration(duration)
        span = Duration(months=parsed.months, milliseconds=parsed.milliseconds)
        self.progress.now_ms = later(self.progress.now_ms, span)
        clock = cast("ManualClock", self.engine.clock)
        clock.advance(self.progress.now_ms - clock.now_ms())

    def _control(self, engine: Engine, word: str) -> None:
        instances = instances_of(engine, self._definition)
        if not instances:
            raise PlayError(f"there is no instance to {word}")
        command = {"cancel": engine.cancel, "suspend": engine.suspend, "resume": engine.resume}
        command[word](instances[-1].id)

    # -- jobs

    def _target(self, step: Step) -> tuple[str, int] | None:
        if not isinstance(step.act, Complete | Fail):
            return None
        engine, task = self.engine, step.act.task
        found: list[str] = []
        for instance in self.instances():
            state = engine.state(instance)
            if state.is_over:
                continue
            plans = engine.plan(state.definition).nodes
            for job in sorted(state.jobs.values(), key=lambda job: job.id):
                node = plans[job.node].node
                if task in (node.name, node.pointer):
                    return instance, job.id
                found.append(node.name)
        raise PlayError(f"no job of {task} is open; there are jobs of {found}")

    def _chosen(self) -> tuple[str, int]:
        assert self.progress.target is not None
        return self.progress.target


@cache
def compiled(path: Path, *, is_strict: bool = False) -> Compiled:
    """A definition, compiled; findings name the file without its folders."""
    data, resolve = path.read_bytes(), imports_of(path)
    return compile_source(data, path.name, is_strict=is_strict, resolve=resolve)


def imports_of(path: Path) -> Resolve | None:
    """Of imports those are followed that lead to further definitions of the same case."""
    has_others = any(path.parent.glob(f"{path.stem}.*.bpmn"))
    return beside(path.parent) if has_others else None


def _plainly(path: Path, is_strict: bool) -> Sequence[Graph]:
    return compiled(path, is_strict=is_strict).graphs


def graphs_of(case: Case, read: Callable[[Path, bool], Sequence[Graph]] = _plainly) -> list[Graph]:
    """Everything a case publishes, what it starts last.

    `read` gives the graphs of a definition, held to the letter of the standard or not.

    Raises:
        PlayError: the file has no process of the name it gives.
    """
    documents = [read(path, False) for path in case.others]
    documents.append(read(case.definition, case.is_strict))
    graphs = [graph for document in documents for graph in reversed(document)]
    if case.process:
        started = [graph for graph in graphs if graph.name == case.process]
        if not started:
            raise PlayError(f"there is no process {case.process}")
        graphs.remove(started[-1])
        graphs.append(started[-1])
    return graphs


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for member in cast("Mapping[str, Any]", value).values():
            yield from _texts(member)
