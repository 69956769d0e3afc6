"""What other languages write otherwise than jq."""

from __future__ import annotations

import re
from typing import Final

from .. import codes
from ..diagnostics import Diagnostic, Fix
from ..hints import meant_in
from .fix import Place, fixes

_NAME: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,60}")
_OPERATORS: Final = {"&&": "and", "||": "or"}
#: A condition that is negated as a whole: a path, and nothing behind it.
_NEGATED: Final = re.compile(r"!\s*(\.[\w.]+|\([^()]{1,200}\))")
#: A text in single quotes, without anything that a text in double quotes would read otherwise.
_SINGLE: Final = re.compile(r"'([^'\"\\\n]{0,200})'")


@fixes(codes.EXPRESSION_SYNTAX)
def operator(_: Diagnostic, place: Place) -> Fix | None:
    """`and` and `or`, and `==` for what other languages write so."""
    text = place.source.text
    for written, meant in _OPERATORS.items():
        # The parser may have stopped at the first of the two characters or at the second.
        for at in (place.start, place.start - 1):
            if at >= 0 and text.startswith(written, at):
                return _put(place, at, at + 2, meant)
    for at in range(place.start, place.start - 3, -1):
        if at >= 0 and text.startswith("===", at):
            return Place(place.source, at, at + 3).replace("==")
    return None


@fixes(codes.EXPRESSION_SYNTAX)
def negation(_: Diagnostic, place: Place) -> Fix | None:
    """`not` behind a pipe."""
    found = _NEGATED.match(place.source.text, place.start)
    if found is None:
        return None
    return Place(place.source, *found.span()).replace(f"({found[1]} | not)")


@fixes(codes.EXPRESSION_SYNTAX)
def double_quotes(_: Diagnostic, place: Place) -> Fix | None:
    """A text in double quotes, where the document has none around the expression."""
    found = _SINGLE.match(place.source.text, place.start)
    if found is None:
        return None
    line = place.source.text[slice(*place.line)]
    if '"' in line:
        return None
    return Place(place.source, *found.span()).replace(f'"{found[1]}"')


@fixes(codes.UNKNOWN_FUNCTION)
def property_of_the_input(found: Diagnostic, place: Place) -> Fix | None:
    """A property, whose name lacks its point."""
    is_known = meant_in(found.hint) is not None
    if is_known or str(found.parameters.get("arguments")) != "0":
        return None
    if not _NAME.fullmatch(place.text) or place.text != found.parameters.get("name"):
        return None
    return place.replace(f".{place.text}")


def _put(place: Place, start: int, end: int, word: str) -> Fix:
    """A word in the place of signs, with the spaces that it needs."""
    text = place.source.text
    before = "" if start and text[start - 1].isspace() else " "
    after = "" if end < len(text) and text[end].isspace() else " "
    edit = place.edit(f"{before}{word}{after}", start, end)
    return Fix(f"Write `{word}` for `{text[start:end]}`.", (edit,))
