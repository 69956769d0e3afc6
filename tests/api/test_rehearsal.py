"""Whatever the checker says of a process is what the engine's machine does with it."""

from __future__ import annotations

import os
from dataclasses import dataclass
from itertools import product

import pytest
from hypothesis import HealthCheck, given, settings

from diglot.api.exploring import explore
from diglot.api.rehearsal import Rehearsal, Unplayable
from diglot.compiler.checks.soundness.fault import Fault, faults_of
from diglot.compiler.checks.soundness.surroundings import Surroundings
from diglot.compiler.graph import Graph
from support.graphs import Part, choice, complex_gate, end, fork, join, passes, process
from support.scopes import scopes

EXAMPLES = 100_000 if os.environ.get("DIGLOT_SWEEP") == "all" else 300


@dataclass(frozen=True)
class Move:
    node: str
    flows: tuple[str, ...] = ()
    handler: str = ""


def first_fault(graph: Graph) -> Fault | str:
    """What the checker says first: a fault, or that it is sound or not decided."""
    for fault in faults_of(Surroundings(graph), graph.scopes[0]):
        return fault if isinstance(fault, Fault) else fault.kind
    return "sound"


def is_shown(graph: Graph, fault: Fault) -> bool:
    """Whether the machine comes to what a fault says, by its run."""
    played = Rehearsal(graph, graph.scopes[0])
    played.play(fault.steps)
    return played.shows(fault.kind, (fault.node,))


@settings(
    max_examples=EXAMPLES,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
@given(graph=scopes())
def test_the_checker_says_what_comes_out_when_the_machine_does_all_it_can(graph: Graph) -> None:
    found = first_fault(graph)

    explored = explore(graph, graph.scopes[0])

    if explored is None or found == "undecided":
        return
    if isinstance(found, str):
        assert explored.faults == frozenset()
    else:
        assert found.kind in explored.faults
        assert is_shown(graph, found)


def counting(kinds: tuple[str, ...], count: int) -> Graph:
    """A gateway that goes on with so many of some branches; what `may` come may also end before."""
    rows = ["start -> split", "gate -> end"]
    parts: dict[str, Part] = {"split": fork()}
    for number, kind in enumerate(kinds):
        if kind == "comes":
            rows.append(f"split -> a{number} -> gate")
        else:
            rows.append(f"split -> a{number} -[.more]-> gate\na{number} -> e{number}")
            parts[f"a{number}"], parts[f"e{number}"] = choice(f"e{number}"), end()
    parts["gate"] = complex_gate(f".activationCount >= {count}")
    return process("\n".join(rows), named=parts)


@pytest.mark.parametrize(
    ("kinds", "count"),
    [
        (kinds, count)
        for number in (2, 3)
        for kinds in product(("comes", "may"), repeat=number)
        for count in range(1, number + 2)
    ],
)
def test_what_is_said_of_a_gateway_that_counts_is_what_the_machine_does(
    kinds: tuple[str, ...], count: int
) -> None:
    graph = counting(kinds, count)

    found = first_fault(graph)
    explored = explore(graph, graph.scopes[0], most=600)

    assert explored is not None
    if isinstance(found, Fault):
        assert explored.faults == {found.kind}
        assert is_shown(graph, found)
    else:
        assert (found, explored.faults) == ("sound", frozenset())


def test_a_run_is_played_to_the_join_that_waits_for_ever() -> None:
    graph = process(
        "start -> decide -[.a]-> pick -> join -> end\n decide -> pack -> join",
        decide=choice("pack"),
        join=join(),
    )
    played = Rehearsal(graph, graph.scopes[0])

    played.play(
        [
            Move("start", ("start->decide",)),
            Move("decide", ("decide->pick",)),
            Move("pick", ("pick->join",)),
        ]
    )
    played.let_go()

    assert played.is_stuck()
    assert played.waiting() == ["join"]


def test_a_move_that_the_machine_does_not_make_is_said() -> None:
    graph = process(
        "start -> split -> a -> join -> end\n split -> b -> join", split=fork(), join=join()
    )
    played = Rehearsal(graph, graph.scopes[0])
    played.play([Move("start", ("start->split",)), Move("split", ("split->a", "split->b"))])
    played.play([Move("a", ("a->join",))])

    with pytest.raises(Unplayable, match="`join` does not leave by join->end"):
        played.move(Move("join", ("join->end",)))


def test_a_move_without_a_token_is_said() -> None:
    graph = process("start -> a -> end", a=passes())
    played = Rehearsal(graph, graph.scopes[0])
    played.play([Move("start", ("start->a",)), Move("a", ("a->end",)), Move("end")])

    with pytest.raises(Unplayable, match="all is over before `a`"):
        played.move(Move("a", ("a->end",)))


def test_a_copy_goes_its_own_way() -> None:
    graph = process("start -> a -> end", a=passes())
    played = Rehearsal(graph, graph.scopes[0])
    played.move(Move("start", ("start->a",)))

    other = played.copy()
    other.play([Move("a", ("a->end",)), Move("end")])

    assert (played.is_over, other.is_over) == (False, True)
    assert played.at("a") == 1
