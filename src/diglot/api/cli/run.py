"""`diglot run`: an engine, a scheduler and a worker in one process, for one instance."""

from __future__ import annotations

import os
import shlex
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from diglot.compiler import Compiled
from diglot.compiler.graph import Graph
from diglot.runtime.clock import SystemClock
from diglot.runtime.engine import Engine, Sink
from diglot.runtime.secrets import Provider, from_environment
from diglot.runtime.store import open_store
from diglot.runtime.worker import Worker, WorkerSettings

from ..publication import with_published
from .by_hand import read_answers
from .documents import chosen, compile_with_imports, tell_findings
from .drive import Drive
from .interactive import Dialogue, ask_on_terminal
from .members import Members
from .outside import Outside
from .starts import begun_by_hand, is_armed, not_armed, not_meant
from .stopping import Stopped
from .streams import log_in_lines, tell
from .values import fail, json_value, secret_value


@dataclass(frozen=True, slots=True, kw_only=True)
class RunOptions:
    """What the command line asked for."""

    file: str | None
    input: str | None = None
    database: str | None = None
    resume: str | None = None
    process: str | None = None
    start: str | None = None
    others: tuple[str, ...] = ()
    events: tuple[str, ...] = ()
    messages: tuple[str, ...] = ()
    signals: tuple[str, ...] = ()
    completions: tuple[str, ...] = ()
    failures: tuple[str, ...] = ()
    is_interactive: bool = False
    secrets: tuple[str, ...] = ()
    sinks: tuple[str, ...] = ()
    watch: bool = False
    #: A file with findings, whose runs are played instead.
    trace: str | None = None
    public_only: bool = False
    allow_processes: bool = True


def run_workflow(options: RunOptions) -> int:
    """Run to an end or to a wait; the exit status says which."""
    _check(options)
    if options.trace is not None:
        from .rehearse import rehearse

        assert options.file is not None, "checked before"
        return rehearse(options.file, options.trace)
    log_in_lines()
    documents = _compile(options)
    if documents is None:
        return 1
    given: Any = {} if options.input is None else json_value(options.input, "--input")
    answers = read_answers(options.failures, options.completions)
    outside = Outside(options.events, options.messages, options.signals)
    settings = _worker_settings(options)
    instance = options.resume
    with ExitStack() as stack:
        database = "sqlite://" if options.database is None else options.database
        store = open_store(database, create=options.resume is None)
        stack.callback(store.close)
        engine = Engine(
            store,
            clock=SystemClock(),
            secrets=_secrets(options.secrets, os.environ),
            sinks=[_sink(where, settings) for where in options.sinks],
        )
        stack.callback(engine.close)
        documents = with_published(engine, documents)
        for compiled in documents:
            tell_findings(compiled)
        if any(compiled.has_errors for compiled in documents):
            return 1
        if instance is None:
            graph = chosen(documents[-1], options.process)
            idle = not_meant(graph)
            if idle:
                tell(f"diglot: {idle}")
            digests = _deploy_all(engine, documents, graph, settings)
            digest = digests[id(graph)]
            told = begun_by_hand(engine.plan(digest), options.start)
            if told:
                tell(f"diglot: {told}")
            instance = engine.start(digest, given, start=options.start)
        else:
            digests = {}
            _deploy_all(engine, documents, None, settings)
            _wake(engine, instance)
        if options.database is not None:
            tell(f"instance {instance}")
        worker = Worker(engine, settings)
        stack.callback(worker.close, at_once=True)
        again = None if options.database is None else _again(instance, options.database)
        members = Members(engine, instance, digests.values())
        dialogue = None
        if options.is_interactive:
            dialogue = Dialogue(engine, members, ask_on_terminal, tell)
        drive = Drive(
            engine=engine,
            worker=worker,
            members=members,
            again=again,
            answers=answers,
            outside=outside,
            dialogue=dialogue,
        )
        try:
            return drive.run(watch=options.watch)
        except Stopped as stopped:
            kept = f"go on with: {again}" if again else "nothing is kept without --database"
            tell(f"diglot: stopped; {kept}")
            return stopped.exit_status


