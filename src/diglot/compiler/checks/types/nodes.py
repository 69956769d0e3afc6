"""What each kind of node makes of the data that comes to it.

A rule gets the node and its frame and gives the type of the raw output; None where the node hands
nothing on yet.

Source: DSL, Data Flow; BPMN 2.0.2 13.3, 13.4; our decisions A8 to A16.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from diglot.compiler.graph import (
    Assign,
    Call,
    Choice,
    Emit,
    End,
    Inclusive,
    Join,
    Node,
    Raise,
    Receive,
    ScopeNode,
    Start,
    Task,
    Wait,
)

from .frames import Frame
from .joining import union_of
from .model import (
    ANY_OBJECT,
    ANYTHING,
    NOTHING,
    NULL_ONLY,
    Type,
    array_of,
    may_be_true,
    may_be_untrue,
)
from .repeating import into_scope
from .rules import written
from .scopes import enter, finish, handler_of_node
from .triggered import look_at_strategy

if TYPE_CHECKING:
    from .flowing import Flowing


def visit(flowing: Flowing, node: Node) -> None:
    """Look at a node with what may come to it, and hand on what it gives."""
    raw = flowing.raw[node.id]
    frame = Frame(node, node.scope, raw, raw)
    if node.guard is not None:
        asked = flowing.compute(node.guard.condition, "guard", raw, frame)
        if may_be_untrue(asked):
            _skip(flowing, node, raw)
        if not may_be_true(asked):
            return
    rules = node.data
    if rules is not None:
        flowing.look_at(rules.needs, "needs", raw, frame)
        given = flowing.fitted(rules.input_schema, raw, "input", node)
        frame.input = given
        if rules.read is not None and given != NOTHING:
            frame.input = frame.read = flowing.compute(rules.read, "read", given, frame)
    for handler in flowing.of_node.get(node.id, ()):
        handler_of_node(flowing, handler, frame)
    if frame.input == NOTHING:
        return
    output = _output(flowing, node, frame)
    for flow in flowing.leaving.get(node.id, ()):
        flowing.look_at(flow.condition, "condition", frame.input, frame)
    if output is not None and output != NOTHING:
        _leave(flowing, node, frame, output)


def _skip(flowing: Flowing, node: Node, raw: Type) -> None:
    assert node.guard is not None
    for flow in flowing.leaving.get(node.id, ()):
        if flow.id == node.guard.skip or (node.guard.skip is None and flow.role == "sequence"):
            flowing.send(flow, raw)


def _leave(flowing: Flowing, node: Node, frame: Frame, raw_output: Type) -> None:
    output = raw_output
    rules = node.data
    if rules is not None:
        frame.output = frame.raw_output = raw_output
        output = written(flowing, rules, frame, raw_output, node)
        if output == NOTHING:
            return
    if not flowing.has_data_on_tokens and isinstance(node, Task | Call | ScopeNode):
        # All data of a process is in variables, and tokens carry none of it.
        output = NULL_ONLY
    flowing.grow(flowing.raw_outputs, node.id, raw_output)
    flowing.grow(flowing.outputs, node.id, output)
    handled = {handler.flow for handler in flowing.of_node.get(node.id, ())}
    for flow in flowing.leaving.get(node.id, ()):
        if flow.role != "skip" and flow.id not in handled:
            flowing.send(flow, output)


# -- the kinds


def _output(flowing: Flowing, node: Node, frame: Frame) -> Type | None:
    match node:
        case Start() | Choice() | Wait() | Inclusive():
            _look_inside(flowing, node, frame)
            return frame.input
        case End():
            _end(flowing, node, frame)
            return None
        case Task():
            if not isinstance(node.action.type, str):
                flowing.look_at(node.action.type, "arguments", frame.input, frame)
            flowing.look_at(node.action.arguments, "arguments", frame.input, frame)
            return ANYTHING if node.waits else frame.input
        case Call():
            _hand(flowing, node, frame)
            return ANYTHING if node.waits else frame.input
        case Assign():
            return flowing.compute(node.value, "body", frame.input, frame)
        case Join(collects=True):
            return _collected(flowing, node)
        case Receive():
            return _received(flowing, node, frame)
        case Emit():
            flowing.look_at(node.event, "body", frame.input, frame)
            for key in node.keys:
                flowing.look_at(key.read, "correlation", ANYTHING, frame)
            return ANY_OBJECT
        case Raise():
            return _raised(flowing, node, frame)
        case ScopeNode():
            return into_scope(flowing, node, frame)
        case _:
            return frame.input


def _look_inside(flowing: Flowing, node: Node, frame: Frame) -> None:
    match node:
        case Wait(timer=timer, condition=condition):
            if timer is not None:
                flowing.look_at(timer.value, "timer", frame.input, frame)
            flowing.look_at(condition, "condition", frame.input, frame)
        case Inclusive(activation=activation):
            flowing.look_at(activation, "activation", frame.input, frame)
        case _:
            pass


def _hand(flowing: Flowing, node: Call, frame: Frame) -> None:
    flowing.look_at(node.input, "arguments", frame.input, frame)
    if flowing.is_looking:
        return
    given = frame.input
    if node.input is not None:
        given = flowing.compute(node.input, "arguments", given, frame)
    flowing.handed[node.id] = given


def _end(flowing: Flowing, node: End, frame: Frame) -> None:
    scope = flowing.graph.root if node.effect == "instance" else node.scope
    finish(flowing, scope, frame.input)


def _collected(flowing: Flowing, node: Join) -> Type | None:
    coming = flowing.coming.get(node.id, ())
    types = [flowing.on_flow.get(flow.id, NOTHING) for flow in coming]
    sources = {flow.source for flow in coming}
    is_plain = node.need is None and len(sources) == len(coming)
    if not is_plain or any(flow.role != "sequence" for flow in coming):
        return array_of((), union_of(types))
    # A branch that gives nothing yet: the array is not there before all of them are.
    return None if NOTHING in types else array_of(types, NOTHING, len(types))


def _received(flowing: Flowing, node: Receive, frame: Frame) -> Type:
    strategy = node.strategy
    look_at_strategy(flowing, strategy, frame)
    value = ANY_OBJECT if node.read == "envelope" else ANYTHING
    bound = {node.item: value, node.index: Type(numbers=None)}
    if node.body is not None:
        enter(flowing, node.body, value, bound)
        value = flowing.results.get(node.body, NOTHING)
    if node.each is not None and value != NOTHING:
        inner = Frame(node, node.scope, frame.raw, frame.input, extra=bound)
        inner.raw_output = value
        value = written(flowing, node.each, inner, value, node)
    if strategy.mode == "all" and not strategy.filters:
        return array_of((), NOTHING)
    is_some = strategy.until_events is None
    return array_of((), value, 1 if is_some else 0) if value != NOTHING else NOTHING


def _raised(flowing: Flowing, node: Raise, frame: Frame) -> Type | None:
    if node.error is not None:
        error = node.error
        for part in (error.type, error.status, error.title, error.detail):
            flowing.look_at(part, "error", frame.input, frame)
    flowing.look_at(node.payload, "body", frame.input, frame)
    return None if node.error is not None or node.again else frame.input


def conclude(flowing: Flowing) -> None:
    """The output of the instance."""
    rules = flowing.graph.data
    result = flowing.results.get(flowing.graph.root)
    if rules is None or result is None:
        return
    frame = Frame(None, flowing.graph.root, result, result)
    output = result
    if rules.write is not None:
        output = flowing.compute(rules.write, "workflow-output", result, frame)
    flowing.fitted(rules.output_schema, output, "output", None)
