"""What happens to a variable in one branch while another one runs.

Source: BPMN 2.0.2 13.4.1, 13.3.7; DSL reference, Fork (whose branches have copies).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final

from diglot.compiler.graph import (
    Constant,
    Emit,
    EscalationTrigger,
    EventTrigger,
    Graph,
    Raise,
    Receive,
    ScopeNode,
    SeveralTrigger,
)

from .flow import TooMuch
from .lanes import Crossing, Lane, Lanes, crossings
from .uses import Spot, Use, Uses
from .variables import Variables

#: How many splits are looked at around all uses together.
_MOST_CROSSINGS: Final = 300_000

_Split = tuple[Lane, str]


@dataclass(slots=True)
class Beside:
    """The variables that one branch writes and another one uses, and who does it.

    `pairs` are two uses by split, one of each kind; `repeated` are writes in runs that go on side
    by side, of what all of them have in common.
    """

    contended: int = 0
    pairs: list[tuple[Use, Use]] = field(default_factory=list[tuple[Use, Use]])
    repeated: list[tuple[Use, ScopeNode]] = field(default_factory=list[tuple[Use, ScopeNode]])


@dataclass(slots=True)
class _Branches:
    """What the branches of one split do to variables, and which of them send and hear."""

    written: int = 0
    used: int = 0
    used_twice: int = 0
    sending: set[int] = field(default_factory=set[int])
    hearing: set[int] = field(default_factory=set[int])


def beside(graph: Graph, uses: Uses, lanes: Lanes) -> Beside:
    """What the lanes of a graph do to each other's variables.

    Raises:
        TooMuch: there are more splits inside each other than anybody draws.
    """
    return _Beside(graph, uses, lanes).found()


class _Beside:
    def __init__(self, graph: Graph, uses: Uses, lanes: Lanes) -> None:
        self._graph = graph
        self._uses = uses
        self._variables: Variables = uses.variables
        self._lanes = lanes
        self._splits: dict[_Split, _Branches] = {}
        self._scope_of = {node.id: node.scope for node in graph.nodes}
        for handler in graph.handlers:
            guarded = handler.scope or self._scope_of.get(handler.node or "")
            self._scope_of.setdefault(handler.id, guarded or graph.root)
        self._left = _MOST_CROSSINGS

    def found(self) -> Beside:
        """Everything there is to find."""
        found = Beside()
        written: dict[Lane, int] = {}
        used: dict[Lane, int] = {}
        for spot, deeds in self._uses.deeds.items():
            lane = self.lane(spot)
            if lane is None or lane.outer is None:
                continue
            shared = ~self._private(spot)
            # What somebody else decides may be written, too.
            writes = (deeds.writes | deeds.may) & shared
            written[lane] = written.get(lane, 0) | writes
            used[lane] = used.get(lane, 0) | writes | (deeds.reads & shared)
        for lane in _from_inside(used):
            assert lane.outer is not None
            if lane.outer.outer is not None:
                written[lane.outer] = written.get(lane.outer, 0) | written.get(lane, 0)
                used[lane.outer] = used.get(lane.outer, 0) | used[lane]
            branches = self._branches(lane.outer, lane.split)
            branches.written |= written.get(lane, 0)
            branches.used_twice |= branches.used & used[lane]
            branches.used |= used[lane]
        for branches in self._splits.values():
            found.contended |= branches.written & branches.used_twice
        if found.contended:
            self._mark_events()
            self._find_pairs(found)
        self._find_repeated(found)
        return found

    def lane(self, spot: Spot) -> Lane | None:
        """The lane of a point."""
        kind, id = spot
        if kind in ("node", "begin"):
            return self._lanes.of_node.get(id)
        return (self._lanes.of_handler if kind == "handler" else self._lanes.of_scope).get(id)

    def _private(self, spot: Spot) -> int:
        """The variables of which a branch around a point has copies."""
        if not self._variables.copies:
            return 0
        private = 0
        at = self._scope_of.get(spot[1], spot[1])
        parents = self._variables.parents
        for _ in range(len(parents)):
            if at in self._variables.copies:
                private |= self._variables.copied(at)
            outer = parents.get(at)
            if outer is None:
                break
            at = outer
        return private

    def _crossings(self, lane: Lane | None) -> Iterator[Crossing]:
        for crossing in crossings(lane):
            self._left -= 1
            if self._left < 0:
                raise TooMuch
            yield crossing

    def _branches(self, outer: Lane, split: str) -> _Branches:
        found = self._splits.get((outer, split))
        if found is None:
            found = self._splits[outer, split] = _Branches()
        return found

    def _mark_events(self) -> None:
        """Note which branches send something, and which wait for something that was sent.

        A value that somebody waits for is sent by who writes it. Who reads in the one branch what
        was written in the other before may be meant to.
        """
        sending: list[Lane | None] = []
        hearing: list[Lane | None] = []
        for node in self._graph.nodes:
            if isinstance(node, Emit) or (isinstance(node, Raise) and node.escalation is not None):
                sending.append(self._lanes.of_node.get(node.id))
            elif isinstance(node, Receive):
                hearing.append(self._lanes.of_node.get(node.id))
        for handler in self._graph.handlers:
            if isinstance(handler.trigger, EventTrigger | SeveralTrigger | EscalationTrigger):
                hearing.append(self._lanes.of_handler.get(handler.id))
        awaited = 0
        for use in self._uses.found:
            if use.kind == "awaited":
                awaited |= use.bit
                hearing.append(self.lane(use.spot))
        sending += [
            self.lane(use.spot)
            for use in self._uses.found
            if use.bit & awaited and use.kind in ("write", "update")
        ]
        for lane in _with_outer(sending):
            if lane.outer is not None:
                self._branches(lane.outer, lane.split).sending.update(lane.branches)
        for lane in _with_outer(hearing):
            if lane.outer is not None:
                self._branches(lane.outer, lane.split).hearing.update(lane.branches)

    def _find_pairs(self, found: Beside) -> None:
        by_bit: dict[int, list[Use]] = {}
        for use in self._uses.found:
            if (
                use.bit & found.contended
                and not use.is_private
                and use.kind in ("read", "write", "update")
            ):
                by_bit.setdefault(use.bit, []).append(use)
        for uses in by_bit.values():
            found.pairs.extend(self._pairs(uses))

    def _pairs(self, uses: list[Use]) -> Iterator[tuple[Use, Use]]:
        """For each split the first two writes, or else the first write and reading."""
        met: dict[_Split, list[tuple[frozenset[int], Use]]] = {}
        told: set[_Split] = set()
        reading: dict[_Split, tuple[Use, Use]] = {}
        for use in uses:
            for crossing in self._crossings(self.lane(use.spot)):
                split = (crossing.outer, crossing.split)
                others = met.setdefault(split, [])
                for branches, other in others:
                    if split in told or not branches.isdisjoint(crossing.branches):
                        continue
                    if self._is_told(split, branches, crossing.branches):
                        continue
                    if _clash(use, other):
                        told.add(split)
                        yield other, use
                    elif _depends(use, other):
                        reading.setdefault(split, (other, use))
                known = {(branches, one.kind) for branches, one in others}
                # A few of each kind are enough to find two that clash.
                if (crossing.branches, use.kind) not in known and len(others) < _ENOUGH:
                    others.append((crossing.branches, use))
        yield from (pair for split, pair in reading.items() if split not in told)

    def _is_told(self, split: _Split, some: frozenset[int], others: frozenset[int]) -> bool:
        """Whether branches may wait for each other by events."""
        found = self._branches(*split)
        if not found.sending or not found.hearing:
            return False
        return (not found.sending.isdisjoint(some) and not found.hearing.isdisjoint(others)) or (
            not found.sending.isdisjoint(others) and not found.hearing.isdisjoint(some)
        )

    def _find_repeated(self, found: Beside) -> None:
        parents = self._variables.parents
        # What is read of a run when it is over is collected.
        collected = {(use.spot[1], use.bit) for use in self._uses.found if use.spot[0] == "leave"}
        for use in self._uses.found:
            if use.kind != "write" or use.is_private or isinstance(use.value, Constant):
                continue
            lane = self.lane(use.spot)
            inside: set[str] | None = None
            while lane is not None:
                if lane.each is not None:
                    if inside is None:
                        inside = _around(self._variables.places_of(use.bit)[0][0].holder, parents)
                    body = lane.each.body
                    if body not in inside and (body, use.bit) not in collected:
                        found.repeated.append((use, lane.each))
                        break
                lane = lane.outer


_ENOUGH: Final = 8


def _with_outer(lanes: Iterable[Lane | None]) -> set[Lane]:
    """Lanes, and all that they are in."""
    found: set[Lane] = set()
    for lane in lanes:
        while lane is not None and lane not in found:
            found.add(lane)
            lane = lane.outer
    return found


def _from_inside(lanes: Iterable[Lane]) -> list[Lane]:
    """Lanes and all that they are in but the outermost, the inner ones first."""
    found = [lane for lane in _with_outer(lanes) if lane.outer is not None]
    return sorted(found, key=lambda lane: (-lane.depth, lane.split, min(lane.branches)))


def _clash(one: Use, other: Use) -> bool:
    """Whether two writes may undo each other; changes of what is there do not."""
    kinds = {one.kind, other.kind}
    if kinds - {"write", "update"} or kinds == {"update"}:
        return False
    is_same = isinstance(one.value, Constant) and one.value == other.value
    return not is_same


def _depends(one: Use, other: Use) -> bool:
    """Whether one reads what the other writes."""
    return (one.kind == "read") != (other.kind == "read")


def _around(scope: str, parents: dict[str, str | None]) -> set[str]:
    """A scope and all that it stands in."""
    found: set[str] = set()
    at: str | None = scope
    while at is not None and at not in found:
        found.add(at)
        at = parents.get(at)
    return found
