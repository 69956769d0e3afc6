"""The guarded way out: httpx over connections that go only where the policy admits.

A host is resolved once; each address is judged, and the connection is made to a judged address, so
that no second look-up can answer otherwise. TLS name and Host header stay the host's. This module
imports httpx and httpcore; `exchange` imports it with the first request.
"""

from __future__ import annotations

import logging
import queue
import socket
import ssl
import threading
from collections.abc import Iterable, Iterator
from contextvars import ContextVar
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, cast

import httpcore
import httpx

from .contract import ActionError, TimeLimit
from .outgoing import HostMap, OutgoingPolicy

# It logs headers, in which secrets travel.
logging.getLogger("httpcore").setLevel(logging.WARNING)

_DEFAULT_PORTS = {"http": 80, "https": 443}
#: How often a waiting read looks whether the action was cancelled.
_CANCEL_POLL_S = 0.2
_IDLE_CONNECTIONS = 32
#: A look-up cannot be interrupted, so that those of slow name servers pile up to this number.
_lookups = threading.BoundedSemaphore(64)

SocketOptions = Iterable[
    tuple[int, int, int] | tuple[int, int, bytes | bytearray] | tuple[int, int, None, int]
]


class CancelledError(Exception):
    """Nobody waits for the request any more."""


@dataclass(slots=True)
class Wire:
    """What has happened on the wire to the request that this thread is sending."""

    limit: TimeLimit
    #: A connection was opened for it, rather than an idle one taken.
    is_new: bool = False
    has_sent: bool = False
    has_received: bool = False

    def wait_s(self, timeout_s: float | None) -> float:
        """How long the next step may take.

        Raises:
            CancelledError: The action was cancelled.
            httpcore.ReadTimeout: The action's time is over.
        """
        if self.limit.is_cancelled:
            raise CancelledError
        left_s = self.limit.remaining_s
        if left_s <= 0:
            raise httpcore.ReadTimeout("the time is over")
        return left_s if timeout_s is None else min(timeout_s, left_s)


#: The request of this thread; connections are shared, requests are not.
current_wire: ContextVar[Wire] = ContextVar("current_wire")


class GuardedTransport(httpx.BaseTransport):
    """Sends requests where `policy` admits, over connections that it keeps.

    It is used without a client of httpx, which would keep cookies for every tenant, log URIs, and
    build the request of a redirection before anybody has judged it.
    """

    def __init__(self, policy: OutgoingPolicy, doubles: HostMap | None) -> None:
        self._policy = policy
        self._doubles = doubles
        self._pool = _pool(_Backend(policy))
        # Apart from the other: a connection to a double must not serve a request that the policy
        # has yet to judge.
        self._pool_of_doubles = _pool(_Backend(None))

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """The head of the response, its body still to be read; the caller closes it.

        Raises:
            ActionError: The policy refuses the target.
        """
        url = request.url
        host = url.raw_host.decode("ascii").lower()
        port = url.port or _DEFAULT_PORTS.get(url.scheme, 0)
        target = httpcore.URL(
            scheme=url.raw_scheme, host=url.raw_host, port=url.port, target=url.raw_path
        )
        extensions = dict(request.extensions)
        pool = self._pool
        base = self._doubles.find(host, port) if self._doubles else None
        if base is not None:
            pool = self._pool_of_doubles
            target = _on_double(target, httpx.URL(base))
            extensions["sni_hostname"] = host
        elif objection := self._policy.objection(url.scheme, host, port):
            raise ActionError("authorization", 403, "Call Refused", objection)

        answer = pool.handle_request(
            httpcore.Request(
                method=request.method,
                url=target,
                headers=request.headers.raw,
                content=cast("Iterable[bytes]", request.stream),
                extensions=extensions,
            )
        )
        return httpx.Response(
            answer.status, headers=answer.headers, stream=_Body(answer), request=request
        )

    def close(self) -> None:
        """Close every connection."""
        self._pool.close()
        self._pool_of_doubles.close()


def _on_double(target: httpcore.URL, base: httpx.URL) -> httpcore.URL:
    prefix = base.raw_path.rstrip(b"/")
    return httpcore.URL(
        scheme=base.raw_scheme, host=base.raw_host, port=base.port, target=prefix + target.target
    )


