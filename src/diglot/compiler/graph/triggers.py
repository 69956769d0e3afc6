"""What starts, wakes and interrupts: triggers, filters of events and errors, retry policies."""

from __future__ import annotations

from typing import Literal

import msgspec

from .data import Duration, Expression, Value


class Correlation(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One key of a correlation: `read` on the event's envelope must equal `expect`.

    Without `expect` the first extracted value becomes the expectation: for this wait, or where the
    key `is_shared` for the whole instance, whatever sent or received it first. An event that does
    not carry the key (`read` gives null, or an array with a null) does not match, unless the key
    is shared and has no value yet.

    Source: DSL reference, Correlation; BPMN 2.0.2 8.4.2.
    """

    name: str
    read: Expression
    expect: Value | None = None
    is_shared: bool = False


class Attribute(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A condition on one attribute of a CloudEvent.

    An expression sees the attribute's value as its input and must be true; a literal is compared,
    and where `is_pattern` also tried as a regular expression over the whole text.
    """

    name: str
    value: Value
    is_pattern: bool = False


EventKind = Literal["event", "message", "signal"]


class EventFilter(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The events one subscription takes: every attribute and every correlation must match.

    `kind`: an `event` is offered to all who wait, a `signal` likewise; a `message` goes to one of
    them, and is kept for a while where nobody waits yet.

    Source: DSL reference, Event Filter; BPMN 2.0.2 8.4.2, 10.5.1.
    """

    kind: EventKind = "event"
    attributes: tuple[Attribute, ...] = ()
    correlations: tuple[Correlation, ...] = ()


class EventStrategy(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Which events together satisfy a wait.

    `any` without filters takes every event. `until` ends an `any`: an expression over the events
    taken so far, or another strategy whose events are not part of the result.

    Source: DSL reference, Event Consumption Strategy.
    """

    mode: Literal["one", "any", "all"]
    filters: tuple[EventFilter, ...] = ()
    until: Expression | None = None
    until_events: EventStrategy | None = None


ReadMode = Literal["data", "envelope", "raw"]


class TimerTrigger(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, tag="timer"):
    """Fires by the clock.

    `duration` after arming, `instant` at a time, `every` again and again, `after` a pause counted
    from the end of the run before, `cron` by five or six fields in UTC, `cycle` as an ISO 8601
    repeating interval or cron fields say, which may be computed.

    Source: BPMN 2.0.2 10.5.5, Table 10.101; DSL reference, Schedule, Wait, Timeout.
    """

    form: Literal["duration", "instant", "every", "after", "cron", "cycle"]
    value: Value


class EventTrigger(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, tag="event"):
    """Fires when the events of a strategy have come."""

    strategy: EventStrategy
    read: ReadMode = "data"


class ErrorTrigger(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, tag="error"):
    """Takes the errors whose members equal `match` and that pass both conditions.

    The error stands in the variable `variable` for the conditions and for the handler.

    Source: DSL reference, Catch; BPMN 2.0.2 10.5.6.
    """

    match: tuple[tuple[str, Value], ...] = ()
    when: Expression | None = None
    except_when: Expression | None = None
    variable: str = "error"


class EscalationTrigger(
    msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, tag="escalation"
):
    """Takes escalations of one code, or of every code. It stands in `variable` for the handler.

    Source: BPMN 2.0.2 10.5.1, 10.5.5.
    """

    code: str | None = None
    variable: str = "escalation"


class ConditionTrigger(
    msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, tag="condition"
):
    """Fires when the condition becomes true, and again only after it was false in between.

    One that is true when it is armed fires at once.

    Source: BPMN 2.0.2 10.5.5, Table 10.84.
    """

    condition: Expression


class CompensationTrigger(msgspec.Struct, frozen=True, kw_only=True, tag="compensation"):
    """Fires when what it guards, once completed, is compensated.

    Source: BPMN 2.0.2 13.5.5.
    """


class CancelTrigger(msgspec.Struct, frozen=True, kw_only=True, tag="cancel"):
    """Fires when the transaction it guards has been cancelled and compensated.

    Source: BPMN 2.0.2 10.3.5, 13.5.6.
    """


class SeveralTrigger(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, tag="several"):
    """Fires when one of its triggers does, or with `needs_all` when each has fired.

    Source: BPMN 2.0.2 10.5.5 (Multiple, Parallel Multiple).
    """

    triggers: tuple[Trigger, ...]
    needs_all: bool = False


Trigger = (
    TimerTrigger
    | EventTrigger
    | ErrorTrigger
    | EscalationTrigger
    | ConditionTrigger
    | CompensationTrigger
    | CancelTrigger
    | SeveralTrigger
)


class RetryPolicy(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """How often and when a failed scope or job runs again.

    `count` is the number of further runs after the first. The n-th pause is `delay` (constant),
    n times `delay` (linear) or 2^(n-1) times `delay` (exponential), plus jitter drawn evenly
    between its ends. `attempt_limit` bounds one run, `total_limit` the time in which a further run
    may still begin, counted from the first start.

    Source: DSL reference, Retry; our decisions A3 to A6.
    """

    when: Expression | None = None
    except_when: Expression | None = None
    delay: Duration | Expression | None = None
    backoff: Literal["constant", "linear", "exponential"] = "constant"
    jitter_from: Duration | Expression | None = None
    jitter_to: Duration | Expression | None = None
    count: int | None = None
    attempt_limit: Duration | Expression | None = None
    total_limit: Duration | Expression | None = None


class ErrorTemplate(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """An error to be raised; the machine sets `instance` to the pointer of the raising node.

    Source: DSL reference, Error.
    """

    type: Value
    status: Value
    title: Value | None = None
    detail: Value | None = None
