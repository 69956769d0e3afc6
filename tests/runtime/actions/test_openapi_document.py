"""Fetching an OpenAPI document: formats, limits, redirections, the cache."""

from __future__ import annotations

import json
import uuid
from typing import TYPE_CHECKING, Any

import pytest

from diglot.runtime.actions import (
    PERMISSIVE,
    ActionContext,
    ActionError,
    OutgoingPolicy,
    execute,
)
from diglot.runtime.actions.openapi_document import Document, DocumentCache

if TYPE_CHECKING:
    from conftest import ContextMaker, Server


DOCUMENT = {"openapi": "3.1.0", "paths": {"/it": {"get": {"operationId": "op"}}}}


@pytest.fixture
def call(server: Server, context: ActionContext):
    """Publish a document at a URL of its own and call its operation."""

    def call(document: bytes) -> Any:
        # Documents are cached by URL, for longer than a test lasts.
        uri = server.answers(f"/{uuid.uuid4()}/openapi", document)
        return execute("openapi", {"document": {"endpoint": uri}, "operationId": "op"}, context)

    return call


def test_a_document_may_be_yaml(server: Server, call: Any):
    server.answers("/it", {"found": True})

    document = b"""
openapi: 3.0.3
paths:
  /it:
    get: &shared
      operationId: op
      responses: {200: {description: found}}
    post:
      <<: *shared
      operationId: other
"""

    assert call(document) == {"found": True}


@pytest.mark.parametrize(
    "document",
    [
        b"",
        b"[1]",
        b"{",
        b"plain text",
        b"\x00\xff",
        b"{" * 100_000,
        b"[" * 100_000,
        b'{"openapi": "4.0.0", "paths": {}}',
        b"openapi: 3.0.0\npaths: !!python/object/apply:os.system [ls]",
        b"openapi: 2024-13-45\n",
        b"? [a]\n: 1\n",
        b"x: &a [*a]",
        b'{"openapi": "3.1.0", "x": "' + b"x" * 4_200_000 + b'"}',
    ],
    ids=range(13),
)
def test_what_is_no_openapi_document_is_a_configuration_error(call: Any, document: bytes):
    with pytest.raises(ActionError) as caught:
        call(document)

    error = caught.value

    assert (error.type, error.status) == ("configuration", 400)
    assert error.title == "Unusable OpenAPI Document"


def test_a_bomb_of_aliases_stays_folded(server: Server, call: Any):
    server.answers("/it", {"alive": True})
    lines = ["x0: &x0 [1,1,1,1,1,1,1,1,1]"]
    lines += [f"x{n}: &x{n} [{','.join([f'*x{n - 1}'] * 9)}]" for n in range(1, 12)]
    lines.append(json.dumps(DOCUMENT)[1:-1].replace(', "paths"', '\n"paths"'))

    assert call("\n".join(lines).encode()) == {"alive": True}


def test_a_document_is_found_behind_redirections(server: Server, context: ActionContext):
    name = uuid.uuid4()
    server.answers(f"/new/{name}", DOCUMENT)
    server.answers(f"/mid/{name}", status=308, headers={"Location": f"/new/{name}"})
    uri = server.answers(f"/old/{name}", status=302, headers={"Location": f"/mid/{name}"})
    server.answers("/it", {"found": True})

    output = execute("openapi", {"document": {"endpoint": uri}, "operationId": "op"}, context)

    assert output == {"found": True}


def test_a_redirection_to_a_private_address_is_refused(server: Server, make_context: ContextMaker):
    """The first hop is admitted by its name, the second is an address the policy refuses."""
    secret = server.answers("/internal", {"secret": True})
    server.answers("/document", status=302, headers={"Location": secret})
    policy = OutgoingPolicy(private_hosts=frozenset({"localhost"}))
    uri = f"http://localhost:{server.port}/document"

    with pytest.raises(ActionError) as caught:
        execute(
            "openapi",
            {"document": {"endpoint": uri}, "operationId": "op"},
            make_context(policy=policy),
        )

    assert (caught.value.type, caught.value.status) == ("authorization", 403)
    assert [seen.path for seen in server.seen] == ["/document"]


