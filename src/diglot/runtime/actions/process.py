"""Running one process that the engine can bound, stop and forget.

It gets a session of its own, an environment of its own, a folder that is removed afterwards, and
limits. A process that leaves its session by itself escapes the final kill, not the limits.
"""

from __future__ import annotations

import contextlib
import errno
import math
import os
import resource
import selectors
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import IO, Any, cast

from .arguments import invalid, is_list, mapping, scalar_text
from .contract import ActionContext, ActionError, TimeLimit
from .outgoing import MEBIBYTE

RETURNS = ("stdout", "stderr", "code", "all", "none")

#: Address space of an interpreter that does not reserve more than it uses.
MEMORY_BYTES = 4096 * MEBIBYTE
_FILE_BYTES = 256 * MEBIBYTE
_OPEN_FILES = 256
#: How often a running process is looked at.
_POLL_S = 0.05
#: How long output is awaited from whoever outlived the kill.
_GRACE_S = 1.0
_CHUNK = 65_536

# Limits are set by a shell that then becomes the process: `preexec_fn` of subprocess is not safe in
# a program with threads. The units are blocks of 512 bytes, seconds, files and KiB.
_LAUNCHER = (
    'ulimit -c 0; ulimit -f "$1"; ulimit -t "$2"; ulimit -n "$3";'
    ' [ "$4" = none ] || ulimit -v "$4"; shift 4; exec "$@"'
)


@dataclass(frozen=True, slots=True)
class ProcessResult:
    """What a process left behind; `code` is 128 + n for one that signal n ended."""

    code: int
    stdout: str
    stderr: str

    def output(self, form: str) -> Any:
        """The output of the run in one of the forms of `return`; a non-zero code is no error.

        Source: DSL reference, run, process result. Text is kept exactly, line ends included.
        """
        match form:
            case "stdout":
                return self.stdout
            case "stderr":
                return self.stderr
            case "code":
                return self.code
            case "all":
                return {"code": self.code, "stdout": self.stdout, "stderr": self.stderr}
            case _:
                return None


def require_processes(context: ActionContext) -> None:
    """Raise the refusal where processes are switched off."""
    if not context.allow_processes:
        raise ActionError(
            "authorization",
            403,
            "Processes Not Allowed",
            "this engine does not run scripts and shell commands; its operator can allow them",
        )


def process_arguments(arguments: Mapping[str, Any]) -> list[str]:
    """The `arguments` of a script or command as argv; of an object, the values in order."""
    given = arguments.get("arguments")
    values = given if is_list(given) else mapping(arguments, "arguments").values()
    return [_without_nul(scalar_text(value, "an argument"), "an argument") for value in values]


def process_environment(arguments: Mapping[str, Any]) -> dict[str, str]:
    """The `environment` of a script or command; null leaves its variable out."""
    variables: dict[str, str] = {}
    for name, value in mapping(arguments, "environment").items():
        if not name or "=" in name or "\0" in name:
            raise invalid("the name of an environment variable is empty or holds `=`")
        if value is not None:
            where = f"the environment variable {name}"
            variables[name] = _without_nul(scalar_text(value, where), where)
    return variables


def process_input(arguments: Mapping[str, Any]) -> bytes:
    """The text for standard input; a value that is not a scalar goes in as JSON."""
    from .content import JSON, encode

    value = arguments.get("stdin")
    if isinstance(value, list | Mapping):
        return encode(value, JSON)[0]
    return scalar_text(value, "`stdin`").encode("utf-8", "replace")


def run_process(
    command: Sequence[str],
    folder: str,
    arguments: Mapping[str, Any],
    context: ActionContext,
    limit: TimeLimit,
    *,
    memory_bytes: int | None,
) -> ProcessResult:
    """Run `command` in `folder` and wait for it; whoever of its session is left then is killed.

    Raises:
        ActionError: timeout 408 when the time is over; runtime when it was cancelled or wrote more
            than the context allows; validation when it cannot be started with these arguments.
    """
    environment = {
        "PATH": os.environ.get("PATH", os.defpath),
        "HOME": folder,
        "TMPDIR": folder,
        **process_environment(arguments),
    }
    stdin = process_input(arguments)
    try:
        process = subprocess.Popen(
            _limited(command, limit, memory_bytes),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=folder,
            env=environment,
            start_new_session=True,
            bufsize=0,
        )
    except OSError as error:
        detail = f"the process cannot be started: {error.strerror}"
        if error.errno == errno.E2BIG:
            raise invalid(detail) from None
        raise ActionError("runtime", 500, "Process Not Started", detail, retryable=True) from None
    with process:
        try:
            stdout, stderr = _converse(process, stdin, context, limit)
        finally:
            # Not reaped yet, so that its number cannot belong to anybody else.
            _kill_session(process)
    code = process.returncode
    return ProcessResult(
        code=code if code >= 0 else 128 - code,
        stdout=stdout.decode("utf-8", "replace"),
        stderr=stderr.decode("utf-8", "replace"),
    )


