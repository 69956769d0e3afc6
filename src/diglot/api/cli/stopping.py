"""Ctrl-C and SIGTERM: a run stops between two steps, everything else at once."""

from __future__ import annotations

import signal
from collections.abc import Callable, Generator
from contextlib import contextmanager
from types import FrameType


class Stopped(BaseException):
    """Somebody asked the process to stop."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        #: As a shell names the end by a signal.
        self.exit_status = 128 + number


_on_stop: Callable[[], None] | None = None
_asked: int | None = None


def listen_for_stops() -> None:
    """Turn SIGINT and SIGTERM into `Stopped`."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, _take)


@contextmanager
def stops_are_put_off(on_stop: Callable[[], None]) -> Generator[None, None, None]:
    """Call `on_stop` instead of raising, once; a second request does not wait any more."""
    global _on_stop
    _on_stop = on_stop
    try:
        yield
    finally:
        _on_stop = None


def check_stop() -> None:
    """Raise what was put off.

    Raises:
        Stopped: somebody asked.
    """
    if _asked is not None:
        raise Stopped(_asked)


def _take(number: int, frame: FrameType | None) -> None:
    global _asked
    if _on_stop is None or _asked is not None:
        raise Stopped(number)
    _asked = number
    _on_stop()
