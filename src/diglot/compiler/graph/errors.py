"""The standard error types and the one form in which two of them are compared.

The specification was renamed, and its own kit and examples use a third family of addresses: all of
them mean the same eight types.

Source: DSL reference, Standard Error Types; our decision A1.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

#: Each standard error by its name, with the status it has where nothing better is known.
STANDARD_ERRORS: Final[Mapping[str, int]] = MappingProxyType(
    {
        "configuration": 400,
        "validation": 400,
        "expression": 400,
        "authentication": 401,
        "authorization": 403,
        "timeout": 408,
        "communication": 500,
        "runtime": 500,
    }
)

_CANONICAL: Final = "https://open-workflow-specification.org/spec/1.0.0/errors/"

_FAMILIES: Final = (
    _CANONICAL,
    "https://serverlessworkflow.io/spec/1.0.0/errors/",
    "https://open-workflow-specification.org/dsl/errors/types/",
    "https://serverlessworkflow.io/dsl/errors/types/",
)


def error_type(name: str) -> str:
    """The canonical URI of the standard error `name`.

    Raises:
        ValueError: no standard error has that name.
    """
    if name not in STANDARD_ERRORS:
        raise ValueError(f"not a standard error: {name!r}")
    return _CANONICAL + name


def canonical_error_type(uri: str) -> str:
    """The canonical URI where `uri` is a standard type of a known family, else `uri` itself."""
    name = standard_family_name(uri)
    return uri if name is None or name not in STANDARD_ERRORS else _CANONICAL + name


def standard_family_name(uri: str) -> str | None:
    """What stands behind the address of a known family; it need not be a standard name."""
    for family in _FAMILIES:
        if uri.startswith(family):
            return uri.removeprefix(family)
    return None
