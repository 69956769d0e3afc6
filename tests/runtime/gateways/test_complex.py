"""Complex gateways. Source: BPMN 2.0.2 13.4.5, Table 13.5."""

from __future__ import annotations

from diglot.compiler.graph import Graph
from diglot.runtime import events as e
from support.graphs import (
    after,
    boundary,
    complex_gate,
    end,
    error,
    event_sub,
    fork,
    inclusive,
    passes,
    process,
    sets,
    sub,
)

from .conftest import Starting


def two_of_three(activation: str = ".activationCount >= 2") -> Graph:
    """CC11: what has come is taken on at the second token, the rest at the reset."""
    return process(
        """
        start -> split
        split -> a -> gate
        split -> b -> gate
        split -> c -> gate
        gate -[.waitingForStart]-> first -> end1
        gate -[.waitingForStart | not]-> rest -> end2
        """,
        split=fork(),
        gate=complex_gate(activation),
    )


def test_it_is_activated_as_soon_as_its_condition_is_true(start: Starting) -> None:
    run = start(two_of_three())

    run.complete("a")
    assert (run.waiting, run.standing) == (["b", "c"], ["a->gate"])

    run.complete("c")
    assert (run.waiting, run.standing) == (["b", "first"], [])


def test_it_is_reset_once_what_can_still_come_has_come(start: Starting) -> None:
    run = start(two_of_three())
    run.complete("a")
    run.complete("c")

    run.complete("b")

    assert run.waiting == ["first", "rest"]
    assert run.state.scopes[1].gates == {}
    run.complete("first")
    run.complete("rest")
    assert run.status == "completed"


def test_it_keeps_the_flows_it_took_from_until_it_is_reset(start: Starting) -> None:
    run = start(two_of_three())
    run.complete("a")
    run.complete("c")
    assert run.state.scopes[1].gates == {"gate": {"a->gate": 1, "c->gate": 1}}
    assert [event.flows for event in run.history if isinstance(event, e.GateTurned)] == [
        {"a->gate": 1, "c->gate": 1}
    ]


def test_it_counts_the_tokens_on_each_incoming_flow(start: Starting) -> None:
    run = start(two_of_three('.activationCounts == {"a->gate": 0, "b->gate": 1, "c->gate": 1}'))
    run.complete("b")
    assert run.waiting == ["a", "c"]
    run.complete("c")
    assert run.waiting == ["a", "first"]


def test_several_tokens_on_one_flow_count_once(start: Starting) -> None:
    graph = process(
        """
        start -> split
        split -2-> gate
        split -> a -> gate
        gate -> x -> end
        """,
        split=fork(),
        gate=complex_gate(".activationCount == 2"),
    )
    run = start(graph)
    assert (run.waiting, run.standing) == (["a"], ["split->gate", "split->gate"])

    run.complete("a")

    # One of each flow is consumed; the third token stays and makes no second activation.
    assert (run.waiting, run.standing) == (["x"], ["split->gate"])


def test_it_is_reset_at_once_where_nothing_more_can_come(start: Starting) -> None:
    graph = process(
        """
        start -> which
        which -[.a]-> a -> gate
        which -[.b]-> b -> gate
        which -[.c]-> c -> gate
        gate -[.waitingForStart]-> first -> end1
        gate -[.waitingForStart | not]-> rest -> end2
        """,
        which=inclusive(),
        gate=complex_gate(".activationCount >= 2"),
    )
    run = start(graph, a=True, b=True, c=False)
    run.complete("a")
    run.complete("b")
    assert run.waiting == ["first", "rest"]


def test_it_is_reset_before_its_scope_is_done(start: Starting) -> None:
    graph = process(
        """
        start -> which
        which -[.a]-> a -> gate
        which -[.b]-> b -> gate
        gate -[.waitingForStart]-> end1
        gate -[.waitingForStart | not]-> rest -> end2
        """,
        which=inclusive(),
        gate=complex_gate(".activationCount >= 1"),
    )
    run = start(graph, a=True, b=False)

    run.complete("a")

    assert run.waiting == ["rest"]


def test_a_reset_that_makes_no_token_is_no_error(start: Starting) -> None:
    graph = process(
        """
        start -> split
        split -> a -> gate
        split -> b -> gate
        gate -[.waitingForStart]-> first -> end1
        """,
        split=fork(),
        gate=complex_gate(".activationCount >= 1"),
    )
    run = start(graph)
    run.complete("a")

    run.complete("b")

    assert run.waiting == ["first"]
    run.complete("first")
    assert run.status == "completed"


def test_an_activation_that_makes_no_token_is_an_error(start: Starting) -> None:
    graph = process(
        """
        start -> split
        split -> a -> gate
        split -> b -> gate
        gate -[.waitingForStart | not]-> rest -> end1
        """,
        split=fork(),
        gate=complex_gate(".activationCount >= 1"),
    )
    run = start(graph)
    run.complete("a")
    assert run.status == "faulted"
    assert run.output["instance"] == "gate"


def test_the_default_is_taken_in_either_phase_where_no_condition_is_true(start: Starting) -> None:
    graph = process(
        """
        start -> split
        split -> a -> gate
        split -> b -> gate
        gate -[.waitingForStart]-> first -> end1
        gate -> other -> end2
        """,
        split=fork(),
        gate=complex_gate(".activationCount >= 1", default="other"),
    )
    run = start(graph)
    run.complete("a")
    assert run.waiting == ["b", "first"]
    run.complete("b")
    assert run.waiting == ["first", "other"]


