"""A scope of a graph as a net: what each node does with tokens, and nothing else.

What is inside an activity is another scope's matter; from outside it is one step that may end in
several ways. What ends the whole scope takes every token with it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from diglot.compiler.graph import (
    Choice,
    Compensate,
    End,
    Flow,
    Graph,
    Handler,
    Inclusive,
    Join,
    Node,
    Race,
    Raise,
    Scope,
    Start,
)

from ..ways import Ways
from .net import Net, Transition


class Move(NamedTuple):
    """What a transition of a net is: a node that was done, and the flows it left by."""

    node: str
    flows: tuple[str, ...]


class Untold(Exception):
    """Something in the scope has no form as a net; the node says what."""

    def __init__(self, node: Node, why: str) -> None:
        super().__init__(why)
        self.node = node


@dataclass(frozen=True, slots=True)
class ScopeNet:
    """The net of a scope, with what its transitions and places stand for."""

    net: Net
    moves: tuple[Move, ...]
    #: Of each place the node that its token waits at, and the flow where the node keeps them apart.
    places: tuple[tuple[str, str], ...]


@dataclass(slots=True)
class _Making:
    places: dict[tuple[str, str], int] = field(default_factory=dict[tuple[str, str], int])
    steps: list[Transition] = field(default_factory=list[Transition])
    moves: list[Move] = field(default_factory=list[Move])
    #: Flows that have a condition.
    asked: set[str] = field(default_factory=set[str])

    def place(self, node: str, flow: str = "") -> int:
        return self.places.setdefault((node, flow), len(self.places))

    def is_certain(self, flow: str) -> bool:
        """Whether a flow is taken whatever is true."""
        return flow not in self.asked


def net_of(graph: Graph, ways: Ways, scope: Scope, handlers: dict[str, list[Handler]]) -> ScopeNet:
    """The net of a scope; `handlers` are those of each node.

    Raises:
        Untold: it has none.
    """
    nodes = ways.nodes_of(scope.id)
    making = _Making(asked={flow.id for flow in graph.flows if flow.condition is not None})
    begin = making.place("")
    starts = [one for one in nodes if one.id == scope.start]
    if scope.parent is None:
        starts += [one for one in nodes if isinstance(one, Start) and one.id != scope.start]
    for start in starts:
        _step(making, (begin,), (making.place(start.id),), Move("", ()))
    entering: dict[str, list[Flow]] = {}
    for node in nodes:
        for flow in ways.leaving(node.id):
            entering.setdefault(flow.target, []).append(flow)
    kinds = {node.id: node for node in nodes}
    for node in nodes:
        if node.start_quantity != 1:
            raise Untold(node, "it needs several tokens")
        leaving = ways.leaving(node.id)
        if any(flow.quantity != 1 for flow in leaving):
            raise Untold(node, "its flows carry several tokens")
        _add(making, node, entering.get(node.id, []), leaving, handlers.get(node.id, []), kinds)
    net = Net(len(making.places), tuple(making.steps), (begin,))
    return ScopeNet(net, tuple(making.moves), tuple(making.places))


def _step(
    making: _Making, takes: Sequence[int], gives: Sequence[int], move: Move, *, is_end: bool = False
) -> None:
    _put(making, Transition(tuple(takes), tuple(gives), is_end), move)


def _put(making: _Making, step: Transition, move: Move) -> None:
    making.steps.append(step)
    making.moves.append(move)


def _add(
    making: _Making,
    node: Node,
    entering: list[Flow],
    leaving: Sequence[Flow],
    handlers: list[Handler],
    kinds: dict[str, Node],
) -> None:
    given = {flow.id: _goal(making, flow, kinds) for flow in leaving}
    onward = [flow.id for flow in leaving if flow.role == "sequence"]
    if isinstance(node, Join):
        if node.need is not None and node.need != len(entering):
            raise Untold(node, "it waits for some of its flows")
        takes = [making.place(node.id, flow.id) for flow in entering]
        if takes:
            _step(making, takes, [given[one] for one in onward], Move(node.id, tuple(onward)))
        return
    if isinstance(node, Inclusive):
        _add_inclusive(making, node, entering, given)
        return
    if isinstance(node, End) or (not leaving and not isinstance(node, Start)):
        ends = isinstance(node, Raise) and node.escalation is None
        ends = ends or (isinstance(node, End) and node.effect != "none")
        ends = ends or (isinstance(node, Compensate) and node.cancels)
        for place in _waiting(making, node, entering):
            _step(making, (place,), (), Move(node.id, ()), is_end=ends)
        return
    place = making.place(node.id)
    for flows in _alternatives(node, leaving, onward, handlers):
        gives = [given[one] for one in flows]
        _step(making, (place,), gives, Move(node.id, flows))
    if (isinstance(node, Raise) and node.escalation is None) or any(
        handler.raises is not None for handler in handlers
    ):
        _step(making, (place,), (), Move(node.id, ()), is_end=True)


def _add_inclusive(
    making: _Making, node: Inclusive, entering: list[Flow], given: dict[str, int]
) -> None:
    """What is always taken is taken alone or with some of the others; the default goes alone."""
    if node.activation is not None:
        raise Untold(node, "it decides itself when it has enough")
    takes = [making.place(node.id, flow.id) for flow in entering] or [making.place(node.id)]
    awaits = len(takes) > 1
    branches = [flow for flow in node.branches or given if flow != node.default and flow in given]
    always = [flow for flow in branches if making.is_certain(flow)]
    others = [flow for flow in branches if not making.is_certain(flow)]
    alone = [always] if always or not given else [[node.default]] if node.default in given else []
    for flows in alone:
        gives = tuple(given[flow] for flow in flows if flow)
        _put(making, Transition(tuple(takes), gives, awaits=awaits), Move(node.id, tuple(flows)))
    if others:
        gives, some = (tuple(given[flow] for flow in part) for part in (always, others))
        step = Transition(tuple(takes), gives, some=some, awaits=awaits)
        _put(making, step, Move(node.id, (*always, *others)))


def _waiting(making: _Making, node: Node, entering: list[Flow]) -> Iterator[int]:
    """Where tokens come to an end: each flow has its own place, as none waits for another."""
    for flow in entering:
        yield making.place(node.id, flow.id)
    if (node.id, "") in making.places:
        yield making.places[node.id, ""]


def _goal(making: _Making, flow: Flow, kinds: dict[str, Node]) -> int:
    node = kinds[flow.target]
    keeps_apart = isinstance(node, Join | End | Inclusive)
    return making.place(flow.target, flow.id if keeps_apart else "")


def _alternatives(
    node: Node, leaving: Sequence[Flow], onward: list[str], handlers: list[Handler]
) -> Iterator[tuple[str, ...]]:
    """The flows that a token leaves a node by, for each way it may go."""
    if isinstance(node, Choice):
        yield from (
            (flow,) for flow in dict.fromkeys((*node.branches, *filter(None, (node.default,))))
        )
    elif isinstance(node, Race):
        yield from ((flow,) for flow in onward)
    elif not (isinstance(node, Raise) and node.escalation is None):
        yield tuple(onward)
    skipping = tuple(flow.id for flow in leaving if flow.role == "skip")
    if skipping:
        yield skipping
    for handler in handlers:
        if handler.flow is not None:
            yield (handler.flow,) if handler.is_interrupting else (*onward, handler.flow)
