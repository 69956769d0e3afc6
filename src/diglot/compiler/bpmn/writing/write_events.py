"""Events: what is waited for, sent, raised and undone, and where tokens begin and end.

Source: BPMN 2.0.2 10.5.
"""

from __future__ import annotations

from ...graph import (
    Choice,
    Compensate,
    Emit,
    End,
    Race,
    Raise,
    Receive,
    Start,
    Wait,
)
from . import labels, triggers
from .canvas import Shape, Sheet, join
from .composition import Composition, writes
from .roots import emitted_name
from .tag import Tag


@writes(Start)
def write_start(node: Start, sheet: Sheet, into: Composition) -> Shape:
    """Where tokens begin; one that others lead to is passed on the way."""
    if any(True for _ in into.lookup.leading(node.id)):
        return into.node(sheet, "intermediateThrowEvent", node)
    shape = into.node(sheet, "startEvent", node)
    for trigger in node.triggers:
        shape.inside.extend(triggers.definitions(trigger, into.roots))
    if len(shape.inside) > 1 and any(triggers.needs_all(one) for one in node.triggers):
        shape.attributes["parallelMultiple"] = "true"
    return shape


@writes(End)
def write_end(node: End, sheet: Sheet, into: Composition) -> Shape:
    """Where a token ends, and maybe everything with it."""
    is_everything = node.effect == "instance" and node.scope != into.graph.root
    label = "End of the process" if is_everything and not labels.name_of(node) else None
    shape = into.node(sheet, "endEvent", node, label=label)
    # Where one token comes at most, its end is the end of everything.
    is_plain = not node.construct and not _is_shared(node, into)
    if node.effect != "none" and not is_plain:
        shape.inside.append(Tag("terminateEventDefinition"))
    return shape


def _is_shared(node: End, into: Composition) -> bool:
    """Whether there may be other tokens in the scope of an end."""
    lookup = into.lookup
    for one in lookup.nodes_of(node.scope):
        if not isinstance(one, Choice | Race) and len(lookup.leaving(one.id)) > 1:
            return True
    return any(not handler.is_interrupting for handler in lookup.graph.handlers)


@writes(Wait)
def write_wait(node: Wait, sheet: Sheet, into: Composition) -> Shape:
    """The clock or a condition is waited for."""
    if node.timer is not None:
        definition = triggers.timer(node.timer)
    elif node.condition is not None:
        definition = triggers.conditional(node.condition)
    else:
        definition = None
    name = "intermediateCatchEvent" if definition is not None else "intermediateThrowEvent"
    return _event(node, sheet, into, name, [] if definition is None else [definition])


@writes(Receive)
def write_receive(node: Receive, sheet: Sheet, into: Composition) -> Shape:
    """Events are waited for, one or several, once or again and again."""
    strategy = node.strategy
    has_end = strategy.until is not None or strategy.until_events is not None
    if node.body is not None or has_end:
        from .compose_scopes import write_listening

        return write_listening(node, sheet, into)
    is_raced = any(
        isinstance(into.lookup.nodes.get(flow.source), Race)
        for flow in into.lookup.leading(node.id)
    )
    if len(strategy.filters) < 2 or is_raced:
        if node.construct == "receive-task" or (into.is_guarded(node) and strategy.filters):
            shape = into.node(sheet, "receiveTask", node)
            if strategy.filters:
                tag = triggers.of_filter(strategy.filters[0], into.roots)
                if "messageRef" in tag.attributes:
                    shape.attributes["messageRef"] = tag.attributes["messageRef"]
            return shape
        found = triggers.of_strategy(strategy, into.roots)
        shape = _event(node, sheet, into, "intermediateCatchEvent", found)
        if len(found) > 1 and strategy.mode == "all":
            shape.attributes["parallelMultiple"] = "true"
        return shape
    if into.is_guarded(node):
        shape, inner = enclosure(node, sheet, into)
        first, last = add_catches(node, inner, into)
        enclose(inner, first, last, into)
        return shape
    first, last = add_catches(node, sheet, into)
    into.show(first, node, is_named=True)
    first.documentation = node.documentation
    first.entry = last.exit = node.id
    into.exits[node.id] = last
    return first


