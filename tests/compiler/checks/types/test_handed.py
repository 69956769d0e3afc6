"""What calls hand on is held against the schema of what they call, in whichever document it is."""

from __future__ import annotations

import pytest

from diglot.api.publication import publish, with_published
from diglot.compiler import Compiled, compile_source
from diglot.compiler.several import beside_each_other
from diglot.runtime.engine import Engine
from support.findings import DEFINITIONS

AMOUNT = "{type: object, properties: {amount: {type: number}}, required: [amount]}"


def pay(schema: str = AMOUNT, version: str = "1.0.0", namespace: str = "shop") -> Compiled:
    """A workflow with a schema of its input."""
    return compile_source(
        f"document: {{dsl: 1.0.3, namespace: {namespace}, name: pay, version: {version}}}\n"
        f"input: {{schema: {{document: {schema}}}}}\ndo: [{{a: {{set: {{x: 1}}}}}}]\n",
        "pay.yaml",
    )


def order(input: str = "", *, before: str = "", more: str = "", wanted: str = "1.0.0") -> Compiled:
    """A workflow that calls it; `before` are tasks, `more` stands at the call."""
    given = f", input: {input}" if input else ""
    called = f"{{namespace: shop, name: pay, version: {wanted}{given}}}"
    return compile_source(
        "document: {dsl: 1.0.3, namespace: shop, name: order, version: 1.0.0}\n"
        f"do: [{before}{{call: {{run: {{workflow: {called}}}{more}}}}}]\n",
        "order.yaml",
    )


def process(data: str = "") -> Compiled:
    """A process that calls it."""
    return compile_source(
        f"{DEFINITIONS}<process id='order' isExecutable='true'><startEvent id='in'/>"
        f"<callActivity id='call' calledElement='pay'>{data}</callActivity>"
        "<sequenceFlow id='f' sourceRef='in' targetRef='call'/></process></definitions>",
        "order.bpmn",
    )


def told(*documents: Compiled) -> list[str]:
    """What is told of the first of some documents beside the others."""
    first = beside_each_other(documents)[0]
    return [one.message for one in first.diagnostics if one.code == "DG1712"]


def unfit(reason: str) -> list[str]:
    return [f"what `call` gives to `pay` never fits the schema of its input: {reason}"]


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        ("{amount: much}", '`amount` is a text ("much"), and a number is expected'),
        ("{total: 1}", "`amount` is required and never there"),
        ("{amount: ['${ .amount }']}", "`amount` is an array, and a number is expected"),
        ("{amount: '${ .amount | tostring }'}", "`amount` is a text, and a number is expected"),
    ],
)
def test_what_never_fits_is_told(given: str, reason: str) -> None:
    assert told(order(given), pay()) == unfit(reason)


@pytest.mark.parametrize(
    "given",
    ["{amount: 1}", "{amount: '${ .amount }'}", "{amount: '${ .amount | error }'}", ""],
)
def test_what_may_fit_is_not(given: str) -> None:
    assert told(order(given), pay()) == []


def test_without_an_input_of_its_own_a_call_gives_what_comes_to_it() -> None:
    before = "{first: {set: {total: 1}}}, "

    assert told(order(before=before), pay()) == unfit("`amount` is required and never there")
    assert told(order(before=before, more=", input: {from: '{amount: .total}'}"), pay()) == []


def test_a_call_that_is_never_reached_gives_nothing() -> None:
    assert told(order("{total: 1}", more=", if: false"), pay()) == []


def test_what_is_called_is_the_version_that_an_engine_would_take() -> None:
    old, new = pay(), pay("{type: object}", "1.1.0")

    assert told(order("{total: 1}", wanted="1.0.0"), old, new) != []
    assert told(order("{total: 1}", wanted="1.1.0"), old, new) == []
    assert told(order("{total: 1}", wanted="latest"), old, new) == []
    assert told(order("{total: 1}", wanted="2.0.0"), old, new) == []


def test_a_schema_that_takes_nothing_or_lies_elsewhere_says_nothing() -> None:
    elsewhere = compile_source(
        pay().source.text.replace(
            f"document: {AMOUNT}", "resource: {endpoint: 'https://x.example/amount.json'}"
        )
    )

    assert told(order("{total: 1}"), pay("false")) == []
    assert told(order("{total: 1}"), elsewhere) == []


def test_a_call_of_a_function_is_told_of_where_each_place_is_wrong() -> None:
    def twice(first: str, second: str) -> Compiled:
        called = "{namespace: shop, name: pay, version: 1.0.0, input: {amount: '${ .amount }'}}"
        return compile_source(
            "document: {dsl: 1.0.3, namespace: shop, name: order, version: 1.0.0}\n"
            f"use: {{functions: {{call: {{run: {{workflow: {called}}}}}}}}}\n"
            f"do: [{{a: {{call: call, with: {first}}}}}, {{b: {{call: call, with: {second}}}}}]\n",
            "order.yaml",
        )

    assert len(told(twice("{total: 1}", "{sum: 2}"), pay())) == 1
    assert told(twice("{total: 1}", "{amount: 2}"), pay()) == []


def test_a_process_gives_what_its_data_say() -> None:
    empty = unfit("`amount` is required and never there")

    assert told(process(), pay(namespace="default")) == empty
    assert told(process("<extensionElements><zeebe:calledElement processId='pay'/>"
                        "</extensionElements>"), pay(namespace="default")) == []  # fmt: skip


def test_it_can_be_ignored_and_is_looked_at_again_where_it_is_published() -> None:
    text = order("{total: 1}").source.text
    ignoring = compile_source(text.replace("do: [", "do: [\n# diglot: ignore[DG1712] caught\n"))
    engine = Engine()
    publish(engine, pay())

    (first,) = with_published(engine, [order("{total: 1}")])
    (second,) = with_published(engine, [ignoring])

    assert "DG1712" in [one.code for one in first.diagnostics]
    assert [one.reason for one in second.suppressed] == ["caught"]
    assert [one.code for one in ignoring.diagnostics] == []
