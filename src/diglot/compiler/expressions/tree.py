"""The tree of a jq program: what the author wrote, with the place of every part.

Chains (`a | b | c`, `a + b - c`, `.a.b[0]`) are flat, so that a long line is not a deep tree.
`start` and `end` are characters into the text. Source: jq 1.8 manual.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec


class Node(msgspec.Struct, frozen=True):
    """A part of a program at its place."""

    start: int
    end: int


class Identity(Node, frozen=True):
    """`.`."""


class Descend(Node, frozen=True):
    """`..`: the value and everything in it."""


class Literal(Node, frozen=True):
    """A number, `true`, `false`, `null`, or a string without interpolation."""

    value: Any


class Text(Node, frozen=True):
    r"""A string with `\(...)`; `format` is `text` where the author named none."""

    format: str
    parts: tuple[str | Node, ...]


class Format(Node, frozen=True):
    """`@base64` and its like, applied to the input."""

    name: str


class Variable(Node, frozen=True):
    """`$name`, the name without its sign."""

    name: str


class Location(Node, frozen=True):
    """`$__loc__`; `line` counts from 1."""

    line: int


class Step(msgspec.Struct, frozen=True):
    """One step of a path; `optional` is the `?` that silences this step only."""

    optional: bool


class IndexStep(Step, frozen=True):
    """`.name`, `["name"]`, `[0]`, `[expression]`; the key sees the input of the whole path."""

    key: Node


class SliceStep(Step, frozen=True):
    """`[low:high]`; an absent bound is None."""

    low: Node | None
    high: Node | None


class EachStep(Step, frozen=True):
    """`[]`."""


class Path(Node, frozen=True):
    """`base.a[0][]`."""

    base: Node
    steps: tuple[Step, ...]


class Array(Node, frozen=True):
    """`[body]`, `[]` without one."""

    body: Node | None


class Entry(msgspec.Struct, frozen=True):
    """One entry of an object; without `value` the key's field of the input is taken."""

    key: Node
    value: Node | None


class Object(Node, frozen=True):
    """`{...}`."""

    entries: tuple[Entry, ...]


class Pipe(Node, frozen=True):
    """`a | b | c`, at least two stages."""

    stages: tuple[Node, ...]


class Comma(Node, frozen=True):
    """`a, b, c`, at least two items."""

    items: tuple[Node, ...]


class Negation(Node, frozen=True):
    """`-a`."""

    operand: Node


class Arithmetic(Node, frozen=True):
    """`first + a - b`, or the same of `*`, `/`, `%`: one level of precedence, from the left."""

    first: Node
    rest: tuple[tuple[str, Node], ...]


class Comparison(Node, frozen=True):
    """`left == right` and the other five."""

    operator: str
    left: Node
    right: Node


class Logic(Node, frozen=True):
    """`a and b and c`, or the same with `or`."""

    operator: str
    items: tuple[Node, ...]


class Alternative(Node, frozen=True):
    """`a // b // c`, which binds to the right."""

    items: tuple[Node, ...]


class Assignment(Node, frozen=True):
    """`target op value` for `=`, `|=`, `+=`, `-=`, `*=`, `/=`, `%=`, `//=`."""

    operator: str
    target: Node
    value: Node


class If(Node, frozen=True):
    """Branches of (condition, result); without `otherwise` the input is the result."""

    branches: tuple[tuple[Node, Node], ...]
    otherwise: Node | None


class Try(Node, frozen=True):
    """`try body catch handler`, or `body?` without a handler."""

    body: Node
    handler: Node | None


class Pattern(msgspec.Struct, frozen=True):
    """What `as` binds."""


class Bound(Pattern, frozen=True):
    """`$name`."""

    name: str


class ArrayPattern(Pattern, frozen=True):
    """`[pattern, ...]`."""

    items: tuple[Pattern, ...]


class ObjectPattern(Pattern, frozen=True):
    """`{key: pattern, $name, $name: pattern}` as (key, name or None, pattern or None)."""

    entries: tuple[tuple[Node, str | None, Pattern | None], ...]


class Bind(Node, frozen=True):
    """`source as patterns | body`; more than one pattern are alternatives, `?//`."""

    source: Node
    patterns: tuple[Pattern, ...]
    body: Node


class Reduce(Node, frozen=True):
    """`reduce source as patterns (init; update)`."""

    source: Node
    patterns: tuple[Pattern, ...]
    init: Node
    update: Node


class Foreach(Node, frozen=True):
    """`foreach source as patterns (init; update; extract)`."""

    source: Node
    patterns: tuple[Pattern, ...]
    init: Node
    update: Node
    extract: Node | None


class Parameter(msgspec.Struct, frozen=True):
    """A parameter of a `def`; `by_value` is the one written with a `$`."""

    name: str
    by_value: bool


class Function(Node, frozen=True):
    """`def name(parameters): body;`."""

    name: str
    parameters: tuple[Parameter, ...]
    body: Node


class Define(Node, frozen=True):
    """`def ...; body`."""

    function: Function
    body: Node


class Label(Node, frozen=True):
    """`label $name | body`."""

    name: str
    body: Node


class Break(Node, frozen=True):
    """`break $name`."""

    name: str


class Call(Node, frozen=True):
    """`name` or `name(a; b)`; `name_end` is where the name ends."""

    name: str
    arguments: tuple[Node, ...]
    name_end: int


class Directive(Node, frozen=True):
    """`import`, `include` or `module` in front of a program: read, never obeyed."""

    keyword: str


class Module(Node, frozen=True):
    """A program with directives in front of it."""

    directives: tuple[Directive, ...]
    body: Node


_LEAVES = frozenset((int, str, bool, float, type(None)))


def children(part: Node | Step | Entry | Pattern) -> Iterator[Node]:
    """The nodes directly within a part, in the order of the text."""
    for name in part.__struct_fields__:
        value = getattr(part, name)
        # Most of what stands in a part are its place and its words.
        if value.__class__ not in _LEAVES:
            yield from _nodes_in(value)


def _nodes_in(value: Any) -> Iterator[Node]:
    if isinstance(value, Node):
        yield value
    elif isinstance(value, Step | Entry | Pattern):
        yield from children(value)
    elif value.__class__ is tuple:
        for item in value:
            yield from _nodes_in(item)


def depth(node: Node) -> int:
    """How many nodes stand inside each other, the node itself included."""
    return 1 + max(map(depth, children(node)), default=0)


def bound_names(pattern: Pattern) -> Iterator[str]:
    """The variables a pattern binds, in the order of the text."""
    match pattern:
        case Bound(name):
            yield name
        case ArrayPattern(items):
            for item in items:
                yield from bound_names(item)
        case ObjectPattern(entries):
            for _, shorthand, inner in entries:
                if shorthand is not None:
                    yield shorthand
                if inner is not None:
                    yield from bound_names(inner)
        case _:
            raise TypeError(pattern)
