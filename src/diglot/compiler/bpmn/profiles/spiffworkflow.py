"""SpiffWorkflow and SpiffArena: expressions and scripts are Python, forms are JSON schema files.

Source: the extension schema http://spiffworkflow.org/bpmn/schema/1.0/core.
"""

from __future__ import annotations

from typing import Any, Final

from ..document import Element
from .contract import (
    Mappings,
    Profile,
    VendorMessage,
    VendorScript,
    VendorTask,
    Written,
)
from .finding import extension, inside, named_values, own, retries

NAMESPACES: Final = (
    "http://spiffworkflow.org/bpmn/schema/1.0/core",
    "http://spiffworkflow.org/bpmn/schema",
)
_FORM: Final = {"formJsonSchemaFilename": "formKey", "formUiSchemaFilename": "form"}


def task(element: Element) -> VendorTask:
    """Operator, parameters, scripts around it, form and instructions of a task."""
    operator = extension(element, NAMESPACES, "serviceTaskOperator")
    decision = extension(element, NAMESPACES, "calledDecisionId")
    retry = extension(element, NAMESPACES, "retry")
    count, delay = retries("" if retry is None else retry.text)
    return VendorTask(
        job_type="" if operator is None else operator.get("id"),
        headers=_headers(element),
        inputs=_parameters(operator),
        hides_variables=operator is not None,
        result_variable="" if operator is None else operator.get("resultVariable"),
        retries=count,
        retry_delay=delay,
        form=_form(element),
        decision=None if decision is None else Written(decision.text, decision, language="text"),
        before=_script(element, "preScript"),
        after=_script(element, "postScript"),
    )


def _headers(element: Element) -> dict[str, str]:
    found = named_values(element, NAMESPACES, "properties", "property")
    headers = {name: value for name, value in found.items() if name not in _FORM}
    instructions = extension(element, NAMESPACES, "instructionsForEndUser")
    if instructions is not None and instructions.text.strip():
        headers["instructions"] = instructions.text.strip()
    return headers


def _form(element: Element) -> dict[str, Any]:
    found = named_values(element, NAMESPACES, "properties", "property")
    return {key: found[name] for name, key in _FORM.items() if name in found}


def _parameters(operator: Element | None) -> Mappings:
    found: list[tuple[str, Written]] = []
    for holder in inside(operator, "parameters"):
        for one in inside(holder, "parameter"):
            value = own(one, "value")
            if value is not None and one.get("id"):
                found.append((one.get("id"), value))
    return tuple(found)


def _script(element: Element, name: str) -> VendorScript | None:
    found = extension(element, NAMESPACES, name)
    if found is None or not found.text.strip():
        return None
    return VendorScript(code=Written(found.text, found, language="python"), language="python")


def message(element: Element) -> VendorMessage:
    """The payload of a thrown message, and the variable that takes a caught one."""
    payload = extension(element, NAMESPACES, "messagePayload")
    variable = extension(element, NAMESPACES, "messageVariable")
    key = extension(element, NAMESPACES, "processVariableCorrelation")
    expression = next(inside(key, "expression"), None)
    has_payload = payload is not None and payload.text.strip()
    return VendorMessage(
        correlation_key=None if expression is None else Written(expression.text, expression),
        payload=(("", Written(payload.text, payload)),) if payload and has_payload else (),
        variable="" if variable is None else variable.text.strip(),
    )


SPIFFWORKFLOW: Final = Profile(
    name="spiffworkflow", expression_profile="spiffworkflow", task=task, message=message
)
