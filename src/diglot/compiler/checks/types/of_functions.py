"""Functions of jq whose result depends on what their input or their arguments are made of.

Source: jq 1.8 manual, Builtin operators and functions.
"""

from __future__ import annotations

from diglot.compiler.expressions import tree

from .inference import NONE, OPEN, Env, Inference, Results, product
from .joining import coarser, union, union_of
from .model import (
    ANY_NUMBER,
    ANY_TEXT,
    ANYTHING,
    ARRAY,
    BOOLEAN,
    EVERY,
    NOTHING,
    NULL,
    NULL_ONLY,
    NUMBER,
    OBJECT,
    ODD_ANYTHING,
    TEXT,
    TRUTH,
    Member,
    Type,
    array_of,
    may_be_true,
    may_be_untrue,
    object_of,
    only,
    record,
    texts,
    truth,
)
from .of_calls import builtin, takes
from .of_operators import calculated
from .of_updates import spelled, without
from .stepping import item_of, items_of, iterate, members_of, step

#: Functions that let through what has one of these kinds.
_FILTERS = {
    "nulls": NULL, "booleans": BOOLEAN, "numbers": NUMBER, "strings": TEXT, "arrays": ARRAY,
    "objects": OBJECT, "iterables": ARRAY | OBJECT, "scalars": EVERY & ~(ARRAY | OBJECT),
    "values": EVERY & ~NULL, "finites": NUMBER, "normals": NUMBER,
}  # fmt: skip
_NAMES = ("null", "boolean", "number", "string", "array", "object")
_ROUNDS = 3


@builtin(*(f"{name}/0" for name in _FILTERS))
def filter_(_inference: Inference, node: tree.Call, dot: Type, _env: Env) -> Results:
    """The input, if it has the kind."""
    found = only(dot, _FILTERS[node.name])
    is_all = found == dot and node.name not in ("finites", "normals")
    return Results(found, 1 if is_all else 0, 1)


@builtin("type/0")
def type_(_inference: Inference, _node: tree.Call, dot: Type, _env: Env) -> Results:
    """The names of the kinds."""
    return Results(texts(name for bit, name in enumerate(_NAMES) if dot.kinds & 1 << bit))


@builtin("not/0")
def not_(_inference: Inference, _node: tree.Call, dot: Type, _env: Env) -> Results:
    """The opposite of the input's truth."""
    return Results(truth(true=may_be_untrue(dot), false=may_be_true(dot)))


@builtin("empty/0", "halt/0", "halt_error/0", "halt_error/1")
def nothing(_inference: Inference, _node: tree.Call, _dot: Type, _env: Env) -> Results:
    """No result."""
    return NONE


@builtin("error/0", "error/1")
def error(inference: Inference, node: tree.Call, dot: Type, env: Env) -> Results:
    """A failure, as its author wants it."""
    given = [inference.of(argument, dot, env) for argument in node.arguments]
    return inference.given_up(is_sure=all(one.least for one in given))


@builtin("select/1")
def select(inference: Inference, node: tree.Call, dot: Type, env: Env) -> Results:
    """The input, where the argument is true."""
    found = inference.of(node.arguments[0], dot, env)
    if not found.most or not may_be_true(found.type):
        return NONE
    is_sure = found.is_one and not may_be_untrue(found.type)
    return Results(dot, 1 if is_sure else 0, found.most)


@builtin("map/1")
def map_(inference: Inference, node: tree.Call, dot: Type, env: Env) -> Results:
    """The results for every item, in one array."""
    if not takes(inference, node, dot, ARRAY | OBJECT):
        return NONE
    items, _ = iterate(dot)
    inference.maybe += 1
    array = dot.array if dot.kinds & OBJECT == 0 else None
    if array is not None and array.rest == NOTHING and array.least == len(array.prefix):
        found = [inference.of(node.arguments[0], item, env) for item in array.prefix]
        if all(one.is_one for one in found):
            inference.maybe -= 1
            return Results(array_of([one.type for one in found], NOTHING, len(found)))
    inner = inference.of(node.arguments[0], items.type, env)
    inference.maybe -= 1
    return Results(array_of((), inner.type, min(items.least, inner.least)))


@builtin("map_values/1")
def map_values(inference: Inference, node: tree.Call, dot: Type, env: Env) -> Results:
    """Every item changed where it stands; one without a result goes away."""
    if not takes(inference, node, dot, ARRAY | OBJECT):
        return NONE
    change = node.arguments[0]
    inference.maybe += 1
    found = NOTHING
    if dot.array is not None:
        inner = inference.of(change, items_of(dot.array), env)
        found = array_of((), inner.type, min(inner.least, dot.array.least))
    if dot.object is not None:
        members: dict[str, Member] = {}
        for name, member in dot.object.members.items():
            inner = inference.of(change, member.type, env)
            members[name] = Member(inner.type, member.is_required and inner.least > 0)
        rest = ANYTHING if dot.object.rest is None else dot.object.rest
        others = inference.of(change, rest, env).type
        found = union(found, object_of(members, others))
    inference.maybe -= 1
    return Results(found)