def _without_nul(value: str, where: str) -> str:
    if "\0" in value:
        raise invalid(f"{where} holds a NUL character")
    return value


def _limited(command: Sequence[str], limit: TimeLimit, memory_bytes: int | None) -> list[str]:
    # Every core may be busy for the whole time; the clock on the wall is the finer limit.
    cpu_s = math.ceil(max(limit.total_s, 1.0)) * (os.cpu_count() or 1) + 1
    memory = "none" if memory_bytes is None else _at_most(resource.RLIMIT_AS, memory_bytes, 1024)
    return [
        "/bin/sh",
        "-c",
        _LAUNCHER,
        "sh",
        _at_most(resource.RLIMIT_FSIZE, _FILE_BYTES, 512),
        _at_most(resource.RLIMIT_CPU, cpu_s, 1),
        _at_most(resource.RLIMIT_NOFILE, _OPEN_FILES, 1),
        memory,
        *command,
    ]


def _at_most(kind: int, wanted: int, unit: int) -> str:
    """`wanted` in units of `ulimit`, or the hard limit of this process where that is lower."""
    _, hard = resource.getrlimit(kind)
    return str((wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)) // unit)


def _converse(
    process: subprocess.Popen[bytes], stdin: bytes, context: ActionContext, limit: TimeLimit
) -> tuple[bytes, bytes]:
    """Feed standard input and gather both outputs until the process has ended."""
    with _Pipes(process, stdin, context.max_output_bytes) as pipes:
        pause_s = 0.001
        while not _has_exited(process):
            if limit.is_cancelled:
                raise ActionError("runtime", 500, "Cancelled", "the process was killed")
            if limit.remaining_s <= 0:
                detail = f"the process did not end within {limit.total_s:g} s and was killed"
                raise ActionError("timeout", 408, "Process Timed Out", detail)
            if pipes.are_open:
                pipes.pump(max(0.0, min(_POLL_S, limit.remaining_s)))
            else:
                time.sleep(pause_s)
                pause_s = min(2 * pause_s, _POLL_S)
        # Whoever is left of the session holds the pipes open, maybe for ever.
        _kill_session(process)
        ends_at = time.monotonic() + _GRACE_S
        while pipes.are_open and time.monotonic() < ends_at:
            pipes.pump(_POLL_S)
        return bytes(pipes.stdout), bytes(pipes.stderr)


class _Pipes:
    """The three pipes of a process, served without ever waiting for one of them alone."""

    def __init__(self, process: subprocess.Popen[bytes], stdin: bytes, cap: int) -> None:
        assert process.stdin
        assert process.stdout
        assert process.stderr
        self.stdout = bytearray()
        self.stderr = bytearray()
        self._input = memoryview(stdin)
        self._cap = cap
        self._selector = selectors.DefaultSelector()
        for stream in (process.stdin, process.stdout, process.stderr):
            os.set_blocking(stream.fileno(), False)
        self._selector.register(process.stdin, selectors.EVENT_WRITE)
        self._selector.register(process.stdout, selectors.EVENT_READ, self.stdout)
        self._selector.register(process.stderr, selectors.EVENT_READ, self.stderr)

    def __enter__(self) -> _Pipes:
        return self

    def __exit__(self, *_: object) -> None:
        self._selector.close()

    @property
    def are_open(self) -> bool:
        """Whether anything can still come or go."""
        return bool(self._selector.get_map())

    def pump(self, timeout_s: float) -> None:
        """Move what can be moved, waiting for it no longer than `timeout_s`."""
        for key, _ in self._selector.select(timeout_s):
            stream = cast("IO[bytes]", key.fileobj)
            if key.data is None:
                self._feed(stream)
            else:
                self._gather(stream, key.data)

    def _feed(self, stream: IO[bytes]) -> None:
        try:
            self._input = self._input[os.write(stream.fileno(), self._input[:_CHUNK]) :]
        except BlockingIOError:
            return
        except BrokenPipeError:
            # It does not want the rest, which is no error.
            self._input = self._input[:0]
        if not self._input:
            self._selector.unregister(stream)
            stream.close()

    def _gather(self, stream: IO[bytes], into: bytearray) -> None:
        try:
            data = os.read(stream.fileno(), _CHUNK)
        except BlockingIOError:
            return
        if not data:
            self._selector.unregister(stream)
        into += data
        if len(into) > self._cap:
            detail = f"the process wrote more than {self._cap} bytes and was killed"
            raise ActionError("runtime", 500, "Output Too Large", detail)


def _has_exited(process: subprocess.Popen[bytes]) -> bool:
    if not hasattr(os, "waitid"):
        return process.poll() is not None
    options = os.WEXITED | os.WNOHANG | os.WNOWAIT
    return os.waitid(os.P_PID, process.pid, options) is not None


def _kill_session(process: subprocess.Popen[bytes]) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
