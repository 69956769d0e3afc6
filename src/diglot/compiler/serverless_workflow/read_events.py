"""Events: publishing them, and what is listened for.

Source: DSL reference, Emit, Listen, Event Consumption Strategy, Event Filter, Correlation,
Subscription Iterator; our decisions A20 to A27.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from diglot.specs.serverless_workflow.model import events as model

from .. import codes
from ..expressions.strict import expression_text
from ..graph import (
    Attribute,
    Constant,
    Correlation,
    Emit,
    EventFilter,
    EventStrategy,
    Receive,
    Record,
    Value,
)
from ..pointers import join_pointer
from .lanes import add_scope, entries_of
from .read_data import rules as data_rules
from .read_resources import uri_value
from .reading import Place, Reading, reads
from .values import expression, text_value, value
from .variables import check_name

if TYPE_CHECKING:
    from diglot.specs.serverless_workflow.model import tasks

#: The attributes whose constant may also be a regular expression (our decision A25).
_PATTERNS = ("type", "source", "subject")
#: The attributes that are URI templates when they are emitted.
_URIS = ("source", "dataschema")
#: Source: CloudEvents 1.0.2, Attribute Naming Convention.
_ATTRIBUTE = re.compile(r"[a-z0-9]+")
#: Which instance has sent an event.
_RESERVED = "diglotinstance"


@reads("emit")
def read_emit(task: tasks.EmitTask, at: Place, reading: Reading) -> None:
    """The event's attributes; what is left out, the machine fills in."""
    pointer = f"{at.pointer}/emit/event/with"
    members: list[tuple[str, Value]] = []
    for name, data in reading.raw(pointer).items():
        place = pointer + join_pointer(name)
        _check_attribute(reading, name, place)
        if name in _URIS and isinstance(data, str) and "{" in data:
            members.append((name, uri_value(reading, data, place)))
        else:
            members.append((name, value(reading, data, place)))
    reading.into.add(Emit(**at.common, event=Record(tuple(members))))


@reads("listen")
def read_listen(task: tasks.ListenTask, at: Place, reading: Reading) -> None:
    """A wait for events; `foreach` runs a scope for each of them, one after the other."""
    pointer = f"{at.pointer}/foreach"
    body, each, item, index = None, None, "item", "index"
    iterator = task.foreach
    if iterator is not None:
        item, index = iterator.item, iterator.at
        check_name(reading, item, f"{pointer}/item")
        check_name(reading, index, f"{pointer}/at")
        each = data_rules(reading, pointer, output=iterator.output, export=iterator.export)
        if iterator.do is not None:
            body = at.inside("/foreach/do")
    reading.into.add(
        Receive(
            **at.common,
            strategy=read_strategy(reading, task.listen.to, f"{at.pointer}/listen/to"),
            read=task.listen.read,
            body=body,
            item=item,
            index=index,
            each=each,
        )
    )
    if iterator is not None and iterator.do is not None and body is not None:
        place = f"{pointer}/do"
        entries = entries_of(iterator.do, place)
        add_scope(reading, entries, id=body, form="each", parent=at.scope, pointer=place, inside=at)


def read_strategy(
    reading: Reading, found: model.EventConsumption | model.UntilConsumed, pointer: str
) -> EventStrategy:
    """Which events together are enough."""
    match found:
        case model.ConsumeOne():
            only = _filter(reading, found.one, f"{pointer}/one")
            return EventStrategy(mode="one", filters=(only,))
        case model.ConsumeAll():
            if not found.all:
                reading.find(codes.LISTEN_EMPTY_ALL, f"{pointer}/all")
            return EventStrategy(mode="all", filters=_filters(reading, found.all, f"{pointer}/all"))
        case model.ConsumeAnyOnce():
            filters = _filters(reading, found.any, f"{pointer}/any")
            until = found.until if isinstance(found, model.ConsumeAny) else None
    place = f"{pointer}/until"
    if until is None:
        return EventStrategy(mode="any", filters=filters)
    if isinstance(until, str):
        condition = expression(reading, until, place)
        return EventStrategy(mode="any", filters=filters, until=condition)
    events = read_strategy(reading, until, place)
    return EventStrategy(mode="any", filters=filters, until_events=events)


def _filters(
    reading: Reading, found: tuple[model.EventFilter, ...], pointer: str
) -> tuple[EventFilter, ...]:
    return tuple(_filter(reading, event, f"{pointer}/{index}") for index, event in enumerate(found))


def _filter(reading: Reading, found: model.EventFilter, pointer: str) -> EventFilter:
    attributes: list[Attribute] = []
    for name, data in reading.raw(f"{pointer}/with").items():
        place = f"{pointer}/with{join_pointer(name)}"
        _check_attribute(reading, name, place)
        wanted = value(reading, data, place)
        is_pattern = name in _PATTERNS and isinstance(wanted, Constant)
        attributes.append(Attribute(name=name, value=wanted, is_pattern=is_pattern))
    correlations = tuple(
        _correlation(reading, name, key, f"{pointer}/correlate{join_pointer(name)}")
        for name, key in (found.correlate or {}).items()
    )
    return EventFilter(attributes=tuple(attributes), correlations=correlations)


def _check_attribute(reading: Reading, name: str, pointer: str) -> None:
    """Report a name that no attribute of a CloudEvent has, or that the engine gives itself."""
    if _ATTRIBUTE.fullmatch(name) is None:
        problem = "names are lower-case letters and digits"
    elif name == _RESERVED:
        problem = "the engine writes it, and takes it away from what comes in"
    else:
        return
    span = reading.document.key_span_of(pointer)
    reading.find(codes.ATTRIBUTE_NAME, pointer, span=span, name=name[:100], problem=problem)


def _correlation(
    reading: Reading, name: str, found: model.Correlation, pointer: str
) -> Correlation:
    expect = None
    if found.expect is not None:
        expect = _expectation(reading, found.expect, f"{pointer}/expect")
    return Correlation(
        name=name, read=expression(reading, found.from_, f"{pointer}/from"), expect=expect
    )


def _expectation(reading: Reading, text: str, pointer: str) -> Value:
    """A constant or an expression: bare text is one when it begins like a path or a variable."""
    if expression_text(text) is not None or text[:1] in (".", "$"):
        return expression(reading, text, pointer)
    return text_value(reading, text, pointer)
