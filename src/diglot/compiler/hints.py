"""What an unknown name was probably meant to be."""

from __future__ import annotations

import re
from collections.abc import Iterable
from difflib import get_close_matches
from itertools import islice
from typing import Final

#: The search is dear: so many names of one document get a hint, of so many candidates each.
_MOST_SEARCHES: Final = 50
_MOST_CANDIDATES: Final = 500
#: Longer names are no slip of the pen.
_LONGEST_NAME: Final = 100


_MEANT: Final = re.compile(r"Did you mean `([^`\n]+)`\?")


def meant_in(hint: str) -> str | None:
    """The name that a hint says was probably meant; None where it says something else."""
    found = _MEANT.fullmatch(hint)
    return None if found is None else found[1]


class Hints:
    """The hints of one document, which are not without end."""

    def __init__(self) -> None:
        self._left = _MOST_SEARCHES

    def nearest(self, name: str, known: Iterable[str]) -> str | None:
        """The known name that is nearest to `name`; None when none is near."""
        if not self._left or len(name) > _LONGEST_NAME:
            return None
        self._left -= 1
        names = [one for one in islice(known, _MOST_CANDIDATES) if len(one) <= _LONGEST_NAME]
        near = get_close_matches(name, names, n=1, cutoff=0.6)
        return near[0] if near else None

    def did_you_mean(self, name: str, known: Iterable[str]) -> str:
        """The sentence for it; empty when none is near."""
        near = self.nearest(name, known)
        return f"Did you mean `{near}`?" if near is not None else ""
