from __future__ import annotations

import time
from itertools import pairwise

import pytest

from diglot.compiler import compile_source
from diglot.compiler.checks.correlation import check_correlation
from diglot.compiler.diagnostics import Report
from diglot.compiler.graph import (
    Attribute,
    Constant,
    EventFilter,
    EventStrategy,
    Graph,
    MultiInstance,
    Receive,
    Scope,
    ScopeNode,
)
from support.findings import DEFINITIONS, in_process, in_task, in_workflow

PAID = """<message id='m' name='paid'/><message id='k' name='keyed'><extensionElements>
  <zeebe:subscription correlationKey='{}'/></extensionElements></message>"""
START = "<startEvent id='s'/>"
BY_MESSAGE = "<startEvent id='s'><messageEventDefinition messageRef='m'/></startEvent>"


def waits(*messages: str, start: str = START) -> str:
    names = [f"w{number}" for number in range(len(messages))]
    tasks = "".join(
        f"<receiveTask id='{name}' messageRef='{message}'/>"
        for name, message in zip(names, messages, strict=True)
    )
    places = ["s", *names]
    flows = "".join(
        f"<sequenceFlow id='f{n}' sourceRef='{a}' targetRef='{b}'/>"
        for n, (a, b) in enumerate(pairwise(places))
    )
    return start + tasks + flows


def keys(body: str, key: str = "=order", attributes: str = "") -> list[tuple[str, str]]:
    text = f"{PAID.format(key)}<process id='order' {attributes}>{body}</process>"
    compiled = compile_source(f"{DEFINITIONS}{text}</definitions>", "it.bpmn")
    return [
        (one.severity.value, one.pointer) for one in compiled.diagnostics if one.code == "DG0810"
    ]


RUNS = "isExecutable='true'"


def test_a_message_without_a_key_beside_one_with_a_key_was_forgotten() -> None:
    assert keys(waits("m", "k"), attributes=RUNS) == [("warning", "w0")]
    assert keys(waits("k", "k"), attributes=RUNS) == []


def test_a_process_that_is_started_again_and_again_is_only_worth_a_look() -> None:
    assert keys(waits("m", start=BY_MESSAGE), attributes=RUNS) == [("info", "w0")]


def test_a_process_that_somebody_starts_by_hand_may_be_alone() -> None:
    assert keys(waits("m", "m"), attributes=RUNS) == []


def test_a_picture_is_not_asked_for_keys() -> None:
    assert keys(waits("m", "k"), attributes="isExecutable='false'") == []


SEVERAL = """<startEvent id='s'/><subProcess id='p'>
  <multiInstanceLoopCharacteristics {}><loopCardinality>3</loopCardinality>
  </multiInstanceLoopCharacteristics><receiveTask id='w' messageRef='{}'/></subProcess>
  <sequenceFlow id='f' sourceRef='s' targetRef='p'/>"""


def test_runs_side_by_side_need_a_key_to_tell_them_apart() -> None:
    assert keys(SEVERAL.format("", "m"), attributes=RUNS) == [("info", "w")]
    assert keys(SEVERAL.format("", "k"), attributes=RUNS) == []
    assert keys(SEVERAL.format("isSequential='true'", "m"), attributes=RUNS) == []


@pytest.mark.parametrize(("key", "is_told"), [('="x"', True), ("=1", True), ("=order", False)])
def test_a_key_is_not_the_same_in_every_instance(key: str, is_told: bool) -> None:
    around = PAID.format(key).replace("'" + key + "'", "'" + key.replace('"', "&quot;") + "'")

    assert len(in_process(waits("k"), "DG0811", around=around)) == int(is_told)


@pytest.mark.parametrize(
    ("read", "is_told"),
    [
        ("'\"x\"'", True),
        ("$context.id", True),
        ('.data | "x"', True),
        (".data.id", False),
        (".data | .id", False),
        ("[.subject, .data.id]", False),
        ('if .data.id then .data.id else "x" end', False),
    ],
)
def test_a_key_is_read_from_the_event(read: str, is_told: bool) -> None:
    text = read.strip("'")
    task = f"listen: {{to: {{one: {{with: {{type: a}}, correlate: {{k: {{from: '{text}'}}}}}}}}}}"

    assert in_task(task, "DG0811") == ([("DG0811", text)] if is_told else [])


def test_a_constant_that_an_event_is_compared_with_is_a_filter() -> None:
    key = "{from: .data.id, expect: seven}"
    task = f"listen: {{to: {{one: {{with: {{type: a}}, correlate: {{k: {key}}}}}}}}}"

    assert in_task(task, "DG0811") == []


def test_a_key_inside_of_a_function_is_told_of_once() -> None:
    key = "{from: '\"x\"'}"
    listen = f"listen: {{to: {{one: {{with: {{type: a}}, correlate: {{k: {key}}}}}}}}}"
    text = f"""use: {{functions: {{f: {{{listen}}}}}}}
do: [{{a: {{call: f}}}}, {{b: {{call: f}}}}]
"""

    assert in_workflow(text, "DG0811") == [("DG0811", '"x"')]


def test_thousands_of_nested_waits_are_looked_at_in_a_moment() -> None:
    wanted = EventFilter(kind="message", attributes=(Attribute(name="type", value=Constant("m")),))
    scopes = [Scope(id="/", form="process")]
    scopes += [Scope(id=f"s{n}", parent=f"s{n - 1}" if n else "/") for n in range(5_000)]
    several = ScopeNode(id="x", scope="/", body="s0", multi=MultiInstance(is_sequential=False))
    waits = (
        Receive(id=f"r{n}", scope=f"s{n}", strategy=EventStrategy(mode="one", filters=(wanted,)))
        for n in range(5_000)
    )
    graph = Graph(
        namespace="t",
        name="t",
        version="1.0.0",
        scopes=tuple(scopes),
        nodes=(several, *waits),
    )
    report = Report()

    began = time.process_time()
    check_correlation(graph, report, {})

    assert len(report) == 5_000
    assert time.process_time() - began < 1
