"""How often circles of dead objects are looked for while a document is compiled."""

from __future__ import annotations

import gc
from collections.abc import Generator
from contextlib import contextmanager
from threading import Lock
from typing import Final

#: So many objects are made before it is looked for circles of them that nothing refers to.
_SELDOM: Final = 200_000

_changing = Lock()
_before: list[tuple[int, int, int]] = []
"""What was set before each of those who are at work: the first one's is set again by the last."""


@contextmanager
def collecting_seldom() -> Generator[None, None, None]:
    """A document becomes many small objects that stay: looking for circles in them is in vain.

    For large ones it would take a third of the time. Several threads may be in here at once.
    """
    with _changing:
        _before.append(gc.get_threshold() if not _before else _before[0])
        gc.set_threshold(_SELDOM, *_before[0][1:])
    try:
        yield
    finally:
        with _changing:
            earlier = _before.pop()
            if not _before:
                gc.set_threshold(*earlier)