def test_redirections_without_end_are_cut_off(server: Server, make_context: ContextMaker):
    uri = server.answers("/round", status=302, headers={"Location": "/round"})
    policy = OutgoingPolicy(allow_private=True, max_redirects=3)

    with pytest.raises(ActionError) as caught:
        execute(
            "openapi",
            {"document": {"endpoint": uri}, "operationId": "op"},
            make_context(policy=policy),
        )

    assert caught.value.type == "communication"
    assert len(server.seen) == 4


def test_credentials_do_not_follow_a_redirection_to_another_origin(
    server: Server, context: ActionContext
):
    name = uuid.uuid4()
    server.answers(
        f"/same/{name}",
        status=302,
        headers={"Location": f"http://localhost:{server.port}/other/{name}"},
    )
    uri = server.answers(f"/{name}", status=302, headers={"Location": f"/same/{name}"})
    server.answers(f"/other/{name}", DOCUMENT)
    server.answers("/it", {})
    endpoint = {"uri": uri, "authentication": {"bearer": {"token": "t0ken"}}}

    execute("openapi", {"document": {"endpoint": endpoint}, "operationId": "op"}, context)

    sent = [seen.headers.get("authorization") for seen in server.seen]
    assert sent == ["Bearer t0ken", "Bearer t0ken", None, None]


def test_a_digest_challenge_of_another_origin_is_not_answered(
    server: Server, context: ActionContext
):
    challenge = {"WWW-Authenticate": 'Digest realm="x", nonce="y", qop="auth"'}
    server.answers("/other", status=401, headers=challenge)
    other = f"http://localhost:{server.port}/other"
    uri = server.answers("/document", status=302, headers={"Location": other})
    digest = {"digest": {"username": "ann", "password": "s3cret"}}
    arguments = {"document": {"endpoint": {"uri": uri, "authentication": digest}}}

    with pytest.raises(ActionError) as caught:
        execute("openapi", {**arguments, "operationId": "op"}, context)

    assert caught.value.status == 401
    assert [seen.path for seen in server.seen] == ["/document", "/other"]


def test_a_cached_document_is_not_given_to_other_credentials(
    server: Server, context: ActionContext
):
    uri = server.answers(f"/{uuid.uuid4()}", DOCUMENT)
    server.answers("/it", {})

    for token in ("one", "two", "one"):
        endpoint = {"uri": uri, "authentication": {"bearer": {"token": token}}}
        execute("openapi", {"document": {"endpoint": endpoint}, "operationId": "op"}, context)

    fetched = [seen.headers["authorization"] for seen in server.seen if seen.path != "/it"]
    assert fetched == ["Bearer one", "Bearer two"]


def test_document_and_call_share_the_time_limit(server: Server, make_context: ContextMaker):
    uri = server.answers(f"/{uuid.uuid4()}", json.dumps(DOCUMENT).encode())
    server.holds("/it")
    arguments = {"document": {"endpoint": uri}, "operationId": "op"}

    with pytest.raises(ActionError) as caught:
        execute("openapi", arguments, make_context(timeout_s=0.3))

    assert (caught.value.status, caught.value.unknown) == (504, True)
    assert server.url("/it") in caught.value.detail


def test_a_cached_document_lives_for_its_time_and_the_unused_one_goes_first():
    now = 100.0
    cache = DocumentCache(lifetime_s=60.0, clock=lambda: now)
    documents = [Document(f"http://api.test/{n}", {}, 10) for n in range(33)]
    for document in documents[:32]:
        cache.put((PERMISSIVE, None, document.uri, ""), document)

    assert cache.get((PERMISSIVE, None, documents[0].uri, "")) is documents[0]
    cache.put((PERMISSIVE, None, documents[32].uri, ""), documents[32])

    assert cache.get((PERMISSIVE, None, documents[0].uri, "")) is documents[0]
    assert cache.get((PERMISSIVE, None, documents[1].uri, "")) is None
    now = 160.0
    assert cache.get((PERMISSIVE, None, documents[0].uri, "")) is None


def test_a_large_document_is_not_kept():
    cache = DocumentCache()
    key = (PERMISSIVE, None, "http://api.test/", "")

    cache.put(key, Document("http://api.test/", {}, 2_000_000))

    assert cache.get(key) is None
