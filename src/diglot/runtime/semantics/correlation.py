"""Correlation: which events belong to a wait, and to the conversation of a whole instance.

Source: BPMN 2.0.2 8.4.2; DSL reference, Event Filter, Correlation; our decisions A25 to A27.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from diglot.compiler.graph import Expression
from diglot.runtime import events as e
from diglot.runtime.faults import Fault

if TYPE_CHECKING:
    from diglot.runtime.parts import FilterPlan, KeyPlan

    from .frame import Frame
    from .step import Step


class Keys(NamedTuple):
    """Correlation values once an event is taken.

    `own` are all those of the wait, `learned` the shared ones that had no value before.
    """

    own: dict[str, Any]
    learned: dict[str, Any]


def match_filter(
    step: Step,
    filter: FilterPlan,
    envelope: dict[str, Any],
    frame: Frame,
    data: Any,
    keys: dict[str, Any],
    shared: dict[str, Any],
) -> Keys | None:
    """The correlation values known once this event is taken, or nothing if it does not match.

    `keys` are known to the wait already, `shared` to its instance. What a key has to equal is
    computed now, so it follows the variables. An expression that fails on the event means that it
    does not match.
    """
    try:
        if not _has_attributes(step, filter, envelope, frame, data):
            return None
        return _match_keys(step, filter.correlations, envelope, frame, data, keys, shared)
    except Fault:
        return None


def _has_attributes(
    step: Step, filter: FilterPlan, envelope: dict[str, Any], frame: Frame, data: Any
) -> bool:
    for name, attribute, compiled in filter.attributes:
        actual = envelope.get(name)
        if isinstance(attribute.value, Expression):
            if not compiled(step, frame, actual):
                return False
            continue
        expected = compiled(step, frame, data)
        if expected == actual:
            continue
        fits = filter.patterns.get(name)
        if fits is None or not isinstance(actual, str) or not fits(step, frame, actual):
            return False
    return True


def _match_keys(
    step: Step,
    correlations: list[KeyPlan],
    envelope: dict[str, Any],
    frame: Frame,
    data: Any,
    keys: dict[str, Any],
    shared: dict[str, Any],
) -> Keys | None:
    own, learned = dict(keys), dict[str, Any]()
    for key in correlations:
        known = {**shared, **learned} if key.is_shared else own
        value = key.read(step, frame, envelope)
        if not _is_carried(key, value):
            if key.is_shared and key.expect is None and key.name not in known:
                continue
            return None
        if key.expect is not None:
            expected = key.expect(step, frame, data)
        else:
            expected = known.get(key.name, value)
        if expected != value:
            return None
        if not key.is_shared:
            own[key.name] = value
        elif key.name not in shared:
            learned[key.name] = value
    return Keys(own, learned)


def _is_carried(key: KeyPlan, value: Any) -> bool:
    """Whether an event has a value for the key: a shared one of several parts needs all of them."""
    if key.is_shared and isinstance(value, list):
        return None not in cast("list[Any]", value)
    return value is not None


def shared_keys(step: Step) -> dict[str, Any]:
    """The values of the shared keys that the instance knows."""
    root = step.state.scopes.get(step.root_scope())
    return {} if root is None else root.keys


def learn(step: Step, learned: dict[str, Any]) -> None:
    """Note values of shared keys that had none, if there are any."""
    if learned:
        step.emit(e.KeysKnown(step.root_scope(), learned))


def learn_from_sent(
    step: Step, keys: Iterable[KeyPlan], envelope: dict[str, Any], frame: Frame
) -> None:
    """Give shared keys that have no value yet the one that an event carries out.

    What it says of a key that is known already changes nothing.
    """
    known = shared_keys(step)
    learned: dict[str, Any] = {}
    for key in keys:
        if key.name not in known:
            try:
                value = key.read(step, frame, envelope)
            except Fault:
                continue
            if _is_carried(key, value):
                learned[key.name] = value
    learn(step, learned)
