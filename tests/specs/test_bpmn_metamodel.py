"""The metamodel of BPMN and the catalogue of its constructs agree with themselves."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from diglot.compiler.bpmn.document import BPMN, BPMNDI, DC, DI
from diglot.specs import constructs, kebab
from diglot.specs.bpmn import metamodel


def test_an_element_has_what_it_inherits_first_and_in_order() -> None:
    assert list(metamodel.attributes("userTask")) == [
        "id", "name", "isForCompensation", "startQuantity", "completionQuantity", "default",
        "implementation",
    ]  # fmt: skip
    assert [child.name for child in metamodel.children("userTask")] == [
        "documentation", "extensionElements", "auditing", "monitoring", "categoryValueRef",
        "incoming", "outgoing", "ioSpecification", "property", "dataInputAssociation",
        "dataOutputAssociation", "resourceRole", "loopCharacteristics", "rendering",
    ]  # fmt: skip


def test_an_attribute_says_what_it_is() -> None:
    source = metamodel.attributes("sequenceFlow")["sourceRef"]
    kind = metamodel.attributes("eventBasedGateway")["eventGatewayType"]
    cancel = metamodel.attributes("boundaryEvent")["cancelActivity"]

    assert (source.type, source.required, source.to) == ("IDREF", True, ("flowNode",))
    assert (kind.type, kind.values, kind.default) == (
        "enum",
        ("Exclusive", "Parallel"),
        "Exclusive",
    )
    assert (cancel.type, cancel.default, cancel.required) == ("boolean", "true", False)


def test_a_child_says_how_often_and_of_what_type() -> None:
    children = {child.name: child for child in metamodel.children("sequenceFlow")}
    edge = {child.name: child for child in metamodel.children("bpmndi:BPMNEdge")}
    timer = {child.name: child.alternative for child in metamodel.children("timerEventDefinition")}

    assert (children["conditionExpression"].type, children["conditionExpression"].maximum) == (
        "expression", 1,
    )  # fmt: skip
    assert (edge["di:waypoint"].type, edge["di:waypoint"].minimum) == ("dc:Point", 2)
    assert edge["di:waypoint"].maximum is None
    assert len({timer["timeDate"], timer["timeDuration"], timer["timeCycle"], 0}) == 4


def test_a_group_is_written_out() -> None:
    places = metamodel.places("process")

    assert places["userTask"] == places["sequenceFlow"]
    assert places["userTask"][1].name == "flowElement"
    assert places["textAnnotation"][0] > places["userTask"][0]
    assert "flowElement" not in places
    assert "messageEventDefinition" in metamodel.places("definitions")
    assert "bpmndi:BPMNShape" in metamodel.places("bpmndi:BPMNPlane")
    assert metamodel.members("loopCharacteristics") == (
        "multiInstanceLoopCharacteristics", "standardLoopCharacteristics",
    )  # fmt: skip


def test_kinship_is_known() -> None:
    assert metamodel.is_a("transaction", "subProcess")
    assert metamodel.is_a("transaction", "baseElement")
    assert metamodel.is_a("task", "task")
    assert not metamodel.is_a("task", "gateway")
    assert not metamodel.is_a("nothing", "nothing")


def test_what_the_standard_has_not_is_unknown() -> None:
    assert metamodel.element_type("serviceTaks") is None
    assert metamodel.attributes("serviceTaks") == {}
    assert metamodel.children("serviceTaks") == ()


def test_vocabularies_have_the_namespaces_of_the_front_door() -> None:
    assert list(metamodel.VOCABULARIES) == [BPMN, BPMNDI, DI, DC]
    assert metamodel.qualified(BPMN, "task") == "task"
    assert metamodel.qualified(DC, "Bounds") == "dc:Bounds"
    assert metamodel.qualified("urn:x", "task") == ""


def test_every_name_that_the_table_uses_is_in_it() -> None:
    unknown = {
        (name, used)
        for name, one in metamodel.elements().items()
        for used in (
            *(used for used in (one.base, one.group) if used),
            *(child.type for child in one.children if child.type),
            *(used for child in one.children for used in child.to),
            *(used for attribute in one.attributes for used in attribute.to),
        )
        if metamodel.element_type(used) is None
    }

    assert unknown == set()


def test_only_what_holds_a_value_of_a_reference_refers() -> None:
    for one in metamodel.elements().values():
        for attribute in one.attributes:
            assert not attribute.to or attribute.type in ("IDREF", "QName")
            assert bool(attribute.values) == (attribute.type == "enum")
            assert attribute.default in (None, *attribute.values) or not attribute.values
        for child in one.children:
            assert bool(child.type) != bool(child.value)
            assert not child.to or child.value in ("IDREF", "QName")
            assert child.maximum is None or child.minimum <= child.maximum


def test_the_table_is_read_only() -> None:
    with pytest.raises(TypeError):
        metamodel.elements()["task"] = metamodel.elements()["process"]  # type: ignore[index]


#: What the standard's text, and that checker with it, spells otherwise than the schemas.
_SPELT_OTHERWISE = {"supportedInterfaceRefs", "whileExecutingInputRef"}


def test_references_lead_where_another_checker_expects_them(bpmn_suites: Path) -> None:
    tree = ElementTree.parse(bpmn_suites / "bpmnspector" / "references.xml")
    compared = 0
    wrong: list[str] = []
    for element in tree.iter("element"):
        name = element.get("name", "")
        if metamodel.element_type(name) is None:
            continue
        for reference in element.findall("reference"):
            written = reference.findtext("name", "")
            if written in _SPELT_OTHERWISE:
                continue
            wanted = {kind.text or "" for kind in reference.findall("type")}
            if reference.get("attribute") == "true":
                attribute = metamodel.attributes(name).get(written)
                ours = set(attribute.to) if attribute else None
            else:
                child = {child.name: child for child in metamodel.children(name)}.get(written)
                ours = set(child.to) if child else None
            compared += 1
            if ours is None or not ours:
                wrong.append(f"{written} of {name} is no reference")
            elif wanted and not any(
                metamodel.is_a(kind, one) or metamodel.is_a(one, kind)
                for kind in wanted
                for one in ours
            ):
                wrong.append(f"{written} of {name}: {ours} and not {wanted}")

    assert compared > 50
    assert wrong == []


class TestCatalogue:
    def test_every_element_that_can_stand_in_a_document_has_a_row(self) -> None:
        placed = {"definitions"} | {
            name for one in metamodel.elements() for name in metamodel.places(one)
        }
        concrete = {
            name
            for name in placed
            if (one := metamodel.element_type(name)) is not None and not one.is_abstract
        }

        written = {element for row in constructs("bpmn").values() for element in row.elements}

        assert concrete - written == set()
        assert written - set(metamodel.elements()) == set()

    def test_every_event_definition_has_a_row_in_every_position_it_may_have(self) -> None:
        rows = set(constructs("bpmn"))

        assert {f"boundary-event-{one}" for one in (
            "message", "timer", "escalation", "error", "cancel", "compensation", "conditional",
            "signal", "multiple", "parallel-multiple",
        )} <= rows  # fmt: skip
        assert "boundary-event-terminate" not in rows
        assert "end-event-terminate" in rows
        assert "end-event-timer" not in rows
        assert "event-sub-process-error" in rows
        assert "start-event-error" not in rows
        assert "intermediate-throw-event-error" not in rows

    def test_a_row_is_named_after_its_element(self) -> None:
        rows = constructs("bpmn")

        for element in ("userTask", "exclusiveGateway", "adHocSubProcess", "dataStoreReference"):
            assert element in rows[kebab(element)].elements

    def test_keys_and_folders_are_in_kebab_case(self) -> None:
        rows = constructs("bpmn").values()

        names = {name for row in rows for name in (row.key, row.cases)}

        assert [name for name in names if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", name)] == []

    def test_a_folder_of_cases_is_a_row_or_shared_by_several(self) -> None:
        rows = constructs("bpmn")

        assert {row.cases for row in rows.values()} - set(rows) == {
            "artifact", "correlation", "data-association", "multi-instance-behavior",
        }  # fmt: skip

    def test_what_is_not_full_says_why(self) -> None:
        silent = [
            row.key for row in constructs("bpmn").values() if row.support != "full" and not row.note
        ]

        assert silent == []

    def test_a_row_of_bpmn_has_a_section_a_sub_class_and_no_property(self) -> None:
        for row in constructs("bpmn").values():
            assert re.fullmatch(r"[0-9.]+(, (Table )?[0-9.]+)*", row.section), row.key
            assert row.sub_class is not None
            assert row.name == ""
            assert row.kinds
