"""Inclusive gateways. Source: BPMN 2.0.2 13.4.3, Table 13.3."""

from __future__ import annotations

from diglot.compiler.graph import Graph
from support.graphs import (
    Part,
    after,
    boundary,
    choice,
    end,
    error,
    fork,
    inclusive,
    join,
    passes,
    process,
    race,
    receive,
    sub,
)

from .conftest import Starting

# -- split


def shop(which: Part) -> Graph:
    return process(
        """
        start -> which
        which -[.n > 1]-> a -> end1
        which -[.n > 2]-> b -> end2
        which -> c -> end3
        """,
        which=which,
    )


def test_every_true_flow_is_taken_and_the_default_is_not(start: Starting) -> None:
    run = start(shop(which=inclusive(default="c")), n=3)
    assert run.waiting == ["a", "b"]


def test_the_default_is_taken_where_no_condition_is_true(start: Starting) -> None:
    run = start(shop(which=inclusive(default="c")), n=0)
    assert run.waiting == ["c"]


def test_a_flow_without_a_condition_is_always_taken(start: Starting) -> None:
    assert start(shop(which=inclusive()), n=0).waiting == ["c"]
    assert start(shop(which=inclusive()), n=2).waiting == ["a", "c"]


def test_a_default_is_taken_beside_a_flow_without_a_condition(start: Starting) -> None:
    graph = process(
        """
        start -> which
        which -[.n > 1]-> a -> end1
        which -> b -> end2
        which -> c -> end3
        """,
        which=inclusive(default="b"),
    )
    assert start(graph, n=2).waiting == ["a", "c"]
    assert start(graph, n=1).waiting == ["b", "c"]


def test_the_condition_of_a_default_is_ignored(start: Starting) -> None:
    graph = process(
        """
        start -> which
        which -[.n > 1]-> a -> end1
        which -[.n > 9]-> b -> end2
        """,
        which=inclusive(default="b"),
    )
    assert start(graph, n=0).waiting == ["b"]


def test_no_true_condition_and_no_default_is_a_fault(start: Starting) -> None:
    graph = process("start -> which -[.n > 1]-> a -> end", which=inclusive())

    run = start(graph, n=0)

    assert run.status == "faulted"
    assert run.output["detail"] == "no branch is true and there is no default"
    assert run.output["instance"] == "which"


def test_a_condition_that_is_neither_true_nor_false_is_a_fault(start: Starting) -> None:
    graph = process("start -> which -[.n]-> a -> end", which=inclusive())
    assert start(graph, n=0).status == "faulted"


# -- merge


PAIR = """
    start -> which
    which -[.a]-> a -> meet
    which -[.b]-> b -> meet
    meet -> c -> end
"""


def test_a_merge_waits_for_each_flow_that_was_taken(start: Starting) -> None:
    run = start(process(PAIR, which=inclusive(), meet=inclusive()), a=True, b=True)

    run.complete("b")
    assert (run.waiting, run.standing) == (["a"], ["b->meet"])

    run.complete("a")
    assert run.waiting == ["c"]


def test_a_merge_does_not_wait_for_a_flow_that_was_not_taken(start: Starting) -> None:
    run = start(process(PAIR, which=inclusive(), meet=inclusive()), a=False, b=True)
    run.complete("b")
    assert run.waiting == ["c"]


def test_a_merge_takes_one_token_of_each_flow_and_leaves_the_rest(start: Starting) -> None:
    graph = process(
        """
        start -> split
        split -2-> meet
        split -> a -> meet
        meet -> c -> end
        """,
        split=fork(),
        meet=inclusive(),
    )
    run = start(graph)
    assert run.standing == ["split->meet", "split->meet"]

    run.complete("a")

    # The token that was left over has nothing to wait for either.
    assert run.waiting == ["c", "c"]
    assert run.times("meet") == 2


def test_tokens_that_still_move_in_a_step_move_before_a_merge_is_looked_at(
    start: Starting,
) -> None:
    graph = process(
        """
        start -> split
        split -> meet
        split -> x1 -> x2 -> x3 -> meet
        meet -> c -> end
        """,
        split=fork(),
        meet=inclusive(),
        x1=passes(),
        x2=passes(),
        x3=passes(),
    )
    assert start(graph).waiting == ["c"]


