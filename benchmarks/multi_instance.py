"""A parallel activity over 10, 1,000 and 10,000 items: what the end of one of its runs costs."""

from __future__ import annotations

import sqlite3
import tempfile
import time
from dataclasses import dataclass

from diglot.compiler import graph as g
from diglot.runtime.engine import Engine
from diglot.runtime.store import Lease

SIZES = (10, 1_000, 10_000)
#: Runs that are ended one by one, each on disk before the next.
MEASURED = 500


@dataclass(frozen=True, slots=True)
class Figures:
    """What one size took."""

    start_ms: float
    completion_us: float
    #: What a completion wrote, in rows and in bytes of their payloads.
    rows: float
    written: float
    stop_ms: float


def document() -> g.Graph:
    """One job for each item; its result stands at the item's place, and a number of them is enough.

    The job is told its item and nothing else.
    """
    multi = g.MultiInstance(
        collection=g.Expression(text=".items", of="variables"),
        item="item",
        index="loopCounter",
        is_sequential=False,
        counts=True,
        completion=g.Expression(
            text=".numberOfCompletedInstances == .enough", of="variables", yields="boolean"
        ),
        output=g.Expression(text=".result", of="variables"),
        output_to="results",
    )
    arguments = g.Record((("item", g.Expression(text="$item")),))
    result = g.DataRules(export=g.Expression(text="."), export_mode="local")
    return g.Graph(
        namespace="bench",
        name="items",
        version="1.0.0",
        scopes=(
            g.Scope(id="/", form="process", start="start", binds_input=True),
            g.Scope(id="each#body", parent="/", form="loop", start="begin"),
        ),
        nodes=(
            g.Start(id="start", scope="/"),
            g.ScopeNode(id="each", scope="/", body="each#body", multi=multi),
            g.End(id="end", scope="/"),
            g.Start(id="begin", scope="each#body"),
            g.Task(
                id="work",
                scope="each#body",
                action=g.Action(type="work", arguments=arguments),
                data=result,
            ),
            g.End(id="done", scope="each#body"),
        ),
        flows=(
            g.Flow(id="1", source="start", target="each"),
            g.Flow(id="2", source="each", target="end"),
            g.Flow(id="3", source="begin", target="work"),
            g.Flow(id="4", source="work", target="done"),
        ),
        data=g.DataRules(write=g.Expression(text="{results}", of="variables")),
    )


def measure(size: int) -> Figures:
    """Start, end some of the runs one by one, and then let one more be enough."""
    ended = min(size - 1, MEASURED)
    with tempfile.TemporaryDirectory() as folder:
        engine = Engine(f"sqlite:///{folder}/runs.db")
        digest = engine.deploy(document())
        began = time.perf_counter()
        instance = engine.start(digest, {"items": list(range(size)), "enough": ended + 1})
        start_ms = (time.perf_counter() - began) * 1000
        leases = sorted(claimed(engine, ended + 1), key=lambda lease: lease.job)
        with sqlite3.connect(f"{folder}/runs.db") as reader:
            reader.execute("PRAGMA query_only=1")
            before = amount(reader)
            began = time.perf_counter()
            for lease in leases[:-1]:
                engine.complete(lease, {"result": lease.job})
            completion_us = (time.perf_counter() - began) / ended * 1e6
            after = amount(reader)
        reader.close()
        began = time.perf_counter()
        engine.complete(leases[-1], {"result": 0})
        stop_ms = (time.perf_counter() - began) * 1000
        output = engine.instance(instance).output
        engine.verify(instance)
        engine.close()
    results = [lease.job for lease in leases[:-1]] + [0] + [None] * (size - ended - 1)
    assert output == {"results": results}
    rows, written = ((after[n] - before[n]) / ended for n in (0, 1))
    return Figures(start_ms, completion_us, rows, written, stop_ms)


def claimed(engine: Engine, wanted: int) -> list[Lease]:
    """The oldest jobs, leased."""
    now_ms = engine.clock.now_ms()
    return list(engine.store.claim(("work",), wanted, "bench", now_ms, 3_600_000))


def amount(reader: sqlite3.Connection) -> tuple[int, int]:
    """How much history and how many results there are: rows, and bytes of their payloads."""
    found = reader.execute(
        "SELECT count(*), sum(length(payload)) FROM"
        " (SELECT payload FROM events UNION ALL SELECT payload FROM item_results)"
    ).fetchone()
    return found[0], found[1]


def main() -> None:
    """Print what was measured."""
    first: Figures | None = None
    for size in SIZES:
        found = measure(size)
        first = first or found
        print(
            f"{size:6} items: start {found.start_ms:8.1f} ms"
            f"   end of one run {found.completion_us:6.0f} us"
            f" ({found.completion_us / first.completion_us:.2f} of that of {SIZES[0]} items),"
            f" {found.rows:.1f} rows of {found.written:.0f} bytes"
            f"   stop of the rest {found.stop_ms:8.1f} ms"
        )


if __name__ == "__main__":
    main()
