"""One process asks another, over a socket of this machine: a line of JSON there, and one back."""

from __future__ import annotations

import json
import socket
import socketserver
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

#: Somebody who does not answer in this time may be dead, or stand still.
PATIENCE_S = 5.0


class NoAnswer(Exception):
    """What was asked for may have been done, or not."""


def ask(path: Path, what: str, **arguments: Any) -> Any:
    """Ask, and wait for the answer.

    Raises:
        NoAnswer: nobody was there, or there was none.
    """
    try:
        with socket.socket(socket.AF_UNIX) as raw:
            raw.settimeout(PATIENCE_S)
            raw.connect(str(path))
            raw.sendall(json.dumps([what, arguments]).encode() + b"\n")
            with raw.makefile("rb") as answers:
                ok, answer = json.loads(answers.readline())
    except (OSError, ValueError) as error:
        raise NoAnswer(str(error)) from error
    if not ok:
        raise NoAnswer(answer)
    return answer


def serve(path: Path, does: Mapping[str, Callable[..., Any]]) -> None:
    """Answer until the process ends."""

    class Handler(socketserver.StreamRequestHandler):
        def handle(self) -> None:
            try:
                what, arguments = json.loads(self.rfile.readline())
                answer: tuple[bool, Any] = True, does[what](**arguments)
            except Exception as error:
                answer = False, f"{type(error).__name__}: {error}"
            try:
                self.wfile.write(json.dumps(answer).encode() + b"\n")
            except OSError:
                return

    class Server(socketserver.ThreadingUnixStreamServer):
        daemon_threads = True
        request_queue_size = 64

    path.unlink(missing_ok=True)
    with Server(str(path), Handler) as server:
        server.serve_forever()
