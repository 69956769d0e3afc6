"""Loads every file whose compilers register themselves."""

from __future__ import annotations

from functools import cache
from importlib import import_module

_FILES = (
    "closures_values",
    "closures_operators",
    "closures_control",
    "closures_functions",
    "closures_updates",
    "natives_values",
    "natives_text",
    "natives_dates",
    "natives_collections",
    "natives_generators",
    "natives_order",
    "natives_search",
)


@cache
def load() -> None:
    """Register all compilers; a second call does nothing."""
    for name in _FILES:
        import_module(f".{name}", __package__)
