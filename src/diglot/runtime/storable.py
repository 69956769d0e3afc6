"""What can be kept: JSON, nested no deeper than any reader of it can follow.

Values from outside are made plain at the border, so that what is in memory is what the rows say,
and belongs to nobody else. What the expressions of a run make of them is bounded at each commit.
"""

from __future__ import annotations

import re
from typing import Any

import msgspec

from . import events as e
from .errors import CallerError

#: How many arrays and objects may stand in each other; Python's own stack holds 1,000 frames.
MAX_NESTING = 200
#: Levels of an event and its row around the values in it.
_AROUND = 8

_TEXTS = re.compile(rb'"(?:[^"\\]|\\.)*"')
_NOT_BRACKETS = bytes(byte for byte in range(256) if byte not in b"[]{}")


class NotStorableError(ValueError):
    """A value is no JSON, or nested too deep."""


def plain(value: Any) -> Any:
    """A JSON copy of a value that came from outside; NaN and infinities become null.

    Raises:
        NotStorableError: there is none.
    """
    return msgspec.json.decode(_encoded(value, MAX_NESTING))


def checked(value: Any, what: str) -> Any:
    """The same of what a caller gave.

    Raises:
        CallerError: there is none.
    """
    try:
        return plain(value)
    except NotStorableError as found:
        raise CallerError(f"{what} cannot be kept: {found}") from None


def encode_events(events: list[e.Event]) -> bytes:
    """The events of one commit as JSON.

    Raises:
        NotStorableError: a value in them cannot be kept.
    """
    return _encoded(events, MAX_NESTING + _AROUND)


def _encoded(value: Any, limit: int) -> bytes:
    try:
        text = msgspec.json.encode(value)
    except RecursionError:
        raise _too_deep() from None
    except UnicodeEncodeError:
        raise NotStorableError(
            "a text in it has half of a surrogate pair, which is no character"
        ) from None
    except (TypeError, ValueError, OverflowError) as error:
        raise NotStorableError(f"a value cannot be written as JSON: {error}") from None
    if text.count(b"[") + text.count(b"{") > limit and _is_deeper(text, limit):
        raise _too_deep()
    return text


def _is_deeper(text: bytes, limit: int) -> bool:
    brackets = _TEXTS.sub(b"", text).translate(None, _NOT_BRACKETS)
    # Each round takes away the innermost level of what is left.
    for _ in range(limit):
        if not brackets:
            return False
        brackets = brackets.replace(b"[]", b"").replace(b"{}", b"")
    return bool(brackets)


def _too_deep() -> NotStorableError:
    return NotStorableError(f"a value is nested deeper than {MAX_NESTING} levels")
