"""Engines on one database wake each other when something may have become due."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from typing import Final
from uuid import uuid4

import psycopg

_log = logging.getLogger(__name__)

#: Others are told at most once in this time: every notification stops all commits for a moment.
_PAUSE_S: Final = 0.01
#: After so long without a connection the next one is tried.
_AGAIN_S: Final = 1.0


class Wakes:
    """Tells other engines, and hears of them; what is lost is found by looking now and then."""

    def __init__(self, conninfo: str) -> None:
        self._conninfo = conninfo
        self._own = uuid4().hex
        self._news = threading.Event()
        self._stopped = threading.Event()
        self._guard = threading.Lock()
        self._telling: threading.Thread | None = None
        self._hearing: threading.Thread | None = None

    def listen(self, call: Callable[[], None]) -> None:
        """Call this whenever another engine tells something, from now on."""
        with self._guard:
            self._hearing = self._hearing or _thread("be-woken", lambda: self._hear(call))

    def tell(self) -> None:
        """Something has changed."""
        self._news.set()
        if self._telling is None:
            with self._guard:
                if not self._stopped.is_set():
                    self._telling = self._telling or _thread("wake-others", self._tell)

    def close(self) -> None:
        """Tell what is still to be told, and hear no more."""
        with self._guard:
            self._stopped.set()
        if self._hearing is not None:
            # Its own notification ends its wait.
            self.tell()
        self._news.set()
        for thread in (self._telling, self._hearing):
            if thread is not None:
                thread.join()

    def _tell(self) -> None:
        while not self._stopped.is_set() or self._news.is_set():
            try:
                with psycopg.connect(self._conninfo, autocommit=True) as raw:
                    while self._news.wait():
                        self._news.clear()
                        raw.execute("SELECT pg_notify(%s, %s)", ("diglot", self._own))
                        if self._stopped.wait(_PAUSE_S):
                            return
            except psycopg.Error as error:
                _log.warning("other engines cannot be told: %s", error)
                if self._stopped.wait(_AGAIN_S):
                    return

    def _hear(self, call: Callable[[], None]) -> None:
        while not self._stopped.is_set():
            try:
                with psycopg.connect(self._conninfo, autocommit=True) as raw:
                    raw.execute("LISTEN diglot")
                    call()
                    while not self._stopped.is_set():
                        for found in raw.notifies(timeout=1.0, stop_after=1):
                            if found.payload != self._own:
                                call()
            except psycopg.Error as error:
                _log.warning("other engines are not heard: %s", error)
                self._stopped.wait(_AGAIN_S)


def _thread(name: str, work: Callable[[], None]) -> threading.Thread:
    thread = threading.Thread(target=work, name=name, daemon=True)
    thread.start()
    return thread
