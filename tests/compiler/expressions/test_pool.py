"""jq where it can do no harm: attacks, limits, and what a process costs."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from diglot.compiler.expressions import (
    EvaluatorPool,
    ExpressionError,
    ExpressionLimit,
    compile_jq,
    evaluate,
)


@pytest.fixture(scope="module")
def pool() -> Iterator[EvaluatorPool]:
    os.environ["DIGLOT_TEST_SECRET"] = "a-secret"
    pool = EvaluatorPool(size=2, time_limit_s=0.4)
    yield pool
    pool.close()
    del os.environ["DIGLOT_TEST_SECRET"]


def outcome(pool: EvaluatorPool, text: str, value: Any = None, **variables: Any) -> Any:
    try:
        return pool.evaluate(text, value, variables)
    except ExpressionLimit as ended:
        return ended.limit
    except ExpressionError as failed:
        return failed


@pytest.mark.parametrize(
    ("text", "results"),
    [
        (".", [{"a": "xay"}]),
        (".a, .b", ["xay", None]),
        ('.a | test("A"; "i")', [True]),
        ('.a | sub("a"; "-")', ["x-y"]),
        ("$v + 1", [42]),
        ("now", [1.5]),
        ("1 # a comment at the end", [1]),
        ("empty", []),
        ("\n\n$__loc__", [{"file": "<top-level>", "line": 3}]),
        ("[nan, infinite]", [[None, 1.7976931348623157e308]]),
        ("{a: 100000000000000000001, b: 1.0}", [{"a": 100000000000000000001, "b": 1}]),
        ('"\\u0000é😀"', ["\0é😀"]),
    ],
)
def test_results_come_back(pool: EvaluatorPool, text: str, results: list[Any]) -> None:
    assert pool.evaluate(text, {"a": "xay"}, {"v": 41, "__now": 1.5}) == results


@pytest.mark.parametrize("value", ["x", None, {"a": [1]}, 'jq: {"not": "JSON"}', False])
def test_an_error_keeps_its_value(pool: EvaluatorPool, value: Any) -> None:
    failed = outcome(pool, "1, error($v)", v=value)

    assert isinstance(failed, ExpressionError)
    assert failed.value == value


@pytest.mark.parametrize(
    "text",
    [
        *("env", "$ENV", "env.DIGLOT_TEST_SECRET", "$ENV.DIGLOT_TEST_SECRET", "[$ENV[]]"),
        *("$ENV | tojson", "try env catch ."),
    ],
)
def test_no_expression_sees_the_environment(pool: EvaluatorPool, text: str) -> None:
    found = outcome(pool, text)

    assert "a-secret" not in repr(found)
    assert isinstance(found, ExpressionError) or found in (
        [{}],
        [None],
        [[]],
        ["{}"],
        ["env is not allowed"],
    )


@pytest.mark.parametrize(
    "text",
    [
        "input",
        "[inputs]",
        "debug",
        'debug("x")',
        "stderr",
        "halt",
        "halt_error",
        "halt_error(1)",
        "input_filename",
        "input_line_number",
        "get_search_list",
        "get_prog_origin",
        "get_jq_origin",
        '"a" | modulemeta',
        "0 | localtime",
        '0 | strflocaltime("%H")',
        "now",
        "$__prog_args",
        "$__in",
        "uuid",
    ],
)
def test_what_reaches_out_is_an_error(pool: EvaluatorPool, text: str) -> None:
    assert isinstance(outcome(pool, text), ExpressionError)
    assert outcome(pool, "1") == [1]


def test_no_expression_reads_a_file(pool: EvaluatorPool, tmp_path: Path) -> None:
    (tmp_path / "code.jq").write_text('def f: "from a file";')
    (tmp_path / "data.json").write_text('["from a file"]')

    for text in (
        f'include "code" {{search: "{tmp_path}"}}; f',
        f'import "code" as c {{search: "{tmp_path}"}}; c::f',
        f'import "data" as $d {{search: "{tmp_path}"}}; $d',
        f'1) | (import "data" as $d {{search: "{tmp_path}"}}; $d',
    ):
        failed = outcome(pool, text)
        assert isinstance(failed, ExpressionError)
        assert "from a file" not in str(failed)


@pytest.mark.parametrize("text", ["1) | (2", "1] | [2", "1\n)) | ((2", "} catch 1", '"', "1 #\\"])
def test_a_text_stays_within_its_brackets(pool: EvaluatorPool, text: str) -> None:
    found = outcome(pool, text)

    assert isinstance(found, ExpressionError) or found == [1]


def test_names_that_are_no_variables_are_refused(pool: EvaluatorPool) -> None:
    for name in ("a b", "a|env", "", "é", "__in", "1a"):
        with pytest.raises(ExpressionError, match="not a variable"):
            pool.evaluate("1", None, {name: 1})


@pytest.mark.parametrize(
    ("text", "limits"),
    [
        ("last(range(1e12))", {"time"}),
        ("def f: f; f", {"time"}),
        ("[repeat(1)]", {"time", "memory"}),
        ("until(false; .)", {"time"}),
        ("def f: 1 + f; f", {"time", "memory", "crash"}),
        ('reduce range(40) as $i ("x"; . + .)', {"time", "memory"}),
        ("setpath([1e8]; 1)", {"memory", "time"}),
        ("reduce range(40) as $i (1; [., .])", {"time", "memory"}),
    ],
)
def test_a_bomb_costs_its_own_process_only(
    pool: EvaluatorPool, text: str, limits: set[str]
) -> None:
    assert outcome(pool, text) in limits
    assert outcome(pool, "1 + 1") == [2]


def test_a_result_that_is_too_large_is_a_limit() -> None:
    pool = EvaluatorPool(size=1, output_limit=1_000)

    assert outcome(pool, '"x" * 900') == ["x" * 900]
    assert outcome(pool, '"x" * 2000') == "size"
    pool.close()


def test_other_threads_run_while_an_expression_never_ends(pool: EvaluatorPool) -> None:
    ticks = 0
    is_over = threading.Event()

    def tick() -> None:
        nonlocal ticks
        while not is_over.is_set():
            ticks += 1
            time.sleep(0.005)

    ticking = threading.Thread(target=tick)
    ticking.start()
    found = outcome(pool, "last(range(1e12))")
    is_over.set()
    ticking.join()

    assert found == "time"
    assert ticks > 10


def test_threads_share_a_pool(pool: EvaluatorPool) -> None:
    found: dict[int, Any] = {}

    def ask(number: int) -> None:
        text = "last(range(1e12))" if number % 4 == 0 else f"$n * {number}"
        found[number] = outcome(pool, text, n=number)

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert found == {
        number: "time" if number % 4 == 0 else [number * number] for number in range(8)
    }


def test_a_killed_process_is_a_crash_and_the_next_request_has_another() -> None:
    pool = EvaluatorPool(size=1)
    assert outcome(pool, "1") == [1]
    (first,) = pool.processes()
    os.kill(first, signal.SIGKILL)

    assert outcome(pool, "2") == "crash"
    assert outcome(pool, "3") == [3]
    assert pool.processes() != (first,)
    pool.close()


def test_closing_ends_the_processes() -> None:
    pool = EvaluatorPool(size=1)
    assert outcome(pool, "1") == [1]
    (process,) = pool.processes()

    pool.close()

    assert pool.processes() == ()
    with pytest.raises(ProcessLookupError):
        os.kill(process, 0)
    with pytest.raises(ValueError, match="closed"):
        pool.evaluate("1", None, {})


def test_a_large_document_goes_through_the_pipe_both_ways(pool: EvaluatorPool) -> None:
    document = {"items": [f"item {number}" for number in range(5_000)]}

    assert pool.evaluate("., .", document, {}) == [document, document]


def test_work_beyond_the_native_fuel_goes_on_in_a_process(pool: EvaluatorPool) -> None:
    program = compile_jq('reduce range(3000) as $i ({}; .["k\\($i)"] = $i) | length')
    assert program.plain

    assert evaluate(program, None, {}, pool=pool) == [3000]


@pytest.mark.parametrize("text", ["last(repeat(1))", "[range(1e12)] | length", "until(false; .)"])
def test_native_work_and_a_process_share_one_time_limit(pool: EvaluatorPool, text: str) -> None:
    program = compile_jq(text)
    assert program.plain

    with pytest.raises(ExpressionLimit) as ended:
        evaluate(program, None, {}, pool=pool)

    assert ended.value.limit == "time"
