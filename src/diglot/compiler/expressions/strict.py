"""Which strings are expressions in strict mode: those that are `${ ... }` as a whole.

Source: DSL, Runtime Expressions; our decision A22.
"""

from __future__ import annotations

import re

_WHOLE = re.compile(r"\s*\$\{(.*)\}\s*", re.DOTALL)
_EMBEDDED = re.compile(r"\$\{[^{}]*\}")


def expression_text(value: str) -> tuple[str, int] | None:
    """The text inside `${ }` and its offset in `value`, if the whole trimmed string is that."""
    found = _WHOLE.fullmatch(value)
    return None if found is None else (found.group(1), found.start(1))


def has_embedded_expression(value: str) -> bool:
    """Whether `${ }` stands inside longer text, where it is a literal."""
    return expression_text(value) is None and _EMBEDDED.search(value) is not None
