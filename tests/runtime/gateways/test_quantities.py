"""How many tokens a visit takes and gives, and joins of n of m.

Source: BPMN 2.0.2 13.3.2, 13.4.1, Table 13.1.
"""

from __future__ import annotations

import msgspec
import pytest

from diglot.compiler.graph import Pass
from diglot.runtime.errors import UnrunnableGraph
from support.graphs import (
    Part,
    choice,
    fork,
    inclusive,
    join,
    node,
    process,
    race,
    receive,
    sub,
    task,
    wait,
)
from support.machine import Machine

from .conftest import Starting

# -- start quantity and completion quantity


def test_a_visit_begins_once_it_has_all_the_tokens_it_needs(start: Starting) -> None:
    graph = process(
        """
        start -> split
        split -> a -> x
        split -> b -> x
        x -> end
        """,
        split=fork(),
        x=task(start_quantity=2),
    )
    run = start(graph)
    run.complete("a")
    assert (run.waiting, run.standing) == (["b"], ["a->x"])

    run.complete("b")
    assert (run.waiting, run.standing) == (["x"], [])

    run.complete("x")
    assert run.status == "completed"


def test_tokens_of_one_flow_count_too(start: Starting) -> None:
    run = start(process("start -5-> x -> end", x=task(start_quantity=2)))
    assert (run.waiting, run.standing) == (["x", "x"], ["start->x"])


def test_too_few_tokens_keep_the_scope_running(start: Starting) -> None:
    run = start(process("start -> x -> end", x=task(start_quantity=2)))
    assert (run.status, run.waiting, run.standing) == ("running", [], ["start->x"])


def test_a_node_that_needs_nothing_from_outside_waits_for_its_tokens_as_well(
    start: Starting,
) -> None:
    run = start(process("start -4-> x -> a -> end", x=node(Pass, start_quantity=2)))
    assert run.waiting == ["a", "a"]


def test_a_flow_carries_as_many_tokens_as_it_says(start: Starting) -> None:
    run = start(process("start -> a -3-> b -> end"))
    run.complete("a")
    assert run.waiting == ["b", "b", "b"]
    for _ in range(3):
        run.complete("b")
    assert run.status == "completed"


@pytest.mark.parametrize("gate", [choice(), inclusive(), fork()])
def test_a_flow_of_a_gateway_does_too(start: Starting, gate: Part) -> None:
    graph = process(
        """
        start -> gate
        gate -[true]-> a -> end
        """,
        gate=gate,
    )
    flows = tuple(
        msgspec.structs.replace(flow, quantity=3) if flow.source == "gate" else flow
        for flow in graph.flows
    )
    run = start(msgspec.structs.replace(graph, flows=flows))
    assert run.waiting == ["a", "a", "a"]


@pytest.mark.parametrize("quantity", [0, 10_001])
def test_a_quantity_out_of_reason_is_refused(quantity: int) -> None:
    with pytest.raises(UnrunnableGraph, match=f"tokens, not {quantity}"):
        Machine(process(f"start -{quantity}-> a -> end"))
    with pytest.raises(UnrunnableGraph, match=f"tokens, not {quantity}"):
        Machine(process("start -> a -> end", a=task(start_quantity=quantity)))


# -- joins


THREE = """
    start -> split
    split -> a -> meet
    split -> b -> meet
    split -> c -> meet
    meet -> x -> end
"""


def test_a_join_takes_one_token_of_each_flow_and_leaves_the_rest(start: Starting) -> None:
    """CC05."""
    graph = process(
        """
        start -> split
        split -2-> meet
        split -> a -> meet
        meet -> x -> end
        """,
        split=fork(),
        meet=join(),
    )
    run = start(graph)
    assert run.standing == ["split->meet", "split->meet"]

    run.complete("a")
    assert (run.waiting, run.standing) == (["x"], ["split->meet"])

    run.complete("x")
    assert (run.status, run.waiting) == ("running", [])


