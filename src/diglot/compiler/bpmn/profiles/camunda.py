"""Camunda 7 and its successors (Operaton, CIB seven): topics, delegates, input and output.

Source: the extension schema of Camunda 7, http://camunda.org/schema/1.0/bpmn.
"""

from __future__ import annotations

from typing import Any, Final

from ..document import Element
from .contract import (
    Mappings,
    Profile,
    VendorCall,
    VendorError,
    VendorEvent,
    VendorLoop,
    VendorProcess,
    VendorScript,
    VendorTask,
    VendorValue,
    Written,
    WrittenList,
    WrittenMap,
)
from .finding import (
    assignment,
    attribute,
    delegate,
    extension,
    extensions,
    inside,
    moved,
    named_values,
    retries,
    script,
    without_empty,
    written,
)

NAMESPACES: Final = (
    "http://camunda.org/schema/1.0/bpmn",
    "http://operaton.org/schema/1.0/bpmn",
)
_ASSIGNMENT: Final = (
    "assignee", "candidateUsers", "candidateGroups", "dueDate", "followUpDate", "priority",
)  # fmt: skip
_PROCESS_FACTS: Final = (
    "historyTimeToLive", "candidateStarterGroups", "candidateStarterUsers", "jobPriority",
    "isStartableInTasklist",
)  # fmt: skip


def task(element: Element) -> VendorTask:
    """Topic or delegate, input and output, assignment, form and decision of a task."""
    io = extension(element, NAMESPACES, "inputOutput")
    connector = extension(element, NAMESPACES, "connector")
    if connector is not None and io is None:
        io = next(inside(connector, "inputOutput"), None)
    cycle = extension(element, NAMESPACES, "failedJobRetryTimeCycle")
    count, delay = retries("" if cycle is None else cycle.text)
    return VendorTask(
        computed_type=_computed_topic(element),
        job_type=_job_type(element, connector),
        headers=_headers(element),
        inputs=_parameters(io, "inputParameter"),
        outputs=_parameters(io, "outputParameter"),
        result_variable=attribute(element, NAMESPACES, "resultVariable"),
        retries=count,
        retry_delay=delay,
        assignment=assignment(element, NAMESPACES, _ASSIGNMENT),
        form=_form(element),
        decision=written(element, NAMESPACES, "decisionRef"),
        before=_listener(element, "start"),
        after=_listener(element, "end"),
        is_external=attribute(element, NAMESPACES, "type") == "external",
    )


def _computed_topic(element: Element) -> Written | None:
    topic = written(element, NAMESPACES, "topic")
    is_external = attribute(element, NAMESPACES, "type") == "external"
    is_computed = topic is not None and ("${" in topic.text or "#{" in topic.text)
    return topic if is_external and is_computed else None


def _job_type(element: Element, connector: Element | None) -> str:
    if attribute(element, NAMESPACES, "type") == "external":
        return attribute(element, NAMESPACES, "topic").strip()
    for name in ("class", "delegateExpression", "expression"):
        found = attribute(element, NAMESPACES, name)
        if found:
            return delegate(found)
    if connector is not None:
        return next((one.text.strip() for one in inside(connector, "connectorId")), "")
    return ""


def _headers(element: Element) -> dict[str, str]:
    names = ("mapDecisionResult", "decisionRefBinding", "taskPriority")
    facts = {name: attribute(element, NAMESPACES, name) for name in names}
    return named_values(element, NAMESPACES, "properties", "property") | without_empty(facts)


def _parameters(io: Element | None, name: str) -> Mappings:
    found: list[tuple[str, VendorValue]] = []
    for one in inside(io, name):
        value = _value(one)
        if one.get("name") and value is not None:
            found.append((one.get("name"), value))
    return tuple(found)


