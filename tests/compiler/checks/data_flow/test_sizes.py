"""Very many nodes, variables, branches and scopes are gone through."""

from __future__ import annotations

from typing import Any

from diglot.compiler.graph import Constant, Variable

MANY = 10_000


def test_a_chain_of_very_many_writings(process: Any) -> None:
    for place in range(MANY):
        process.sets(f"n{place}", **{f"v{place}": f".v{place - 1} + 1"})
    process.leads("start " + " ".join(f"n{place}" for place in range(MANY)) + " end")

    assert process.codes() == []


def test_very_many_writings_of_one_variable(process: Any) -> None:
    for place in range(MANY):
        process.sets(f"n{place}", total=f"{place % 50}")
    process.leads("start " + " ".join(f"n{place}" for place in range(MANY)) + " end")

    assert process.codes() == ["DG1804"] * 100


def test_very_many_branches_that_write_one_variable(process: Any) -> None:
    process.splits("split")
    process.joins("join")
    for place in range(MANY):
        process.sets(f"n{place}", total=f"{place % 50}")
        process.leads(f"split n{place} join")
    process.leads("start split", "join end")

    assert process.codes() == ["DG1806"]


def test_very_many_scopes_inside_each_other(process: Any) -> None:
    depth = 3_000
    outer = "/"
    for place in range(depth):
        process.holds(f"n{place}", f"s{place}", outer)
        before = "start" if outer == "/" else f"{outer}.start"
        after = "end" if outer == "/" else f"{outer}.end"
        process.leads(f"{before} n{place} {after}")
        outer = f"s{place}"
        empty = (Variable(name=f"v{place}", value=Constant(None)),)
        parent = "/" if place == 0 else f"s{place - 1}"
        process.scope(outer, parent, form="sub-process", variables=empty)
    process.reads("look", "v0", scope=outer)
    process.leads(f"{outer}.start look {outer}.end")

    assert process.codes() == ["DG1801"]


def test_very_many_circles_inside_each_other(process: Any) -> None:
    count = 2_000
    for place in range(count):
        process.sets(f"n{place}", **{f"v{place}": f".v{count - place} + 1"})
        process.chooses(f"c{place}", f"n{place}", f"c{place - 1}" if place else "end")
    process.leads("start " + " ".join(f"n{place}" for place in range(count)) + f" c{count - 1}")

    assert process.codes() == []
