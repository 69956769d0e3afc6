"""Jobs of many instances, done by workers in processes of their own, on both stores.

A worker asks for a batch of jobs over a pipe, does nothing with them and gives their results back:
what is measured is what the engine and its database do.
"""

from __future__ import annotations

import multiprocessing
import os
import resource
import statistics
import tempfile
import threading
import time
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, Final

import msgspec

from benchmarks.bpmn import model
from diglot.compiler import compile_source
from diglot.runtime import commands as c
from diglot.runtime.desk import Desk, Held
from diglot.runtime.engine import Engine

TYPE: Final = "service-task"
STEPS: Final = 10


@dataclass(frozen=True, slots=True)
class Run:
    """What was measured: steps a second, how long a batch took (ms), bytes of disk an instance."""

    steps_a_second: float
    p50_ms: float
    p99_ms: float
    bytes_an_instance: float
    memory_mb: float


def fork(branches: int = STEPS) -> str:
    """A process that does `branches` tasks side by side and joins them, as XML."""
    names = [f"task{number}" for number in range(branches)]
    tasks = "\n".join(f'<serviceTask id="{name}" name="{name}"/>' for name in names)
    flows = "\n".join(
        f'<sequenceFlow id="in{name}" sourceRef="split" targetRef="{name}"/>'
        f'<sequenceFlow id="out{name}" sourceRef="{name}" targetRef="join"/>'
        for name in names
    )
    return f"""<?xml version="1.0" encoding="UTF-8"?>
<definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL" id="bench"
  targetNamespace="https://diglot.example/bench">
<process id="bench_fork" isExecutable="true">
<startEvent id="start"/><parallelGateway id="split"/><parallelGateway id="join"/>
<endEvent id="end"/>
{tasks}
{flows}
<sequenceFlow id="first" sourceRef="start" targetRef="split"/>
<sequenceFlow id="last" sourceRef="join" targetRef="end"/>
</process></definitions>"""


def work(pipe: Connection, batch: int) -> None:
    """What a worker's process does until it is told that there is nothing more."""
    times: list[float] = []
    held: list[tuple[str, int, int]] = []
    done = 0
    while True:
        began = time.perf_counter()
        pipe.send_bytes(msgspec.json.encode([held, batch]))
        answer = msgspec.json.decode(pipe.recv_bytes())
        if answer is None:
            break
        if held:
            times.append(time.perf_counter() - began)
        held = [(instance, job, attempt) for instance, job, attempt, _ in answer]
        done += len(held)
    pipe.send_bytes(msgspec.json.encode([done, times]))


def attend(desk: Desk, pipe: Connection, name: str, is_over: threading.Event) -> None:
    """Take a worker's results and give it the next jobs, until all is done."""
    number = 0
    while True:
        held, batch = msgspec.json.decode(pipe.recv_bytes())
        if held:
            number += len(held)
            results = [(Held(*one), {"result": number}) for one in held]
            answers = desk.complete(results)
            assert set(answers) == {"taken"}, answers
        leases: list[Any] = []
        while not leases and not is_over.is_set():
            leases = desk.claim((TYPE,), batch, name, wait_s=0.05)
        if not leases:
            pipe.send_bytes(msgspec.json.encode(None))
            return
        pipe.send_bytes(
            msgspec.json.encode(
                [(one.instance, one.job, one.attempt, one.arguments) for one in leases]
            )
        )


