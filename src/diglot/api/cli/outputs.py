"""Where a command puts what it made: a file, or standard output."""

from __future__ import annotations

import sys
from pathlib import Path

from .values import fail


def check_output(output: str | None, *inputs: str | None) -> None:
    """Refuse an output before any work is done for it: one of the files read, or no file at all.

    Raises:
        typer.Exit: it is; the reason has been printed.
    """
    if output in (None, "-"):
        return
    path = Path(output)
    if not output or path.is_dir():
        fail(f"{output or 'the empty name'} is no file; name one to write to")
    if not path.parent.is_dir():
        fail(f"{output}: there is no folder {path.parent}; make it, or name another")
    for name in inputs:
        if name and name != "-" and _is_same(path, Path(name)):
            fail(f"{output} is what is read; nothing was written")


def _is_same(one: Path, other: Path) -> bool:
    try:
        return one.samefile(other)
    except OSError:
        # One of them is not there yet.
        return False


def put(made: str | bytes, output: str | None) -> None:
    """Write bytes, or text as UTF-8, to a file; without one, or to `-`, to standard output.

    Raises:
        OSError: it cannot be written.
    """
    data = made.encode() if isinstance(made, str) else made
    if output in (None, "-"):
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
    else:
        Path(output).write_bytes(data)
