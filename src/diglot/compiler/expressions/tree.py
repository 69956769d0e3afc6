"""The tree of a jq program: what the author wrote, with the place of every part.

Chains (`a | b | c`, `a + b - c`, `.a.b[0]`) are flat, so that a long line is not a deep tree.
`start` and `end` are characters into the text. Source: jq 1.8 manual.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from functools import cache
from typing import Any


@dataclass(frozen=True, slots=True)
class Node:
    """A part of a program at its place."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Identity(Node):
    """`.`."""


@dataclass(frozen=True, slots=True)
class Descend(Node):
    """`..`: the value and everything in it."""


@dataclass(frozen=True, slots=True)
class Literal(Node):
    """A number, `true`, `false`, `null`, or a string without interpolation."""

    value: Any


@dataclass(frozen=True, slots=True)
class Text(Node):
    r"""A string with `\(...)`; `format` is `text` where the author named none."""

    format: str
    parts: tuple[str | Node, ...]


@dataclass(frozen=True, slots=True)
class Format(Node):
    """`@base64` and its like, applied to the input."""

    name: str


@dataclass(frozen=True, slots=True)
class Variable(Node):
    """`$name`, the name without its sign."""

    name: str


@dataclass(frozen=True, slots=True)
class Location(Node):
    """`$__loc__`; `line` counts from 1."""

    line: int


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a path; `optional` is the `?` that silences this step only."""

    optional: bool


@dataclass(frozen=True, slots=True)
class IndexStep(Step):
    """`.name`, `["name"]`, `[0]`, `[expression]`; the key sees the input of the whole path."""

    key: Node


@dataclass(frozen=True, slots=True)
class SliceStep(Step):
    """`[low:high]`; an absent bound is None."""

    low: Node | None
    high: Node | None


@dataclass(frozen=True, slots=True)
class EachStep(Step):
    """`[]`."""


@dataclass(frozen=True, slots=True)
class Path(Node):
    """`base.a[0][]`."""

    base: Node
    steps: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class Array(Node):
    """`[body]`, `[]` without one."""

    body: Node | None


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry of an object; without `value` the key's field of the input is taken."""

    key: Node
    value: Node | None


@dataclass(frozen=True, slots=True)
class Object(Node):
    """`{...}`."""

    entries: tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class Pipe(Node):
    """`a | b | c`, at least two stages."""

    stages: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Comma(Node):
    """`a, b, c`, at least two items."""

    items: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Negation(Node):
    """`-a`."""

    operand: Node


@dataclass(frozen=True, slots=True)
class Arithmetic(Node):
    """`first + a - b`, or the same of `*`, `/`, `%`: one level of precedence, from the left."""

    first: Node
    rest: tuple[tuple[str, Node], ...]


@dataclass(frozen=True, slots=True)
class Comparison(Node):
    """`left == right` and the other five."""

    operator: str
    left: Node
    right: Node


@dataclass(frozen=True, slots=True)
class Logic(Node):
    """`a and b and c`, or the same with `or`."""

    operator: str
    items: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Alternative(Node):
    """`a // b // c`, which binds to the right."""

    items: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Assignment(Node):
    """`target op value` for `=`, `|=`, `+=`, `-=`, `*=`, `/=`, `%=`, `//=`."""

    operator: str
    target: Node
    value: Node


@dataclass(frozen=True, slots=True)
class If(Node):
    """Branches of (condition, result); without `otherwise` the input is the result."""

    branches: tuple[tuple[Node, Node], ...]
    otherwise: Node | None


@dataclass(frozen=True, slots=True)
class Try(Node):
    """`try body catch handler`, or `body?` without a handler."""

    body: Node
    handler: Node | None


@dataclass(frozen=True, slots=True)
class Pattern:
    """What `as` binds."""


@dataclass(frozen=True, slots=True)
class Bound(Pattern):
    """`$name`."""

    name: str


@dataclass(frozen=True, slots=True)
class ArrayPattern(Pattern):
    """`[pattern, ...]`."""

    items: tuple[Pattern, ...]


@dataclass(frozen=True, slots=True)
class ObjectPattern(Pattern):
    """`{key: pattern, $name, $name: pattern}` as (key, name or None, pattern or None)."""

    entries: tuple[tuple[Node, str | None, Pattern | None], ...]


@dataclass(frozen=True, slots=True)
class Bind(Node):
    """`source as patterns | body`; more than one pattern are alternatives, `?//`."""

    source: Node
    patterns: tuple[Pattern, ...]
    body: Node


@dataclass(frozen=True, slots=True)
class Reduce(Node):
    """`reduce source as patterns (init; update)`."""

    source: Node
    patterns: tuple[Pattern, ...]
    init: Node
    update: Node


@dataclass(frozen=True, slots=True)
class Foreach(Node):
    """`foreach source as patterns (init; update; extract)`."""

    source: Node
    patterns: tuple[Pattern, ...]
    init: Node
    update: Node
    extract: Node | None


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of a `def`; `by_value` is the one written with a `$`."""

    name: str
    by_value: bool


@dataclass(frozen=True, slots=True)
class Function(Node):
    """`def name(parameters): body;`."""

    name: str
    parameters: tuple[Parameter, ...]
    body: Node


@dataclass(frozen=True, slots=True)
class Define(Node):
    """`def ...; body`."""

    function: Function
    body: Node


@dataclass(frozen=True, slots=True)
class Label(Node):
    """`label $name | body`."""

    name: str
    body: Node


@dataclass(frozen=True, slots=True)
class Break(Node):
    """`break $name`."""

    name: str


@dataclass(frozen=True, slots=True)
class Call(Node):
    """`name` or `name(a; b)`; `name_end` is where the name ends."""

    name: str
    arguments: tuple[Node, ...]
    name_end: int


@dataclass(frozen=True, slots=True)
class Directive(Node):
    """`import`, `include` or `module` in front of a program: read, never obeyed."""

    keyword: str


@dataclass(frozen=True, slots=True)
class Module(Node):
    """A program with directives in front of it."""

    directives: tuple[Directive, ...]
    body: Node


def children(part: Any) -> Iterator[Node]:
    """The nodes directly within a node, in the order of the text."""
    for name in _field_names(type(part)):
        value = getattr(part, name)
        for item in value if isinstance(value, tuple) else (value,):
            if isinstance(item, Node):
                yield item
            elif isinstance(item, tuple | Step | Entry | Pattern):
                yield from _within(item)


def _within(item: Any) -> Iterator[Node]:
    if not isinstance(item, tuple):
        yield from children(item)
        return
    for one in item:
        if isinstance(one, Node):
            yield one
        elif isinstance(one, tuple | Step | Entry | Pattern):
            yield from _within(one)


@cache
def _field_names(kind: type) -> tuple[str, ...]:
    return tuple(field.name for field in fields(kind))


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
