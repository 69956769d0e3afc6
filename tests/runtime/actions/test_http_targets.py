"""Where an http action may not go, by whatever name."""

from __future__ import annotations

import socket
from typing import TYPE_CHECKING, Any

import pytest

from diglot.runtime.actions import (
    PERMISSIVE,
    SERVER,
    ActionContext,
    ActionError,
    HostMap,
    OutgoingPolicy,
    execute,
)

if TYPE_CHECKING:
    from conftest import ContextMaker, Server


def failure(arguments: dict[str, Any], context: ActionContext) -> ActionError:
    with pytest.raises(ActionError) as caught:
        execute("http", arguments, context)
    return caught.value


def request(uri: str) -> dict[str, Any]:
    return {"method": "get", "endpoint": {"uri": uri}}


@pytest.mark.parametrize(
    "host",
    [
        "127.0.0.1",
        "127.1",
        "2130706433",
        "0x7f.1",
        "localhost",
        "[::1]",
        "[::ffff:127.0.0.1]",
        "0.0.0.0",
    ],
)
def test_a_private_address_is_refused_however_it_is_spelt(
    server: Server, make_context: ContextMaker, host: str
):
    server.answers("/it", {})

    error = failure(
        request(f"http://{host}:{server.port}/it"), make_context(policy=OutgoingPolicy())
    )

    assert (error.type, error.status, error.title) == ("authorization", 403, "Call Refused")
    assert (error.retryable, error.unknown) == (False, False)
    assert server.seen == []


@pytest.fixture
def names(monkeypatch: pytest.MonkeyPatch) -> dict[str, list[list[str]]]:
    """Names of the test's own, each with the addresses of its first look-up, its second, ..."""
    known: dict[str, list[list[str]]] = {}
    resolve = socket.getaddrinfo

    def look_up(host: Any, port: Any, *arguments: Any, **others: Any) -> Any:
        addresses = known[host].pop(0) if host in known else [host]
        return [entry for one in addresses for entry in resolve(one, port, *arguments, **others)]

    monkeypatch.setattr(socket, "getaddrinfo", look_up)
    return known


def test_a_name_with_one_refused_address_is_refused(
    server: Server, make_context: ContextMaker, names: dict[str, list[list[str]]]
):
    server.answers("/it", {})
    names["mixed.test"] = [["127.0.0.1", "127.0.0.9"]]
    policy = OutgoingPolicy(allow_private=True, denied_networks=frozenset({"127.0.0.9/32"}))

    error = failure(request(f"http://mixed.test:{server.port}/it"), make_context(policy=policy))

    assert error.status == 403
    assert "127.0.0" not in error.detail
    assert server.seen == []


def test_a_name_is_looked_up_once_so_that_it_cannot_change_its_mind(
    server: Server, make_context: ContextMaker, names: dict[str, list[list[str]]]
):
    server.answers("/it", {"safe": True})
    names["rebound.test"] = [["127.0.0.1"], ["169.254.169.254"]]

    output = execute("http", request(f"http://rebound.test:{server.port}/it"), make_context())

    assert output == {"safe": True}
    assert names["rebound.test"] == [["169.254.169.254"]]


def test_the_next_address_is_tried_where_the_first_refuses(
    server: Server, context: ActionContext, names: dict[str, list[list[str]]]
):
    server.answers("/it", {"found": True})
    names["several.test"] = [["127.0.0.7", "127.0.0.1"]]

    output = execute("http", request(f"http://several.test:{server.port}/it"), context)

    assert output == {"found": True}


@pytest.mark.parametrize("host", ["①②⑦.⓪.⓪.①", "0177.0.0.1", "127.0.0.1.", "LOCALHOST."])
def test_no_other_spelling_reaches_a_private_address(
    server: Server, make_context: ContextMaker, host: str
):
    server.answers("/it", {})

    failure(request(f"http://{host}:{server.port}/it"), make_context(policy=OutgoingPolicy()))

    assert server.seen == []


@pytest.mark.parametrize(
    "uri", ["http://169.254.169.254/latest/meta-data", "http://[fe80::1]/", "http://0xa9fea9fe/"]
)
def test_the_metadata_service_is_refused_to_a_trusted_author_too(
    make_context: ContextMaker, uri: str
):
    assert failure(request(uri), make_context(policy=PERMISSIVE)).status == 403


@pytest.mark.parametrize("uri", ["http://api.test:22/", "ftp://api.test/", "gopher://api.test/"])
def test_a_port_or_scheme_that_is_not_allowed_is_refused_unresolved(
    make_context: ContextMaker, uri: str
):
    error = failure(request(uri), make_context(policy=SERVER))

    assert (error.type, error.status, error.title) == ("authorization", 403, "Call Refused")


def test_a_mapped_host_opens_its_double_and_not_the_doubles_address(
    server: Server, make_context: ContextMaker
):
    server.answers("/it", {"via": "double"})
    guarded = make_context(
        policy=OutgoingPolicy(), transport=HostMap.of({"api.test": server.url("")})
    )

    assert execute("http", request("http://api.test/it"), guarded) == {"via": "double"}
    assert failure(request(server.url("/it")), guarded).status == 403
