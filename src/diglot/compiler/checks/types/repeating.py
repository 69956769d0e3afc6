"""Activities with a body: entered once, once per item, or again and again.

Source: DSL reference, For; BPMN 2.0.2 13.3.4, 13.3.6, 13.3.7; our decisions A13, A16, A23.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from diglot.compiler.graph import Expression, Loop, MultiInstance, ScopeNode

from .frames import Frame
from .inference import Results
from .joining import union
from .model import ANY_NUMBER, ANYTHING, NOTHING, NULL_ONLY, Type, array_of
from .scopes import enter
from .stepping import items_of

if TYPE_CHECKING:
    from .flowing import Flowing


def into_scope(flowing: Flowing, node: ScopeNode, frame: Frame) -> Type | None:
    """The result of the body; None as long as it gives none."""
    if node.multi is not None:
        return _items(flowing, node, node.multi, frame)
    if node.loop is not None:
        return _rounds(flowing, node, node.loop, frame)
    enter(flowing, node.body, frame.input)
    if node.ad_hoc is not None:
        _look_in_body(flowing, node, node.ad_hoc.completion, frame)
    return _result(flowing, node)


def _result(flowing: Flowing, node: ScopeNode) -> Type | None:
    """What the rules of the activity see: the body's variables where they map some of them."""
    found = flowing.results.get(node.body)
    if found is not None and node.data is not None and node.data.export_mode == "variables":
        return Type(object=flowing.variables.of(node.body))
    return found


def _items(flowing: Flowing, node: ScopeNode, multi: MultiInstance, frame: Frame) -> Type | None:
    item = NULL_ONLY
    if multi.collection is not None:
        item = _item(flowing, multi, frame)
    flowing.look_at(multi.cardinality, "collection", frame.input, frame)
    bound = {name: type for name, type in ((multi.item, item), (multi.index, ANY_NUMBER)) if name}
    result = flowing.results.get(node.body, NOTHING)
    data = union(frame.input, result) if multi.is_chained else frame.input
    inner = Frame(frame.node, frame.scope, frame.raw, frame.input, extra=bound)
    flowing.look_at(multi.condition, "while", data, inner)
    if item != NOTHING:
        enter(flowing, node.body, data, bound)
    if multi.is_chained:
        return union(frame.input, result)
    _look_in_body(flowing, node, multi.completion, frame)
    each = result
    if multi.output is not None and result != NOTHING:
        at_end = Frame(None, node.body, result, result)
        each = flowing.compute(multi.output, "export", result, at_end)
    # What is cancelled before its end has given null.
    outputs = array_of((), union(each, NULL_ONLY))
    if not multi.output_to:
        return outputs
    flowing.variables.write(node.scope, multi.output_to, outputs)
    return frame.input


def _item(flowing: Flowing, multi: MultiInstance, frame: Frame) -> Type:
    """The type of one item of the collection; several results are the items themselves (A23)."""
    collection = multi.collection
    assert collection is not None
    if isinstance(collection, Expression):
        found = flowing.results_of(collection, "collection", frame.input, frame)
    else:
        found = Results(flowing.compute(collection, "collection", frame.input, frame))
    item = NOTHING if found.type.array is None else items_of(found.type.array)
    return union(item, found.type) if found.most > 1 else item


def _rounds(flowing: Flowing, node: ScopeNode, loop: Loop, frame: Frame) -> Type | None:
    flowing.look_at(loop.maximum, "collection", frame.input, frame)
    bound = {loop.index: ANY_NUMBER} if loop.index else {}
    enter(flowing, node.body, frame.input, bound)
    result = flowing.results.get(node.body)
    if loop.is_tested_before:
        inner = Frame(frame.node, frame.scope, frame.raw, frame.input, extra=bound)
        flowing.look_at(loop.condition, "while", frame.input, inner)
        return union(frame.input, NOTHING if result is None else result)
    _look_in_body(flowing, node, loop.condition, frame, place_is_while=True)
    return result


def _look_in_body(
    flowing: Flowing,
    node: ScopeNode,
    condition: Expression | None,
    frame: Frame,
    *,
    place_is_while: bool = False,
) -> None:
    """Look at a condition that sees the variables and the result of a run that is over."""
    if condition is not None:
        result = flowing.results.get(node.body, ANYTHING)
        at_end = Frame(frame.node, node.body, result, result)
        flowing.look_at(condition, "while" if place_is_while else "completion", result, at_end)
