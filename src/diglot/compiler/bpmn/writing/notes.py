"""What BPMN has no sign for, told in notes beside the shapes.

The business view tells what changes the course of things: tries, limits, repetitions. The
technical view also tells data rules, schemas and every expression.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, cast

from ...graph import (
    Assign,
    Call,
    Choice,
    Constant,
    DataRules,
    Duration,
    Emit,
    ErrorTrigger,
    EventStrategy,
    EventTrigger,
    Expression,
    Graph,
    Handler,
    Join,
    MultiInstance,
    Node,
    Raise,
    Receive,
    Record,
    RetryPolicy,
    Schema,
    ScopeNode,
    Task,
    Value,
    Wait,
)
from ...graph.text_values import value_text
from . import conditions, decisions, labels, times, words
from .view import View

#: A note is a hint and no listing.
_LONGEST: Final = 240


def of_node(node: Node, view: View) -> Iterator[str]:
    """What is to be told of a node."""
    if isinstance(node, ScopeNode) and node.multi is not None:
        yield from _multi(node.multi, view)
    if isinstance(node, Join) and node.need is not None:
        yield f"Goes on after {node.need}" + _REST.get(node.rest, "")
    if isinstance(node, Receive):
        yield from _strategy(node.strategy, view)
    if isinstance(node, Task | Call) and not node.waits:
        yield "Goes on without waiting for the result"
    if view == "technical":
        if node.guard is not None:
            yield f"If {_shown(node.guard.condition)}"
        yield from _technical(node)
        yield from of_rules(node.data)


def of_race() -> str:
    """What is to be told of branches that compete, where only the winner's way is drawn."""
    return "The first branch to end decides; only when all fail it fails"


def of_handler(handler: Handler, view: View) -> Iterator[str]:
    """What is to be told of a handler."""
    if handler.retry is not None:
        yield retry(handler.retry)
    trigger = handler.trigger
    if view == "technical":
        if isinstance(trigger, ErrorTrigger):
            for name, value in trigger.match:
                yield f"{name} = {_shown(value)}"
            if trigger.when is not None:
                yield f"When {_shown(trigger.when)}"
            if trigger.except_when is not None:
                yield f"Except when {_shown(trigger.except_when)}"
        if isinstance(trigger, EventTrigger):
            yield from _strategy(trigger.strategy, view)
        if handler.retry is not None:
            yield from _retried(handler.retry)
        yield from of_rules(handler.data)


def of_graph(graph: Graph, view: View) -> Iterator[str]:
    """What is to be told of the whole definition."""
    if view == "technical":
        yield from of_rules(graph.data)


def of_rules(rules: DataRules | None) -> Iterator[str]:
    """Data rules, in the order in which they run."""
    if rules is None:
        return
    if rules.needs is not None:
        yield f"Needs {_shown(rules.needs)}"
    if rules.input_schema is not None:
        yield f"Input: {_schema(rules.input_schema)}"
    if rules.read is not None:
        yield f"Reads {_shown(rules.read)}"
    if rules.write is not None:
        yield f"Gives {_shown(rules.write)}"
    if rules.output_schema is not None:
        yield f"Output: {_schema(rules.output_schema)}"
    if rules.export is not None:
        to = "variables" if rules.export_mode in ("variables", "local") else rules.export_to
        yield f"Sets {to} to {_shown(rules.export)}"
    if rules.export_schema is not None:
        yield f"Exported: {_schema(rules.export_schema)}"


def retry(policy: RetryPolicy) -> str:
    """A retry policy: `Tried again up to 3 times, first after 0.2 s, doubling`."""
    times = {None: "", 1: " once"}.get(policy.count, f" up to {policy.count} times")
    parts = [f"Tried again{times}"]
    if policy.delay is not None:
        when = _length(policy.delay)
        growth = {"constant": "each time", "linear": "first", "exponential": "first"}
        if policy.count == 1:
            parts.append(f"after {when}")
        else:
            parts.append(f"{growth[policy.backoff]} after {when}")
            more = {"linear": "then longer each time", "exponential": "doubling"}
            parts += [more[policy.backoff]] if policy.backoff in more else []
    if policy.total_limit is not None:
        parts.append(f"for {_length(policy.total_limit)} at most")
    if policy.attempt_limit is not None:
        parts.append(f"each try {_length(policy.attempt_limit)} at most")
    return ", ".join(parts)


