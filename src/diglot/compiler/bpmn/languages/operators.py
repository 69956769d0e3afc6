"""Operators between operands, by tables of precedence."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

from .reading import Reader
from .result import Refused
from .tree import Binary, Logic, Node

#: From loose to tight.
OR, AND, EQUALITY, ORDER, SUM, PRODUCT, POWER = range(1, 8)

_WITHOUT_ORDER: Final = frozenset({ORDER})


class Operator(NamedTuple):
    """An operator that is next: its name in the tree, its level, and how many tokens spell it."""

    name: str
    level: int
    tokens: int = 1


Peek = Callable[[Reader], Operator | None]
Operand = Callable[[Reader], Node]


def by_table(table: dict[str, Operator]) -> Peek:
    """Operators that are one token each."""
    return lambda reader: table.get(reader.kind)


def operations(reader: Reader, peek: Peek, operand: Operand, level: int = OR) -> Node:
    """Operands with operators of at least a level between them."""
    left = operand(reader)
    is_ordered = False
    while (found := peek(reader)) is not None and found.level >= level:
        if is_ordered and found.level in _WITHOUT_ORDER:
            token = reader.token
            raise Refused(
                left.start, token.end, "comparisons in a row differ from language to language",
                "Join two comparisons with `and`.",
            )  # fmt: skip
        is_ordered = found.level in _WITHOUT_ORDER
        first = reader.token
        for _ in range(found.tokens):
            reader.take()
        signed = (first.start, reader.last_end)
        right = operations(reader, peek, operand, found.level + 1)
        left = _operation(found, left, right, signed)
    return left


def _operation(operator: Operator, left: Node, right: Node, signed: tuple[int, int]) -> Node:
    if operator.level <= AND:
        if isinstance(left, Logic) and left.operator == operator.name:
            return Logic(left.start, right.end, operator.name, (*left.operands, right))
        return Logic(left.start, right.end, operator.name, (left, right))
    return Binary(left.start, right.end, operator.name, left, right, signed)
