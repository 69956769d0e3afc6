"""Parts that make values: constants, texts, arrays, objects, variables."""

from __future__ import annotations

from diglot.compiler.expressions import tree

from .constants import type_of_value
from .inference import NONE, OPEN, Env, Inference, Results, infers, product
from .joining import union, union_of
from .model import (
    ANY_NUMBER,
    ANY_TEXT,
    NOTHING,
    ODD_ANYTHING,
    TEXT,
    Member,
    Type,
    array_of,
    object_of,
    only,
    record,
)
from .stepping import step_by_name
from .words import kinds_in_words


@infers(tree.Identity)
def identity(_inference: Inference, _node: tree.Identity, dot: Type, _env: Env) -> Results:
    """The input."""
    return Results(dot)


@infers(tree.Descend)
def descend(_inference: Inference, _node: tree.Descend, _dot: Type, _env: Env) -> Results:
    """The input and everything in it."""
    return Results(ODD_ANYTHING, 1, 2)


@infers(tree.Literal)
def literal(_inference: Inference, node: tree.Literal, _dot: Type, _env: Env) -> Results:
    """A constant."""
    return Results(type_of_value(node.value))


@infers(tree.Variable)
def variable(_inference: Inference, node: tree.Variable, _dot: Type, env: Env) -> Results:
    """What was bound."""
    return Results(env.variable(node.name))


@infers(tree.Location)
def location(_inference: Inference, _node: tree.Location, _dot: Type, _env: Env) -> Results:
    """`$__loc__`."""
    return Results(record(file=ANY_TEXT, line=ANY_NUMBER))


@infers(tree.Format)
def format_(_inference: Inference, _node: tree.Format, _dot: Type, _env: Env) -> Results:
    """`@base64` and its like give a text."""
    return Results(ANY_TEXT)


@infers(tree.Text)
def text(inference: Inference, node: tree.Text, dot: Type, env: Env) -> Results:
    """A text with parts; whatever they are, they are written as text."""
    inner = [part for part in node.parts if not isinstance(part, str)]
    parts = inference.each_of(inner, dot, env)
    least, most = product(*parts) if parts else (1, 1)
    return Results(ANY_TEXT if most else NOTHING, least, most)


@infers(tree.Array)
def array(inference: Inference, node: tree.Array, dot: Type, env: Env) -> Results:
    """The results of the body."""
    if node.body is None:
        return Results(array_of((), NOTHING))
    items = node.body.items if isinstance(node.body, tree.Comma) else (node.body,)
    found = [inference.of(item, dot, env) for item in items]
    if all(one.is_one for one in found):
        return Results(array_of([one.type for one in found], NOTHING, len(found)))
    least = sum(one.least for one in found)
    return Results(array_of((), union_of(one.type for one in found), least))


@infers(tree.Object)
def object_(inference: Inference, node: tree.Object, dot: Type, env: Env) -> Results:
    """One object for each combination of results of keys and values."""
    members: dict[str, Member] = {}
    rest, least, most = NOTHING, 1, 1
    parts = [part for entry in node.entries for part in (entry.key, entry.value) if part]
    results = iter(inference.each_of(parts, dot, env))
    for entry in node.entries:
        key = next(results)
        if key.most and not key.type.kinds & TEXT:
            words = f"a name is a text, not {kinds_in_words(key.type.kinds)}"
            return inference.fails(entry.key, words, is_sure=key.least > 0)
        if entry.value is not None:
            value = next(results)
        else:
            name = key.type.texts
            if name is None or len(name) != 1:
                value = OPEN
            else:
                value = step_by_name(inference, entry.key, dot, next(iter(name)))
        if not key.most or not value.most:
            return NONE
        low, high = product(key, value)
        least, most = min(least, low), max(most, high)
        rest = _put(members, rest, only(key.type, TEXT), value.type)
    return Results(object_of(members, rest), least, most)


def _put(members: dict[str, Member], rest: Type, key: Type, value: Type) -> Type:
    """Enter a value under a key; the type of members with names that are not known."""
    names = key.texts
    if names is not None and len(names) == 1:
        members[next(iter(names))] = Member(value, True)
        return rest
    for name in sorted(members) if names is None else sorted(names):
        before = members.get(name, Member(rest))
        members[name] = Member(union(before.type, value), before.is_required)
    return union(rest, value) if names is None else rest
