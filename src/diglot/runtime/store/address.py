"""Addresses of databases."""

from __future__ import annotations

import re
import shlex
from typing import Final

from diglot.runtime.errors import CallerError

NO_DRIVER: Final = "PostgreSQL needs its driver: pip install 'diglot[postgres]'"
#: A password before the host, and one among the parameters.
_PASSWORDS = (
    re.compile(r"(?<=://)([^:/?@]*):[^/?]*(?=@)"),
    re.compile(r"(?<=[?&])()password=[^&]*&?"),
)


def file_behind(url: str) -> str | None:
    """The file that an address names; nothing if it is one of PostgreSQL.

    Raises:
        CallerError: no store is for such an address.
    """
    if url.startswith(("postgresql://", "postgres://")):
        return None
    if url == "sqlite://":
        return ":memory:"
    file = url.removeprefix("sqlite:///")
    if file in ("", url):
        raise CallerError(
            f"{url!r} is not a database URL; give sqlite:///FILE or postgresql://USER@HOST/NAME"
        )
    return file


def shown_to_a_shell(url: str) -> str:
    """An address as it can be typed again; its password is left out."""
    for password in _PASSWORDS:
        url = password.sub(r"\1", url)
    return shlex.quote(url)
