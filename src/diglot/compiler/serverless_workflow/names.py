"""The names of `use`, who names them, and what an unknown name was probably meant to be."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from itertools import islice
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from diglot.specs.serverless_workflow.model.workflow import Use

#: The sections of `use` whose entries are used by name, and what one entry is called.
KINDS: Mapping[str, str] = {
    "authentications": "authentication",
    "catalogs": "catalog",
    "errors": "error",
    "functions": "function",
    "retries": "retry policy",
    "secrets": "secret",
    "timeouts": "timeout",
}


class Names:
    """The declarations of one document; remembers which of them something uses."""

    def __init__(self, use: Use | None) -> None:
        self._sections: dict[str, Mapping[str, Any]] = {
            section: _entries(getattr(use, section, None)) for section in KINDS
        }
        self._used: set[tuple[str, str]] = set()

    def find(self, section: str, name: str) -> Any | None:
        """The declaration called `name`, which now counts as used; None if there is none.

        A secret has no more to it than its name: its declaration is True.
        """
        self._used.add((section, name))
        return self._sections[section].get(name)

    def known(self, section: str) -> Iterable[str]:
        """The names that a section declares."""
        return self._sections[section]

    def unused(self) -> Iterable[tuple[str, str]]:
        """Section and name of each declaration that nothing has used, in order of the document."""
        for section, entries in self._sections.items():
            for name in entries:
                if (section, name) not in self._used:
                    yield section, name


class Hints:
    """What an unknown name was probably meant to be.

    The search is dear, so only so many names of one document get a hint.
    """

    def __init__(self, limit: int = 50) -> None:
        self._left = limit

    def did_you_mean(self, name: str, known: Iterable[str]) -> str:
        """A hint with the known name nearest to `name`, or nothing when none is near."""
        names = [candidate for candidate in islice(known, 500) if len(candidate) <= 100]
        if not self._left or len(name) > 100:
            return ""
        self._left -= 1
        near = get_close_matches(name, names, n=1, cutoff=0.6)
        return f"Did you mean `{near[0]}`?" if near else ""


def _entries(section: Any) -> Mapping[str, Any]:
    if section is None:
        return {}
    if isinstance(section, dict):
        return cast("dict[str, Any]", section)
    return dict.fromkeys(cast("tuple[str, ...]", section), True)
