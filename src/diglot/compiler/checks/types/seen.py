"""What was seen of a graph: expressions with their types, and data that fits no schema."""

from __future__ import annotations

import msgspec

from diglot.compiler.expressions import tree
from diglot.compiler.graph import Expression, Handler, Node
from diglot.compiler.graph.sites import Place
from diglot.compiler.source import Span

from .inference import Note, Results
from .model import Type


class Seen(msgspec.Struct, frozen=True):
    """An expression at its place: its input, its results, and what is wrong inside."""

    expression: Expression
    place: Place
    node: Node | None
    handler: Handler | None
    dot: Type
    results: Results
    notes: tuple[Note, ...]
    program: tree.Node
    scope: str

    def of_handler(self, handler: Handler) -> Seen:
        """The same as an expression of a handler."""
        return msgspec.structs.replace(self, handler=handler)

    @property
    def pointer(self) -> str:
        """The author's construct that holds it; `""` for the document itself."""
        if self.handler is not None:
            return self.handler.pointer
        return "" if self.node is None else self.node.pointer

    @property
    def span(self) -> Span | None:
        """Where the construct stands."""
        if self.handler is not None:
            return self.handler.span
        return None if self.node is None else self.node.span


class Unfit(msgspec.Struct, frozen=True):
    """Data that never fits the schema it is held against; `what` is input, output or export."""

    node: Node | None
    what: str
    given: Type
    wanted: Type
