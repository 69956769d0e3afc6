"""Where a use of a variable stands, and how it is told."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from diglot.compiler.diagnostics import Related
from diglot.compiler.graph import Expression, Graph, Handler, Node
from diglot.compiler.source import Source, Span

from .uses import Use
from .variables import Variables


class Telling:
    """The words and places of one graph's findings."""

    def __init__(self, graph: Graph, variables: Variables, sources: Mapping[str, Source]) -> None:
        self._variables = variables
        self._sources = sources
        self._scopes = {scope.id: scope for scope in graph.scopes}

    def variable(self, bit: int) -> str:
        """A variable as an author writes it: `$context.total`, `total`."""
        place, key = self._variables.places_of(bit)[0]
        if not self._variables.is_filled(place):
            return place.name
        return f"${place.name}" if key in (None, "*") else f"${place.name}.{key}"

    def span(self, use: Use) -> Span | None:
        """The place of a use in its file: the expression, else what it belongs to."""
        value = use.value
        if isinstance(value, Expression) and value.span is not None:
            if use.end > use.start:
                # Late: only where there is something to tell.
                from diglot.compiler.checks.positions import span_inside

                return span_inside(value, use.start, use.end, self._sources)
            return value.span
        return None if use.owner is None else use.owner.span

    def pointer(self, use: Use) -> str:
        """The author's construct that a use belongs to."""
        return "" if use.owner is None else use.owner.pointer

    def related(self, use: Use, message: str) -> Related:
        """A use as another place of a finding."""
        return Related(message=message, span=self.span(use), pointer=self.pointer(use))


def name_of(owner: Node | Handler | None) -> str:
    """What an author calls an element."""
    if owner is None:
        return "the workflow"
    return owner.name or owner.pointer or owner.id


def names_in(names: Iterable[str]) -> str:
    """Names as a phrase: `a`, `b` and `c`."""
    quoted = [f"`{name}`" for name in names]
    if len(quoted) < 2:
        return "".join(quoted)
    return f"{', '.join(quoted[:-1])} and {quoted[-1]}"
