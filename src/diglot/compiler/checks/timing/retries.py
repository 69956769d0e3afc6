"""Retry policies: how often, how long between, and whether there is time for it.

Source: DSL reference, Retry; our decisions A3 to A6, A36, A59.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from diglot.compiler import codes
from diglot.compiler.diagnostics import Report
from diglot.compiler.graph import Duration, Expression, Handler, RetryPolicy

from .lengths import (
    DAY_MS,
    YEAR_MS,
    known_duration,
    least_ms,
    most_ms,
    spoken,
    spoken_ms,
)
from .surroundings import Bound

#: No pause is longer than that, whatever a back-off gives.
_LONGEST_PAUSE_MS: Final = 365 * DAY_MS


def check_retry(handler: Handler, task: str, bound: Bound | None, report: Report) -> None:
    """Report what is wrong with the retry policy of a handler, which guards `task`.

    `bound` is what surely stops the task, with all its retries.
    """
    policy = handler.retry
    if policy is None:
        return
    if policy.count is not None and policy.count < 1:
        report.add(codes.NO_RETRIES, handler.span, handler.pointer, task=task, count=policy.count)
        return
    if _is_reversed(policy):
        report.add(codes.JITTER_REVERSED, handler.span, handler.pointer, task=task)
    if _hurries(policy):
        report.add(codes.RETRIES_WITHOUT_PAUSE, handler.span, handler.pointer, task=task)
    pauses = _pauses(policy)
    if pauses is None:
        return
    if not _check_limits(handler, policy, task, pauses, bound, report):
        return
    count = policy.count
    if count is not None and policy.total_limit is None and pauses(count) > YEAR_MS:
        report.add(
            codes.RETRIES_TAKE_YEARS,
            handler.span,
            handler.pointer,
            task=task,
            count=count,
            length=spoken_ms(pauses(count)),
        )


def _is_reversed(policy: RetryPolicy) -> bool:
    first, last = known_duration(policy.jitter_from), known_duration(policy.jitter_to)
    return first is not None and last is not None and least_ms(first) > most_ms(last)


def _hurries(policy: RetryPolicy) -> bool:
    """Whether its author asks for retries that follow each other at once."""
    is_zero = known_duration(policy.delay) == Duration()
    # Without a delay and without any limit the reader of the document has told it already.
    is_endless = policy.delay is None and policy.attempt_limit is not None
    is_endless = is_endless and policy.count is None and policy.total_limit is None
    return policy.jitter_to is None and (is_zero or is_endless)


def _check_limits(
    handler: Handler,
    policy: RetryPolicy,
    task: str,
    pauses: Callable[[int], int],
    bound: Bound | None,
    report: Report,
) -> bool:
    """Report retries that there is no time for; true if there is none."""
    limits: list[tuple[int, str]] = []
    total = known_duration(policy.total_limit)
    if total is not None:
        limits.append((most_ms(total), f"the {spoken(total)} of `limit.duration`"))
    if bound is not None:
        # A time-out at the same moment wins.
        limits.append((bound.most_ms - 1, f"the {spoken(bound.length)} of the time-out around it"))
    if not limits:
        return True
    most, limit = min(limits)
    possible = _fitting(pauses, most, policy.count)
    if possible == policy.count or (policy.count is None and possible > 0):
        return True
    retries = "no retry" if possible == 0 else f"only {possible} of the {policy.count} retries"
    report.add(
        codes.RETRIES_CUT_OFF,
        handler.span,
        handler.pointer,
        task=task,
        retries=retries,
        limit=limit,
    )
    return False


def _fitting(pauses: Callable[[int], int], most_ms: int, count: int | None) -> int:
    """How many retries can begin within a time; without a `count` 1 stands for any number."""
    low, high = 0, 1 if count is None else count
    while low < high:
        middle = (low + high + 1) // 2
        if pauses(middle) <= most_ms:
            low = middle
        else:
            high = middle - 1
    return low


def _pauses(policy: RetryPolicy) -> Callable[[int], int] | None:
    """The time that the pauses before the first so many retries take at least; None if unknown."""
    ends: list[int] = []
    for end in (policy.jitter_from, policy.jitter_to):
        known = known_duration(end)
        if isinstance(end, Expression) and known is None:
            return None
        ends.append(0 if known is None else least_ms(known))
    if isinstance(policy.delay, Expression) and known_duration(policy.delay) is None:
        return None
    found = known_duration(policy.delay)
    delay = 0 if found is None else max(0, least_ms(found))
    jitter = max(0, min(ends)) if policy.jitter_to is not None else 0

    def total(count: int) -> int:
        return _sum(policy.backoff, delay, count) + count * min(jitter, _LONGEST_PAUSE_MS)

    return total


def _sum(backoff: str, delay: int, count: int) -> int:
    """The sum of so many pauses, none of which is longer than the longest."""
    if delay == 0 or count < 1:
        return 0
    if backoff == "constant":
        return count * min(delay, _LONGEST_PAUSE_MS)
    if backoff == "linear":
        growing = min(count, _LONGEST_PAUSE_MS // delay)
        whole = delay * growing * (growing + 1) // 2
        return whole + (count - growing) * _LONGEST_PAUSE_MS
    whole, pause, taken = 0, delay, 0
    while taken < count and pause < _LONGEST_PAUSE_MS:
        whole += pause
        pause *= 2
        taken += 1
    return whole + (count - taken) * _LONGEST_PAUSE_MS
