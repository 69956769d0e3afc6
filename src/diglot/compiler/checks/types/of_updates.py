"""Assignments: the input with something put into it.

Source: jq 1.8 manual, Assignment.
"""

from __future__ import annotations

from diglot.compiler.expressions import tree

from .inference import NONE, OPEN, Env, Inference, Results, infers
from .joining import union, union_of
from .model import (
    ANYTHING,
    ARRAY,
    NOTHING,
    NULL,
    NULL_ONLY,
    OBJECT,
    ODD_ANYTHING,
    Member,
    Object,
    Type,
    array_of,
    numbers,
    object_of,
    only,
    texts,
    truthy,
)
from .of_operators import calculated
from .stepping import step
from .words import kinds_in_words

_Keys = tuple[str | int, ...]


@infers(tree.Assignment)
def assignment(inference: Inference, node: tree.Assignment, dot: Type, env: Env) -> Results:
    """`target op value`, followed where the target is spelled out."""
    keys = spelled(node.target)
    if node.operator == "|=":
        return _update(inference, node, keys, dot, env)
    value = inference.of(node.value, dot, env)
    if not value.most:
        return NONE
    if keys is None:
        return OPEN
    given = value.type
    if node.operator != "=":
        given = _combined(node.operator[:-1], at(dot, keys), value.type)
        if given == NOTHING:
            return inference.fails(
                node, f"`{node.operator}` has nothing to work on", is_sure=value.least > 0
            )
    return _put(inference, node, dot, keys, given, value)


def _update(
    inference: Inference, node: tree.Assignment, keys: _Keys | None, dot: Type, env: Env
) -> Results:
    if keys is None:
        return OPEN
    value = inference.of(node.value, at(dot, keys), env)
    if not value.least:
        # Without a result the place itself goes away.
        return OPEN
    return _put(inference, node, dot, keys, value.type, Results(value.type))


def _combined(operator: str, before: Type, value: Type) -> Type:
    if operator == "//":
        return union(truthy(before), value)
    return calculated(operator, before, value)


def _put(
    inference: Inference,
    node: tree.Assignment,
    dot: Type,
    keys: _Keys,
    given: Type,
    count: Results,
) -> Results:
    type = put_at(dot, keys, given)
    if type == NOTHING:
        words = f"nothing can be put there into {kinds_in_words(dot.kinds)}"
        return inference.fails(node, words, is_sure=count.least > 0)
    return Results(type, count.least, count.most)


def spelled(node: tree.Node) -> _Keys | None:
    """The keys of a path from the input that is spelled out in full."""
    if isinstance(node, tree.Identity):
        return ()
    if not isinstance(node, tree.Path) or not isinstance(node.base, tree.Identity):
        return None
    keys: list[str | int] = []
    for one in node.steps:
        key = one.key if isinstance(one, tree.IndexStep) and not one.optional else None
        if not isinstance(key, tree.Literal) or type(key.value) not in (str, int):
            return None
        keys.append(key.value)
    return tuple(keys)


def at(type: Type, keys: _Keys) -> Type:
    """What stands at a path."""
    for key in keys:
        type, _ = step(type, texts((key,)) if isinstance(key, str) else numbers((key,)))
    return type


def put_at(type: Type, keys: _Keys, value: Type) -> Type:
    """The type with a value put at a path; `NOTHING` where that always fails."""
    if not keys:
        return value
    key, rest = keys[0], keys[1:]
    inner = put_at(at(type, (key,)), rest, value) if rest else value
    if inner == NOTHING:
        return NOTHING
    if isinstance(key, str):
        below = type.object or Object({}, NOTHING)
        if not type.kinds & (NULL | OBJECT):
            return NOTHING
        members = {**below.members, key: Member(inner, True)}
        without = NOTHING if not type.null else object_of({key: Member(inner, True)}, NOTHING)
        with_ = object_of(members, ANYTHING if below.rest is None else below.rest)
        return union(with_ if type.object is not None else NOTHING, without)
    if not type.kinds & (NULL | ARRAY):
        return NOTHING
    return array_of((), union_of([_all_items(type), inner, NULL_ONLY]), 1)


def _all_items(type: Type) -> Type:
    array = type.array
    if array is None:
        return NOTHING
    return union_of([*array.prefix, ANYTHING if array.rest is None else array.rest])


def without(type: Type, keys: _Keys) -> Type:
    """The type without what stands at a path: `del`."""
    if not keys:
        return NULL_ONLY
    found = type.object
    key = keys[0] if len(keys) == 1 else None
    if not isinstance(key, str) or found is None:
        return only(ODD_ANYTHING, type.kinds)
    members = {name: one for name, one in found.members.items() if name != key}
    if found.rest is None or found.rest != NOTHING:
        # Among the others there may have been one of that name, and there is none any more.
        members[key] = Member(NOTHING)
    rest = ANYTHING if found.rest is None else found.rest
    removed = object_of(members, rest, is_declared=found.is_declared)
    return union(only(type, ~OBJECT), removed)
