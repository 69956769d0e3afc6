"""Handlers: events at the border of what they guard, event sub-processes, compensation.

Source: BPMN 2.0.2 10.3.5, 10.5.4, 10.7.
"""

from __future__ import annotations

from typing import Final

from ...graph import (
    CompensationTrigger,
    Handler,
    Node,
    Pass,
    Receive,
    Scope,
    ScopeNode,
    Start,
    TimerTrigger,
)
from . import labels, notes, triggers
from .canvas import Drawn, Shape, Sheet, join
from .composition import Composition
from .hidden import is_hidden
from .plan import Fold

#: Triggers that always interrupt.
_CRITICAL: Final = ("errorEventDefinition", "cancelEventDefinition", "compensateEventDefinition")


def add_handlers(node: Node, sheet: Sheet, into: Composition) -> None:
    """The events at the border of a node, and of the scope that it enters."""
    for handler in into.lookup.guarding_node(node.id):
        _attach(handler, into.mains.get(node.id), node, sheet, into)
    if isinstance(node, ScopeNode | Receive) and node.body:
        add_border_handlers(node.body, node, sheet, into)


def add_border_handlers(scope: str, owner: Node | Handler, sheet: Sheet, into: Composition) -> None:
    """The handlers of a scope that are drawn at the border of what shows it."""
    host = into.hosts.get(scope)
    for handler in into.lookup.guarding_scope(scope):
        run = into.lookup.scopes.get(handler.run or "")
        if host is not None and (run is None or run.form != "event-sub-process"):
            _attach(handler, host, owner, sheet, into)


def add_scope_handlers(scope: Scope, sheet: Sheet, into: Composition) -> None:
    """The event sub-processes of a scope."""
    for handler in into.lookup.guarding_scope(scope.id):
        run = into.lookup.scopes.get(handler.run or "")
        is_event = run is not None and run.form == "event-sub-process"
        if not into.is_shown(handler) and (is_event or scope.id not in into.hosts):
            _add_event_sub_process(handler, run, sheet, into)


def follow(
    owner: Node | Handler, source: Shape, sheet: Sheet, into: Composition, drawn: Drawn
) -> None:
    """A line to what comes behind a node, or behind what a handler runs."""
    if isinstance(owner, Handler):
        _go_on(owner, source, sheet, into)
        return
    leaving = into.lookup.leaving(owner.id)
    exit = into.exits.get(owner.id)
    if not leaving or exit is None or exit.sheet is not sheet:
        end = into.drawn(sheet, "endEvent", "end", label="End")
        join(source, end, drawn)
        return
    target = into.entries.get(leaving[0].target)
    if len(leaving) == 1 and target is not None and target.sheet is sheet:
        join(source, target, drawn)
        return
    if exit.drawn != "merge":
        merge = into.drawn(sheet, "exclusiveGateway", "merge", wish=f"{owner.id}#merge")
        merge.exit = owner.id
        join(exit, merge, "merge")
        into.exits[owner.id] = exit = merge
    join(source, exit, drawn)


def _attach(
    handler: Handler, host: Shape | None, owner: Node | Handler, sheet: Sheet, into: Composition
) -> None:
    if into.is_shown(handler):
        return
    if is_hidden(into.lookup, handler, into.hidden):
        into.carry(host, [handler])
        return
    event = into.events.get(handler.id)
    can_be = host is not None and (host.is_activity or host.absorbs == "forward")
    if host is None or not can_be or _only_tries_again(handler):
        told = notes.of_handler(handler, into.view) if can_be else (notes.time_out(handler),)
        if host is not None:
            host.notes.extend(told)
        into.carry(host, [handler])
        return
    if event is None:
        event = Shape("boundaryEvent", sheet, wish=handler.id)
        sheet.add(event)
        into.events[handler.id] = event
        event.label = labels.handler_label(handler)
        into.show(event, handler, is_named=True)
    else:
        into.show(event, handler)
        flow = into.lookup.flows.get(handler.flow or "")
        if flow is not None:
            into.show(event, flow)
        if not labels.name_of(handler):
            event.label = labels.handler_label(handler)
            for stamp in event.stamps:
                if isinstance(stamp.value, Pass):
                    stamp.is_named = True
    event.host = host
    host.boundaries.append(event)
    _define(event, handler, into)
    if not handler.is_interrupting and not _is_critical(event):
        event.attributes["cancelActivity"] = "false"
    event.notes.extend(notes.of_handler(handler, into.view))
    if isinstance(handler.trigger, CompensationTrigger) or handler.activity is not None:
        into.associated.append((event, handler.activity or ""))
    elif handler.flow is None:
        _lead(handler, event, owner, sheet, into)


def _only_tries_again(handler: Handler) -> bool:
    """Whether an error that may not be tried again goes on as if nobody had caught it."""
    ways = (handler.flow, handler.run, handler.raises, handler.leave_by, handler.activity)
    return handler.retry is not None and not any(way is not None for way in ways)


def _define(event: Shape, handler: Handler, into: Composition) -> None:
    event.inside.extend(triggers.definitions(handler.trigger, into.roots))
    if len(event.inside) > 1 and triggers.needs_all(handler.trigger):
        event.attributes["parallelMultiple"] = "true"


