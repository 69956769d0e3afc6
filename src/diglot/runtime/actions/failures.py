"""What goes wrong with a request, as errors that say how far it came."""

from __future__ import annotations

import http
from types import TracebackType
from typing import TYPE_CHECKING

from .contract import ActionError, TimeLimit
from .masking import without_query

if TYPE_CHECKING:
    import httpx

    from .transport import GuardedTransport, Wire

#: Repeating these cannot double an effect: RFC 9110, 9.2.2.
IDEMPOTENT = frozenset({"GET", "HEAD", "OPTIONS", "PUT", "DELETE"})

#: The server says that it has not acted: any method may be repeated.
_NOT_ACTED = frozenset({408, 425, 429, 503})
#: It may have acted.
_MAYBE_ACTED = frozenset({500, 502, 504})


class Sending:
    """Turns what goes wrong on the wire into the error that says how far the request came."""

    def __init__(self, request: httpx.Request, limit: TimeLimit) -> None:
        from .transport import Wire, current_wire

        self._request = request
        self._limit = limit
        self._wire: Wire = Wire(limit)
        self._current = current_wire

    def __enter__(self) -> Sending:
        self._token = self._current.set(self._wire)
        return self

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        error: BaseException | None,
        _trace: TracebackType | None,
    ) -> None:
        self._current.reset(self._token)
        failure = self._failure(error) if isinstance(error, Exception) else None
        if failure is not None:
            raise failure from None

    def send(self, transport: GuardedTransport, request: httpx.Request) -> httpx.Response:
        """The response's head; a connection that was closed while idle is tried once anew."""
        import httpcore

        request.extensions["timeout"] = dict.fromkeys(
            ("connect", "read", "write", "pool"), max(self._limit.remaining_s, 0.001)
        )
        wire = self._wire
        wire.is_new = wire.has_received = False
        try:
            return transport.handle_request(request)
        except (httpcore.RemoteProtocolError, httpcore.ReadError, httpcore.WriteError):
            if wire.is_new or wire.has_received or request.method not in IDEMPOTENT:
                raise
        return transport.handle_request(request)

    def _failure(self, error: Exception) -> ActionError | None:
        """The failure that `error` is, with no text of it but that of a failed connect.

        Other texts of the libraries quote headers and their values.
        """
        import httpcore

        from .transport import CancelledError

        sent = self._wire.has_sent
        harmless = not sent or self._request.method in IDEMPOTENT
        match error:
            case CancelledError():
                detail = f"{_called(self._request)} was cancelled"
                return ActionError("runtime", 500, "Cancelled", detail, unknown=sent)
            case httpcore.ConnectTimeout() | httpcore.PoolTimeout():
                status, title = 504, "Gateway Timeout"
                reason = f"{str(error) or 'no connection was made'} in time"
                sent = False
            case httpcore.TimeoutException():
                status, title = 504, "Gateway Timeout"
                reason = f"it was not finished within {self._limit.total_s:g} s"
            case httpcore.ConnectError():
                status, title = 500, "Connection Failed"
                reason = str(error) or "no connection was made"
                sent = False
            case httpcore.NetworkError() | httpcore.ProtocolError():
                status, title = 500, "Connection Lost"
                reason = "the connection broke before the response was complete"
            case _:
                return None
        return ActionError(
            "communication",
            status,
            title,
            f"{_called(self._request)}: {reason}",
            retryable=harmless or not sent,
            unknown=sent,
        )


def status_error(request: httpx.Request, answer: httpx.Response) -> ActionError:
    """The error for a status that the action does not accept."""
    reason = f"the answer is {answer.status_code}"
    if 300 <= answer.status_code < 400:
        reason += "; `redirect: true` accepts a redirection as the result"
    return failed(request, answer.status_code, reason)


def failed(request: httpx.Request, status: int, reason: str) -> ActionError:
    """A communication error with an HTTP status and its standard phrase."""
    try:
        title = http.HTTPStatus(status).phrase
    except ValueError:
        title = f"HTTP {status}"
    return ActionError(
        "communication",
        status,
        title,
        f"{_called(request)}: {reason}",
        retryable=status in _NOT_ACTED or (status in _MAYBE_ACTED and request.method in IDEMPOTENT),
    )


def too_large(request: httpx.Request, cap: int) -> ActionError:
    """The error for a response of more than `cap` bytes; asking again would bring the same."""
    detail = f"{_called(request)}: more than {cap} bytes came back"
    return ActionError("communication", 500, "Response Too Large", detail)


def _called(request: httpx.Request) -> str:
    """Method and URI up to the path: a query may hold keys."""
    return f"{request.method} {without_query(str(request.url))}"
