"""What a file declares once and events refer to: messages, signals, errors, escalations."""

from __future__ import annotations

from ...graph import Constant, ErrorTemplate, ErrorTrigger, EventFilter, Record, Value
from . import labels, words
from .ids import Ids
from .tag import Tag


class Roots:
    """The declarations of one file, in the order in which they are first used."""

    def __init__(self, ids: Ids) -> None:
        self._ids = ids
        self._tags: dict[tuple[str, ...], Tag] = {}

    @property
    def tags(self) -> list[Tag]:
        """The declarations as elements."""
        return list(self._tags.values())

    def message(self, name: str) -> str:
        """The id of a message."""
        return self._declare("message", {"name": name}, name)

    def signal(self, name: str) -> str:
        """The id of a signal."""
        return self._declare("signal", {"name": name}, name)

    def error(self, name: str, code: str) -> str:
        """The id of an error."""
        members = {"name": name, "errorCode": code} if code else {"name": name}
        return self._declare("error", members, code or name)

    def escalation(self, code: str) -> str:
        """The id of an escalation."""
        members = {"name": words.spoken(code), "escalationCode": code}
        return self._declare("escalation", members, code)

    def _declare(self, name: str, members: dict[str, str], wish: str) -> str:
        key = (name, *members.values())
        tag = self._tags.get(key)
        if tag is None:
            called = members["name"]
            if any(one.name == name and one.attributes["name"] == called for one in self.tags):
                # What a reader can choose from has names of its own.
                called = f"{called} ({wish})"
            wish = wish.rstrip("/").rpartition("/")[2]
            id = self._ids.take(f"{name}_{wish}", name)
            tag = self._tags[key] = Tag(name, {"id": id, **members, "name": called})
        return tag.id


def event_name(filter: EventFilter) -> str:
    """What a message or signal is called that a filter takes."""
    for attribute in filter.attributes:
        if attribute.name == "type" and (text := constant(attribute.value)):
            return text
    return labels.awaited(filter)


def emitted_name(event: Value) -> str:
    """What a message or signal is called that is sent."""
    if isinstance(event, Record):
        for name, value in event.members:
            if name == "type" and (text := constant(value)):
                return text
    return "Event"


def error_of_trigger(trigger: ErrorTrigger) -> tuple[str, str] | None:
    """Name and code of the error that a handler takes; None where it takes more than one."""
    for wanted in ("type", "status"):
        for name, value in trigger.match:
            if name == wanted and (code := constant(value)):
                return words.error(code), code
    return None


def error_of_template(error: ErrorTemplate | None) -> tuple[str, str] | None:
    """Name and code of an error that is raised."""
    if error is None:
        return None
    code = constant(error.type) or getattr(error.type, "text", "")
    title = constant(error.title)
    return title or labels.error(error.type), code


def constant(value: Value | None) -> str:
    """The text of a constant; empty where it is none."""
    if isinstance(value, Constant) and isinstance(value.document, str | int | float):
        return str(value.document)
    return ""
