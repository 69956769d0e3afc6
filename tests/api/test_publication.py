"""What is found only beside other definitions: those that come together, and those published."""

from __future__ import annotations

import pytest

import diglot
from diglot.api.publication import publish, with_published
from diglot.compiler import Compiled, compile_source
from diglot.compiler.several import beside_each_other
from diglot.runtime.engine import Engine
from diglot.runtime.errors import DefinitionHasErrors, UnknownDefinition
from support.findings import DEFINITIONS


def calling(name: str, called: str, *, version: str = "1.0.0", wanted: str = "latest") -> Compiled:
    return workflow(
        name, f"run: {{workflow: {{namespace: shop, name: {called}, version: {wanted}}}}}", version
    )


def workflow(name: str, task: str = "set: {x: 1}", version: str = "1.0.0") -> Compiled:
    return compile_source(
        f"document: {{dsl: 1.0.3, namespace: shop, name: {name}, version: {version}}}\n"
        f"do:\n- a: {{{task}}}\n",
        f"{name}.yaml",
    )


def process(name: str, called: str = "", id: str = "") -> Compiled:
    middle = (
        f"<callActivity id='call' calledElement='{called}'/>" if called else "<task id='call'/>"
    )
    return compile_source(
        f"{DEFINITIONS}<process id='{id or name}' isExecutable='true'><startEvent id='in'/>{middle}"
        "<sequenceFlow id='f' sourceRef='in' targetRef='call'/></process></definitions>",
        f"{name}.bpmn",
    )


def codes_of(*documents: Compiled) -> list[list[str]]:
    told = ("DG0411", "DG0412", "DG1005", "DG2011", "DG2012")
    return [[found.code for found in one.diagnostics if found.code in told] for one in documents]


def together(*documents: Compiled) -> list[list[str]]:
    return codes_of(*beside_each_other(documents))


# -- several documents


def test_documents_that_always_call_each_other_never_end() -> None:
    first, second = beside_each_other([calling("order", "pay"), calling("pay", "order")])

    assert codes_of(first, second) == [["DG2011"], ["DG2011"]]
    assert first.diagnostics[0].message == (
        "every run of `order` starts itself by way of `pay` again and waits for it, "
        "so that none completes"
    )
    (related,) = first.diagnostics[0].related
    assert related.span is not None
    assert (related.message, related.span.file) == ("`a` calls `order`", "pay.yaml")


def test_a_document_beside_such_a_circle_is_not_told_of_it() -> None:
    outside = calling("begin", "order")

    assert together(outside, calling("order", "pay"), calling("pay", "order"))[0] == []


def test_the_standards_call_each_other() -> None:
    workflow_to_process = compile_source(
        "document: {dsl: 1.0.3, namespace: default, name: order, version: 1.0.0}\n"
        "do: [{a: {run: {workflow: {namespace: default, name: pay, version: latest}}}}]\n"
    )

    assert together(workflow_to_process, process("pay", "order")) == [["DG2011"], ["DG2011"]]


def test_what_another_document_has_is_not_missing() -> None:
    assert codes_of(calling("order", "pay")) == [["DG0411"]]
    assert together(calling("order", "pay"), workflow("pay")) == [[], []]


def test_what_another_document_has_in_another_version_is_missing() -> None:
    documents = calling("order", "pay", wanted="2.0.0"), workflow("pay")

    assert together(*documents) == [["DG0412"], []]


def test_the_highest_version_is_called() -> None:
    old, new = calling("pay", "order"), workflow("pay", version="1.10.0")

    assert together(calling("order", "pay"), old) == [["DG2011"], ["DG2011"]]
    assert together(calling("order", "pay"), old, new) == [[], [], []]


def test_what_nobody_here_has_may_be_published_elsewhere() -> None:
    assert together(calling("order", "pay"), workflow("ship")) == [["DG0411"], []]


def test_what_two_documents_define_is_not_known() -> None:
    twice = process("one", "sub", id="main"), process("two", "sub", id="main")

    assert together(*twice, process("sub", "main"))[2] == ["DG0411"]


def test_a_document_decides_for_itself() -> None:
    text = calling("order", "pay").source.text
    ignoring = text.replace("- a:", "# diglot: ignore[DG2011] ends by hand\n- a:")
    document = compile_source(ignoring, "order.yaml")
    assert codes_of(document) == [["DG0411"]]
    lowered = compile_source(
        calling("pay", "order").source.text, "pay.yaml", severities={"DG2011": "info"}
    )

    first, second = beside_each_other([document, lowered])

    assert [one.reason for one in first.suppressed] == ["ends by hand"]
    assert codes_of(first) == [[]]
    assert [found.severity for found in second.diagnostics] == ["info"]


# -- publication


def test_a_call_back_to_what_is_published_is_refused() -> None:
    engine = Engine()
    publish(engine, calling("order", "pay"))

    with pytest.raises(DefinitionHasErrors, match="DG2011: every run of `pay` starts itself"):
        publish(engine, calling("pay", "order"))

    with pytest.raises(UnknownDefinition):
        engine.find("shop", "pay")


def test_a_long_way_back_is_found() -> None:
    engine = Engine()
    for number in range(30):
        publish(engine, calling(f"w{number}", f"w{number + 1}"))

    (last,) = with_published(engine, [calling("w30", "w0")])

    assert codes_of(last) == [["DG2011"]]
    assert codes_of(*with_published(engine, [calling("w30", "w31")])) == [["DG0412"]]


def test_a_new_version_takes_the_place_of_the_one_before() -> None:
    engine = Engine()
    publish(engine, workflow("pay"))
    publish(engine, calling("order", "pay"))
    publish(engine, calling("audit", "pay", wanted="1.0.0"))

    def found(called: str, version: str) -> list[list[str]]:
        return codes_of(*with_published(engine, [calling("pay", called, version=version)]))

    assert found("order", "1.0.1") == [["DG2011"]]
    assert found("order", "0.9.0") == [[]]
    assert found("audit", "1.0.1") == [[]]


def test_what_nobody_has_published_is_told_and_kept() -> None:
    engine = Engine()

    (key,) = publish(engine, calling("order", "pay"))

    assert [one["code"] for one in engine.findings(key)] == ["DG0412"]


def test_all_processes_of_a_file_are_published() -> None:
    body = "".join(
        f"<process id='{name}' isExecutable='true'><startEvent id='{name}-in'/></process>"
        for name in ("one", "two")
    )
    engine = Engine()

    keys = diglot.publish(engine, compile_source(f"{DEFINITIONS}{body}</definitions>"))

    assert keys == [engine.find("bpmn", "one"), engine.find("bpmn", "two")]


def test_what_has_no_graph_is_refused() -> None:
    with pytest.raises(DefinitionHasErrors):
        publish(Engine(), compile_source("do: []"))
