"""Definitions that nothing in their file names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from .. import codes
from ..diagnostics import Report, Severity
from .document import Document, Element
from .reading import name_of
from .rules.kinds import EVENT_DEFINITIONS

#: What is declared once and named elsewhere, as messages call it. Item definitions are not among
#: them: tools write them in dozens, and they have no part in a run.
_KINDS: Final[Mapping[str, str]] = {
    "correlationProperty": "correlation property",
    "dataStore": "data store",
    "error": "error",
    "escalation": "escalation",
    "interface": "interface",
    "message": "message",
    "resource": "resource",
    "signal": "signal",
    **dict.fromkeys(EVENT_DEFINITIONS, "event definition"),
}
#: By these a definition is named: in some tools by its name or code, in place of its id.
_NAMES: Final = ("id", "name", "errorCode", "escalationCode")
_HINT: Final = "Remove it, unless files that import this one name it."
#: So many are told about one file.
_MOST: Final = 100


def tell_leftovers(document: Document, report: Report) -> None:
    """Report what `definitions` declares and nothing names; other files may import it all the same.

    Whatever is written anywhere counts as naming it, also in elements of other vocabularies.
    """
    declared = [child for child in document.root.each(*_KINDS) if child.id]
    if not declared:
        return
    named = set(_written(document, {id(child) for child in declared}))
    left = [child for child in declared if not named.intersection(_names_of(child))]
    for child in left[:_MOST]:
        report.add(
            codes.UNUSED_DECLARATION,
            child.span,
            child.id,
            severity=Severity.INFO,
            hint=_HINT,
            kind=_KINDS[child.name],
            name=name_of(child) or child.id,
        )


def _names_of(declared: Element) -> Iterator[str]:
    """What a definition may be named by; an interface also by its operations."""
    parts = declared.each("operation") if declared.name == "interface" else ()
    for element in (declared, *parts):
        for name in _NAMES:
            if element.get(name):
                yield element.get(name).strip()


def _written(document: Document, declared: set[int]) -> Iterator[str]:
    """Every value in a file that may be a reference, also without its prefix."""
    for element in document.root.walk():
        own = _NAMES if id(element) in declared or element.name == "operation" else ("id",)
        values = [value for name, value in element.attributes.items() if name not in own]
        for value in (*values, *element.foreign.values(), element.text):
            value = value.strip()
            if value:
                yield value
                yield value.rpartition(":")[2]