def _check(options: RunOptions) -> None:
    if (options.file is None) == (options.resume is None):
        fail("give either a FILE to run or --resume ID")
    if options.trace is not None and options.file is None:
        fail("--trace needs the FILE that the findings are about")
    if options.resume is not None and options.database is None:
        fail("--resume needs the --database of the run")
    if options.resume is not None and options.input is not None:
        fail("a run that is resumed has its input already; leave --input out")
    if options.resume is not None and (options.start or options.process):
        fail("a run that is resumed has begun already; leave --start and --process out")
    if _reads_of_standard_input(options) > 1:
        fail("standard input (-) can be read once only; name files for the rest")


def _reads_of_standard_input(options: RunOptions) -> int:
    named = (*options.messages, *options.signals, *options.completions)
    values = [text.partition("=")[2] for text in named]
    one = (options.file, options.input, options.trace)
    whole = (*one, *options.others, *options.events, *values)
    return whole.count("-") + options.is_interactive


def _compile(options: RunOptions) -> list[Compiled] | None:
    """All documents, the one to run last; nothing if one has errors, which have been printed."""
    names = [*options.others, *([] if options.file is None else [options.file])]
    documents = [one for name in names for one in compile_with_imports(name)]
    if any(compiled.graph is None or compiled.has_errors for compiled in documents):
        for compiled in documents:
            tell_findings(compiled)
        return None
    return documents


def _deploy_all(
    engine: Engine, documents: list[Compiled], started: Graph | None, settings: WorkerSettings
) -> dict[int, str]:
    """Publish every definition, those beside the started one with what events start.

    Gives the digests by the `id()` of their graphs.
    """
    from diglot.compiler.render import findings_of
    from diglot.runtime.resources import fetch_resources

    digests: dict[int, str] = {}
    others: list[str] = []
    for compiled in documents:
        for graph in compiled.graphs:
            armed = started is not None and is_armed(graph, started)
            digests[id(graph)] = engine.deploy(
                graph,
                source=compiled.source.text,
                findings=findings_of(compiled),
                resources=fetch_resources(graph, settings.policy, settings.transport),
                is_scheduled=armed,
                by_events_alone=True,
            )
            if armed:
                others.append(digests[id(graph)])
    told = not_armed(engine.plan(other) for other in others)
    if told:
        tell(f"diglot: {told}")
    return digests


def _wake(engine: Engine, instance: str) -> None:
    """Make what was stopped, suspended or killed ready to go on."""
    if engine.state(instance).status == "suspended":
        engine.resume(instance, by="diglot run")
        tell(f"diglot: instance {instance} was suspended and goes on")
    _free_leases_of_the_dead(engine)


def _again(instance: str, database: str) -> str:
    return f"diglot run --resume {shlex.quote(instance)} --database {shlex.quote(database)}"


def _worker_settings(options: RunOptions) -> WorkerSettings:
    from diglot.runtime.actions.outgoing import PERMISSIVE, SERVER

    return WorkerSettings(
        policy=SERVER if options.public_only else PERMISSIVE,
        allow_processes=options.allow_processes,
    )


def _sink(where: str, settings: WorkerSettings) -> Sink:
    from diglot.runtime.sinks import file_sink, http_sink

    if where.startswith(("http://", "https://")):
        return http_sink(where, settings.policy, settings.transport)
    try:
        with open(where, "ab"):
            pass
    except OSError as error:
        fail(f"--sink {where}: {error.strerror}")
    return file_sink(Path(where))


def _secrets(given: tuple[str, ...], environment: Mapping[str, str]) -> Provider:
    named: dict[str, Any] = {}
    for pair in given:
        name, separator, text = pair.partition("=")
        if not separator or not name:
            fail("--secret wants NAME=VALUE")
        named[name] = secret_value(text, name)
    fallback = from_environment(environment)
    return lambda name: named[name] if name in named else fallback(name)


def _free_leases_of_the_dead(engine: Engine) -> None:
    """Give back jobs that a run of this machine held when it was killed.

    Their leases would end by themselves; whoever resumes need not wait for that.
    """
    import socket

    host = socket.gethostname()
    for lease in engine.store.leases():
        name, _, process = lease.worker.rpartition(":")
        if name == host and process.isdigit() and not _is_alive(int(process)):
            now_ms = engine.clock.now_ms()
            engine.store.give_back(lease, now_ms, now_ms, "expired")


def _is_alive(process: int) -> bool:
    # This process has taken nothing yet: what bears its number is of one before it.
    if process == os.getpid():
        return False
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except (PermissionError, OverflowError):
        return True
    return True
