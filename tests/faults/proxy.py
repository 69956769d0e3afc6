"""A network between an engine and its database that can be cut, closed and made to stand still."""

from __future__ import annotations

import contextlib
import re
import select
import socket
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Final

#: What a server says once a commit is done, and what asks it for one: by its text, or by the name
#: that the text was given before.
_DONE: Final = b"C\x00\x00\x00\x0bCOMMIT\x00"
_ASKED: Final = b"COMMIT\x00"
_NAMED: Final = re.compile(rb"(_pg3_\d+\x00)COMMIT\x00")
_LOOK_S: Final = 0.02


class Proxy:
    """Listens on a socket beside the server's own, in the way a PostgreSQL on `port` would."""

    def __init__(self, folder: Path, *, to: int = 5432, port: int = 6000) -> None:
        self.folder = folder
        self.port = port
        self._server = str(folder / f".s.PGSQL.{to}")
        self._path = folder / f".s.PGSQL.{port}"
        #: Nothing goes through while it is clear: both sides wait for each other.
        self._flows = threading.Event()
        self._flows.set()
        self._stopped = False
        self._is_refusing = False
        self._guard = threading.Lock()
        self._open: set[socket.socket] = set()
        #: Commits that have come by since `cut_at`, as far as the one that is cut.
        self.commits = 0
        self._cut: tuple[str, int] | None = None
        self._listening = self._listen()

    def url(self, database: str) -> str:
        """The address of a database of the server, by way of here."""
        name = database.partition("@/")[2].partition("?")[0]
        return f"postgresql://diglot@/{name}?host={self.folder}&port={self.port}"

    # -- faults

    def cut_at(self, moment: str, number: int) -> None:
        """Cut the connection of a commit, counted from here: when it is asked for, or answered."""
        with self._guard:
            self.commits = 0
            self._cut = (moment, number)

    def reset(self) -> None:
        """Cut every connection, whatever it is doing."""
        with self._guard:
            open, self._open = self._open, set()
        for one in open:
            with contextlib.suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)

    def refuse(self) -> None:
        """Cut every connection, and let no new one in."""
        self._is_refusing = True
        self._listening.close()
        self.reset()

    def accept(self) -> None:
        """Let connections in again."""
        if not self._is_refusing:
            return
        self._is_refusing = False
        self._listening = self._listen()

    def stall(self) -> None:
        """Let connections stand, and nothing go through them: neither side learns of it."""
        self._flows.clear()

    def go_on(self) -> None:
        """Let through what has gathered, and what comes."""
        self._flows.set()

    def close(self) -> None:
        """End."""
        self._stopped = True
        self._flows.set()
        self.refuse()

    # -- what goes through

    def _listen(self) -> socket.socket:
        self._path.unlink(missing_ok=True)
        listening = socket.socket(socket.AF_UNIX)
        listening.bind(str(self._path))
        listening.listen(64)
        _thread(lambda: self._let_in(listening))
        return listening

    def _let_in(self, listening: socket.socket) -> None:
        while not self._stopped:
            try:
                ready, _, _ = select.select([listening], [], [], _LOOK_S)
                if not ready:
                    continue
                engine, _ = listening.accept()
            except (OSError, ValueError):
                return
            _thread(lambda engine=engine: self._join(engine))

    def _join(self, engine: socket.socket) -> None:
        server = socket.socket(socket.AF_UNIX)
        with engine, server:
            try:
                server.connect(self._server)
            except OSError:
                return
            with self._guard:
                if self._is_refusing:
                    return
                self._open |= {engine, server}
            try:
                self._pass_on(engine, server)
            except OSError:
                pass
            finally:
                with self._guard:
                    self._open -= {engine, server}

    def _pass_on(self, engine: socket.socket, server: socket.socket) -> None:
        others = {engine: server, server: engine}
        asks = {_ASKED}
        while not self._stopped:
            self._flows.wait()
            for ready in select.select([engine, server], [], [], _LOOK_S)[0]:
                data = ready.recv(1 << 16)
                if not data:
                    return
                self._flows.wait()
                asks.update(b"\x00" + name for name in _NAMED.findall(data))
                is_answer = ready is server
                marks = {_DONE} if is_answer else asks
                if any(mark in data for mark in marks) and self._is_cut(is_answer):
                    return
                others[ready].sendall(data)

    def _is_cut(self, is_answer: bool) -> bool:
        """Whether this commit, that is asked for or answered, is the one that is cut."""
        with self._guard:
            if self._cut is None or self._cut[0] != ("answered" if is_answer else "asked"):
                return False
            self.commits += 1
            if self.commits != self._cut[1]:
                return False
            self._cut = None
            return True


def _thread(work: Callable[[], None]) -> None:
    threading.Thread(target=work, daemon=True).start()
