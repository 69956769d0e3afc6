"""Activities: work, data, calls, and what is drawn as a sub-process.

Source: BPMN 2.0.2 10.3.
"""

from __future__ import annotations

import re
from typing import Final

from ...graph import (
    Assign,
    Call,
    Constant,
    Expression,
    Loop,
    MultiInstance,
    Pass,
    Record,
    Task,
    Value,
)
from . import words
from .canvas import Shape, Sheet
from .composition import Composition, writes
from .formal import JQ_SCRIPT, as_jq, expression
from .tag import Tag

#: Elements by the constructs of BPMN that tasks were read from.
_BY_CONSTRUCT: Final = {
    "service-task": "serviceTask",
    "script-task": "scriptTask",
    "user-task": "userTask",
    "manual-task": "manualTask",
    "send-task": "sendTask",
    "receive-task": "receiveTask",
    "business-rule-task": "businessRuleTask",
}
#: Elements by the types of jobs.
_BY_TYPE: Final = {**_BY_CONSTRUCT, "script": "scriptTask", "shell": "scriptTask"}
_SCRIPT_FORMATS: Final = {
    "js": "application/javascript",
    "javascript": "application/javascript",
    "python": "text/x-python",
}
#: First words of names of steps that are of interest to engineers only.
_SHAPING: Final = frozenset(
    {
        "assign", "clear", "copy", "extract", "init", "initialise", "initialize", "map",
        "normalise", "normalize", "reset", "set", "transform",
    }
)  # fmt: skip
#: A process's name as a reference, which has to be one of XML.
_NAME: Final = re.compile(r"[A-Za-z_][\w.\-]*", re.ASCII)


@writes(Task)
def write_task(node: Task, sheet: Sheet, into: Composition) -> Shape:
    """Work that somebody does."""
    kind = node.action.type
    name = _BY_CONSTRUCT.get(node.construct) or (
        _BY_TYPE.get(kind, "serviceTask") if isinstance(kind, str) else "serviceTask"
    )
    shape = into.node(sheet, name, node)
    if name == "scriptTask":
        _add_script(shape, node)
    return shape


def _add_script(shape: Shape, node: Task) -> None:
    arguments = node.action.arguments
    members = dict(arguments.members) if isinstance(arguments, Record) else {}
    language = _constant(members.get("language")) or _constant(members.get("format"))
    if node.action.type == "shell":
        language = "text/x-shellscript"
    if language:
        shape.attributes["scriptFormat"] = _SCRIPT_FORMATS.get(language, language)
    code = next(
        (text for name in ("code", "script", "command") if (text := _constant(members.get(name)))),
        "",
    )
    if code:
        shape.inside.append(Tag("script", {}, [], code))


@writes(Assign)
def write_assign(node: Assign, sheet: Sheet, into: Composition) -> Shape:
    """Pure data: a script in jq."""
    shape = into.node(sheet, "scriptTask", node)
    shape.attributes["scriptFormat"] = JQ_SCRIPT
    shape.inside.append(Tag("script", {}, [], as_jq(node.value)))
    if into.view == "business" and node.guard is None and not into.is_guarded(node):
        is_made, is_detail = not node.construct, _is_detail(node)
        if is_made or is_detail:
            shape.name, shape.otherwise = "", shape.name
            shape.absorbs = "forward" if is_made else "around"
    return shape


def _is_detail(node: Assign) -> bool:
    """Whether a step only puts data into another form, and its name says no more."""
    first = words.words_of(node.name)[:1]
    return node.construct == "set" and bool(first) and first[0].lower() in _SHAPING


@writes(Call)
def write_call(node: Call, sheet: Sheet, into: Composition) -> Shape:
    """Another process."""
    shape = into.node(sheet, "callActivity", node)
    if _NAME.fullmatch(node.process):
        shape.attributes["calledElement"] = node.process
    return shape


@writes(Pass)
def write_pass(node: Pass, sheet: Sheet, into: Composition) -> Shape:
    """Nothing is done: a task of no kind, or an event or gateway that lets everything pass."""
    construct = node.construct
    if construct == "exclusive-gateway":
        return into.node(sheet, "exclusiveGateway", node)
    is_event = construct.startswith(("intermediate-", "boundary-", "start-"))
    if is_event or construct == "end-event-multiple":
        return into.node(sheet, "intermediateThrowEvent", node)
    if construct == "manual-task":
        return into.node(sheet, "manualTask", node)
    shape = into.node(sheet, "task", node)
    if not construct:
        # A reader made it, to have a place for something.
        shape.absorbs = "forward" if into.lookup.leaving(node.id) else ""
        shape.name = "" if shape.absorbs else "task"
    return shape


def loop_tag(loop: Loop) -> Tag:
    """What an activity says that runs while a condition is true."""
    tag = Tag("standardLoopCharacteristics")
    tag.attributes["testBefore"] = "true" if loop.is_tested_before else "false"
    maximum = _constant(loop.maximum)
    if maximum.isdigit() and int(maximum) > 0:
        tag.attributes["loopMaximum"] = maximum
    if loop.condition is not None:
        tag.children.append(expression("loopCondition", loop.condition))
    return tag


def multi_tag(multi: MultiInstance) -> Tag:
    """What an activity says that runs several times."""
    sequential = "true" if multi.is_sequential else "false"
    tag = Tag("multiInstanceLoopCharacteristics", {"isSequential": sequential})
    count: Expression | None = None
    if isinstance(multi.collection, Expression):
        count = Expression(text=f"({multi.collection.text}) | length")
    elif multi.collection is not None:
        count = Expression(text=f"{as_jq(multi.collection)} | length")
    elif isinstance(multi.cardinality, Expression):
        count = multi.cardinality
    elif multi.cardinality is not None:
        count = Expression(text=_constant(multi.cardinality) or "1")
    tag.children.append(expression("loopCardinality", count or Expression(text="1")))
    if multi.completion is not None:
        tag.children.append(expression("completionCondition", multi.completion))
    return tag


def _constant(value: Value | None) -> str:
    if isinstance(value, Constant) and isinstance(value.document, str | int | float):
        return str(value.document)
    return ""
