"""Who waits for events and who sends them: every filter of a graph and every event it emits."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterator
from typing import Final, Literal, NamedTuple, TypeAlias

import msgspec

from diglot.compiler.graph import (
    Constant,
    Emit,
    EventFilter,
    EventKind,
    EventStrategy,
    EventTrigger,
    Expression,
    Graph,
    Handler,
    Listing,
    Node,
    Receive,
    Record,
    SeveralTrigger,
    Start,
    Trigger,
    Value,
)

Owner: TypeAlias = Node | Handler

#: How other engines write a name that they compute.
_COMPUTED: Final = re.compile(r"\s*(?:=|fn:[\w-]+\()|.*[$#]\{", re.DOTALL)


class Listener(NamedTuple):
    """One filter, who has it, and whether it starts instances, waits in the flow or guards."""

    owner: Owner
    filter: EventFilter
    place: Literal["start", "wait", "handler"]

    @property
    def name(self) -> str | None:
        """The one type of event that it takes, where that is fixed."""
        return name_of(self.filter)


class Sender(NamedTuple):
    """A node that emits events of one fixed type."""

    node: Emit
    name: str

    @property
    def kind(self) -> EventKind:
        """How the event is delivered."""
        return self.node.kind


def listeners(graph: Graph) -> Iterator[Listener]:
    """Every filter of the graph: of its starts and waits, then of its handlers."""
    for node in graph.nodes:
        match node:
            case Start(triggers=triggers) if node.scope == graph.root:
                for trigger in triggers:
                    for filter in _of_trigger(trigger):
                        yield Listener(node, filter, "start")
            case Receive(strategy=strategy):
                for filter in _of_strategy(strategy):
                    yield Listener(node, filter, "wait")
            case _:
                pass
    for handler in graph.handlers:
        for filter in _of_trigger(handler.trigger):
            yield Listener(handler, filter, "handler")


def senders(graph: Graph) -> Iterator[Sender]:
    """Every node that emits events whose type is fixed."""
    for node in graph.nodes:
        if isinstance(node, Emit):
            name = _fixed_type(node.event)
            if name is not None:
                yield Sender(node, name)


def name_of(filter: EventFilter) -> str | None:
    """The one type of event that a filter takes, where that is fixed."""
    for attribute in filter.attributes:
        if attribute.name == "type":
            return _text(attribute.value)
    return None


def called(owner: Owner) -> str:
    """What an author calls it."""
    return owner.name or owner.pointer or owner.id


def is_own_name(name: str | None, owner: Owner) -> bool:
    """Whether an event is called after who sends or awaits it, because its author named none."""
    return name in (owner.pointer, owner.id)


def looks_computed(name: str) -> bool:
    """Whether an author wanted a name to be computed, which none ever is."""
    return _COMPUTED.match(name) is not None


def signature(filter: EventFilter) -> Hashable | None:
    """What two filters have in common that take the same events; None where nobody can tell."""
    parts: list[Hashable] = [filter.kind]
    for attribute in filter.attributes:
        words = _words(attribute.value)
        if words is None:
            return None
        parts.append((attribute.name, words))
    for key in filter.correlations:
        words = "" if key.expect is None else _words(key.expect)
        if words is None:
            return None
        parts.append((key.name, key.read.text, words, key.is_shared))
    return tuple(parts)


def _words(value: Value) -> Hashable | None:
    match value:
        case Expression(text=text, of=of):
            return (of, text)
        case Constant(document=document):
            return msgspec.json.encode(document, order="deterministic")
        case Listing(items=items) if all(isinstance(one, Expression | Constant) for one in items):
            return tuple(_words(one) for one in items)
        case _:
            return None


def _text(value: Value) -> str | None:
    match value:
        case Constant(document=str(text)):
            return text
        case _:
            return None


def _fixed_type(event: Value) -> str | None:
    match event:
        case Record(members=members):
            return next((_text(value) for name, value in members if name == "type"), None)
        case Constant(document={"type": str(found)}):
            return found
        case _:
            return None


def _of_trigger(trigger: Trigger) -> Iterator[EventFilter]:
    rest: list[Trigger] = [trigger]
    while rest:
        match rest.pop():
            case EventTrigger(strategy=strategy):
                yield from _of_strategy(strategy)
            case SeveralTrigger(triggers=parts):
                rest.extend(reversed(parts))
            case _:
                pass


def _of_strategy(strategy: EventStrategy) -> Iterator[EventFilter]:
    found: EventStrategy | None = strategy
    while found is not None:
        yield from found.filters
        found = found.until_events
