"""JUEL: the unified expression language in `${..}` and `#{..}`, and text around it.

Source: JSR 245 (EL 2.2), 1.3 to 1.19.
"""

from __future__ import annotations

import re
from typing import Final

from .operators import (
    AND,
    EQUALITY,
    OR,
    ORDER,
    PRODUCT,
    SUM,
    Operator,
    by_table,
    operations,
)
from .reading import Reader, followed, number_value, tokens
from .result import Refused
from .tree import Call, Conditional, Literal, Name, Node, Text, Unary

_PATTERN: Final = re.compile(
    r"""
      (?P<space>\s+)
    | (?P<number>[0-9]+(?:\.[0-9]*)?(?:[eE][+-]?[0-9]+)?|\.[0-9]+(?:[eE][+-]?[0-9]+)?)
    | (?P<name>[^\W\d][\w$]*|\$[\w$]+)
    | (?P<string>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')
    | (?P<sign>&&|\|\||==|!=|<=|>=|\+=|->|[<>!?:+\-*/%().,\[\]=;{}])
    """,
    re.VERBOSE | re.DOTALL,
)
_KEYWORDS: Final = (
    "and", "or", "not", "eq", "ne", "lt", "gt", "le", "ge", "true", "false", "null", "empty",
    "div", "mod", "instanceof",
)  # fmt: skip

_TABLE: Final[dict[str, Operator]] = {
    **dict.fromkeys(("||", "or"), Operator("or", OR)),
    **dict.fromkeys(("&&", "and"), Operator("and", AND)),
    **dict.fromkeys(("==", "eq"), Operator("==", EQUALITY)),
    **dict.fromkeys(("!=", "ne"), Operator("!=", EQUALITY)),
    **dict.fromkeys(("<", "lt"), Operator("<", ORDER)),
    **dict.fromkeys((">", "gt"), Operator(">", ORDER)),
    **dict.fromkeys(("<=", "le"), Operator("<=", ORDER)),
    **dict.fromkeys((">=", "ge"), Operator(">=", ORDER)),
    "+": Operator("+", SUM),
    "-": Operator("-", SUM),
    "*": Operator("*", PRODUCT),
    **dict.fromkeys(("/", "div"), Operator("/", PRODUCT)),
    **dict.fromkeys(("%", "mod"), Operator("%", PRODUCT)),
}
_PEEK: Final = by_table(_TABLE)
_CONSTANTS: Final = {"true": True, "false": False, "null": None}
#: What the vendors that write JUEL call the numbers of instances (BPMN 2.0.2 Table 10.30).
_COUNTERS: Final = {
    "nrOfInstances": "numberOfInstances",
    "nrOfActiveInstances": "numberOfActiveInstances",
    "nrOfCompletedInstances": "numberOfCompletedInstances",
}
_OPEN: Final = re.compile(r"\\\\|\\(?=[$#]\{)|[$#]\{")


def read(text: str) -> Node:
    """The tree of a body, or of text with `${..}` in it; raises `Refused`."""
    if _OPEN.search(text) is None:
        return _body(text, 0, len(text))
    parts = _parts(text)
    nodes = [part for part in parts if isinstance(part, Node)]
    rest = "".join(part for part in parts if isinstance(part, str))
    if len(nodes) == 1 and not rest.strip():
        return nodes[0]
    return Text(0, len(text), tuple(parts))


def _parts(text: str) -> list[str | Node]:
    """Characters and expressions in turn; a backslash makes `${` two characters as others."""
    parts: list[str | Node] = []
    characters: list[str] = []
    place = 0
    while (found := _OPEN.search(text, place)) is not None:
        characters.append(text[place : found.start()])
        if found.group().startswith("\\"):
            is_pair = len(found.group()) == 2
            characters.append("\\" if is_pair else text[found.end() : found.end() + 2])
            place = found.end() + (0 if is_pair else 2)
            continue
        if "".join(characters):
            parts.append("".join(characters))
        characters = []
        end = closing(text, found.end())
        if end is None:
            raise Refused(found.start(), len(text), "this `{` is not closed", kind="syntax")
        parts.append(_body(text, found.end(), end))
        place = end + 1
    characters.append(text[place:])
    if "".join(characters):
        parts.append("".join(characters))
    return parts


