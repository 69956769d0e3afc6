"""Semantic versions in order.

Source: Semantic Versioning 2.0.0, 11; our decision A30.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any


def latest(versions: Iterable[str]) -> str:
    """The highest of some versions; a release goes before its own pre-releases."""
    return max(versions, key=_order)


def _order(version: str) -> tuple[Any, ...]:
    plain = version.split("+", 1)[0]
    core, _, pre = plain.partition("-")
    numbers = tuple(int(part) if part.isdigit() else 0 for part in core.split("."))
    parts = tuple(
        (0, int(part), "") if part.isdigit() else (1, 0, part) for part in pre.split(".") if part
    )
    return numbers, not pre, parts
