"""Bare conditions: what Java, JavaScript, Groovy, MVEL and Python write alike.

One expression, with or without `return` and a semicolon. What the languages read differently
(comparisons in a row, `/` of whole numbers in a `return`) is refused where it stands.
"""

from __future__ import annotations

import re
from typing import Final

from .operators import AND, EQUALITY, OR, ORDER, POWER, PRODUCT, SUM, Operator, operations
from .reading import Reader, Token, followed, number_value, tokens, unescaped
from .result import Refused
from .tree import (
    Call,
    Conditional,
    Each,
    Entries,
    Instance,
    Listing,
    Literal,
    Name,
    Node,
    Unary,
)

_PATTERN: Final = re.compile(
    r"""
      (?P<space>\s+)
    | (?P<number>(?:0[xX][0-9a-fA-F_]+|[0-9][0-9_]*(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?
                  |\.[0-9]+(?:[eE][+-]?[0-9]+)?)[lLfFdDgG]?)
    | (?P<name>(?:[^\W\d]|\$)[\w$]*)
    | (?P<string>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')
    | (?P<sign>===|!==|==~|=~|=>|->|==|!=|<>|<=|>=|&&|\|\||\*\*|//|/\*|\?\.|\?:|\?\?
              |\+\+|--|:=|\+=|-=
              |[<>!?:+\-*/%().,\[\]=;{}&|^~@#`])
    """,
    re.VERBOSE | re.DOTALL,
)
_KEYWORDS: Final = (
    "and", "or", "not", "in", "is", "if", "else", "for", "return", "true", "false", "null", "nil",
    "undefined", "None", "True", "False", "new", "instanceof", "typeof", "lambda", "var", "let",
    "const", "while", "await", "throw", "void", "delete",
)  # fmt: skip
_CONSTANTS: Final = {
    "true": True, "True": True, "false": False, "False": False,
    "null": None, "nil": None, "undefined": None, "None": None,
}  # fmt: skip

_TABLE: Final[dict[str, Operator]] = {
    **dict.fromkeys(("||", "or"), Operator("or", OR)),
    **dict.fromkeys(("&&", "and"), Operator("and", AND)),
    **dict.fromkeys(("==", "===", "="), Operator("==", EQUALITY)),
    **dict.fromkeys(("!=", "!==", "<>"), Operator("!=", EQUALITY)),
    **{sign: Operator(sign, ORDER) for sign in ("<", "<=", ">", ">=", "in")},
    "+": Operator("+", SUM),
    "-": Operator("-", SUM),
    **{sign: Operator(sign, PRODUCT) for sign in "*/%"},
    "**": Operator("**", POWER),
}

#: Types that a cast may name, and what is then demanded of the value.
CASTS: Final = {
    **dict.fromkeys(("String", "CharSequence"), "string"),
    **dict.fromkeys(("Boolean", "boolean"), "boolean"),
    **dict.fromkeys(
        ("Integer", "Long", "Short", "Double", "Float", "Number", "BigDecimal", "BigInteger",
         "int", "long", "short", "double", "float"),
        "number",
    ),
    **dict.fromkeys(("List", "Collection", "ArrayList"), "list"),
    **dict.fromkeys(("Map", "HashMap"), "object"),
    "Object": "any",
}  # fmt: skip


def is_statement(text: str) -> bool:
    """Whether the text is a `return` statement: code, not a neutral condition."""
    return re.match(r"\s*return\b", text) is not None


def read(text: str) -> Node:
    """The tree of a condition; raises `Refused`."""
    found = tokens(text, _PATTERN, _KEYWORDS)
    reader = Reader(text, found)
    if reader.skip("return"):
        # A neutral condition may compare with `=`; code assigns with it.
        for token in found:
            if token.kind == "=":
                raise Refused(token.start, token.end, "`=` is not carried", "Compare with `==`.")
    node = _expression(reader)
    ended = reader.place
    while reader.skip(";"):
        pass
    if reader.place != ended and reader.kind != "END":
        token = reader.token
        raise Refused(
            token.start, len(text.rstrip()), "a condition is one expression, not several statements"
        )
    return reader.end(node)


def _peek(reader: Reader) -> Operator | None:
    kind = reader.kind
    if kind == "is":
        if reader.ahead().kind == "not":
            return Operator("!=", EQUALITY, 2)
        return Operator("==", EQUALITY)
    if kind == "not" and reader.ahead().kind == "in":
        return Operator("not in", ORDER, 2)
    if kind == "NAME" and reader.token.value == "contains":
        return Operator("contains", ORDER)
    return _TABLE.get(kind)


def _expression(reader: Reader) -> Node:
    reader.enter()
    node = operations(reader, _peek, _unary)
    if reader.skip("?"):
        then = _expression(reader)
        reader.expect(":", "between the two results")
        otherwise = _expression(reader)
        node = Conditional(node.start, otherwise.end, node, then, otherwise)
    elif reader.skip("if"):
        condition = operations(reader, _peek, _unary)
        reader.expect("else", "before the other result")
        otherwise = _expression(reader)
        node = Conditional(node.start, otherwise.end, condition, node, otherwise)
    elif reader.kind in _FOREIGN:
        token = reader.token
        raise Refused(token.start, token.end, f"`{token.value}` is not carried")
    reader.leave()
    return node