def time_out(handler: Handler) -> str:
    """A handler that cannot be drawn, because no event can be attached to what it guards."""
    return f"{labels.handler_label(handler)}: " + (
        words.lowered(labels.error(handler.raises.type)) if handler.raises else "stopped"
    )


_REST: Final = {"cancel": "; the rest is cancelled", "ignore": "; the rest is ignored"}


def _retried(policy: RetryPolicy) -> Iterator[str]:
    if policy.when is not None:
        yield f"Tried again when {_shown(policy.when)}"
    if policy.except_when is not None:
        yield f"Not tried again when {_shown(policy.except_when)}"
    if policy.jitter_from is not None or policy.jitter_to is not None:
        least = _length(policy.jitter_from or Duration())
        yield f"and {least} to {_length(policy.jitter_to or Duration())} more, by chance"


def _multi(multi: MultiInstance, view: View) -> Iterator[str]:
    if isinstance(multi.collection, Expression):
        of = decisions.told(multi.collection, view)
        item = words.lowered(words.spoken(multi.item)) or "item"
        is_plain = not of or of in (f"{item}s", f"{item}es", f"{item.removesuffix('y')}ies")
        yield f"For each {item}" if is_plain else f"For each {item} of {of}"
    if multi.limit is not None:
        yield f"At most {multi.limit} at a time"
    if multi.condition is not None and (text := decisions.told(multi.condition, view)):
        yield f"As long as {text}"
    if multi.completion is not None and (text := decisions.told(multi.completion, view)):
        yield f"Until {text}"
    if view == "technical" and multi.output is not None:
        yield f"Collects {_shown(multi.output)} in {multi.output_to}"


def _strategy(strategy: EventStrategy, view: View) -> Iterator[str]:
    if strategy.until is not None:
        text = conditions.said(strategy.until, subject="events")
        if strategy.until.text.strip() == "false":
            yield "Again and again, without an end"
        elif text or view == "technical":
            yield f"Until {text or decisions.told(strategy.until, view)}"
    if strategy.until_events is not None:
        yield f"Until {words.lowered(labels.received(strategy.until_events))}"


def _technical(node: Node) -> Iterator[str]:
    match node:
        case Task():
            kind = node.action.type
            yield f"{kind if isinstance(kind, str) else _shown(kind)} {_arguments(node)}".strip()
        case Assign():
            yield _shown(node.value)
        case Call():
            yield f"{node.namespace}/{node.process} {node.version}"
            if node.input is not None:
                yield f"Input: {_shown(node.input)}"
        case Emit():
            yield _shown(node.event)
        case Raise():
            if node.error is not None:
                yield _shown_text(value_text(node.error))
            if node.payload is not None:
                yield f"With {_shown(node.payload)}"
        case Wait() if node.timer is not None and isinstance(node.timer.value, Expression):
            yield f"For {_shown(node.timer.value)}"
        case Receive():
            for one in node.strategy.filters:
                yield _shown_text(value_text(one))
            yield from of_rules(node.each)
        case Choice() if node.construct == "extension":
            yield "Where an extension applies"
        case _:
            pass


def _arguments(node: Task) -> str:
    """The arguments of a job; an address and its method first."""
    arguments = node.action.arguments
    if not isinstance(arguments, Record):
        return _shown(arguments)
    members = (f"{name}: {value_text(value)}" for name, value in arguments.members)
    return _shown_text(", ".join(members))


def _schema(schema: Schema) -> str:
    if schema.resource is not None:
        return f"as {_shown(schema.resource)} says"
    document = schema.document
    if isinstance(document, dict):
        members = cast("dict[str, Any]", document)
        names = members.get("required") or list(members.get("properties") or ())
        if isinstance(names, list) and names:
            return _shown_text(", ".join(str(name) for name in cast("list[Any]", names)))
    return _shown_text(value_text(Constant(document)))


def _length(value: Duration | Expression) -> str:
    return times.length(value) if isinstance(value, Duration) else _shown(value)


def _shown(value: Value) -> str:
    text = value.text if isinstance(value, Expression) else value_text(value)
    return _shown_text(text.removeprefix("const "))


def _shown_text(text: str) -> str:
    return words.shortened(text, _LONGEST)
