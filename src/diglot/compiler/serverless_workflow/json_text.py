"""Reads JSON text and keeps the place of every value.

Plain `json` gives no positions, and JSON indented with tabs is not YAML.
Source: RFC 8259.
"""

from __future__ import annotations

import json
import re

from diglot.compiler import codes
from diglot.compiler.diagnostics import Report
from diglot.compiler.source import Source

from .compose import Composer, Limits, SyntaxFault
from .located import Json, Node
from .scalars import ScalarFault, parse_float, parse_int

_STRING = r'"[^"\\\x00-\x1f]*+(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\x00-\x1f]*+)*+"'
_TOKEN = re.compile(
    rf"(?P<mark>[{{}}\[\],:])|(?P<string>{_STRING})"
    r"|(?P<number>-?(?:0|[1-9][0-9]*)(?P<fraction>(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?)(?![\w.]))"
    r"|(?P<word>(?:true|false|null|NaN|-?Infinity)(?!\w))"
)
_SPACE = re.compile(r"[ \t\n\r]*")
_STRING_START = re.compile(r'"(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*+')
_SURROGATE = re.compile("[\ud800-\udfff]")
_WORDS: dict[str, Json] = {"true": True, "false": False, "null": None}

# What may come next, in the words of the message that says something else came.
_VALUE = "a value"
_KEY = "a key in double quotes"
_END = "the end of the document"


def read_json(source: Source, report: Report, limits: Limits) -> Node | None:
    """The tree of a JSON text.

    Raises:
        SyntaxFault: the text is not JSON.
        Refused: a finding after which reading makes no sense; it is in the report.
    """
    text = source.text
    into = Composer(source, report, limits)
    closers: list[str] = []
    expected: tuple[str, ...] = (_VALUE,)
    at = _skip(text, 0)
    while at < len(text) or expected != (_END,):
        token = _TOKEN.match(text, at)
        if token is None:
            raise _unreadable(text, at, expected)
        mark = token.group("mark")
        if mark is None:
            is_key = _KEY in expected and token.group("string") is not None
            if not is_key and _VALUE not in expected:
                raise _unexpected(text, at, expected)
            _add_scalar(into, token)
            expected = ("':'",) if is_key else _after_value(closers)
        elif mark in "{[" and _VALUE in expected:
            is_mapping = mark == "{"
            closers.append("'}'" if is_mapping else "']'")
            node = Node({}, at, at + 1, "", {}) if is_mapping else Node([], at, at + 1, "", [])
            into.open(node)
            expected = (_KEY if is_mapping else _VALUE, closers[-1])
        elif f"'{mark}'" not in expected:
            raise _unexpected(text, at, expected)
        elif mark == ",":
            expected = (_KEY if closers[-1] == "'}'" else _VALUE,)
        elif mark == ":":
            expected = (_VALUE,)
        else:
            closers.pop()
            into.close(at + 1)
            expected = _after_value(closers)
        at = _skip(text, token.end())
    return into.root


def _add_scalar(into: Composer, token: re.Match[str]) -> None:
    start, end = token.span()
    text = token.group()
    node = Node(text, start, end, '"' if token.group("string") else "")
    fault = None
    try:
        node.value = _scalar_value(token)
    except ScalarFault as found:
        fault = found
    into.scalar(node)
    if fault is not None:
        into.find(fault.code, node, **fault.parameters)


def _scalar_value(token: re.Match[str]) -> Json:
    """The value of a scalar token.

    Raises:
        ScalarFault: no JSON value every reader would agree on.
    """
    text = token.group()
    if token.group("string"):
        value: str = json.loads(text) if "\\" in text else text[1:-1]
        if "\\u" in text and _SURROGATE.search(value):
            raise ScalarFault(codes.LONE_SURROGATE)
        return value
    if token.group("number"):
        return parse_float(text) if token.group("fraction") else parse_int(text)
    if text not in _WORDS:
        raise ScalarFault(codes.NUMBER_NOT_FINITE, text=text)
    return _WORDS[text]


def _after_value(closers: list[str]) -> tuple[str, ...]:
    return ("','", closers[-1]) if closers else (_END,)


def _skip(text: str, at: int) -> int:
    space = _SPACE.match(text, at)
    return space.end() if space else at


def _unexpected(text: str, at: int, expected: tuple[str, ...]) -> SyntaxFault:
    is_after_comma = text[:at].rstrip(" \t\r\n").endswith(",") if text[at] in "]}" else False
    hint = "Remove the comma before it; JSON allows none there." if is_after_comma else ""
    return SyntaxFault(at, codes.JSON_SYNTAX, hint, problem=f"expected {' or '.join(expected)}")


def _unreadable(text: str, at: int, expected: tuple[str, ...]) -> SyntaxFault:
    """What is wrong with characters that are no JSON token."""
    wanted = " or ".join(expected)
    hint = ""
    if at >= len(text):
        problem = f"the text ends where {wanted} is expected"
    elif text[at] == '"':
        return _unreadable_string(text, at)
    elif text[at] == "'":
        problem, hint = "single quotes do not delimit JSON strings", "Use double quotes."
    elif text.startswith(("//", "/*", "#"), at):
        problem, hint = "JSON has no comments", "Remove the comment, or write the file as YAML."
    else:
        problem = f"expected {wanted}"
    return SyntaxFault(at, codes.JSON_SYNTAX, hint, problem=problem)


def _unreadable_string(text: str, at: int) -> SyntaxFault:
    start = _STRING_START.match(text, at)
    stop = start.end() if start else at
    hint = ""
    if text[stop : stop + 1] == "\\":
        problem, hint = "the escape is not one of JSON's", "Write a backslash as two of them."
    elif stop >= len(text) or text[stop] in "\r\n":
        stop, problem = at, "the string does not end on its line"
    else:
        problem, hint = "a control character stands in a string", "Write it as an escape: \\t."
    return SyntaxFault(stop, codes.JSON_SYNTAX, hint, problem=problem)
