"""What an http action sends, and the forms of what comes back."""

from __future__ import annotations

import base64
import gzip
import zlib
from typing import TYPE_CHECKING, Any

import pytest

from diglot.runtime.actions import ActionContext, ActionError, HostMap, execute

if TYPE_CHECKING:
    from conftest import ContextMaker, Server


def get(uri: str, **others: Any) -> dict[str, Any]:
    return {"method": "get", "endpoint": {"uri": uri}, **others}


# --- what comes back


@pytest.mark.parametrize(
    ("content_type", "body", "content"),
    [
        ("application/json", b'{"id": 1, "big": 123456789012345678901}', None),
        ("application/problem+json; charset=utf-8", b"[1, null]", [1, None]),
        ("application/json", b"\xef\xbb\xbf1", 1),
        ("APPLICATION/JSON", b'"text"', "text"),
        ("text/plain", "grün".encode(), "grün"),
        ("text/plain; charset=iso-8859-1", "grün".encode("latin-1"), "grün"),
        ("text/html; charset=rot13", b"abc", "abc"),
        ("text/plain", b"", ""),
        ("application/x-www-form-urlencoded", b"a=1&b=x+y&a=2", {"a": ["1", "2"], "b": "x y"}),
        ("application/octet-stream", b"\x00\xff", "AP8="),
        ("application/xml", b"<a/>", "PGEvPg=="),
        ("", b"\x01", "AQ=="),
        ("application/json", b"", None),
        ("", b"", None),
    ],
)
def test_content_is_deserialised_by_its_media_type(
    server: Server, context: ActionContext, content_type: str, body: bytes, content: object
):
    headers = {"Content-Type": content_type} if content_type else {}
    uri = server.answers("/it", body, headers=headers)
    expected = {"id": 1, "big": 123456789012345678901} if b"big" in body else content

    assert execute("http", get(uri), context) == expected


def test_a_form_of_too_many_fields_is_a_communication_error(server: Server, context: ActionContext):
    headers = {"Content-Type": "application/x-www-form-urlencoded"}
    uri = server.answers("/it", b"a=1&" * 20_000, headers=headers)

    with pytest.raises(ActionError, match="more than 10000 fields"):
        execute("http", get(uri), context)


@pytest.mark.parametrize("body", [b"{", b'"\\ud800"', b"NaN", b"[" * 100_000, b'"\xff"'])
def test_json_that_is_none_is_a_communication_error(
    server: Server, context: ActionContext, body: bytes
):
    uri = server.answers("/it", body, headers={"Content-Type": "application/json"})

    with pytest.raises(ActionError) as caught:
        execute("http", get(uri), context)

    assert (caught.value.type, caught.value.status) == ("communication", 500)
    assert caught.value.title == "Unreadable Response"


def test_raw_is_the_body_in_base64(server: Server, context: ActionContext):
    uri = server.answers("/it", {"id": 1})

    assert base64.b64decode(execute("http", get(uri, output="raw"), context)) == b'{"id": 1}'


def test_the_response_form_shows_request_status_headers_and_content(
    server: Server, context: ActionContext
):
    uri = server.answers("/pet", {"id": 1}, status=201, headers={"x-request-id": "r1"})

    output = execute("http", get(uri + "?a=1", output="response"), context)

    assert output["request"]["method"] == "get"
    assert output["request"]["uri"] == uri + "?a=1"
    assert output["request"]["headers"]["Host"] == f"127.0.0.1:{server.port}"
    assert output["statusCode"] == 201
    assert output["headers"]["Content-Type"] == "application/json"
    assert output["headers"]["X-Request-Id"] == "r1"
    assert output["content"] == {"id": 1}


@pytest.mark.parametrize(
    ("coding", "compress"),
    [("gzip", gzip.compress), ("x-gzip", gzip.compress), ("deflate", zlib.compress)],
)
def test_a_compressed_response_is_decompressed(
    server: Server, context: ActionContext, coding: str, compress: Any
):
    headers = {"Content-Encoding": coding, "Content-Type": "text/plain"}
    uri = server.answers("/it", compress(b"long " * 10_000), headers=headers)

    assert execute("http", get(uri), context) == "long " * 10_000


@pytest.mark.parametrize(
    ("coding", "body"),
    [("br", b"x"), ("gzip", b"no gzip"), ("gzip", gzip.compress(b"cut off" * 99, mtime=0)[:-12])],
)
def test_a_response_that_cannot_be_decompressed_is_a_communication_error(
    server: Server, context: ActionContext, coding: str, body: bytes
):
    uri = server.answers("/it", body, headers={"Content-Encoding": coding})

    with pytest.raises(ActionError) as caught:
        execute("http", get(uri), context)

    assert (caught.value.type, caught.value.status) == ("communication", 500)


# --- what is sent


