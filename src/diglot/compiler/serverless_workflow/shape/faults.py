"""From what pydantic says about a document to what its author should hear: one finding a mistake.

A fault's location is turned into a place of the document, its type into one of our codes, and the
words into those of the DSL.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from diglot.compiler import codes
from diglot.compiler.diagnostics import Report
from diglot.compiler.pointers import join_pointer
from diglot.compiler.serverless_workflow.compose import DEFAULT_LIMITS
from diglot.compiler.serverless_workflow.located import Json, Located
from diglot.compiler.serverless_workflow.scalars import abridge
from diglot.specs.serverless_workflow.model import Workflow, errors, tasks
from diglot.specs.serverless_workflow.model.base import ByType
from diglot.specs.serverless_workflow.model.places import place_of, properties_of
from diglot.specs.serverless_workflow.model.scalars import DURATION_RULE

from .dialects import Adapted
from .forms import explain_form
from .words import (
    Fault,
    Finding,
    Path,
    as_mapping,
    did_you_mean,
    finding,
    kind_of,
    listed,
    nearest,
    owner_of,
    shown,
    size_of,
    value_at,
)


def report_faults(
    error: ValidationError, adapted: Adapted, document: Located, report: Report
) -> None:
    """Report each mistake once, at most as many as are reported about a document's text."""
    faults = error.errors(include_url=False, include_input=False)
    seen: set[tuple[str, Path, str | None]] = set()
    meant: set[Path] = set()
    # Unknown properties come first: what one of them was meant to be is not missing as well.
    for details in sorted(faults, key=lambda details: details["type"] != _UNKNOWN):
        if len(seen) >= DEFAULT_LIMITS.findings:
            return
        fault = _fault(details, adapted.value)
        if fault.kind == _UNKNOWN:
            meant |= _meant(fault)
        elif fault.kind == "missing" and fault.place.path in meant:
            continue
        found = explain(fault)
        identity = (found.code.id, found.path, found.parameters.get("property"))
        if identity not in seen:
            seen.add(identity)
            pointer = join_pointer(*adapted.place_in_document(found.path))
            span = (document.key_span_of if found.at_key else document.span_of)(pointer)
            parameters: dict[str, Any] = dict(found.parameters)
            report.add(found.code, span, pointer, hint=found.hint, **parameters)


def explain(fault: Fault) -> Finding:
    """The finding of a fault; a kind that has no words of its own keeps pydantic's."""
    return explain_form(fault) or _KINDS.get(fault.kind, _wrong_value)(fault)


def _fault(details: ErrorDetails, root: Json) -> Fault:
    return Fault(
        kind=details["type"],
        location=details["loc"],
        place=place_of(Workflow, details["loc"]),
        root=root,
        context={"message": details["msg"], **details.get("ctx", {})},
    )


def _allowed(fault: Fault) -> list[str]:
    """The properties that the object of an unknown one may still have."""
    present = as_mapping(value_at(fault.root, fault.place.path[:-1]))
    return [name for name in fault.parent.properties if name not in present]


def _meant(fault: Fault) -> set[Path]:
    """Where the property stands that an unknown one was meant to be."""
    name = nearest([str(fault.place.path[-1])], _allowed(fault))
    return {(*fault.place.path[:-1], name)} if name else set()


def _belongs_above(fault: Fault) -> str:
    """The hint for a property that an object around this one lacks."""
    name = str(fault.place.path[-1])
    for length in range(len(fault.location) - 2, -1, -1):
        above = place_of(Workflow, fault.location[:length])
        if name in above.properties and value_at(fault.root, (*above.path, name)) is None:
            return f"`{name}` belongs to {owner_of(above)}: move it there."
    return ""


def _unknown_property(fault: Fault) -> Finding:
    name = str(fault.place.path[-1])
    hint = did_you_mean([name], _allowed(fault))
    if fault.place.owner is errors.ErrorFilter:
        return finding(fault, codes.ERROR_FILTER_KEY_UNKNOWN, hint, at_key=True, key=abridge(name))
    if fault.place.owner is errors.CatchErrors and name in properties_of(errors.ErrorFilter):
        hint = f"Put `{abridge(name)}` below `with`, which stands below `errors`."
    return finding(
        fault,
        codes.UNKNOWN_PROPERTY,
        hint or _belongs_above(fault),
        at_key=True,
        owner=owner_of(fault.parent),
        property=abridge(name),
    )


def _missing_property(fault: Fault) -> Finding:
    """At the key of the object that lacks it, since the property itself is nowhere."""
    return Finding(
        code=codes.MISSING_PROPERTY,
        path=fault.parent.path,
        parameters={"owner": owner_of(fault.parent), "property": fault.place.name},
        at_key=True,
    )


def _needed_property(fault: Fault) -> Finding:
    return finding(
        fault,
        codes.MISSING_PROPERTY,
        at_key=True,
        owner=owner_of(fault.place),
        property=str(fault.context["property"]),
    )


def _excluded_property(fault: Fault) -> Finding:
    name = str(fault.context["property"])
    return Finding(
        code=codes.UNKNOWN_PROPERTY,
        path=(*fault.place.path, name),
        parameters={"owner": owner_of(fault.place), "property": name},
        hint="Remove it, or change the property that it belongs to.",
        at_key=True,
    )


