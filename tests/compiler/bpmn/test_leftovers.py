from __future__ import annotations

from time import process_time

import pytest

from diglot.compiler import compile_source
from diglot.compiler.diagnostics import Diagnostic, Severity

_PROCESS = (
    "<process id='order' isExecutable='true'><startEvent id='begin'/><endEvent id='done'/>"
    "<sequenceFlow id='on' sourceRef='begin' targetRef='done'/>{}</process>"
)


def left(around: str, inside: str = "") -> list[Diagnostic]:
    text = (
        "<definitions xmlns='http://www.omg.org/spec/BPMN/20100524/MODEL' "
        "xmlns:camunda='http://camunda.org/schema/1.0/bpmn' xmlns:own='https://diglot.example/own' "
        f"targetNamespace='https://diglot.example/own'>{around}{_PROCESS.format(inside)}"
        "</definitions>"
    )
    found = compile_source(text, "order.bpmn").diagnostics
    return [one for one in found if one.code == "DG0402"]


@pytest.mark.parametrize(
    ("kind", "declared"),
    [
        ("message", "<message id='it' name='told'/>"),
        ("signal", "<signal id='it' name='told'/>"),
        ("error", "<error id='it' name='told' errorCode='E1'/>"),
        ("escalation", "<escalation id='it' name='told' escalationCode='E1'/>"),
        ("resource", "<resource id='it' name='told'/>"),
        ("data store", "<dataStore id='it' name='told'/>"),
        ("event definition", "<terminateEventDefinition id='it'/>"),
    ],
)
def test_a_definition_that_nothing_names_is_told(kind: str, declared: str) -> None:
    name = "told" if "name='told'" in declared else "it"

    assert [(one.message, one.pointer, one.severity) for one in left(declared)] == [
        (f"the {kind} `{name}` is never used", "it", Severity.INFO)
    ]


@pytest.mark.parametrize("reference", ["paid", "own:paid"])
def test_a_definition_is_named_by_its_id(reference: str) -> None:
    event = (
        "<boundaryEvent id='b' attachedToRef='a'>"
        f"<signalEventDefinition signalRef='{reference}'/></boundaryEvent><task id='a'/>"
    )

    assert left("<signal id='paid' name='was paid'/>", event) == []


def test_a_definition_is_named_by_its_code_in_some_tools() -> None:
    task = (
        "<serviceTask id='a'><extensionElements><camunda:errorEventDefinition errorRef='E1'/>"
        "</extensionElements></serviceTask>"
    )

    assert left("<error id='failure' errorCode='E1'/>", task) == []


def test_the_types_that_tools_write_in_dozens_are_not_told() -> None:
    assert left("<itemDefinition id='amount'/><itemDefinition id='rating'/>") == []


def test_an_interface_is_used_by_its_operations() -> None:
    desk = (
        "<message id='ask' name='ask'/><interface id='desk' name='desk'>"
        "<operation id='take' name='take'><inMessageRef>ask</inMessageRef></operation></interface>"
    )

    assert [one.pointer for one in left(desk)] == ["desk"]
    assert left(desk, "<serviceTask id='a' operationRef='take'/>") == []


def test_a_file_of_definitions_alone_is_for_others() -> None:
    text = (
        "<definitions xmlns='http://www.omg.org/spec/BPMN/20100524/MODEL' "
        "targetNamespace='https://diglot.example/own'><signal id='paid'/></definitions>"
    )

    assert "DG0402" not in {one.code for one in compile_source(text, "order.bpmn").diagnostics}


def test_a_hostile_number_of_definitions_is_told_in_part() -> None:
    many = "".join(f"<signal id='s{number}'/>" for number in range(5000))
    start = process_time()
    found = left(many)

    assert len(found) == 100
    assert process_time() - start < 10