def add_catches(node: Receive, sheet: Sheet, into: Composition) -> tuple[Shape, Shape]:
    """Events that wait side by side: the first of them, or all, as the strategy says."""
    strategy = node.strategy
    if len(strategy.filters) < 2:
        found = triggers.of_strategy(strategy, into.roots)
        label = labels.received(strategy)
        catch = into.drawn(sheet, "intermediateCatchEvent", "inside", label=label)
        catch.inside.extend(found)
        return catch, catch
    is_all = strategy.mode == "all"
    first = into.drawn(
        sheet, "parallelGateway" if is_all else "eventBasedGateway", "inside", wish=node.id
    )
    last = Shape("parallelGateway" if is_all else "exclusiveGateway", sheet, wish=f"{node.id}#met")
    last.drawn = "inside"
    for filter in strategy.filters:
        label = f"{labels.awaited(filter)} received"
        catch = into.drawn(sheet, "intermediateCatchEvent", "inside", label=label)
        catch.inside.append(triggers.of_filter(filter, into.roots))
        join(first, catch, "inside")
        join(catch, last, "inside")
    sheet.add(last)
    return first, last


@writes(Emit)
def write_emit(node: Emit, sheet: Sheet, into: Composition) -> Shape:
    """Something is sent."""
    name = emitted_name(node.event)
    definition = triggers.event(node.kind == "signal", name, into.roots)
    is_guarded = into.is_guarded(node)
    if node.construct == "send-task" or is_guarded or into.is_undoing(node):
        shape = into.node(sheet, "sendTask", node)
        if "messageRef" in definition.attributes:
            shape.attributes["messageRef"] = definition.attributes["messageRef"]
        return shape
    return _thrown(node, sheet, into, definition)


@writes(Raise)
def write_raise(node: Raise, sheet: Sheet, into: Composition) -> Shape:
    """An error or an escalation is raised here."""
    if node.escalation is not None:
        definition = triggers.escalation(node.escalation, into.roots)
        return _thrown(node, sheet, into, definition)
    shape = into.node(sheet, "endEvent", node, label=_raised(node))
    shape.inside.append(triggers.error(node.error, into.roots))
    return shape


@writes(Compensate)
def write_compensate(node: Compensate, sheet: Sheet, into: Composition) -> Shape:
    """What was done is undone; a cancel also leaves the transaction."""
    if node.cancels:
        shape = into.node(sheet, "endEvent", node)
        shape.inside.append(Tag("cancelEventDefinition"))
        return shape
    definition = Tag("compensateEventDefinition")
    if not node.waits:
        definition.attributes["waitForCompletion"] = "false"
    shape = _thrown(node, sheet, into, definition)
    if node.activity is not None:
        into.undone.append((definition, node.activity))
    return shape


def _raised(node: Raise) -> str:
    if labels.name_of(node):
        return labels.node_label(node)
    return labels.error(node.error.type) if node.error is not None else "The same error"


def _thrown(
    node: Emit | Raise | Compensate, sheet: Sheet, into: Composition, definition: Tag
) -> Shape:
    """An event in the flow, or at its end."""
    is_last = not into.lookup.leaving(node.id)
    shape = into.node(sheet, "endEvent" if is_last else "intermediateThrowEvent", node)
    shape.inside.append(definition)
    return shape


def _event(
    node: Wait | Receive, sheet: Sheet, into: Composition, name: str, definitions: list[Tag]
) -> Shape:
    """An event; where others are attached to it, in a sub-process, which can have them."""
    if not into.is_guarded(node):
        shape = into.node(sheet, name, node)
        shape.inside.extend(definitions)
        return shape
    shape, inner = enclosure(node, sheet, into)
    event = into.drawn(inner, name, "inside", label=shape.label)
    event.inside.extend(definitions)
    enclose(inner, event, event, into)
    return shape


def enclosure(node: Wait | Receive, sheet: Sheet, into: Composition) -> tuple[Shape, Sheet]:
    """A sub-process that stands for a node, and its sheet."""
    shape = into.node(sheet, "subProcess", node)
    shape.content = Sheet(shape, sheet.depth + 1)
    return shape, shape.content


def enclose(sheet: Sheet, first: Shape, last: Shape, into: Composition) -> None:
    """Let what is drawn in a sheet begin and end."""
    start = into.drawn(sheet, "startEvent", "start", label="Start")
    sheet.shapes.insert(0, sheet.shapes.pop())
    end = into.drawn(sheet, "endEvent", "end", label="End")
    join(start, first, "way")
    join(last, end, "way")
