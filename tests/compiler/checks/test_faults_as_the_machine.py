"""What is said of errors and escalations before a run is what becomes of them in one."""

from __future__ import annotations

from itertools import count
from typing import Literal

from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from diglot.compiler.checks.faults import check_faults
from diglot.compiler.diagnostics import Report
from diglot.compiler.graph import Graph
from diglot.runtime import events as e
from support.graphs import (
    Part,
    boundary,
    error,
    escalates,
    escalation,
    event_sub,
    passes,
    process,
    raises,
    sub,
)
from support.machine import Machine

CODES = ("a", "b", "c")
Family = Literal["error", "escalation"]


@st.composite
def nests(draw: st.DrawFn, family: Family) -> Graph:
    """Parts inside each other, something raised in the innermost, and catches on the way out."""
    number = count()
    trigger = error if family == "error" else escalation
    throw = raises if family == "error" else escalates
    caught: st.SearchStrategy[str | None] = st.sampled_from((*CODES, None))

    def handling(name: str) -> tuple[str, dict[str, Part]]:
        """What a handler does: nothing, or it raises something itself."""
        if draw(st.booleans()):
            return f"{name} -> end_{name}", {name: passes()}
        return f"{name} -> again_{name}", {
            name: passes(),
            f"again_{name}": throw(draw(st.sampled_from(CODES))),
        }

    def level(depth: int) -> tuple[str, dict[str, Part]]:
        """The drawing of one scope, with what is named in it."""
        here = next(number)
        if depth == 0:
            flows, named = f"start{here} -> throw", dict[str, Part]()
            named["throw"] = throw(draw(st.sampled_from(CODES)))
            if family == "escalation":
                flows += f" -> end{here}"
        else:
            inner, parts = level(depth - 1)
            flows, named = f"start{here} -> part{here} -> end{here}", dict[str, Part]()
            named[f"part{here}"] = sub(inner, named=parts)
            for code in draw(st.lists(caught, max_size=2, unique=True)):
                name = f"on{next(number)}"
                way, does = handling(f"then_{name}")
                flows += f"\n{name} -> {way}"
                named |= {name: boundary(f"part{here}", trigger(code)), **does}
        for code in draw(st.lists(caught, max_size=1)):
            name = f"in{next(number)}"
            way, does = handling(f"then_{name}")
            named[name] = event_sub(trigger(code), f"start_{name} -> {way}", named=does)
        return flows, named

    flows, named = level(draw(st.integers(0, 3)))
    graph = process(flows, named=named)
    # Every part points to itself, so that findings tell them apart.
    return Graph(
        namespace=graph.namespace,
        name=graph.name,
        version=graph.version,
        scopes=graph.scopes,
        nodes=tuple(replace(node, pointer=node.id) for node in graph.nodes),
        flows=graph.flows,
        handlers=tuple(replace(handler, pointer=handler.id) for handler in graph.handlers),
        data=graph.data,
    )


def told(graph: Graph, *wanted: str) -> set[str]:
    """The ids of what is reported with one of these codes."""
    report = Report()
    check_faults(graph, report, {})
    return {found.pointer for found in report if found.code in wanted}


def began(run: Machine) -> set[str]:
    """The catches that took something."""
    starts = {name.removeprefix("start_") for name in run.trace if name.startswith("start_in")}
    return starts | {name for name in run.trace if name.startswith("on")}


def leaves_something(graph: Graph, node: str) -> bool:
    """Whether what a node raises leaves a part of the process, or comes by a catch of it."""
    scopes = {scope.id: scope for scope in graph.scopes}
    scope = scopes[next(one.scope for one in graph.nodes if one.id == node)]
    if scope.id == "/" and any(handler.scope == "/" for handler in graph.handlers):
        return True
    chain = [scope]
    while chain[-1].parent is not None:
        chain.append(scopes[chain[-1].parent])
    return any(one.form == "sub-process" for one in chain)


@settings(max_examples=80, deadline=None)
@given(nests("error"))
def test_errors_go_where_they_are_said_to_go(graph: Graph) -> None:
    uncaught, dead = told(graph, "DG0710"), told(graph, "DG0712", "DG0713")

    run = Machine(graph)

    assert began(run) & dead == set()
    raised = [name for name in run.trace if name.startswith(("throw", "again"))]
    got_out = {raised[-1]} if run.status == "faulted" else set[str]()
    assert uncaught & set(raised) == {one for one in got_out if leaves_something(graph, one)}


@settings(max_examples=80, deadline=None)
@given(nests("escalation"))
def test_escalations_go_where_they_are_said_to_go(graph: Graph) -> None:
    uncaught, dead = told(graph, "DG0711"), told(graph, "DG0712", "DG0713")

    run = Machine(graph)

    assert began(run) & dead == set()
    nodes = {event.id: event.node for event in run.history if isinstance(event, e.VisitEntered)}
    for event in run.history:
        if isinstance(event, e.EscalationRaised):
            node = nodes[event.visit]
            is_out = not event.is_taken and leaves_something(graph, node)
            assert is_out == (node in uncaught)
