"""Time for people and machines: milliseconds since 1970 in UTC, and an injected clock."""

from __future__ import annotations

import threading
import time
from calendar import monthrange
from datetime import UTC, datetime
from typing import Any, Protocol

from diglot.compiler.graph import Duration


class Clock(Protocol):
    """Where the engine reads the time and waits for it."""

    def now_ms(self) -> int:
        """Milliseconds since 1970 in UTC."""
        ...

    def sleep(self, seconds: float, wake: threading.Event) -> None:
        """Wait so long, or until `wake` is set."""
        ...


class SystemClock:
    """The machine's own clock."""

    def now_ms(self) -> int:
        """Milliseconds since 1970 in UTC."""
        return time.time_ns() // 1_000_000

    def sleep(self, seconds: float, wake: threading.Event) -> None:
        """Wait so long, or until `wake` is set."""
        wake.wait(seconds)


class ManualClock:
    """A clock that stands still until it is moved."""

    def __init__(self, now_ms: int = 1_750_000_000_000) -> None:
        self._now_ms = now_ms

    def now_ms(self) -> int:
        """Milliseconds since 1970 in UTC."""
        return self._now_ms

    def advance(self, milliseconds: int) -> None:
        """Move the clock; a negative number moves it back."""
        self._now_ms += milliseconds

    def sleep(self, seconds: float, wake: threading.Event) -> None:
        """Move the clock on instead of waiting."""
        self.advance(max(1, int(seconds * 1000)))


def iso(at_ms: int) -> str:
    """`2026-01-31T12:00:00.000Z`."""
    moment = datetime.fromtimestamp(at_ms / 1000, UTC)
    return f"{moment.year:04d}" + moment.strftime("-%m-%dT%H:%M:%S.") + f"{at_ms % 1000:03d}Z"


def moment(at_ms: int) -> dict[str, Any]:
    """The date-time descriptor of expressions.

    Source: DSL, DateTime Descriptor.
    """
    return {"iso8601": iso(at_ms), "epoch": {"seconds": at_ms // 1000, "milliseconds": at_ms}}


#: The first and the last moment of the calendar, the years 1 and 9999.
FIRST_MS = -62_135_596_800_000
LAST_MS = 253_402_300_799_999


def later(at_ms: int, duration: Duration) -> int:
    """`at_ms` plus the duration; months are counted in the calendar, the day clipped to its end.

    What lies outside the calendar is its first or its last moment.
    """
    if duration.months:
        start = datetime.fromtimestamp(at_ms / 1000, UTC)
        months = start.year * 12 + start.month - 1 + duration.months
        year, month = divmod(months, 12)
        if not 1 <= year <= 9999:
            return LAST_MS if year > 9999 else FIRST_MS
        day = min(start.day, monthrange(year, month + 1)[1])
        moved = start.replace(year=year, month=month + 1, day=day)
        at_ms += int((moved - start).total_seconds() * 1000)
    return max(FIRST_MS, min(at_ms + duration.milliseconds, LAST_MS))
