"""Text to tokens and tokens to a tree: what the readers of all languages share.

Nothing here recurses without counting: brackets, prefixes and chains are bounded, so that a
hostile text is refused and never exhausts the stack.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import NamedTuple, NoReturn

import msgspec

from .result import MAX_DEPTH, MAX_NESTING, MAX_TEXT, Refused
from .tree import Index, Member, Method, Node, depth


class Token(NamedTuple):
    """A token; `kind` is a sign or keyword itself, else NAME, NUMBER, STRING or END.

    `value` is the bare name, the text of a number, or the characters of a string.
    """

    kind: str
    value: str
    start: int
    end: int


def check_text(text: str) -> None:
    """Raise `Refused` for a text that is empty, too long, or holds what no text may."""
    if not text.strip():
        raise Refused(0, len(text), "it is empty", kind="syntax")
    if len(text) > MAX_TEXT:
        raise Refused(
            0, len(text), f"it is longer than {MAX_TEXT} characters", kind="size"
        )  # fmt: skip
    for place, character in enumerate(text):
        if character == "\0" or "\ud800" <= character <= "\udfff":
            raise Refused(
                place, place + 1, f"the character U+{ord(character):04X} is not allowed",
                kind="syntax",
            )  # fmt: skip


def tokens(
    text: str,
    pattern: re.Pattern[str],
    keywords: Iterable[str],
    start: int = 0,
    end: int | None = None,
) -> list[Token]:
    """The tokens of a stretch, ended by END.

    Groups of the pattern say what was found: `space` (dropped), `name`, `number`, `string` (with
    its quotes and backslashes), and anything else for signs.
    """
    found: list[Token] = []
    words = frozenset(keywords)
    limit = len(text) if end is None else end
    place = start
    while place < limit:
        read = pattern.match(text, place, limit)
        if read is None:
            if text[place] in "\"'`":
                raise Refused(place, limit, "this string is not closed", kind="syntax")
            raise Refused(
                place, place + 1, f"the character `{text[place]}` means nothing here", kind="syntax"
            )
        word = read.group()
        match read.lastgroup:
            case "space":
                pass
            case "name":
                kind = word if word in words else "NAME"
                found.append(Token(kind, word, place, read.end()))
            case "number":
                found.append(Token("NUMBER", word, place, read.end()))
            case "string":
                found.append(Token("STRING", word, place, read.end()))
            case _:
                found.append(Token(word, word, place, read.end()))
        place = read.end()
    found.append(Token("END", "", limit, limit))
    return found


class Reader:
    """A place in a list of tokens."""

    def __init__(self, text: str, found: list[Token]) -> None:
        self.text = text
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

    def is_at(self, *kinds: str) -> bool:
        """Whether the next token is one of these."""
        return self.kind in kinds

    def ahead(self, count: int = 1) -> Token:
        """The token that many places behind the next one."""
        return self._tokens[min(self._at + count, len(self._tokens) - 1)]

    @property
    def last_end(self) -> int:
        """Where the token before this place ends."""
        return self._tokens[self._at - 1].end if self._at else self._tokens[0].start

    @property
    def place(self) -> int:
        """The number of the next token; `back_to` returns to it."""
        return self._at

    def back_to(self, place: int) -> None:
        """Return to a place that was left."""
        self._at = place

    def take(self) -> Token:
        """The next token; the place moves behind it."""
        token = self._tokens[self._at]
        if token.kind != "END":
            self._at += 1
        return token

    def skip(self, *kinds: str) -> bool:
        """Move behind the next token if it is one of these."""
        if self.kind not in kinds:
            return False
        self.take()
        return True

    def expect(self, kind: str, purpose: str) -> Token:
        """The next token, which has to be of that kind."""
        if self.kind != kind:
            self.unexpected(_WORDS.get(kind, f"`{kind}` {purpose}"))
        return self.take()

    def unexpected(self, expected: str) -> NoReturn:
        """Raise `Refused`: here stands something else than `expected`."""
        token = self.token
        if token.kind == "END":
            end = self.last_end
            raise Refused(
                max(0, end - 1), end, f"it ends where {expected} must follow", kind="syntax"
            )
        shown = self.text[token.start : token.end]
        raise Refused(
            token.start, token.end, f"{expected} must stand here, not `{shown}`", kind="syntax"
        )

    def enter(self) -> None:
        """Go one level deeper; raises `Refused` when there are too many."""
        self._nesting += 1
        if self._nesting > MAX_NESTING:
            token = self.token
            raise Refused(
                token.start, token.end, f"it is nested more than {MAX_NESTING} levels deep",
                kind="size",
            )  # fmt: skip

    def leave(self) -> None:
        """Come back from `enter`."""
        self._nesting -= 1

    def widened(self, node: Node, start: int) -> Node:
        """A node that was read in brackets, with their place."""
        return msgspec.structs.replace(node, start=start, end=self.last_end)

    def end(self, node: Node) -> Node:
        """The tree of the whole text; raises `Refused` when something follows or it is too deep."""
        if self.kind != "END":
            self.unexpected("an operator or the end")
        if depth(node) > MAX_DEPTH:
            raise Refused(node.start, node.end, "it has too many parts in a row", kind="size")
        return node


_WORDS = {"NAME": "a name", "NUMBER": "a number", "STRING": "a string"}

_ESCAPE = re.compile(r"\\(u+[0-9a-fA-F]{4}|U[0-9a-fA-F]{6}|.)", re.DOTALL)
_CONTROLS = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}


def unescaped(token: Token, *, controls: bool = True) -> str:
    """The characters of a string token; without `controls` a backslash only takes the next one.

    Raises `Refused` when an escape makes half a character or one that is not allowed.
    """

    def one(found: re.Match[str]) -> str:
        code = found.group(1)
        if not controls or len(code) == 1:
            return _CONTROLS.get(code, code) if controls else code
        return chr(min(int(code.lstrip("uU"), 16), 0x10FFFF))

    inner = token.value[1:-1]
    if "\\" not in inner:
        return inner
    value = _ESCAPE.sub(one, inner)
    if controls:
        # Two halves that were escaped one by one are one character.
        value = value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if "\0" in value or ("\ufffd" in value and "\ufffd" not in inner):
        raise Refused(
            token.start, token.end, "this string has a character that is not allowed",
            kind="syntax",
        )  # fmt: skip
    return value


def number_value(token: Token, text: str) -> int | float:
    """The value of a number's text; raises `Refused` beyond the range of a number."""
    if text.isdigit() and len(text) <= 300:
        return int(text)
    value = float(text)
    if value in (float("inf"), float("-inf")):
        raise Refused(token.start, token.end, "this number is too large", kind="size")
    return int(value) if value.is_integer() and abs(value) < 2**53 else value


def followed(
    reader: Reader,
    node: Node,
    expression: Callable[[Reader], Node],
    arguments: Callable[[Reader], tuple[Node, ...]],
    dots: tuple[str, ...] = (".",),
) -> Node:
    """A value with the members, methods and keys that stand behind it."""
    while True:
        if reader.skip(*dots):
            name = reader.take()
            if not re.fullmatch(r"[\w$]+", name.value):
                reader.back_to(reader.place - 1)
                reader.unexpected("a name")
            if reader.kind == "(":
                place = (name.start, name.end)
                given = arguments(reader)
                node = Method(node.start, reader.last_end, node, name.value, given, place)
            else:
                node = Member(node.start, name.end, node, name.value)
        elif reader.skip("["):
            key = expression(reader)
            reader.expect("]", "after the key")
            node = Index(node.start, reader.last_end, node, key)
        else:
            return node
