"""What a condition claims, and which claims follow from others.

A condition is taken apart into plain comparisons that are joined by `and`; whatever else stands
there is a claim of its own, which follows from nothing but itself. jq puts all values into one
order, so that what is said here holds for values of every kind.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, cast

import msgspec

from diglot.compiler.expressions import tree

_TURNED: Final = {"<": ">", ">": "<", "<=": ">=", ">=": "<=", "==": "==", "!=": "!="}
_OPPOSITES: Final = {"<": ">=", ">": "<=", "<=": ">", ">=": "<", "==": "!=", "!=": "=="}
#: So many claims of one condition are compared with those of another.
_MOST: Final = 16


class Claim(msgspec.Struct, frozen=True):
    """One thing a condition says: that something, by the shape of its text, compares so."""

    subject: Any
    sign: str = ""
    #: The constant, told apart as `shape` does.
    value: Any = None

    @property
    def opposite(self) -> Claim | None:
        """What holds where this does not; None where that is no plain comparison."""
        if not self.sign:
            return None
        return Claim(self.subject, _OPPOSITES[self.sign], self.value)


def claims_of(node: tree.Node) -> tuple[Claim, ...]:
    """What has to hold for a condition to hold."""
    if isinstance(node, tree.Logic) and node.operator == "and":
        return tuple(claim for item in node.items for claim in claims_of(item))
    if isinstance(node, tree.Comparison):
        for subject, sign, other in (
            (node.left, node.operator, node.right),
            (node.right, _TURNED[node.operator], node.left),
        ):
            value = _constant(other)
            if value is not _NO_CONSTANT and _constant(subject) is _NO_CONSTANT:
                return (Claim(shape(subject), sign, shape(value)),)
    return (Claim(shape(node)),)


_NO_CONSTANT: Final = object()


def _constant(node: tree.Node) -> Any:
    if isinstance(node, tree.Negation):
        value = _constant(node.operand)
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        return -value if is_number else _NO_CONSTANT
    return node.value if isinstance(node, tree.Literal) else _NO_CONSTANT


def shape(part: Any) -> Any:
    """A part of a tree without its place, to be compared with others."""
    if isinstance(part, msgspec.Struct):
        fields = [
            shape(getattr(part, name))
            for name in part.__struct_fields__
            if name not in ("start", "end", "name_end")
        ]
        return (type(part).__name__, *fields)
    if isinstance(part, tuple):
        return tuple(map(shape, cast("tuple[Any, ...]", part)))
    # True is 1 to Python, and not to jq.
    return (type(part).__name__, part) if isinstance(part, bool) else part


def follows(claims: Sequence[Claim], node: tree.Node) -> bool:
    """Whether a condition holds wherever all these claims hold."""
    if isinstance(node, tree.Logic) and node.operator == "or":
        return any(follows(claims, item) for item in node.items)
    wanted = claims_of(node)
    if len(wanted) > _MOST or len(claims) > _MOST:
        return False
    return all(any(implies(claim, other) for claim in claims) for other in wanted)


def implies(claim: Claim, other: Claim) -> bool:
    """Whether `other` holds wherever `claim` does."""
    if claim == other:
        return True
    if claim.subject != other.subject or not claim.sign or not other.sign:
        return False
    order = _order(claim.value, other.value)
    return order is not None and _holds(claim.sign, other.sign, order)


def _order(one: object, other: object) -> int | None:
    """Whether one constant comes before, is, or comes behind another of its kind."""
    if isinstance(one, str) and isinstance(other, str):
        return (one > other) - (one < other)
    if isinstance(one, int | float) and isinstance(other, int | float):
        return (one > other) - (one < other)
    return None


def _holds(sign: str, wanted: str, order: int) -> bool:
    """Whether `x sign one` gives `x wanted two`, where `order` is that of one against two."""
    match sign:
        case "==":
            return {
                "==": order == 0, "!=": order != 0, "<": order < 0, "<=": order <= 0,
                ">": order > 0, ">=": order >= 0,
            }[wanted]  # fmt: skip
        case ">":
            return wanted in (">", ">=", "!=") and order >= 0
        case ">=":
            return (wanted == ">=" and order >= 0) or (wanted in (">", "!=") and order > 0)
        case "<":
            return wanted in ("<", "<=", "!=") and order <= 0
        case "<=":
            return (wanted == "<=" and order <= 0) or (wanted in ("<", "!=") and order < 0)
        case _:
            return wanted == "!=" and order == 0
