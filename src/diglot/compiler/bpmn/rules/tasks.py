"""Activities: quantities, scripts, receive tasks that start, and who does the work.

Source: BPMN 2.0.2 10.3, 10.3.1, 10.3.3.
"""

from __future__ import annotations

from typing import Final

from ... import codes
from ...diagnostics import Severity
from ..document import Element
from .facts import Facts
from .kinds import ACTIVITIES
from .rule import Findings, called, found, rule

_QUANTITIES: Final = ("startQuantity", "completionQuantity")
_ROLES: Final = ("resourceRole", "performer", "humanPerformer", "potentialOwner")


def whole_number(text: str) -> int | None:
    """The number that an attribute of type xsd:integer holds."""
    text = text.strip()
    digits = text[1:] if text[:1] in ("+", "-") else text
    return int(text) if digits.isascii() and digits.isdigit() and len(digits) < 19 else None


@rule(*ACTIVITIES, about=_QUANTITIES)
def at_least_one_token_comes_and_goes(activity: Element, facts: Facts) -> Findings:
    """An activity takes and leaves at least one token; what is only drawn is read as one."""
    weight = None if facts.is_executable(activity) else Severity.WARNING
    for attribute in _QUANTITIES:
        value = whole_number(activity.get(attribute))
        if value is not None and value < 1:
            yield found(
                codes.QUANTITY_BELOW_ONE,
                activity,
                weight,
                attribute=attribute,
                activity=called(activity),
                value=value,
            )


@rule("scriptTask")
def a_script_has_a_language(task: Element, facts: Facts) -> Findings:
    """Who writes a script says in which language."""
    if task.child("script") is not None and not task.get("scriptFormat"):
        yield found(codes.SCRIPT_WITHOUT_FORMAT, task, task=called(task))


@rule("receiveTask")
def a_task_that_starts_has_no_incoming(task: Element, facts: Facts) -> Findings:
    """A receive task that begins an instance is not led to."""
    if task.flag("instantiate") and facts.incoming(task):
        yield found(codes.RECEIVE_STARTS_WITH_INCOMING, task, task=called(task))


@rule(*_ROLES)
def a_role_is_assigned_in_one_way(role: Element, facts: Facts) -> Findings:
    """A role names a resource, with parameters, or has an expression."""
    names = role.child("resourceRef") is not None
    computes = role.child("resourceAssignmentExpression") is not None
    if names and computes:
        problem = "names a resource and has an expression, too"
    elif not names and role.child("resourceParameterBinding") is not None:
        problem = "binds a parameter and names no resource"
    else:
        return
    activity = role if role.parent is None else role.parent
    yield found(
        codes.RESOURCE_UNCLEAR,
        role,
        kind=role.name,
        role=called(role),
        activity=called(activity),
        problem=problem,
    )
