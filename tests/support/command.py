"""`diglot`, called as a shell calls it, without what it costs to start Python each time.

A call is a process of its own, with its own streams, folder and environment. It is forked from one
that has the command imported; how the command starts is tested with processes that are started.
"""

from __future__ import annotations

import multiprocessing
import os
import pkgutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from functools import cache
from multiprocessing.context import ForkServerContext
from pathlib import Path

import diglot as package

#: A call that takes longer hangs.
_PATIENCE_S = 60


def diglot(
    *arguments: str | Path,
    input: str | None = None,
    cwd: Path | None = None,
    is_merged: bool = False,
) -> subprocess.CompletedProcess[str]:
    """Call the command and wait; `is_merged` puts both streams into standard output.

    Without an `input` standard input is empty; the environment is that of the tests.

    Raises:
        subprocess.TimeoutExpired: it hung, and was killed.
    """
    words = ["diglot", *map(str, arguments)]
    with tempfile.TemporaryDirectory(prefix="diglot-") as folder:
        typed, out, err = (Path(folder, name) for name in ("in", "out", "err"))
        typed.write_text(input or "", encoding="utf-8")
        streams = (str(typed), str(out), str(out if is_merged else err))
        process = _starter().Process(
            target=_call,
            args=(words, streams, str(cwd or Path.cwd()), dict(os.environ)),
        )
        process.start()
        process.join(_PATIENCE_S)
        if process.is_alive():
            process.kill()
            process.join()
            raise subprocess.TimeoutExpired(words, _PATIENCE_S)
        status = process.exitcode
        process.close()
        assert status is not None
        return subprocess.CompletedProcess(
            words, status, out.read_text("utf-8"), "" if is_merged else err.read_text("utf-8")
        )


@cache
def _starter() -> ForkServerContext:
    """Forks from a process that has imported the whole package."""
    context = multiprocessing.get_context("forkserver")
    modules = (module.name for module in pkgutil.walk_packages(package.__path__, "diglot."))
    context.set_forkserver_preload(
        [name for name in modules if not name.endswith(("__main__", "evaluator"))]
    )
    return context


def _call(
    words: Sequence[str], streams: tuple[str, str, str], cwd: str, environment: Mapping[str, str]
) -> None:
    typed, out, err = streams
    for number, path in enumerate((typed, out, err)):
        how = os.O_RDONLY if number == 0 else os.O_WRONLY | os.O_CREAT | os.O_APPEND
        opened = os.open(path, how, 0o600)
        os.dup2(opened, number)
        os.close(opened)
    os.chdir(cwd)
    os.environ.clear()
    os.environ.update(environment)
    sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115
    sys.stdout = open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
    sys.stderr = open(2, "w", 1, encoding="utf-8", closefd=False)  # noqa: SIM115
    sys.argv = list(words)
    from diglot.api.cli import main

    main()
