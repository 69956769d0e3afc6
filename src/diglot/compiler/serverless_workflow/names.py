"""The names of `use`, and which of them something uses."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
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


def _entries(section: Any) -> Mapping[str, Any]:
    if section is None:
        return {}
    if isinstance(section, dict):
        return cast("dict[str, Any]", section)
    return dict.fromkeys(cast("tuple[str, ...]", section), True)
