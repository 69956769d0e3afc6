"""What one step costs in instances of very different size: items side by side, history behind it.

Source: R-D12.
"""

from __future__ import annotations

import time
from typing import Final

from diglot.compiler import compile_source
from diglot.runtime import commands as c
from diglot.runtime.desk import Desk, Held
from diglot.runtime.engine import Engine

TYPE: Final = "service-task"
SIZES: Final = (10, 1_000, 100_000)
#: Steps that are measured, and how many of them are done in one go.
STEPS: Final = 2000
BATCH: Final = 100
#: More tasks in a row than are done here.
MOST: Final = 100_000


def process(items: int, *, is_sequential: bool = False) -> str:
    """A process that does a task so many times, side by side or in a row, as XML."""
    order = ' isSequential="true"' if is_sequential else ""
    return f"""<?xml version="1.0" encoding="UTF-8"?>
<definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL" id="bench"
  targetNamespace="https://diglot.example/bench">
<process id="bench" isExecutable="true">
<startEvent id="start"/><serviceTask id="task" name="task">
<multiInstanceLoopCharacteristics{order}><loopCardinality>{items}</loopCardinality>
</multiInstanceLoopCharacteristics></serviceTask><endEvent id="end"/>
<sequenceFlow id="first" sourceRef="start" targetRef="task"/>
<sequenceFlow id="last" sourceRef="task" targetRef="end"/>
</process></definitions>"""


def begun(url: str, text: str, instances: int) -> Engine:
    """An engine with so many instances of a process."""
    engine = Engine(url)
    compiled = compile_source(text, "bench.bpmn")
    assert compiled.graph is not None, compiled.diagnostics
    digest = engine.deploy(compiled.graph)
    ids = [f"i{number:06}" for number in range(instances)]
    for first in range(0, instances, BATCH):
        part = ids[first : first + BATCH]
        outcomes = engine.submit_many([(id, c.StartInstance(digest, {})) for id in part])
        assert not any(outcomes), outcomes
    return engine


def complete(engine: Engine, steps: int) -> float:
    """Do so many steps; what one of them takes, without being given out (us)."""
    desk = Desk(engine)
    done, spent_s = 0, 0.0
    while done < steps:
        leases = desk.claim((TYPE,), BATCH, "bench")
        assert leases, "there is nothing left to do"
        results = [(Held(one.instance, one.job, one.attempt), {"of": one.job}) for one in leases]
        began = time.perf_counter()
        answers = desk.complete(results)
        spent_s += time.perf_counter() - began
        assert set(answers) == {"taken"}
        done += len(leases)
    return spent_s / done * 1e6


def of_width(url: str, items: int) -> float:
    """Instances that do so many tasks at once: what a step takes (us)."""
    engine = begun(url, process(items), (STEPS + BATCH) // items + 1)
    found = complete(engine, STEPS)
    engine.close()
    return found


def of_length(url: str, events: int) -> float:
    """An instance behind which so many events lie: what a step takes, each a commit (us)."""
    engine = begun(url, process(MOST, is_sequential=True), 1)
    while engine.store.instances(limit=1)[0].sequence < events:
        complete(engine, max(1, events // 1000))
    found = complete(engine, STEPS // 4)
    engine.close()
    return found


def main() -> None:
    """Print the table."""
    from benchmarks.work import databases

    with databases() as kinds:
        for kind, new in kinds.items():
            for size in SIZES:
                print(f"{kind:10} {size:8,} side by side {of_width(new(), size):9.1f} us a step")
            for size in SIZES:
                print(f"{kind:10} {size:8,} events behind {of_length(new(), size):8.1f} us a step")


if __name__ == "__main__":
    main()
