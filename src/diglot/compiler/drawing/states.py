"""What is known of a run, shown on the elements that it went through."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal, get_args

import msgspec

from ..layout import Bounds, Point
from ..layout.measure import text_width
from .pen import circle, number, symbol
from .symbols import STATES
from .theme import Theme

Status = Literal["done", "active", "waiting", "failed", "skipped"]

#: In the order in which they are told.
STATUSES: Final[tuple[Status, ...]] = get_args(Status)

#: Counts above this are not told exactly.
_MOST: Final = 9_999


class State(
    msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True
):
    """The state of one element: how often it was reached, and what there is to say about it."""

    status: Status
    count: int = 0
    note: str = ""


NO_STATES: Final[Mapping[str, State]] = {}


def counted(state: State) -> str:
    """How often, where it was more than once."""
    if state.count < 2:
        return ""
    return f"{_MOST}+" if state.count > _MOST else str(state.count)


def badge(state: State, at: Point, theme: Theme) -> str:
    """The sign of a state around a point; a count makes it longer, to the left."""
    knocked = f'class="x" stroke="{theme.surface}"'
    sign = symbol(STATES[state.status], at.x, at.y, knocked=knocked)
    count = counted(state)
    if not count:
        disc = circle(at.x, at.y, 7.5, f'fill="currentColor" class="h" stroke="{theme.paper}"')
        return disc + sign
    wide = text_width(count, size=10) + 20
    disc = (
        f'<rect x="{number(at.x + 8 - wide)}" y="{number(at.y - 8)}" width="{number(wide)}"'
        f' height="16" rx="8" fill="currentColor" class="h" stroke="{theme.paper}"/>'
    )
    text = (
        f'<text x="{number(at.x + 13 - wide)}" y="{number(at.y + 3.5)}" font-size="10"'
        f' font-weight="bold" class="s" fill="{theme.surface}" stroke="none">{count}</text>'
    )
    return disc + text + sign


def corner(box: Bounds, *, is_round: bool) -> Point:
    """Where a badge sits: at the upper right, nearer to what has no corner."""
    inward = box.width * 0.1 if is_round else 3.0
    return Point(box.x + box.width - inward, box.y + inward)


def told(states: Mapping[str, State]) -> str:
    """All states of a picture in one sentence."""
    counts = [(sum(one.status == status for one in states.values()), status) for status in STATUSES]
    said = ", ".join(f"{count} {status}" for count, status in counts if count)
    return f"State of its elements: {said}." if said else ""