_FOREIGN: Final = frozenset(
    ("==~", "=~", "=>", "->", "//", "/*", "?:", "??", "++", "--", ":=", "+=", "-=", "&", "|", "^",
     "instanceof")
)  # fmt: skip


def _unary(reader: Reader) -> Node:
    token = reader.token
    if token.kind == "not":
        reader.take()
        reader.enter()
        # Python's `not` binds more loosely than a comparison.
        operand = operations(reader, _peek, _unary, EQUALITY)
        reader.leave()
        return Unary(token.start, operand.end, "not", operand)
    if token.kind in ("!", "-", "+"):
        reader.take()
        reader.enter()
        operand = _unary(reader)
        reader.leave()
        operator = "not" if token.kind == "!" else token.kind
        return Unary(token.start, operand.end, operator, operand)
    if token.kind in ("new", "typeof", "lambda", "await", "delete", "void", "throw"):
        raise Refused(token.start, token.end, f"`{token.value}` is not carried")
    return _postfix(reader)


def _postfix(reader: Reader) -> Node:
    return followed(reader, _primary(reader), _expression, _arguments, (".", "?."))


def _arguments(reader: Reader) -> tuple[Node, ...]:
    reader.expect("(", "before the arguments")
    return _items(reader, ")")


def _items(reader: Reader, closing: str) -> tuple[Node, ...]:
    """Expressions up to a closing bracket, or one that is repeated: `x > 1 for x in list`."""
    found: list[Node] = []
    while not reader.skip(closing):
        if found:
            reader.expect(",", f"or `{closing}`")
            if reader.skip(closing):
                break
        node = _expression(reader)
        if reader.skip("for") and not found:
            name = reader.expect("NAME", "for each item")
            reader.expect("in", "before the list")
            source = operations(reader, _peek, _unary)
            reader.expect(closing, "after the list")
            each = Each(node.start, reader.last_end, "for", ((name.value, source),), node)
            return (each,)
        found.append(node)
    return tuple(found)


def _primary(reader: Reader) -> Node:
    token = reader.take()
    match token.kind:
        case "NUMBER":
            return Literal(token.start, token.end, _number(token))
        case "STRING":
            return Literal(token.start, token.end, unescaped(token))
        case "(":
            return _bracket(reader, token)
        case "[":
            items = _items(reader, "]")
            if len(items) == 1 and isinstance(items[0], Each):
                return items[0]
            return Listing(token.start, reader.last_end, items)
        case "{" if reader.is_at("STRING", "}"):
            return _entries(reader, token)
        case "NAME":
            return _named(reader, token)
        case kind if kind in _CONSTANTS:
            return Literal(token.start, token.end, _CONSTANTS[kind])
        case _:
            if token.kind != "END":
                reader.back_to(reader.place - 1)
            reader.unexpected("a value")


def _entries(reader: Reader, opened: Token) -> Node:
    """An object. Its keys are strings: without quotes one is a name here and a variable there."""
    entries: list[tuple[str, Node]] = []
    while not reader.skip("}"):
        if entries:
            reader.expect(",", "or `}`")
            if reader.skip("}"):
                break
        key = reader.expect("STRING", "as a key")
        name = unescaped(key)
        if any(name == known for known, _ in entries):
            raise Refused(key.start, key.end, f"the key `{name}` is there twice")
        reader.expect(":", "after the key")
        entries.append((name, _expression(reader)))
    return Entries(opened.start, reader.last_end, tuple(entries))


def _bracket(reader: Reader, opened: Token) -> Node:
    """What a bracket opens: an expression, the items of a tuple, or a cast."""
    place = reader.place
    words = [reader.take().value] if reader.kind == "NAME" else []
    while words and reader.skip("."):
        words.append(reader.take().value)
    is_type = bool(words) and words[-1] in CASTS and reader.skip(")")
    if is_type and reader.is_at("NAME", "STRING", "NUMBER", "("):
        reader.enter()
        operand = _unary(reader)
        reader.leave()
        return Instance(opened.start, operand.end, operand, CASTS[words[-1]])
    reader.back_to(place)
    node = _expression(reader)
    if reader.kind == ",":
        items = [node]
        while reader.skip(",") and not reader.is_at(")"):
            items.append(_expression(reader))
        reader.expect(")", "to close the bracket")
        return Listing(opened.start, reader.last_end, tuple(items))
    reader.expect(")", "to close the bracket")
    return reader.widened(node, opened.start)


def _named(reader: Reader, token: Token) -> Node:
    following = reader.token
    if following.kind == "STRING" and following.start == token.end:
        raise Refused(
            token.start, following.end, f"a string with `{token.value}` before it is not carried"
        )
    if reader.kind == "(":
        arguments = _arguments(reader)
        return Call(token.start, reader.last_end, token.value, arguments)
    return Name(token.start, token.end, token.value)


def _number(token: Token) -> int | float:
    if token.value[:2] in ("0x", "0X"):
        raise Refused(token.start, token.end, "hexadecimal numbers are not carried")
    text = token.value.rstrip("lLfFdDgG").replace("_", "")
    if len(text) > 1 and text.isdigit() and text[0] == "0":
        # Octal in Java, a mistake in Python.
        raise Refused(token.start, token.end, "a number that begins with 0 has several readings")
    return number_value(token, text)