def test_a_second_token_of_a_flow_belongs_to_the_next_cycle(start: Starting) -> None:
    graph = process(
        """
        start -> split
        split -> a -> gate
        split -> b -> gate
        split -> more -> a
        gate -> x -> end
        """,
        split=fork(),
        gate=complex_gate(".activationCount >= 1"),
    )
    run = start(graph)
    run.complete("a")
    run.complete("more")
    run.complete("a")
    assert (run.waiting, run.standing) == (["b", "x"], ["a->gate"])

    run.complete("b")

    # The reset takes the token of b->gate, and the one that stood begins the next cycle, of which
    # nothing more can come.
    assert (run.waiting, run.standing) == (["x", "x"], [])


def test_a_flow_without_a_condition_gets_a_token_at_the_start_and_none_at_the_reset(
    start: Starting,
) -> None:
    graph = process(
        """
        start -> split
        split -> a -> gate
        split -> b -> gate
        gate -> x -> end1
        gate -[.waitingForStart | not]-> rest -> end2
        """,
        split=fork(),
        gate=complex_gate(".activationCount >= 1"),
    )
    run = start(graph)
    run.complete("a")
    assert run.waiting == ["b", "x"]

    run.complete("b")

    assert run.waiting == ["rest", "x"]


def test_a_condition_that_is_never_true_keeps_the_tokens(start: Starting) -> None:
    run = start(two_of_three("false"))
    for node in "abc":
        run.complete(node)
    assert (run.waiting, run.status) == ([], "running")
    assert run.standing == ["a->gate", "b->gate", "c->gate"]


def test_its_condition_is_asked_again_when_a_variable_changes(start: Starting) -> None:
    graph = process(
        """
        start -> split
        split -> a -> gate
        split -> b -> on -> end2
        gate -> x -> end1
        """,
        variables={"open": False},
        split=fork(),
        on=sets(open="true"),
        gate=complex_gate(".open and .activationCount > 0"),
    )
    run = start(graph)
    run.complete("a")
    assert run.waiting == ["b"]

    run.complete("b")

    assert run.waiting == ["x"]


def test_a_condition_that_cannot_be_computed_is_an_error_of_the_gateway(start: Starting) -> None:
    run = start(two_of_three('.activationCount + "x" == ""'))
    run.complete("a")
    assert run.status == "faulted"
    assert run.output["instance"] == "gate"


def test_tokens_that_leave_by_another_way_let_it_be_reset(start: Starting) -> None:
    graph = process(
        """
        start -> split
        split -> a -> gate
        split -> b -> gate
        late -> end3
        gate -[.waitingForStart]-> first -> end1
        gate -[.waitingForStart | not]-> rest -> end2
        """,
        split=fork(),
        late=boundary("b", error("oops")),
        gate=complex_gate(".activationCount >= 1"),
    )
    run = start(graph)
    run.complete("a")
    assert run.waiting == ["b", "first"]

    run.fail("b", "oops")

    assert run.waiting == ["first", "rest"]


def test_a_scope_that_is_terminated_resets_nothing(start: Starting) -> None:
    graph = process(
        """
        start -> part -> after -> end
        """,
        part=sub(
            """
            start1 -> split
            split -> a -> gate
            split -> b -> gate
            gate -[.waitingForStart]-> end1
            gate -[.waitingForStart | not]-> rest -> end2
            split -> stop -> end3
            """,
            split=fork(),
            end3=end("terminate"),
            gate=complex_gate(".activationCount >= 1"),
        ),
    )
    run = start(graph)
    run.complete("a")

    run.complete("stop")

    assert run.waiting == ["after"]
    assert run.times("gate") == 1


def test_a_scope_that_is_interrupted_resets_nothing(start: Starting) -> None:
    graph = process(
        """
        start -> split
        split -> a -> gate
        split -> b -> gate
        gate -[.waitingForStart]-> end1
        gate -[.waitingForStart | not]-> rest -> end2
        """,
        split=fork(),
        gate=complex_gate(".activationCount >= 1"),
        late=event_sub(after("PT1S"), "starth -> mend -> endh"),
    )
    run = start(graph)
    run.complete("a")

    run.advance(1000)
    assert run.waiting == ["mend"]

    run.complete("mend")
    assert (run.status, run.times("gate")) == ("completed", 1)


def test_a_scope_is_not_completing_while_a_reset_may_make_tokens(start: Starting) -> None:
    graph = process(
        """
        start -> which
        which -[.a]-> a -> gate
        which -[.b]-> b -> gate
        gate -[.waitingForStart]-> on -> end1
        gate -[.waitingForStart | not]-> rest -> end2
        """,
        which=inclusive(),
        gate=complex_gate(".activationCount >= 1"),
        beside=event_sub(after("PT1S"), "starth -> watch -> endh", interrupts=False),
        again=event_sub(after("PT5S"), "startg -> look -> endg", interrupts=False),
        on=passes(),
    )
    run = start(graph, a=True, b=False)
    run.advance(1000)
    run.complete("a")
    assert run.waiting == ["rest", "watch"]

    run.advance(4000)

    assert run.waiting == ["look", "rest", "watch"]
