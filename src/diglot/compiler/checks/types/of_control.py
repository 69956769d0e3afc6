"""Parts that choose, repeat and bind.

Source: jq 1.8 manual, Conditionals and Comparisons, Advanced features.
"""

from __future__ import annotations

from collections.abc import Iterable

from diglot.compiler.expressions import tree

from .inference import NONE, OPEN, Closure, Env, Inference, Results, infers, product
from .joining import coarser, union, union_of
from .model import (
    NOTHING,
    NULL_ONLY,
    ODD_ANYTHING,
    Type,
    may_be_true,
    may_be_untrue,
    truth,
    truthy,
)
from .patterns import bound_by

#: After so many rounds a fold is looked at less closely, and after twice as many not at all.
_ROUNDS = 3


@infers(tree.Pipe)
def pipe(inference: Inference, node: tree.Pipe, dot: Type, env: Env) -> Results:
    """Each stage gets what the one before it gives."""
    found = Results(dot)
    doubts = 0
    for stage in node.stages:
        inner = inference.of(stage, found.type, env)
        if not inner.most:
            found = NONE
            break
        least, most = product(found, inner)
        found = Results(inner.type, least, most)
        if not inner.least:
            doubts += 1
            inference.maybe += 1
    inference.maybe -= doubts
    return found


@infers(tree.Comma)
def comma(inference: Inference, node: tree.Comma, dot: Type, env: Env) -> Results:
    """The results of each."""
    return _one_after_the_other(inference.of(item, dot, env) for item in node.items)


def _one_after_the_other(parts: Iterable[Results]) -> Results:
    type, least, most = NOTHING, 0, 0
    for found in parts:
        type = union(type, found.type)
        least, most = min(2, least + found.least), min(2, most + found.most)
    return Results(type, min(least, 1), most)


def either(*ways: Results) -> Results:
    """The results of one of these ways."""
    return Results(
        union_of(way.type for way in ways),
        min(way.least for way in ways),
        max(way.most for way in ways),
    )


@infers(tree.Alternative)
def alternative(inference: Inference, node: tree.Alternative, dot: Type, env: Env) -> Results:
    """What is true on the left, else the right; what fails on the left counts as nothing."""
    found = inference.maybe_of(node.items[-1], dot, env)
    for item in reversed(node.items[:-1]):
        left = inference.caught_of(item, dot, env)
        found = Results(
            union(truthy(left.type), found.type), found.least, max(left.most, found.most)
        )
    return found


@infers(tree.Logic)
def logic(inference: Inference, node: tree.Logic, dot: Type, env: Env) -> Results:
    """`and` and `or`, of which the right side is looked at only where the left leaves it open."""
    stops = node.operator == "or"
    is_open, can_stop = True, False
    counts: list[Results] = []
    doubts = 0
    for item in node.items:
        found = inference.of(item, dot, env)
        if not found.most:
            # Only what stopped before it has a result.
            is_open = False
            counts.append(Results(NOTHING, 0, 2) if can_stop else NONE)
            break
        counts.append(found)
        stops_here = may_be_true(found.type) if stops else may_be_untrue(found.type)
        goes_on = may_be_untrue(found.type) if stops else may_be_true(found.type)
        can_stop = can_stop or stops_here
        if not goes_on:
            is_open = False
            break
        if stops_here:
            doubts += 1
            inference.maybe += 1
    inference.maybe -= doubts
    least, most = product(*counts)
    if not most:
        return NONE
    stopped, through = can_stop, is_open
    type = truth(true=stopped if stops else through, false=through if stops else stopped)
    return Results(type, least, most)


@infers(tree.If)
def if_(inference: Inference, node: tree.If, dot: Type, env: Env) -> Results:
    """The result of the first branch whose condition is true; without `else` the input."""
    ways: list[Results] = []
    is_one, doubts = True, 0
    for condition, result in node.branches:
        asked = inference.of(condition, dot, env)
        if not asked.most:
            break
        is_one = is_one and asked.is_one
        is_open = may_be_untrue(asked.type)
        if not asked.least or (is_open and may_be_true(asked.type)):
            doubts += 1
            inference.maybe += 1
        if may_be_true(asked.type):
            ways.append(inference.of(result, dot, env))
        if not is_open:
            break
    else:
        ways.append(
            Results(dot) if node.otherwise is None else inference.of(node.otherwise, dot, env)
        )
    inference.maybe -= doubts
    if not ways:
        return NONE
    found = either(*ways)
    return found if is_one else Results(found.type, 0, 2 if found.most else 0)


