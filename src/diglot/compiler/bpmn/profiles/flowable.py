"""Flowable and Activiti: classes, delegates and built-in task types, fields, signal scopes.

Source: the extension schemas http://flowable.org/bpmn and http://activiti.org/bpmn.
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
    VendorMessage,
    VendorProcess,
    VendorTask,
    VendorValue,
    Written,
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
    own,
    retries,
    without_empty,
    written,
)

NAMESPACES: Final = ("http://flowable.org/bpmn", "http://activiti.org/bpmn")
_ASSIGNMENT: Final = ("assignee", "candidateUsers", "candidateGroups", "dueDate", "priority")
_HEADERS: Final = ("owner", "category", "businessCalendarName", "ruleVariablesInput", "rules")


def task(element: Element) -> VendorTask:
    """Class, delegate or built-in type of a task, its fields, assignment and form."""
    cycle = extension(element, NAMESPACES, "failedJobRetryTimeCycle")
    count, delay = retries("" if cycle is None else cycle.text)
    result = attribute(element, NAMESPACES, "resultVariable")
    return VendorTask(
        computed_type=_computed_topic(element),
        job_type=_job_type(element),
        headers=without_empty({name: attribute(element, NAMESPACES, name) for name in _HEADERS}),
        inputs=_fields(element),
        outputs=moved(element, NAMESPACES, "eventOutParameter"),
        result_variable=result or attribute(element, NAMESPACES, "resultVariableName"),
        retries=count,
        retry_delay=delay,
        assignment=assignment(element, NAMESPACES, _ASSIGNMENT),
        form=_form(element),
        decision=written(element, NAMESPACES, "decisionRef"),
        skip=written(element, NAMESPACES, "skipExpression"),
        is_external=attribute(element, NAMESPACES, "type") == "external-worker",
    )


def _computed_topic(element: Element) -> Written | None:
    topic = written(element, NAMESPACES, "topic")
    is_external = attribute(element, NAMESPACES, "type") == "external-worker"
    is_computed = topic is not None and ("${" in topic.text or "#{" in topic.text)
    return topic if is_external and is_computed else None


def _job_type(element: Element) -> str:
    if attribute(element, NAMESPACES, "type") == "external-worker":
        return attribute(element, NAMESPACES, "topic").strip()
    for name in ("class", "delegateExpression", "expression", "type"):
        found = attribute(element, NAMESPACES, name)
        if found:
            return delegate(found)
    return ""


def _fields(element: Element) -> Mappings:
    """The fields of a delegate: a text, or an expression."""
    found: list[tuple[str, Written]] = []
    for field in extensions(element, NAMESPACES, "field"):
        value = own(field, "stringValue", "text") or own(field, "expression", "worker")
        for child in inside(field, "string", "expression"):
            if child.text.strip():
                language = "text" if child.name == "string" else "worker"
                value = Written(child.text, child, language=language)
        if value is not None and field.get("name"):
            found.append((field.get("name"), value))
    return (*found, *moved(element, NAMESPACES, "eventInParameter"))


def _form(element: Element) -> dict[str, Any]:
    form: dict[str, Any] = {}
    key = attribute(element, NAMESPACES, "formKey")
    if key:
        form["formKey"] = key
    fields: list[dict[str, Any]] = []
    for field in extensions(element, NAMESPACES, "formProperty"):
        names = ("id", "name", "type", "required", "readable", "writable", "default", "variable")
        facts: dict[str, Any] = without_empty({name: field.get(name) for name in names})
        values = [{"id": one.get("id"), "name": one.get("name")} for one in inside(field, "value")]
        fields.append(facts | ({"values": values} if values else {}))
    if fields:
        form["form"] = {"fields": fields}
    return form


def loop(element: Element) -> VendorLoop:
    """The collection of a multi-instance activity, the name of its item, what it aggregates."""
    aggregations = [
        (target, aggregation)
        for aggregation in extensions(element, NAMESPACES, "variableAggregation")
        # What a class of an engine puts together is nothing that could be read here.
        if not aggregation.get("class") and not aggregation.get("delegateExpression")
        if (target := own(aggregation, "target")) is not None
    ]
    first = aggregations[0] if aggregations else None
    return VendorLoop(
        collection=written(element, NAMESPACES, "collection"),
        item=attribute(element, NAMESPACES, "elementVariable"),
        output_collection="" if first is None else first[0].text.strip(),
        output_element=None if first is None else _aggregated(first[1]),
        also_collected=tuple(target for target, _ in aggregations[1:]),
        first=0,
    )


def _aggregated(aggregation: Element) -> WrittenMap:
    """What one instance adds to an aggregation: an object of some of its variables."""
    entries: list[tuple[str, VendorValue]] = []
    for one in inside(aggregation, "variable"):
        source = own(one, "source", "variable") or own(one, "sourceExpression")
        name = one.get("target") or one.get("source")
        if source is not None and name:
            entries.append((name, source))
    return WrittenMap(tuple(entries))


def called(element: Element) -> VendorCall:
    """What a call activity hands to the called process, and what it takes back."""
    return VendorCall(
        inputs=moved(element, NAMESPACES, "in"),
        outputs=moved(element, NAMESPACES, "out"),
        all_in=attribute(element, NAMESPACES, "inheritVariables").strip() == "true",
    )


def message(element: Element) -> VendorMessage:
    """The correlation key of an event, where the file gives one."""
    return VendorMessage(correlation_key=written(element, NAMESPACES, "correlationKey"))


def error(element: Element) -> VendorError:
    """The variables a caught error or escalation goes to."""
    return VendorError(
        code_variable=attribute(element, NAMESPACES, "errorCodeVariable")
        or attribute(element, NAMESPACES, "escalationCodeVariable"),
        message_variable=attribute(element, NAMESPACES, "errorMessageVariable"),
        data_variable=attribute(element, NAMESPACES, "errorVariableName"),
    )


def process(element: Element) -> VendorProcess:
    """The version tag of a process, and who may start it."""
    names = ("candidateStarterUsers", "candidateStarterGroups")
    facts = {name: attribute(element, NAMESPACES, name) for name in names}
    return VendorProcess(
        version=attribute(element, NAMESPACES, "versionTag"), metadata=without_empty(facts)
    )


def event(element: Element) -> VendorEvent:
    """The reach of a signal and of a terminate end event, and what an event maps."""
    return VendorEvent(
        inputs=moved(element, NAMESPACES, "eventInParameter"),
        outputs=moved(element, NAMESPACES, "eventOutParameter"),
        is_local=attribute(element, NAMESPACES, "scope") == "processInstance",
        ends_instance=attribute(element, NAMESPACES, "terminateAll").strip() == "true",
        payload=moved(element, NAMESPACES, "in"),
    )


FLOWABLE: Final = Profile(
    name="flowable",
    expression_profile="flowable",
    task=task,
    loop=loop,
    called=called,
    message=message,
    error=error,
    process=process,
    event=event,
)
