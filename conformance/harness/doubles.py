"""Doubles of remote services: real HTTP servers on this machine that answer as a case says.

There are two of them, because a service is known by its origin: what was meant for `https` goes to
the one, what was meant for `http` to the other. Neither speaks TLS.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any
from urllib.parse import urlsplit

from diglot.runtime.actions.outgoing import HostMap, OutgoingPolicy

from .case import Double

#: Nothing but doubles is called. Names below `invalid` never resolve (RFC 6761), so that a case can
#: call a service that is not there.
DOUBLES_ONLY = OutgoingPolicy(allowed_hosts=frozenset({"*.invalid"}))


@dataclass(frozen=True, slots=True)
class Request:
    """One request as a double saw it; `uri` is whole, header names are in lower case."""

    method: str
    uri: str
    headers: Mapping[str, str]
    body: bytes

    @property
    def line(self) -> str:
        """`GET https://example.com/pets/1`."""
        return f"{self.method} {self.uri}"

    @property
    def content(self) -> Any:
        """The body: JSON where it is JSON, else text."""
        text = self.body.decode("utf-8", "replace")
        try:
            return json.loads(text)
        except ValueError:
            return text


@dataclass(frozen=True, slots=True)
class Reply:
    """What goes back."""

    status: int = 200
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict[str, str])

    @classmethod
    def of(cls, value: Any, status: int = 200) -> Reply:
        """A JSON reply."""
        body = json.dumps(value).encode()
        return cls(status, body, {"Content-Type": "application/json"})


#: Answers a request; several threads may ask at once.
Answer = Callable[[Request], Reply]


class Doubles:
    """The doubles of one play of a case: what they answer, and what they have seen."""

    def __init__(self, doubles: Sequence[Double] = ()) -> None:
        self._doubles = tuple(doubles)
        self._left = [double.times for double in self._doubles]
        self._kept = list(self._left)
        self._guard = threading.Lock()
        self.seen: list[Request] = []
        self.unanswered: list[str] = []

    def __call__(self, request: Request) -> Reply:
        """The first double whose request this is and that is not used up."""
        with self._guard:
            self.seen.append(request)
            for index, double in enumerate(self._doubles):
                if self._left[index] == 0 or not _is_for(double, request):
                    continue
                left = self._left[index]
                self._left[index] = None if left is None else left - 1
                return Reply(double.status, double.body, double.headers)
            self.unanswered.append(request.line)
        return Reply(501, b"no double answers this", {"Content-Type": "text/plain"})

    def keep(self) -> None:
        """What has been answered is known to whoever asked."""
        with self._guard:
            self._kept = list(self._left)

    def undo(self) -> None:
        """Whoever asked died before it knew: asked again, a service answers as it did before."""
        with self._guard:
            self._left = list(self._kept)


def _is_for(double: Double, request: Request) -> bool:
    uri = request.uri
    if "?" not in double.uri:
        uri = uri.partition("?")[0]
    return double.method == request.method and _whole(double.uri) == _whole(uri)


def _whole(uri: str) -> str:
    """An address without its path means the path `/`."""
    return uri if urlsplit(uri).path else f"{uri.rstrip('/')}/"


class Servers:
    """The two servers; they answer by whatever function stands in `answer`."""

    def __init__(self) -> None:
        self.answer: Answer = Doubles()
        self._servers = {scheme: _server(self, scheme) for scheme in ("http", "https")}
        self._threads = [
            threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
            for server in self._servers.values()
        ]

    def __enter__(self) -> Servers:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        for server in self._servers.values():
            server.shutdown()
            server.server_close()
        for thread in self._threads:
            thread.join()

    def base(self, scheme: str) -> str:
        """The address of the server that stands for a scheme."""
        return f"http://127.0.0.1:{self._servers[scheme].server_address[1]}"

    def hosts(self, doubles: Sequence[Double]) -> HostMap:
        """The map from the hosts of the doubles to these servers."""
        found: dict[str, str] = {}
        for double in doubles:
            scheme, host, port = double.origin
            found[f"{host}:{port}"] = self.base(scheme)
        return HostMap.of(found)


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    # Threads of idle connections are not waited for.
    block_on_close = False


def _server(servers: Servers, scheme: str) -> _Server:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        # Head and body in one segment: the second of two would wait for the first one's ACK.
        wbufsize = -1

        def handle_one_request(self) -> None:
            try:
                self.raw_requestline = self.rfile.readline(65_537)
                if not self.raw_requestline or not self.parse_request():
                    self.close_connection = True
                    return
                self._reply(servers.answer(self._request()))
            except ConnectionError:
                self.close_connection = True

        def _request(self) -> Request:
            headers = {name.lower(): value for name, value in self.headers.items()}
            body = self.rfile.read(int(headers.get("content-length", 0)))
            host = headers.get("host", "")
            return Request(self.command, f"{scheme}://{host}{self.path}", headers, body)

        def _reply(self, reply: Reply) -> None:
            self.send_response_only(reply.status)
            for name, value in reply.headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(reply.body)))
            self.end_headers()
            if self.command != "HEAD":
                self.wfile.write(reply.body)
            self.wfile.flush()

    return _Server(("127.0.0.1", 0), Handler)
