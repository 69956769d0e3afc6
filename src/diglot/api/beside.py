"""What a document imports, read from its own folder and from nowhere else."""

from __future__ import annotations

import posixpath
from pathlib import Path, PurePosixPath
from typing import Final
from urllib.parse import unquote

from diglot.compiler.imports import ImportRefused, Resolve

#: A larger file is no document that could be read.
LIMIT_BYTES: Final = 5 * 1024 * 1024


def beside(folder: Path, below: str = "") -> Resolve:
    """Read the files that stand in a folder or below it; no network, no way out of the folder.

    `below` is where in the folder the importing document stands. A link that leads out of the
    folder is not followed.
    """

    def resolve(location: str) -> bytes | None:
        if "://" in location or location.startswith("file:"):
            raise ImportRefused("is not in the document's folder")
        path = posixpath.normpath(posixpath.join(below, unquote(location)))
        parts = PurePosixPath(path).parts
        if path.startswith("/") or ".." in parts or any(one in path for one in '\\:\0"'):
            raise ImportRefused("is not in the document's folder")
        try:
            root = folder.resolve()
            found = root.joinpath(*parts).resolve()
            if not found.is_relative_to(root):
                raise ImportRefused("is not in the document's folder")
            # What is no plain file might never end, or do something when it is read.
            return _read(found) if found.is_file() else None
        except OSError:
            return None

    return resolve


def _read(path: Path) -> bytes:
    with path.open("rb") as file:
        data = file.read(LIMIT_BYTES + 1)
    if len(data) > LIMIT_BYTES:
        raise ImportRefused(f"has more than {LIMIT_BYTES} bytes")
    return data
