"""Triggers as event definitions."""

from __future__ import annotations

from ...graph import (
    CancelTrigger,
    CompensationTrigger,
    ConditionTrigger,
    Constant,
    Duration,
    ErrorTemplate,
    ErrorTrigger,
    EscalationTrigger,
    EventFilter,
    EventStrategy,
    EventTrigger,
    Expression,
    SeveralTrigger,
    TimerTrigger,
    Trigger,
)
from ...graph.text_values import value_text
from .formal import JQ, expression, formal
from .roots import Roots, error_of_template, error_of_trigger, event_name
from .tag import Tag

#: In which element of a timer each form stands.
_TIMES = {
    "duration": "timeDuration",
    "after": "timeDuration",
    "instant": "timeDate",
    "every": "timeCycle",
    "cron": "timeCycle",
    "cycle": "timeCycle",
}


def definitions(trigger: Trigger, roots: Roots) -> list[Tag]:
    """The event definitions of a trigger; several where it is made of several."""
    match trigger:
        case TimerTrigger():
            return [timer(trigger)]
        case EventTrigger():
            return of_strategy(trigger.strategy, roots)
        case ErrorTrigger():
            found = error_of_trigger(trigger)
            return [_refers("error", roots.error(*found) if found else "")]
        case EscalationTrigger():
            return [_refers("escalation", roots.escalation(trigger.code) if trigger.code else "")]
        case ConditionTrigger():
            return [conditional(trigger.condition)]
        case CompensationTrigger():
            return [Tag("compensateEventDefinition")]
        case CancelTrigger():
            return [Tag("cancelEventDefinition")]
        case SeveralTrigger():
            return [tag for one in trigger.triggers for tag in definitions(one, roots)]


def needs_all(trigger: Trigger) -> bool:
    """Whether all of several have to happen."""
    if isinstance(trigger, SeveralTrigger):
        return trigger.needs_all
    return isinstance(trigger, EventTrigger) and trigger.strategy.mode == "all"


def of_strategy(strategy: EventStrategy, roots: Roots) -> list[Tag]:
    """The events that are waited for; any where there is none to choose."""
    if not strategy.filters:
        return [event(False, "Any event", roots)]
    return [of_filter(one, roots) for one in strategy.filters]


def of_filter(filter: EventFilter, roots: Roots) -> Tag:
    """One event that is waited for."""
    return event(filter.kind == "signal", event_name(filter), roots)


def event(is_signal: bool, name: str, roots: Roots) -> Tag:
    """A message or signal that is sent or waited for."""
    if is_signal:
        return _refers("signal", roots.signal(name))
    return _refers("message", roots.message(name))


def error(template: ErrorTemplate | None, roots: Roots) -> Tag:
    """An error that is raised."""
    found = error_of_template(template)
    return _refers("error", roots.error(*found) if found else "")


def escalation(code: str, roots: Roots) -> Tag:
    """An escalation that is raised."""
    return _refers("escalation", roots.escalation(code))


def conditional(condition: Expression) -> Tag:
    """A condition that is waited for."""
    return Tag("conditionalEventDefinition", {}, [expression("condition", condition)])


def timer(trigger: TimerTrigger) -> Tag:
    """A point or a length of time."""
    name, value = _TIMES[trigger.form], trigger.value
    if isinstance(value, Expression):
        inner = expression(name, value)
    elif isinstance(value, Duration):
        text = iso(value)
        inner = formal(name, f"R/{text}" if trigger.form == "every" else text)
    elif isinstance(value, Constant):
        inner = formal(name, str(value.document))
    else:
        inner = formal(name, value_text(value), language=JQ)
    return Tag("timerEventDefinition", {}, [inner])


def iso(value: Duration) -> str:
    """A length of time in ISO 8601; months and the rest have one sign each."""
    rest = abs(value.milliseconds)
    days, rest = divmod(rest, 86_400_000)
    hours, rest = divmod(rest, 3_600_000)
    minutes, rest = divmod(rest, 60_000)
    date = (f"{abs(value.months)}M" if value.months else "") + (f"{days}D" if days else "")
    time = "".join(f"{count}{unit}" for count, unit in ((hours, "H"), (minutes, "M")) if count)
    if rest:
        time += f"{rest / 1000:f}".rstrip("0").rstrip(".") + "S"
    text = f"P{date}T{time}" if time else f"P{date}"
    is_negative = value.milliseconds < 0 or value.months < 0
    return "PT0S" if text == "P" else f"-{text}" if is_negative else text


def _refers(kind: str, id: str) -> Tag:
    return Tag(f"{kind}EventDefinition", {f"{kind}Ref": id} if id else {})
