"""A scope as a graph of its own, in which whoever plays it moves every token and decides all.

A task stands on each flow and holds the token that comes; its result says which flows the next node
takes. Gateways, events and handlers are what they were, so that the machine itself says what can
happen; activities are tasks, whose job is done, fails with the id of a handler, or breaks.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Final, Literal

import msgspec

from diglot.compiler.graph import (
    Action,
    Attribute,
    Choice,
    Compensate,
    Constant,
    Emit,
    End,
    ErrorTemplate,
    ErrorTrigger,
    EventFilter,
    EventStrategy,
    EventTrigger,
    Expression,
    Flow,
    Fork,
    Graph,
    Guard,
    Handler,
    Inclusive,
    Join,
    Node,
    Pass,
    Race,
    Raise,
    Receive,
    Scope,
    Start,
    Task,
)

from .activation import is_taken, ways_to_activate
from .surroundings import Surroundings, ends_scope, way_of

#: The type of error by which an activity ends what is around it.
BREAKS: Final = "breaks"
#: Stands before the id of a flow in the name of the task that holds its tokens.
HOLDS: Final = "holds "
#: What the flows that are to be taken are called in a token's data; a guard is called by its flow.
TAKE: Final = "take"
_ROOT: Final = "/"


def event_type(id: str) -> str:
    """The type of the events that a node or a handler waits for; a text that is no pattern."""
    return id.encode("utf-8", "surrogatepass").hex()


def awaited_by(type: str) -> str:
    """The node or the handler that waits for events of a type."""
    return bytes.fromhex(type).decode("utf-8", "surrogatepass")


def playable(around: Surroundings, scope: Scope) -> Graph:
    """The graph of one scope to be played."""
    making = _Making(around)
    nodes = [making.node(node) for node in around.ways.nodes_of(scope.id)]
    flows = [
        flow for node in around.ways.nodes_of(scope.id) for flow in around.ways.leaving(node.id)
    ]
    handlers = [
        made
        for node in around.ways.nodes_of(scope.id)
        for handler in around.handlers(node.id)
        if (made := _handler(node, handler)) is not None
    ]
    return Graph(
        namespace="played",
        name="scope",
        version="1",
        root=_ROOT,
        scopes=(Scope(id=_ROOT, form="process", start=scope.start),),
        nodes=(*nodes, *(_hold(flow) for flow in flows if not making.is_raced(flow))),
        flows=tuple(half for flow in flows for half in making.halves(flow)),
        handlers=tuple(handlers),
    )


class _Making:
    def __init__(self, around: Surroundings) -> None:
        self._around = around

    def is_raced(self, flow: Flow) -> bool:
        """Whether a flow leaves a race: nothing may hold what the race waits for."""
        return isinstance(self._around.ways.nodes[flow.source], Race)

    def node(self, node: Node) -> Node:
        """What a node is in the play."""
        match node:
            case Inclusive() if not self._is_complex(node):
                made: Node = msgspec.structs.replace(_bare(node), activation=None)
            case Inclusive() | Choice() | Fork() | Join() | Race() | Start() | End():
                made = _bare(node)
            case Raise(escalation=None):
                template = ErrorTemplate(type=Constant(BREAKS), status=Constant(500))
                made = Raise(id=node.id, scope=_ROOT, error=template)
            case Compensate(cancels=True):
                made = End(id=node.id, scope=_ROOT, effect="terminate")
            case _ if node.id in self._around.raced:
                made = Receive(id=node.id, scope=_ROOT, strategy=_event(node.id))
            case Pass() | Emit() | Raise() | Compensate() if not self._around.handlers(node.id):
                made = Pass(id=node.id, scope=_ROOT)
            case _:
                action = Action(type=node.id, arguments=Constant(None))
                made = Task(id=node.id, scope=_ROOT, action=action)
        skip = next((f.id for f in self._around.ways.leaving(node.id) if f.role == "skip"), None)
        guard = None if skip is None else Guard(condition=_takes(skip, is_wanted=False), skip=skip)
        return msgspec.structs.replace(made, guard=guard, start_quantity=node.start_quantity)

    def halves(self, flow: Flow) -> Iterator[Flow]:
        """The flow to the task that holds its tokens, and the one from there."""
        asked = flow.id in self._around.asked
        condition = _takes(flow.id) if asked or self._decides(flow) else None
        source = self._around.ways.nodes[flow.source]
        if self._is_complex(source) and is_taken(flow.condition, is_start=True) is not None:
            # It looks at nothing but what the gateway itself does.
            condition = flow.condition
        whole = Flow(
            id=flow.id,
            source=flow.source,
            target=flow.target,
            role=flow.role,
            condition=condition,
            quantity=flow.quantity,
        )
        if self.is_raced(flow):
            yield whole
            return
        yield msgspec.structs.replace(whole, target=HOLDS + flow.id)
        yield Flow(id=f"{HOLDS}{flow.id}>", source=HOLDS + flow.id, target=flow.target)

    def _is_complex(self, node: Node) -> bool:
        """Whether a gateway decides itself when it goes on, by nothing but what has come."""
        if not isinstance(node, Inclusive) or node.activation is None:
            return False
        entering = [flow.id for flow in self._around.ways.arriving(node.id)]
        return len(entering) > 1 and ways_to_activate(node.activation, entering) is not None

    def _decides(self, flow: Flow) -> bool:
        source = self._around.ways.nodes[flow.source]
        return isinstance(source, Choice) and flow.id != source.default


def _hold(flow: Flow) -> Task:
    name = HOLDS + flow.id
    return Task(id=name, scope=_ROOT, action=Action(type=name, arguments=Constant(None)))


def _takes(flow: str, *, is_wanted: bool = True) -> Expression:
    """Whether a flow is among those that are to be taken, or is not."""
    compares = "!=" if is_wanted else "=="
    return Expression(text=f".{TAKE} | index({json.dumps(flow)}) {compares} null")


def _bare(node: Node) -> Node:
    """A node as it is, without its data."""
    bare: Node = msgspec.structs.replace(node, scope=_ROOT, data=None, guard=None, pointer="")
    match bare:
        case End():
            effect: Literal["terminate", "none"] = "terminate" if ends_scope(bare) else "none"
            return msgspec.structs.replace(bare, effect=effect)
        case Start():
            return msgspec.structs.replace(bare, triggers=())
        case _:
            return bare


def _event(name: str) -> EventStrategy:
    kind = Attribute(name="type", value=Constant(event_type(name)))
    return EventStrategy(mode="one", filters=(EventFilter(attributes=(kind,)),))


def _handler(node: Node, handler: Handler) -> Handler | None:
    flow = way_of(handler)
    if flow is None:
        return None
    trigger = (
        ErrorTrigger(match=(("type", Constant(handler.id)),))
        if handler.is_interrupting
        else EventTrigger(strategy=_event(handler.id))
    )
    return Handler(
        id=handler.id,
        trigger=trigger,
        node=node.id,
        is_interrupting=handler.is_interrupting,
        flow=flow,
    )
