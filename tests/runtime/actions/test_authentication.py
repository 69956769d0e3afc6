"""Credentials on the way out, and secrets that stay out of what is reported."""

from __future__ import annotations

import base64
import hashlib
import re
import secrets
import shutil
import ssl
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from diglot.runtime.actions import ActionContext, ActionError, HostMap, execute
from diglot.runtime.actions.transport import trusted_authorities

if TYPE_CHECKING:
    from conftest import ContextMaker, Reply, Seen, Server


def get(uri: str, authentication: dict[str, Any], **others: Any) -> dict[str, Any]:
    endpoint = {"uri": uri, "authentication": authentication}
    return {"method": "get", "endpoint": endpoint, **others}


def basic(user: str, password: str) -> dict[str, Any]:
    return {"basic": {"username": user, "password": password}}


def digest_guard(server: Server, user: str, password: str, algorithm: str) -> Any:
    """What a server does that asks for digest credentials: RFC 7616, 3.4."""
    hashed = {"MD5": hashlib.md5, "SHA-256": hashlib.sha256}[algorithm]
    nonce = secrets.token_hex(8)

    def h(text: str) -> str:
        return hashed(text.encode()).hexdigest()

    def answer(request: Seen) -> Reply:
        given = dict(re.findall(r'(\w+)="?([^",]+)"?', request.headers.get("authorization", "")))
        if given:
            ha1, ha2 = h(f"{user}:cave:{password}"), h(f"{request.method}:{request.path}")
            parts = (ha1, nonce, given["nc"], given["cnonce"], given["qop"], ha2)
            if given["response"] == h(":".join(parts)):
                return server.reply({"body": request.body.decode()})
        challenge = f'Digest realm="cave", nonce="{nonce}", qop="auth", algorithm={algorithm}'
        headers = {"WWW-Authenticate": challenge}
        return server.reply(b"x" * 100_000, status=401, headers=headers)

    return answer


def test_basic_credentials_are_sent_at_once(server: Server, context: ActionContext):
    uri = server.answers("/it", {"in": True})

    assert execute("http", get(uri, basic("Zoë", "p:w")), context) == {"in": True}

    scheme, pair = server.seen[0].headers["authorization"].split()
    assert (scheme, base64.b64decode(pair).decode()) == ("Basic", "Zoë:p:w")


def test_a_bearer_token_is_sent_at_once(server: Server, context: ActionContext):
    uri = server.answers("/it", {"in": True})

    assert execute("http", get(uri, {"bearer": {"token": "t0ken"}}), context) == {"in": True}

    assert server.seen[0].headers["authorization"] == "Bearer t0ken"


@pytest.mark.parametrize("algorithm", ["MD5", "SHA-256"])
def test_a_digest_challenge_is_answered_with_the_same_body(
    server: Server, context: ActionContext, algorithm: str
):
    uri = server.on("/it", digest_guard(server, "ann", "p w", algorithm))
    arguments = get(uri, {"digest": {"username": "ann", "password": "p w"}})

    output = execute("http", {**arguments, "method": "put", "body": [1]}, context)

    assert output == {"body": "[1]"}
    assert len(server.seen) == 2


def test_wrong_digest_credentials_end_with_the_status(server: Server, context: ActionContext):
    uri = server.on("/it", digest_guard(server, "ann", "right", "MD5"))

    with pytest.raises(ActionError) as caught:
        execute("http", get(uri, {"digest": {"username": "ann", "password": "wrong"}}), context)

    assert (caught.value.type, caught.value.status) == ("communication", 401)
    assert len(server.seen) == 2


@pytest.mark.parametrize(
    "challenge",
    [
        'Digest realm="x", nonce="y", algorithm=ROT13',
        'Digest realm="x"',
        "Digest realm",
        'Digest realm="x", nonce="y", qop="auth-int"',
    ],
)
def test_a_digest_challenge_that_cannot_be_answered_is_a_communication_error(
    server: Server, context: ActionContext, challenge: str
):
    uri = server.answers("/it", status=401, headers={"WWW-Authenticate": challenge})

    with pytest.raises(ActionError) as caught:
        execute("http", get(uri, {"digest": {"username": "ann", "password": "pw!"}}), context)

    assert (caught.value.type, caught.value.status) == ("communication", 401)


