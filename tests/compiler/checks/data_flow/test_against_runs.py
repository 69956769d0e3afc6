"""What is said of random workflows is true of their runs."""

from __future__ import annotations

import json
from itertools import count
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from diglot.compiler import compile_source
from diglot.compiler.checks.data_flow import check_data_flow
from diglot.compiler.diagnostics import Report
from diglot.compiler.graph import Graph
from diglot.runtime import events as e
from support.machine import Machine

NAMES = st.sampled_from(("x", "y"))
#: A task is only run if the input has it so.
GUARDS = st.sampled_from((None, None, "a", "b"))
EXPORTS = st.sampled_from((
    "${{ $context + {{{name}: {value}}} }}", "${{ {{{name}: {value}}} }}",
    "${{ $context | .{name} = {value} }}",
    "${{ if $workflow.input.a then $context + {{{name}: {value}}} else $context end }}",
))  # fmt: skip
WRITES = st.tuples(st.just("write"), NAMES, EXPORTS, GUARDS)
READS = st.tuples(st.just("read"), NAMES, GUARDS)
TASKS = st.recursive(
    WRITES | READS,
    lambda inner: st.tuples(
        st.sampled_from(("do", "for", "try", "fork")), st.lists(inner, min_size=1, max_size=4)
    ),
    max_leaves=10,
)
INPUTS = tuple({"a": a, "b": b, "items": [1, 2]} for a in (True, False) for b in (True, False))


def laid_out(tasks: list[Any]) -> list[dict[str, Any]]:
    """The tasks of a workflow; each has a name and a value of its own."""
    numbers = count(1000)

    def one(task: Any) -> dict[str, Any]:
        number = next(numbers)
        kind = task[0]
        found: dict[str, Any] = {}
        if kind == "write":
            export = task[2].format(name=task[1], value=number)
            found = {"set": {"n": number}, "export": {"as": export}}
        elif kind == "read":
            found = {"set": {"at": f"t{number}", "seen": f"${{ $context.{task[1]} }}"}}
        elif kind == "fork":
            found = {"fork": {"branches": [one(part) for part in task[1]]}}
        else:
            parts = [one(part) for part in task[1]]
            if kind == "try":
                error = {"type": "https://example.com/error", "status": 500}
                fails = {
                    "if": "${ $workflow.input.b }",
                    "raise": {"error": error},
                }
                parts.insert(len(parts) // 2, {f"t{next(numbers)}": fails})
                found = {"try": parts, "catch": {"errors": {"with": {"status": 500}}}}
            elif kind == "for":
                found = {"for": {"in": "${ $workflow.input.items }"}, "do": parts}
            else:
                found = {"do": parts}
        guard = task[-1] if kind in ("write", "read") else None
        if guard is not None:
            found["if"] = f"${{ $workflow.input.{guard} }}"
        return {f"t{number}": found}

    return [one(task) for task in tasks]


def text_of(tasks: list[Any]) -> str:
    document = {"dsl": "1.0.3", "namespace": "test", "name": "test", "version": "1.0.0"}
    return json.dumps({"document": document, "do": laid_out(tasks)})


def graph_of(text: str) -> Graph:
    done = compile_source(text)
    assert done.graph is not None
    return done.graph


def seen_in(graph: Graph, input: Any) -> list[tuple[str, Any]]:
    """What the reading tasks have seen, in order."""
    machine = Machine(graph, input)
    assert machine.status == "completed"
    data = [
        event.data
        for _, _, events in machine.store.history(machine.id)
        for event in events
        if isinstance(event, e.VisitLeft | e.VisitPassed)
    ]
    machine.store.close()
    return [(one["at"], one["seen"]) for one in data if isinstance(one, dict) and "seen" in one]


def told(graph: Graph, *codes: str) -> set[str]:
    """The names of the tasks at which something is found."""
    report = Report()
    check_data_flow(graph, report, {})
    names = {node.pointer: node.name for node in graph.nodes if node.name}
    return {names[one.pointer] for one in report if one.code in codes}


RUNS = settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@RUNS
@given(st.lists(TASKS, min_size=1, max_size=4))
def test_what_has_no_value_is_null_in_every_run(tasks: list[Any]) -> None:
    graph = graph_of(text_of(tasks))
    never = told(graph, "DG1801")
    if not never:
        return

    for input in INPUTS:
        assert [
            one for one in seen_in(graph, input) if one[0] in never and one[1] is not None
        ] == []


@RUNS
@given(st.lists(TASKS, min_size=1, max_size=4))
def test_what_has_no_value_on_a_way_is_null_in_some_run(tasks: list[Any]) -> None:
    graph = graph_of(text_of(tasks))
    missing = told(graph, "DG1802")
    if not missing:
        return

    seen = [one for input in INPUTS for one in seen_in(graph, input)]

    # What an error keeps from ever being read is seen by nobody.
    read = missing & {at for at, _ in seen}
    assert read <= {at for at, value in seen if value is None}


@RUNS
@given(st.lists(TASKS, min_size=1, max_size=4))
def test_nobody_sees_what_is_lost_or_never_read(tasks: list[Any]) -> None:
    text = text_of(tasks)
    graph = graph_of(text)
    unread = told(graph, "DG1804", "DG1805")
    if not unread:
        return

    other = text
    for name in unread:
        other = other.replace(f": {name[1:]}}}", ": -1}").replace(f" = {name[1:]} }}", " = -1 }")
    changed = graph_of(other)

    for input in INPUTS:
        assert seen_in(changed, input) == seen_in(graph, input)
