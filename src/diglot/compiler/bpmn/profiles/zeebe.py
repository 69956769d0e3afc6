"""Camunda 8 (Zeebe): tasks are jobs by type, expressions are FEEL behind an equals sign.

Source: the extension schema of Camunda 8, http://camunda.org/schema/zeebe/1.0.
"""

from __future__ import annotations

from typing import Any, Final

from ..document import Element
from .contract import (
    Mappings,
    Profile,
    VendorAdHoc,
    VendorCall,
    VendorEvent,
    VendorLoop,
    VendorMessage,
    VendorProcess,
    VendorScript,
    VendorTask,
    Written,
)
from .finding import extension, inside, named_values, own

NAMESPACES: Final = ("http://camunda.org/schema/zeebe/1.0",)


def _mappings(element: Element, name: str) -> Mappings:
    found: list[tuple[str, Written]] = []
    for one in inside(extension(element, NAMESPACES, "ioMapping"), name):
        source = own(one, "source")
        if source is not None and one.get("target"):
            found.append((one.get("target"), source))
    return tuple(found)


def task(element: Element) -> VendorTask:
    """Job type and headers, mappings, assignment, decision or script of a task."""
    definition = extension(element, NAMESPACES, "taskDefinition")
    decision = extension(element, NAMESPACES, "calledDecision")
    retries = "" if definition is None else definition.get("retries").strip()
    result = "" if decision is None else decision.get("resultVariable")
    return VendorTask(
        job_type="" if definition is None else definition.get("type"),
        computed_type=None if definition is None else _computed(own(definition, "type")),
        headers=named_values(element, NAMESPACES, "taskHeaders", "header", "key"),
        inputs=_mappings(element, "input"),
        outputs=_mappings(element, "output"),
        result_variable=result,
        retries=int(retries) if retries.isascii() and retries.isdigit() else None,
        assignment=_assignment(element),
        form=_form(element),
        decision=None if decision is None else own(decision, "decisionId"),
        script=_script(element),
        is_external=definition is not None,
    )


def _computed(type: Written | None) -> Written | None:
    return type if type is not None and type.text.lstrip().startswith("=") else None


def _script(element: Element) -> VendorScript | None:
    found = extension(element, NAMESPACES, "script")
    code = None if found is None else own(found, "expression", "feel")
    if found is None or code is None:
        return None
    return VendorScript(code=code, language="feel", result_variable=found.get("resultVariable"))


def _assignment(element: Element) -> dict[str, Written]:
    wanted = (
        ("assignmentDefinition", ("assignee", "candidateGroups", "candidateUsers")),
        ("taskSchedule", ("dueDate", "followUpDate")),
        ("priorityDefinition", ("priority",)),
    )
    found: dict[str, Written] = {}
    for holder, names in wanted:
        definition = extension(element, NAMESPACES, holder)
        for name in names:
            value = None if definition is None else own(definition, name)
            if value is not None:
                found[name] = value
    return found


def _form(element: Element) -> dict[str, Any]:
    definition = extension(element, NAMESPACES, "formDefinition")
    if definition is None:
        return {}
    key = definition.get("formId") or definition.get("externalReference")
    key = key or definition.get("formKey")
    return {"formKey": key} if key else {}


def loop(element: Element) -> VendorLoop:
    """The collections of a multi-instance activity; its counter begins with 1."""
    found = extension(element, NAMESPACES, "loopCharacteristics")
    if found is None:
        return VendorLoop(first=1)
    return VendorLoop(
        collection=own(found, "inputCollection"),
        item=found.get("inputElement"),
        output_collection=found.get("outputCollection"),
        output_element=own(found, "outputElement"),
        first=1,
    )


def called(element: Element) -> VendorCall:
    """The called process; variables go both ways unless the file says otherwise."""
    found = extension(element, NAMESPACES, "calledElement")
    inputs, outputs = _mappings(element, "input"), _mappings(element, "output")
    if found is None:
        return VendorCall(inputs=inputs, outputs=outputs, all_in=True, all_out=not outputs)
    all_out = found.flag("propagateAllChildVariables", not outputs)
    is_tagged = found.get("bindingType") == "versionTag"
    return VendorCall(
        process=own(found, "processId"),
        inputs=inputs,
        outputs=outputs,
        all_in=found.flag("propagateAllParentVariables", True),
        all_out=all_out,
        version=found.get("versionTag", "latest") if is_tagged else "latest",
    )


def message(element: Element) -> VendorMessage:
    """The correlation key of a subscription."""
    found = extension(element, NAMESPACES, "subscription")
    return VendorMessage(
        correlation_key=None if found is None else own(found, "correlationKey"),
    )


def process(element: Element) -> VendorProcess:
    """The version tag of a process."""
    found = extension(element, NAMESPACES, "versionTag")
    return VendorProcess(version="" if found is None else found.get("value"))


def event(element: Element) -> VendorEvent:
    """The mappings of an event."""
    return VendorEvent(inputs=_mappings(element, "input"), outputs=_mappings(element, "output"))


def ad_hoc(element: Element) -> VendorAdHoc:
    """Which activities an ad-hoc sub-process begins with."""
    found = extension(element, NAMESPACES, "adHoc")
    if found is None:
        return VendorAdHoc()
    return VendorAdHoc(
        active_elements=own(found, "activeElementsCollection"),
        output_collection=found.get("outputCollection"),
        output_element=own(found, "outputElement"),
    )


ZEEBE: Final = Profile(
    name="zeebe",
    expression_profile="zeebe",
    nests_targets=True,
    task=task,
    loop=loop,
    called=called,
    message=message,
    process=process,
    event=event,
    ad_hoc=ad_hoc,
)
