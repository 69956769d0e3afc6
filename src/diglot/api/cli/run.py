"""`diglot run`: an engine, a scheduler and a worker in one process, for one instance."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import typer

from diglot.compiler import Compiled
from diglot.runtime.clock import Clock, SystemClock
from diglot.runtime.engine import Engine, Sink
from diglot.runtime.errors import UnknownInstance
from diglot.runtime.scheduler import settle, sleep_s
from diglot.runtime.secrets import Provider, from_environment
from diglot.runtime.worker import Worker, WorkerSettings

from .documents import compile_file, print_findings, read_bytes
from .progress import Progress, as_text

#: Exit status of a run that waits for something this call does not bring.
STILL_WAITING = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class RunOptions:
    """What the command line asked for."""

    file: str | None
    input: str | None = None
    database: str | None = None
    resume: str | None = None
    others: tuple[str, ...] = ()
    events: tuple[str, ...] = ()
    secrets: tuple[str, ...] = ()
    sinks: tuple[str, ...] = ()
    watch: bool = False
    public_only: bool = False
    allow_processes: bool = True


def run_workflow(options: RunOptions, clock: Clock | None = None) -> int:
    """Run to an end or to a wait; the exit status says which."""
    if (options.file is None) == (options.resume is None):
        typer.echo("diglot: give either a FILE to run or --resume ID", err=True)
        return 2
    if options.resume is not None and options.database is None:
        typer.echo("diglot: --resume needs the --database of the run", err=True)
        return 2
    documents = [compile_file(name) for name in options.others]
    main = None if options.file is None else compile_file(options.file)
    for compiled in (*documents, *([] if main is None else [main])):
        refused = [found for found in compiled.diagnostics if found.severity.value != "info"]
        if refused:
            print_findings(compiled, refused)
        if compiled.graph is None or compiled.has_errors:
            return 1
    settings = _worker_settings(options)
    with ExitStack() as stack:
        engine = Engine(
            options.database or "sqlite://",
            clock=clock or SystemClock(),
            secrets=_secrets(options.secrets, os.environ),
            sinks=[_sink(where, settings) for where in options.sinks],
        )
        stack.callback(engine.close)
        for compiled in documents:
            _deploy(engine, compiled, settings)
        if main is None:
            assert options.resume is not None
            instance = options.resume
            _free_leases_of_the_dead(engine)
        else:
            instance = engine.start(_deploy(engine, main, settings), _input(options.input))
        if options.database is not None:
            typer.echo(f"instance {instance}", err=True)
        worker = Worker(engine, settings)
        stack.callback(worker.close)
        return _drive(engine, worker, instance, list(options.events), watch=options.watch)


def _deploy(engine: Engine, compiled: Compiled, settings: WorkerSettings) -> str:
    from diglot.runtime.resources import fetch_resources

    assert compiled.graph is not None
    resources = fetch_resources(compiled.graph, settings.policy, settings.transport)
    return engine.deploy(compiled.graph, source=compiled.source.text, resources=resources)


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
    return file_sink(Path(where))


def _drive(engine: Engine, worker: Worker, instance: str, events: list[str], *, watch: bool) -> int:
    """Move the instance on until it ends or nothing here can move it."""
    try:
        state = engine.state(instance)
    except UnknownInstance as error:
        typer.echo(f"diglot: {error}", err=True)
        return 2
    progress = Progress(engine.plan(state.definition))
    with ExitStack() as stack:
        show = _show(stack, progress) if watch else None
        while True:
            engine.wake.clear()
            settle(engine)
            begun = worker.begin()
            if show is not None:
                show(engine.store.history(instance))
            row = engine.instance(instance)
            if row.ended_ms is not None:
                break
            if begun:
                continue
            if not worker.busy and not _can_go_on(engine, instance):
                if not events:
                    return _waiting(engine, instance)
                engine.publish_event(_json(events.pop(0), "--event"))
                continue
            engine.clock.sleep(sleep_s(engine), engine.wake)
    settle(engine)
    if row.status == "completed":
        typer.echo(json.dumps(row.output, indent=2, ensure_ascii=False))
        return 0
    problem = row.error or {"title": f"the instance was {row.status}", "status": 0}
    typer.echo(json.dumps(problem, indent=2, ensure_ascii=False))
    typer.echo(f"diglot: {row.status} at {problem.get('instance') or '/'}", err=True)
    return 1


def _can_go_on(engine: Engine, instance: str) -> bool:
    """Whether the clock, a worker or a child can move the instance without help from outside."""
    state = engine.state(instance)
    if state.timers or state.jobs:
        return state.status == "running"
    children = [visit.child for visit in state.visits.values() if visit.child is not None]
    for child in children:
        row = engine.store.instance(child)
        if row is None or row.ended_ms is not None or _can_go_on(engine, child):
            return True
    return False


def _waiting(engine: Engine, instance: str) -> int:
    state = engine.state(instance)
    plan = engine.plan(state.definition)
    if state.status == "suspended":
        typer.echo(f"diglot: instance {instance} is suspended", err=True)
        return STILL_WAITING
    for subscription in state.subscriptions.values():
        node = plan.nodes[state.visits[subscription.visit].node].node
        wanted = subscription.type or "any type that its filter takes"
        typer.echo(f"diglot: {node.name or node.id} waits for an event of {wanted}", err=True)
    typer.echo("diglot: give it with --event JSON", err=True)
    return STILL_WAITING


def _show(stack: ExitStack, progress: Progress) -> Any:
    if not sys.stderr.isatty():

        def tell(history: Any) -> None:
            for status, line in progress.follow(history):
                typer.echo(as_text(status, line), err=True)

        return tell
    from rich.console import Console
    from rich.live import Live

    live = stack.enter_context(Live(console=Console(stderr=True), refresh_per_second=10))

    def draw(history: Any) -> None:
        progress.follow(history)
        live.update(progress.tree(progress.title))

    return draw


def _input(text: str | None) -> Any:
    return {} if text is None else _json(text, "--input")


def _json(text: str, option: str) -> Any:
    """A value given as JSON, as @FILE, or as - for standard input.

    Raises:
        typer.Exit: it is none; the reason has been printed.
    """
    if text == "-":
        text = sys.stdin.read()
    elif text.startswith("@"):
        return _file(text[1:], option)
    try:
        return json.loads(text)
    except ValueError as error:
        typer.echo(f"diglot: {option} is not JSON: {error}", err=True)
        raise typer.Exit(2) from error


def _file(name: str, option: str) -> Any:
    """A value out of a file in JSON or YAML."""
    from diglot.compiler.diagnostics import Report
    from diglot.compiler.render import render
    from diglot.compiler.serverless_workflow.yaml import decode, load_document

    report = Report()
    source = decode(read_bytes(name), name, report)
    document = None if source is None else load_document(source, report)
    if source is None or document is None:
        sources = {} if source is None else {name: source}
        typer.echo(render(report.sorted(), sources, "text", colour=False), err=True)
        raise typer.Exit(2)
    return document.value


def _secrets(given: tuple[str, ...], environment: Mapping[str, str]) -> Provider:
    named: dict[str, Any] = {}
    for pair in given:
        name, separator, text = pair.partition("=")
        if not separator:
            typer.echo("diglot: --secret wants NAME=VALUE", err=True)
            raise typer.Exit(2)
        named[name] = _json(text, "--secret") if text.startswith(("{", "@")) else text
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
        if name == host and process.isdigit() and not Path(f"/proc/{process}").exists():
            now_ms = engine.clock.now_ms()
            engine.store.give_back(lease, now_ms, now_ms, "expired")
