"""Expressions of triggers, of retry policies and of what is listened for.

Source: DSL reference, Catch, Retry, Event Filter; BPMN 2.0.2 10.5.5.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from diglot.compiler.graph import (
    ConditionTrigger,
    ErrorTrigger,
    EventStrategy,
    EventTrigger,
    Expression,
    Handler,
    RetryPolicy,
    SeveralTrigger,
    TimerTrigger,
    Trigger,
)

from .frames import ERROR, Frame
from .model import ANY_ARRAY, ANYTHING

if TYPE_CHECKING:
    from .flowing import Flowing


def look_at_trigger(flowing: Flowing, handler: Handler, frame: Frame) -> None:
    """Look at the expressions of a handler; the input is that of what it guards."""
    if not flowing.is_looking:
        return
    _trigger(flowing, handler, handler.trigger, frame)
    if handler.retry is not None:
        _retry(flowing, handler, handler.retry, _with_error(handler, frame))
    if handler.raises is not None:
        error = handler.raises
        for value in (error.type, error.status, error.title, error.detail):
            flowing.look_at(value, "error", frame.input, frame, handler)


def _with_error(handler: Handler, frame: Frame) -> Frame:
    if not isinstance(handler.trigger, ErrorTrigger):
        return frame
    extra = {**frame.extra, handler.trigger.variable: ERROR}
    return Frame(frame.node, frame.scope, frame.raw, frame.input, extra=extra)


def _trigger(flowing: Flowing, handler: Handler, trigger: Trigger, frame: Frame) -> None:
    dot = frame.input
    match trigger:
        case TimerTrigger():
            flowing.look_at(trigger.value, "timer", dot, frame, handler)
        case EventTrigger():
            look_at_strategy(flowing, trigger.strategy, frame, handler)
        case ConditionTrigger():
            flowing.look_at(trigger.condition, "condition", dot, frame, handler)
        case SeveralTrigger():
            for part in trigger.triggers:
                _trigger(flowing, handler, part, frame)
        case ErrorTrigger():
            for _, value in trigger.match:
                flowing.look_at(value, "match", dot, frame, handler)
            inner = _with_error(handler, frame)
            for condition in (trigger.when, trigger.except_when):
                flowing.look_at(condition, "when", frame.raw, inner, handler)
        case _:
            pass


def _retry(flowing: Flowing, handler: Handler, policy: RetryPolicy, frame: Frame) -> None:
    for condition in (policy.when, policy.except_when):
        flowing.look_at(condition, "when", frame.raw, frame, handler)
    for length in (
        policy.delay, policy.jitter_from, policy.jitter_to, policy.attempt_limit,
        policy.total_limit,
    ):  # fmt: skip
        flowing.look_at(length, "retry", frame.raw, frame, handler)


def look_at_strategy(
    flowing: Flowing, strategy: EventStrategy, frame: Frame, handler: Handler | None = None
) -> None:
    """Look at the filters of events, which see what comes from outside."""
    if not flowing.is_looking:
        return
    for wanted in strategy.filters:
        for attribute in wanted.attributes:
            if isinstance(attribute.value, Expression):
                flowing.look_at(attribute.value, "filter", ANYTHING, frame, handler)
            else:
                flowing.look_at(attribute.value, "match", frame.input, frame, handler)
        for correlation in wanted.correlations:
            flowing.look_at(correlation.read, "correlation", ANYTHING, frame, handler)
            flowing.look_at(correlation.expect, "correlation", frame.input, frame, handler)
    flowing.look_at(strategy.until, "until", ANY_ARRAY, frame, handler)
    if strategy.until_events is not None:
        look_at_strategy(flowing, strategy.until_events, frame, handler)