@infers(tree.Try)
def try_(inference: Inference, node: tree.Try, dot: Type, env: Env) -> Results:
    """The results before a failure, and those of the handler."""
    body = inference.caught_of(node.body, dot, env)
    if node.handler is None:
        return Results(body.type, 0, body.most)
    handler = inference.maybe_of(node.handler, ODD_ANYTHING, env)
    return Results(
        union(body.type, handler.type),
        min(body.least, handler.least),
        min(2, body.most + handler.most),
    )


@infers(tree.Bind)
def bind(inference: Inference, node: tree.Bind, dot: Type, env: Env) -> Results:
    """The body, once for each result of the source."""
    source = inference.of(node.source, dot, env)
    if not source.most:
        return NONE
    bound, is_one = bound_by(inference, node.patterns, source.type, dot, env)
    if bound is None:
        return NONE
    look = inference.of if source.least and is_one else inference.maybe_of
    found = look(node.body, dot, env.with_variables(bound))
    least, most = product(source, found)
    return Results(found.type, least if is_one else 0, most if is_one or not most else 2)


@infers(tree.Reduce)
def reduce_(inference: Inference, node: tree.Reduce, dot: Type, env: Env) -> Results:
    """The last state; a round without a result leaves null."""
    init, source = inference.each_of((node.init, node.source), dot, env)
    if not init.most:
        return NONE
    if init.most > 1:
        # From the second start on, jq 1.8 evaluates the source on null.
        inference.silent += 1
        source = either(source, inference.maybe_of(node.source, NULL_ONLY, env))
        inference.silent -= 1
    if not source.most:
        return init
    state, _ = _folded(inference, node, source, init.type, dot, env)
    return Results(state, init.least, init.most)


@infers(tree.Foreach)
def foreach(inference: Inference, node: tree.Foreach, dot: Type, env: Env) -> Results:
    """Every state, or what is extracted of it."""
    init, source = inference.each_of((node.init, node.source), dot, env)
    if not init.most or not source.most:
        return NONE
    state, inner = _folded(inference, node, source, init.type, dot, env)
    if node.extract is None:
        return Results(state, 0, 2)
    return Results(inference.maybe_of(node.extract, state, inner).type, 0, 2)


def _folded(
    inference: Inference,
    node: tree.Reduce | tree.Foreach,
    source: Results,
    state: Type,
    dot: Type,
    env: Env,
) -> tuple[Type, Env]:
    """All states a fold can come to, and what is in sight in its rounds."""
    bound, _ = bound_by(inference, node.patterns, source.type, dot, env)
    if bound is None:
        return state, env
    inner = env.with_variables(bound)
    inference.silent += 1
    inference.maybe += 1
    for round in range(2 * _ROUNDS + 1):
        update = inference.of(node.update, state, inner)
        after = union(state, update.type)
        if update.least == 0:
            after = union(after, NULL_ONLY)
        if after == state:
            break
        state = after if round < _ROUNDS else coarser(after)
        if round >= 2 * _ROUNDS - 1:
            state = ODD_ANYTHING
    inference.silent -= 1
    inference.maybe -= 1
    inference.maybe_of(node.update, state, inner)
    return state, inner


@infers(tree.Define)
def define(inference: Inference, node: tree.Define, dot: Type, env: Env) -> Results:
    """The body, with the function in sight."""
    function = node.function
    closure = Closure(function.body, env, function)
    inner = env.with_function(function.name, len(function.parameters), closure)
    return inference.of(node.body, dot, inner)


@infers(tree.Label)
def label(inference: Inference, node: tree.Label, dot: Type, env: Env) -> Results:
    """The results up to the break."""
    found = inference.maybe_of(node.body, dot, env)
    return Results(found.type, 0, 2)


@infers(tree.Break)
def break_(_inference: Inference, _node: tree.Break, _dot: Type, _env: Env) -> Results:
    """No result."""
    return NONE


@infers(tree.Module)
def module(_inference: Inference, _node: tree.Module, _dot: Type, _env: Env) -> Results:
    """What other files define is not known."""
    return OPEN