def _pool(backend: _Backend) -> httpcore.ConnectionPool:
    # The number of threads bounds the connections in use.
    return httpcore.ConnectionPool(
        ssl_context=trusted_authorities(),
        max_connections=None,
        max_keepalive_connections=_IDLE_CONNECTIONS,
        keepalive_expiry=5.0,
        network_backend=backend,
    )


@lru_cache(maxsize=1)
def trusted_authorities() -> ssl.SSLContext:
    """What a server's certificate is checked against; read once."""
    # SSL_CERT_FILE and SSL_CERT_DIR are the operator's way to add an authority of his own.
    return httpx.create_ssl_context(trust_env=True)


class _Body(httpx.SyncByteStream):
    def __init__(self, answer: httpcore.Response) -> None:
        self._answer = answer

    def __iter__(self) -> Iterator[bytes]:
        yield from self._answer.iter_stream()

    def close(self) -> None:
        self._answer.close()


class _Backend(httpcore.NetworkBackend):
    """Connections to admitted addresses; without a policy, to any."""

    def __init__(self, policy: OutgoingPolicy | None) -> None:
        self._policy = policy
        self._inner = httpcore.SyncBackend()

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: SocketOptions | None = None,
    ) -> httpcore.NetworkStream:
        wire = current_wire.get()
        wire.is_new = True
        if self._policy is not None:
            cap_s = self._policy.connect_timeout_s
            timeout = cap_s if timeout is None else min(timeout, cap_s)
        addresses = _resolve(host, port, wire.wait_s(timeout))
        if self._policy is not None and not all(
            self._policy.admits(host, address) for address in addresses
        ):
            # The address stays untold: it would map the network behind the engine.
            raise ActionError(
                "authorization",
                403,
                "Call Refused",
                f"the host {host!r} resolves to an address that may not be called",
            )
        while True:
            address = addresses.pop(0)
            try:
                wait_s = wire.wait_s(timeout) / (len(addresses) + 1)
                stream = self._inner.connect_tcp(
                    address, port, wait_s, local_address, socket_options
                )
                return _Stream(stream)
            except (httpcore.ConnectError, httpcore.ConnectTimeout):
                if not addresses:
                    raise


class _Stream(httpcore.NetworkStream):
    """A connection whose every step respects the time limit of the request it serves."""

    def __init__(self, inner: httpcore.NetworkStream) -> None:
        self._inner = inner

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        wire = current_wire.get()
        while True:
            wait_s = wire.wait_s(timeout)
            if wire.limit.can_be_cancelled:
                wait_s = min(wait_s, _CANCEL_POLL_S)
            try:
                data = self._inner.read(max_bytes, wait_s)
            except httpcore.ReadTimeout:
                # The next turn tells a slice of the waiting from its end.
                continue
            wire.has_received = wire.has_received or bool(data)
            return data

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        wire = current_wire.get()
        wait_s = wire.wait_s(timeout)
        wire.has_sent = True
        self._inner.write(buffer, wait_s)

    def close(self) -> None:
        self._inner.close()

    def start_tls(
        self,
        ssl_context: ssl.SSLContext,
        server_hostname: str | None = None,
        timeout: float | None = None,
    ) -> httpcore.NetworkStream:
        wait_s = current_wire.get().wait_s(timeout)
        return _Stream(self._inner.start_tls(ssl_context, server_hostname, wait_s))

    def get_extra_info(self, info: str) -> Any:
        return self._inner.get_extra_info(info)


def _resolve(host: str, port: int, timeout_s: float) -> list[str]:
    """Every address of a host, each once, in the resolver's order; never an empty list."""
    if not _lookups.acquire(timeout=timeout_s):
        raise httpcore.ConnectTimeout("the name look-up could not start")
    found: queue.SimpleQueue[list[str] | Exception] = queue.SimpleQueue()

    def look_up() -> None:
        try:
            entries = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
            found.put(list(dict.fromkeys(str(entry[4][0]) for entry in entries)))
        except (OSError, UnicodeError) as error:
            found.put(error)
        finally:
            _lookups.release()

    threading.Thread(target=look_up, name="diglot-look-up", daemon=True).start()
    try:
        result = found.get(timeout=timeout_s)
    except queue.Empty:
        raise httpcore.ConnectTimeout(f"the name {host!r} was not resolved") from None
    if isinstance(result, Exception) or not result:
        raise httpcore.ConnectError(f"the name {host!r} cannot be resolved")
    return result
