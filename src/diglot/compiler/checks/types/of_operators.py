"""Comparisons and arithmetic.

Source: jq 1.8 manual, Builtin operators and functions; `sort` for the order of all values.
"""

from __future__ import annotations

from diglot.compiler.expressions import tree

from .inference import NONE, Env, Inference, Results, infers, product
from .joining import lay_over, meet, union, union_of
from .model import (
    ANY_NUMBER,
    ANY_OBJECT,
    ANY_TEXT,
    ANYTHING,
    ARRAY,
    NOTHING,
    NULL_ONLY,
    NUMBER,
    OBJECT,
    ODD_NUMBER,
    TEXT,
    Array,
    Member,
    Object,
    Type,
    array_of,
    object_of,
    only,
    truth,
)
from .stepping import items_of
from .words import UNKNOWN, in_words, single_value

#: So many pairs of constants are compared one by one.
_MOST_PAIRS = 256


@infers(tree.Negation)
def negation(inference: Inference, node: tree.Negation, dot: Type, env: Env) -> Results:
    """`-`: of numbers only."""
    found = inference.of(node.operand, dot, env)
    if not found.most:
        return NONE
    if not found.type.kinds & NUMBER:
        return inference.fails(
            node, f"{in_words(found.type)} has no negative", is_sure=found.least > 0
        )
    constants = found.type.numbers
    negated = None if constants is None else frozenset(-number for number in constants)
    return Results(Type(numbers=negated, is_odd=found.type.is_odd), found.least, found.most)


@infers(tree.Comparison)
def comparison(inference: Inference, node: tree.Comparison, dot: Type, env: Env) -> Results:
    """True or false, and only one of them where the types leave no other."""
    left, right = inference.each_of((node.left, node.right), dot, env)
    least, most = product(left, right)
    if not most:
        return NONE
    return Results(compared(node.operator, left.type, right.type), least, most)


def compared(operator: str, left: Type, right: Type) -> Type:
    """The truth of a comparison of any value of one type with any of the other."""
    if operator in ("==", "!="):
        is_equal, differs = _equality(left, right)
        return (
            truth(true=is_equal, false=differs)
            if operator == "=="
            else truth(true=differs, false=is_equal)
        )
    orders = _orders(left, right)
    wanted = {"<": (-1,), "<=": (-1, 0), ">": (1,), ">=": (1, 0)}[operator]
    return truth(
        true=any(order in wanted for order in orders),
        false=any(order not in wanted for order in orders),
    )


def _equality(left: Type, right: Type) -> tuple[bool, bool]:
    """Whether values may be equal, and whether they may differ."""
    one, other = single_value(left), single_value(right)
    if one is not UNKNOWN and other is not UNKNOWN:
        is_equal = left.kinds == right.kinds and one == other
        return is_equal, not is_equal
    return meet(left, right) != NOTHING, True


def _orders(left: Type, right: Type) -> set[int]:
    """How values of two types may stand in the order of all values: before, same, behind."""
    orders: set[int] = set()
    for rank, one in enumerate(_ranked(left)):
        for other_rank, other in enumerate(_ranked(right)):
            if one and other:
                if rank != other_rank:
                    orders.add(-1 if rank < other_rank else 1)
                else:
                    orders |= _same_rank(rank, left, right)
    return orders


def _ranked(type: Type) -> tuple[bool, ...]:
    kinds = type.kinds
    return (
        type.null, type.false, type.true, bool(kinds & NUMBER), bool(kinds & TEXT),
        bool(kinds & ARRAY), bool(kinds & OBJECT),
    )  # fmt: skip


def _same_rank(rank: int, left: Type, right: Type) -> set[int]:
    if rank < 3:
        return {0}
    if rank == 3 and left.numbers is not None and right.numbers is not None:
        return _pairs(left.numbers, right.numbers)
    if rank == 4 and left.texts is not None and right.texts is not None:
        return _pairs(left.texts, right.texts)
    return {-1, 0, 1}


