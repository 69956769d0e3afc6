"""A real HTTP server for each test, and the context to call it with."""

from __future__ import annotations

import json
import ssl
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from diglot.runtime.actions import ActionContext, OutgoingPolicy, close_connections

#: Loopback is private, and the tests' servers live there.
OPEN = OutgoingPolicy(allow_private=True)


@dataclass(frozen=True)
class Seen:
    """One request as the server got it; header names in lower case."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes
    peer: tuple[str, int]


@dataclass(frozen=True)
class Reply:
    status: int = 200
    body: bytes = b""
    headers: dict[str, str] = field(default_factory=dict[str, str])
    #: Send one byte at a time with this pause in between.
    drip_s: float = 0.0


class Server:
    """Answers by path, with a reply or what a function makes of the request."""

    def __init__(self) -> None:
        self.seen: list[Seen] = []
        self.routes: dict[str, Callable[[Seen], Reply]] = {}
        #: Set at the end of the test; what a handler waits for.
        self.is_over = threading.Event()
        self._http = ThreadingHTTPServer(("127.0.0.1", 0), _handler_of(self))
        self._http.daemon_threads = True
        self.port = int(self._http.server_address[1])
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.01,))

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self.is_over.set()
        self._http.shutdown()
        self._thread.join()
        self._http.server_close()

    def encrypt(self, tls: ssl.SSLContext) -> None:
        """Speak TLS from the next connection on."""
        # The handshake belongs to the connection's thread, not to the one that accepts.
        self._http.socket = tls.wrap_socket(
            self._http.socket, server_side=True, do_handshake_on_connect=False
        )

    def url(self, path: str) -> str:
        return f"http://127.0.0.1:{self.port}{path}"

    def on(self, path: str, answer: Callable[[Seen], Reply]) -> str:
        """Answer a path by a function; gives its URL."""
        self.routes[path] = answer
        return self.url(path)

    def answers(
        self,
        path: str,
        value: Any = b"",
        *,
        status: int = 200,
        headers: dict[str, str] | None = None,
        drip_s: float = 0.0,
    ) -> str:
        """Answer a path always alike: bytes as they are, anything else as JSON."""
        reply = self.reply(value, status=status, headers=headers, drip_s=drip_s)
        return self.on(path, lambda _: reply)

    def reply(
        self,
        value: Any = b"",
        *,
        status: int = 200,
        headers: dict[str, str] | None = None,
        drip_s: float = 0.0,
    ) -> Reply:
        if isinstance(value, bytes):
            return Reply(status, value, headers or {}, drip_s)
        json_headers = {"Content-Type": "application/json", **(headers or {})}
        return Reply(status, json.dumps(value).encode(), json_headers, drip_s)

    def holds(self, path: str) -> str:
        """Take requests to a path and answer none before the test is over."""

        def wait(_: Seen) -> Reply:
            self.is_over.wait()
            return Reply()

        return self.on(path, wait)


def _handler_of(server: Server) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        # Head and body in one segment: the second of two would wait for the first one's ACK.
        wbufsize = -1

        def handle_one_request(self) -> None:
            try:
                super().handle_one_request()
            except (ConnectionError, TimeoutError, ssl.SSLError):
                self.close_connection = True

        def _answer(self) -> None:
            length = int(self.headers.get("Content-Length", "0"))
            request = Seen(
                self.command,
                self.path,
                {name.lower(): value for name, value in self.headers.items()},
                self.rfile.read(length),
                self.client_address,
            )
            server.seen.append(request)
            route = server.routes.get(self.path.partition("?")[0])
            reply = route(request) if route else Reply(404)
            self.send_response_only(reply.status)
            for name, value in reply.headers.items():
                self.send_header(name, value)
            if "Content-Length" not in reply.headers:
                self.send_header("Content-Length", str(len(reply.body)))
            self.end_headers()
            if self.command == "HEAD":
                return
            step = 1 if reply.drip_s else max(len(reply.body), 1)
            for start in range(0, len(reply.body), step):
                self.wfile.write(reply.body[start : start + step])
                if reply.drip_s:
                    self.wfile.flush()
                if reply.drip_s and server.is_over.wait(reply.drip_s):
                    return

        do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = do_HEAD = _answer

        def log_message(self, format: str, *args: Any) -> None:
            """Keep the test's output clean."""

    return Handler


@pytest.fixture
def server() -> Iterator[Server]:
    server = Server()
    server.start()
    yield server
    close_connections()
    server.stop()


ContextMaker = Callable[..., ActionContext]


@pytest.fixture
def make_context() -> ContextMaker:
    """Makes a context that reaches the local servers, with the given fields changed."""

    def make(**changes: Any) -> ActionContext:
        fields: dict[str, Any] = {
            "policy": OPEN,
            "timeout_s": 10.0,
            "idempotency_key": "job-1",
            **changes,
        }
        return ActionContext(**fields)

    return make


@pytest.fixture
def context(make_context: ContextMaker) -> ActionContext:
    return make_context()
