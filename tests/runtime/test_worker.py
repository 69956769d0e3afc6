"""The in-process worker: what it does with jobs that end, fail, break, or are taken from it."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from diglot.runtime.clock import SystemClock
from diglot.runtime.engine import Engine
from diglot.runtime.scheduler import settle
from diglot.runtime.worker import Worker, WorkerSettings
from support.runs import Run, workflow

SHELL = "do: [{a: {run: {shell: {command: 'echo hello'}}}}]"


def test_a_job_is_done_and_its_output_moves_the_instance_on() -> None:
    run = Run()
    instance = run.start(SHELL)
    worker = Worker(run.engine, WorkerSettings(allow_processes=True))

    assert worker.run_once() == 1
    worker.close()

    assert run.row(instance).output == "hello\n"


def test_processes_are_refused_where_they_are_not_allowed() -> None:
    run = Run()
    instance = run.start(SHELL)
    worker = Worker(run.engine, WorkerSettings(allow_processes=False))
    worker.run_once()
    worker.close()

    error = run.row(instance).error
    assert error is not None
    assert (error["status"], error["instance"]) == (403, "/do/0/a")


def test_private_addresses_are_refused_by_default() -> None:
    run = Run()
    instance = run.start(
        "do: [{a: {call: http, with: {method: get, endpoint: 'http://127.0.0.1:1/'}}}]"
    )
    worker = Worker(run.engine)
    worker.run_once()
    worker.close()

    error = run.row(instance).error
    assert error is not None
    assert error["status"] == 403


def test_a_mistake_in_an_action_is_a_fault_of_the_run_and_not_an_endless_job(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def broken(kind: str, arguments: object, context: object) -> object:
        raise ZeroDivisionError

    monkeypatch.setattr("diglot.runtime.actions.execute", broken)
    run = Run()
    instance = run.start(SHELL)
    worker = Worker(run.engine, WorkerSettings(allow_processes=True))
    worker.run_once()
    worker.close()

    error = run.row(instance).error
    assert error is not None
    assert error["detail"] == "the shell action broke: ZeroDivisionError"


def test_a_process_whose_task_timed_out_is_stopped(tmp_path: Path) -> None:
    engine = Engine(clock=SystemClock())
    late = tmp_path / "late"
    digest = engine.deploy(
        workflow(
            "do: [{a: {timeout: {after: {milliseconds: 100}}, "
            f"run: {{shell: {{command: 'sleep 30; touch {late}'}}}}}}}}]"
        )
    )
    instance = engine.start(digest)
    worker = Worker(engine, WorkerSettings(allow_processes=True, lease_s=0.6))
    worker.begin()
    began = time.monotonic()

    while engine.instance(instance).ended_ms is None and time.monotonic() - began < 10:
        settle(engine)
        engine.wake.wait(0.05)
        engine.wake.clear()
    worker.close()

    error = engine.instance(instance).error
    assert error is not None
    assert error["status"] == 408
    # Closing waits for what runs: thirty seconds, were it not stopped.
    assert time.monotonic() - began < 20
    assert not late.exists()
