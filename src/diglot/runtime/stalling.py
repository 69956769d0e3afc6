"""Instances that the engine cannot move on before something is mended: they stall, and go on then.

Their definition is gone or is none any more, their rows cannot be read, or a rule breaks. History
says nothing of it, for nothing has happened to the process.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from . import commands as c
from .errors import CallerError, StoreError
from .one_by_one import alone, ask

if TYPE_CHECKING:
    from .engine import Engine

_log = logging.getLogger(__name__)

#: When it is looked again whether an instance can go on: at first, and later at the latest.
PAUSES_MS: Final = (1_000, 60_000)
#: How many instances, or events of one, a look takes.
BATCH: Final = 100


def note(engine: Engine, outcomes: Iterable[tuple[str, Exception | None]]) -> None:
    """Note which of these instances cannot go on: it is no fault of the caller or the database."""
    for instance, error in outcomes:
        if error is None or isinstance(error, CallerError | StoreError):
            continue
        reason = f"{type(error).__name__}: {error}"
        _log.error("instance %s stalls: %s", instance, reason)
        engine.store.stall(instance, reason, engine.clock.now_ms(), PAUSES_MS)


def look_again(engine: Engine) -> int:
    """Let those go on that can by now; how many did."""
    gone_on = 0
    for instance in engine.store.stalls(engine.clock.now_ms(), BATCH):
        try:
            engine.look_afresh(instance)
        except StoreError:
            raise
        except Exception as error:
            note(engine, [(instance, error)])
            continue
        with alone(f"instance {instance}"):
            _deliver(engine, instance)
            engine.store.end_stall(instance)
            gone_on += 1
            _log.warning("instance %s goes on", instance)
    return gone_on


def _deliver(engine: Engine, instance: str) -> None:
    """Offer what came meanwhile, before anything newer is."""
    while rows := engine.store.undelivered(instance, BATCH):
        for number, subscription, envelope in rows:
            ask(engine, instance, c.DeliverEvent(subscription, envelope, number))
            engine.store.delivered(instance, subscription, number)
