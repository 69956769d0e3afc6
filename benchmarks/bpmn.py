"""BPMN: reading the largest reference model, and instances of ten service tasks against a peer."""

from __future__ import annotations

import itertools
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from diglot.compiler import compile_source
from diglot.runtime import commands as c
from diglot.runtime.engine import Engine
from diglot.runtime.scheduler import settle

INSTANCES = 1000
TASKS = 10
_SUITES = Path(os.environ.get("DIGLOT_SUITES") or "../shared/suites")


def model(tasks: int = TASKS, kind: str = "serviceTask") -> str:
    """A process of `tasks` tasks in a row, as XML."""
    names = ["start", *(f"task{number}" for number in range(tasks)), "end"]
    flows = "\n".join(
        f'<sequenceFlow id="f{number}" sourceRef="{one}" targetRef="{other}"/>'
        for number, (one, other) in enumerate(itertools.pairwise(names))
    )
    bodies = "\n".join(f'<{kind} id="task{n}" name="task{n}"/>' for n in range(tasks))
    return f"""<?xml version="1.0" encoding="UTF-8"?>
<definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL" id="bench"
  targetNamespace="https://diglot.example/bench">
<process id="bench_process" isExecutable="true">
<startEvent id="start"/>
{bodies}
<endEvent id="end"/>
{flows}
</process></definitions>"""


def reading(file: Path) -> tuple[float, float]:
    """Median and slowest of twenty times of reading, checking and lowering a file, in ms."""
    data = file.read_bytes()
    compile_source(data, file.name)
    times: list[float] = []
    for _ in range(20):
        began = time.perf_counter()
        compile_source(data, file.name)
        times.append((time.perf_counter() - began) * 1000)
    return statistics.median(times), max(times)


def steps(group: int) -> float:
    """Completed service tasks a second with the completions of `group` instances a commit."""
    with tempfile.TemporaryDirectory() as folder:
        engine = Engine(f"sqlite:///{folder}/runs.db")
        compiled = compile_source(model(), "bench.bpmn")
        assert compiled.graph is not None, compiled.diagnostics
        digest = engine.deploy(compiled.graph)
        began = time.perf_counter()
        ids = [f"i{number:04}" for number in range(INSTANCES)]
        for first in range(0, INSTANCES, group):
            batch = ids[first : first + group]
            engine.submit_many([(id, c.StartInstance(digest, {"amount": 7})) for id in batch])
            for number in range(TASKS):
                jobs = [next(iter(engine.state(id).jobs)) for id in batch]
                done = [
                    (id, c.CompleteJob(job, {f"result{number}": number}))
                    for id, job in zip(batch, jobs, strict=True)
                ]
                assert engine.submit_many([*done]) == [None] * len(batch)
        took = time.perf_counter() - began
        settle(engine)
        completed = engine.store.instances(status="completed", limit=INSTANCES + 1)
        assert len(completed) == INSTANCES
        assert completed[0].output["result9"] == 9
        engine.close()
    return INSTANCES * TASKS / took


_PEER = """
import json, sqlite3, sys, time, os
from SpiffWorkflow.bpmn.parser import BpmnParser
from SpiffWorkflow.bpmn.workflow import BpmnWorkflow
from SpiffWorkflow.bpmn.serializer import BpmnWorkflowSerializer
from SpiffWorkflow.util.task import TaskState
folder, instances, tasks = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
parser = BpmnParser()
parser.add_bpmn_file(os.path.join(folder, "bench.bpmn"))
spec = parser.get_spec("bench_process")
serializer = BpmnWorkflowSerializer()
connection = sqlite3.connect(os.path.join(folder, "peer.db"), isolation_level=None)
connection.execute("PRAGMA journal_mode=WAL")
connection.execute("PRAGMA synchronous=FULL")
connection.execute("CREATE TABLE runs (id INTEGER PRIMARY KEY, state TEXT)")
def save(id, workflow):
    text = serializer.serialize_json(workflow)
    connection.execute("REPLACE INTO runs VALUES (?, ?)", (id, text))
done = 0
began = time.perf_counter()
for id in range(instances):
    workflow = BpmnWorkflow(spec)
    workflow.data["amount"] = 7
    workflow.do_engine_steps()
    save(id, workflow)
    for number in range(tasks):
        task = workflow.get_tasks(state=TaskState.READY, manual=True)[0]
        task.data["result%d" % number] = number
        task.run()
        workflow.do_engine_steps()
        save(id, workflow)
        done += 1
    assert workflow.completed
print(done / (time.perf_counter() - began))
"""


def peer() -> float | None:
    """SpiffWorkflow doing the same, its state saved after each step; nothing if it is absent."""
    with tempfile.TemporaryDirectory() as folder:
        # Its service tasks need an implementation; a manual task is what it completes from outside.
        Path(folder, "bench.bpmn").write_text(model(kind="manualTask"), "utf-8")
        found = subprocess.run(
            [sys.executable, "-c", _PEER, folder, str(INSTANCES // 5), str(TASKS)],
            capture_output=True,
            text=True,
            check=False,
        )
    lines = [line for line in found.stdout.splitlines() if line.replace(".", "", 1).isdigit()]
    return float(lines[-1]) if lines else None


def main() -> None:
    """Print what was measured."""
    largest = _SUITES / "bpmn/miwg/reference/C.8.0.bpmn"
    if largest.is_file():
        median, slowest = reading(largest)
        size_kb = largest.stat().st_size / 1024
        print(
            f"read, check and lower {largest.name} ({size_kb:.0f} KB)"
            f"   {median:6.1f} ms median, {slowest:.1f} ms slowest"
        )
    else:
        print(f"THE LARGEST REFERENCE MODEL IS NOT READ: {largest} is not there")
    single, grouped, theirs = steps(1), steps(100), peer()
    print(f"service tasks completed, one commit each      {single:8.0f} /s")
    print(f"service tasks completed, 100 a commit         {grouped:8.0f} /s")
    if theirs is None:
        print("SpiffWorkflow      not installed: pip install 'SpiffWorkflow==3.2.0'")
    else:
        print(
            f"SpiffWorkflow, saved after each step          {theirs:8.0f} /s"
            f"  we are {single / theirs:.1f} and {grouped / theirs:.1f} times"
        )


if __name__ == "__main__":
    main()
