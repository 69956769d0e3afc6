"""What PostgreSQL has numbers for: parameters, which are `$1`, `$2` and so on, and locks."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from zlib import crc32

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


@cache
def lock_key(what: str) -> int:
    """The number of a lock; those of other programs in the database are hardly the same."""
    return (crc32(b"diglot") << 31) | crc32(what.encode())
