"""A scope of a graph as a net: what each node does with tokens, and nothing else.

What is inside an activity is another scope's matter; from outside it is one step that may end in
several ways. What ends the whole scope takes every token with it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from diglot.compiler.graph import (
    Choice,
    Expression,
    Flow,
    Handler,
    Inclusive,
    Join,
    Node,
    Race,
    Raise,
    Scope,
)

from .activation import is_taken, ways_to_activate, why_open
from .net import Net, Transition
from .surroundings import Surroundings, ends_scope, way_of

#: Stands before a flow whose tokens have a place of their own before that of its node.
BEFORE: Final = "~"
#: Of more tokens at a time no account is kept.
_MOST_TOKENS: Final = 5


class Move(NamedTuple):
    """What a transition of a net is: a node that was done, and the flows it left by.

    Tokens only come together before a node where it `gathers`. A `handler` of the node took it out,
    or went beside it.
    """

    node: str
    flows: tuple[str, ...]
    gathers: bool = False
    handler: str = ""


class Untold(Exception):
    """Something in the scope has no form as a net; the node says what."""

    def __init__(self, node: Node, why: str) -> None:
        super().__init__(why)
        self.node = node
        self.why = why


@dataclass(frozen=True, slots=True)
class ScopeNet:
    """The net of a scope, with what its transitions and places stand for."""

    net: Net
    moves: tuple[Move, ...]
    #: Of each place the node that its token waits at, and the flow where the node keeps them apart.
    places: tuple[tuple[str, str], ...]


@dataclass(slots=True)
class _Making:
    around: Surroundings
    #: Nodes whose tokens are gathered before them, as if an inclusive gateway stood there.
    gathering: frozenset[str]
    #: By the scope's ad-hoc rules it may end whenever one of its activities has.
    may_end_early: bool = False
    places: dict[tuple[str, str], int] = field(default_factory=dict[tuple[str, str], int])
    steps: list[Transition] = field(default_factory=list[Transition])
    moves: list[Move] = field(default_factory=list[Move])

    def place(self, node: str, flow: str = "") -> int:
        return self.places.setdefault((node, flow), len(self.places))

    def is_certain(self, flow: str) -> bool:
        """Whether a flow is taken whatever is true."""
        return flow not in self.around.asked

    def flow(self, id: str) -> Flow:
        """A flow by its id."""
        return self.around.flows[id]

    def quantity(self, flow: str) -> int:
        """How many tokens a flow carries at a time."""
        return self.around.quantities.get(flow, 1)

    def given(self, flows: Iterable[str], places: Mapping[str, int]) -> tuple[int, ...]:
        """What flows give to the places they lead to, each as many tokens as it carries."""
        if not self.around.quantities:
            return tuple([places[flow] for flow in flows])
        return tuple([places[flow] for flow in flows for _ in range(self.quantity(flow))])

    def goal(self, flow: Flow) -> int:
        """Where a token waits that came by a flow."""
        node = self.around.ways.nodes[flow.target]
        is_apart = self.around.keeps_apart(node) or node.id in self.gathering
        return self.place(flow.target, flow.id if is_apart else "")


def net_of(around: Surroundings, scope: Scope, gathering: frozenset[str] = frozenset()) -> ScopeNet:
    """The net of a scope; before the nodes `gathering` tokens that can still come are waited for.

    Raises:
        Untold: it has none.
    """
    making = _Making(around, gathering, around.may_end_early(scope))
    begin = making.place("")
    for start in around.starts(scope):
        _step(making, (begin,), (making.place(start.id),), Move("", ()))
    for node in around.ways.nodes_of(scope.id):
        _add(making, node, around.ways.arriving(node.id))
    # Whoever counts tokens means that there are several.
    several = (
        frozenset(range(len(making.places))) if counts_tokens(around, scope) else frozenset[int]()
    )
    net = Net(len(making.places), tuple(making.steps), (begin,), several)
    return ScopeNet(net, tuple(making.moves), tuple(making.places))


def counts_tokens(around: Surroundings, scope: Scope) -> bool:
    """Whether something in a scope gives or takes several tokens at a time."""
    for node in around.ways.nodes_of(scope.id):
        if node.start_quantity > 1:
            return True
        if around.quantities and any(flow.quantity > 1 for flow in around.ways.leaving(node.id)):
            return True
    return False


def _step(
    making: _Making, takes: Sequence[int], gives: Sequence[int], move: Move, *, is_end: bool = False
) -> None:
    _put(making, Transition(tuple(takes), tuple(gives), is_end), move)


def _put(making: _Making, step: Transition, move: Move) -> None:
    making.steps.append(step)
    making.moves.append(move)


def _add(making: _Making, node: Node, entering: Sequence[Flow]) -> None:
    leaving = making.around.ways.leaving(node.id)
    given = {flow.id: making.goal(flow) for flow in leaving}
    onward = [flow.id for flow in leaving if flow.role == "sequence"]
    if making.around.quantities and any(flow.quantity > _MOST_TOKENS for flow in leaving):
        raise Untold(node, "its flows carry many tokens")
    if isinstance(node, Join):
        _add_join(making, node, entering, making.given(onward, given), tuple(onward))
    elif isinstance(node, Inclusive):
        _add_inclusive(making, node, entering, given)
    elif making.around.is_end(node):
        ends = ends_scope(node)
        for place in dict.fromkeys(map(making.goal, entering)) or [making.place(node.id)]:
            _step(making, (place,), (), Move(node.id, ()), is_end=ends)
            if making.may_end_early and not ends:
                _step(making, (place,), (), Move(node.id, ()), is_end=True)
    else:
        _add_activity(making, node, entering, leaving, onward, given)


def _add_activity(
    making: _Making,
    node: Node,
    entering: Sequence[Flow],
    leaving: Sequence[Flow],
    onward: list[str],
    given: dict[str, int],
) -> None:
    around = making.around
    place = making.place(node.id)
    if node.start_quantity > 1:
        place = _gathered(making, node, place)
    elif node.id in making.gathering and entering:
        takes = tuple(making.place(node.id, flow.id) for flow in entering)
        _put(making, Transition(takes, (place,), awaits=True), Move(node.id, (), gathers=True))
    handlers = around.handlers(node.id)
    may_break = around.may_break(node)
    completes = around.completes(node) or not (may_break or handlers)
    for named, handler in _alternatives(node, leaving, onward, handlers, completes=completes):
        flows = tuple([flow for flow in named if flow in given])
        gives = making.given(flows, given)
        aside = gives[-1:] if handler else ()
        _put(
            making, Transition((place,), gives, aside=aside), Move(node.id, flows, handler=handler)
        )
    raises = bool(handlers) and any(handler.raises is not None for handler in handlers)
    if may_break or raises or ends_scope(node) or making.may_end_early:
        _step(making, (place,), (), Move(node.id, ()), is_end=True)


def _gathered(making: _Making, node: Node, place: int) -> int:
    """Where the one visit begins that several tokens make, which gather at a place."""
    if node.start_quantity > _MOST_TOKENS:
        raise Untold(node, "it needs many tokens")
    begun = making.place(node.id, "#")
    move = Move(node.id, (), gathers=True)
    _put(making, Transition((place,) * node.start_quantity, (begun,)), move)
    return begun


def _add_join(
    making: _Making,
    node: Join,
    entering: Sequence[Flow],
    gives: tuple[int, ...],
    onward: tuple[str, ...],
) -> None:
    """It takes a token of each flow at once.

    One that is content with some of them is neither of a document of Serverless Workflow, whose
    competing branches end what is around them, nor of BPMN, where a gateway that counts is complex;
    it can only be written as a graph, and has no form as a net.
    """
    if node.need is not None and node.need != len(entering):
        raise Untold(node, "it waits for some of its flows")
    takes = tuple([making.place(node.id, flow.id) for flow in entering])
    if takes:
        awaits = node.id in making.gathering and len(takes) > 1
        _put(making, Transition(takes, gives, awaits=awaits), Move(node.id, onward))


def _add_inclusive(
    making: _Making, node: Inclusive, entering: Sequence[Flow], given: dict[str, int]
) -> None:
    """What is always taken goes with some of the others, or with the default where none is true."""
    if node.activation is not None and len(entering) > 1:
        _add_complex(making, node, node.activation, entering, given)
        return
    takes = [making.place(node.id, flow.id) for flow in entering] or [making.place(node.id)]
    awaits = len(takes) > 1
    branches = [flow for flow in node.branches or given if flow != node.default and flow in given]
    always = [flow for flow in branches if making.is_certain(flow)]
    others = [flow for flow in branches if not making.is_certain(flow)]
    default = [flow for flow in (() if node.default is None else (node.default,)) if flow in given]
    if always or default or not given:
        flows = tuple(dict.fromkeys((*always, *default)))
        gives = tuple(_own_place(making, flow, given, (flow,)) for flow in flows)
        _put(making, Transition(tuple(takes), gives, awaits=awaits), Move(node.id, flows))
    if others:
        gives = tuple(_own_place(making, flow, given, (flow,)) for flow in always)
        some = tuple(_own_place(making, flow, given, (*always, *others)) for flow in others)
        step = Transition(tuple(takes), gives, some=some, awaits=awaits)
        _put(making, step, Move(node.id, (*always, *others)))


def _add_complex(
    making: _Making,
    node: Inclusive,
    activation: Expression,
    entering: Sequence[Flow],
    given: dict[str, int],
) -> None:
    """It goes on as soon as what has come is enough, then takes what still comes and begins again.

    Source: BPMN 2.0.2 13.4.5, Table 13.5.
    """
    places = {flow.id: making.place(node.id, flow.id) for flow in entering}
    enough = ways_to_activate(activation, list(places))
    if enough is None:
        raise Untold(node, why_open(activation, list(places)))
    flows = [making.flow(flow) for flow in node.branches or given if flow in given]
    default = () if node.default not in given else (node.default,)
    begun = [making.place(node.id, f"#{number}") for number in range(len(enough))]
    for started, chosen in zip(begun, enough, strict=True):
        takes = tuple(places[flow] for flow in chosen)
        rest = tuple(place for flow, place in places.items() if flow not in chosen)
        for move, gives, some in _complex_outputs(making, node, flows, default, given, True):
            step = Transition(takes, (started, *gives), some=some, empty=tuple(begun))
            _put(making, step, move)
        for move, gives, some in _complex_outputs(making, node, flows, default, given, False):
            step = Transition(rest, gives, some=some, awaits=True, needs=(started,))
            _put(making, step, move)


def _complex_outputs(
    making: _Making,
    node: Inclusive,
    flows: list[Flow],
    default: tuple[str, ...],
    given: dict[str, int],
    is_start: bool,
) -> Iterator[tuple[Move, tuple[int, ...], tuple[int, ...]]]:
    """The flows that may be taken when it starts, or is reset: what is given, and some of what."""
    known = {flow.id: is_taken(flow.condition, is_start=is_start) for flow in flows}
    always = [flow.id for flow in flows if flow.condition is None and flow.id not in default]
    sure = [id for id, taken in known.items() if taken is True and id not in (*always, *default)]
    asked = [id for id, taken in known.items() if taken is None and id not in default]
    base = ([*always] if is_start else []) + sure
    rest = base if sure else [*base, *default]
    if rest or not is_start:
        yield Move(node.id, tuple(rest)), tuple(given[id] for id in rest), ()
    if asked:
        own = tuple(_own_place(making, id, given, (*base, *asked)) for id in asked)
        yield Move(node.id, (*base, *asked)), tuple(given[id] for id in base), own


def _own_place(making: _Making, flow: str, given: dict[str, int], flows: Sequence[str]) -> int:
    """Where a flow leads; a place before it if others lead there, or it carries several tokens."""
    place, quantity = given[flow], making.quantity(flow)
    if quantity == 1 and sum(given[other] == place for other in flows) == 1:
        return place
    own = making.flow(flow).target, f"{BEFORE}{flow}"
    if own not in making.places:
        _put(
            making,
            Transition((making.place(*own),), (place,) * quantity),
            Move("", (), gathers=True),
        )
    return making.place(*own)


def _alternatives(
    node: Node,
    leaving: Sequence[Flow],
    onward: list[str],
    handlers: list[Handler],
    *,
    completes: bool,
) -> Iterator[tuple[tuple[str, ...], str]]:
    """The flows that a token leaves a node by, for each way it may go; with the handler's id."""
    if isinstance(node, Choice) and leaving:
        branches = dict.fromkeys((*node.branches, *filter(None, (node.default,))))
        yield from (((flow,), "") for flow in branches)
    elif isinstance(node, Race) and leaving:
        yield from (((flow,), "") for flow in onward)
    elif completes and not (isinstance(node, Raise) and node.escalation is None):
        yield tuple(onward), ""
    skipping = tuple([flow.id for flow in leaving if flow.role == "skip"])
    if skipping:
        yield skipping, ""
    for handler in handlers:
        flow = way_of(handler)
        if flow is not None:
            yield (flow,) if handler.is_interrupting else (*onward, flow), handler.id
