"""Two names that are one name with a slip of the pen, and not two names.

Names of variables are often alike on purpose: `item` and `items`, `line1` and `line2`, `minPrice`
and `maxPrice`. A slip is another case or separator, two letters in the wrong order, a letter too
many, one too few or a wrong one: inside a word that is long enough to be recognised.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from typing import Final

_SHORTEST: Final = 5
_LONGEST: Final = 60
_MOST_NAMES: Final = 300


def nearest(name: str, known: Iterable[str]) -> str | None:
    """The known name that `name` is with one slip; None where there is none, or several are."""
    if not _SHORTEST <= len(name) <= _LONGEST:
        return None
    found = [one for one in islice(sorted(known), _MOST_NAMES) if is_slip(name, one)]
    return found[0] if len(found) == 1 else None


def is_slip(one: str, other: str) -> bool:
    """Whether two different names are one name with a slip."""
    if one == other or min(len(one), len(other)) < _SHORTEST or abs(len(one) - len(other)) > 2:
        return False
    plain, bare = _plain(one), _plain(other)
    if plain == bare:
        return True
    if len(plain) > len(bare):
        plain, bare = bare, plain
    start = _common(plain, bare)
    end = _common(plain[start:][::-1], bare[start:][::-1])
    short, long = plain[start : len(plain) - end], bare[start : len(bare) - end]
    if not (short + long).isalpha() or not start or not end:
        return False
    if len(short) == 2 and len(long) == 2:
        return short == long[::-1]
    return len(long) == 1 and len(bare) > _SHORTEST and len(short) < 2


def _plain(name: str) -> str:
    return name.replace("_", "").replace("-", "").casefold()


def _common(one: str, other: str) -> int:
    """How many characters at the beginning are the same."""
    length = 0
    for left, right in zip(one, other, strict=False):
        if left != right:
            break
        length += 1
    return length