@pytest.mark.parametrize(
    ("policy", "status_type"),
    [
        ({"oauth2": {"authority": "https://auth.test"}}, "configuration"),
        ({"basic": {}, "bearer": {}}, "configuration"),
        ({"basic": {"username": "ann"}}, "validation"),
        ({"bearer": {"token": 7}}, "validation"),
        ({"bearer": {"token": "a\r\nX-Evil: 1"}}, "validation"),
    ],
)
def test_a_policy_that_cannot_be_used_is_refused_before_anything_is_sent(
    server: Server, context: ActionContext, policy: dict[str, Any], status_type: str
):
    uri = server.answers("/it", {})

    with pytest.raises(ActionError) as caught:
        execute("http", get(uri, policy), context)

    assert (caught.value.type, caught.value.status) == (status_type, 400)
    assert server.seen == []


def test_a_reported_request_shows_no_secret(server: Server, context: ActionContext):
    uri = server.answers("/it", {}, headers={"Set-Cookie": "visible=1"})
    headers = {
        "Cookie": "session=s3cret",
        "X-API-Key": "s3cret",
        "apikey": "s3cret",
        "X-Auth-Token": "s3cret",
        "Proxy-Authorization": "s3cret",
        "X-Plain": "plain",
    }
    authentication = {"bearer": {"token": "s3cret"}}
    arguments = get(
        f"{uri}?api_key=s3cret&page=2", authentication, headers=headers, output="response"
    )

    output = execute("http", arguments, context)

    shown = output["request"]["headers"]
    hidden = ("Authorization", "Cookie", "X-Api-Key", "Apikey", "X-Auth-Token")
    assert {shown[name] for name in (*hidden, "Proxy-Authorization")} == {"***"}
    assert shown["X-Plain"] == "plain"
    assert output["request"]["uri"] == f"{uri}?api_key=***&page=2"
    assert "s3cret" not in str(output)
    assert output["headers"]["Set-Cookie"] == "visible=1"
    assert server.seen[0].headers["authorization"] == "Bearer s3cret"


@pytest.mark.parametrize(
    ("authentication", "headers"),
    [
        (basic("ann", "s3cret/:ü"), {}),
        ({"bearer": {"token": "s3cret/:ü"}}, {}),
        ({}, {"X-Api-Key": "s3cret/:ü"}),
    ],
)
@pytest.mark.parametrize("written", ["s3cret/:ü", "s3cret%2F%3A%C3%BC"])
def test_an_error_shows_no_secret_even_where_the_path_repeats_it(
    server: Server,
    context: ActionContext,
    authentication: Any,
    headers: dict[str, str],
    written: str,
):
    uri = server.url(f"/login/ann/{written}")

    with pytest.raises(ActionError) as caught:
        execute("http", get(uri, authentication, headers=headers), context)

    error = caught.value
    assert error.detail == f"GET {server.url('/login/ann/***')}: the answer is 404"
    assert "s3cret" not in f"{error} {error.title} {error.args} {error.__cause__}"


# --- TLS


@pytest.fixture(scope="session")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A certificate, with its key, for localhost and api.test."""
    openssl = shutil.which("openssl")
    if openssl is None:
        pytest.skip("OPENSSL IS MISSING: certificates are not checked by this run")
    file = tmp_path_factory.mktemp("tls") / "certificate.pem"
    names = "subjectAltName=DNS:localhost,DNS:api.test"
    command = [openssl, "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1"]
    command += ["-subj", "/CN=test", "-addext", names, "-keyout", f"{file}.key", "-out", str(file)]
    subprocess.run(command, check=True, capture_output=True)
    return file


@pytest.fixture
def tls_server(
    server: Server, certificate: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Server]:
    """The server behind TLS, with the client trusting its certificate."""
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    tls.load_cert_chain(certificate, f"{certificate}.key")
    server.encrypt(tls)
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    trusted_authorities.cache_clear()
    yield server
    trusted_authorities.cache_clear()


def test_a_certificate_is_checked_against_the_host_and_not_the_address(
    tls_server: Server, make_context: ContextMaker
):
    tls_server.answers("/it", {"safe": True})
    doubles = HostMap.of({"api.test": f"https://127.0.0.1:{tls_server.port}"})

    direct = execute("http", get(f"https://localhost:{tls_server.port}/it", {}), make_context())
    mapped = execute("http", get("https://api.test/it", {}), make_context(transport=doubles))

    assert direct == mapped == {"safe": True}


def test_a_certificate_for_another_host_is_a_failed_connection(
    tls_server: Server, context: ActionContext
):
    with pytest.raises(ActionError) as caught:
        execute("http", get(f"https://127.0.0.1:{tls_server.port}/it", {}), context)

    assert (caught.value.title, caught.value.unknown) == ("Connection Failed", False)
    assert "certificate" in caught.value.detail
    assert tls_server.seen == []