@builtin("keys/0", "keys_unsorted/0")
def keys(inference: Inference, node: tree.Call, dot: Type, _env: Env) -> Results:
    """Names of an object, places of an array."""
    if not takes(inference, node, dot, ARRAY | OBJECT):
        return NONE
    found = NOTHING
    if dot.object is not None:
        found = array_of((), _names(dot))
    if dot.array is not None:
        found = union(found, array_of((), ANY_NUMBER, dot.array.least))
    return Results(found)


def _names(dot: Type) -> Type:
    assert dot.object is not None
    return texts(dot.object.members) if dot.object.is_closed else ANY_TEXT


@builtin("has/1")
def has(inference: Inference, node: tree.Call, dot: Type, env: Env) -> Results:
    """Whether there is something under a key."""
    key = inference.of(node.arguments[0], dot, env)
    is_sure = key.least > 0
    if not key.most or not takes(inference, node, dot, NULL | ARRAY | OBJECT, is_sure=is_sure):
        return NONE
    return Results(TRUTH, key.least, key.most)


@builtin("to_entries/0")
def to_entries(inference: Inference, node: tree.Call, dot: Type, _env: Env) -> Results:
    """Objects of key and value."""
    if not takes(inference, node, dot, ARRAY | OBJECT):
        return NONE
    found = NOTHING
    if dot.object is not None:
        entry = record(key=_names(dot), value=members_of(dot.object))
        found = array_of((), entry)
    if dot.array is not None:
        entry = record(key=ANY_NUMBER, value=items_of(dot.array))
        found = union(found, array_of((), entry, dot.array.least))
    return Results(found)


@builtin("from_entries/0", "with_entries/1")
def from_entries(inference: Inference, node: tree.Call, dot: Type, _env: Env) -> Results:
    """An object."""
    if not takes(inference, node, dot, ARRAY | OBJECT):
        return NONE
    return Results(object_of({}))


@builtin("first/0", "last/0")
def at_end(inference: Inference, node: tree.Call, dot: Type, _env: Env) -> Results:
    """The item at one end."""
    if not takes(inference, node, dot, ARRAY | NULL):
        return NONE
    found = NULL_ONLY if dot.null else NOTHING
    if dot.array is not None:
        found = union(found, item_of(dot.array, 0 if node.name == "first" else -1))
    return Results(found)


@builtin("nth/1")
def nth(inference: Inference, node: tree.Call, dot: Type, env: Env) -> Results:
    """The item at a place."""
    key = inference.of(node.arguments[0], dot, env)
    found, _ = step(dot, key.type)
    return Results(found, *product(key)) if key.most else NONE


@builtin("first/1", "last/1")
def one_of(inference: Inference, node: tree.Call, dot: Type, env: Env) -> Results:
    """One of the results; those behind the first are not asked for."""
    found = inference.maybe_of(node.arguments[0], dot, env)
    return Results(found.type, found.least, min(found.most, 1))


@builtin("limit/2", "skip/2", "nth/2")
def some_of(inference: Inference, node: tree.Call, dot: Type, env: Env) -> Results:
    """Some of the results."""
    return Results(inference.maybe_of(node.arguments[1], dot, env).type, 0, 2)


@builtin("isempty/1")
def isempty(inference: Inference, node: tree.Call, dot: Type, env: Env) -> Results:
    """Whether there is no result."""
    inference.maybe_of(node.arguments[0], dot, env)
    return Results(TRUTH)


@builtin("sort/0", "sort_by/1", "unique/0", "unique_by/1")
def ordered(inference: Inference, node: tree.Call, dot: Type, env: Env) -> Results:
    """The items in another order, or fewer of them."""
    if not takes(inference, node, dot, ARRAY) or dot.array is None:
        return NONE
    items = items_of(dot.array)
    for argument in node.arguments:
        inference.maybe_of(argument, items, env)
    least = dot.array.least if node.name.startswith("sort") else min(1, dot.array.least)
    return Results(array_of((), items, least), 1 if not node.arguments else 0, 1)


@builtin("reverse/0")
def reverse(_inference: Inference, _node: tree.Call, dot: Type, _env: Env) -> Results:
    """The items from the last to the first; of a text and of others it is not followed."""
    if dot.kinds != ARRAY or dot.array is None:
        return Results(ODD_ANYTHING)
    return Results(array_of((), items_of(dot.array), dot.array.least))


@builtin("group_by/1")
def group_by(inference: Inference, node: tree.Call, dot: Type, env: Env) -> Results:
    """Arrays of items that have something in common."""
    if not takes(inference, node, dot, ARRAY) or dot.array is None:
        return NONE
    items = items_of(dot.array)
    inference.maybe_of(node.arguments[0], items, env)
    return Results(array_of((), array_of((), items, 1), min(1, dot.array.least)), 0, 1)


