"""What stands in and beside the shapes: the names of a graph's parts in words."""

from __future__ import annotations

import re
from typing import Final

from ...graph import (
    Assign,
    Call,
    CancelTrigger,
    Compensate,
    CompensationTrigger,
    ConditionTrigger,
    Constant,
    Duration,
    Emit,
    End,
    ErrorTrigger,
    EscalationTrigger,
    EventFilter,
    EventStrategy,
    EventTrigger,
    Fork,
    Handler,
    Join,
    Node,
    Pass,
    Race,
    Raise,
    Receive,
    Record,
    ScopeNode,
    SeveralTrigger,
    Start,
    Task,
    TimerTrigger,
    Trigger,
    Value,
    Wait,
)
from . import conditions, times, words

#: Names of waits that say nothing else than that time passes.
_WAITING: Final = frozenset({"wait", "pause", "sleep", "delay"})
#: The name of a task at the end of a pointer.
_STEP: Final = re.compile(r"/\d+/([^/]+)$")
#: What a node is called that has no name at all.
_NAMELESS: Final[dict[type, str]] = {
    Assign: "Set data",
    Call: "Call a process",
    Compensate: "Undo",
    Emit: "Send",
    Pass: "Go on",
    Raise: "Error",
    Receive: "Event received",
    ScopeNode: "Sub-process",
    Task: "Work",
    Wait: "Wait",
}


def name_of(part: Node | Handler) -> str:
    """The name that an author gave a part; BPMN's reader puts the id where there is none."""
    return "" if part.name in (part.id, part.pointer) else part.name


def node_label(node: Node) -> str:
    """What is written at the shape of a node."""
    name = name_of(node)
    match node:
        case Start():
            return _spoken(name) or _start(node)
        case End():
            return _spoken(name) or "End"
        case Fork() | Join() | Race():
            return _spoken(name)
        case Wait():
            return _wait(node, _spoken(name))
        case Receive() if not name:
            return received(node.strategy)
        case Emit() if not name:
            return f"{_emitted(node.event)} sent"
        case ScopeNode() if not name and (step := _STEP.search(node.pointer)):
            return _spoken(step[1].replace("~1", "/").replace("~0", "~"))
        case _:
            # An element without a name is known by its id.
            return _spoken(name or node.name) or _NAMELESS.get(type(node), "")


def handler_label(handler: Handler) -> str:
    """What is written at the event of a handler."""
    return _spoken(name_of(handler)) or trigger_label(handler.trigger)


def trigger_label(trigger: Trigger) -> str:
    """When something happens that is no step of its own."""
    match trigger:
        case TimerTrigger():
            return timer(trigger)
        case EventTrigger():
            return received(trigger.strategy)
        case ErrorTrigger():
            return _errors(trigger)
        case EscalationTrigger():
            return words.spoken(trigger.code) if trigger.code else "Any escalation"
        case ConditionTrigger():
            return words.raised(conditions.said(trigger.condition)) or "When a condition holds"
        case CompensationTrigger():
            return "Undo"
        case CancelTrigger():
            return "Cancelled"
        case SeveralTrigger():
            parts = [trigger_label(one) for one in trigger.triggers]
            joined = " and " if trigger.needs_all else " or "
            return joined.join([parts[0], *map(words.lowered, parts[1:])]) if parts else "Any event"


def timer(trigger: TimerTrigger) -> str:
    """When a timer fires."""
    value = trigger.value
    text = value.document if isinstance(value, Constant) else None
    match trigger.form:
        case "duration":
            return f"After {time(value)}"
        case "after":
            return f"{words.raised(time(value))} after the last end"
        case "every":
            return times.every(value) if isinstance(value, Duration) else "Again and again"
        case "instant":
            return f"At {text}" if isinstance(text, str) else "At a given time"
        case "cron":
            return times.cron(text) if isinstance(text, str) else "By the calendar"
        case _:
            return times.cycle(text) if isinstance(text, str) else "Again and again"


def time(value: Value) -> str:
    """A length of time, if it is known."""
    if isinstance(value, Duration):
        return times.length(value)
    if isinstance(value, Constant) and isinstance(value.document, str):
        return value.document
    return "a given time"


def received(strategy: EventStrategy) -> str:
    """The events that are waited for."""
    names = list(dict.fromkeys(awaited(one) for one in strategy.filters))
    if not names:
        return "Any event received" if strategy.mode == "any" else "Events received"
    joined = " and " if strategy.mode == "all" else " or "
    text = joined.join([names[0], *map(words.lowered, names[1:])])
    return f"{words.shortened(text, words.LONGEST_NAME)} received"


def awaited(filter: EventFilter) -> str:
    """The event that a filter takes."""
    for attribute in filter.attributes:
        if attribute.name == "type":
            value = attribute.value
            if isinstance(value, Constant) and isinstance(value.document, str):
                return words.event(value.document)
    return {"message": "Message", "signal": "Signal"}.get(filter.kind, "Event")


def error(value: Value | None) -> str:
    """The type of an error in words."""
    if isinstance(value, Constant) and isinstance(value.document, str) and value.document:
        return words.error(value.document)
    text = getattr(value, "text", "")
    return words.error(text) if text and "{" not in text and "://" in text else "Error"


def _spoken(name: str) -> str:
    return words.spoken(name) if name else ""


def _start(node: Start) -> str:
    texts = [trigger_label(trigger) for trigger in node.triggers]
    return " or ".join([texts[0], *map(words.lowered, texts[1:])]) if texts else "Start"


def _wait(node: Wait, name: str) -> str:
    if node.timer is None:
        until = "" if node.condition is None else conditions.said(node.condition)
        return name or (f"Until {until}" if until else "Wait")
    if node.timer.form != "duration":
        return name or words.raised(timer(node.timer))
    length = time(node.timer.value)
    if not isinstance(node.timer.value, Duration):
        return name or f"Wait {length}"
    if not name or name.lower() in _WAITING:
        return f"Wait {length}"
    # What an author wrote in words stays as it is.
    return name if name == node.name or length in name.lower() else f"{name} ({length})"


def _emitted(event: Value) -> str:
    if isinstance(event, Record):
        for name, value in event.members:
            if name == "type" and isinstance(value, Constant) and isinstance(value.document, str):
                return words.event(value.document)
    return "Event"


def _errors(trigger: ErrorTrigger) -> str:
    for wanted, value in trigger.match:
        if wanted == "type":
            return error(value)
    for wanted, value in trigger.match:
        if isinstance(value, Constant):
            return words.shortened(f"Error with {wanted} {value.document}", words.LONGEST_NAME)
    return "Certain errors" if trigger.match or trigger.when or trigger.except_when else "Any error"
