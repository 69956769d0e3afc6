"""Which time-outs and timers hold for each scope, its own and those around it."""

from __future__ import annotations

from typing import NamedTuple

from diglot.compiler.graph import (
    Duration,
    Graph,
    Handler,
    Node,
    Receive,
    ScopeNode,
    TimerTrigger,
)

from .lengths import limit_of, most_ms
from .moments import timers_in


class Bound(NamedTuple):
    """What stops something: after at most `most_ms`, by `handler`, or together with its scope."""

    most_ms: int
    length: Duration
    handler: Handler


class Surroundings:
    """The timers around everything in a graph."""

    def __init__(self, graph: Graph) -> None:
        self._parents = {scope.id: scope.parent for scope in graph.scopes}
        self.owners: dict[str, Node] = {
            node.body: node
            for node in graph.nodes
            if isinstance(node, ScopeNode | Receive) and node.body is not None
        }
        self._by_place: dict[tuple[str, str], list[Handler]] = {}
        for handler in graph.handlers:
            place = ("node", handler.node) if handler.node else ("scope", handler.scope or "")
            if next(timers_in(handler.trigger), None) is not None:
                self._by_place.setdefault(place, []).append(handler)
        self._bounds: dict[str, Bound | None] = {}
        self._watched: dict[str, bool] = {}

    def timers_on(self, node: str) -> list[Handler]:
        """The handlers of a node that have a timer."""
        return self._by_place.get(("node", node), [])

    def timers_of(self, scope: str) -> list[Handler]:
        """The handlers of a scope that have a timer."""
        return self._by_place.get(("scope", scope), [])

    def bound_of(self, node: Node) -> Bound | None:
        """What surely stops a node first, of what guards it or is around it."""
        return _first(self.timers_on(node.id), self.bound_in(node.scope))

    def bound_in(self, scope: str) -> Bound | None:
        """What surely stops a scope first, of its own and of what is around it."""
        chain = self._chain(scope, self._bounds)
        bound = self._bounds.get(self._around(chain[-1])) if chain else self._bounds[scope]
        for one in reversed(chain):
            owner = self.owners.get(one)
            on_owner = [] if owner is None else self.timers_on(owner.id)
            bound = _first([*self.timers_of(one), *on_owner], bound)
            self._bounds[one] = bound
        return bound

    def is_watched(self, scope: str) -> bool:
        """Whether the scope, or one around it, has a timer of any kind."""
        chain = self._chain(scope, self._watched)
        known = self._watched.get(self._around(chain[-1])) if chain else self._watched[scope]
        is_watched = bool(known)
        for one in reversed(chain):
            owner = self.owners.get(one)
            has_own = bool(self.timers_of(one)) or (
                owner is not None and bool(self.timers_on(owner.id))
            )
            is_watched = self._watched[one] = is_watched or has_own
        return is_watched

    def _around(self, scope: str) -> str:
        return self._parents.get(scope) or ""

    def _chain(self, scope: str, known: dict[str, Bound | None] | dict[str, bool]) -> list[str]:
        """The scopes outwards as far as they are not known yet."""
        chain: list[str] = []
        seen: set[str] = set()
        one: str | None = scope
        while one is not None and one not in known and one not in seen:
            seen.add(one)
            chain.append(one)
            one = self._parents.get(one)
        return chain


def _first(handlers: list[Handler], bound: Bound | None) -> Bound | None:
    for handler in handlers:
        trigger = handler.trigger
        stops = handler.is_interrupting or handler.raises is not None
        length = limit_of(trigger) if stops and isinstance(trigger, TimerTrigger) else None
        if length is None:
            continue
        if bound is None or most_ms(length) < bound.most_ms:
            bound = Bound(most_ms(length), length, handler)
    return bound
