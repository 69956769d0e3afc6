"""A million timers: what a look costs when none is due, how many fire a second, and how late.

Source: R-D6.
"""

from __future__ import annotations

import threading
import time
from typing import Any, Final

from diglot.compiler import compile_source
from diglot.runtime import commands as c
from diglot.runtime.clock import ManualClock
from diglot.runtime.engine import Engine
from diglot.runtime.events import TimerArmed, TimerFired
from diglot.runtime.scheduler import Scheduler, tick

#: Timers that are pending, and timers of one instance.
PENDING: Final = 1_000_000
EACH: Final = 1_000
#: Instances with a timer each, that are due at once.
ALONE: Final = 20_000
#: Timers whose lag is measured, spread over some seconds.
WATCHED: Final = 2_000
SPREAD_S: Final = 10


def process(timers: int, due: str) -> str:
    """A process that waits so many times side by side, as XML."""
    return f"""<?xml version="1.0" encoding="UTF-8"?>
<definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL" id="bench"
  targetNamespace="https://diglot.example/bench">
<process id="bench{timers}" isExecutable="true">
<startEvent id="start"/><subProcess id="each">
<multiInstanceLoopCharacteristics><loopCardinality>{timers}</loopCardinality>
</multiInstanceLoopCharacteristics>
<startEvent id="begin"/><intermediateCatchEvent id="wait">
<timerEventDefinition><timeDuration>{due}</timeDuration></timerEventDefinition>
</intermediateCatchEvent><endEvent id="done"/>
<sequenceFlow id="to-wait" sourceRef="begin" targetRef="wait"/>
<sequenceFlow id="waited" sourceRef="wait" targetRef="done"/>
</subProcess><endEvent id="end"/>
<sequenceFlow id="first" sourceRef="start" targetRef="each"/>
<sequenceFlow id="last" sourceRef="each" targetRef="end"/>
</process></definitions>"""


def deployed(engine: Engine, text: str) -> str:
    """Publish a process; its digest."""
    compiled = compile_source(text, "bench.bpmn")
    assert compiled.graph is not None, compiled.diagnostics
    return engine.deploy(compiled.graph)


def begin(engine: Engine, digest: str, name: str, count: int, batch: int, data: Any) -> None:
    """Start so many instances."""
    ids = [f"{name}{number:08}" for number in range(count)]
    for first in range(0, count, batch):
        part = ids[first : first + batch]
        outcomes = engine.submit_many([(id, c.StartInstance(digest, data)) for id in part])
        assert not any(outcomes), outcomes


def idle_us(engine: Engine, looks: int = 200) -> float:
    """What one look takes (us) when nothing is due."""
    began = time.perf_counter()
    for _ in range(looks):
        assert not engine.store.due_timers(engine.clock.now_ms(), 500)
        engine.store.next_due()
    return (time.perf_counter() - began) / looks * 1e6


def storm(engine: Engine, clock: ManualClock, seconds: int) -> tuple[int, float]:
    """Let time go by and fire what is due: how many, and how many a second."""
    clock.advance(seconds * 1000)
    fired, began = 0, time.perf_counter()
    while done := tick(engine):
        fired += done
    return fired, fired / (time.perf_counter() - began)


def lags_ms(url: str) -> list[float]:
    """How late timers fire by a real clock, sorted."""
    engine = Engine(url)
    scheduler = Scheduler(engine)
    scheduler.start()
    digest = deployed(engine, process(1, "PT2S"))
    threads = [
        threading.Thread(target=_trickle, args=(engine, digest, f"l{number}-", WATCHED // 4))
        for number in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    while engine.store.instances(status="running", limit=1):
        time.sleep(0.1)
    scheduler.stop()
    found: list[float] = []
    for row in engine.store.instances(limit=WATCHED):
        due: dict[int, int] = {}
        for _, _, events in engine.store.history(row.id):
            for event in events:
                if isinstance(event, TimerArmed):
                    due[event.id] = event.due_ms
                elif isinstance(event, TimerFired):
                    found.append(event.at_ms - due[event.id])
    engine.close()
    return sorted(found)


def _trickle(engine: Engine, digest: str, name: str, count: int) -> None:
    for number in range(count):
        engine.start(digest, {}, instance=f"{name}{number:06}")
        time.sleep(SPREAD_S / count)


def main() -> None:
    """Print what was measured."""
    from benchmarks.work import databases, size

    with databases() as kinds:
        for kind, new in kinds.items():
            url = new()
            clock = ManualClock()
            engine = Engine(url, clock=clock)
            began = time.perf_counter()
            begin(engine, deployed(engine, process(EACH, "PT8H")), "p", PENDING // EACH, 1, {})
            took_s = time.perf_counter() - began
            mb = size(engine, url) / 2**20
            print(f"{kind:10} {PENDING:,} timers begun in {took_s:.0f} s, {mb:.0f} MB")
            print(f"{kind:10} a look when none is due: {idle_us(engine):.0f} us")
            begin(engine, deployed(engine, process(1, "PT1H")), "a", ALONE, 100, {})
            fired, rate = storm(engine, clock, 3600)
            print(f"{kind:10} {fired:,} fired, one an instance: {rate:,.0f} a second")
            fired, rate = storm(engine, clock, 8 * 3600)
            print(f"{kind:10} {fired:,} fired, {EACH:,} an instance: {rate:,.0f} a second")
            engine.close()
            lags = lags_ms(new())
            p50, p99 = lags[len(lags) // 2], lags[int(len(lags) * 0.99)]
            print(f"{kind:10} {len(lags):,} fired late by p50 {p50:.0f} ms, p99 {p99:.0f} ms")


if __name__ == "__main__":
    main()