def measure(
    url: str, text: str, *, instances: int, batch: int, workers: int, data: dict[str, Any]
) -> Run:
    """Start instances, let workers do all their jobs, and see how long that takes."""
    compiled = compile_source(text, "bench.bpmn")
    assert compiled.graph is not None, compiled.diagnostics
    engine = Engine(url)
    digest = engine.deploy(compiled.graph)
    before = size(engine, url)
    ids = [f"{time.time_ns():020}-{number:015}" for number in range(instances)]
    for first in range(0, instances, 100):
        part = ids[first : first + 100]
        engine.submit_many([(id, c.StartInstance(digest, data)) for id in part])
    desk = Desk(engine)
    is_over = threading.Event()
    spawn = multiprocessing.get_context("spawn")
    pipes = [spawn.Pipe() for _ in range(workers)]
    processes = [spawn.Process(target=work, args=(theirs, batch)) for _, theirs in pipes]
    for process in processes:
        process.start()
    threads = [
        threading.Thread(target=attend, args=(desk, ours, f"w{number}", is_over))
        for number, (ours, _) in enumerate(pipes)
    ]
    for ours, _ in pipes:
        ours.poll(None)
    began = time.perf_counter()
    for thread in threads:
        thread.start()
    while engine.store.instances(status="running", limit=1):
        time.sleep(0.01)
    took = time.perf_counter() - began
    is_over.set()
    for thread in threads:
        thread.join()
    found = [msgspec.json.decode(ours.recv_bytes()) for ours, _ in pipes]
    for process in processes:
        process.join()
    assert sum(done for done, _ in found) == instances * STEPS
    times = sorted(one for _, mine in found for one in mine)
    bytes_an_instance = (size(engine, url) - before) / instances
    engine.close()
    return Run(
        instances * STEPS / took,
        statistics.median(times) * 1000,
        times[int(len(times) * 0.99)] * 1000,
        bytes_an_instance,
        resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    )


def size(engine: Engine, url: str) -> int:
    """How many bytes a database takes on disk, without what is only on its way there."""
    if url.startswith("sqlite:///"):
        path = Path(url.removeprefix("sqlite:///"))
        import sqlite3

        with sqlite3.connect(path) as connection:
            (pages,) = connection.execute("PRAGMA page_count").fetchone()
            (free,) = connection.execute("PRAGMA freelist_count").fetchone()
            (each,) = connection.execute("PRAGMA page_size").fetchone()
        return int((pages - free) * each)
    import psycopg

    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("VACUUM")
        found = connection.execute("SELECT pg_database_size(current_database())").fetchone()
    assert found is not None
    return int(found[0])


@contextmanager
def databases() -> Generator[dict[str, Any], None, None]:
    """By the name of a store: what gives the address of an empty database."""
    from conformance.harness.postgres import Server

    with tempfile.TemporaryDirectory(dir=os.environ.get("DIGLOT_BENCH_FOLDER")) as folder:
        numbers = iter(range(10_000))
        server = Server().create().start()
        try:
            yield {
                "SQLite": lambda: f"sqlite:///{folder}/{next(numbers)}.db",
                "PostgreSQL": server.laid_out,
            }
        finally:
            server.remove()


def main() -> None:
    """Print what was measured."""
    small: dict[str, Any] = {"amount": 7}
    large: dict[str, Any] = {"amount": 7, "text": "x" * 10_000}
    rows: list[tuple[str, str, dict[str, Any]]] = [
        ("10 in a row, 100 a batch", model(), {"batch": 100, "workers": 2}),
        ("10 in a row, one worker, 1 a batch", model(), {"batch": 1, "workers": 1}),
        ("10 side by side, 100 a batch", fork(), {"batch": 100, "workers": 2}),
        ("10 in a row, 10 KB of variables", model(), {"batch": 100, "workers": 2, "data": large}),
    ]
    with databases() as kinds:
        for name, text, how in rows:
            for kind, new in kinds.items():
                instances = 200 if how["batch"] == 1 else 3000
                arguments: dict[str, Any] = {"instances": instances, "data": small, **how}
                run = measure(new(), text, **arguments)
                print(
                    f"{name:36} {kind:10} {run.steps_a_second:8.0f} steps/s"
                    f"  p50 {run.p50_ms:6.1f} ms  p99 {run.p99_ms:6.1f} ms"
                    f"  {run.bytes_an_instance:6.0f} B an instance  {run.memory_mb:4.0f} MB"
                )


if __name__ == "__main__":
    main()
