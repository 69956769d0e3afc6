from __future__ import annotations

import pytest

from diglot.runtime.actions import PERMISSIVE, SERVER, HostMap, OutgoingPolicy

PUBLIC = ["8.8.8.8", "93.184.216.34", "2606:4700:4700::1111", "::ffff:8.8.8.8"]
PRIVATE = [
    "127.0.0.1",
    "127.8.9.10",
    "10.0.0.1",
    "172.16.0.1",
    "192.168.1.1",
    "100.64.0.1",
    "0.0.0.0",
    "198.18.0.1",
    "192.0.0.8",
    "192.88.99.1",
    "240.0.0.1",
    "::1",
    "::",
    "fc00::1",
    "fec0::1",
    "2001:db8::1",
    "::ffff:127.0.0.1",
    "::ffff:10.0.0.1",
    "::127.0.0.1",
    "::ffff:0:127.0.0.1",
    "64:ff9b::127.0.0.1",
    "64:ff9b:1::10.0.0.1",
    "2002:7f00:1::",
    "2001:0:4136:e378:8000:63bf:3fff:fdd2",
]
NEVER = [
    "169.254.169.254",
    "169.254.0.1",
    "192.0.0.192",
    "100.100.100.200",
    "168.63.129.16",
    "fe80::1",
    "fe80::1%eth0",
    "fd00:ec2::254",
    "224.0.0.1",
    "ff02::1",
    "::ffff:169.254.169.254",
    "::169.254.169.254",
    "::ffff:0:169.254.169.254",
    "64:ff9b::169.254.169.254",
    "2002:a9fe:a9fe::",
]


@pytest.mark.parametrize("address", PUBLIC)
def test_a_public_address_is_admitted_everywhere(address: str):
    assert SERVER.admits("host.test", address)
    assert PERMISSIVE.admits("host.test", address)


@pytest.mark.parametrize("address", PRIVATE)
def test_an_address_that_is_not_global_is_admitted_on_the_authors_own_machine_only(address: str):
    assert not SERVER.admits("host.test", address)
    assert PERMISSIVE.admits("host.test", address)


@pytest.mark.parametrize("address", NEVER)
def test_link_local_metadata_and_multicast_are_admitted_nowhere(address: str):
    trusting = OutgoingPolicy(allow_private=True, private_hosts=frozenset({"host.test"}))

    assert not SERVER.admits("host.test", address)
    assert not trusting.admits("host.test", address)


def test_a_private_host_opens_its_own_addresses_only():
    policy = OutgoingPolicy(private_hosts=frozenset({"erp.internal", "*.lan.test"}))

    assert policy.admits("erp.internal", "10.0.0.7")
    assert policy.admits("files.lan.test", "10.0.0.7")
    assert not policy.admits("lan.test", "10.0.0.7")
    assert not policy.admits("evil.test", "10.0.0.7")


def test_a_denied_network_is_denied_also_where_private_addresses_are_open():
    policy = OutgoingPolicy(allow_private=True, denied_networks=frozenset({"10.1.0.0/16"}))

    assert policy.admits("host.test", "10.2.0.1")
    assert not policy.admits("host.test", "10.1.2.3")
    assert not policy.admits("host.test", "::ffff:10.1.2.3")


def test_a_misspelt_network_fails_where_the_policy_is_made():
    with pytest.raises(ValueError, match=r"10\.0\.0/99"):
        OutgoingPolicy(denied_networks=frozenset({"10.0.0/99"}))


@pytest.mark.parametrize(
    ("scheme", "host", "port", "objection"),
    [
        ("https", "api.test", 443, None),
        ("http", "deep.api.test", 8080, None),
        ("ftp", "api.test", 443, "the scheme 'ftp' is not among http, https"),
        ("file", "", 0, "the scheme 'file' is not among http, https"),
        ("https", "api.test", 25, "port 25 is not among 443, 8080"),
        ("https", "bad.api.test", 443, "the host 'bad.api.test' is denied"),
        ("https", "BAD.api.test.", 443, "the host 'BAD.api.test.' is denied"),
        ("https", "other.test", 443, "the host 'other.test' is not among the allowed hosts"),
        ("https", "xapi.test", 443, "the host 'xapi.test' is not among the allowed hosts"),
    ],
)
def test_a_target_is_judged_by_scheme_port_and_host_before_any_look_up(
    scheme: str, host: str, port: int, objection: str | None
):
    policy = OutgoingPolicy(
        ports=frozenset({443, 8080}),
        allowed_hosts=frozenset({"api.test", "*.api.test"}),
        denied_hosts=frozenset({"bad.api.test"}),
    )

    assert policy.objection(scheme, host, port) == objection


def test_a_host_map_prefers_the_entry_with_the_port():
    doubles = HostMap.of({"API.test": "http://127.0.0.1:1", "api.test:8443": "http://127.0.0.1:2"})

    assert doubles.find("api.test", 443) == "http://127.0.0.1:1"
    assert doubles.find("api.test", 8443) == "http://127.0.0.1:2"
    assert doubles.find("other.test", 443) is None
