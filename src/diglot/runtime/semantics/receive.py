"""Receiving events: filters, correlation, and when enough have come.

Source: DSL reference, Listen, Event Consumption Strategy, Event Filter, Correlation.
"""

from __future__ import annotations

import base64
import json
from typing import TYPE_CHECKING, Any

from diglot.compiler.graph import EventStrategy, ReadMode, Receive
from diglot.runtime import events as e
from diglot.runtime.faults import Fault

from .correlation import learn, match_filter, shared_keys
from .data import write_output
from .entering import enter_scope
from .race import win
from .registry import continues, runs

if TYPE_CHECKING:
    from diglot.runtime.plan import NodePlan
    from diglot.runtime.state import ScopeVisit, Subscription, Visit

    from .step import Step


@runs(Receive)
def subscribe(step: Step, visit: Visit, plan: NodePlan) -> None:
    """Open a subscription for each filter; those of `until` come first and see an event first."""
    node = plan.node
    assert isinstance(node, Receive)
    filters, _, until_filters, _ = plan.parts
    if node.strategy.mode == "all" and not node.strategy.filters:
        step.finish(visit, [])
        return
    for is_until, group in ((True, until_filters), (False, filters)):
        for index, filter in enumerate(group):
            step.emit(
                e.SubscriptionOpened(
                    step.new_id(), visit.id, index, is_until, filter.type, kind=filter.filter.kind
                )
            )


def offer(
    step: Step, subscription: Subscription, envelope: dict[str, Any], number: int = 0
) -> bool:
    """Offer a CloudEvent to a subscription; true if it was taken.

    An expression of a filter that fails on this event means that the event does not match.
    """
    assert subscription.visit is not None
    visit = step.state.visits[subscription.visit]
    plan = step.plan.nodes[visit.node]
    node = plan.node
    assert isinstance(node, Receive)
    filters, _, until_filters, _ = plan.parts
    # A message that was kept is older than what came since, and the store gives it out once.
    is_known = subscription.kind != "message" and 0 < number <= visit.last_event
    if is_known or _is_sated(node.strategy, visit):
        return False
    filter = (until_filters if subscription.is_until else filters)[subscription.index]
    keys = match_filter(
        step, filter, envelope, step.frame(visit), visit.input, visit.keys, shared_keys(step)
    )
    if keys is None:
        return False
    learn(step, keys.learned)
    strategy = node.strategy
    closes = strategy.mode == "all"
    if subscription.is_until:
        closes = strategy.until_events is not None and strategy.until_events.mode == "all"
    step.emit(
        e.EventTaken(
            visit.id,
            subscription.id,
            str(envelope.get("source", "")),
            str(envelope.get("id", "")),
            None if subscription.is_until else read_event(envelope, node.read),
            keys.own,
            closes,
            number,
        )
    )
    win(step, visit)
    _progress(step, visit, plan)
    return True


def read_event(envelope: dict[str, Any], mode: ReadMode) -> Any:
    """What a listener sees of an event: its data, all of it, or its data as it came.

    Source: DSL reference, Listen.
    """
    if mode == "envelope":
        return envelope
    data = envelope.get("data")
    if data is None and isinstance(envelope.get("data_base64"), str):
        if mode == "raw":
            return envelope["data_base64"]
        return base64.b64decode(envelope["data_base64"]).decode("utf-8", "replace")
    if mode == "raw":
        return data if isinstance(data, str) else json.dumps(data, separators=(",", ":"))
    return data


def _progress(step: Step, visit: Visit, plan: NodePlan) -> None:
    """Read what has come, run the body for it, and leave when enough has come."""
    node = plan.node
    assert isinstance(node, Receive)
    while visit.pending:
        if node.body is not None:
            if not step.state.bodies.get(visit.id):
                enter_scope(
                    step,
                    node.body,
                    parent=visit.scope,
                    owner=visit.id,
                    data=visit.pending[0],
                    variables={node.item: visit.pending[0], node.index: len(visit.results)},
                )
            return
        if not _read_one(step, visit, plan, visit.pending[0]):
            return
        if _is_enough(step, visit, plan):
            step.finish(visit, list(visit.results))
            return
    if _is_enough(step, visit, plan):
        step.finish(visit, list(visit.results))


def _read_one(step: Step, visit: Visit, plan: NodePlan, value: Any) -> bool:
    """The event's value, shaped by `foreach.output`, joins the result; false if that failed."""
    each = plan.parts[3]
    node = plan.node
    assert isinstance(node, Receive)
    if each is not None:
        frame = step.frame(visit)
        frame.extra = {node.item: visit.pending[0], node.index: len(visit.results)}
        try:
            value = write_output(step, frame, each, value)
        except Fault as found:
            step.fail(visit, found.problem)
            return False
    step.emit(e.EventRead(visit.id, value))
    return True


@continues(Receive)
def event_handled(step: Step, visit: Visit, plan: NodePlan, body: ScopeVisit) -> None:
    """The body is done with one event: keep its result, go on with the next in line."""
    if not _read_one(step, visit, plan, body.result):
        return
    if _is_enough(step, visit, plan):
        step.finish(visit, list(visit.results))
    else:
        _progress(step, visit, plan)


def _is_enough(step: Step, visit: Visit, plan: NodePlan) -> bool:
    node = plan.node
    assert isinstance(node, Receive)
    strategy = node.strategy
    until = plan.parts[1]
    if strategy.until_events is not None:
        return not visit.pending and has_come(strategy.until_events, visit.until_taken)
    if until is not None:
        frame = step.frame(visit)
        return bool(visit.results) and bool(until(step, frame, list(visit.results)))
    return not visit.pending and has_come(strategy, visit.taken)


def _is_sated(strategy: EventStrategy, visit: Visit) -> bool:
    """Whether all events that are wanted have come, though a body may still be busy with them."""
    if strategy.until_events is not None:
        return has_come(strategy.until_events, visit.until_taken)
    return strategy.until is None and has_come(strategy, visit.taken)


def has_come(strategy: EventStrategy, taken: list[int]) -> bool:
    """Whether the filters that have taken an event satisfy a strategy without `until`."""
    if strategy.mode == "all":
        return set(range(len(strategy.filters))) <= set(taken)
    return bool(taken)
