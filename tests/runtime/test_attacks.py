"""Documents are hostile: an expression that never ends costs its limit and nothing else."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator

import pytest

from diglot.compiler import compile_source
from diglot.compiler.expressions import EvaluatorPool
from diglot.runtime.clock import ManualClock
from diglot.runtime.engine import Engine
from support.runs import HEAD, Run, workflow

ENDLESS = [
    "last(repeat(1))",
    "def f: f; f",
    "[range(1e12)] | length",
    "until(false; .)",
    '"x" * 1000000000',
    "def f: 1 + f; f",
    'reduce range(40) as $i ("x"; . + .)',
    "[limit(1000000000; repeat(1))]",
    "reduce range(1e9) as $i (0; . + 1)",
    '[splits("(a+)+$"; "g")] | until(false; .)',
]


@pytest.fixture(scope="module")
def pool() -> Iterator[EvaluatorPool]:
    pool = EvaluatorPool(size=1, time_limit_s=0.5)
    yield pool
    pool.close()


@pytest.mark.parametrize("text", ENDLESS)
def test_an_expression_that_never_ends_is_an_expression_error(
    text: str, pool: EvaluatorPool
) -> None:
    engine = Engine(clock=ManualClock(), pool=pool)
    digest = engine.deploy(workflow(f"do: [{{a: {{set: {{x: '${{ {text} }}'}}}}}}]"))
    began = time.monotonic()

    instance = engine.start(digest, {"a": "b"})

    error = engine.instance(instance).error
    assert error is not None
    assert error["type"].endswith("/errors/expression")
    assert error["instance"] == "/do/0/a"
    # A generous bound against hanging, far above the limit of the pool.
    assert time.monotonic() - began < 20


def test_other_instances_are_served_while_an_expression_runs_into_its_limit(
    pool: EvaluatorPool,
) -> None:
    engine = Engine(clock=ManualClock(), pool=pool)
    slow = engine.deploy(
        workflow("do: [{a: {set: {x: '${ [splits(\"a\")] | until(false; .) }'}}}]", "slow")
    )
    quick = engine.deploy(workflow("do: [{a: {set: {x: '${ .n + 1 }'}}}]", "quick"))
    thread = threading.Thread(target=engine.start, args=(slow, "aaa"))
    thread.start()
    served = 0

    while thread.is_alive():
        instance = engine.start(quick, {"n": served})
        assert engine.instance(instance).output == {"x": served + 1}
        served += 1
    thread.join()

    assert served > 10


@pytest.mark.parametrize("text", ["env", "$ENV.PATH", "input", "input_filename", "halt", "debug"])
def test_what_looks_out_of_the_expression_is_refused_at_publication(text: str) -> None:
    compiled = compile_source(
        HEAD.format(name="one", version="1.0.0") + f"do: [{{a: {{set: {{x: '${{ {text} }}'}}}}}}]"
    )
    assert compiled.has_errors


def test_an_expression_inside_the_input_is_never_evaluated() -> None:
    run = Run()
    instance = run.start("do: [{a: {set: {x: '${ .x }'}}}]", {"x": "${ env }"})
    assert run.row(instance).output == {"x": "${ env }"}


def test_integers_beyond_2_to_the_53_stay_exact() -> None:
    run = Run()
    big = 2**63 + 1
    instance = run.start("do: [{a: {set: {x: '${ .x }'}}}, {b: {set: '${ . }'}}]", {"x": big})
    assert run.row(instance).output == {"x": big}
