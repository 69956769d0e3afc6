"""Scopes: what is entered with them, what handles what comes meanwhile, and how they end.

Source: BPMN 2.0.2 10.4.1, 13.3.4, 13.5.3, 13.5.4; DSL reference, Do, Catch.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from diglot.compiler.graph import ErrorTrigger, EscalationTrigger, Handler

from .frames import ERROR, Frame
from .joining import union
from .model import ANYTHING, NOTHING, NULL_ONLY, OBJECT, Object, Type, only
from .rules import written
from .triggered import look_at_trigger

if TYPE_CHECKING:
    from .flowing import Flowing


#: A scope to be entered, its data, and the names bound in it.
_Entry = tuple[str, Type, dict[str, Type]]


def enter(flowing: Flowing, scope: str, data: Type, bound: dict[str, Type] | None = None) -> None:
    """Enter a scope with data and with names that are bound as variables of it.

    With it the scopes of its handlers are entered, and those of theirs, one after the other.
    """
    _enter_each(flowing, [(scope, data, bound or {})])


def enter_again(flowing: Flowing) -> None:
    """Enter every scope once more: the first value of a variable may be made of others."""
    _enter_each(flowing, [(scope, data, {}) for scope, data in flowing.entered.items()])


def _enter_each(flowing: Flowing, waiting: list[_Entry]) -> None:
    entered: set[str] = set()
    while waiting:
        name, data, bound = waiting.pop()
        if name not in entered and name in flowing.scopes:
            entered.add(name)
            waiting.extend(_enter(flowing, name, data, bound))


def _enter(flowing: Flowing, scope_id: str, data: Type, bound: dict[str, Type]) -> list[_Entry]:
    """Declare the variables, put the first token; the scopes of handlers are to follow."""
    scope = flowing.scopes[scope_id]
    flowing.grow(flowing.entered, scope_id, data)
    data = flowing.entered[scope_id]
    variables = flowing.variables
    found = data.object or Object({}, NOTHING)
    for name, type in bound.items():
        if name:
            variables.declare(scope_id, name, type)
    given = data
    if scope.binds_input:
        for name, member in found.members.items():
            variables.write_local(scope_id, name, member.type)
        if found.rest is None or found.rest != NOTHING:
            rest = ANYTHING if found.rest is None else found.rest
            variables.open(scope_id, rest, found.members)
        given = union(NULL_ONLY, only(data, ~OBJECT)) if data.object is not None else data
    frame = Frame(None, scope.parent or "", given, given)
    for variable in scope.variables:
        if variable.value is not None:
            type = flowing.compute(variable.value, "variable", given, frame)
        else:
            type = variables.get(scope.parent or "", variable.name)
            type = NULL_ONLY if type == NOTHING else type
        if scope.binds_input:
            # What the input has under the name goes before its first value.
            type = union(type, found.get(variable.name).type)
        variables.declare(scope_id, variable.name, type)
    following: list[_Entry] = []
    for handler in flowing.of_scope.get(scope_id, ()):
        following += _handler_of_scope(flowing, handler, scope_id, data)
    for name in flowing.starts.get(scope_id, ()):
        flowing.arrive(name, given)
    if scope_id in flowing.loose:
        finish(flowing, scope_id, NULL_ONLY)
    return following


def finish(flowing: Flowing, scope: str, result: Type) -> None:
    """A scope ends with this result, and with it the scopes whose handler it was run for."""
    ending = [scope]
    while ending:
        name = ending.pop()
        if flowing.grow(flowing.results, name, result):
            owner = flowing.owners.get(name)
            if owner is not None and owner in flowing.raw:
                flowing.wake(owner)
            ending += flowing.guarded_by.get(name, ())


def handler_of_node(flowing: Flowing, handler: Handler, frame: Frame) -> None:
    """A handler of a node: a token with what came leaves on its flow."""
    inner = Frame(frame.node, frame.scope, frame.raw, union(frame.raw, frame.input))
    look_at_trigger(flowing, handler, inner)
    _export_of(flowing, handler, frame.scope)
    for flow in flowing.leaving.get(handler.node or "", ()):
        if flow.id == handler.flow:
            flowing.send(flow, ANYTHING)
    if handler.activity is not None:
        flowing.arrive(handler.activity, ANYTHING)


def _handler_of_scope(flowing: Flowing, handler: Handler, scope: str, data: Type) -> list[_Entry]:
    """A handler of a scope: it runs one inside, whose result becomes that of the guarded one."""
    frame = Frame(None, scope, data, ANYTHING)
    look_at_trigger(flowing, handler, frame)
    if handler.run is None:
        if handler.raises is None:
            finish(flowing, scope, data)
        return []
    bound: dict[str, Type] = {}
    if isinstance(handler.trigger, ErrorTrigger):
        bound[handler.trigger.variable] = ERROR
    elif isinstance(handler.trigger, EscalationTrigger):
        bound[handler.trigger.variable] = ANYTHING
    _export_of(flowing, handler, handler.run, bound)
    return [(handler.run, data, bound)]


def _export_of(
    flowing: Flowing, handler: Handler, scope: str, bound: dict[str, Type] | None = None
) -> None:
    if handler.data is None:
        return
    extra = dict(bound or {})
    if isinstance(handler.trigger, ErrorTrigger | EscalationTrigger):
        extra.setdefault(handler.trigger.variable, ANYTHING)
    frame = Frame(None, scope, ANYTHING, ANYTHING, extra=extra)
    frame.raw_output = ANYTHING
    written(flowing, handler.data, frame, ANYTHING, None)
