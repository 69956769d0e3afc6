"""Laws of undoing and of repetition, over random processes and random orders of completion."""

from __future__ import annotations

import os
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from diglot.compiler import graph as g
from support.graphs import (
    Part,
    boundary,
    cancel,
    compensate,
    fork,
    jq,
    passes,
    process,
    sub,
    task,
    true_if,
    undoes,
)
from support.machine import Machine

law = settings(
    max_examples=300 if os.environ.get("DIGLOT_SWEEP") == "all" else 40,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)

#: An activity: whether it has a handler, and what is in it if it is a sub-process.
Activity = tuple[bool, list[Any] | None]

activities: st.SearchStrategy[Activity] = st.recursive(
    st.tuples(st.booleans(), st.none()),
    lambda inner: st.tuples(st.booleans(), st.lists(inner, min_size=1, max_size=3)),
    max_leaves=8,
)


def drawn(tree: list[Activity], path: str) -> tuple[str, dict[str, Part]]:
    """The activities side by side, as a drawing and its parts."""
    flows, parts = [f"start{path} -> split{path}"], {f"split{path}": fork()}
    for number, (has_handler, inside) in enumerate(tree):
        name = f"{path}_{number}"
        flows.append(f"split{path} -> a{name} -> end{path}")
        parts[f"a{name}"] = task() if inside is None else inner(inside, name)
        if has_handler:
            parts[f"undo{name}"] = undoes(f"a{name}", passes())
    return "\n".join(flows), parts


def inner(tree: list[Activity], path: str) -> Part:
    flows, parts = drawn(tree, path)
    return sub(flows, named=parts)


def leaves(tree: list[Activity], path: str = "") -> list[str]:
    """The tasks in it."""
    found: list[str] = []
    for number, (_, inside) in enumerate(tree):
        name = f"{path}_{number}"
        found += [f"a{name}"] if inside is None else leaves(inside, name)
    return found


def done_at(activity: Activity, name: str, order: list[str]) -> int | None:
    """When it was done: its place in the order of what was done, or nothing."""
    if activity[1] is None:
        return order.index(f"a{name}") if f"a{name}" in order else None
    inside = [done_at(part, f"{name}_{n}", order) for n, part in enumerate(activity[1])]
    return None if None in inside else max(place for place in inside if place is not None)


def undone(tree: list[Activity], path: str, order: list[str], first: int = 0) -> list[str]:
    """Which handlers are to run, by the words of the standard."""
    done = [
        (place, name, activity)
        for name, activity in ((f"{path}_{n}", part) for n, part in enumerate(tree, first))
        if (place := done_at(activity, name, order)) is not None
    ]
    found: list[str] = []
    for _, name, (has_handler, inside) in sorted(done, reverse=True):
        found += [] if inside is None else undone(inside, name, order)
        found += [f"undo{name}"] if has_handler else []
    return found


@law
@given(st.lists(activities, min_size=1, max_size=4), st.data(), st.booleans())
def test_what_is_done_is_undone_once_from_the_last_to_the_first(
    tree: list[Activity], data: st.DataObject, restarts: bool
) -> None:
    order = data.draw(st.permutations(leaves(tree)))
    order = order[: data.draw(st.integers(0, len(order)))]
    flows, parts = drawn(tree, "")
    graph = process(
        f"{flows}\nsplit -> go -> throw -> end_throw", throw=compensate(), go=task(), named=parts
    )
    run = Machine(graph, restarts=restarts)

    for name in order:
        run.complete(name)
    run.complete("go")

    assert [name for name in run.trace if name.startswith("undo")] == undone(tree, "", order)
    assert "end_throw" in run.trace


def stopped(tree: list[Activity], path: str, order: list[str]) -> list[tuple[int, list[str]]]:
    """What a cancel undoes of a scope that it stops: handlers, by the place of the last thing."""
    found: list[tuple[int, list[str]]] = []
    for number, (has_handler, inside) in enumerate(tree):
        name = f"{path}_{number}"
        place = done_at((has_handler, inside), name, order)
        if place is not None:
            handlers = undone([(has_handler, inside)], path, order, first=number)
            found += [(place, handlers)] if handlers else []
        elif inside is not None:
            parts = sorted(stopped(inside, name, order), reverse=True)
            if parts:
                found.append((parts[0][0], [one for _, names in parts for one in names]))
    return found


@law
@given(st.lists(activities, min_size=1, max_size=4), st.data(), st.booleans())
def test_a_cancel_undoes_all_that_is_done_once_from_the_last_to_the_first(
    tree: list[Activity], data: st.DataObject, restarts: bool
) -> None:
    order = data.draw(st.permutations(leaves(tree, "t")))
    order = order[: data.draw(st.integers(0, len(order)))]
    flows, parts = drawn(tree, "t")
    graph = process(
        "start -> t -> end\ncancelled -> end_cancelled",
        t=sub(
            f"{flows}\nsplitt -> go -> give_up",
            form="transaction",
            named={**parts, "go": task(), "give_up": cancel()},
        ),
        cancelled=boundary("t", g.CancelTrigger()),
    )
    run = Machine(graph, restarts=restarts)

    for name in order:
        run.complete(name)
    run.complete("go")

    found = sorted(stopped(tree, "t", order), reverse=True)
    assert [name for name in run.trace if name.startswith("undo")] == [
        one for _, names in found for one in names
    ]
    assert run.status == "completed"
    assert run.state.kept == {}


@law
@given(
    st.lists(st.integers(-5, 5), max_size=6),
    st.data(),
    st.sampled_from([1, 2, None]),
    st.booleans(),
    st.integers(1, 8),
)
def test_results_are_the_map_of_the_items_in_their_order(
    items: list[int], data: st.DataObject, limit: int | None, restarts: bool, enough: int
) -> None:
    multi = g.MultiInstance(
        collection=jq(".items"),
        item="x",
        index="n",
        is_sequential=limit == 1,
        limit=limit,
        counts=True,
        completion=true_if(f".numberOfCompletedInstances >= {enough}"),
        output=jq("[.n, .x * 2]"),
        output_to="results",
    )
    graph = process(
        "start -> t -> end", t=sub("start_each -> work -> end_each", multi=multi, work=task())
    )
    run = Machine(graph, {"items": items}, restarts=restarts)

    done: set[int] = set()
    while run.status == "running":
        open = [job.arguments["n"] for _, job in sorted(run.state.jobs.items())]
        assert len(open) == min(limit or len(items), len(items) - len(done))
        number = data.draw(st.integers(0, len(open) - 1))
        done.add(open[number])
        run.complete_at(number, "work")

    assert len(done) == min(enough, len(items))
    assert run.output["results"] == [
        [place, item * 2] if place in done else None for place, item in enumerate(items)
    ]


@law
@given(st.integers(0, 6), st.integers(1, 6), st.booleans(), st.booleans())
def test_a_loop_runs_as_often_as_its_condition_and_its_maximum_let_it(
    true_for: int, maximum: int, before: bool, restarts: bool
) -> None:
    looped = g.Loop(
        condition=true_if(f".n {'<' if before else '<='} {true_for}"),
        is_tested_before=before,
        maximum=g.Constant(maximum),
        index="n",
        first=0 if before else 1,
    )
    graph = process(
        "start -> t -> end", t=sub("start_each -> work -> end_each", loop=looped, work=task())
    )
    run = Machine(graph, restarts=restarts)

    while run.status == "running":
        run.complete("work")
    expected = true_for if before else true_for + 1
    assert run.times("work") == min(maximum, expected)
