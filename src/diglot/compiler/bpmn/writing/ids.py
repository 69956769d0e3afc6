"""Ids of elements: names that XML has, each only once in a file."""

from __future__ import annotations

import re
from typing import Final

_UNFIT: Final = re.compile(r"[^A-Za-z0-9_.\-]+")
_FIT: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_.\-]*")
_POINTER: Final = re.compile(r"[^/#~]+")
#: Parts of pointers that name no task.
_STEP: Final = re.compile(r"\d+|do|try|catch|fork|branches|foreach|use|functions|scope|body")
#: Longer ones are read by nobody.
_LONGEST: Final = 80


class Ids:
    """The ids of one file."""

    def __init__(self) -> None:
        self._taken: dict[str, int] = {}

    def keep_free(self, id: str) -> None:
        """Let no element have this id: something outside of the file goes by it."""
        self._taken.setdefault(id, 1)

    def take(self, wish: str, otherwise: str) -> str:
        """An id like the one that is wished for: the same, its last part, or with a number."""
        base = fit(wish) or otherwise
        found, number = base, self._taken.get(base, 0)
        while found in self._taken:
            number += 1
            found = f"{base}_{number}"
        self._taken[found] = 1
        self._taken[base] = max(number, 1)
        return found


def fit(wish: str) -> str:
    """What of a text can be an id; of a pointer the last name, `price` of `/do/0/price`."""
    if len(wish) <= _LONGEST and _FIT.fullmatch(wish):
        return wish
    names = _POINTER.findall(wish)
    text = names[-1] if names else ""
    if "#" in wish:
        owner = next((name for name in reversed(names[:-1]) if not _STEP.fullmatch(name)), "")
        text = f"{owner}_{text}" if owner else text
    text = _UNFIT.sub("_", text).strip("_.-")[:_LONGEST]
    if not text:
        return ""
    return text if _FIT.fullmatch(text) else f"_{text}"
