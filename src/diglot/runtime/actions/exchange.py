"""Sending one request: credentials, limits, redirects, and failures as `ActionError`."""

from __future__ import annotations

import re
import zlib
from collections.abc import Generator, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from .arguments import invalid
from .authentication import Credentials, credentials
from .connections import shared_transport
from .contract import ActionContext, ActionError, TimeLimit
from .failures import IDEMPOTENT, Sending, failed, status_error, too_large
from .masking import is_sensitive, join_headers, mask_headers, mask_query, mask_secrets

if TYPE_CHECKING:
    import httpx

    from .transport import GuardedTransport

SUCCESS = range(200, 300)
SUCCESS_OR_REDIRECT = range(200, 400)

_REDIRECTS = frozenset({301, 302, 303, 307, 308})

_MAX_URI_LENGTH = 16_384
_DEFAULTS = (("Accept", "*/*"), ("Accept-Encoding", "gzip"), ("User-Agent", "diglot"))
_METHOD = re.compile(r"[A-Za-z]{1,32}")
_HEADER_NAME = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]{1,256}")
_CONTROL = re.compile(r"[\x00-\x08\x0a-\x1f\x7f]")
#: What frames the message or names the connection is the engine's: a header of the author's there
#: would smuggle a second request or call another host than the one that was checked.
_OWN_HEADERS = frozenset(
    {
        "connection",
        "content-length",
        "expect",
        "host",
        "keep-alive",
        "proxy-connection",
        "te",
        "trailer",
        "transfer-encoding",
        "upgrade",
    }
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """One request as an action wants it; `authentication` is an evaluated policy."""

    method: str
    uri: str
    headers: tuple[tuple[str, str], ...] = ()
    body: bytes | None = None
    authentication: Mapping[str, Any] = field(default_factory=dict[str, Any])


@dataclass(frozen=True, slots=True, kw_only=True)
class Response:
    """One response; `request_headers` and `uri` are fit to be shown, with secrets masked."""

    uri: str
    request_headers: dict[str, str]
    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def content_type(self) -> str:
        """The Content-Type header, empty when there is none."""
        return self.headers.get("Content-Type", "")


def send(
    request: Request,
    context: ActionContext,
    limit: TimeLimit,
    *,
    accepted: range = SUCCESS,
    follow_redirects: bool = False,
) -> Response:
    """Send one request and read its response whole.

    A redirect is followed only where asked, each hop judged anew by the policy and stripped of its
    credentials when it leaves the origin.

    Raises:
        ActionError: communication with the HTTP status when it is not an accepted one, 504 when the
            time is over and 500 when there was no response; authorization when the policy refuses
            the target; validation or configuration when the request cannot be made.
    """
    signing = credentials(request.authentication)
    secrets = (
        *signing.secrets,
        *(value for name, value in request.headers if is_sensitive(name)),
    )
    try:
        outgoing = _prepare(request, signing, context)
        response = _send(outgoing, signing, context, limit, accepted, follow_redirects)
    except ActionError as error:
        raise ActionError(
            error.type,
            error.status,
            mask_secrets(error.title, secrets),
            mask_secrets(error.detail, secrets),
            retryable=error.retryable,
            unknown=error.unknown,
        ) from None
    return response


def _prepare(request: Request, signing: Credentials, context: ActionContext) -> httpx.Request:
    import httpx

    method = request.method.upper()
    if not _METHOD.fullmatch(method) or method in ("CONNECT", "TRACE"):
        raise invalid("`method` is not an HTTP method that can be sent")
    try:
        url = _url(request.uri)
    except ValueError as error:
        raise ActionError("configuration", 400, "Unusable URI", str(error)) from None

    headers = {name.lower(): (name, value) for name, value in (*_DEFAULTS, *request.headers)}
    if signing.authorization is not None:
        headers["authorization"] = ("Authorization", signing.authorization)
    if method not in IDEMPOTENT and context.idempotency_key:
        headers.setdefault("idempotency-key", ("Idempotency-Key", context.idempotency_key))
    if context.traceparent:
        headers.setdefault("traceparent", ("traceparent", context.traceparent))
    lines = [_header_line(name, value) for name, value in headers.values()]
    return httpx.Request(method, url, content=request.body, headers=lines)


def _header_line(name: str, value: str) -> tuple[bytes, bytes]:
    if not _HEADER_NAME.fullmatch(name):
        raise invalid("a header's name may hold letters, digits and a few marks only")
    if name.lower() in _OWN_HEADERS:
        raise invalid(f"the header {name} is set by the engine")
    if _CONTROL.search(value):
        raise invalid(f"the header {name} holds a line break or another control character")
    return name.encode(), value.strip(" \t").encode("utf-8", "replace")


def _send(
    request: httpx.Request,
    signing: Credentials,
    context: ActionContext,
    limit: TimeLimit,
    accepted: range,
    follow_redirects: bool,
) -> Response:
    transport = shared_transport(context.policy, context.transport)
    hops = context.policy.max_redirects if follow_redirects else 0
    cap = min(context.policy.max_response_bytes, context.max_response_bytes)
    while True:
        with Sending(request, limit) as sending:
            answer = _answer(transport, request, signing, sending)
            try:
                location = answer.headers.get("location", "")
                if follow_redirects and answer.status_code in _REDIRECTS and location:
                    if hops == 0:
                        raise failed(request, answer.status_code, "too many redirects")
                    hops -= 1
                    request, signing = _next_hop(request, signing, location)
                    continue
                if answer.status_code not in accepted:
                    raise status_error(request, answer)
                body = _read(answer, cap)
            finally:
                answer.close()
        return Response(
            uri=mask_query(str(request.url)),
            request_headers=mask_headers(_text_headers(request.headers)),
            status=answer.status_code,
            headers=join_headers(_text_headers(answer.headers)),
            body=body,
        )


def _answer(
    transport: GuardedTransport, request: httpx.Request, signing: Credentials, sending: Sending
) -> httpx.Response:
    """The response to a request, after a digest challenge when there is one to answer."""
    import httpx

    if signing.digest is None:
        return sending.send(transport, request)
    flow: Generator[httpx.Request, httpx.Response, None]
    flow = httpx.DigestAuth(*signing.digest).sync_auth_flow(request)
    answer = sending.send(transport, next(flow))
    try:
        signed = flow.send(answer)
    except StopIteration:
        return answer
    except (KeyError, ValueError, NotImplementedError, httpx.HTTPError):
        answer.close()
        raise failed(request, 401, "the digest challenge cannot be answered") from None
    answer.close()
    return sending.send(transport, signed)


def _next_hop(
    request: httpx.Request, signing: Credentials, location: str
) -> tuple[httpx.Request, Credentials]:
    import httpx

    try:
        url = _url(location, request.url)
    except ValueError as error:
        raise failed(request, 502, f"it redirects to what cannot be called: {error}") from None
    headers = request.headers.copy()
    del headers["host"]
    old, new = request.url, url
    if (old.scheme, old.raw_host, old.port) != (new.scheme, new.raw_host, new.port):
        signing = replace(signing, authorization=None, digest=None)
        for name in [name for name in headers if is_sensitive(name)]:
            del headers[name]
    return httpx.Request(request.method, url, headers=headers), signing


def _read(answer: httpx.Response, cap: int) -> bytes:
    """The body, decompressed under the cap: a small bomb must not fill the memory."""
    declared = answer.headers.get("content-length", "")
    if answer.request.method != "HEAD" and declared.isdecimal() and int(declared) > cap:
        raise too_large(answer.request, cap)
    coding = answer.headers.get("content-encoding", "identity").strip().lower() or "identity"
    if coding not in ("identity", "gzip", "x-gzip", "deflate"):
        raise failed(answer.request, 500, "the content coding of the response is not supported")
    # 32 + 15: a gzip or a zlib header, whichever is there.
    inflate = None if coding == "identity" else zlib.decompressobj(32 + 15)
    parts: list[bytes] = []
    size = 0
    for chunk in answer.iter_raw():
        try:
            part = inflate.decompress(chunk, cap - size + 1) if inflate else chunk
        except zlib.error:
            raise failed(answer.request, 500, "the response is badly compressed") from None
        size += len(part)
        if size > cap:
            raise too_large(answer.request, cap)
        parts.append(part)
    if inflate and parts and not inflate.eof:
        raise failed(answer.request, 500, "the compressed response ends too early")
    return b"".join(parts)


def _url(text: str, base: httpx.URL | None = None) -> httpx.URL:
    """The absolute URL without its fragment; a ValueError says why it cannot be called."""
    import httpx

    if len(text) > _MAX_URI_LENGTH:
        raise ValueError(f"the URI is longer than {_MAX_URI_LENGTH} characters")
    text = text.partition("#")[0]
    try:
        url = httpx.URL(text) if base is None else base.join(text)
        # Decoded only when it is asked for, and a badly encoded name fails only then.
        host = url.host
    except (httpx.InvalidURL, ValueError, TypeError):
        raise ValueError("it cannot be read as a URI") from None
    if not url.scheme or not host:
        raise ValueError("the URI has to be absolute, as https://example.org/path")
    if url.userinfo:
        raise ValueError("the URI carries credentials; use an authentication policy instead")
    return url


def _text_headers(headers: httpx.Headers) -> list[tuple[str, str]]:
    return [(name.decode("latin-1"), _text(value)) for name, value in headers.raw]


def _text(value: bytes) -> str:
    try:
        return value.decode()
    except UnicodeDecodeError:
        return value.decode("latin-1")
