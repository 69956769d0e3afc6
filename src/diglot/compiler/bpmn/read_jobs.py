"""What a job asks of its worker: the type, and an object that says all about the task.

Source: BPMN 2.0.2 10.3.3, 13.3.3.
"""

from __future__ import annotations

import re
from typing import Final

from ..graph import (
    Action,
    Constant,
    DataRules,
    Expression,
    Listing,
    Record,
    Value,
)
from .document import Element
from .profiles.contract import VendorTask, Written
from .read_data import activity_rules, mapped_value, reads_own
from .reading import ALL_VARIABLES, Place, Reading, name_of, written_in

#: What the activity read, and nothing else.
_READ: Final = Expression(text=".")
#: Implementations that name no worker.
_NO_IMPLEMENTATION: Final = frozenset(
    {"", "##webservice", "##unspecified", "##other", "other", "unspecified", "webservice"}
)
_ROLES: Final = ("performer", "humanPerformer", "potentialOwner", "resourceRole")
_ACTOR: Final = re.compile(
    r"\s*(?:(?P<kind>user|group)\(\s*(?P<name>[^)]*?)\s*\)|(?P<bare>[^,]+))\s*"
)


def vendor_rules(reading: Reading, element: Element, vendor: VendorTask) -> DataRules | None:
    """The data rules of a task."""
    return activity_rules(
        reading,
        element,
        inputs=vendor.inputs,
        outputs=vendor.outputs,
        result_variable=vendor.result_variable,
    )


def action_of(
    reading: Reading,
    at: Place,
    vendor: VendorTask,
    type: str,
    members: tuple[tuple[str, Value], ...] = (),
) -> Action:
    """A job: its element, its variables, a vendor's headers, and what its kind adds."""
    own = reads_own(reading, at.element, vendor.inputs)
    hides = vendor.hides_variables if vendor.inputs else own
    found: list[tuple[str, Value]] = [
        ("element", Constant(at.pointer)),
        ("name", Constant(name_of(at.element) or at.pointer)),
        ("variables", _READ if own and hides else ALL_VARIABLES),
        ("headers", Constant(dict(vendor.headers))),
        *members,
    ]
    if vendor.retries is not None:
        found.append(("retries", Constant(vendor.retries)))
    if vendor.retry_delay:
        found.append(("retryDelay", Constant(vendor.retry_delay)))
    return Action(type=_type(reading, vendor) or type, arguments=Record(tuple(found)))


def _type(reading: Reading, vendor: VendorTask) -> str | Expression:
    """A vendor's type of a job; one that cannot be carried has been told."""
    if vendor.computed_type is not None:
        value = reading.value(vendor.computed_type)
        if isinstance(value, Expression):
            return value
        if isinstance(value, Constant) and isinstance(value.document, str):
            return value.document
    return vendor.job_type


def service_type(reading: Reading, source: Element) -> tuple[str, tuple[tuple[str, Value], ...]]:
    """The job type of a service task by the standard, and what it says of its service."""
    members: list[tuple[str, Value]] = []
    implementation = source.get("implementation").strip()
    written = source.get("operationRef").strip()
    operation = reading.document.find(written) if written else None
    name = ""
    if operation is not None:
        name = operation.get("name").strip() or operation.id
        interface = operation.parent
        if interface is not None and interface.name == "interface":
            spoken = interface.get("name").strip() or interface.id
            members.append(("interface", Constant(spoken)))
        members.append(("operation", Constant(name)))
    if implementation:
        members.append(("implementation", Constant(implementation)))
        if not name and implementation.lower() not in _NO_IMPLEMENTATION:
            name = implementation
    return name, tuple(members)


def assignment_of(
    reading: Reading, at: Place, source: Element, vendor: VendorTask
) -> tuple[tuple[str, Value], ...]:
    """Who is to do a user task, until when, with which form."""
    found: dict[str, Value] = {}
    for key, written in vendor.assignment.items():
        value = mapped_value(reading, written)
        if value is not None:
            found[key] = value
    if not vendor.assignment:
        found.update(_resources(reading, source))
    for key, data in vendor.form.items():
        found[key] = Constant(data)
    rendering = [child.get("id") or child.text.strip() for child in source.each("rendering")]
    if rendering and "form" not in found:
        found["form"] = Constant([one for one in rendering if one])
    return tuple(found.items())


def _resources(reading: Reading, source: Element) -> dict[str, Value]:
    """The performers and potential owners that the standard's elements name."""
    found: dict[str, list[Value]] = {}
    assignee: Value | None = None
    for role in source.each(*_ROLES):
        is_owner = role.name in ("potentialOwner", "resourceRole")
        for kind, value in _actors(reading, role):
            if not is_owner and assignee is None:
                assignee = value
            else:
                key = "candidateUsers" if kind == "user" or not is_owner else "candidateGroups"
                found.setdefault(key, []).append(value)
    members: dict[str, Value] = {} if assignee is None else {"assignee": assignee}
    for key, values in found.items():
        constants = [value.document for value in values if isinstance(value, Constant)]
        members[key] = (
            Constant(constants) if len(constants) == len(values) else Listing(tuple(values))
        )
    return members


def _actors(reading: Reading, role: Element) -> list[tuple[str, Value]]:
    assignment = role.child("resourceAssignmentExpression")
    expression = None
    if assignment is not None:
        expression = next(assignment.each("formalExpression", "expression"), None)
    if expression is None or not written_in(expression).text:
        reference = role.child("resourceRef")
        resource = None if reference is None else reading.document.find(reference.text)
        if resource is not None:
            return [("group", Constant(resource.get("name").strip() or resource.id))]
        name = name_of(role)
        return [("group", Constant(name))] if name else []
    written = written_in(expression)
    if re.search(r"[${#=\"']", written.text):
        value = reading.value(written)
        return [] if value is None else [("user", value)]
    return _listed(written)


def _listed(written: Written) -> list[tuple[str, Value]]:
    """Plain names as tools write them: `user(kim), group(sales)`."""
    found: list[tuple[str, Value]] = []
    for one in _ACTOR.finditer(written.text):
        name = one["name"] if one["kind"] else one["bare"].strip(" ,")
        if name:
            found.append((one["kind"] or "group", Constant(name)))
    return found
