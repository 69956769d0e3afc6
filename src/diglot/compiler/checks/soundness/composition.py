"""The processes of one file as one net: what one sends is a token that another one takes.

Each process runs once. A message stays until it is taken, and whichever fits may be taken. What
nobody in the file sends comes from outside whenever it is awaited, and what nobody in it awaits
goes there.

Source: BPMN 2.0.2 9.4; Houhou, Baarir, Poizat, Quéinnec, Kahloul, A first-order logic verification
framework for communication-parametric and time-aware BPMN collaborations (2022).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from diglot.compiler.graph import Emit, End, Graph, Handler, Node, Race, Receive, Scope, ScopeNode

from ..listeners import Listener, listeners, senders
from .net import Transition, coming_to
from .scope_net import Move, ScopeNet, net_of
from .surroundings import Surroundings

#: A place of the whole: the process and scope it is of, the node and flow, or what it stands for.
Place = tuple[str, str, str, str]

#: What the places of the whole that are in no net of a scope stand for, instead of a flow.
INSIDE: Final = "#inside"
ARMED: Final = "#armed"
BROKEN_OFF: Final = "#broken"
ENDED: Final = "#ended"
MESSAGE: Final = "#message"


class Step(NamedTuple):
    """One step of one node of one process.

    It can be taken if there is a token on each place of `takes` and `needs`, and none on any of
    `empty`. Then every token on `clears` goes. With `awaits`, by place of `takes` what comes there,
    it takes what is there and waits for what can still come, as a `Transition` does.
    """

    process: str
    move: Move
    takes: tuple[int, ...]
    gives: tuple[int, ...]
    some: tuple[int, ...] = ()
    needs: tuple[int, ...] = ()
    clears: frozenset[int] = frozenset()
    empty: frozenset[int] = frozenset()
    awaits: Mapping[int, frozenset[int]] | None = None


@dataclass(frozen=True, slots=True)
class Whole:
    """The net of all processes; `places` say what each is, by number.

    `messages` hold what is under way, `ends` how often an end has been come to, `idle` are the
    beginnings of processes, whose tokens may stay, and on `several` more than one may gather.
    Those of `inside` say that an activity is at work inside; of two tokens there it would not be
    told which of them is where.
    """

    places: tuple[Place, ...]
    steps: tuple[Step, ...]
    marked: tuple[int, ...]
    messages: frozenset[int]
    ends: frozenset[int]
    idle: frozenset[int]
    several: frozenset[int]
    inside: frozenset[int]


def whole_of(graphs: Sequence[Graph], doubted: Collection[str] = ()) -> Whole:
    """The net of the processes of a file; conditions of flows that are `doubted` cannot be read.

    Raises:
        Untold: something in them has no form as a net.
    """
    making = _Making()
    parts = [_Process(making, graph, doubted) for graph in graphs]
    sent = {one.name for graph in graphs for one in senders(graph) if one.kind == "message"}
    heard = {
        name for part in parts for names in part.heard.values() for name in names if name in sent
    }
    for part in parts:
        part.compose(heard)
    places = tuple(making.places)
    return Whole(
        places=places,
        steps=tuple(making.steps),
        marked=tuple(making.begins),
        messages=frozenset(n for n, place in enumerate(places) if place[3] == MESSAGE),
        ends=frozenset(n for n, place in enumerate(places) if place[3] == ENDED),
        idle=frozenset(making.begins),
        several=frozenset(place for part in parts for place in part.several()),
        inside=frozenset(n for n, place in enumerate(places) if place[3] == INSIDE),
    )


@dataclass(slots=True)
class _Making:
    places: dict[Place, int] = field(default_factory=dict[Place, int])
    steps: list[Step] = field(default_factory=list[Step])
    begins: list[int] = field(default_factory=list[int])

    def place(self, process: str, scope: str, node: str, flow: str) -> int:
        return self.places.setdefault((process, scope, node, flow), len(self.places))


class _Process:
    """One process while its steps are added to the whole."""

    def __init__(self, making: _Making, graph: Graph, doubted: Collection[str]) -> None:
        self._making = making
        self._graph = graph
        self._around = Surroundings(graph, doubted)
        self._nets = {scope.id: net_of(self._around, scope) for scope in graph.scopes}
        self._handlers = {handler.id: handler for handler in graph.handlers}
        #: By the id of who listens the messages that it takes, any one of them or all.
        self.heard: dict[str, list[str]] = {}
        for one in listeners(graph):
            if (name := _message(one)) is not None:
                self.heard.setdefault(one.owner.id, []).append(name)
        self._said = {one.node.id: one.name for one in senders(graph) if one.kind == "message"}
        self._known: set[str] = set()
        self._within: dict[str, frozenset[int]] = {}

    def compose(self, known: set[str]) -> None:
        """Add the steps; messages that are not `known` to the file come and go as they like."""
        self._known = known
        root = self._graph.root
        self._making.begins.append(self._place(self._around.scopes[root], 0))
        for scope in sorted(self._graph.scopes, key=self._around.depth, reverse=True):
            told = self._nets[scope.id]
            own = {self._place(scope, number) for number in range(told.net.places)}
            own.add(self._made(scope, "", BROKEN_OFF))
            for node in self._around.ways.nodes_of(scope.id):
                if isinstance(node, ScopeNode) and self._is_open(node):
                    own |= {self._made(scope, node.id, INSIDE), *self._armed(scope, node)}
                    own |= self._within[node.body]
            self._within[scope.id] = frozenset(own)
            steps = zip(told.net.transitions, told.moves, strict=True)
            for number, (step, move) in enumerate(steps):
                self._making.steps.extend(self._steps(scope, told, number, step, move))
            self._making.steps.extend(self._enter(scope))

    def several(self) -> Iterator[int]:
        """The places on which tokens gather."""
        for scope in self._graph.scopes:
            yield from (self._place(scope, one) for one in self._nets[scope.id].net.several)

    def _place(self, scope: Scope, number: int) -> int:
        node, flow = self._nets[scope.id].places[number]
        return self._making.place(self._graph.name, scope.id, node, flow)

    def _where(self, scope: Scope, places: Iterable[int]) -> Iterator[int]:
        """Those places, and what is inside of the nodes that they are."""
        for place in places:
            yield self._place(scope, place)
            node = self._around.ways.nodes.get(self._nets[scope.id].places[place][0])
            if isinstance(node, ScopeNode) and self._is_open(node):
                yield self._made(scope, node.id, INSIDE)

    def _made(self, scope: Scope, node: str, kind: str) -> int:
        return self._making.place(self._graph.name, scope.id, node, kind)

    def _message(self, name: str) -> int:
        return self._making.place("", "", name, MESSAGE)

    def _is_open(self, node: ScopeNode) -> bool:
        """Whether what is inside a node is looked at, which runs once for each token."""
        return node.body in self._nets and not (node.multi or node.loop or node.ad_hoc)

    def _enter(self, scope: Scope) -> Iterator[Step]:
        for node in self._around.ways.nodes_of(scope.id):
            if isinstance(node, ScopeNode) and self._is_open(node):
                before = self._making.place(self._graph.name, scope.id, node.id, "")
                begin = self._place(self._around.scopes[node.body], 0)
                inside = self._made(scope, node.id, INSIDE)
                gives = (inside, begin, *self._armed(scope, node))
                yield Step(self._graph.name, Move(node.id, ()), (before,), gives)

    def _steps(
        self, scope: Scope, told: ScopeNet, number: int, step: Transition, move: Move
    ) -> Iterator[Step]:
        """A step of the net of a scope, once for each choice of messages that it may take."""
        takes = tuple(self._place(scope, place) for place in step.takes)
        gives = tuple(self._place(scope, place) for place in step.gives)
        awaits = None
        if step.awaits and (len(step.takes) > 1 or step.needs):
            awaits = {
                self._place(scope, place): frozenset(self._where(scope, coming))
                for place, coming in coming_to(told.net, number, by_paths=True).items()
            }
        made = Step(
            process=self._graph.name,
            move=move,
            takes=takes,
            gives=gives,
            some=tuple(self._place(scope, place) for place in step.some),
            needs=tuple(self._place(scope, place) for place in step.needs),
            empty=frozenset(self._place(scope, place) for place in step.empty),
            clears=self._within[scope.id] if step.ends_all else frozenset(),
            awaits=awaits,
        )
        node = self._around.ways.nodes.get(move.node)
        if node is None:
            yield from self._begun(told, step, made)
            return
        made = self._opened(scope, node, step, made)
        handler = self._handlers.get(move.handler)
        if handler is not None:
            yield from self._handled(node, handler, made)
        elif isinstance(node, Receive):
            yield from self._hearing(node.id, made, takes_all=node.strategy.mode == "all")
        elif isinstance(node, Race) and move.flows:
            yield from self._raced(made)
        else:
            yield self._saying(scope, node, made)

    def _begun(self, told: ScopeNet, step: Transition, made: Step) -> Iterator[Step]:
        """A process begins with the message that its start takes, if it takes one."""
        yield from self._hearing(told.places[step.gives[0]][0] if step.gives else "", made)

    def _opened(self, scope: Scope, node: Node, step: Transition, made: Step) -> Step:
        """What a node does once what is inside of it is done, or broken off, or beside it."""
        if not isinstance(node, ScopeNode) or not self._is_open(node):
            return made
        inside = self._made(scope, node.id, INSIDE)
        within, armed = self._within[node.body], self._armed(scope, node)
        if step.ends_all:
            return made._replace(takes=(inside, self._broken(node)))
        handler = self._handlers.get(made.move.handler)
        if handler is None:
            return made._replace(takes=(inside,), clears=armed, empty=within)
        if handler.is_interrupting:
            return made._replace(takes=(inside,), clears=within | armed)
        armed_by = () if self._hears(handler) else (self._made(scope, handler.id, ARMED),)
        return made._replace(takes=(inside, *armed_by), gives=(inside, *made.gives[-1:]))

    def _armed(self, scope: Scope, node: ScopeNode) -> frozenset[int]:
        """The places of what may go on once beside a node, without a message."""
        return frozenset(
            self._made(scope, handler.id, ARMED)
            for handler in self._around.handlers(node.id)
            if not handler.is_interrupting and not self._hears(handler)
        )

    def _hears(self, handler: Handler) -> bool:
        return not self._known.isdisjoint(self.heard.get(handler.id, ()))

    def _broken(self, node: ScopeNode) -> int:
        return self._made(self._around.scopes[node.body], "", BROKEN_OFF)

    def _handled(self, node: Node, handler: Handler, made: Step) -> Iterator[Step]:
        is_open = isinstance(node, ScopeNode) and self._is_open(node)
        if not handler.is_interrupting and not is_open and self._hears(handler):
            # As often as a message comes; what it goes beside stays as it is.
            made = made._replace(gives=(*made.takes, *made.gives[-1:]))
        yield from self._hearing(handler.id, made)

    def _hearing(self, owner: str, made: Step, *, takes_all: bool = False) -> Iterator[Step]:
        names = self.heard.get(owner, [])
        known = [self._message(name) for name in names if name in self._known]
        if takes_all:
            yield made._replace(takes=(*made.takes, *known))
            return
        if len(known) < len(names) or not names:
            yield made
        for place in dict.fromkeys(known):
            yield made._replace(takes=(*made.takes, place))

    def _raced(self, made: Step) -> Iterator[Step]:
        """The way of a race is open once the message has come that is awaited there."""
        (flow,) = made.move.flows
        target = next(
            one.target for one in self._around.ways.leaving(made.move.node) if one.id == flow
        )
        for one in self._hearing(target, made):
            yield one._replace(gives=(*one.gives, *one.takes[len(made.takes) :]))

    def _saying(self, scope: Scope, node: Node, made: Step) -> Step:
        gives = made.gives
        if isinstance(node, Emit) and self._said.get(node.id) in self._known:
            gives += (self._message(self._said[node.id]),)
        if scope.id == self._graph.root and isinstance(node, Emit | End) and not made.move.flows:
            gives += (self._made(scope, node.id, ENDED),)
        ends_here = isinstance(node, End) and node.effect != "instance"
        if scope.id != self._graph.root and made.clears and not ends_here:
            gives += (self._made(scope, "", BROKEN_OFF),)
        return made._replace(gives=gives)


def _message(listener: Listener) -> str | None:
    return listener.name if listener.filter.kind == "message" else None
