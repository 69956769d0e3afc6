"""Where the tokens of scope visits stand, as seen from the merges that may have to wait for them.

A board is made from a state when it is needed first and then follows every move of a token. What a
move costs grows neither with the tokens nor with the process: each merge that waits counts the
tokens that keep it waiting by the kind of their node (`reach`), and only merges that wait are told.
A few that do no longer wait go on counting, for where they are in a loop they soon wait again.

Source: BPMN 2.0.2 13.4.3, Table 13.3.
"""

from __future__ import annotations

import heapq
from typing import TYPE_CHECKING

from diglot.compiler.graph import Inclusive

if TYPE_CHECKING:
    from diglot.runtime.plan import Plan
    from diglot.runtime.reach import Reach
    from diglot.runtime.state import State


#: So many merges of a scope visit go on counting though they do not wait.
IDLE = 8


class Waiting:
    """A merge that waits in one scope visit for what can still come.

    `marked` are the incoming flows that have a token, or had one in the first phase (`kept`).
    `blocking` is the number of tokens that can come to an incoming flow, but to none that is
    marked.
    """

    __slots__ = ("blocking", "counts", "is_listed", "kept", "marked", "node", "reach", "scope")

    def __init__(self, scope: int, node: str, reach: Reach, kept: int) -> None:
        self.scope = scope
        self.node = node
        self.reach = reach
        self.marked = self.kept = kept
        #: Tokens by the kind of their node; and whether it stands among those that are ready.
        self.counts: dict[int, int] = {}
        self.blocking = 0
        self.is_listed = False

    @property
    def is_ready(self) -> bool:
        """Whether nothing that it has to wait for can come any more."""
        return self.blocking == 0 and self.marked != 0

    def count(self, kind: int, change: int) -> None:
        """A token came to a node of this kind, or tokens left one."""
        count = self.counts.get(kind, 0) + change
        if count:
            self.counts[kind] = count
        else:
            del self.counts[kind]
        if not self.reach.masks[kind] & self.marked:
            self.blocking += change

    def mark(self, bit: int) -> None:
        """An incoming flow has a token that had none."""
        self.blocking -= self._unmarked(bit)
        self.marked |= bit

    def unmark(self, bit: int) -> None:
        """An incoming flow has no token any more."""
        self.marked &= ~bit
        self.blocking += self._unmarked(bit)

    def _unmarked(self, bit: int) -> int:
        """How many tokens can come to a flow, and to none that is marked."""
        masks = self.reach.masks
        return sum(
            self.counts[kind]
            for kind in self.reach.holding(bit, self.counts)
            if not masks[kind] & self.marked
        )


