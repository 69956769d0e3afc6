"""Turning an authentication policy into what goes with a request.

Source: DSL reference, authentication: basic, bearer, digest.
"""

from __future__ import annotations

import base64
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from .arguments import as_mapping, text
from .contract import ActionError


@dataclass(frozen=True, slots=True, kw_only=True)
class Credentials:
    """Either a finished Authorization header or what answers a digest challenge, or neither."""

    authorization: str | None = None
    #: User name and password.
    digest: tuple[str, str] | None = None
    #: Texts that no error may show.
    secrets: tuple[str, ...] = ()


def credentials(policy: Mapping[str, Any]) -> Credentials:
    """The credentials of an evaluated policy, whose secrets are already in place.

    Raises:
        ActionError: The policy is incomplete, or of a kind that this action cannot use.
    """
    if not policy:
        return Credentials()
    if len(policy) != 1:
        raise _unusable("an authentication policy names exactly one scheme")
    (scheme, value), *_ = policy.items()
    settings = as_mapping(value, f"authentication.{scheme}")
    match scheme:
        case "bearer":
            token = text(settings, "token")
            return Credentials(authorization=f"Bearer {token}", secrets=(token,))
        case "basic":
            user, password = _user_and_password(settings)
            pair = base64.b64encode(f"{user}:{password}".encode()).decode()
            return Credentials(authorization=f"Basic {pair}", secrets=(password, pair))
        case "digest":
            user, password = _user_and_password(settings)
            return Credentials(digest=(user, password), secrets=(password,))
        case _:
            raise _unusable(f"the scheme {scheme!r} is not one of basic, bearer and digest")


def _user_and_password(settings: Mapping[str, Any]) -> tuple[str, str]:
    user = text(settings, "username")
    # An empty password is a password.
    password = settings.get("password")
    return user, password if password == "" else text(settings, "password")


def _unusable(detail: str) -> ActionError:
    return ActionError("configuration", 400, "Unusable Authentication Policy", detail)