def _pairs(
    left: frozenset[int | float] | frozenset[str], right: frozenset[int | float] | frozenset[str]
) -> set[int]:
    if len(left) * len(right) > _MOST_PAIRS:
        return {-1, 0, 1}
    return {
        0 if one == other else -1 if one < other else 1  # type: ignore[operator]
        for one in left
        for other in right
    }


@infers(tree.Arithmetic)
def arithmetic(inference: Inference, node: tree.Arithmetic, dot: Type, env: Env) -> Results:
    """From the left, one operation after the other."""
    terms = (node.first, *(term for _, term in node.rest))
    found, *others = inference.each_of(terms, dot, env)
    for (sign, term), right in zip(node.rest, others, strict=True):
        least, most = product(found, right)
        if not most:
            return NONE
        type = calculated(sign, found.type, right.type)
        if type == NOTHING:
            words = f"{in_words(found.type)} and {in_words(right.type)} cannot be {_DONE[sign]}"
            place = (node.start, term.end)
            inference.note("fails", place, sign, words, NOTHING, is_sure=least > 0)
            return inference.given_up(is_sure=least > 0)
        found = Results(type, least, most)
    return found


_DONE = {
    "+": "added", "-": "subtracted", "*": "multiplied", "/": "divided", "%": "divided",
}  # fmt: skip


def calculated(sign: str, left: Type, right: Type) -> Type:
    """What an operation gives; `NOTHING` where it always fails."""
    found = NOTHING
    if left.kinds & NUMBER and right.kinds & NUMBER:
        found = ODD_NUMBER if left.is_odd or right.is_odd else ANY_NUMBER
    return union(found, _OPERATIONS[sign](left, right))


def _add(left: Type, right: Type) -> Type:
    found = NOTHING
    if left.null:
        found = right
    if right.null:
        found = union(found, left)
    if left.kinds & TEXT and right.kinds & TEXT:
        found = union(found, ANY_TEXT)
    if left.array is not None and right.array is not None:
        found = union(found, _joined(left.array, right.array))
    if left.object is not None and right.object is not None:
        found = union(found, lay_over(left.object, right.object))
    return found


def _joined(left: Array, right: Array) -> Type:
    least = left.least + right.least
    if left.rest == NOTHING and left.least == len(left.prefix):
        rest = ANYTHING if right.rest is None else right.rest
        return array_of((*left.prefix, *right.prefix), rest, least)
    return array_of((), union(items_of(left), items_of(right)), least)


def _subtract(left: Type, right: Type) -> Type:
    if left.array is not None and right.array is not None:
        return array_of((), items_of(left.array))
    return NOTHING


def _multiply(left: Type, right: Type) -> Type:
    found = NOTHING
    if (left.kinds & TEXT and right.kinds & NUMBER) or (left.kinds & NUMBER and right.kinds & TEXT):
        found = union(ANY_TEXT, NULL_ONLY)
    if left.object is not None and right.object is not None:
        found = union(found, _merged(left.object, right.object))
    return found


def _merged(below: Object, above: Object) -> Type:
    """Objects merged at every depth: two objects under one name are one object, whichever."""
    members: dict[str, Member] = {}
    for name in {**below.members, **above.members}:
        one, other = below.get(name), above.get(name)
        type = other.type if other.is_required else union(one.type, other.type)
        if one.type.object is not None and other.type.object is not None:
            type = union_of([only(type, ~OBJECT), ANY_OBJECT])
        members[name] = Member(type, one.is_required or other.is_required)
    rest = None
    if below.rest is not None and above.rest is not None:
        rest = union(below.rest, above.rest)
        if below.rest.object is not None and above.rest.object is not None:
            rest = union(rest, ANY_OBJECT)
    return object_of(members, rest)


def _divide(left: Type, right: Type) -> Type:
    if left.kinds & TEXT and right.kinds & TEXT:
        return array_of((), ANY_TEXT)
    return NOTHING


def _modulo(_left: Type, _right: Type) -> Type:
    return NOTHING


_OPERATIONS = {"+": _add, "-": _subtract, "*": _multiply, "/": _divide, "%": _modulo}
