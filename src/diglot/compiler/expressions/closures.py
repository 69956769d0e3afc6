"""A program as Python closures: what every file of the compiler shares.

A closure takes the input value and an environment. The environment is a tuple: the `Run`, the
depth in frames, then one slot for each variable, label and parameter in scope. A scope only ever
appends, so an outer scope's environment is the front part of every inner one; a function called
from anywhere below its definition finds its own environment there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, Protocol, TypeVar

from . import tree

Env = tuple[Any, ...]
One = Callable[[Any, Env], Any]
Many = Callable[[Any, Env], Iterable[Any]]

#: Where the slots of an environment begin: behind the run and the depth.
FIRST_SLOT = 2


class Code(NamedTuple):
    """A compiled part; `one` is there when it has exactly one result for every input."""

    one: One | None
    many: Many


class NotPlainError(Exception):
    """The closures do not carry this program; the reference implementation does."""


class Budget:
    """How many nodes may be compiled; nested calls can ask for the same ones again and again."""

    __slots__ = ("nodes",)

    def __init__(self, nodes: int) -> None:
        self.nodes = nodes

    def take(self) -> None:
        """Count a node; raises `NotPlainError` when there are too many."""
        self.nodes -= 1
        if self.nodes < 0:
            raise NotPlainError("too large")


class Callee(Protocol):
    """What a name in a scope calls."""

    def call(self, node: tree.Call, scope: Scope) -> Code:
        """The code of a call from `scope`."""
        ...

    def call_for_paths(self, node: tree.Call, scope: Scope) -> Any:
        """The code of a call from `scope` as a path expression."""
        ...


@dataclass(frozen=True, slots=True)
class Scope:
    """The names in sight and their slots; `size` is the length of the environment here."""

    size: int
    variables: Mapping[str, int]
    functions: Mapping[tuple[str, int], Callee]
    labels: Mapping[str, int]
    budget: Budget

    def with_variable(self, name: str) -> Scope:
        """This scope and one more variable in the next slot."""
        return replace(self, size=self.size + 1, variables={**self.variables, name: self.size})

    def with_label(self, name: str) -> Scope:
        """This scope and one more label in the next slot."""
        return replace(self, size=self.size + 1, labels={**self.labels, name: self.size})

    def with_function(self, name: str, arity: int, callee: Callee) -> Scope:
        """This scope and one more function; a function has no slot."""
        return replace(self, functions={**self.functions, (name, arity): callee})


NodeT = TypeVar("NodeT", bound=tree.Node)
Compiler = Callable[[Any, Scope], Code]

_COMPILERS: dict[type[tree.Node], Compiler] = {}


def compiles(
    kind: type[NodeT],
) -> Callable[[Callable[[NodeT, Scope], Code]], Callable[[NodeT, Scope], Code]]:
    """Register the compiler of a kind of node."""

    def register(
        function: Callable[[NodeT, Scope], Code],
    ) -> Callable[[NodeT, Scope], Code]:
        if kind in _COMPILERS:
            raise ValueError(f"{kind.__name__} has two compilers")
        _COMPILERS[kind] = function
        return function

    return register


def compile_node(node: tree.Node, scope: Scope) -> Code:
    """The code of a node in a scope; raises `NotPlainError`."""
    scope.budget.take()
    compiler = _COMPILERS.get(type(node))
    if compiler is None:
        raise NotPlainError(type(node).__name__)
    return compiler(node, scope)


def single(one: One) -> Code:
    """The code of a part that always has one result."""

    def many(value: Any, env: Env) -> Iterable[Any]:
        return (one(value, env),)

    return Code(one, many)


def several(many: Many) -> Code:
    """The code of a part with any number of results."""
    return Code(None, many)


def constant(node: tree.Node) -> Any:
    """The value of a literal; `NotImplemented` for anything else."""
    return node.value if isinstance(node, tree.Literal) else NotImplemented


def is_true(value: Any) -> bool:
    """Truth in jq: everything but null and false."""
    return value is not None and value is not False
