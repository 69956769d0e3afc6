"""The XPath of BPMN: data objects and properties, paths into them, and what compares them.

Source: BPMN 2.0.2 10.4.3; XPath 1.0.
"""

from __future__ import annotations

import re
from typing import Final

from .operators import AND, EQUALITY, OR, ORDER, PRODUCT, SUM, Operator, by_table, operations
from .reading import Reader, Token, number_value, tokens
from .result import Refused
from .tree import Call, Index, Literal, Member, Name, Node, Unary

_PATTERN: Final = re.compile(
    r"""
      (?P<space>\s+)
    | (?P<number>[0-9]+(?:\.[0-9]*)?|\.[0-9]+)
    | (?P<name>[^\W\d][\w.\-]*(?::[^\W\d][\w.\-]*)?)
    | (?P<string>"[^"]*"|'[^']*')
    | (?P<sign>//|::|\.\.|!=|<=|>=|[<>=+\-*/().,\[\]@$|])
    """,
    re.VERBOSE,
)
_WORDS: Final = ("and", "or", "div", "mod")
_TABLE: Final[dict[str, Operator]] = {
    "or": Operator("or", OR),
    "and": Operator("and", AND),
    "=": Operator("==", EQUALITY),
    "!=": Operator("!=", EQUALITY),
    **{sign: Operator(sign, ORDER) for sign in ("<", "<=", ">", ">=")},
    "+": Operator("+", SUM),
    "-": Operator("-", SUM),
    "*": Operator("*", PRODUCT),
    "div": Operator("/", PRODUCT),
    "mod": Operator("%", PRODUCT),
}
_PEEK: Final = by_table(_TABLE)


def read(text: str) -> Node:
    """The tree of an expression; raises `Refused`."""
    reader = Reader(text, tokens(text, _PATTERN, _WORDS))
    return reader.end(_expression(reader))


def _expression(reader: Reader) -> Node:
    reader.enter()
    node = operations(reader, _PEEK, _unary)
    if reader.kind == "|":
        _refuse(reader.token, "a union of paths is not carried")
    reader.leave()
    return node


def _refuse(token: Token, reason: str) -> None:
    raise Refused(token.start, token.end, reason)


def _unary(reader: Reader) -> Node:
    token = reader.token
    if reader.skip("-"):
        reader.enter()
        operand = _unary(reader)
        reader.leave()
        return Unary(token.start, operand.end, "-", operand)
    return _path(reader)


def _path(reader: Reader) -> Node:
    """A value and the steps behind it."""
    if reader.skip("/"):
        token = reader.expect("NAME", "after the `/`")
        node: Node = Name(token.start, token.end, _local(token.value))
    else:
        node = _primary(reader)
    while True:
        if reader.skip("/"):
            node = _step(reader, node)
        elif reader.skip("["):
            key = _expression(reader)
            reader.expect("]", "after the place")
            if not isinstance(key, Literal) or type(key.value) is not int or key.value < 1:
                raise Refused(
                    key.start, key.end, "only a place such as `[1]` is carried as a predicate"
                )
            node = Index(node.start, reader.last_end, node, key)
        elif reader.kind in ("//", "::"):
            _refuse(reader.token, "only steps from parent to child are carried")
        else:
            return node


def _step(reader: Reader, base: Node) -> Node:
    token = reader.take()
    if token.kind == "@":
        name = reader.expect("NAME", "after the `@`")
        raise Refused(
            token.start, name.end, "variables are JSON, which has no attributes",
            f"Write `/{name.value}` if it is an entry.",
        )  # fmt: skip
    if token.kind in ("*", "..", "."):
        _refuse(token, "only steps from parent to child by name are carried")
    if token.kind not in ("NAME", *_WORDS):
        reader.back_to(reader.place - 1)
        reader.unexpected("a name")
    if token.value == "text" and reader.skip("("):
        reader.expect(")", "after `text(`")
        return base
    if reader.kind == "(":
        _refuse(token, f"`{token.value}()` is not carried as a step")
    return Member(base.start, token.end, base, _local(token.value))


def _primary(reader: Reader) -> Node:
    token = reader.take()
    match token.kind:
        case "NUMBER":
            return Literal(token.start, token.end, number_value(token, token.value))
        case "STRING":
            return Literal(token.start, token.end, token.value[1:-1])
        case "(":
            node = _expression(reader)
            reader.expect(")", "to close the bracket")
            return reader.widened(node, token.start)
        case "$":
            name = reader.expect("NAME", "after the `$`")
            return Name(token.start, name.end, _local(name.value))
        case "NAME":
            if reader.skip("("):
                return _call(reader, token)
            if token.value in ("true", "false"):
                # An element of that name by the letter; a constant to whoever writes it.
                return Literal(token.start, token.end, token.value == "true")
            return Name(token.start, token.end, _local(token.value))
        case "//" | "." | ".." | "*" | "@":
            _refuse(token, "a path begins with a variable, or with a function such as "
                    "`getDataObject('order')`")  # fmt: skip
        case _:
            if token.kind != "END":
                reader.back_to(reader.place - 1)
    reader.unexpected("a value")


def _call(reader: Reader, token: Token) -> Node:
    found: list[Node] = []
    if not reader.skip(")"):
        found.append(_expression(reader))
        while reader.skip(","):
            found.append(_expression(reader))
        reader.expect(")", "after the arguments")
    return Call(token.start, reader.last_end, token.value, tuple(found))


def _local(name: str) -> str:
    return name.rpartition(":")[2]
