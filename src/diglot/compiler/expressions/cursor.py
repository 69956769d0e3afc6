"""A place in a list of tokens, and the errors that point to it."""

from __future__ import annotations

from collections.abc import Callable

from . import tree
from .errors import ExpressionSyntaxError
from .lexer import Token

#: Brackets, definitions and signs that may stand inside each other.
MAX_NESTING = 60

_NAMES = {
    "END": "the end of the expression",
    "STRING": "a string",
    "NUMBER": "a number",
    "IDENT": "a name",
    "VARIABLE": "a variable",
}


class Cursor:
    """Reads tokens in order; never moves behind the END token.

    `query` and `expression` are the rules a term may hold inside of its brackets.
    """

    def __init__(
        self,
        text: str,
        found: list[Token],
        query: Callable[[Cursor], tree.Node],
        expression: Callable[[Cursor], tree.Node],
    ) -> None:
        self.text = text
        self.query = query
        self.expression = expression
        self._tokens = found
        self._at = 0
        self._nesting = 0

    @property
    def token(self) -> Token:
        """The token that is next."""
        return self._tokens[self._at]

    @property
    def kind(self) -> str:
        """The kind of the token that is next."""
        return self._tokens[self._at].kind

    @property
    def next_kind(self) -> str:
        """The kind of the token after the next one."""
        return self._tokens[min(self._at + 1, len(self._tokens) - 1)].kind

    def is_at(self, *kinds: str) -> bool:
        """Whether the token that is next is of one of these kinds."""
        return self.kind in kinds

    @property
    def last_end(self) -> int:
        """Where the token before this place ends."""
        return self._tokens[self._at - 1].end if self._at else 0

    def take(self) -> Token:
        """The next token; the cursor moves behind it."""
        token = self._tokens[self._at]
        if token.kind != "END":
            self._at += 1
        return token

    def skip(self, kind: str) -> bool:
        """Move behind the next token if it is of `kind`."""
        if self._tokens[self._at].kind != kind:
            return False
        self._at += 1
        return True

    def expect(self, kind: str, where: str) -> Token:
        """The next token, which must be of `kind`."""
        if self.kind != kind:
            raise self.unexpected(f"{_NAMES.get(kind, repr(kind))} {where}")
        return self.take()

    def unexpected(self, expected: str) -> ExpressionSyntaxError:
        """The error of finding something else than `expected` here."""
        token = self.token
        found = _NAMES["END"] if token.kind == "END" else repr(self.text[token.start : token.end])
        return ExpressionSyntaxError(f"expected {expected}, found {found}", token.start, token.end)

    def enter(self) -> None:
        """Go one level deeper; raises when the text is nested too deeply."""
        self._nesting += 1
        if self._nesting > MAX_NESTING:
            token = self.token
            raise ExpressionSyntaxError(
                f"nested more than {MAX_NESTING} levels deep", token.start, token.end
            )

    def leave(self) -> None:
        """Come back from `enter`."""
        self._nesting -= 1
