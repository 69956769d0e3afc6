"""What `diglot.toml` says: how a project wants its documents to be checked.

Its one table is `[check.severities]`, with lines such as `DG0402 = "off"`.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, cast

NAME: Final = "diglot.toml"
#: A larger file was not written for us.
LIMIT_BYTES: Final = 1024 * 1024


class BadSettings(ValueError):
    """A file of settings cannot be read, or says what nobody understands; the message says it."""


def find_settings(folder: Path) -> Path | None:
    """The settings of a folder: the file in it, or in the nearest folder above it."""
    folder = Path(os.path.abspath(folder))
    for one in (folder, *folder.parents):
        file = one / NAME
        if file.is_file():
            return file
    return None


def read_severities_of(file: Path) -> dict[str, str]:
    """The severities that a file of settings gives to codes.

    Raises:
        BadSettings: it cannot be read, has other tables, or its severities are none.
    """
    # Late, because most documents have no settings.
    import tomllib

    from diglot.compiler.severities import BadSeverity, read_severities

    try:
        with file.open("rb") as opened:
            data = opened.read(LIMIT_BYTES + 1)
    except OSError as error:
        raise BadSettings(f"{file}: {error.strerror}") from error
    if len(data) > LIMIT_BYTES:
        raise BadSettings(f"{file}: has more than {LIMIT_BYTES} bytes")
    try:
        found = tomllib.loads(data.decode())
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BadSettings(f"{file}: {error}") from error
    chosen = _table(_table(found, "check", file, ""), "severities", file, "check.")
    for id, weight in chosen.items():
        if not isinstance(weight, str):
            raise BadSettings(f"{file}: check.severities.{id} is no text")
    severities = {id.upper(): cast("str", weight) for id, weight in chosen.items()}
    try:
        read_severities(severities)
    except BadSeverity as error:
        raise BadSettings(f"{file}: {error}") from error
    return severities


def _table(found: Mapping[str, Any], name: str, file: Path, path: str) -> Mapping[str, Any]:
    """The one table that there may be; it may be left out."""
    others = [f"{path}{other}" for other in found if other != name]
    if others:
        raise BadSettings(f"{file}: there is no setting {others[0]}, there is {path}{name}")
    table = found.get(name, {})
    if not isinstance(table, dict):
        raise BadSettings(f"{file}: {path}{name} is no table")
    return cast("dict[str, Any]", table)
