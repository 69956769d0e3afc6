"""Values of attributes by the simple types of the standard's schemas.

Source: XML Schema 1.0, part 2; Namespaces in XML 1.0, 3.
"""

from __future__ import annotations

import re
from typing import Final

from diglot.specs.bpmn.metamodel import Attribute

_BOOLEANS: Final = {"true": "true", "1": "1", "false": "false", "0": "0"}
#: More digits mean nothing anywhere in BPMN, and reading very many takes quadratic time.
_INTEGER: Final = re.compile(r"[+-]?[0-9]{1,18}")
_DOUBLE: Final = re.compile(
    r"[+-]?(?:[0-9]{1,40}\.?[0-9]{0,40}|\.[0-9]{1,40})(?:[eE][+-]?[0-9]{1,3})?"
)
_NO_NUMBERS: Final = frozenset({"INF", "-INF", "NaN"})
#: Letters and digits of every script; XML's own list differs in a few rare ones only.
_ID: Final = re.compile(r"[^\W\d][\w.\-\u00b7]*")


def is_id(value: str) -> bool:
    """Whether a value may be an id: an XML name without a colon."""
    # Most are plain words, which is sooner told than by the pattern.
    if value.isascii() and value.isidentifier():
        return True
    return _ID.fullmatch(value.strip()) is not None


def corrected(attribute: Attribute, value: str) -> str | None:
    """The value as the standard spells it; None where it is none of the attribute's type."""
    plain = value.strip()
    match attribute.type:
        case "boolean":
            return _BOOLEANS.get(plain) or _BOOLEANS.get(plain.lower())
        case "integer" | "int":
            return plain if _INTEGER.fullmatch(plain) else None
        case "double":
            return plain if plain in _NO_NUMBERS or _DOUBLE.fullmatch(plain) else None
        case "enum":
            by_lower = {one.lower(): one for one in attribute.values}
            return plain if plain in attribute.values else by_lower.get(plain.lower())
        case _:
            return plain


def expectation(attribute: Attribute) -> str:
    """What an attribute's value has to be, as it stands in a sentence."""
    match attribute.type:
        case "boolean":
            return "`true` or `false`"
        case "integer" | "int":
            return "an integer"
        case "double":
            return "a number"
        case _:
            *most, last = (f"`{one}`" for one in attribute.values)
            return f"{', '.join(most)} or {last}" if most else last