def test_query_parameters_are_added_to_those_of_the_uri(server: Server, context: ActionContext):
    uri = server.answers("/find", [])
    query = {"status": "sold & gone", "tag": ["a", "b"], "page": 2, "all": True, "none": None}

    execute("http", get(f"{uri}?limit=5#part", query=query), context)

    expected = "/find?limit=5&status=sold%20%26%20gone&tag=a&tag=b&page=2&all=true"
    assert server.seen[0].path == expected


def test_headers_are_sent_as_text_and_null_leaves_one_out(server: Server, context: ActionContext):
    uri = server.answers("/it", {})
    headers = {"X-Text": " grün ", "X-Count": 3, "X-Flag": False, "X-None": None}

    execute("http", get(uri, headers=headers), context)

    sent = server.seen[0].headers
    assert sent["x-text"].encode("latin-1").decode() == "grün"
    assert (sent["x-count"], sent["x-flag"]) == ("3", "false")
    assert "x-none" not in sent


@pytest.mark.parametrize(
    ("headers", "body", "content_type", "sent"),
    [
        ({}, {"a": [1, "ü"]}, "application/json", '{"a":[1,"ü"]}'),
        ({}, "text", "application/json", '"text"'),
        ({}, False, "application/json", "false"),
        ({"content-type": "application/json"}, '{"a":1}', "application/json", '{"a":1}'),
        ({"Content-Type": "application/vnd.x+json"}, {"a": 1}, "application/vnd.x+json", '{"a":1}'),
        ({"Content-Type": "text/csv"}, "a;b\n", "text/csv", "a;b\n"),
        (
            {"Content-Type": "application/x-www-form-urlencoded"},
            {"a": "x y", "b": [1, 2], "c": {"d": 1}},
            "application/x-www-form-urlencoded",
            "a=x+y&b=1&b=2&c=%7B%22d%22%3A+1%7D",
        ),
    ],
)
def test_a_body_is_json_unless_the_content_type_says_otherwise(
    server: Server,
    context: ActionContext,
    headers: dict[str, Any],
    body: object,
    content_type: str,
    sent: str,
):
    uri = server.answers("/it", {})

    execute(
        "http",
        {"method": "POST", "endpoint": {"uri": uri}, "headers": headers, "body": body},
        context,
    )

    assert server.seen[0].headers["content-type"] == content_type
    assert server.seen[0].body.decode() == sent


def test_an_object_becomes_a_multipart_form(server: Server, context: ActionContext):
    uri = server.answers("/it", {})
    headers = {"Content-Type": "multipart/form-data"}

    execute(
        "http",
        {"method": "post", "endpoint": uri, "headers": headers, "body": {"name": "Milou"}},
        context,
    )

    content_type, body = server.seen[0].headers["content-type"], server.seen[0].body
    boundary = content_type.removeprefix("multipart/form-data; boundary=")
    assert body.startswith(f"--{boundary}\r\n".encode())
    assert b'Content-Disposition: form-data; name="name"\r\n\r\nMilou\r\n' in body


@pytest.mark.parametrize("method", ["post", "patch"])
def test_a_method_that_is_not_idempotent_carries_the_key_of_the_job(
    server: Server, make_context: ContextMaker, method: str
):
    uri = server.answers("/it", {})
    arguments = {"method": method, "endpoint": {"uri": uri}}

    execute("http", arguments, make_context(idempotency_key="job-7"))
    execute("http", {**arguments, "headers": {"idempotency-key": "own"}}, make_context())

    assert [seen.headers["idempotency-key"] for seen in server.seen] == ["job-7", "own"]


def test_an_idempotent_method_carries_no_key(server: Server, context: ActionContext):
    uri = server.answers("/it", {})

    for method in ("get", "put", "delete"):
        execute("http", {"method": method, "endpoint": {"uri": uri}}, context)

    assert [seen.method for seen in server.seen] == ["GET", "PUT", "DELETE"]
    assert not any("idempotency-key" in seen.headers for seen in server.seen)


def test_the_trace_context_travels_with_the_request(server: Server, make_context: ContextMaker):
    trace = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
    uri = server.answers("/it", {})

    execute("http", get(uri), make_context(traceparent=trace))

    assert server.seen[0].headers["traceparent"] == trace


def test_a_template_is_expanded_by_its_values(server: Server, context: ActionContext):
    server.answers("/pet/7", {"id": 7})
    endpoint = server.url("/pet/{petId}")

    assert execute("http", get(endpoint, template={"petId": 7}), context) == {"id": 7}
    with pytest.raises(ActionError) as caught:
        execute("http", get(endpoint, template={"petId": {}}), context)
    assert (caught.value.type, caught.value.status) == ("expression", 400)


