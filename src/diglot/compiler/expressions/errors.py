"""What can go wrong with an expression: its text, its evaluation, or its appetite."""

from __future__ import annotations

from typing import Any


class ExpressionSyntaxError(Exception):
    """The text is not jq; `offset` and `end` are characters into the text."""

    def __init__(self, message: str, offset: int, end: int) -> None:
        super().__init__(message)
        self.message = message
        self.offset = offset
        self.end = max(end, offset)


class ExpressionError(Exception):
    """The evaluation failed; `value` is what jq's `catch` would see, a string as a rule."""

    def __init__(self, value: Any) -> None:
        super().__init__(value)
        self.value = value

    def __str__(self) -> str:
        from .values import shown

        return self.value if isinstance(self.value, str) else shown(self.value, 200)


class ExpressionLimit(ExpressionError):
    """The evaluation was ended because it asked for too much.

    `limit` is `fuel`, `depth`, `size`, `time`, `memory` or `crash`. No `try` of an expression
    catches it.
    """

    def __init__(self, limit: str, message: str = "") -> None:
        super().__init__(message or f"the expression was ended by its {limit} limit")
        self.limit = limit
