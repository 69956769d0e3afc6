"""What gets stuck, runs twice or never ends is told in the words of the model, with a run."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from diglot.compiler import codes
from diglot.compiler.checks.loops import check_loops
from diglot.compiler.checks.soundness.check import check_soundness
from diglot.compiler.diagnostics import Diagnostic, Report
from diglot.compiler.graph import Graph
from support.graphs import (
    Part,
    after,
    boundary,
    cancel,
    choice,
    complex_gate,
    end,
    error,
    event_sub,
    fork,
    inclusive,
    join,
    passes,
    process,
    race,
    raises,
    receive,
    sends,
    sub,
    task,
    wait,
)

CHOICE_INTO_JOIN = """
    start -> decide -[.a]-> pick -> join -> end
    decide -> pack -> join
    """


def found(graph: Graph) -> list[Diagnostic]:
    report = Report()
    check_soundness(graph, report, {})
    return report.diagnostics


def told(graph: Graph) -> list[str]:
    return [f"{codes.by_id(one.code).name}: {one.pointer}" for one in found(graph)]


def steps(one: Diagnostic) -> list[str]:
    return [step.message for step in one.trace if step.matters]


def test_a_join_behind_a_choice_names_the_decision_and_what_never_comes() -> None:
    graph = process(CHOICE_INTO_JOIN, decide=choice("pack"), join=join())

    stuck, never = found(graph)

    assert stuck.message == (
        "`join` may wait for ever: nothing comes from `pick` any more once `decide` takes the way"
        " to `pack`"
    )
    assert [one.pointer for one in stuck.related] == ["decide", "pick"]
    assert steps(stuck) == [
        "it begins at `start` and goes on to `decide`",
        "`decide` takes the way to `pack`",
        "`pack` is done and goes on to `join`",
    ]
    assert never.message == "no run ever comes through `join` and `end`, although flows lead there"


def test_tokens_of_a_split_are_told_where_they_first_come_to_the_same_node() -> None:
    graph = process(
        """
        start -> split -> pick -> merge -> weigh -> ship -> end
        split -> pack -> merge
        """,
        split=fork(),
        merge=passes(),
    )

    (twice,) = found(graph)

    assert twice.message == (
        "`merge` may be entered twice at once: tokens part at `split` and are not joined before it"
    )
    lanes = {step.node: step.lane for step in twice.trace}
    assert (lanes.pop("pick"), lanes.pop("pack")) in ((1, 2), (2, 1))
    assert lanes == {"start": 0, "split": 0}


def test_only_the_steps_that_bring_it_about_matter() -> None:
    others = "\n".join(f"split -> task{number} -> all" for number in range(100))
    graph = process(
        f"""
        start -> split -> decide -[.a]-> left -> join -> all -> end
        decide -> right -> join
        {others}
        """,
        split=fork(),
        decide=choice("right"),
        join=join(),
        all=join(),
    )

    stuck = next(one for one in found(graph) if one.code == codes.MAY_GET_STUCK.id)

    assert stuck.pointer == "join"
    assert len(steps(stuck)) == 4


def one_fault_behind_another() -> Graph:
    return process(
        """
        start -> choose -[.a]-> a -> join -> split -> b -> merge -> end
        choose -> c -> join
        split -> d -> merge
        """,
        choose=choice("c"),
        join=join(),
        split=fork(),
        merge=passes(),
    )


def test_every_fault_of_a_row_is_found_at_once() -> None:
    graph = one_fault_behind_another()

    assert told(graph) == ["may-get-stuck: join", "may-run-twice: merge", "never-runs: join"]


def test_what_shows_only_behind_another_fault_says_so() -> None:
    graph = one_fault_behind_another()

    twice = next(one for one in found(graph) if one.code == codes.MAY_RUN_TWICE.id)

    assert twice.trace == ()
    assert twice.related[-1].pointer == "join"
    assert twice.related[-1].message == "this shows only once what is wrong here is cured"


def test_faults_of_two_ways_each_have_a_run_of_their_own() -> None:
    graph = process(
        """
        start -> way -[.a]-> split -> a -> merge -> end
        split -> b -> merge
        way -> split2 -> c -> merge2 -> end2
        split2 -> d -> merge2
        """,
        way=choice("split2"),
        split=fork(),
        split2=fork(),
        merge=passes(),
        merge2=passes(),
    )

    both = found(graph)

    assert sorted(one.pointer for one in both) == ["merge", "merge2"]
    assert all(one.trace for one in both)


def test_a_circle_that_waits_and_has_no_way_out_never_finishes() -> None:
    graph = process("start -> again -> look -> again", again=passes(), look=wait("PT1M"))

    (endless,) = found(graph)

    assert endless.message == "once `again` is reached the workflow can never finish"
    assert [one.pointer for one in endless.related] == ["look"]


def test_a_circle_that_has_been_told_of_is_not_told_of_again() -> None:
    graph = process("start -> again -> look -> again", again=passes(), look=passes())
    report = Report()

    check_loops(graph, report, {})
    check_soundness(graph, report, {})

    assert [one.code for one in report] == [codes.ENDLESS_LOOP.id]


@pytest.mark.parametrize("kind", ["boundary", "event sub-process", "beside it"])
def test_a_circle_that_something_else_ends_is_no_fault(kind: str) -> None:
    around = {
        "boundary": "start -> work -> end\n late -> end",
        "event sub-process": "start -> work -> end\n late",
        "beside it": "start -> split -> work -> end\n split -> late -> endall",
    }
    late = {
        "boundary": boundary("work", after("PT1H")),
        "event sub-process": event_sub(after("PT1H"), "startlate -> endlate"),
        "beside it": wait("PT1H"),
    }
    graph = process(
        around[kind],
        work=sub(
            "startin -> look -> startin" if kind != "event sub-process" else
            "startin -> look -> startin\n late",
            look=wait("PT1M"),
            late=event_sub(after("PT1H"), "startlate -> endlate"),
        ),
        late=late[kind],
        split=fork(),
        endall=end("terminate"),
    )  # fmt: skip

    assert [one.code for one in found(graph) if one.code == codes.MAY_NEVER_FINISH.id] == []


@pytest.mark.parametrize("way", ["instance", "error"])
def test_what_ends_all_from_inside_an_activity_is_a_way_out_of_a_circle(way: str) -> None:
    out = end("instance") if way == "instance" else raises("enough")
    graph = process(
        "start -> work -> work",
        work=sub(
            "startin -> enough -[.n > 3]-> out\n enough -> endin", enough=choice("endin"), out=out
        ),
    )

    assert told(graph) == []


def test_each_scope_is_looked_at_by_itself() -> None:
    graph = process(
        "start -> work -> end",
        work=sub(CHOICE_INTO_JOIN.replace("start", "startin"), decide=choice("pack"), join=join()),
    )

    assert told(graph) == ["may-get-stuck: join", "never-runs: join"]


def test_a_boundary_event_that_interrupts_is_another_way_and_one_that_does_not_a_second() -> None:
    def of(interrupts: bool) -> list[str]:
        return told(
            process(
                "start -> work -> merge -> end\n late -> merge",
                late=boundary("work", after("PT1H"), interrupts=interrupts),
                merge=passes(),
            )
        )

    assert of(True) == []
    assert of(False) == ["may-run-twice: merge"]


def test_a_boundary_event_before_a_join_leaves_it_waiting() -> None:
    graph = process(
        """
        start -> split -> work -> join -> end
        split -> other -> join
        oops -> aside
        """,
        split=fork(),
        join=join(),
        oops=boundary("work", error("oops")),
        aside=passes(),
    )

    (stuck,) = found(graph)

    assert stuck.message == (
        "`join` may wait for ever: nothing comes from `work` any more once `oops` takes `work` out"
    )


def test_an_inclusive_merge_waits_for_as_many_as_were_begun() -> None:
    assert (
        told(
            process(
                """
                start -> choose -[.a]-> a -> merge -> end
                choose -[.b]-> b -> merge
                """,
                choose=inclusive(),
                merge=inclusive(),
            )
        )
        == []
    )


def test_merges_that_wait_for_each_other_are_told_together() -> None:
    graph = process(
        """
        start -> split -> first -> one -> second -> two -> first
        split -> second
        one -> end
        """,
        split=fork(),
        first=inclusive(),
        second=inclusive(),
        one=passes(),
    )

    messages = [one.message for one in found(graph) if one.code == codes.MAY_GET_STUCK.id]

    assert messages == [
        "`first` may wait for ever: it waits for what comes from `two`, while `second` waits too"
    ]


def test_a_race_goes_one_way() -> None:
    assert (
        told(
            process(
                "start -> race -> late -> merge -> end\n race -> word -> merge",
                race=race(),
                late=wait("PT1H"),
                word=receive("word"),
                merge=passes(),
            )
        )
        == []
    )


def test_a_cancelled_transaction_has_a_way_of_its_own() -> None:
    graph = process(
        "start -> work -> end",
        work=sub("startin -> off", form="transaction", off=cancel()),
    )

    assert told(graph) == []


def test_what_cannot_be_decided_is_said_and_is_no_fault() -> None:
    graph = process(
        """
        start -> split -> a -> gate -> end
        split -> b -> gate
        split -> c -> gate
        """,
        split=fork(),
        gate=complex_gate(".ready == true"),
    )

    (note,) = found(graph)

    assert note.code == codes.NOT_DECIDED.id
    assert note.message.startswith("whether the workflow always comes to its end is not decided")


def test_a_graph_whose_flows_lead_nowhere_is_not_looked_at() -> None:
    graph = process(CHOICE_INTO_JOIN, decide=choice("pack"), join=join())
    report = Report()
    report.add(codes.DANGLING_REFERENCE, None, owner="a", kind="node", name="b")

    check_soundness(graph, report, {})

    assert len(report) == 1


def test_a_construct_that_is_laid_out_twice_is_told_of_once() -> None:
    graph = process(
        "start -> one -> two -> end",
        one=sub("startone -> again -> again", again=wait("PT1M")),
        two=sub("starttwo -> again2 -> again2", again2=wait("PT1M")),
    )
    nodes = tuple(
        replace(node, pointer="again") if node.id == "again2" else node for node in graph.nodes
    )

    assert told(replace(graph, nodes=nodes)) == ["may-never-finish: again"]


def test_a_complex_gateway_that_asks_for_what_cannot_come_waits_for_ever() -> None:
    def of(count: int) -> list[str]:
        return told(
            process(
                """
                start -> split -> a -> gate -> end
                split -> b -> gate
                """,
                split=fork(),
                gate=complex_gate(f".activationCount >= {count}"),
            )
        )

    assert of(2) == []
    assert of(3) == ["may-get-stuck: gate", "never-runs: end"]


def ends_of(text: str, **parts: Part) -> list[str]:
    """The ends of a process that are told to be done twice."""
    graph = process(text, named={"told": sends("paid"), **parts})
    return [one.pointer for one in found(graph) if one.code == codes.ENDS_TWICE.id]


TWO_BRANCHES = "start -> split -> a -> told\nsplit -> b -> told"


def test_an_end_that_sends_for_each_of_two_tokens_is_told() -> None:
    (note,) = found(process(TWO_BRANCHES, split=fork(), told=sends("paid")))

    assert (note.code, note.severity) == ("DG1908", "warning")
    assert note.message == (
        "`told` may be done twice in one run: tokens part at `split` and are not joined before it"
    )
    assert note.trace


def test_an_end_that_only_ends_may_be_shared() -> None:
    graph = process("start -> split -> a -> over\nsplit -> b -> over", split=fork(), over=end())

    assert found(graph) == []


def test_an_end_is_done_once_where_one_branch_is_chosen_or_all_are_joined() -> None:
    assert ends_of(TWO_BRANCHES.replace("split -> b", "split -[.x]-> b"), split=choice("a")) == []
    joined = "start -> split -> a -> meet -> told\nsplit -> b -> meet"
    assert ends_of(joined, split=fork(), meet=join()) == []
    # Another end, which is shared and only ends, is none of its business.
    other = TWO_BRANCHES.replace("b -> told", "b -> over\nsplit -> c -> over")
    assert ends_of(other, split=fork(), over=end()) == []


def test_what_goes_on_beside_an_activity_may_come_to_its_end_too() -> None:
    assert ends_of(
        "start -> a -> told\nlate -> told",
        a=task(),
        late=boundary("a", after("PT1M"), interrupts=False),
    ) == ["told"]


def test_of_a_scope_with_faults_ends_are_not_told() -> None:
    text = TWO_BRANCHES.replace("a -> told", "a -> c -> told").replace("b -> told", "b -> c")

    assert ends_of(text, split=fork()) == []


def wide_gate(branches: int, activation: str) -> list[str]:
    """What is found of a complex gateway that so many branches lead to, all of them begun."""
    ways = "\n".join(f"split -> b{number} -> gate" for number in range(branches))
    return [
        one.message.rpartition(": ")[2] if one.code == codes.NOT_DECIDED.id else one.code
        for one in found(
            process(
                f"start -> split\n{ways}\ngate -> end",
                split=fork(),
                gate=complex_gate(activation),
            )
        )
    ]


def test_a_complex_gateway_counts_the_flows_of_many_branches() -> None:
    assert wide_gate(5, ".activationCount >= 3") == []
    assert wide_gate(8, ".activationCount >= 9") == ["DG1901", "DG1904"]


def test_why_a_complex_gateway_is_not_decided_is_told() -> None:
    assert wide_gate(3, ".ready") == ["at `gate` its data decide when it goes on"]
    assert wide_gate(3, ".activationCount == 2") == [
        "at `gate` when it goes on hangs on the order in which its flows come"
    ]
    assert wide_gate(9, ".activationCount >= 1") == ["at `gate` too many flows lead to it"]
    assert wide_gate(8, ".activationCount >= 4") == ["at `gate` it may go on in too many ways"]


def test_a_complex_gateway_that_goes_on_with_the_first_takes_in_the_others() -> None:
    graph = process(
        """
        start -> split -> a -> gate -> ship -> end
        split -> b -> gate
        split -> c -> gate
        """,
        split=fork(),
        gate=complex_gate(".activationCount >= 1"),
        ship=passes(),
    )

    assert told(graph) == []


def test_an_activity_that_needs_more_tokens_than_come_waits_for_ever() -> None:
    def of(count: int) -> list[str]:
        return told(process(f"start -> print -{count}-> bind -> end", bind=task(start_quantity=3)))

    assert of(3) == []
    assert of(2)[0] == "may-get-stuck: bind"
    assert of(60) == ["not-decided: "]