def test_a_token_that_can_come_to_a_marked_flow_too_does_not_block(start: Starting) -> None:
    """CC01."""
    graph = process(
        """
        start -> split
        split -> meet
        split -> late -> either
        either -[.first]-> f1 -> meet
        either -> f2 -> meet
        split -> a -> f1
        meet -> c -> end
        """,
        split=fork(),
        either=choice(default="f2"),
        f1=passes(),
        f2=passes(),
        meet=inclusive(),
    )
    run = start(graph, first=False)
    # `late` leads to f1->meet and f2->meet, and not to split->meet, which is marked.
    assert run.waiting == ["a", "late"]

    run.complete("a")
    # Now f1->meet is marked: `late` may come there, and so it does not block any more.
    assert run.waiting == ["c", "late"]

    run.complete("late")
    assert run.waiting == ["c", "c"]


def test_ways_through_the_merge_itself_do_not_count(start: Starting) -> None:
    """CC02."""
    graph = process(
        """
        start -> again -> which
        which -[.a]-> a -> meet
        which -[.b]-> b -> meet
        meet -> enough
        enough -[.done]-> end
        enough -> again
        """,
        again=passes(),
        which=inclusive(),
        meet=inclusive(),
        enough=choice(default="again"),
    )
    run = start(graph, a=True, b=False, done=False)

    run.complete("a", b=True)
    assert run.waiting == ["a", "b"]

    run.complete("a")
    assert run.waiting == ["b"]

    run.complete("b", done=True)
    assert run.status == "completed"
    assert run.times("meet") == 2


def test_a_merge_is_looked_at_again_when_a_token_leaves_by_another_way(start: Starting) -> None:
    """CC03: nothing arrives, and the merge goes on."""
    graph = process(
        """
        start -> split
        split -> a -> meet
        split -> b -> meet
        broken -> other -> end2
        meet -> c -> end
        """,
        split=fork(),
        meet=inclusive(),
        broken=boundary("b", error("oops")),
    )
    run = start(graph)
    run.complete("a")
    assert run.waiting == ["b"]

    run.fail("b", "oops")

    assert run.waiting == ["c", "other"]


def test_a_merge_is_looked_at_again_when_a_token_ends(start: Starting) -> None:
    graph = process(
        """
        start -> split
        split -> a -> meet
        split -> b -> goes
        goes -[.on]-> meet
        goes -> end2
        meet -> c -> end
        """,
        split=fork(),
        meet=inclusive(),
        goes=choice(default="end2"),
    )
    run = start(graph, on=False)
    run.complete("a")
    assert run.waiting == ["b"]

    run.complete("b")

    assert run.waiting == ["c"]


def test_the_boundary_of_an_activity_is_no_path_to_a_merge(start: Starting) -> None:
    """The standard's paths are sequence flows; our decision A103."""
    graph = process(
        """
        start -> split
        split -> a -> meet
        split -> b -> end2
        late -> meet
        meet -> c -> end
        """,
        split=fork(),
        meet=inclusive(),
        late=boundary("b", after("PT1S")),
    )
    run = start(graph)

    run.complete("a")

    assert run.waiting == ["b", "c"]
    run.advance(1000)
    assert run.waiting == ["c", "c"]
    assert run.times("meet") == 2


def test_a_token_that_left_by_a_boundary_does_not_let_the_activity_be_forgotten(
    start: Starting,
) -> None:
    """What can still come from the activity itself is waited for."""
    graph = process(
        """
        start -> b -> meet
        early -> meet
        meet -> c -> end
        """,
        meet=inclusive(),
        early=boundary("b", after("PT1S"), interrupts=False),
    )
    run = start(graph)
    run.advance(1000)
    assert run.waiting == ["b"]

    run.complete("b")

    assert run.waiting == ["c"]
    assert run.times("meet") == 1


def test_tokens_outside_of_a_sub_process_do_not_block_a_merge_in_it(start: Starting) -> None:
    """CC04."""
    graph = process(
        """
        start -> split
        split -> part -> again
        split -> out -> part
        again -[.more]-> part
        again -> end
        """,
        split=fork(),
        again=choice(default="end"),
        part=sub(
            """
            start1 -> which
            which -[.a]-> a -> meet
            which -[.b]-> b -> meet
            meet -> c -> end1
            """,
            which=inclusive(),
            meet=inclusive(),
        ),
    )
    run = start(graph, a=True, b=False, more=False)

    run.complete("a")

    assert run.waiting == ["c", "out"]


