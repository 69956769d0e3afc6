"""Definitions that several programs begin with are compiled once, and change nothing in any."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from diglot.compiler.expressions import shared
from diglot.compiler.expressions.program import Program, compile_jq

DEFINITIONS = (
    "def twice(f): f | f; def plus($n): . + $n; def last_of(p): last(p); "
    "def count: if . > 0 then . - 1 | count else . end; def first_key(p): path(p)[0]; "
)


@pytest.fixture(autouse=True)
def nothing_is_known() -> None:
    """Each fact begins with programs that nobody has compiled."""
    shared.known.clear()
    compile_jq.cache_clear()


def results(text: str, value: object) -> list[object]:
    program = compile_jq(text)
    assert program.plain
    return program.evaluate(value, dict.fromkeys(program.variables, 10))


def test_programs_with_the_same_definitions_share_them() -> None:
    assert results(DEFINITIONS + "twice(plus(1))", 5) == [7]
    assert results(DEFINITIONS + "twice(plus(2))", 5) == [9]
    assert results(DEFINITIONS + "[twice(.[])]", [[1, 2], [3]]) == [[1, 2, 3]]
    assert len(shared.known) == 1


def test_other_variables_are_other_places() -> None:
    assert results(DEFINITIONS + "plus($a)", 1) == [11]
    assert results(DEFINITIONS + "plus($a + $b)", 1) == [21]
    assert results(DEFINITIONS + "plus(1)", 1) == [2]
    assert len(shared.known) == 3


def test_an_argument_is_a_path_only_where_its_own_program_wants_one() -> None:
    assert results(DEFINITIONS + "first_key(.a)", {"a": 1}) == ["a"]
    assert results(DEFINITIONS + "twice(.a) |= 3", {"a": {"a": 1}}) == [{"a": {"a": 3}}]
    assert results(DEFINITIONS + "twice(. + 1)", 1) == [3]
    assert results(DEFINITIONS + "first_key(.b)", {"b": 1}) == ["b"]


def test_recursion_is_as_deep_in_each_program() -> None:
    assert results(DEFINITIONS + "count", 20) == [0]
    assert results(DEFINITIONS + "count + 1", 20) == [1]


def test_what_one_program_cannot_do_is_not_done_to_the_others() -> None:
    too_large = "+".join(["plus(1)", *["."] * 30_000])

    assert not compile_jq(f"{DEFINITIONS}{too_large}").plain
    assert results(DEFINITIONS + "twice(plus(1))", 5) == [7]


def test_only_so_many_rows_of_definitions_are_kept() -> None:
    for number in range(100):
        assert results(f"def add_{number}: . + {number}; add_{number}", 1) == [1 + number]
    assert len(shared.known) <= 32


def test_threads_may_compile_at_once() -> None:
    programs = [compile_jq(f"{DEFINITIONS}twice(plus({number})) | count") for number in range(40)]

    def run(program: Program) -> list[object]:
        assert program.plain
        return program.evaluate(1, {})

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(run, programs)) == [[0]] * 40
