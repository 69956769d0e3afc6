"""Which strings of a document are expressions, in the DSL's strict mode.

Source: DSL reference, runtime expressions.
"""

from __future__ import annotations

from .errors import ExpressionSyntaxError
from .lexer import end_of_braces

_OPEN = "${"


def expression_text(value: str) -> tuple[str, int] | None:
    """The text within `${...}` and where it begins, when that is the whole trimmed string.

    The brace that closes is the one that belongs to the first, not merely the last of the string:
    `${ .a } and ${ .b }` is no expression.
    """
    stripped = value.strip()
    if not stripped.startswith(_OPEN) or not stripped.endswith("}"):
        return None
    offset = len(value) - len(value.lstrip()) + len(_OPEN)
    last = offset - len(_OPEN) + len(stripped) - 1
    try:
        end = end_of_braces(value, offset)
    except ExpressionSyntaxError:
        # Whoever compiles the text gives the reason.
        end = last
    if end < last:
        return None
    return value[offset:last], offset


def has_embedded_expression(value: str) -> bool:
    """Whether a string that is no expression looks as if its author wanted one in it."""
    start = value.find(_OPEN)
    return start >= 0 and value.find("}", start) >= 0 and expression_text(value) is None
