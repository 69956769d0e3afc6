"""Inclusive merges: what a token's move costs in small and large processes, among few and many.

The machine's own processor time is measured, without a database. Beside it stands the same process
with parallel joins, which wait for each flow and so never have to look where tokens are.
"""

from __future__ import annotations

import time
from itertools import pairwise

from diglot.compiler import graph as g
from diglot.runtime import commands as c
from diglot.runtime import events as e
from diglot.runtime.decide import decide
from diglot.runtime.plan import Plan
from diglot.runtime.secrets import Secrets
from diglot.runtime.semantics import Surroundings
from diglot.runtime.state import State

SIZES = (10, 100, 1000)
ROUNDS = 7
AROUND = Surroundings(now_ms=0, secrets=Secrets(lambda name: None, b"k" * 32))


class Drawing:
    """A process while it is drawn."""

    def __init__(self, *, is_inclusive: bool) -> None:
        self.is_inclusive = is_inclusive
        self.nodes: list[g.Node] = [g.Start(id="start", scope="/")]
        self.flows: list[g.Flow] = []

    def task(self, id: str) -> str:
        """Somebody outside does something."""
        action = g.Action(type="work", arguments=g.Constant(None))
        self.nodes.append(g.Task(id=id, scope="/", action=action))
        return id

    def step(self, id: str) -> str:
        """A node that does nothing."""
        self.nodes.append(g.Pass(id=id, scope="/"))
        return id

    def split(self, id: str) -> str:
        """Every flow gets a token."""
        self.nodes.append(g.Fork(id=id, scope="/"))
        return id

    def merge(self, id: str) -> str:
        """What is measured, or what it is compared with."""
        kind = g.Inclusive if self.is_inclusive else g.Join
        self.nodes.append(kind(id=id, scope="/"))
        return id

    def lead(self, *nodes: str) -> None:
        """Flows from each node to the next."""
        for source, target in pairwise(nodes):
            self.flows.append(g.Flow(id=f"{source}-{target}", source=source, target=target))

    def plan(self) -> Plan:
        """The process, ready to run."""
        graph = g.Graph(
            namespace="bench",
            name="merge",
            version="1.0.0",
            scopes=(g.Scope(id="/", form="process", start="start"),),
            nodes=(*self.nodes, g.End(id="end", scope="/")),
            flows=tuple(self.flows),
        )
        return Plan(graph, "merge", {})


def blocks(size: int, *, is_inclusive: bool) -> Plan:
    """A token goes through `size` nodes, four a block of a split and a merge; another one waits.

    All the time an outer merge has a token of a third and waits for both.
    """
    drawing = Drawing(is_inclusive=is_inclusive)
    all_in_all, outer = drawing.split("all"), drawing.merge("outer")
    drawing.lead("start", all_in_all)
    drawing.lead(all_in_all, outer, "end")
    drawing.lead(all_in_all, drawing.task("held"), outer)
    last = drawing.task("go")
    drawing.lead(all_in_all, last)
    for number in range(size // 4):
        split, merge = drawing.split(f"split{number}"), drawing.merge(f"merge{number}")
        drawing.lead(last, split)
        for name in "ab":
            drawing.lead(split, drawing.step(f"{name}{number}"), merge)
        last = merge
    drawing.lead(last, outer)
    return drawing.plan()


def branches(count: int, *, is_inclusive: bool) -> Plan:
    """`count` tokens wait in parallel before one merge, each in an activity of its own."""
    drawing = Drawing(is_inclusive=is_inclusive)
    split, merge = drawing.split("split"), drawing.merge("merge")
    drawing.lead("start", split)
    for number in range(count):
        drawing.lead(split, drawing.task(f"task{number}"), merge)
    drawing.lead(merge, "end")
    return drawing.plan()


def circle(count: int) -> Plan:
    """A token goes round through a merge to which `count` others, that stand still, could come."""
    drawing = Drawing(is_inclusive=True)
    split, hub, merge = drawing.split("split"), drawing.step("hub"), drawing.merge("merge")
    drawing.lead("start", split)
    for number in range(count):
        drawing.lead(split, drawing.task(f"task{number}"), hub)
    drawing.lead(split, drawing.task("go"), hub, merge, "go")
    drawing.lead("never", merge)
    drawing.step("never")
    return drawing.plan()


def _started(plan: Plan) -> State:
    state = State("one")
    decide(plan, state, c.StartInstance("merge", {}), AROUND)
    return state


def move_in_a_process_us(plan: Plan) -> float:
    """Microseconds a visit while a token goes through the blocks, the best of some rounds."""
    best = float("inf")
    for _ in range(ROUNDS):
        state = _started(plan)
        (job,) = [job.id for job in state.jobs.values() if job.node == "go"]
        began = time.process_time()
        events = decide(plan, state, c.CompleteJob(job), AROUND)
        took = time.process_time() - began
        visits = sum(isinstance(event, e.VisitPassed) for event in events)
        assert visits >= len(plan.nodes) - 10
        best = min(best, took / visits)
    return best * 1e6


def move_among_tokens_us(plan: Plan) -> float:
    """Microseconds a completed activity until the merge goes on, the best of some rounds."""
    best = float("inf")
    for _ in range(ROUNDS):
        state = _started(plan)
        jobs = list(state.jobs)
        began = time.process_time()
        for job in jobs:
            decide(plan, state, c.CompleteJob(job), AROUND)
        took = time.process_time() - began
        assert state.status == "completed"
        best = min(best, took / len(jobs))
    return best * 1e6


def round_us(plan: Plan) -> float:
    """Microseconds a round of the circle, the best of some."""
    state = _started(plan)
    best = float("inf")
    for _ in range(20 * ROUNDS):
        job = max(job.id for job in state.jobs.values() if job.node == "go")
        began = time.process_time()
        decide(plan, state, c.CompleteJob(job), AROUND)
        best = min(best, time.process_time() - began)
    return best * 1e6


def main() -> None:
    """Print what was measured."""
    for size in SIZES:
        ours = move_in_a_process_us(blocks(size, is_inclusive=True))
        peer = move_in_a_process_us(blocks(size, is_inclusive=False))
        print(
            f"{size:5} nodes            {ours:7.1f} us a visit"
            f"       parallel joins {peer:7.1f} us  {ours / peer:4.2f}x"
        )
    for count in SIZES:
        ours = move_among_tokens_us(branches(count, is_inclusive=True))
        peer = move_among_tokens_us(branches(count, is_inclusive=False))
        print(
            f"{count:5} parallel tokens  {ours:7.1f} us a completion"
            f"  parallel joins {peer:7.1f} us  {ours / peer:4.2f}x"
        )
    for count in SIZES:
        print(f"{count:5} tokens beside    {round_us(circle(count)):7.1f} us a round of a loop")


if __name__ == "__main__":
    main()