def _wrong_type(fault: Fault) -> Finding:
    expected = _TYPE_WORDS.get(fault.kind, str(fault.context["message"]))
    if fault.place.expected == tuple[tasks.TaskItem, ...]:
        expected = "a list of `- name: task` items"
    return _of_type(fault, expected)


def _of_type(fault: Fault, expected: str) -> Finding:
    value, hint = fault.value, ""
    if value is None:
        hint = "Give it a value, or remove it."
    elif fault.kind == "string_type" and isinstance(value, int | float):
        hint = "Quote the value: without quotes it is not a string."
    elif fault.place.rule == DURATION_RULE and isinstance(value, int | float):
        hint = f"Write `seconds: {shown(value)}`, or another unit."
    return finding(
        fault,
        codes.WRONG_TYPE,
        hint,
        property=fault.name,
        found=kind_of(value),
        expected=expected,
    )


def _wrong_choice(fault: Fault) -> Finding:
    """No alternative fits: the type is wrong, or the keys that choose one."""
    rule, value = fault.place.rule, fault.value
    if isinstance(rule, ByType):
        return _of_type(fault, rule.expected)
    if not isinstance(value, dict):
        choice = f"one of {listed(rule.keys, 'or')}" if rule else "what the task does"
        return _of_type(fault, f"a mapping with {choice}")
    if rule is None:
        return _wrong_task(fault, value)
    present = [key for key in rule.keys if key in value]
    hint = did_you_mean(value, rule.keys) or "Add the one that is meant."
    return finding(
        fault,
        codes.NOT_ONE_OF,
        "" if present else hint,
        at_key=True,
        owner=owner_of(fault.place),
        properties=listed(rule.keys),
        found=listed(present) if present else "none",
    )


def _wrong_task(fault: Fault, entries: dict[str, Json]) -> Finding:
    kinds = tasks.keywords_of(entries)
    if kinds:
        return finding(
            fault, codes.TASK_KIND_AMBIGUOUS, at_key=True, task=fault.name, kinds=listed(kinds)
        )
    hint = did_you_mean(entries, tasks.KEYWORDS)
    if fault.name in tasks.KEYWORDS:
        hint = f"Write the task's name above `{fault.name}`: `- name:`, and indent what it does."
    return finding(fault, codes.TASK_KIND_UNKNOWN, hint, at_key=True, task=fault.name)


def _not_one_of(fault: Fault) -> Finding:
    choices = str(fault.context["choices"]).split(", ")
    found = [name for name in str(fault.context["found"]).split(", ") if name]
    return finding(
        fault,
        codes.NOT_ONE_OF,
        at_key=True,
        owner=owner_of(fault.place),
        properties=listed(choices),
        found=listed(found) if found else "none",
    )


def _wrong_literal(fault: Fault) -> Finding:
    value, allowed = fault.value, listed(fault.place.values, "or")
    if not isinstance(value, str):
        return _of_type(fault, allowed)
    return finding(
        fault,
        codes.WRONG_VALUE,
        did_you_mean([value], fault.place.values),
        property=fault.name,
        found=f"`{abridge(value)}`",
        expected=allowed,
    )


def _wrong_pattern(fault: Fault) -> Finding:
    return finding(
        fault,
        codes.WRONG_PATTERN,
        property=fault.name,
        found=shown(fault.value),
        expected=str(fault.context["expected"]),
    )


def _wrong_length(fault: Fault) -> Finding:
    """An object or a list of more or fewer entries than its place takes."""
    expected = f"at least one {'item' if isinstance(fault.value, list) else 'property'}"
    hint = "Add what is missing, or remove it as a whole."
    if isinstance(fault.place.path[-1], int):
        expected = "a mapping with exactly one key, its name"
        hint = "Make an item of its own of each key."
    return finding(
        fault,
        codes.WRONG_VALUE,
        hint,
        property=fault.name,
        found=size_of(fault.value),
        expected=expected,
    )


def _empty_text(fault: Fault) -> Finding:
    return finding(
        fault, codes.WRONG_VALUE, property=fault.name, found="an empty string", expected="a name"
    )


def _wrong_value(fault: Fault) -> Finding:
    return finding(
        fault,
        codes.WRONG_VALUE,
        property=fault.name,
        found=f"`{shown(fault.value)}`",
        expected=str(fault.context["message"]).removeprefix("Input should be "),
    )


#: What pydantic calls a property that no model has.
_UNKNOWN: Final = "extra_forbidden"
_TYPE_WORDS: Final = {
    "string_type": "a string",
    "int_type": "an integer",
    "bool_type": "true or false",
    "dict_type": "a mapping",
    "model_type": "a mapping",
    "tuple_type": "a list",
}
_KINDS: Final[dict[str, Callable[[Fault], Finding]]] = {
    **dict.fromkeys(_TYPE_WORDS, _wrong_type),
    _UNKNOWN: _unknown_property,
    "missing": _missing_property,
    "needs": _needed_property,
    "excludes": _excluded_property,
    "union_tag_not_found": _wrong_choice,
    "union_tag_invalid": _wrong_choice,
    "not_one_of": _not_one_of,
    "literal_error": _wrong_literal,
    "wrong_pattern": _wrong_pattern,
    "wrong_length": _wrong_length,
    "string_too_short": _empty_text,
}
