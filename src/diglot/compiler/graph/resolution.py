"""Which version of which definition a call means, for whoever knows what there is.

Source: Semantic Versioning 2.0.0, 11; our decisions A30, A118.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from typing import Any, Final, NamedTuple

#: What a call says that wants the highest version there is.
LATEST: Final = "latest"
#: Where documents of BPMN are published, and where they look for workflows.
_BPMN: Final = "bpmn"
_DEFAULT: Final = "default"


class Key(NamedTuple):
    """What a published definition is known by."""

    namespace: str
    name: str
    version: str


def resolve(
    namespace: str, name: str, version: str, versions: Callable[[str, str], Collection[str]]
) -> Key | None:
    """The definition that a call names, or none; each standard finds what the other one has.

    Documents of BPMN have no namespace of their own, and no way to name another one. `versions`
    are those there are in a namespace under a name.
    """
    for one in (namespace, elsewhere(namespace)):
        known = versions(one, name)
        if version == LATEST and known:
            return Key(one, name, latest(known))
        if version in known:
            return Key(one, name, version)
    return None


def elsewhere(namespace: str) -> str:
    """Where a definition is looked for that is not in the namespace of the call."""
    return _DEFAULT if namespace == _BPMN else _BPMN


def latest(versions: Iterable[str]) -> str:
    """The highest of some versions; a release goes before its own pre-releases."""
    return max(versions, key=_order)


def _order(version: str) -> tuple[Any, ...]:
    plain = version.split("+", 1)[0]
    core, _, pre = plain.partition("-")
    numbers = tuple(_size(part) for part in core.split("."))
    parts = tuple(
        (0, _size(part), "") if _is_number(part) else (1, (0, ""), part)
        for part in pre.split(".")
        if part
    )
    return numbers, not pre, parts


def _size(part: str) -> tuple[int, str]:
    """A number by which others are larger or smaller, however long it is; what is none is zero."""
    digits = part.lstrip("0") if _is_number(part) else ""
    return len(digits), digits


def _is_number(part: str) -> bool:
    return part.isascii() and part.isdigit()
