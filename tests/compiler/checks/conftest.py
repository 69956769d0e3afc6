"""Graphs sketched by hand: tasks by name, flows as arrows."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest

from diglot.compiler.graph import (
    Choice,
    Constant,
    End,
    Expression,
    Flow,
    Graph,
    Handler,
    Node,
    Scope,
    Start,
    Variable,
)


class Sketch:
    """The tasks of the outermost list, by name; `start` and `end` are there from the beginning."""

    def __init__(self) -> None:
        self.scopes: list[Scope] = []
        self.nodes: list[Node] = []
        self._ways: list[tuple[str, str, str, dict[str, Any]]] = []
        self.handlers: list[Handler] = []
        self._ids: dict[str, str] = {}
        self.scope("/", form="process", variables=(Variable(name="context", value=Constant({})),))

    def id(self, name: str) -> str:
        """The id of a sketched task, else the text itself."""
        return self._ids.get(name, name)

    def scope(self, scope: str, **fields: Any) -> None:
        """A scope with a start `<scope>#start` and an end `<scope>#end`."""
        self.scopes.append(Scope(id=scope, start=f"{scope}#start", **fields))
        prefix = "" if scope == "/" else f"{scope} "
        for name, kind in (("start", Start), ("end", End)):
            self._ids[f"{prefix}{name}"] = f"{scope}#{name}"
            self.nodes.append(kind(id=f"{scope}#{name}", scope=scope))

    def node(self, kind: Callable[..., Node], name: str, scope: str = "/", **fields: Any) -> None:
        """A task; its id is its place in the list of its scope."""
        tasks = "/do" if scope == "/" else scope
        count = sum(node.scope == scope and "#" not in node.id for node in self.nodes)
        pointer = f"{tasks}/{count}/{name}"
        self._ids[name] = pointer
        self.nodes.append(kind(id=pointer, scope=scope, pointer=pointer, name=name, **fields))

    def choice(self, name: str, *targets: str, default: str | None = None) -> None:
        """A choice with a flow to each target and perhaps one to a default."""
        for target in targets:
            self.ways(f"{name}->{target}", condition=Expression(text=f".to == {len(target)}"))
        branches = tuple(f"{name}->{target}" for target in targets)
        if default is not None:
            self.ways(f"{name}->{default}")
            default = f"{name}->{default}"
        self.node(Choice, name, branches=branches, default=default)

    def ways(self, arrows: str, **fields: Any) -> None:
        """Flows along `a->b->c`; the id of each is its own piece of the text."""
        names = arrows.split("->")
        self._ways += [
            (f"{source}->{target}", source, target, fields) for source, target in pairwise(names)
        ]

    def graph(self) -> Graph:
        """What has been sketched."""
        return Graph(
            namespace="test",
            name="sketch",
            version="1.0.0",
            scopes=tuple(self.scopes),
            nodes=tuple(self.nodes),
            flows=tuple(
                Flow(id=way, source=self.id(source), target=self.id(target), **fields)
                for way, source, target, fields in self._ways
            ),
            handlers=tuple(self.handlers),
        )


@pytest.fixture
def sketch() -> Sketch:
    return Sketch()
