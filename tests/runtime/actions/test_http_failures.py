"""How an http action fails: statuses, limits, lost connections."""

from __future__ import annotations

import contextlib
import gzip
import socket
import threading
import tracemalloc
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from diglot.runtime.actions import (
    ActionContext,
    ActionError,
    OutgoingPolicy,
    close_connections,
    execute,
)

if TYPE_CHECKING:
    from conftest import ContextMaker, Reply, Seen, Server


def failure(arguments: dict[str, Any], context: ActionContext) -> ActionError:
    with pytest.raises(ActionError) as caught:
        execute("http", arguments, context)
    return caught.value


def request(uri: str, method: str = "get") -> dict[str, Any]:
    return {"method": method, "endpoint": {"uri": uri}}


# --- statuses


@pytest.mark.parametrize(
    ("method", "status", "title", "retryable"),
    [
        ("get", 404, "Not Found", False),
        ("get", 401, "Unauthorized", False),
        ("get", 503, "Service Unavailable", True),
        ("get", 500, "Internal Server Error", True),
        ("get", 599, "HTTP 599", False),
        ("post", 429, "Too Many Requests", True),
        ("post", 503, "Service Unavailable", True),
        ("post", 500, "Internal Server Error", False),
    ],
)
def test_a_status_that_is_no_success_is_a_communication_error_with_that_status(
    server: Server, context: ActionContext, method: str, status: int, title: str, retryable: bool
):
    uri = server.answers("/pet/Milou", {"secret": "s3cret"}, status=status)

    error = failure(request(f"{uri}?api_key=s3cret", method), context)

    assert (error.type, error.status, error.title) == ("communication", status, title)
    assert (error.retryable, error.unknown) == (retryable, False)
    assert error.detail.startswith(f"{method.upper()} {uri}: the answer is {status}")
    assert "s3cret" not in str(error)


def test_a_failed_status_counts_even_when_its_body_is_too_large(
    server: Server, make_context: ContextMaker
):
    uri = server.answers("/it", b"x" * 5000, status=503)

    assert failure(request(uri), make_context(max_response_bytes=1000)).status == 503


# --- limits


@pytest.mark.parametrize("compressed", [False, True])
@pytest.mark.parametrize("owner", ["context", "policy"])
def test_a_response_larger_than_the_cap_is_cut_off(
    server: Server, make_context: ContextMaker, compressed: bool, owner: str
):
    body = b"0" * 3_000_000
    headers = {"Content-Encoding": "gzip"} if compressed else {}
    uri = server.answers("/it", gzip.compress(body) if compressed else body, headers=headers)
    policy = OutgoingPolicy(allow_private=True, max_response_bytes=100_000)
    limits = {"policy": policy} if owner == "policy" else {"max_response_bytes": 100_000}

    error = failure(request(uri), make_context(**limits))

    assert (error.type, error.status) == ("communication", 500)
    assert error.title == "Response Too Large"
    assert "more than 100000 bytes" in error.detail


def test_a_bomb_is_not_unpacked_before_it_is_measured(server: Server, make_context: ContextMaker):
    bomb = gzip.compress(b"0" * 50_000_000)
    uri = server.answers("/it", bomb, headers={"Content-Encoding": "gzip"})
    context = make_context(max_response_bytes=100_000)
    failure(request(server.url("/warm-up")), context)

    tracemalloc.start()
    try:
        assert failure(request(uri), context).title == "Response Too Large"
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()

    assert peak < 5_000_000


def test_a_response_of_exactly_the_cap_passes(server: Server, make_context: ContextMaker):
    headers = {"Content-Type": "text/plain"}
    plain = server.answers("/plain", b"0" * 1000, headers=headers)
    packed = server.answers(
        "/packed", gzip.compress(b"0" * 1000), headers={**headers, "Content-Encoding": "gzip"}
    )

    for uri in (plain, packed):
        output = execute("http", request(uri), make_context(max_response_bytes=1000))
        assert output == "0" * 1000


