"""1,000 instances of a flow of 20 data nodes, each on disk before it is acknowledged."""

from __future__ import annotations

import resource
import sqlite3
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from diglot.compiler import compile_source
from diglot.runtime import commands as c
from diglot.runtime.engine import Engine

INSTANCES = 1000
NODES = 20


def document(nodes: int = NODES) -> str:
    """A workflow of `nodes` set tasks that each compute something from the one before."""
    tasks = "\n".join(
        f"  - step{n}: {{set: {{count: '${{ .count + 1 }}', name: '${{ .name }}'}}}}"
        for n in range(nodes)
    )
    return f"document: {{dsl: 1.0.3, namespace: bench, name: pure, version: 1.0.0}}\ndo:\n{tasks}\n"


def measure(group: int) -> float:
    """Instances a second with `group` instances a commit."""
    with tempfile.TemporaryDirectory() as folder:
        engine = Engine(f"sqlite:///{folder}/runs.db")
        compiled = compile_source(document(), "pure.yaml")
        assert compiled.graph is not None
        digest = engine.deploy(compiled.graph)
        engine.start(digest, {"count": 0, "name": "x"})
        began = time.perf_counter()
        for first in range(0, INSTANCES, group):
            work: list[tuple[str, c.Command]] = [
                (f"i{number}", c.StartInstance(digest, {"count": 0, "name": "x"}))
                for number in range(first, first + group)
            ]
            engine.submit_many(work)
        took = time.perf_counter() - began
        done = engine.store.instances(status="completed", limit=INSTANCES + 2)
        assert len(done) == INSTANCES + 1
        assert done[0].output == {"count": NODES, "name": "x"}
        engine.close()
    return INSTANCES / took


def raw_commits() -> float:
    """The limit: a commit of two small inserts, with the driver alone."""
    with tempfile.TemporaryDirectory() as folder:
        connection = sqlite3.connect(Path(folder) / "raw.db", isolation_level=None)
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA synchronous=FULL")
        connection.execute("CREATE TABLE a (id INTEGER PRIMARY KEY, payload BLOB)")
        connection.execute("CREATE TABLE b (id INTEGER PRIMARY KEY, payload BLOB)")
        began = time.perf_counter()
        for number in range(INSTANCES):
            connection.execute("BEGIN IMMEDIATE")
            connection.execute("INSERT INTO a VALUES (?, ?)", (number, b"x" * 300))
            connection.execute("INSERT INTO b VALUES (?, ?)", (number, b"x" * 1000))
            connection.execute("COMMIT")
        took = time.perf_counter() - began
        connection.close()
    return INSTANCES / took


_DBOS = """
import os, sys, tempfile, time, logging
import sqlalchemy
from dbos import DBOS, DBOSConfig
folder = tempfile.mkdtemp()
path = os.path.join(folder, "dbos.sqlite")
config = DBOSConfig(name="bench", system_database_url=f"sqlite:///{path}", log_level="ERROR")
dbos = DBOS(config=config)

@DBOS.workflow()
def flow(data):
    for _ in range(%d):
        data = {"count": data["count"] + 1, "name": data["name"]}
    return data

DBOS.launch()
import sqlite3
connection = sqlite3.connect(path)
connection.execute("PRAGMA journal_mode=WAL")
connection.close()
assert flow({"count": 0, "name": "x"})["count"] == %d
began = time.perf_counter()
for _ in range(%d):
    flow({"count": 0, "name": "x"})
print(%d / (time.perf_counter() - began))
DBOS.destroy()
"""


def dbos() -> float | None:
    """DBOS doing the same 20 inline steps, in a process of its own; nothing if it is not there."""
    script = _DBOS % (NODES, NODES, INSTANCES, INSTANCES)
    found = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=False
    )
    lines = [line for line in found.stdout.splitlines() if line.replace(".", "", 1).isdigit()]
    return float(lines[-1]) if lines else None


def main() -> None:
    """Print what was measured."""
    limit = raw_commits()
    single = measure(1)
    grouped = measure(100)
    peak_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    peer = dbos()
    print(f"raw commits of two rows              {limit:8.0f} /s")
    print(
        f"20 data nodes, one commit each       {single:8.0f} instances/s"
        f"  {single / limit:.2f} of raw"
    )
    print(f"20 data nodes, 100 a commit          {grouped:8.0f} instances/s")
    if peer is None:
        print("DBOS                                 not installed: pip install 'dbos>=3.4'")
    else:
        print(
            f"DBOS, 20 inline steps                {peer:8.0f} instances/s"
            f"  we are {single / peer:.1f} times"
        )
    print(f"peak memory of this process          {peak_mb:8.0f} MB")


if __name__ == "__main__":
    main()
