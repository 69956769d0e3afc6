"""Imported files: who gives them, what is found in them, and what is not."""

from __future__ import annotations

from collections.abc import Mapping

from diglot.compiler import Compiled, codes, compile_source
from diglot.compiler.graph import Call, Constant, Receive
from diglot.compiler.imports import ImportRefused
from support.bpmn_graphs import node, path

BPMN = "http://www.omg.org/spec/BPMN/20100524/MODEL"
SHARED = (
    f"<definitions xmlns='{BPMN}' targetNamespace='https://diglot.example/shared'>"
    "<message id='answer' name='the answer'/>"
    "<process id='checking' isExecutable='true'><startEvent id='s'/></process></definitions>"
)


def compiled(body: str, files: Mapping[str, str] | None = None) -> Compiled:
    text = (
        f"<definitions xmlns='{BPMN}' xmlns:shared='https://diglot.example/shared' "
        "targetNamespace='https://diglot.example/order'>"
        f"<import importType='{BPMN}' location='shared.bpmn' "
        "namespace='https://diglot.example/shared'/>"
        f"<process id='order' isExecutable='true'><startEvent id='begin'/>{body}"
        f"{path('begin work')}</process></definitions>"
    )
    if files is None:
        return compile_source(text, "models/order.bpmn")

    def resolve(location: str) -> bytes | None:
        found = files.get(location)
        return None if found is None else found.encode()

    return compile_source(text, "models/order.bpmn", resolve=resolve)


def found(one: Compiled) -> list[str]:
    return [each.code for each in one.diagnostics if each.severity.value != "info"]


def test_without_a_resolver_an_import_is_not_followed() -> None:
    one = compiled("<receiveTask id='work' messageRef='shared:answer'/>")

    assert codes.IMPORT_NOT_READ.id in found(one)
    assert one.imported == ()


def test_a_reference_leads_into_the_imported_file() -> None:
    one = compiled("<receiveTask id='work' messageRef='shared:answer'/>", {"shared.bpmn": SHARED})

    assert one.graph is not None
    (taken,) = node(one.graph, "work", Receive).strategy.filters
    assert taken.attributes[0].value == Constant("the answer")
    assert codes.REFERENCE_UNRESOLVED.id not in found(one)
    assert [source.name for source in one.imported] == ["models/shared.bpmn"]


def test_a_reference_that_leads_to_nothing_there_is_told() -> None:
    one = compiled("<receiveTask id='work' messageRef='shared:reply'/>", {"shared.bpmn": SHARED})

    assert codes.REFERENCE_UNRESOLVED.id in found(one)


def test_an_id_of_this_file_is_not_taken_for_one_of_another_namespace() -> None:
    one = compiled("<receiveTask id='work' messageRef='shared:begin'/>", {"shared.bpmn": SHARED})

    assert codes.REFERENCE_UNRESOLVED.id in found(one)


def test_a_file_of_the_same_namespace_shares_its_ids() -> None:
    same = SHARED.replace("example/shared", "example/order")

    one = compiled("<receiveTask id='work' messageRef='answer'/>", {"shared.bpmn": same})

    assert codes.REFERENCE_UNRESOLVED.id not in found(one)


def test_an_imported_process_is_called_by_its_id() -> None:
    one = compiled(
        "<callActivity id='work' calledElement='shared:checking'/>", {"shared.bpmn": SHARED}
    )

    assert one.graph is not None
    assert node(one.graph, "work", Call).process == "checking"
    assert [graph.name for graph in one.graphs] == ["order"]


def test_an_import_that_is_refused_is_told_with_the_reason() -> None:
    def resolve(location: str) -> bytes | None:
        raise ImportRefused("is not in the document's folder")

    text = f"<definitions xmlns='{BPMN}' targetNamespace='https://diglot.example/order'>"
    away = f"<import importType='{BPMN}' location='../shared.bpmn' namespace='https://a.example'/>"
    process = "<process id='order' isExecutable='true'><startEvent id='begin'/></process>"
    one = compile_source(f"{text}{away}{process}</definitions>", resolve=resolve)

    (told,) = [each for each in one.diagnostics if each.code == codes.IMPORT_UNREADABLE.id]

    assert told.message == ("the imported file `../shared.bpmn` is not in the document's folder")


def test_a_path_that_leaves_the_folder_is_asked_for_as_it_is_written() -> None:
    asked: list[str] = []

    def resolve(location: str) -> bytes | None:
        asked.append(location)
        return None

    text = f"<definitions xmlns='{BPMN}' targetNamespace='https://diglot.example/order'>"
    imports = "".join(
        f"<import importType='{BPMN}' location='{location}' namespace='https://a.example'/>"
        for location in ("../up.bpmn", "/root.bpmn", "a/../b.bpmn", "https://a.example/c.bpmn")
    )
    compile_source(f"{text}{imports}</definitions>", resolve=resolve)

    assert asked == ["../up.bpmn", "/root.bpmn", "b.bpmn", "https://a.example/c.bpmn"]