@builtin("min/0", "max/0", "min_by/1", "max_by/1")
def extreme(inference: Inference, node: tree.Call, dot: Type, env: Env) -> Results:
    """One of the items; null without any."""
    if not takes(inference, node, dot, ARRAY) or dot.array is None:
        return NONE
    items = items_of(dot.array)
    for argument in node.arguments:
        inference.maybe_of(argument, items, env)
    found = items if dot.array.least else union(items, NULL_ONLY)
    return Results(found, 1 if not node.arguments else 0, 1)


@builtin("add/0")
def add(inference: Inference, node: tree.Call, dot: Type, _env: Env) -> Results:
    """The sum of the items; null without any."""
    if not takes(inference, node, dot, ARRAY | OBJECT):
        return NONE
    items, _ = iterate(dot)
    return Results(_summed(items.type))


@builtin("add/1")
def add_results(inference: Inference, node: tree.Call, dot: Type, env: Env) -> Results:
    """The sum of the results; null without any."""
    return Results(_summed(inference.of(node.arguments[0], dot, env).type))


def _summed(items: Type) -> Type:
    found = NULL_ONLY
    for _ in range(_ROUNDS):
        after = union(found, calculated("+", found, items)) if items != NOTHING else found
        if after == found:
            return found
        found = coarser(after)
    return ODD_ANYTHING


@builtin("flatten/0", "flatten/1")
def flatten(inference: Inference, node: tree.Call, dot: Type, env: Env) -> Results:
    """The items of inner arrays in their place."""
    least = 1
    for argument in node.arguments:
        least = min(least, inference.of(argument, dot, env).least)
    if not takes(inference, node, dot, ARRAY | OBJECT, is_sure=least > 0):
        return NONE
    items, _ = iterate(dot)
    found = items.type if not items.type.kinds & ARRAY else ODD_ANYTHING
    return Results(array_of((), found), least, 1 if not node.arguments else 2)


@builtin("range/1", "range/2", "range/3")
def range_(inference: Inference, node: tree.Call, dot: Type, env: Env) -> Results:
    """Numbers."""
    for argument in node.arguments:
        if not inference.of(argument, dot, env).most:
            return NONE
    return Results(ANY_NUMBER, 0, 2)


@builtin("del/1")
def del_(_inference: Inference, node: tree.Call, dot: Type, _env: Env) -> Results:
    """The input without what stands at a path."""
    keys = spelled(node.arguments[0])
    if keys is None:
        return Results(union_of([only(ODD_ANYTHING, dot.kinds), NULL_ONLY]), 1, 1)
    return Results(union(without(dot, keys), NULL_ONLY if dot.null else NOTHING))


@builtin("getpath/1")
def getpath(inference: Inference, node: tree.Call, dot: Type, env: Env) -> Results:
    """What stands at a path."""
    path = inference.of(node.arguments[0], dot, env)
    array = path.type.array
    if not path.most:
        return NONE
    if path.type.kinds != ARRAY or array is None or array.rest != NOTHING:
        return OPEN
    if array.least != len(array.prefix):
        return OPEN
    found = dot
    for key in array.prefix:
        found, _ = step(found, key)
    return Results(found, path.least, path.most)


@builtin("any/0", "all/0")
def any_item(inference: Inference, node: tree.Call, dot: Type, _env: Env) -> Results:
    """Whether some item, or every one, is true."""
    return Results(TRUTH) if takes(inference, node, dot, ARRAY | OBJECT) else NONE


@builtin("any/1", "all/1")
def any_by(inference: Inference, node: tree.Call, dot: Type, env: Env) -> Results:
    """Whether the argument is true of some item, or of every one."""
    if not takes(inference, node, dot, ARRAY | OBJECT):
        return NONE
    items, _ = iterate(dot)
    inference.maybe_of(node.arguments[0], items.type, env)
    return Results(TRUTH)


@builtin("any/2", "all/2")
def any_of(inference: Inference, node: tree.Call, dot: Type, env: Env) -> Results:
    """Whether the second argument is true of some result of the first, or of every one."""
    found = inference.maybe_of(node.arguments[0], dot, env)
    inference.maybe_of(node.arguments[1], found.type, env)
    return Results(TRUTH)


@builtin("abs/0")
def abs_(_inference: Inference, _node: tree.Call, dot: Type, _env: Env) -> Results:
    """The amount of a number; other kinds stay as they are."""
    found = only(dot, TEXT | ARRAY | OBJECT)
    if dot.kinds & NUMBER:
        found = union(found, Type(numbers=None, is_odd=dot.is_odd))
    return Results(found)


@builtin("recurse/0", "recurse/1", "recurse/2", "repeat/1", "while/2", "until/2", "walk/1")
def many(_inference: Inference, _node: tree.Call, _dot: Type, _env: Env) -> Results:
    """Whatever comes of it."""
    return OPEN
