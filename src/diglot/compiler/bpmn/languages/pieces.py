"""Pieces of jq, each with its precedence and its place in the author's text.

A piece is made of a template and operands. The template says how tightly each operand has to
bind; one that does not gets parentheses:

== ====================================================
%q anything: inside brackets, or as a stage of a pipe's end
%s a stage of a pipe, an argument that binds
%n an operand of `and`, `or`
%c an operand of a comparison
%a the operand of a sum that is first; %m another one, or the first one of a product
%t a term
%% the sign itself
== ====================================================
"""

from __future__ import annotations

import json
import re
from typing import Any, Final

import msgspec
from msgspec.structs import replace

QUERY, STAGE, OR, AND, COMPARISON, SUM, PRODUCT, TERM = range(8)

_LEVELS: Final = {
    "q": QUERY, "s": OR, "n": COMPARISON, "c": SUM, "a": SUM, "m": PRODUCT, "t": TERM,
}  # fmt: skip
_MARKS = re.compile(r"%(.)")
_FIELD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*", re.ASCII)

#: The value of a piece that is no constant.
OPEN: Final[Any] = object()


class Piece(msgspec.Struct, frozen=True):
    """Some jq: `kind` is what it yields, as the language calls it.

    `value` is the constant it stands for, else `OPEN`. `is_path` says that a step may follow.
    """

    parts: tuple[str | Piece, ...]
    level: int = TERM
    kind: str = "any"
    start: int = -1
    end: int = -1
    value: Any = OPEN
    is_path: bool = False

    def at(self, start: int, end: int) -> Piece:
        """The same piece with a place, unless it has one."""
        return self if self.start >= 0 else replace(self, start=start, end=end)

    def of(self, kind: str) -> Piece:
        """The same piece, known to yield this kind."""
        return replace(self, kind=kind)


def compose(template: str, *operands: Piece, level: int = TERM, kind: str = "any") -> Piece:
    """A piece of a template and its operands; see the top of this file."""
    parts: list[str | Piece] = []
    pending = iter(operands)
    last = 0
    for mark in _MARKS.finditer(template):
        parts.append(template[last : mark.start()])
        last = mark.end()
        if mark.group(1) == "%":
            parts.append("%")
            continue
        operand = next(pending)
        if operand.level >= _LEVELS[mark.group(1)]:
            parts.append(operand)
        else:
            parts.extend(("(", operand, ")"))
    parts.append(template[last:])
    return Piece(tuple(part for part in parts if part != ""), level, kind)


def joined(template: str, separator: str, operands: list[Piece]) -> Piece:
    """The operands, each in the template, with a separator between them; not a term by itself."""
    return compose(separator.join([template] * len(operands)), *operands, level=QUERY)


def constant(value: Any, kind: str) -> Piece:
    """A constant as JSON; below zero it stands in parentheses, for jq's minus binds loosely."""
    text = json.dumps(value, ensure_ascii=False)
    if type(value) in (int, float) and value < 0:
        text = f"({text})"
    return Piece((text,), kind=kind, value=value)


def quoted(text: str) -> str:
    """A string of jq; `%` is doubled, so that it can stand in a template."""
    return json.dumps(text, ensure_ascii=False).replace("%", "%%")


def field(base: Piece, name: str) -> Piece:
    """The entry of that name."""
    step = f".{name}" if _FIELD.fullmatch(name) else f"[{json.dumps(name, ensure_ascii=False)}]"
    if base.parts == (".",):
        return Piece((step if step[0] == "." else f".{step}",), is_path=True)
    if base.is_path:
        return Piece((base, step), is_path=True)
    return replace(compose(f"(%q){step.replace('%', '%%')}", base), is_path=True)


def mentions(piece: Piece, name: str) -> bool:
    """Whether a jq variable stands somewhere in a piece."""
    pending: list[str | Piece] = [piece]
    while pending:
        found = pending.pop()
        if isinstance(found, Piece):
            pending.extend(found.parts)
        elif name in found:
            return True
    return False


def is_short(piece: Piece) -> bool:
    """Whether a piece may stand twice without making a program much longer."""
    return piece.is_path and len(render(piece)[0]) <= 100


def render(piece: Piece) -> tuple[str, list[tuple[int, int, int, int]]]:
    """The text of a piece and the places of it and its parts; see `Translation.map`."""
    written: list[str] = []
    length = 0
    places: list[tuple[int, int, int, int]] = []
    pending: list[str | Piece | tuple[int, Piece]] = [piece]
    while pending:
        found = pending.pop()
        if isinstance(found, str):
            written.append(found)
            length += len(found)
        elif isinstance(found, Piece):
            pending.append((length, found))
            pending.extend(reversed(found.parts))
        else:
            start, done = found
            if done.start >= 0:
                places.append((start, length, done.start, done.end))
    places.sort(key=lambda place: (place[0], -place[1]))
    return "".join(written), places
