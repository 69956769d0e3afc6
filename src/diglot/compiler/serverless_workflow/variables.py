"""The variables that a document binds, for strings that may or may not be expressions."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .located import Json

#: Source: DSL, Runtime expression arguments.
ARGUMENTS = frozenset(
    ("context", "input", "output", "secrets", "authorization", "task", "workflow", "runtime")
)
#: What loops, iterators and catches call their variables where the author gives no name.
_DEFAULTS = frozenset(("item", "index", "error"))
_NAMING = ("each", "at", "item", "as")


def bound_names(document: Json) -> frozenset[str]:
    """Every name that an expression somewhere in the document may use as a variable."""
    found: set[str] = {*ARGUMENTS, *_DEFAULTS}
    rest: list[Json] = [document]
    while rest:
        part = rest.pop()
        if isinstance(part, dict):
            named = (part.get(key) for key in _NAMING)
            found.update(name for name in named if isinstance(name, str))
            rest.extend(part.values())
        elif isinstance(part, list):
            rest.extend(part)
    return frozenset(found)