@pytest.mark.parametrize(("method", "retryable"), [("get", True), ("post", False)])
def test_a_time_out_after_sending_leaves_the_outcome_unknown(
    server: Server, make_context: ContextMaker, method: str, retryable: bool
):
    error = failure(request(server.holds("/it"), method), make_context(timeout_s=0.3))

    assert (error.type, error.status) == ("communication", 504)
    assert (error.unknown, error.retryable) == (True, retryable)
    assert error.detail.endswith("it was not finished within 0.3 s")


def test_the_time_limit_holds_for_the_whole_response_and_not_for_each_piece(
    server: Server, make_context: ContextMaker
):
    uri = server.answers("/it", b"x" * 1000, drip_s=0.05)

    error = failure(request(uri), make_context(timeout_s=0.3))

    assert (error.type, error.status, error.unknown) == ("communication", 504, True)


def test_a_time_out_before_sending_is_known_to_have_done_nothing(
    server: Server, make_context: ContextMaker
):
    error = failure(request(server.answers("/it"), "post"), make_context(timeout_s=0.0))

    assert (error.status, error.unknown, error.retryable) == (504, False, True)
    assert server.seen == []


def test_a_cancelled_request_ends_while_it_waits(server: Server, make_context: ContextMaker):
    cancelled = threading.Event()

    def cancel(_: Seen) -> Reply:
        cancelled.set()
        server.is_over.wait()
        return server.reply()

    error = failure(request(server.on("/it", cancel), "post"), make_context(cancelled=cancelled))

    assert (error.title, error.unknown) == ("Cancelled", True)


# --- connections


Conversation = Callable[[socket.socket], None]


@pytest.fixture
def raw_server() -> Iterator[Callable[..., str]]:
    """Serves scripted connections, one function each, for what no HTTP server does."""
    listener = socket.create_server(("127.0.0.1", 0))
    threads: list[threading.Thread] = []

    def serve(*conversations: Conversation) -> str:
        def accept() -> None:
            for converse in conversations:
                connection, _ = listener.accept()
                with connection:
                    converse(connection)

        threads.append(threading.Thread(target=accept))
        threads[-1].start()
        return f"http://127.0.0.1:{listener.getsockname()[1]}/"

    with closing(listener):
        yield serve
        close_connections()
        for thread in threads:
            thread.join(5)


def answer_once(connection: socket.socket) -> None:
    connection.recv(65_536)
    connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")


def hang_up(connection: socket.socket) -> None:
    connection.recv(65_536)


def answer_then_hang_up(connection: socket.socket) -> None:
    answer_once(connection)
    hang_up(connection)


def cut_the_body_short(connection: socket.socket) -> None:
    connection.recv(65_536)
    connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort")


def says(answer: bytes) -> Conversation:
    def converse(connection: socket.socket) -> None:
        connection.recv(65_536)
        connection.sendall(answer)

    return converse


OK = b"HTTP/1.1 200 OK\r\n"


@pytest.mark.parametrize(
    "answer",
    [
        b"no HTTP at all\r\n\r\n",
        b"HTTP/1.1 99 Low\r\n\r\n",
        OK + b"Content-Length: -1\r\n\r\n",
        OK + b"Content-Length: 5, 6\r\n\r\nabcdef",
        OK + b"Content-Length: " + b"9" * 5000 + b"\r\n\r\n",
        OK + b"Transfer-Encoding: chunked\r\n\r\nfffffffffffffffffffffffff\r\nx",
        OK + b"X-Long: " + b"x" * 200_000 + b"\r\n\r\n",
        OK + b"X-Nul: a\x00b\r\nContent-Length: 0\r\n\r\n",
        OK + b"Content-Encoding: gzip, gzip\r\nContent-Length: 2\r\n\r\nab",
        b"HTTP/1.1 302 Found\r\nLocation: http://[::1\r\nContent-Length: 0\r\n\r\n",
        b"HTTP/1.1 302 Found\r\nLocation: mailto:x\r\nContent-Length: 0\r\n\r\n",
    ],
)
def test_an_answer_that_breaks_the_protocol_is_a_communication_error(
    raw_server: Callable[..., str], context: ActionContext, answer: bytes
):
    assert failure(request(raw_server(says(answer))), context).type == "communication"


