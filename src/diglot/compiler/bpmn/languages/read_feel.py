"""FEEL: the expression language of DMN, with the additions of Camunda.

Names may hold spaces: a row of words is one name, for two names never follow each other.
Source: DMN 1.5, 10.3.1.2.
"""

from __future__ import annotations

import re
from typing import Final

from .feel_functions import NAMES
from .operators import AND, OR, POWER, PRODUCT, SUM, Operator, by_table, operations
from .reading import Reader, Token, number_value, tokens, unescaped
from .result import Refused
from .tree import (
    Binary,
    Call,
    Conditional,
    Each,
    Entries,
    Index,
    Instance,
    Listing,
    Literal,
    Member,
    Name,
    Node,
    Range,
    Test,
    Unary,
    Within,
)

_FUNCTIONS: Final = "|".join(
    r"\s+".join(name.split()) for name in sorted(NAMES, key=len, reverse=True) if " " in name
)
_PATTERN: Final = re.compile(
    rf"""
      (?P<space>\s+|//[^\n]*|/\*(?:[^*]|\*(?!/))*\*/)
    | (?P<number>[0-9]+(?:\.[0-9]+)?|\.[0-9]+)
    | (?P<function>(?:{_FUNCTIONS})(?=\s*\())
    | (?P<instance>instance\s+of\b)
    | (?P<name>[^\W\d][\w$]*|`[^`]+`)
    | (?P<string>"(?:[^"\\]|\\.)*")
    | (?P<sign>\.\.|\*\*|==|!=|<=|>=|&&|\|\||->|[<>=+\-*/().,\[\]{{}}:@?!%])
    """,
    re.VERBOSE | re.DOTALL,
)
_KEYWORDS: Final = (
    "and", "or", "between", "in", "if", "then", "else", "for", "return", "some", "every",
    "satisfies", "function", "external", "true", "false", "null",
)  # fmt: skip
_CONSTANTS: Final = {"true": True, "false": False, "null": None}

_LOGIC: Final = by_table({"or": Operator("or", OR), "and": Operator("and", AND)})
_COUNTS: Final = by_table(
    {
        "+": Operator("+", SUM),
        "-": Operator("-", SUM),
        "*": Operator("*", PRODUCT),
        "/": Operator("/", PRODUCT),
        "**": Operator("**", POWER),
    }
)
_COMPARES: Final = ("=", "!=", "<", "<=", ">", ">=")
_FOREIGN: Final = {"==": "=", "&&": "and", "||": "or", "!": "not(..)", "%": "modulo(..)"}


def read(text: str) -> Node:
    """The tree of an expression; raises `Refused`."""
    reader = Reader(text, tokens(text, _PATTERN, _KEYWORDS))
    node = _expression(reader)
    if reader.kind in _FOREIGN:
        token = reader.token
        raise Refused(
            token.start, token.end, f"`{token.value}` is not FEEL",
            f"Write `{_FOREIGN[token.value]}`.", "syntax",
        )  # fmt: skip
    return reader.end(node)


def _expression(reader: Reader) -> Node:
    reader.enter()
    token = reader.token
    match token.kind:
        case "if":
            node = _if(reader)
        case "for" | "some" | "every":
            node = _each(reader)
        case "function":
            raise Refused(token.start, token.end, "functions of one's own are not carried")
        case _:
            node = operations(reader, _LOGIC, _comparison)
    reader.leave()
    return node


def _if(reader: Reader) -> Node:
    start = reader.take().start
    condition = _expression(reader)
    reader.expect("then", "after the condition")
    then = _expression(reader)
    reader.expect("else", "before the other result")
    otherwise = _expression(reader)
    return Conditional(start, otherwise.end, condition, then, otherwise)


def _each(reader: Reader) -> Node:
    token = reader.take()
    variables: list[tuple[str, Node]] = []
    while not variables or reader.skip(","):
        name = _name(reader, reader.expect("NAME", "for each item"))
        reader.expect("in", "before the list")
        source = operations(reader, _COUNTS, _unary)
        if reader.skip(".."):
            high = operations(reader, _COUNTS, _unary)
            source = Range(source.start, high.end, source, high, True, True)
        variables.append((name, source))
    word = "return" if token.kind == "for" else "satisfies"
    reader.expect(word, "before what is asked of each")
    body = _expression(reader)
    return Each(token.start, body.end, token.kind, tuple(variables), body)


def _comparison(reader: Reader) -> Node:
    if reader.kind in ("if", "for", "some", "every"):
        return _expression(reader)
    left = operations(reader, _COUNTS, _unary)
    while True:
        token = reader.token
        if token.kind in _COMPARES:
            reader.take()
            right = operations(reader, _COUNTS, _unary)
            sign = "==" if token.kind == "=" else token.kind
            left = Binary(left.start, right.end, sign, left, right, (token.start, token.end))
        elif reader.skip("between"):
            low = operations(reader, _COUNTS, _unary)
            reader.expect("and", "between the two ends")
            high = operations(reader, _COUNTS, _unary)
            ends = Range(low.start, high.end, low, high, True, True)
            left = Within(left.start, high.end, left, (ends,))
        elif reader.skip("in"):
            tests = _tests(reader)
            left = Within(left.start, reader.last_end, left, tests)
        elif token.kind.startswith("instance"):
            reader.take()
            named = reader.expect("NAME" if reader.kind == "NAME" else reader.kind, "of a type")
            name = _name(reader, named) if named.kind == "NAME" else named.value
            left = Instance(left.start, reader.last_end, left, name)
        else:
            return left


