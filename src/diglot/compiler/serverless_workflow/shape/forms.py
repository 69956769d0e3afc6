"""Forms that authors reasonably try although the DSL refuses them, each with a code of its own."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from diglot.compiler import codes
from diglot.compiler.serverless_workflow.scalars import abridge
from diglot.specs.serverless_workflow.model import (
    calls,
    data,
    errors,
    events,
    processes,
    scalars,
    tasks,
    workflow,
)
from diglot.specs.serverless_workflow.model.base import ByKey

from .words import (
    Fault,
    Finding,
    as_mapping,
    did_you_mean,
    finding,
    kind_of,
    listed,
    shown,
    size_of,
)


def explain_form(fault: Fault) -> Finding | None:
    """The finding of a fault that has more to say than what is wrong; None for all others."""
    found = (special(fault) for special in _SPECIALS)
    return next((each for each in found if each is not None), None)


def _special_type(fault: Fault) -> Finding | None:
    """A value of a type that authors reasonably try."""
    owner, name, found = fault.place.owner, fault.place.name, kind_of(fault.value)
    if owner is calls.HttpArguments and name == "query" and fault.kind == "string_type":
        return finding(fault, codes.QUERY_VALUE_NOT_TEXT, parameter=fault.name, found=found)
    if owner is errors.Error and name == "status" and fault.kind == "int_type":
        return finding(fault, codes.ERROR_STATUS_NOT_A_NUMBER, found=found)
    if owner is processes.Subflow and name == "input":
        return finding(fault, codes.SUBFLOW_INPUT_NOT_A_MAPPING, found=found)
    if name == "arguments" and fault.kind == "tuple_type":
        return finding(fault, codes.ARGUMENTS_NOT_A_LIST, found=found)
    if owner is tasks.ForSettings and name == "in" and fault.kind == "dict_type":
        path = fault.place.path[:-1]
        return Finding(code=codes.FOR_IN_SCALARS, path=path, parameters={"found": found})
    if fault.place.expected == dict[str, tasks.Task] and isinstance(fault.place.path[-1], int):
        return finding(fault, codes.TASK_ITEM_MALFORMED, found=size_of(fault.value))
    return None


def _special_value(fault: Fault) -> Finding | None:
    """A text outside a closed list, where there is more to say than what is in the list."""
    owner, value = fault.place.owner, fault.value
    if fault.kind != "literal_error" or not isinstance(value, str) or owner is None:
        return None
    hint = did_you_mean([value], fault.place.values)
    if owner is workflow.Extension:
        if value in ("do", "fork"):
            hint = "Write `composite`, which stands for `do` and `fork`."
        return finding(fault, codes.EXTENSION_TARGET_UNKNOWN, hint, target=abridge(value))
    if issubclass(owner, processes.ScriptBase):
        return finding(fault, codes.SCRIPT_LANGUAGE_UNKNOWN, hint, language=abridge(value))
    return None


def _special_text(fault: Fault) -> Finding | None:
    """A text of the wrong form, where there is more to say than which form is right."""
    owner, name, value = fault.place.owner, fault.place.name, str(fault.value)
    if fault.kind != "wrong_pattern":
        return None
    if value.lstrip().startswith("${") and "\n" in value.strip():
        return finding(fault, codes.EXPRESSION_OVER_LINES, property=fault.name)
    if owner in (data.InlineSchema, data.ExternalSchema) and name == "format":
        return finding(fault, codes.SCHEMA_FORMAT_UNKNOWN, format=abridge(value))
    expected = str(fault.context["expected"])
    if expected == scalars.DURATION_WORDS:
        problem = f"it is not {expected}"
        return finding(fault, codes.BAD_DURATION, duration=abridge(value), problem=problem)
    if owner is workflow.Document and name in ("namespace", "name"):
        label = re.sub(r"[^a-zA-Z0-9]+", "-", value)[:63].strip("-")
        return finding(
            fault,
            codes.WRONG_PATTERN,
            f"Write `{label}`." if label else "",
            property=fault.name,
            found=abridge(value),
            expected=expected,
        )
    return None


def _special_duration(fault: Fault) -> Finding | None:
    """A duration of the right form that means none."""
    if fault.kind != "wrong_duration":
        return None
    reason = str(fault.context["reason"])
    return finding(fault, codes.BAD_DURATION, duration=shown(fault.value), problem=reason)


def _special_choice(fault: Fault) -> Finding | None:
    """A choice between properties that is told in the words of what is chosen."""
    rule, value = fault.place.rule, fault.value
    if fault.kind != "union_tag_not_found" or not isinstance(rule, ByKey):
        return None
    if not isinstance(value, dict):
        if isinstance(value, str) and {"use", "basic"} <= set(rule.keys):
            return finding(fault, codes.AUTHENTICATION_NAME_BARE, name=abridge(value))
        if rule.otherwise is not None:
            found, scheme = kind_of(value), fault.name
            return finding(fault, codes.AUTHENTICATION_NOT_A_MAPPING, scheme=scheme, found=found)
        return None
    entries = as_mapping(value)
    present = [key for key in rule.keys if key in entries]
    if "cron" in rule.keys and present:
        return finding(fault, codes.SEVERAL_SCHEDULES, at_key=True, found=listed(present))
    if "cron" in rule.keys:
        hint = did_you_mean(entries, rule.keys)
        return finding(fault, codes.EMPTY_SCHEDULE, hint, at_key=True)
    if "document" in rule.keys and not present and entries.keys() - {"format"}:
        return finding(fault, codes.SCHEMA_NOT_WRAPPED, at_key=True)
    return None


def _special_missing(fault: Fault) -> Finding | None:
    """An event without the one attribute that nobody can fill in."""
    owner, name = fault.place.owner, fault.place.name
    is_body = owner is events.Emission and name == "with"
    if fault.kind != "missing" or not (is_body or (owner, name) == (events.EventToEmit, "type")):
        return None
    return Finding(
        code=codes.EMIT_WITHOUT_TYPE,
        path=fault.place.path[:-1],
        parameters={},
        hint="Put the event's attributes below `with`." if is_body else "",
        at_key=True,
    )


_SPECIALS: Final[tuple[Callable[[Fault], Finding | None], ...]] = (
    _special_type,
    _special_value,
    _special_text,
    _special_duration,
    _special_choice,
    _special_missing,
)