def test_tokens_in_a_sub_process_sit_on_it(start: Starting) -> None:
    graph = process(
        """
        start -> split
        split -> a -> meet
        split -> part -> meet
        meet -> c -> end
        """,
        split=fork(),
        meet=inclusive(),
        part=sub("start1 -> x -> end1"),
    )
    run = start(graph)
    run.complete("a")
    assert run.waiting == ["x"]

    run.complete("x")

    assert run.waiting == ["c"]


def test_a_token_that_can_never_come_does_not_block(start: Starting) -> None:
    graph = process(
        """
        start -> split
        split -> a -> meet
        split -> b -> stuck
        never -> stuck -> meet
        split -> meet
        meet -> c -> end
        """,
        split=fork(),
        meet=inclusive(),
        stuck=join(),
        never=join(),
    )
    run = start(graph)
    run.complete("a")
    # There is a way from `b`, and so the merge waits by the letter, though the join never goes on.
    run.complete("b")
    assert (run.waiting, run.status) == ([], "running")

    ended = process(
        """
        start -> split
        split -> a -> meet
        split -> b -> end2
        other -> meet
        meet -> c -> end
        """,
        split=fork(),
        meet=inclusive(),
    )
    run = start(ended)
    run.complete("a")
    assert run.waiting == ["b", "c"]


def test_two_merges_that_can_reach_each_other_wait_by_the_letter(start: Starting) -> None:
    """Each has a token, and from there leads a way to the empty flow of the other."""
    graph = process(
        """
        start -> split
        split -> a -> left
        split -> b -> right
        left -> x -> to
        to -[.go]-> right
        to -> end1
        right -> y -> fro
        fro -[.go]-> left
        fro -> end2
        """,
        split=fork(),
        left=inclusive(),
        right=inclusive(),
        to=choice(default="end1"),
        fro=choice(default="end2"),
    )
    run = start(graph, go=False)
    run.complete("a")
    assert run.waiting == ["b"]

    run.complete("b")

    assert (run.waiting, run.standing, run.status) == ([], ["a->left", "b->right"], "running")


def test_a_merge_before_another_goes_on_first(start: Starting) -> None:
    graph = process(
        """
        start -> split
        split -> a -> first
        split -> b -> first
        first -> second
        split -> second
        second -> c -> end
        """,
        split=fork(),
        first=inclusive(),
        second=inclusive(),
    )
    run = start(graph)
    run.complete("a")
    run.complete("b")
    assert (run.waiting, run.times("second")) == (["c"], 1)


def test_a_race_is_one_token_that_stands_at_its_gateway(start: Starting) -> None:
    graph = process(
        """
        start -> split
        split -> f1
        f1 -> meet
        split -> first
        first -> m1 -> f1
        first -> m2 -> f2 -> meet
        meet -> c -> end
        """,
        split=fork(),
        f1=passes(),
        f2=passes(),
        first=race(),
        m1=receive("m1"),
        m2=receive("m2"),
        meet=inclusive(),
    )
    # From the race leads a way to f1->meet, which is marked.
    assert start(graph).waiting == ["c", "m1", "m2"]


def test_terminating_a_sub_process_frees_a_merge_outside(start: Starting) -> None:
    graph = process(
        """
        start -> split
        split -> a -> meet
        split -> part -> on
        on -[.no]-> end2
        on -> meet
        meet -> c -> end3
        """,
        split=fork(),
        meet=inclusive(),
        on=choice(default="meet"),
        part=sub(
            """
            start1 -> two
            two -> x -> endx
            two -> y -> endy
            """,
            two=fork(),
            endx=end("terminate"),
        ),
    )
    run = start(graph, no=True)
    run.complete("a")
    assert run.waiting == ["x", "y"]

    run.complete("x")

    assert run.waiting == ["c"]


def test_a_suspended_instance_lets_its_merges_go_on_when_it_is_resumed(start: Starting) -> None:
    run = start(process(PAIR, which=inclusive(), meet=inclusive()), a=True, b=True)
    run.complete("a")
    run.engine.suspend(run.id)
    run.complete("b")
    assert run.standing == ["a->meet", "b->meet"]

    run.engine.resume(run.id)

    assert run.waiting == ["c"]
