"""Processes that evaluate what the closures do not carry, and that may be killed at any time.

libjq holds the interpreter's lock for as long as it runs, cannot be interrupted, ends its process
when memory ends, and shows the environment. So it runs where none of that matters.
"""

from __future__ import annotations

import atexit
import os
import select
import subprocess
import sys
import threading
import time
from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import IO, Any

import msgspec

from .errors import ExpressionError, ExpressionLimit

_SCRIPT = Path(__file__).with_name("evaluator.py")

#: Starting a process is not part of a request's time.
_START_LIMIT_S = 30.0

#: libjq's `abort` when memory ends.
_ABORTED = -6


class EvaluatorPool:
    """A few evaluator processes, started when they are first needed; safe for threads.

    A request that overruns `time_limit_s` or the memory costs the process that had it, and nothing
    else: the next request starts another one.
    """

    def __init__(
        self,
        size: int = 2,
        time_limit_s: float = 1.0,
        memory_limit: int = 1 << 30,
        output_limit: int = 10_000_000,
    ) -> None:
        self._time_limit_s = time_limit_s
        self._memory_limit = memory_limit
        self._output_limit = output_limit
        self._free = threading.Semaphore(size)
        self._lock = threading.Lock()
        self._idle: list[_Evaluator] = []
        self._is_closed = False

    def evaluate(
        self, text: str, value: Any, variables: Mapping[str, Any], *, spent_s: float = 0.0
    ) -> list[Any]:
        """All results of a jq text that `compile_jq` has read.

        `spent_s` is time that went into the same expression before and counts against its limit.
        Integers beyond 2^53 stay exact only where jq does not count with them. Raises
        `ExpressionError`, and `ExpressionLimit` with `time`, `memory`, `size` or `crash`.
        """
        if "\0" in text:
            raise ExpressionError("a NUL character ends the text for jq")
        names = sorted(variables)
        for name in names:
            if not name.isidentifier() or not name.isascii() or name == "__in":
                raise ExpressionError(f"${name} is not a variable of jq")
        head = msgspec.json.encode((text, names, self._output_limit))
        data = msgspec.json.encode({"v": variables, "d": value})
        with self._free:
            evaluator = self._take()
            try:
                answer = evaluator.ask(head, data, self._time_limit_s - spent_s)
            except BaseException:
                evaluator.kill()
                raise
            self._give_back(evaluator)
        return _results(answer)

    def processes(self) -> tuple[int, ...]:
        """The ids of the processes that wait for a request."""
        with self._lock:
            return tuple(evaluator.process_id for evaluator in self._idle)

    def close(self) -> None:
        """End the processes; a later request is refused."""
        with self._lock:
            self._is_closed = True
            idle, self._idle = self._idle, []
        for evaluator in idle:
            evaluator.kill()

    def _take(self) -> _Evaluator:
        with self._lock:
            if self._is_closed:
                raise ValueError("the pool is closed")
            if self._idle:
                return self._idle.pop()
        return _Evaluator(self._memory_limit, self._time_limit_s)

    def _give_back(self, evaluator: _Evaluator) -> None:
        with self._lock:
            if not self._is_closed:
                self._idle.append(evaluator)
                return
        evaluator.kill()


class _Evaluator:
    """One process and its two pipes."""

    def __init__(self, memory_limit: int, time_limit_s: float) -> None:
        arguments = [str(memory_limit), str(time_limit_s + 1), *_library_paths()]
        # A session of its own: a Ctrl-C at the terminal is the server's affair.
        self._process = subprocess.Popen(
            [sys.executable, "-I", "-S", str(_SCRIPT), *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={},
            cwd="/",
            close_fds=True,
            start_new_session=True,
        )
        try:
            self._read_frame(time.monotonic() + _START_LIMIT_S)
        except BaseException:
            self.kill()
            raise

    @property
    def process_id(self) -> int:
        """The id the system knows the process by."""
        return self._process.pid

    def ask(self, head: bytes, data: bytes, time_limit_s: float) -> bytes:
        """The answer to one request."""
        deadline = time.monotonic() + time_limit_s
        request = b"".join(len(part).to_bytes(8, "big") + part for part in (head, data))
        self._write(request, deadline)
        return self._read_frame(deadline)

    def kill(self) -> None:
        """End the process, whatever it does."""
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                with suppress(OSError):
                    pipe.close()

    def _write(self, data: bytes, deadline: float) -> None:
        target = _descriptor(self._process.stdin)
        os.set_blocking(target, False)
        view = memoryview(data)
        while view:
            self._wait(target, deadline, is_write=True)
            try:
                view = view[os.write(target, view) :]
            except BrokenPipeError:
                raise self._death() from None

    def _read_frame(self, deadline: float) -> bytes:
        length = int.from_bytes(self._read(8, deadline), "big")
        return self._read(length, deadline)

    def _read(self, length: int, deadline: float) -> bytes:
        source = _descriptor(self._process.stdout)
        data = bytearray()
        while len(data) < length:
            self._wait(source, deadline, is_write=False)
            part = os.read(source, min(length - len(data), 1 << 20))
            if not part:
                raise self._death()
            data += part
        return bytes(data)

    def _wait(self, descriptor: int, deadline: float, *, is_write: bool) -> None:
        left = deadline - time.monotonic()
        ready = select.poll()
        ready.register(descriptor, select.POLLOUT if is_write else select.POLLIN)
        if left <= 0 or not ready.poll(left * 1000):
            raise ExpressionLimit("time")

    def _death(self) -> ExpressionLimit:
        """Why the process is gone."""
        try:
            code = self._process.wait(timeout=1)
        except subprocess.TimeoutExpired:
            code = None
        return ExpressionLimit("memory" if code == _ABORTED else "crash")


def _descriptor(pipe: IO[bytes] | None) -> int:
    assert pipe is not None
    return pipe.fileno()


def _library_paths() -> list[str]:
    """Where the process finds libjq; it has no other libraries than Python's own."""
    spec = find_spec("jq")
    if spec is None or spec.origin is None:
        raise ModuleNotFoundError("the package jq is not installed")
    return [str(Path(spec.origin).parent)]


def _results(answer: bytes) -> list[Any]:
    try:
        content: dict[str, Any] = msgspec.json.decode(answer, type=dict[str, Any])
    except RecursionError:
        raise ExpressionLimit("depth") from None
    if "results" in content:
        results: list[Any] = content["results"]
        return results
    if "limit" in content:
        raise ExpressionLimit(content["limit"])
    raise ExpressionError(content["error"])


@cache
def default_pool() -> EvaluatorPool:
    """The pool of this process; its evaluators end with it."""
    pool = EvaluatorPool()
    atexit.register(pool.close)
    return pool
