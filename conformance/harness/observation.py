"""What is the same in every mode: compared, whether or not the case expects something of it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from .difference import differences
from .evidence import Evidence


class Observation(msgspec.Struct, frozen=True):
    """How a play ended, as anybody outside can see it."""

    status: str
    output: Any
    error: Any
    trace: tuple[str, ...]
    began_ms: tuple[int, ...]
    emitted: tuple[Any, ...]
    lifecycle: tuple[str, ...]
    waiting: tuple[str, ...]
    instances: tuple[str, ...]


def observe(evidence: Evidence) -> Observation:
    """Take down what is to be seen."""
    row = evidence.row
    entered = evidence.entered()
    return Observation(
        status="" if row is None else row.status,
        output=None if row is None else row.output,
        error=None if row is None else row.error,
        trace=tuple(one.name for one in entered),
        began_ms=tuple(one.at_ms for one in entered),
        emitted=tuple(evidence.emitted()),
        lifecycle=tuple(evidence.lifecycle()),
        waiting=tuple(evidence.waiting()),
        instances=tuple(one.status for one in evidence.instances()),
    )


def disagreements(one: Observation, other: Observation) -> Iterator[str]:
    """How another mode saw it otherwise."""
    yield from differences(msgspec.to_builtins(one), msgspec.to_builtins(other), "/observation")
