"""Keeping secrets out of errors and of reported requests."""

from __future__ import annotations

import re
from collections.abc import Iterable
from urllib.parse import quote, urlsplit, urlunsplit

MASK = "***"

_SENSITIVE = re.compile(
    r"authorization|cookie|token|secret|passw|credential|signature|session|^x-auth"
    r"|(api|access|account|auth|functions|private|subscription)[-_]?key",
    re.IGNORECASE,
)

#: A shorter secret would blank out half of every text and protects nothing.
_SHORTEST = 3

#: What may stand in a path as it is, slash included: RFC 3986, 3.3.
_IN_PATHS = "/:@!$&'()*+,;="


def is_sensitive(name: str) -> bool:
    """Whether a header or query parameter of this name is likely to carry a secret."""
    return _SENSITIVE.search(name) is not None


def mask_headers(headers: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Headers as an object, repeated ones joined, sensitive values hidden.

    Names are spelt in one way, `Content-Type`, since expressions are case-sensitive.
    """
    return {
        name: MASK if is_sensitive(name) else value for name, value in join_headers(headers).items()
    }


def join_headers(headers: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Headers as an object in canonical spelling, repeated ones joined with a comma."""
    joined: dict[str, str] = {}
    for name, value in headers:
        spelt = "-".join(part.capitalize() for part in name.split("-"))
        joined[spelt] = f"{joined[spelt]}, {value}" if spelt in joined else value
    return joined


def mask_query(uri: str) -> str:
    """The URI with the values of sensitive query parameters hidden."""
    parts = urlsplit(uri)
    if not parts.query:
        return uri
    pairs: list[str] = []
    for pair in parts.query.split("&"):
        name, equals, _ = pair.partition("=")
        pairs.append(f"{name}={MASK}" if equals and is_sensitive(name) else pair)
    return urlunsplit(parts._replace(query="&".join(pairs)))


def without_query(uri: str) -> str:
    """The URI up to its path: what an error may name."""
    return urlunsplit(urlsplit(uri)._replace(query="", fragment=""))


def mask_secrets(text: str, secrets: Iterable[str]) -> str:
    """The text with each secret hidden, as it stands and percent-encoded in a path."""
    for secret in sorted(secrets, key=len, reverse=True):
        if len(secret) >= _SHORTEST:
            for written in (secret, quote(secret, safe=""), quote(secret, safe=_IN_PATHS)):
                text = text.replace(written, MASK)
    return text