@pytest.mark.parametrize(
    ("changes", "status_type"),
    [
        ({"headers": {"X-A": "a\r\nX-B: b"}}, "validation"),
        ({"headers": {"X-A": "a\nb"}}, "validation"),
        ({"headers": {"X-A": "a\x00b"}}, "validation"),
        ({"headers": {"X-A\r\nX-B": "b"}}, "validation"),
        ({"headers": {"X A": "b"}}, "validation"),
        ({"headers": {"": "b"}}, "validation"),
        ({"headers": {"X-A": ["b"]}}, "validation"),
        ({"headers": {"Host": "other.test"}}, "validation"),
        ({"headers": {"content-length": "0"}}, "validation"),
        ({"headers": {"Transfer-Encoding": "chunked"}}, "validation"),
        ({"headers": ["X-A"]}, "validation"),
        ({"query": {"a": {"b": 1}}}, "validation"),
        ({"query": {"a": [[1]]}}, "validation"),
        ({"query": {"a": "\ud800"}}, "validation"),
        ({"query": {"\ud800": "a"}}, "validation"),
        ({"body": {"a": float("nan")}}, "validation"),
        ({"endpoint": 7}, "validation"),
        ({"method": "GET /x HTTP/1.1"}, "validation"),
        ({"method": "CONNECT"}, "validation"),
        ({"method": ""}, "validation"),
        ({"output": "everything"}, "validation"),
        ({"redirect": "yes"}, "validation"),
        ({"endpoint": {}}, "validation"),
        ({"endpoint": "/relative"}, "configuration"),
        ({"endpoint": "http://"}, "configuration"),
        ({"endpoint": "http://[::1"}, "configuration"),
        ({"endpoint": "http://user:pw@127.0.0.1/"}, "configuration"),
        ({"endpoint": "http://127.0.0.1/" + "x" * 20_000}, "configuration"),
    ],
)
def test_a_request_that_cannot_be_made_is_refused_before_anything_is_sent(
    server: Server, context: ActionContext, changes: dict[str, Any], status_type: str
):
    uri = server.answers("/it", {})

    with pytest.raises(ActionError) as caught:
        execute("http", {**get(uri), **changes}, context)

    assert (caught.value.type, caught.value.status) == (status_type, 400)
    assert "pw" not in str(caught.value)
    assert server.seen == []


def test_a_head_request_has_the_headers_of_what_it_does_not_bring(
    server: Server, make_context: ContextMaker
):
    headers = {"Content-Type": "application/json", "Content-Length": "5000"}
    uri = server.answers("/it", b"", headers=headers)
    arguments = {"method": "head", "endpoint": uri, "output": "response"}

    output = execute("http", arguments, make_context(max_response_bytes=1000))

    assert output["headers"]["Content-Length"] == "5000"
    assert output["content"] is None


# --- redirections


def test_a_redirection_is_an_error_by_default(server: Server, context: ActionContext):
    uri = server.answers("/old", status=302, headers={"Location": "/new"})

    with pytest.raises(ActionError) as caught:
        execute("http", get(uri), context)

    assert (caught.value.type, caught.value.status) == ("communication", 302)
    assert caught.value.title == "Found"


def test_an_accepted_redirection_is_the_result_and_is_not_followed(
    server: Server, context: ActionContext
):
    uri = server.answers("/old", status=302, headers={"Location": "/new"})

    output = execute("http", get(uri, redirect=True, output="response"), context)

    assert (output["statusCode"], output["headers"]["Location"]) == (302, "/new")
    assert [seen.path for seen in server.seen] == ["/old"]


def test_a_status_of_400_is_an_error_also_where_redirections_are_accepted(
    server: Server, context: ActionContext
):
    uri = server.answers("/it", status=400)

    with pytest.raises(ActionError) as caught:
        execute("http", get(uri, redirect=True), context)

    assert caught.value.status == 400


# --- doubles, connections, state between requests


def test_a_mapped_host_is_answered_by_its_double(server: Server, make_context: ContextMaker):
    server.answers("/base/v2/pet/1", {"id": 1})
    doubles = HostMap.of({"petstore.test": server.url("/base")})
    uri = "https://petstore.test/v2/pet/1"

    output = execute("http", get(uri, output="response"), make_context(transport=doubles))

    assert output["content"] == {"id": 1}
    assert output["request"]["uri"] == uri
    assert server.seen[0].headers["host"] == "petstore.test"


def test_requests_share_a_connection_but_no_cookie(server: Server, context: ActionContext):
    uri = server.answers("/it", {}, headers={"Set-Cookie": "session=s1; Path=/"})

    for _ in range(3):
        execute("http", get(uri), context)

    assert len({seen.peer for seen in server.seen}) == 1
    assert not any("cookie" in seen.headers for seen in server.seen)


def test_proxies_of_the_environment_are_ignored(
    server: Server, context: ActionContext, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    monkeypatch.setenv("ALL_PROXY", "http://127.0.0.1:9")
    uri = server.answers("/it", {"direct": True})

    assert execute("http", get(uri), context) == {"direct": True}
