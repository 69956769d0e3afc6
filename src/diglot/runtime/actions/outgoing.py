"""Where an action may connect to: schemes, ports, hosts and addresses.

Names are never judged by their spelling. `127.1`, `2130706433` and a public name that points at
127.0.0.1 are all the same to `OutgoingPolicy.admits`, which is asked about every address a name
resolves to, right before the connection is made to exactly that address.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network

Address = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network

MEBIBYTE = 1024 * 1024


def _networks(*texts: str) -> tuple[Network, ...]:
    return tuple(ip_network(text) for text in texts)


@lru_cache(maxsize=64)
def _parsed(networks: frozenset[str]) -> tuple[Network, ...]:
    return tuple(ip_network(text, strict=False) for text in sorted(networks))


#: Never reachable, not even for a trusted author: link-local and the metadata services of clouds.
_METADATA = _networks(
    "169.254.0.0/16",
    "fe80::/10",
    "fd00:ec2::/32",
    "192.0.0.192/32",
    "100.100.100.200/32",
    "168.63.129.16/32",
)

#: Not global although `ipaddress.is_global` says so, in one release of Python or another.
_NOT_GLOBAL = _networks(
    "192.0.0.0/24",
    "192.88.99.0/24",
    "::/96",
    "::ffff:0:0:0/96",
    "64:ff9b::/96",
    "64:ff9b:1::/48",
    "100::/64",
    "2001::/23",
    "2002::/16",
    "3fff::/20",
    "5f00::/16",
    "fec0::/10",
)

#: IPv6 ranges whose last four bytes are an IPv4 address: compatible, translated, NAT64.
_EMBEDDING = _networks("::/96", "::ffff:0:0:0/96", "64:ff9b::/96")


@dataclass(frozen=True, slots=True, kw_only=True)
class OutgoingPolicy:
    """What a tenant's actions may connect to, and how much they may take.

    A host pattern is a name or an address, or `*.example.org` for every name below it.
    `allow_private` opens everything but link-local addresses, the metadata services of clouds and
    multicast; `private_hosts` opens the same for single hosts. `denied_networks` are CIDR texts.
    The response limits hold for the body after decompression.
    """

    schemes: frozenset[str] = frozenset({"http", "https"})
    #: None means every port.
    ports: frozenset[int] | None = None
    allow_private: bool = False
    #: When not empty, nothing else may be called.
    allowed_hosts: frozenset[str] = frozenset()
    denied_hosts: frozenset[str] = frozenset()
    private_hosts: frozenset[str] = frozenset()
    denied_networks: frozenset[str] = frozenset()
    max_response_bytes: int = 10 * MEBIBYTE
    #: Hops of a document fetch; a call follows none.
    max_redirects: int = 5
    connect_timeout_s: float = 10.0

    def __post_init__(self) -> None:
        # A misspelt network fails where it is written, not at the first call.
        _parsed(self.denied_networks)

    def objection(self, scheme: str, host: str, port: int) -> str | None:
        """Why the target is refused before any look-up; None when it is not."""
        if scheme not in self.schemes:
            return f"the scheme {scheme!r} is not among {', '.join(sorted(self.schemes))}"
        if self.ports is not None and port not in self.ports:
            ports = ", ".join(str(known) for known in sorted(self.ports))
            return f"port {port} is not among {ports}"
        if _matches(host, self.denied_hosts):
            return f"the host {host!r} is denied"
        if self.allowed_hosts and not _matches(host, self.allowed_hosts):
            return f"the host {host!r} is not among the allowed hosts"
        return None

    def admits(self, host: str, address: str) -> bool:
        """Whether a connection to `host` may go to this one of its addresses."""
        faces = _faces(ip_address(address))
        if any(face.is_multicast or _within(face, _METADATA) for face in faces):
            return False
        if any(_within(face, _parsed(self.denied_networks)) for face in faces):
            return False
        if self.allow_private or _matches(host, self.private_hosts):
            return True
        return all(face.is_global and not _within(face, _NOT_GLOBAL) for face in faces)


#: For an author who runs a definition on a machine of his own.
PERMISSIVE = OutgoingPolicy(allow_private=True)

#: For definitions of somebody else: the public network, on the usual ports.
SERVER = OutgoingPolicy(ports=frozenset({80, 443, 8080, 8443}))


@dataclass(frozen=True, slots=True)
class HostMap:
    """Hosts that are answered by doubles: pairs of `host` or `host:port` and a local base URL.

    Only the connection is bent; the request keeps its URI, its Host header and its TLS name. The
    policy is not asked about a mapped host: whoever runs the engine has named it.
    """

    entries: tuple[tuple[str, str], ...]

    @classmethod
    def of(cls, doubles: Mapping[str, str]) -> HostMap:
        """The map of these hosts to base URLs such as `http://127.0.0.1:8081`."""
        return cls(tuple(sorted((host.lower(), base) for host, base in doubles.items())))

    def find(self, host: str, port: int) -> str | None:
        """The base URL that answers for a host; an entry with its port goes first."""
        entries = dict(self.entries)
        return entries.get(f"{host}:{port}", entries.get(host))


def _faces(address: Address) -> tuple[Address, ...]:
    """The address and every IPv4 address that a tunnel or a translation reaches through it."""
    if isinstance(address, IPv4Address):
        return (address,)
    if address.ipv4_mapped is not None:
        return (address.ipv4_mapped,)
    faces: list[Address] = [address]
    if address.sixtofour is not None:
        faces.append(address.sixtofour)
    if address.teredo is not None:
        faces.extend(address.teredo)
    if _within(address, _EMBEDDING):
        faces.append(IPv4Address(int(address) & 0xFFFF_FFFF))
    return tuple(faces)


def _within(address: Address, networks: tuple[Network, ...]) -> bool:
    return any(address in network for network in networks)


def _matches(host: str, patterns: frozenset[str]) -> bool:
    host = host.lower().rstrip(".")
    return any(
        host.endswith(pattern[1:]) if pattern.startswith("*.") else host == pattern
        for pattern in patterns
    )
