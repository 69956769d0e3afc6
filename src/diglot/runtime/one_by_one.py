"""Doing the same for many, none of whom may keep the others from it."""

from __future__ import annotations

import logging
from collections.abc import Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from .errors import CallerError, StoreError

if TYPE_CHECKING:
    from . import commands as c
    from .engine import Engine

_log = logging.getLogger(__name__)


@contextmanager
def alone(what: str) -> Generator[None, None, None]:
    """What is wrong with one of many is said, and keeps nobody from the others.

    A database that fails is wrong for all of them.
    """
    try:
        yield
    except StoreError:
        raise
    except Exception as error:
        _log.error("%s cannot go on: %s: %s", what, type(error).__name__, error)


def ask(engine: Engine, instance: str, command: c.Command) -> None:
    """Ask an instance that may be over, or never have begun: then there is nothing to do."""
    try:
        engine.submit(instance, command)
    except CallerError as error:
        _log.debug("%s: %s", instance, error)