def closing(text: str, start: int) -> int | None:
    """Where the brace stands that closes one opened before `start`; strings may hold any."""
    place = start
    depth = 1
    while place < len(text):
        sign = text[place]
        if sign in "\"'":
            end = _PATTERN.match(text, place)
            if end is None:
                return None
            place = end.end()
            continue
        depth += {"{": 1, "}": -1}.get(sign, 0)
        if depth == 0:
            return place
        place += 1
    return None


def _body(text: str, start: int, end: int) -> Node:
    if not text[start:end].strip():
        raise Refused(max(0, start - 2), min(end + 1, len(text)), "it is empty", kind="syntax")
    reader = Reader(text, tokens(text, _PATTERN, _KEYWORDS, start, end))
    return reader.end(_expression(reader))


def _expression(reader: Reader) -> Node:
    reader.enter()
    node = operations(reader, _PEEK, _unary)
    if reader.skip("?"):
        then = _expression(reader)
        reader.expect(":", "between the two results")
        otherwise = _expression(reader)
        node = Conditional(node.start, otherwise.end, node, then, otherwise)
    elif reader.kind in ("=", ";", "->", "+=", "instanceof"):
        token = reader.token
        raise Refused(
            token.start, token.end, f"`{token.value}` is not carried",
            "Compare with `==`." if token.value == "=" else "",
        )  # fmt: skip
    reader.leave()
    return node


def _unary(reader: Reader) -> Node:
    token = reader.token
    if token.kind in ("!", "not", "-", "empty"):
        reader.take()
        reader.enter()
        operand = _unary(reader)
        reader.leave()
        operator = {"!": "not"}.get(token.kind, token.kind)
        return Unary(token.start, operand.end, operator, operand)
    return _postfix(reader)


def _postfix(reader: Reader) -> Node:
    return followed(reader, _primary(reader), _expression, _arguments)


def _arguments(reader: Reader) -> tuple[Node, ...]:
    reader.expect("(", "before the arguments")
    found: list[Node] = []
    if not reader.skip(")"):
        found.append(_expression(reader))
        while reader.skip(","):
            found.append(_expression(reader))
        reader.expect(")", "after the arguments")
    return tuple(found)


def _primary(reader: Reader) -> Node:
    token = reader.take()
    match token.kind:
        case "NUMBER":
            return Literal(token.start, token.end, number_value(token, token.value))
        case "STRING":
            return Literal(token.start, token.end, _string(token.value))
        case "true" | "false" | "null":
            return Literal(token.start, token.end, _CONSTANTS[token.kind])
        case "(":
            node = _expression(reader)
            reader.expect(")", "to close the bracket")
            return reader.widened(node, token.start)
        case "NAME":
            return _named(reader, token.value, token.start, token.end)
        case _:
            if token.kind != "END":
                reader.back_to(reader.place - 1)
            reader.unexpected("a value")


def _named(reader: Reader, name: str, start: int, end: int) -> Node:
    follows = reader.ahead()
    is_prefix = reader.kind == ":" and follows.kind == "NAME" and reader.token.start == end
    if is_prefix and reader.ahead(2).kind == "(":
        reader.take()
        name = f"{name}:{reader.take().value}"
    if reader.kind == "(":
        arguments = _arguments(reader)
        return Call(start, reader.last_end, name, arguments)
    return Name(start, end, _COUNTERS.get(name, name))


def _string(word: str) -> str:
    # Only quotes and backslashes are escaped in EL.
    return re.sub(r"\\([\\\"'])", r"\1", word[1:-1])
