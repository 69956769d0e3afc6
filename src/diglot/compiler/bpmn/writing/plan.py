"""Which scopes have a shape of their own, and which are drawn where they are entered.

A scope that is folded stands in the sheet of the one around it: its nodes are drawn there, and its
start, its ends and the node that enters it are absorbed by what is before and behind them.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum, auto
from typing import Final

from ...graph import (
    Assign,
    Call,
    Choice,
    End,
    Flow,
    Fork,
    Handler,
    Inclusive,
    Join,
    Node,
    Pass,
    Race,
    Receive,
    Scope,
    ScopeNode,
    Start,
    Task,
)
from .hidden import is_hidden
from .lookup import Lookup
from .view import View


class Fold(Enum):
    """How a scope is drawn."""

    #: As a sub-process.
    NESTED = auto()
    #: As the one activity in it, with everything that is attached to what enters the scope.
    ALONE = auto()
    #: Where it is entered.
    FLAT = auto()
    #: Not at all: there is nothing in it.
    EMPTY = auto()


#: Scopes that authors see as such stay what they are.
_FOLDABLE: Final = frozenset(
    {"sequence", "branches", "branch", "loop", "try", "handler", "function", "extension"}
)
#: What one activity is drawn as.
_ACTIVITIES: Final = (Task, Assign, Call, Pass)


class Plan:
    """The folds of one graph for one view."""

    def __init__(self, lookup: Lookup, view: View, hidden: frozenset[str]) -> None:
        self._lookup = lookup
        self._hidden = hidden
        self._view: View = view
        self._folds: dict[str, Fold] = {}

    def fold(self, scope: Scope) -> Fold:
        """How a scope is drawn."""
        found = self._folds.get(scope.id)
        if found is None:
            # Scopes that enter each other are no reason to search for ever.
            self._folds[scope.id] = Fold.NESTED
            found = self._folds[scope.id] = self._decide(scope)
        return found

    def _decide(self, scope: Scope) -> Fold:
        lookup = self._lookup
        owner = lookup.owners.get(scope.id)
        if scope.form not in _FOLDABLE or owner is None or isinstance(owner, Receive):
            return Fold.NESTED
        if len(lookup.nodes_of(scope.id)) <= 2 and self._only(scope) is None:
            return Fold.EMPTY if self._is_empty(scope) else Fold.NESTED
        only = self._only(scope)
        if only is not None and self._can_stand_alone(scope, owner, only):
            return Fold.ALONE
        if self._can_be_flat(scope, owner):
            return Fold.FLAT
        return Fold.NESTED

    def only(self, scope: Scope) -> Node | None:
        """The one node between the start and the end of a scope, where it has no more."""
        return self._only(scope)

    # -- one activity

    def _only(self, scope: Scope) -> Node | None:
        lookup = self._lookup
        nodes = lookup.nodes_of(scope.id)
        start = lookup.start_of(scope)
        inner = [node for node in nodes if not isinstance(node, Start | End)]
        # What a caller gives to a function is told with the call.
        given = [node for node in inner if isinstance(node, Assign) and node.id.endswith("#with")]
        if len(given) == 1 and scope.form == "function":
            inner.remove(given[0])
        if start is None or len(inner) != 1 or len(nodes) != 3 + len(given):
            return None
        chain = [start, *given, inner[0]]
        for one, following in zip(chain, [*chain[1:], None], strict=True):
            flows = list(lookup.all_leaving(one.id))
            if len(flows) != 1 or flows[0].role != "sequence":
                return None
            target = lookup.nodes.get(flows[0].target)
            if following is None:
                if not isinstance(target, End) or target.effect != "none":
                    return None
            elif target is not following:
                return None
            if len(list(lookup.leading(flows[0].target))) != 1:
                return None
        return inner[0]

    def _can_stand_alone(self, scope: Scope, owner: Node | Handler, only: Node) -> bool:
        """Whether one shape can carry all that is attached to what enters the scope and to it."""
        if not self._is_activity(only) or only.guard is not None or only.start_quantity != 1:
            return False
        lookup = self._lookup
        is_own = isinstance(owner, ScopeNode) and only.pointer == owner.pointer
        around = [*lookup.guarding_scope(scope.id)]
        loops = False
        if isinstance(owner, ScopeNode):
            around += self._shown(owner)
            loops = any(one is not None for one in (owner.multi, owner.loop, owner.ad_hoc))
        own = list(lookup.guarding_node(only.id))
        is_decorated = bool(around) or loops
        if not is_decorated:
            return True
        if own and not (is_own and all(one.activity is not None for one in own)):
            return False
        if isinstance(only, ScopeNode) and self._is_decorated(only):
            return False
        return is_own or scope.form == "branch" or self._view == "business"

    def _is_activity(self, node: Node) -> bool:
        if isinstance(node, ScopeNode):
            body = self._lookup.scopes.get(node.body)
            return body is not None and self.fold(body) is not Fold.FLAT
        return isinstance(node, _ACTIVITIES)

    def _is_decorated(self, node: ScopeNode) -> bool:
        lookup = self._lookup
        body = lookup.scopes.get(node.body)
        handled = (*lookup.guarding_node(node.id), *lookup.guarding_scope(node.body))
        if any((node.multi, node.loop, node.ad_hoc, *handled)) or body is None:
            return True
        if self.fold(body) is Fold.ALONE:
            only = self._only(body)
            if isinstance(only, ScopeNode):
                return self._is_decorated(only)
            return only is not None and any(True for _ in lookup.guarding_node(only.id))
        return False

    def _is_empty(self, scope: Scope) -> bool:
        lookup = self._lookup
        start = lookup.start_of(scope)
        flows = [] if start is None else list(lookup.all_leaving(start.id))
        end = lookup.nodes.get(flows[0].target) if len(flows) == 1 else None
        return (
            isinstance(end, End)
            and end.effect == "none"
            and not any(True for _ in lookup.guarding_scope(scope.id))
        )

    # -- where it is entered

    def _can_be_flat(self, scope: Scope, owner: Node | Handler) -> bool:
        lookup = self._lookup
        if isinstance(owner, ScopeNode):
            if any((owner.multi, owner.loop, owner.ad_hoc)) or self._handled(owner):
                return False
        elif scope.form != "handler":
            return False
        if any(True for _ in lookup.guarding_scope(scope.id)):
            return False
        nodes = lookup.nodes_of(scope.id)
        if any(isinstance(node, End) and node.effect != "none" for node in nodes):
            return False
        if scope.form == "branches":
            return self._is_parallel(nodes)
        if scope.form == "branch":
            return self._is_chain(scope, nodes)
        # A few steps in a row need no frame, whatever they are called together.
        return (
            self._view == "business"
            and scope.form in ("sequence", "function", "handler", "extension")
            and len(nodes) <= _FEW
            and self._is_chain(scope, nodes)
        )

    def _is_parallel(self, nodes: list[Node]) -> bool:
        """Whether a token comes in by one fork and goes out by one join."""
        lookup = self._lookup
        forks = [node for node in nodes if isinstance(node, Fork)]
        joins = [node for node in nodes if isinstance(node, Join)]
        others = [node for node in nodes if not isinstance(node, Fork | Join | Start | End)]
        return (
            len(forks) == len(joins) == 1
            and len(lookup.ends_of(nodes[0].scope)) == 1
            and all(isinstance(node, ScopeNode) and not self._handled(node) for node in others)
        )

    def _handled(self, node: Node) -> bool:
        return any(True for _ in self._shown(node))

    def _shown(self, node: Node) -> Iterator[Handler]:
        """The handlers of a node that are drawn."""
        for handler in self._lookup.guarding_node(node.id):
            if not is_hidden(self._lookup, handler, self._hidden):
                yield handler

    def _is_chain(self, scope: Scope, nodes: list[Node]) -> bool:
        """Whether one token goes in, at most one is inside, and one goes out."""
        lookup = self._lookup
        if any(isinstance(node, Fork | Join | Inclusive | Race) for node in nodes):
            return False
        start = lookup.start_of(scope)
        ends = lookup.ends_of(scope.id)
        if start is None or len(ends) != 1:
            return False
        first = list(lookup.all_leaving(start.id))
        if len(first) != 1 or len(list(lookup.leading(first[0].target))) != 1:
            return False
        last = [one for one in lookup.leading(ends[0].id) if one.source not in self._hidden]
        return bool(last) and (len(last) > 1 or self._leaves_once(last[0]))

    def _leaves_once(self, flow: Flow) -> bool:
        source = self._lookup.nodes.get(flow.source)
        return source is not None and not isinstance(source, Choice) and source.guard is None


_FEW: Final = 5
