"""What applies each event; a second applier for one is an error at import."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from diglot.runtime.state import State

Applier = Callable[[State, Any], None]
A = TypeVar("A", bound=Callable[..., None])

#: By the type of the event.
appliers: dict[type, Applier] = {}


def applies(event: type) -> Callable[[A], A]:
    """Register the one function that applies events of this type."""

    def register(applier: A) -> A:
        if event in appliers:
            raise RuntimeError(f"{event.__name__} is applied twice")
        appliers[event] = applier
        return applier

    return register
