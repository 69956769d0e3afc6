"""jq's `@format` functions: a value as text for somewhere else.

Source: jq 1.8 manual, "Format strings and escaping".
"""

from __future__ import annotations

import base64
import re
from collections.abc import Callable
from typing import Any
from urllib.parse import quote, unquote_to_bytes

from .arithmetic import number_text
from .errors import ExpressionError
from .run import Run
from .values import failure, is_array, to_json, to_text

_BASE64 = re.compile(r"[A-Za-z0-9+/]*")
_HTML = {
    0: "\\0",
    **{
        ord(sign): f"&{name};"
        for sign, name in zip("&<>'\"", ("amp", "lt", "gt", "apos", "quot"), strict=True)
    },
}
_CSV = {0: "\\0", ord('"'): '""'}
_TSV = {0: "\\0", ord("\t"): "\\t", ord("\r"): "\\r", ord("\n"): "\\n", ord("\\"): "\\\\"}
_SHELL = {0: "\\0", ord("'"): "'\\''"}


def apply_format(name: str, value: Any, run: Run) -> str:
    """The value in the format `name`, which needs no `@`."""
    formatter = _FORMATS.get(name)
    if formatter is None:
        raise ExpressionError(f"{name} is not a valid format")
    text = formatter(value, run)
    run.spend_text(len(text))
    return text


def _row(value: Any, name: str, separator: str, quoted: Callable[[str], str], run: Run) -> str:
    if not is_array(value):
        raise failure(value, f"cannot be {name}-formatted, only array")
    run.spend(len(value))
    return separator.join(_cell(item, quoted) for item in value)


def _cell(item: Any, quoted: Callable[[str], str]) -> str:
    if item is None:
        return ""
    if item is True or item is False:
        return "true" if item else "false"
    if isinstance(item, int | float):
        return "" if item != item else number_text(item)
    if isinstance(item, str):
        return quoted(item)
    raise failure(item, "is not valid in a csv row")


def _csv(value: Any, run: Run) -> str:
    return _row(value, "csv", ",", lambda text: f'"{text.translate(_CSV)}"', run)


def _tsv(value: Any, run: Run) -> str:
    return _row(value, "tsv", "\t", lambda text: text.translate(_TSV), run)


def _shell(value: Any, run: Run) -> str:
    items: list[Any] = value if is_array(value) else [value]
    run.spend(len(items))
    words: list[str] = []
    for item in items:
        if isinstance(item, list | dict):
            raise failure(item, "can not be escaped for shell")
        words.append(f"'{item.translate(_SHELL)}'" if isinstance(item, str) else to_json(item, run))
    return " ".join(words)


def _decoded_uri(value: Any, run: Run) -> str:
    text = to_text(value, run)
    for at, sign in enumerate(text):
        if sign == "%" and not _is_hex(text[at + 1 : at + 3]):
            raise failure(text, "is not a valid uri encoding")
    try:
        return unquote_to_bytes(text).decode()
    except UnicodeDecodeError:
        raise failure(text, "is not a valid uri encoding") from None


def _is_hex(pair: str) -> bool:
    return len(pair) == 2 and all(digit in "0123456789abcdefABCDEF" for digit in pair)


def _decoded_base64(value: Any, run: Run) -> str:
    text = to_text(value, run)
    data = text.partition("=")[0]
    if not _BASE64.fullmatch(data):
        raise failure(text, "is not valid base64 data")
    if len(data) % 4 == 1:
        raise failure(text, "trailing base64 byte found")
    return _lenient_utf8(base64.b64decode(data + "=" * (-len(data) % 4)))


def _lenient_utf8(data: bytes) -> str:
    """Decode as jq does: one replacement character for each broken sequence."""
    try:
        return data.decode()
    except UnicodeDecodeError:
        pass
    found: list[str] = []
    at = 0
    while at < len(data):
        length = _sequence_length(data[at])
        end = at + 1
        while end < min(at + length, len(data)) and data[end] & 0xC0 == 0x80:
            end += 1
        if length > len(data) - at:
            end = len(data)
        try:
            found.append(data[at:end].decode())
        except UnicodeDecodeError:
            found.append("\ufffd")
        at = end
    return "".join(found)


def _sequence_length(first: int) -> int:
    if first < 0xC2 or first > 0xF4:
        return 1
    return 2 if first < 0xE0 else 3 if first < 0xF0 else 4


_FORMATS: dict[str, Callable[[Any, Run], str]] = {
    "text": to_text,
    "json": to_json,
    "csv": _csv,
    "tsv": _tsv,
    "html": lambda value, run: to_text(value, run).translate(_HTML),
    "uri": lambda value, run: quote(to_text(value, run), safe=""),
    "urid": _decoded_uri,
    "sh": _shell,
    "base64": lambda value, run: base64.b64encode(to_text(value, run).encode()).decode(),
    "base64d": _decoded_base64,
}
