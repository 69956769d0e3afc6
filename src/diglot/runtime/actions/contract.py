"""What an action is given and how it fails."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Protocol

from .outgoing import MEBIBYTE, HostMap, OutgoingPolicy


class ActionError(Exception):
    """An action failed; becomes the failure of its job and so an error of the run.

    `type` is the short name of a standard error type: configuration, validation, expression,
    authentication, authorization, timeout, communication or runtime; or the code of a business
    error that the definition catches. `status` is the one that
    describes the case best, as RFC 7807 wants. No text of it ever holds a secret.

    `retryable` says that repeating may help and cannot double an effect. `unknown` says that the
    request may have reached the other side and nobody can tell what became of it.

    Source: DSL reference, error, standard error types.
    """

    def __init__(
        self,
        type: str,
        status: int,
        title: str,
        detail: str = "",
        *,
        retryable: bool = False,
        unknown: bool = False,
    ) -> None:
        super().__init__(f"{title}: {detail}" if detail else title)
        self.type = type
        self.status = status
        self.title = title
        self.detail = detail
        self.retryable = retryable
        self.unknown = unknown


class Cancellation(Protocol):
    """The one question of `threading.Event` that an action asks."""

    def is_set(self) -> bool:
        """Whether nobody waits for the action any more."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class ActionContext:
    """Everything an action may know besides its arguments.

    `timeout_s` bounds the whole action, document fetches and redirects included.
    `idempotency_key` is the same for every attempt of one job, so that a service can recognise a
    repeat. `transport` sends named hosts to doubles. `cancelled` is looked at a few times a second.
    """

    policy: OutgoingPolicy
    transport: HostMap | None = None
    timeout_s: float
    idempotency_key: str
    traceparent: str | None = None
    allow_processes: bool = False
    cancelled: Cancellation | None = None
    max_response_bytes: int = 10 * MEBIBYTE
    #: Of each of a process's two output streams.
    max_output_bytes: int = MEBIBYTE


#: A week; sockets and selectors take no infinity.
_LONGEST_S = 7 * 86_400.0


class TimeLimit:
    """How much of an action's time is left, counted from when this is made."""

    def __init__(self, context: ActionContext) -> None:
        self.total_s = min(context.timeout_s, _LONGEST_S)
        self._ends_at = time.monotonic() + self.total_s
        self._cancelled = context.cancelled

    @property
    def remaining_s(self) -> float:
        """Seconds left; zero or less when the time is over."""
        return self._ends_at - time.monotonic()

    @property
    def can_be_cancelled(self) -> bool:
        """Whether it is worth waking up now and then to look at `is_cancelled`."""
        return self._cancelled is not None

    @property
    def is_cancelled(self) -> bool:
        """Whether nobody waits for the action any more."""
        return self._cancelled is not None and self._cancelled.is_set()
