"""The desk: all that a worker can say, whether it runs in this process or on another machine.

Jobs are named by instance and number, attempts by their number as well, which is the fencing token.
Whatever is said may be said twice. What each answer means is in ADR 27.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

from . import commands as c
from .engine import Engine
from .errors import CallerError, StaleAttempt, StoreError, UnknownInstance
from .events import Problem
from .faults import problem
from .storable import NotStorableError, checked, plain
from .store import Lease

#: taken: it is on disk. repeated: it was before. late: the attempt is over, which is noted with it.
#: unheard: there never was such an attempt. stalled: the instance cannot go on, and the job will be
#: given out again when it can.
Answer = Literal["taken", "repeated", "late", "unheard", "stalled"]

#: How long a worker may ask to wait, and to keep a job, at most.
LONGEST_WAIT_S: Final = 60.0
LONGEST_LEASE_S: Final = 24 * 3600.0
#: A worker that waits looks again after this time, whatever it has heard.
_LOOK_S: Final = 1.0


@dataclass(frozen=True, slots=True)
class Held:
    """An attempt of a job, as a worker names it."""

    instance: str
    job: int
    attempt: int


@dataclass(frozen=True, slots=True)
class Beat:
    """What is said to a heartbeat: until when (`_ms`) the job is held; nothing: it is lost.

    What is lost works for nobody and is to stop: the instance was cancelled, the task timed out, or
    the lease ended.
    """

    held: Held
    until_ms: int | None


class Desk:
    """Gives out the jobs of an engine and takes what comes back. Safe in any thread."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def claim(
        self,
        types: Sequence[str],
        most: int,
        worker: str,
        *,
        lease_s: float = 30.0,
        wait_s: float = 0.0,
        run: str | None = None,
    ) -> list[Lease]:
        """Up to `most` jobs of these types, at least one unless none comes within `wait_s`.

        With a `run` only jobs of this instance and of those it called.

        Raises:
            CallerError: a number is out of its range, or the worker has no name.
        """
        if not worker:
            raise CallerError("a worker says who it is")
        if not 1 <= most <= 10_000:
            raise CallerError("a worker asks for 1 to 10,000 jobs at a time")
        _in_range("a lease", lease_s, 0.001, LONGEST_LEASE_S)
        _in_range("the wait for a job", wait_s, 0.0, LONGEST_WAIT_S)
        engine = self._engine
        until_s = time.monotonic() + wait_s
        while True:
            rung = engine.wake.rung
            leases = engine.store.claim(
                tuple(dict.fromkeys(types)),
                most,
                worker,
                engine.clock.now_ms(),
                int(lease_s * 1000),
                run,
            )
            left_s = until_s - time.monotonic()
            if leases or left_s <= 0:
                return leases
            engine.wake.wait_beyond(rung, min(left_s, _LOOK_S))

    def beat(self, beats: Sequence[tuple[Held, Any]], *, lease_s: float = 30.0) -> list[Beat]:
        """Keep jobs for another `lease_s`, each with its progress if there is any to tell.

        The next attempt gets the progress that was told last.
        """
        _in_range("a lease", lease_s, 0.001, LONGEST_LEASE_S)
        until_ms = self._engine.clock.now_ms() + int(lease_s * 1000)
        answers: list[Beat] = []
        for held, progress in beats:
            found = self._engine.store.extend(
                _lease(held), until_ms, checked(progress, "the progress")
            )
            answers.append(Beat(held, found))
        return answers

    def complete(self, results: Sequence[tuple[Held, Any]]) -> list[Answer]:
        """Jobs are done, each with its output; a result that is no JSON is a failure of the job."""
        return self._end([(held, *_result(held, output)) for held, output in results])

    def fail(self, failures: Sequence[tuple[Held, Problem]]) -> list[Answer]:
        """Jobs cannot be done: what the process says of such an error is what happens next."""
        return self._end(
            [
                (held, "failed", c.FailJob(held.job, checked(error, "the error"), held.attempt))
                for held, error in failures
            ]
        )

    def retry(
        self, failures: Sequence[tuple[Held, Problem]], *, pause_s: float = 0.0
    ) -> list[bool]:
        """Attempts failed, and are to be made again after a pause; false: the job is lost.

        The process learns nothing of it, unless so many attempts gave no result that the job fails.
        """
        now_ms = self._engine.clock.now_ms()
        ready_ms = now_ms + int(pause_s * 1000)
        most = self._engine.settings.most_attempts
        answers: list[bool] = []
        for held, error in failures:
            if held.attempt >= most:
                answers.append(self.fail([(held, error)]) == ["taken"])
                continue
            told = checked(error, "the error")
            answers.append(
                self._engine.store.give_back(_lease(held), now_ms, ready_ms, "retried", told)
            )
        self._engine.wake.set()
        return answers

    def release(self, jobs: Sequence[Held], *, pause_s: float = 0.0) -> list[bool]:
        """Jobs that are not begun, or were stopped without a trace, go back; false: it is lost."""
        now_ms = self._engine.clock.now_ms()
        ready_ms = now_ms + int(pause_s * 1000)
        answers = [
            self._engine.store.give_back(_lease(held), now_ms, ready_ms, "released")
            for held in jobs
        ]
        self._engine.wake.set()
        return answers

    def doubt(self, jobs: Sequence[tuple[Held, Problem]]) -> list[bool]:
        """The worker does not know what it did: nobody does it again before somebody has found out.

        False: the job is lost. `resolve` ends the doubt.
        """
        now_ms = self._engine.clock.now_ms()
        return [
            self._engine.store.doubt(_lease(held), now_ms, checked(error, "the error"))
            for held, error in jobs
        ]

    def resolve(
        self,
        instance: str,
        job: int,
        how: Literal["completed", "failed", "again"],
        value: Any = None,
    ) -> bool:
        """Somebody found out what a doubted job did: it is done, it failed, or it is to be done.

        `value` is the output or the error. False: nobody doubts it.
        """
        found = [
            one
            for one in self._engine.store.doubted()
            if (one.instance, one.job) == (instance, job)
        ]
        if not found:
            return False
        if how == "again":
            resolved = self._engine.store.do_again(instance, job, self._engine.clock.now_ms())
            self._engine.wake.set()
            return resolved
        data = checked(value, "the result")
        command = c.CompleteJob(job, data) if how == "completed" else c.FailJob(job, data)
        try:
            self._engine.submit(instance, command)
        except (StaleAttempt, UnknownInstance):
            return False
        return True

    def _end(self, results: Sequence[tuple[Held, str, c.Command]]) -> list[Answer]:
        """Carry out what ends jobs, all in one commit, and judge what did not."""
        errors = self._engine.submit_many(
            [(held.instance, command) for held, _, command in results]
        )
        answers: list[Answer] = []
        for (held, outcome, _), error in zip(results, errors, strict=True):
            if error is None:
                answers.append("taken")
            elif isinstance(error, StaleAttempt | UnknownInstance):
                answers.append(
                    self._engine.store.judge(
                        held.instance, held.job, held.attempt, outcome,
                        self._engine.clock.now_ms(),
                    )
                )  # fmt: skip
            elif isinstance(error, StoreError):
                raise error
            else:
                answers.append("stalled")
        return answers


def _result(held: Held, output: Any) -> tuple[str, c.Command]:
    try:
        return "completed", c.CompleteJob(held.job, plain(output), held.attempt)
    except NotStorableError as found:
        # Given out again, the job would end like this again.
        error = problem("runtime", f"the result cannot be kept: {found}")
        return "failed", c.FailJob(held.job, error, held.attempt)


def _lease(held: Held) -> Lease:
    return Lease(
        instance=held.instance, job=held.job, attempt=held.attempt, node="", type="",
        arguments=None, worker="", until_ms=0,
    )  # fmt: skip


def _in_range(what: str, seconds: float, least: float, most: float) -> None:
    if not least <= seconds <= most:
        raise CallerError(f"{what} is {least:g} to {most:g} seconds long")
