"""What a plain scalar means: the core schema of YAML 1.2, and nothing else.

`no`, `on`, `12:30:45` and `2024-01-01` are strings, `014` is fourteen. The bounds keep every
number printable as JSON. Source: YAML 1.2.2, 10.3.2.
"""

from __future__ import annotations

import math
import re

from diglot.compiler import codes
from diglot.compiler.diagnostics import Code

from .located import Json

CORE_TAGS = {
    "!": "str",
    "tag:yaml.org,2002:str": "str",
    "tag:yaml.org,2002:int": "int",
    "tag:yaml.org,2002:float": "float",
    "tag:yaml.org,2002:bool": "bool",
    "tag:yaml.org,2002:null": "null",
    "tag:yaml.org,2002:map": "map",
    "tag:yaml.org,2002:seq": "seq",
}

_WORDS: dict[str, Json] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL")),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}
_INT = re.compile(r"[-+]?[0-9]+")
_BASED = re.compile(r"0o[0-7]+|0x[0-9a-fA-F]+")
_FLOAT = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")
_NOT_FINITE = re.compile(r"[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)")
_LONGEST_NUMBER = 4300
_LARGEST_INT = 10**_LONGEST_NUMBER - 1


class ScalarFault(Exception):
    """The scalar has no JSON value; `code` says why."""

    def __init__(self, code: Code, **parameters: object) -> None:
        super().__init__(code.id)
        self.code = code
        self.parameters = parameters


def resolve_plain(text: str) -> Json:
    """The JSON value of a plain scalar.

    Raises:
        ScalarFault: a number that is not finite or too long to be kept exactly.
    """
    if text in _WORDS:
        return _WORDS[text]
    if text[0] not in "+-.0123456789":
        return text
    if _INT.fullmatch(text) or _BASED.fullmatch(text):
        return parse_int(text)
    if _FLOAT.fullmatch(text):
        return parse_float(text)
    if _NOT_FINITE.fullmatch(text):
        raise ScalarFault(codes.NUMBER_NOT_FINITE, text=text)
    return text


def resolve_tagged(text: str, tag: str) -> Json:
    """The value of a scalar with an explicit core tag, one of the values of `CORE_TAGS`.

    Raises:
        ScalarFault: the text is not of the tag's type.
    """
    if tag == "str":
        return text
    value = resolve_plain(text)
    if tag == "float" and isinstance(value, int) and not isinstance(value, bool):
        value = parse_float(text) if _INT.fullmatch(text) else float(value)
    kinds = {"int": int, "float": float, "bool": bool, "null": type(None)}
    if type(value) is not kinds.get(tag):
        raise ScalarFault(codes.TAG_MISMATCH, tag=f"!!{tag}", text=abridge(text))
    return value


def parse_int(text: str) -> int:
    """An integer of any size up to 4,300 digits, in decimal, octal (0o) or hexadecimal (0x)."""
    try:
        value = int(text, 0) if text[:2] in ("0o", "0x") else int(text)
    except ValueError:
        # Python itself refuses longer decimals; the pattern has excluded every other reason.
        raise ScalarFault(codes.NUMBER_TOO_LONG, limit=_LONGEST_NUMBER) from None
    if abs(value) > _LARGEST_INT:
        raise ScalarFault(codes.NUMBER_TOO_LONG, limit=_LONGEST_NUMBER)
    return value


def parse_float(text: str) -> float:
    """The nearest double; a number beyond the largest one is refused, not made infinite."""
    value = float(text)
    if not math.isfinite(value):
        raise ScalarFault(codes.NUMBER_NOT_FINITE, text=abridge(text))
    return value


def abridge(text: str, length: int = 40) -> str:
    """The text, shortened for a message."""
    return text if len(text) <= length else text[: length - 1] + "…"
