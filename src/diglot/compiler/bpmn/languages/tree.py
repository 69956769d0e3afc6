"""Expressions of every language as one kind of tree; each node knows its stretch of the text.

What a node means is the language's affair: `Binary("+")` adds in one and joins in another.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec


class Node(msgspec.Struct, frozen=True):
    """A part of an expression, the characters `[start, end)`."""

    start: int
    end: int


class Literal(Node, frozen=True):
    """A constant: a string, a number, a boolean or null."""

    value: Any


class Name(Node, frozen=True):
    """A variable."""

    name: str


class Member(Node, frozen=True):
    """`base.name`."""

    base: Node
    name: str


class Index(Node, frozen=True):
    """`base[key]`."""

    base: Node
    key: Node


class Call(Node, frozen=True):
    """`name(arguments)`; `names` are those of named arguments, else empty."""

    name: str
    arguments: tuple[Node, ...]
    names: tuple[str, ...] = ()


class Method(Node, frozen=True):
    """`base.name(arguments)`; `named` is where the name stands."""

    base: Node
    name: str
    arguments: tuple[Node, ...]
    named: tuple[int, int]


class Unary(Node, frozen=True):
    """`-`, `not`, `empty`."""

    operator: str
    operand: Node


class Binary(Node, frozen=True):
    """An operator of two operands; its sign stands at `signed`."""

    operator: str
    left: Node
    right: Node
    signed: tuple[int, int]


class Logic(Node, frozen=True):
    """`and` or `or` of two operands or more."""

    operator: str
    operands: tuple[Node, ...]


class Conditional(Node, frozen=True):
    """The first result whose condition is true, else the last one."""

    condition: Node
    then: Node
    otherwise: Node


class Listing(Node, frozen=True):
    """A list of items."""

    items: tuple[Node, ...]


class Entries(Node, frozen=True):
    """A context or object: keys with their values."""

    entries: tuple[tuple[str, Node], ...]


class Range(Node, frozen=True):
    """The values between two ends; an end that is None is open without a limit."""

    low: Node | None
    high: Node | None
    has_low: bool
    has_high: bool


class Test(Node, frozen=True):
    """A comparison whose left side is what is tested: `< 5`."""

    operator: str
    operand: Node


class Within(Node, frozen=True):
    """`value in tests`: whether one of the tests holds."""

    value: Node
    tests: tuple[Node, ...]


class Each(Node, frozen=True):
    """What comes of each value that the variables take: a list, or whether `some` or `every` is."""

    kind: str
    variables: tuple[tuple[str, Node], ...]
    body: Node


class Instance(Node, frozen=True):
    """`value instance of type`, and casts."""

    value: Node
    type: str


class Text(Node, frozen=True):
    """Characters with expressions among them."""

    parts: tuple[str | Node, ...]


def children(node: Node) -> Iterator[Node]:
    """The nodes directly below a node."""
    pending: list[Any] = [getattr(node, name) for name in node.__struct_fields__]
    while pending:
        value = pending.pop()
        if isinstance(value, Node):
            yield value
        elif isinstance(value, tuple):
            pending.extend(value)  # pyright: ignore[reportUnknownArgumentType]


def depth(node: Node) -> int:
    """How many nodes stand below each other at most."""
    deepest = 0
    pending = [(node, 1)]
    while pending:
        found, level = pending.pop()
        deepest = max(deepest, level)
        pending.extend((child, level + 1) for child in children(found))
    return deepest