def _is_critical(event: Shape) -> bool:
    return any(tag.name in _CRITICAL for tag in event.inside)


def _lead(
    handler: Handler, event: Shape, owner: Node | Handler, sheet: Sheet, into: Composition
) -> None:
    """What comes behind the event of a handler."""
    run = into.lookup.scopes.get(handler.run or "")
    if run is not None and not into.is_shown(run):
        _run(handler, run, event, sheet, into)
    elif handler.raises is not None:
        end = into.drawn(sheet, "endEvent", "handler", wish=f"{handler.id}#raised")
        end.label = labels.error(handler.raises.type)
        end.inside.append(triggers.error(handler.raises, into.roots))
        join(event, end, "handler")
    else:
        _go_on(handler, event, sheet, into, owner)


def _go_on(
    handler: Handler,
    source: Shape,
    sheet: Sheet,
    into: Composition,
    owner: Node | Handler | None = None,
) -> None:
    """The way on behind a handler: its own, or that of what it guards."""
    flow = into.lookup.flows.get(handler.leave_by or "")
    target = into.entries.get(flow.target) if flow is not None else None
    if flow is not None and target is not None and target.sheet is sheet:
        into.leads(source, target, flow)
        return
    if owner is None:
        owner = into.lookup.owners.get(handler.scope or "") or into.lookup.nodes.get(
            handler.node or ""
        )
    if owner is None:
        end = into.drawn(sheet, "endEvent", "end", label="End")
        join(source, end, "handler")
        return
    follow(owner, source, sheet, into, "handler")


def _run(handler: Handler, run: Scope, event: Shape, sheet: Sheet, into: Composition) -> None:
    """The scope that a handler runs: a sub-process behind its event."""
    from .compose_scopes import DEEPEST, draw_flat_scope, draw_scope

    fold = into.plan.fold(run)
    if fold in (Fold.ALONE, Fold.FLAT) and sheet.depth < DEEPEST:
        first = Shape("", sheet, wish=run.id, absorbs="forward")
        last = Shape("", sheet, wish=run.id, absorbs="backward")
        into.show(first, run)
        sheet.add(first)
        into.hosts[run.id] = first
        draw_flat_scope(run, first, last, sheet, into)
        join(event, first, "handler")
        if last.ins:
            sheet.add(last)
            _go_on(handler, last, sheet, into)
        return
    name = "task" if fold is Fold.EMPTY or sheet.depth >= DEEPEST else "subProcess"
    shape = Shape(name, sheet, wish=run.id, label=f"Handle {labels.handler_label(handler)}")
    shape.label = _handling(handler)
    into.show(shape, run)
    sheet.add(shape)
    into.hosts[run.id] = shape
    join(event, shape, "handler")
    if name == "task":
        from .compose_scopes import everything

        into.carry(shape, everything(run, into))
    else:
        shape.content = Sheet(shape, sheet.depth + 1)
        draw_scope(run, shape.content, into)
        add_border_handlers(run.id, handler, sheet, into)
    _go_on(handler, shape, sheet, into)


def _handling(handler: Handler) -> str:
    text = labels.handler_label(handler)
    return f"Handle {text[:1].lower()}{text[1:]}" if text[1:2].islower() else f"Handle {text}"


def _add_event_sub_process(
    handler: Handler, run: Scope | None, sheet: Sheet, into: Composition
) -> None:
    from .compose_scopes import DEEPEST, draw_scope

    if sheet.depth >= DEEPEST or (run is not None and into.is_shown(run)):
        into.carry(sheet.owner, [handler])
        return
    shape = Shape("subProcess", sheet, wish=f"{handler.id}#handling", drawn="handler")
    is_limit = isinstance(handler.trigger, TimerTrigger) and handler.raises is not None
    shape.label = "Time limit" if is_limit else labels.handler_label(handler)
    shape.attributes["triggeredByEvent"] = "true"
    shape.content = Sheet(shape, sheet.depth + 1)
    sheet.add(shape)
    start: Shape | None = None
    if run is not None:
        shape.drawn = ""
        into.show(shape, run)
        into.hosts[run.id] = shape
        draw_scope(run, shape.content, into)
        first = into.mains.get(run.start)
        start = first if first is not None and first.name == "startEvent" else None
        if start is None and first is not None and isinstance(into.lookup.nodes[run.start], Start):
            start = first
    if start is None:
        start = Shape("startEvent", shape.content, wish=handler.id, drawn="start")
        shape.content.shapes.insert(0, start)
    start.name = "startEvent"
    into.show(start, handler)
    start.label = labels.handler_label(handler)
    for stamp in start.stamps:
        if stamp.value is handler or isinstance(stamp.value, Start):
            stamp.is_named = True
    _define(start, handler, into)
    start.notes.extend(notes.of_handler(handler, into.view))
    if not handler.is_interrupting and not _is_critical(start):
        start.attributes["isInterrupting"] = "false"
    if run is None:
        end = into.drawn(shape.content, "endEvent", "end", label="End")
        if handler.raises is not None:
            end.label = labels.error(handler.raises.type)
            end.inside.append(triggers.error(handler.raises, into.roots))
        join(start, end, "handler")
