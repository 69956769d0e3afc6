"""Paths: `.a.b[0][]`."""

from __future__ import annotations

from diglot.compiler.expressions import tree

from .inference import NONE, Env, Inference, Results, infers, product
from .joining import union
from .model import ANY_TEXT, ARRAY, NOTHING, NULL, NULL_ONLY, OBJECT, TEXT, Type, array_of
from .stepping import items_of, iterate, no_member, note_absence, step
from .words import kinds_in_words


@infers(tree.Path)
def path(inference: Inference, node: tree.Path, dot: Type, env: Env) -> Results:
    """Step by step; a key sees the input of the whole path."""
    keys = [one.key for one in node.steps if isinstance(one, tree.IndexStep)]
    found, *rest = inference.each_of((node.base, *keys), dot, env)
    given = iter(rest)
    for each in node.steps:
        if not found.most:
            return NONE
        match each:
            case tree.IndexStep():
                found = _index(inference, each, found, next(given))
            case tree.SliceStep():
                found = _slice(inference, node, each, found)
            case _:
                found = _each(inference, node, each, found)
    return found


def _index(inference: Inference, at: tree.IndexStep, found: Results, key: Results) -> Results:
    if not key.most:
        return NONE
    names = key.type.texts
    if names is not None and len(names) == 1 and key.type.kinds == TEXT:
        note_absence(inference, at.key, found.type, next(iter(names)))
    type, may_fail = step(found.type, key.type)
    if type == NOTHING:
        if not at.optional:
            is_sure = min(found.least, key.least) > 0
            inference.fails(at.key, _no_step(found.type, key.type), is_sure=is_sure)
        return NONE
    least, most = product(found, key)
    return Results(type, 0 if at.optional and may_fail else least, most)


def _no_step(type: Type, key: Type) -> str:
    if key.kinds == TEXT and key.texts is not None and len(key.texts) == 1:
        return no_member(type.kinds, next(iter(key.texts)))
    return f"{kinds_in_words(type.kinds)} has nothing under {kinds_in_words(key.kinds)}"


def _slice(inference: Inference, node: tree.Path, at: tree.SliceStep, found: Results) -> Results:
    type = NOTHING
    if found.type.array is not None:
        type = array_of((), items_of(found.type.array))
    if found.type.kinds & TEXT:
        type = union(type, ANY_TEXT)
    if found.type.kinds & NULL:
        type = union(type, NULL_ONLY)
    if type == NOTHING:
        if not at.optional:
            inference.fails(
                node, f"{kinds_in_words(found.type.kinds)} has no slices", is_sure=found.least > 0
            )
        return NONE
    # A bound may have no result or several, or be no number.
    is_plain = all(isinstance(bound, tree.Literal | None) for bound in (at.low, at.high))
    return Results(type, found.least if is_plain and not at.optional else 0, 1 if is_plain else 2)


def _each(inference: Inference, node: tree.Path, at: tree.Step, found: Results) -> Results:
    inner, may_fail = iterate(found.type)
    if not inner.most and not found.type.kinds & (ARRAY | OBJECT):
        if not at.optional:
            words = f"{kinds_in_words(found.type.kinds)} has no items to go through"
            inference.fails(node, words, is_sure=found.least > 0)
        return NONE
    least, most = product(found, inner)
    return Results(inner.type, 0 if at.optional and may_fail else least, most)