def _value(element: Element) -> VendorValue | None:
    """The value of a parameter, of a list's item or of a map's entry."""
    for child in element.children:
        match child.name:
            case "list":
                items = [_item(one) for one in child.children]
                return WrittenList(tuple(one for one in items if one is not None))
            case "map":
                entries = ((one.get("key"), _value(one)) for one in inside(child, "entry"))
                return WrittenMap(tuple((key, one) for key, one in entries if one is not None))
            case "script":
                return Written(child.text, child, language=child.get("scriptFormat"))
            case _:
                pass
    return Written(element.text, element) if element.text.strip() else None


def _item(element: Element) -> VendorValue | None:
    if element.name == "script":
        return Written(element.text, element, language=element.get("scriptFormat"))
    return _value(element)


def _form(element: Element) -> dict[str, Any]:
    form: dict[str, Any] = {}
    key = attribute(element, NAMESPACES, "formKey") or attribute(element, NAMESPACES, "formRef")
    if key:
        form["formKey"] = key
    fields: list[dict[str, Any]] = []
    for field in inside(extension(element, NAMESPACES, "formData"), "formField"):
        names = ("id", "label", "type", "defaultValue", "datePattern")
        facts: dict[str, Any] = without_empty({name: field.get(name) for name in names})
        values = [(one.get("id"), one.get("name")) for one in inside(field, "value")]
        if values:
            facts["values"] = [{"id": id, "name": name} for id, name in values]
        fields.append(facts)
    if fields:
        form["form"] = {"fields": fields}
    return form


def _listener(element: Element, moment: str) -> VendorScript | None:
    """The script that runs at a moment; classes and delegates of listeners are Java's alone."""
    for one in extensions(element, NAMESPACES, "executionListener"):
        found = next(inside(one, "script"), None) if one.get("event") == moment else None
        if found is not None:
            return script(found)
    return None


def loop(element: Element) -> VendorLoop:
    """The collection of a multi-instance activity and the name of its item; it counts from 0."""
    return VendorLoop(
        collection=written(element, NAMESPACES, "collection"),
        item=attribute(element, NAMESPACES, "elementVariable"),
        first=0,
    )


def called(element: Element) -> VendorCall:
    """What a call activity hands to the called process, and what it takes back."""
    binding = attribute(element, NAMESPACES, "calledElementBinding")
    tag = attribute(element, NAMESPACES, "calledElementVersionTag")
    return VendorCall(
        inputs=moved(element, NAMESPACES, "in"),
        outputs=moved(element, NAMESPACES, "out"),
        all_in=_moves_all(element, "in"),
        all_out=_moves_all(element, "out"),
        version=tag if binding == "versionTag" and tag else "latest",
    )


def _moves_all(element: Element, name: str) -> bool:
    return any(one.get("variables") == "all" for one in extensions(element, NAMESPACES, name))


def error(element: Element) -> VendorError:
    """The variables a caught error or escalation goes to."""
    code = attribute(element, NAMESPACES, "errorCodeVariable")
    return VendorError(
        code_variable=code or attribute(element, NAMESPACES, "escalationCodeVariable"),
        message_variable=attribute(element, NAMESPACES, "errorMessageVariable"),
    )


def process(element: Element) -> VendorProcess:
    """The version tag of a process, and facts of its administration."""
    facts = {name: attribute(element, NAMESPACES, name) for name in _PROCESS_FACTS}
    return VendorProcess(
        version=attribute(element, NAMESPACES, "versionTag"), metadata=without_empty(facts)
    )


def event(element: Element) -> VendorEvent:
    """Input and output of an event, what a thrown signal carries, its listeners or a flow's."""
    io = extension(element, NAMESPACES, "inputOutput")
    return VendorEvent(
        inputs=_parameters(io, "inputParameter"),
        outputs=_parameters(io, "outputParameter"),
        payload=moved(element, NAMESPACES, "in"),
        before=_listener(element, "start"),
        after=_listener(element, "end") or _listener(element, "take"),
    )


CAMUNDA: Final = Profile(
    name="camunda",
    expression_profile="camunda",
    task=task,
    loop=loop,
    called=called,
    error=error,
    process=process,
    event=event,
)
