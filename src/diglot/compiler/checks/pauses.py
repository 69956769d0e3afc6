"""What may take time: a wait, or work that is awaited."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

from diglot.compiler.graph import (
    Call,
    End,
    Graph,
    Node,
    Race,
    Raise,
    Receive,
    ScopeNode,
    Task,
    Wait,
)


class Pauses:
    """Which nodes of a graph may hold a token up, found out once."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph

    def may_wait(self, node: Node) -> bool:
        """Whether the node, or something inside it, may wait for the outside."""
        if isinstance(node, ScopeNode):
            return node.body in self._waiting
        return _waits(node)

    def may_pause(self, node: Node) -> bool:
        """Whether it may wait, fail on purpose or end the whole run."""
        if isinstance(node, ScopeNode):
            return node.body in self._pausing
        return _pauses(node)

    @cached_property
    def _waiting(self) -> frozenset[str]:
        return self.scopes_with(_waits)

    @cached_property
    def _pausing(self) -> frozenset[str]:
        return self.scopes_with(_pauses)

    def scopes_with(self, has: Callable[[Node], bool]) -> frozenset[str]:
        """The scopes in which a node, at any depth, is like that."""
        parents = {scope.id: scope.parent for scope in self._graph.scopes}
        found: set[str] = set()
        for node in self._graph.nodes:
            scope = node.scope if has(node) else None
            while scope is not None and scope not in found:
                found.add(scope)
                scope = parents.get(scope)
        return frozenset(found)


def _waits(node: Node) -> bool:
    match node:
        case Wait() | Receive() | Race():
            return True
        case Task(waits=waits) | Call(waits=waits):
            return waits
        case _:
            return False


def _pauses(node: Node) -> bool:
    if isinstance(node, End):
        return node.effect == "instance"
    return isinstance(node, Raise) or _waits(node)
