"""Every plain expression ends, in bounded memory, and says why."""

from __future__ import annotations

import json
import tracemalloc
from typing import Any

import pytest

from diglot.compiler.expressions import ExpressionError, ExpressionLimit, Program, compile_jq

ENDLESS = {
    "fuel": [
        "last(repeat(1))",
        "[repeat(1)]",
        "[limit(1000000000; repeat(1))]",
        "last(range(1000000000000))",
        "[range(1e12)] | length",
        "until(false; .)",
        "[recurse(.)] | length",
        "[while(true; .)]",
        "reduce range(1e9) as $i (0; .)",
        "[foreach range(1e9) as $i (0; .)]",
        "|".join(["(.,.)"] * 60),
        "{" + ",".join(f"k{i}: (1, 2)" for i in range(40)) + "}",
        '"' + r"\(1,2)" * 40 + '"',
        "[range(100000)] | combinations(3)",
        "[range(1000)] | [combinations(2)] | length",
        "def f(g): g | f(g | g); f(.)",
        "def f($n): if $n > 0 then f($n - 1), f($n - 1) else 1 end; [f(40)] | length",
        '[range(300) | "x" * 1000000]',
        "reduce range(100000) as $i ({}; .[$i | tostring] = $i)",
        "reduce range(100000) as $i ([]; . + [$i])",
        "first(range(1e9) | select(false))",
        "label $l | repeat(1) | select(false) | break $l",
        ".. | repeat(empty)",
    ],
    "depth": [
        "def f: f; f",
        "def f: 1 + f; f",
        "def f: [f]; f",
        "def f: def g: f; g; f",
        "def f(g): f(g, g); f(.)",
        "def f($n): f($n + 1); f(0)",
        "def f: .a |= f; f",
        "def f: .a | f; path(f)",
    ],
    "size": [
        '"x" * 1000000000',
        '"x" * 1e300',
        'reduce range(40) as $i ("x"; . + .)',
        "reduce range(40) as $i (1; [., .])",
        "reduce range(40) as $i ({}; {a: ., b: .})",
        "setpath([100000000]; 1)",
        ".[99999999] = 1",
        '[range(1000) | tostring] | join("x" * 100000)',
    ],
}


@pytest.mark.parametrize(
    ("limit", "text"), [(limit, text) for limit, texts in ENDLESS.items() for text in texts]
)
def test_a_bomb_ends_at_its_limit(limit: str, text: str) -> None:
    program = compile_jq(text)
    assert program.plain

    with pytest.raises(ExpressionLimit) as caught:
        program.evaluate(None, {}, fuel=100_000 if limit == "fuel" else 1_000_000)

    assert caught.value.limit == limit


@pytest.mark.parametrize("wrapped", ["try ({0}) catch 1", "({0})?", "[.[]?, ({0})] // 1"])
@pytest.mark.parametrize("text", ["last(repeat(1))", "def f: f; f", '"x" * 1e9'])
def test_no_try_catches_a_limit(wrapped: str, text: str) -> None:
    with pytest.raises(ExpressionLimit):
        compile_jq(wrapped.format(text)).evaluate(None, {}, fuel=10_000)


def test_a_limit_is_an_error_of_the_expression() -> None:
    assert issubclass(ExpressionLimit, ExpressionError)


@pytest.mark.parametrize("text", ["[range(1e9)]", '[range(1e9) | "x" * 100000]', "until(false; .)"])
def test_a_bomb_does_not_fill_the_memory(text: str) -> None:
    program = compile_jq(text)
    assert program.plain
    tracemalloc.start()

    with pytest.raises(ExpressionLimit):
        program.evaluate(None, {}, fuel=100_000)

    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 50_000_000


def _nested(depth: int) -> Any:
    value: Any = []
    for _ in range(depth):
        value = [value]
    return value


@pytest.mark.parametrize(
    "text",
    ["walk(.)", "tojson", "flatten", ". == .", "[., .] | unique", "[..]", "contains(.)", "del(..)"],
)
def test_deep_data_ends_in_a_result_or_a_limit(text: str) -> None:
    program = compile_jq(text)
    assert program.plain

    assert _end_of(program, _nested(5_000)) in ("results", "depth", "fuel", "size")


def _end_of(program: Program, value: Any) -> str:
    try:
        program.evaluate(value, {})
    except ExpressionLimit as ended:
        return ended.limit
    return "results"


def test_results_that_share_their_parts_are_measured_by_what_they_say() -> None:
    value = list(range(1_000))

    assert len(json.dumps(compile_jq("[., ., ., ., .]").evaluate(value, {}))) < 100_000
    with pytest.raises(ExpressionLimit) as caught:
        compile_jq(
            "[limit(5; repeat(.))] | [.[], .[]] | [.[], .[], ., .] | [., ., .] | [., .[]]"
            " | [range(40) as $i | .]"
        ).evaluate(list(range(30_000)), {})
    assert caught.value.limit == "size"


def test_fuel_is_for_work_and_not_for_length() -> None:
    # Reading a field costs nothing, at any size of the input.
    value = {"items": list(range(200_000)), "id": 1}

    assert compile_jq(".id").evaluate(value, {}, fuel=0) == [1]
    assert compile_jq("if .id == 1 then .id + 1 else 0 end").evaluate(value, {}, fuel=0) == [2]
    assert compile_jq("first(.items[])").evaluate(value, {}, fuel=10) == [0]


def test_recursion_within_the_limit_is_evaluated() -> None:
    text = "def fac: if . <= 1 then 1 else . * (. - 1 | fac) end; 60 | fac"

    (result,) = compile_jq(text).evaluate(None, {})

    assert (
        result == 8320987112741390144276341183223364380754172606361245952449277696409600000000000000
    )