def test_a_join_of_some_goes_on_once_they_have_come(start: Starting) -> None:
    run = start(process(THREE, split=fork(), meet=join(need=2)))
    run.complete("a")
    assert run.waiting == ["b", "c"]
    run.complete("b")
    assert run.waiting == ["c", "x"]


def test_the_rest_that_waits_counts_for_the_next_time(start: Starting) -> None:
    run = start(process(THREE, split=fork(), meet=join(need=2, rest="wait")))
    for name in "abc":
        run.complete(name)
    assert (run.waiting, run.standing) == (["x"], ["c->meet"])


def test_the_rest_that_is_ignored_is_consumed_in_silence(start: Starting) -> None:
    run = start(process(THREE, split=fork(), meet=join(need=2, rest="ignore")))
    run.complete("a")
    run.complete("b")
    run.complete("x")
    assert (run.status, run.waiting) == ("running", ["c"])

    run.complete("c")

    assert (run.status, run.times("meet"), run.times("x")) == ("completed", 1, 1)


def test_a_second_token_of_a_flow_belongs_to_the_second_round(start: Starting) -> None:
    graph = process(
        """
        start -2-> split
        split -> a -> meet
        split -> b -> meet
        meet -> x -> end
        """,
        split=fork(),
        meet=join(need=1, rest="ignore"),
    )
    run = start(graph)
    run.complete("a")
    run.complete("a")
    assert run.waiting == ["b", "b", "x", "x"]

    run.complete("b")
    run.complete("b")

    assert run.waiting == ["x", "x"]
    assert run.state.scopes[1].gates == {}


def test_the_rest_that_is_cancelled_is_withdrawn(start: Starting) -> None:
    run = start(process(THREE, split=fork(), meet=join(need=1, rest="cancel")))

    run.complete("b")

    assert (run.waiting, run.standing) == (["x"], [])
    assert next(iter(run.state.jobs.values())).node == "x"
    run.complete("x")
    assert run.status == "completed"


def test_only_what_must_come_to_the_join_is_withdrawn(start: Starting) -> None:
    graph = process(
        """
        start -> outer
        outer -> aside -> end2
        outer -> split
        split -> a -> meet
        split -> part -> w -> meet
        split -> c -> either
        either -[.away]-> end3
        either -> meet
        split -> first
        first -> m1 -> meet
        first -> m2 -> meet
        meet -> x -> end1
        """,
        outer=fork(),
        split=fork(),
        part=sub("starti -> i -> endi"),
        w=wait("PT1H"),
        either=choice(default="meet"),
        first=race(),
        m1=receive("m1"),
        m2=receive("m2"),
        meet=join(need=1, rest="cancel"),
    )
    run = start(graph)
    assert run.waiting == ["a", "aside", "c", "i", "m1", "m2"]

    run.complete("a")

    # `aside` is not between the two, and `c` may still leave by another way.
    assert run.waiting == ["aside", "c", "x"]
    assert (run.state.subscriptions, run.state.timers, len(run.state.scopes)) == ({}, {}, 1)


def test_what_stands_before_the_join_is_withdrawn_with_the_rest(start: Starting) -> None:
    graph = process(
        """
        start -> split
        split -2-> a -> meet
        split -> b -> meet
        meet -> x -> end
        """,
        split=fork(),
        meet=join(need=2, rest="cancel"),
    )
    run = start(graph)
    run.complete("a")
    run.complete("a")
    run.complete("b")
    assert (run.waiting, run.standing) == (["x"], [])


def test_a_join_that_cancels_the_rest_needs_a_split(start: Starting) -> None:
    graph = process(
        """
        start -> which
        which -[.a]-> a -> meet
        which -> b -> meet
        meet -> end
        """,
        which=choice(default="b"),
        meet=join(need=1, rest="cancel"),
    )
    with pytest.raises(UnrunnableGraph, match="meet cancels the rest, and there is no gateway"):
        start(graph)


def test_a_join_of_none_waits_for_a_token(start: Starting) -> None:
    run = start(process(THREE, split=fork(), meet=join(need=0)))
    assert run.waiting == ["a", "b", "c"]
    run.complete("a")
    assert run.waiting == ["b", "c", "x"]