@pytest.mark.parametrize("location", ["http://[::1", "mailto:x", "http://xn--a/", "http://a:b@c/"])
def test_a_redirection_of_a_document_to_no_usable_uri_is_a_communication_error(
    server: Server, context: ActionContext, location: str
):
    uri = server.answers("/it", status=302, headers={"Location": location})
    arguments = {"document": {"endpoint": uri}, "operationId": "op"}

    with pytest.raises(ActionError) as caught:
        execute("openapi", arguments, context)

    assert (caught.value.type, caught.value.status) == ("communication", 502)


@given(st.text(), st.sampled_from(["", "http:", "https://", "http://xn--", "http://a.test/"]))
def test_no_uri_does_anything_but_fail_cleanly(text: str, prefix: str):
    nowhere = ActionContext(
        policy=OutgoingPolicy(schemes=frozenset()), timeout_s=1.0, idempotency_key="job"
    )

    assert failure(request(prefix + text), nowhere).status in (400, 403)


@pytest.mark.parametrize("conversation", [hang_up, cut_the_body_short])
@pytest.mark.parametrize(("method", "retryable"), [("get", True), ("post", False)])
def test_a_connection_lost_after_sending_leaves_the_outcome_unknown(
    raw_server: Callable[..., str],
    context: ActionContext,
    conversation: Conversation,
    method: str,
    retryable: bool,
):
    error = failure(request(raw_server(conversation), method), context)

    assert (error.type, error.status, error.title) == ("communication", 500, "Connection Lost")
    assert (error.unknown, error.retryable) == (True, retryable)


def test_an_idle_connection_that_the_server_closed_is_replaced(
    raw_server: Callable[..., str], context: ActionContext
):
    uri = raw_server(answer_then_hang_up, answer_once)

    assert execute("http", request(uri), context) is None
    assert execute("http", request(uri), context) is None


def test_a_post_on_an_idle_connection_that_the_server_closed_is_not_repeated(
    raw_server: Callable[..., str], context: ActionContext
):
    uri = raw_server(answer_then_hang_up)
    execute("http", request(uri), context)

    error = failure(request(uri, "post"), context)

    assert (error.title, error.unknown) == ("Connection Lost", True)


def test_a_connection_that_is_not_made_in_time_has_done_nothing(make_context: ContextMaker):
    with socket.create_server(("127.0.0.1", 0), backlog=0) as listener, ExitStack() as waiting:
        # Nobody accepts: once the queue is full, a further connection is not answered.
        address = listener.getsockname()
        with contextlib.suppress(TimeoutError):
            for _ in range(64):
                waiting.enter_context(socket.create_connection(address, timeout=0.1))
        policy = OutgoingPolicy(allow_private=True, connect_timeout_s=0.1)

        error = failure(
            request(f"http://127.0.0.1:{address[1]}/", "post"), make_context(policy=policy)
        )

    assert (error.type, error.status, error.title) == ("communication", 504, "Gateway Timeout")
    assert (error.unknown, error.retryable) == (False, True)


def test_a_refused_connection_has_done_nothing(context: ActionContext):
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]

    error = failure(request(f"http://127.0.0.1:{port}/", "post"), context)

    assert (error.type, error.status, error.title) == ("communication", 500, "Connection Failed")
    assert (error.unknown, error.retryable) == (False, True)


@pytest.mark.parametrize("host", ["nowhere.invalid", "x" * 64 + ".invalid"])
def test_a_name_that_does_not_resolve_is_a_communication_error(context: ActionContext, host: str):
    error = failure(request(f"http://{host}/"), context)

    assert (error.type, error.status, error.retryable) == ("communication", 500, True)
    assert error.detail.endswith(f"the name '{host}' cannot be resolved")


def test_a_slow_look_up_ends_with_the_time(
    server: Server, make_context: ContextMaker, monkeypatch: pytest.MonkeyPatch
):
    def wait(*_: Any, **__: Any) -> Any:
        server.is_over.wait()
        raise OSError

    monkeypatch.setattr(socket, "getaddrinfo", wait)

    error = failure(request("http://slow.test/", "post"), make_context(timeout_s=0.2))

    assert (error.type, error.status) == ("communication", 504)
    assert error.detail.endswith("the name 'slow.test' was not resolved in time")
    assert (error.unknown, error.retryable) == (False, True)
