"""The variables that a document binds: their names, and those that do not do."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from .. import codes
from ..diagnostics import Severity

if TYPE_CHECKING:
    from .located import Json
    from .reading import Reading

#: Source: DSL, Runtime expression arguments.
ARGUMENTS = frozenset(
    ("context", "input", "output", "secrets", "authorization", "task", "workflow", "runtime")
)
#: What loops, iterators and catches call their variables where the author gives no name.
_DEFAULTS = frozenset(("item", "index", "error"))
_NAMING = ("each", "at", "item", "as")
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


def check_name(reading: Reading, name: str, pointer: str) -> None:
    """Report the name of a variable that no expression can read, or that hides an argument."""
    if _NAME.fullmatch(name) is None:
        reading.find(
            codes.WRONG_PATTERN,
            pointer,
            severity=Severity.WARNING,
            property=pointer.rpartition("/")[2],
            found=name[:100],
            expected="a name that an expression can use: letters, digits and underscores",
        )
    elif name in ARGUMENTS:
        reading.find(codes.ARGUMENT_HIDDEN, pointer, name=name)


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
