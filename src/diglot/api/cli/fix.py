"""`diglot check --fix`."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from diglot.compiler import Compiled, compile_source

from ..fixing import fix_all
from .documents import read_bytes, resolver
from .streams import tell

_MARK: Final = b"\xef\xbb\xbf"


def fix_file(name: str, *, is_strict: bool, severities: Mapping[str, str]) -> list[str]:
    """Put the fixes of a document into its file, and give their titles.

    A file that is not UTF-8 is left alone, which is told: it would become another one.
    """
    data = read_bytes(name)
    mark = data[: len(_MARK)] if data.startswith(_MARK) else b""
    try:
        text = data.removeprefix(mark).decode()
    except UnicodeDecodeError:
        tell(f"diglot: {name} is not UTF-8, and is not fixed")
        return []

    def compile(changed: str) -> Compiled:
        return compile_source(
            changed,
            os.fsencode(name).decode("utf-8", "replace"),
            is_strict=is_strict,
            resolve=resolver(name),
            severities=severities,
        )

    fixed = fix_all(text, compile)
    if fixed.fixes:
        _replace(Path(name), mark + fixed.compiled.source.text.encode())
    return [fix.title for fix in fixed.fixes]


def _replace(path: Path, data: bytes) -> None:
    """Give a file another content, all of it or nothing; links and permissions stay."""
    target = Path(os.path.realpath(path))
    handle, name = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
    try:
        with open(handle, "wb") as file:
            file.write(data)
        os.chmod(name, target.stat().st_mode & 0o7777)
        os.replace(name, target)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