class Board:
    """The merges that wait in one instance, and what they look at."""

    def __init__(self, plan: Plan, state: State) -> None:
        self._gates = plan.gates
        self._state = state
        #: How many tokens stand before or in a node, by scope visit.
        self._places: dict[int, dict[str, int]] = {}
        #: How many tokens stand before a merge, by incoming flow.
        self.before: dict[tuple[int, str], dict[str, int]] = {}
        self._waiting: dict[int, dict[str, Waiting]] = {}
        #: Those among them that have no token and only count, the longest first.
        self._idle: dict[int, dict[str, None]] = {}
        #: Merges that may be ready, the one whose token is the oldest first.
        self._ready: list[tuple[int, int, str]] = []
        for arrival in state.arrivals.values():
            self._move(arrival.scope, arrival.node, 1, arrival.flow or "", is_new=True)
        for visit in state.visits.values():
            self._move(visit.scope, visit.node, 1, visit.race, is_new=True)
        for scope, node in list(self.before):
            self._begin(scope, node)
        for entered in state.scopes.values():
            for node in entered.gates:
                self._begin(entered.id, node)

    # -- following the state

    def follow(self) -> None:
        """Catch up with the moves of one event, which has been applied."""
        moves = self._state.moves
        if moves:
            for scope, node, change, what in moves:
                self._move(scope, node, change, what)
            moves.clear()

    def turn(self, scope: int, node: str) -> None:
        """A complex gateway goes to its other phase."""
        if node in self._gates.merges:
            self._end(scope, node)
            self._begin(scope, node)

    def clear(self, scope: int) -> None:
        """No merge of a scope visit waits any more."""
        self._waiting.pop(scope, None)
        self._idle.pop(scope, None)

    def _move(
        self, scope: int, node: str, change: int, what: str | int | None, *, is_new: bool = False
    ) -> None:
        if node not in self._gates.watched:
            return
        # A race is one token, which stands at its gateway until it is decided.
        place = self._gates.raced.get(node, node) if isinstance(what, int) else node
        places = self._places.setdefault(scope, {})
        count = places.get(place, 0) + change
        if count:
            places[place] = count
        else:
            del places[place]
        waiting = self._waiting.get(scope)
        if waiting:
            self._tell(waiting, place, change)
        if isinstance(what, str) and node in self._gates.merges:
            self._arrive(scope, node, what, change, is_new=is_new)

    def _tell(self, waiting: dict[str, Waiting], node: str, change: int) -> None:
        if len(waiting) <= 2 * IDLE:
            for found in waiting.values():
                kind = found.reach.kind(node)
                if kind is not None:
                    found.count(kind, change)
                    self._list(found)
            return
        for merge, kind in self._gates.leads_to(node):
            if merge in waiting:
                waiting[merge].count(kind, change)
                self._list(waiting[merge])

    def _arrive(self, scope: int, node: str, flow: str, change: int, *, is_new: bool) -> None:
        """A token came before a merge, or left from there."""
        flows = self.before.setdefault((scope, node), {})
        count = flows.get(flow, 0) + change
        if count:
            flows[flow] = count
        else:
            del flows[flow]
            if not flows:
                del self.before[scope, node]
        if is_new:
            return
        found = self._waiting.get(scope, {}).get(node)
        if found is None:
            self._begin(scope, node)
            return
        bit = found.reach.bits.get(flow, 0)
        if bit & found.kept:
            return
        if count == 0:
            found.unmark(bit)
            if not found.marked:
                self._rest(found)
        elif count == change:
            if not found.marked:
                self._idle.get(scope, {}).pop(node, None)
            found.mark(bit)
        self._list(found)

    # -- merges that wait

    def _begin(self, scope: int, node: str) -> None:
        """Let a merge wait, where there is something that lets it."""
        merge = self._gates.merges.get(node)
        if merge is None:
            return
        assert isinstance(merge.node, Inclusive)
        kept = self._state.scopes[scope].gates.get(node, {})
        before = self.before.get((scope, node), {})
        if not kept and (not before or merge.node.activation is not None):
            return
        reach = self._gates.reach(node)
        found = Waiting(scope, node, reach, _bits(reach, kept))
        found.marked |= _bits(reach, before)
        for place, count in self._places.get(scope, {}).items():
            kind = reach.kind(place)
            if kind is not None:
                found.count(kind, count)
        self._waiting.setdefault(scope, {})[node] = found
        self._list(found)

    def _rest(self, found: Waiting) -> None:
        """The last token before a merge is gone: it only counts from here on, or not even that."""
        idle = self._idle.setdefault(found.scope, {})
        idle[found.node] = None
        if len(idle) > IDLE:
            self._end(found.scope, next(iter(idle)))

    def _end(self, scope: int, node: str) -> None:
        self._idle.get(scope, {}).pop(node, None)
        waiting = self._waiting.get(scope, {})
        waiting.pop(node, None)
        if not waiting:
            self._waiting.pop(scope, None)

    def _list(self, found: Waiting) -> None:
        if found.is_ready and not found.is_listed:
            found.is_listed = True
            heapq.heappush(self._ready, self._place_in_line(found))

    def _place_in_line(self, found: Waiting) -> tuple[int, int, str]:
        standing = self._state.at.get((found.scope, found.node))
        return (standing[0] if standing else 0), found.scope, found.node

    def next_ready(self) -> tuple[int, str] | None:
        """A merge that waits for nothing any more, as (scope visit, node)."""
        while self._ready:
            place = heapq.heappop(self._ready)
            found = self._waiting.get(place[1], {}).get(place[2])
            if found is None or not found.is_listed:
                continue
            found.is_listed = False
            if found.is_ready:
                if place == self._place_in_line(found):
                    return found.scope, found.node
                self._list(found)
        return None


def _bits(reach: Reach, flows: dict[str, int]) -> int:
    return sum(reach.bits.get(flow, 0) for flow in flows)


def board_of(plan: Plan, state: State) -> Board | None:
    """The board of a state, made where there is none; nothing where no merge may have to wait."""
    if not plan.gates.merges:
        return None
    if state.board is None:
        state.board = Board(plan, state)
        state.moves = []
    board: Board = state.board
    return board
