"""Statements for PostgreSQL, whose parameters are `$1`, `$2` and so on."""

from __future__ import annotations

import re
from functools import lru_cache

_PARAMETER = re.compile(r"\?(\d*)")


@lru_cache(maxsize=1_000)
def numbered(statement: str) -> bytes:
    """A statement with its parameters numbered as SQLite does: one without gets the next."""
    last = 0

    def number(found: re.Match[str]) -> str:
        nonlocal last
        own = int(found[1]) if found[1] else last + 1
        last = max(last, own)
        return f"${own}"

    return _PARAMETER.sub(number, statement).encode()
