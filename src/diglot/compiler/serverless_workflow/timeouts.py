"""Time-outs of the workflow and of tasks: a clock that raises an error.

Source: DSL, Timeouts; DSL reference, Timeout; our decision A36.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .. import codes
from ..graph import Constant, ErrorTemplate, Handler, TimerTrigger
from ..graph.errors import STANDARD_ERRORS, error_type
from ..pointers import join_pointer
from .values import duration, is_negative, spelled

if TYPE_CHECKING:
    from diglot.specs.serverless_workflow.model.scalars import Timeout

    from .reading import Reading

EXPIRED = ErrorTemplate(
    type=Constant(error_type("timeout")),
    status=Constant(STANDARD_ERRORS["timeout"]),
    title=Constant("Timeout"),
)


def add_timeout(
    reading: Reading,
    found: Timeout | str,
    pointer: str,
    *,
    node: str | None = None,
    scope: str | None = None,
) -> None:
    """The handler that interrupts `node` or `scope`; a name stands for one of `use.timeouts`."""
    place = pointer
    if isinstance(found, str):
        named: Timeout | None = reading.names.find("timeouts", found)
        if named is None:
            reading.unknown("timeouts", found, pointer)
            return
        place, found = "/use/timeouts" + join_pointer(found), named
    length = duration(reading, found.after, f"{place}/after")
    if is_negative(length):
        reading.find(codes.NEGATIVE_WAIT, f"{place}/after", duration=spelled(found.after))
    reading.into.add_handler(
        Handler(
            id=f"{node or scope}#timeout",
            trigger=TimerTrigger(form="duration", value=length),
            node=node,
            scope=scope,
            raises=EXPIRED,
            pointer=pointer,
            span=reading.span(pointer),
        )
    )
