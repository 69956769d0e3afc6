"""The in-process worker: lease, run, heartbeat, complete or fail."""

from __future__ import annotations

import logging
import os
import socket
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from diglot.compiler.graph.errors import STANDARD_ERRORS, error_type

from .desk import Desk, Held
from .engine import Engine
from .errors import StoreError
from .events import Problem
from .faults import Fault, problem
from .secrets import reseal
from .store import Lease

if TYPE_CHECKING:
    from .actions import ActionContext, ActionError, OutgoingPolicy
    from .actions.outgoing import HostMap

_log = logging.getLogger(__name__)

#: What the actions of this package can do.
ACTION_TYPES = ("http", "openapi", "script", "shell")


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkerSettings:
    """How a worker works.

    `lease_s` is how long a job stays ours without a heartbeat; `timeout_s` bounds one action.
    With a `run`, only jobs of this instance and of those it called are taken.
    """

    lease_s: float = 30.0
    timeout_s: float = 300.0
    threads: int = 8
    run: str | None = None
    allow_processes: bool = False
    policy: OutgoingPolicy | None = None
    transport: HostMap | None = None


class Worker:
    """Takes jobs of the built-in action types out of an engine and does them in threads."""

    def __init__(self, engine: Engine, settings: WorkerSettings | None = None) -> None:
        self._engine = engine
        self._desk = Desk(engine)
        self._settings = settings or WorkerSettings()
        self.name = f"{socket.gethostname()}:{os.getpid()}"
        self._executor = ThreadPoolExecutor(self._settings.threads, "worker")
        #: What runs now, each with the flag that tells it to stop.
        self._running: dict[Lease, threading.Event] = {}
        self._guard = threading.Lock()
        self._stopped = threading.Event()
        self._has_worked = False
        self._heart = threading.Thread(target=self._beat, name="heartbeat", daemon=True)
        self._heart.start()

    def close(self, *, at_once: bool = False) -> None:
        """End when what runs is done; `at_once` stops it and gives its jobs back."""
        if at_once:
            with self._guard:
                for cancelled in self._running.values():
                    cancelled.set()
        self._executor.shutdown(wait=True)
        self._stopped.set()
        self._heart.join()
        if self._has_worked:
            from .actions import close_connections

            close_connections()

    def run_once(self) -> int:
        """Do the jobs that are ready now, one after the other; how many there were."""
        leases = self._claim(self._settings.threads)
        for lease in leases:
            self._do(lease)
        return len(leases)

    def begin(self, run: str | None = None) -> int:
        """Begin the jobs that are ready now in threads of the worker; how many were begun.

        A `run` takes the place of the one in the settings.
        """
        with self._guard:
            free = self._settings.threads - len(self._running)
        if free <= 0:
            return 0
        leases = self._claim(free, run)
        for lease in leases:
            with self._guard:
                self._running[lease] = threading.Event()
            self._executor.submit(self._do_and_forget, lease)
        return len(leases)

    @property
    def busy(self) -> int:
        """How many jobs run now."""
        with self._guard:
            return len(self._running)

    def _claim(self, limit: int, run: str | None = None) -> list[Lease]:
        return self._desk.claim(
            ACTION_TYPES,
            limit,
            self.name,
            lease_s=self._settings.lease_s,
            run=run or self._settings.run,
        )

    def _do_and_forget(self, lease: Lease) -> None:
        try:
            self._do(lease)
        except Exception:
            _log.exception("job %s", lease.idempotency_key)
        finally:
            with self._guard:
                self._running.pop(lease, None)
            self._engine.wake.set()

    def _do(self, lease: Lease) -> None:
        from .actions import ActionError

        self._has_worked = True
        opened: list[tuple[str, str]] = []
        try:
            opened = self._engine.secrets.opened_in(lease.instance, lease.arguments)
            output = self._perform(lease)
        except Fault as fault:
            self._report(lease, fault.problem, is_failure=True)
        except ActionError as error:
            if self._is_cancelled(lease):
                self._give_back(lease)
            else:
                self._report(lease, reseal(_problem(error), opened), is_failure=True)
        except Exception as error:
            # A mistake of ours must not be given out again and again.
            _log.exception("job %s", lease.idempotency_key)
            failure = problem("runtime", f"the {lease.type} action broke: {type(error).__name__}")
            self._report(lease, failure, is_failure=True)
        else:
            self._report(lease, reseal(output, opened), is_failure=False)

    def _perform(self, lease: Lease) -> Any:
        from .actions import execute

        arguments = self._engine.secrets.unseal(lease.instance, lease.arguments)
        if isinstance(arguments.get("endpoint"), str):
            arguments = {**arguments, "endpoint": {"uri": arguments["endpoint"]}}
        return execute(lease.type, arguments, self._context(lease))

    def _context(self, lease: Lease) -> ActionContext:
        from .actions import ActionContext
        from .actions.outgoing import SERVER

        settings = self._settings
        with self._guard:
            cancelled = self._running.get(lease)
        return ActionContext(
            policy=settings.policy or SERVER,
            transport=settings.transport,
            timeout_s=settings.timeout_s,
            idempotency_key=lease.idempotency_key,
            traceparent=None,
            allow_processes=settings.allow_processes,
            cancelled=cancelled,
        )

    def _is_cancelled(self, lease: Lease) -> bool:
        with self._guard:
            cancelled = self._running.get(lease)
        return cancelled is not None and cancelled.is_set()

    def _give_back(self, lease: Lease) -> None:
        """Leave a job that was stopped here to the next worker, if it is still ours."""
        self._desk.release([_held(lease)])

    def _report(self, lease: Lease, result: Any, *, is_failure: bool) -> None:
        say = self._desk.fail if is_failure else self._desk.complete
        (answer,) = say([(_held(lease), result)])
        if answer != "taken":
            _log.info("a result of job %s was not taken: %s", lease.idempotency_key, answer)

    def _beat(self) -> None:
        """Lengthen the leases of what runs; what lost its lease works for nobody and stops."""
        pause_s = min(1.0, self._settings.lease_s / 3)
        while not self._stopped.wait(pause_s):
            with self._guard:
                running = {_held(lease): stop for lease, stop in self._running.items()}
            if not running:
                continue
            try:
                beats = self._desk.beat(
                    [(held, None) for held in running], lease_s=self._settings.lease_s
                )
            except StoreError:
                _log.exception("leases could not be lengthened and are tried again")
                continue
            for beat in beats:
                if beat.until_ms is None:
                    running[beat.held].set()


def _held(lease: Lease) -> Held:
    return Held(lease.instance, lease.job, lease.attempt)


def _problem(error: ActionError) -> Problem:
    found: Problem = {
        # What is no standard error is the code of a business error, and stays as it is.
        "type": error_type(error.type) if error.type in STANDARD_ERRORS else error.type,
        "status": error.status,
        "title": error.title,
    }
    if error.detail:
        found["detail"] = error.detail
    return found