def _tests(reader: Reader) -> tuple[Node, ...]:
    if reader.kind != "(":
        return (_test(reader),)
    opened = reader.take()
    first = _test(reader)
    if reader.skip(".."):
        return (_range(reader, opened, first, False),)
    found = [first]
    while reader.skip(","):
        found.append(_test(reader))
    reader.expect(")", "after the tests")
    return tuple(found)


def _test(reader: Reader) -> Node:
    token = reader.token
    if token.kind in _COMPARES:
        reader.take()
        operand = operations(reader, _COUNTS, _unary)
        return Test(token.start, operand.end, "==" if token.kind == "=" else token.kind, operand)
    if token.kind == "]":
        reader.take()
        low = _expression(reader)
        reader.expect("..", "between the two ends")
        return _range(reader, token, low, False)
    if token.kind == "(":
        place = reader.place
        reader.take()
        low = _expression(reader)
        if reader.skip(".."):
            return _range(reader, token, low, False)
        reader.back_to(place)
    return operations(reader, _COUNTS, _unary)


def _range(reader: Reader, opened: Token, low: Node, has_low: bool) -> Node:
    high = _expression(reader)
    has_high = reader.kind == "]"
    if not reader.skip("]", ")", "["):
        reader.unexpected("`]` or `)` after the end of the range")
    return Range(opened.start, reader.last_end, low, high, has_low, has_high)


def _unary(reader: Reader) -> Node:
    token = reader.token
    if reader.skip("-"):
        reader.enter()
        operand = _unary(reader)
        reader.leave()
        return Unary(token.start, operand.end, "-", operand)
    return _postfix(reader)


def _postfix(reader: Reader) -> Node:
    node = _primary(reader)
    while True:
        if reader.skip("."):
            token = reader.take()
            if not re.fullmatch(r"[\w$]+|`[^`]+`", token.value):
                reader.back_to(reader.place - 1)
                reader.unexpected("a name")
            name = _name(reader, token)
            if reader.kind == "(":
                raise Refused(token.start, token.end, f"`{name}` is called like a method")
            node = Member(node.start, reader.last_end, node, name)
        elif reader.skip("["):
            key = _expression(reader)
            reader.expect("]", "after the filter")
            node = Index(node.start, reader.last_end, node, key)
        else:
            return node


def _name(reader: Reader, first: Token) -> str:
    """A name of one word or several."""
    words = [first.value.strip("`")]
    while first.value[0] != "`" and reader.kind in ("NAME", "NUMBER"):
        if not re.fullmatch(r"[\w$]+", reader.token.value):
            break
        words.append(reader.take().value)
    return " ".join(words)


def _primary(reader: Reader) -> Node:
    token = reader.take()
    match token.kind:
        case "NUMBER":
            return Literal(token.start, token.end, number_value(token, token.value))
        case "STRING":
            return Literal(token.start, token.end, unescaped(token))
        case "true" | "false" | "null":
            return Literal(token.start, token.end, _CONSTANTS[token.kind])
        case "@":
            text = reader.expect("STRING", "after the `@`")
            literal = Literal(text.start, text.end, unescaped(text))
            return Call(token.start, text.end, "@", (literal,))
        case "(":
            node = _expression(reader)
            if reader.skip(".."):
                return _range(reader, token, node, False)
            reader.expect(")", "to close the bracket")
            return reader.widened(node, token.start)
        case "[":
            return _listing(reader, token)
        case "{":
            return _entries(reader, token)
        case "NAME":
            name = _name(reader, token)
            if reader.kind == "(":
                return _call(reader, token, name)
            return Name(token.start, reader.last_end, name)
        case _:
            name = " ".join(token.value.split())
            if reader.kind == "(" and name in NAMES:
                return _call(reader, token, name)
            if token.kind != "END":
                reader.back_to(reader.place - 1)
            reader.unexpected("a value")


def _listing(reader: Reader, opened: Token) -> Node:
    items: list[Node] = []
    while not reader.skip("]"):
        if items:
            reader.expect(",", "or `]`")
        items.append(_expression(reader))
        if len(items) == 1 and reader.skip(".."):
            return _range(reader, opened, items[0], True)
    return Listing(opened.start, reader.last_end, tuple(items))


def _entries(reader: Reader, opened: Token) -> Node:
    entries: list[tuple[str, Node]] = []
    while not reader.skip("}"):
        if entries:
            reader.expect(",", "or `}`")
        token = reader.take()
        if token.kind == "STRING":
            name = unescaped(token)
        elif re.fullmatch(r"[^\W\d][\w$]*|`[^`]+`", token.value):
            name = _name(reader, token)
        else:
            reader.back_to(reader.place - 1)
            reader.unexpected("a key")
        if any(name == known for known, _ in entries):
            raise Refused(token.start, token.end, f"the key `{name}` is there twice")
        reader.expect(":", "after the key")
        entries.append((name, _expression(reader)))
    return Entries(opened.start, reader.last_end, tuple(entries))


def _call(reader: Reader, token: Token, name: str) -> Node:
    reader.expect("(", "before the arguments")
    arguments: list[Node] = []
    names: list[str] = []
    while not reader.skip(")"):
        if arguments:
            reader.expect(",", "or `)`")
        place = reader.place
        if reader.kind == "NAME":
            argument_name = _name(reader, reader.take())
            if reader.skip(":"):
                names.append(argument_name)
            else:
                reader.back_to(place)
        arguments.append(_expression(reader))
    if names and len(names) != len(arguments):
        raise Refused(token.start, reader.last_end, "either all arguments have names or none")
    return Call(token.start, reader.last_end, name, tuple(arguments), tuple(names))
