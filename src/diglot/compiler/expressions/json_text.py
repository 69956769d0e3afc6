"""JSON text to a value: the standard, and what jq reads beyond it.

jq takes any decimal number (`01`, `+1`, `.5`, `1.`), `nan` and `infinity`, which JSON does not.
"""

from __future__ import annotations

import json
import re
from typing import Any

import msgspec

from .arithmetic import parse_number
from .errors import ExpressionError, ExpressionLimit
from .run import Run

_TOKEN = re.compile(r'[ \t\r\n]*([\[\]{}:,]|"(?:[^"\\]|\\.)*"|[^ \t\r\n"\[\]{}:,]+)', re.DOTALL)
_WORDS = {"true": True, "false": False, "null": None}


def parse_json(text: str, run: Run) -> Any:
    """The value of a text; raises `ExpressionError` as jq's `fromjson`."""
    try:
        return msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError):
        pass
    try:
        tokens = _tokens(text)
        value, after = _value(tokens, 0, run)
    except RecursionError:
        raise ExpressionLimit("depth") from None
    if after != len(tokens):
        raise _fault(text)
    return value


def _tokens(text: str) -> list[str]:
    found: list[str] = []
    at, end = 0, len(text.rstrip(" \t\r\n"))
    while at < end:
        read = _TOKEN.match(text, at)
        if read is None:
            raise _fault(text)
        found.append(read.group(1))
        at = read.end()
    return found


def _fault(text: str) -> ExpressionError:
    return ExpressionError(f"not a JSON value (while parsing '{text[:200]}')")


def _value(tokens: list[str], at: int, run: Run) -> tuple[Any, int]:
    run.spend(1)
    token = tokens[at] if at < len(tokens) else ""
    match token[:1]:
        case "[":
            items: list[Any] = []
            if tokens[at + 1 : at + 2] == ["]"]:
                return items, at + 2
            while True:
                item, at = _value(tokens, at + 1, run)
                items.append(item)
                if tokens[at : at + 1] != [","]:
                    return items, _after(tokens, at, "]")
        case "{":
            entries: dict[str, Any] = {}
            if tokens[at + 1 : at + 2] == ["}"]:
                return entries, at + 2
            while True:
                key, at = _value(tokens, at + 1, run)
                if not isinstance(key, str):
                    raise _fault(token)
                entries[key], at = _value(tokens, _after(tokens, at, ":"), run)
                if tokens[at : at + 1] != [","]:
                    return entries, _after(tokens, at, "}")
        case '"':
            return _string(token), at + 1
        case _:
            if token in _WORDS:
                return _WORDS[token], at + 1
            number = parse_number(token, run)
            if number is None:
                raise _fault(token)
            return number, at + 1


def _after(tokens: list[str], at: int, wanted: str) -> int:
    if tokens[at : at + 1] != [wanted]:
        raise _fault("".join(tokens[at : at + 1]))
    return at + 1


def _string(token: str) -> str:
    try:
        value = json.loads(token)
    except ValueError:
        raise _fault(token) from None
    if re.search("[\ud800-\udbff]", value):
        raise _fault(token)
    return re.sub("[\udc00-\udfff]", "\ufffd", value)
