"""Text as a terminal may get it: none of it moves the cursor, recolours, or turns the direction."""

from __future__ import annotations

import re

_TURNING = "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"
_UNSAFE = re.compile(f"[\x00-\x08\x0a-\x1f\x7f-\x9f\u2028\u2029{_TURNING}]")
# Line feeds are the layout of JSON; within its texts they are escaped already.
_UNSAFE_IN_JSON = re.compile(f"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029{_TURNING}]")


def plain(text: str) -> str:
    """One line of text with control characters shown as `�`, and line feeds as spaces."""
    return _UNSAFE.sub("�", text.replace("\n", " "))


def plain_json(text: str) -> str:
    """JSON that says the same, with control characters as escapes."""
    return _UNSAFE_IN_JSON.sub(lambda found: f"\\u{ord(found.group()):04x}", text)
