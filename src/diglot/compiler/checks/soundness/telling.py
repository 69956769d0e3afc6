"""A fault in the words of whoever drew the model, with the run that comes to it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice

from diglot.compiler.diagnostics import Related, TraceStep
from diglot.compiler.graph import Choice, End, Graph, Handler, Join, Node, Scope, Start
from diglot.compiler.source import Span

from .fault import Fault, is_step
from .scope_net import BEFORE, Move
from .surroundings import Surroundings, ends_scope

_MOST_NAMES = 5


class Teller:
    """Tells the faults of one graph."""

    def __init__(self, graph: Graph, around: Surroundings) -> None:
        self._graph = graph
        self._nodes = around.ways.nodes
        self._around = around
        self._flows = {flow.id: flow for flow in graph.flows}
        self._handlers = {handler.id: handler for handler in graph.handlers}
        #: Names of constructs, which what a reader added to them has not.
        self._names = {node.pointer: node.name for node in graph.nodes if node.name}

    def name(self, id: str) -> str:
        """The author's name of a node; of one that a reader added that of what it belongs to."""
        node = self._nodes.get(id)
        if node is None:
            return id
        return _short(node.name or self._names.get(node.pointer) or _own_id(node))

    def scope_name(self, scope: Scope) -> str:
        """What a scope is called within a sentence."""
        owner = self._around.owner.get(scope.id)
        if owner is not None:
            return f"`{self.name(owner.id)}`"
        if scope.parent is None:
            return "the process" if self._graph.namespace == "bpmn" else "the workflow"
        return f"`{_short(scope.pointer or scope.id)}`"

    def place(self, id: str) -> tuple[Span | None, str]:
        """Where a node stands: its span, and the pointer of the author's construct."""
        node = self._nodes.get(id)
        return (None, id) if node is None else (node.span, node.pointer)

    def reason(self, fault: Fault) -> str:
        """Why it comes so far."""
        if fault.kind == "doubled":
            if fault.at is None:
                return "more than one token comes to it"
            move = fault.moves[fault.at]
            return f"tokens part at `{self.name(move.node)}` and are not joined before it"
        if fault.lacking is None:
            return "what comes is not enough for it to go on"
        source = self._source(fault.lacking)
        missing = f"from `{self.name(source)}`" if source else "to it"
        if fault.at is not None:
            return f"nothing comes {missing} any more once {self._went(fault, fault.at)}"
        if fault.waiting:
            others = self.listed(fault.waiting)
            return f"it waits for what comes {missing}, while {others} wait{_s(fault.waiting)} too"
        return f"nothing ever comes {missing}"

    def related(self, fault: Fault, first: Fault | None) -> Iterator[Related]:
        """The other places that matter."""
        if fault.at is not None and fault.kind != "endless" and fault.moves[fault.at].node:
            message = "the tokens part here" if fault.kind == "doubled" else "this decides it"
            yield self.related_to(message, fault.moves[fault.at].node)
        if fault.lacking is not None and (source := self._source(fault.lacking)):
            yield self.related_to("what is waited for would come from here", source)
        for other in fault.waiting[:_MOST_NAMES]:
            yield self.related_to("this waits as well", other)
        for node in fault.circle[:_MOST_NAMES]:
            if node != fault.node:
                yield self.related_to("this goes on for ever", node)
        if not fault.is_fact and first is not None:
            yield self.related_to("this shows only once what is wrong here is cured", first.node)

    def trace(self, fault: Fault) -> Iterator[TraceStep]:
        """Its run, step by step."""
        for number, move in enumerate(fault.moves):
            if is_step(move):
                span, pointer = self.place(move.node)
                yield TraceStep(
                    message=self.step(move),
                    process=self._graph.key,
                    node=move.node,
                    flows=move.flows,
                    handler=move.handler,
                    lane=fault.lanes[number],
                    matters=number in fault.matters and not self._is_inside(move),
                    span=span,
                    pointer=pointer,
                )

    def _is_inside(self, move: Move) -> bool:
        """Whether a token only goes on within one construct of the author's."""
        pointer = self._nodes[move.node].pointer
        targets = {self._nodes[self._flows[flow].target].pointer for flow in move.flows}
        return bool(pointer) and targets == {pointer}

    def related_to(self, message: str, node: str) -> Related:
        """A node as another place of a finding."""
        span, pointer = self.place(node)
        return Related(message=message, span=span, pointer=pointer)

    def _source(self, place: tuple[str, str]) -> str:
        """Where the flow of a place comes from."""
        flow = self._flows.get(place[1].removeprefix(BEFORE))
        return "" if flow is None else flow.source

    def step(self, move: Move) -> str:
        """What happens in a step, as a sentence without its end."""
        node = self._nodes[move.node]
        name = f"`{self.name(node.id)}`"
        if move.handler:
            return self._handled(name, move)
        goals = self._goals(move.flows)
        if isinstance(node, Start):
            return f"it begins at {name} and goes on to {goals}"
        if isinstance(node, Choice) and move.flows:
            return f"{name} takes {self._flow(move.flows[0])}"
        if isinstance(node, Join):
            return f"{name} has all it waits for" + (f" and goes on to {goals}" if goals else "")
        if not move.flows:
            if ends_scope(node):
                return f"{name} ends everything"
            return f"a token ends at {name}" if isinstance(node, End) else f"{name} is done"
        return f"{name} is done and goes on to {goals}"

    def _handled(self, name: str, move: Move) -> str:
        handler: Handler = self._handlers[move.handler]
        event = f"`{_short(handler.name or handler.pointer.rpartition('/')[2] or handler.id)}`"
        goals = self._goals(flow for flow in move.flows if not self._shows(flow, handler))
        onward = f" and goes on to {goals}" if goals else ""
        if handler.is_interrupting:
            return f"{event} takes {name} out{onward}"
        return f"{event} comes while {name} is under way, which is done then{onward}"

    def _shows(self, flow: str, handler: Handler) -> bool:
        """Whether a flow leads to the node that stands for the handler's own event."""
        node = self._nodes[self._flows[flow].target]
        return handler.pointer == node.pointer if handler.pointer else handler.id == node.id

    def _went(self, fault: Fault, at: int) -> str:
        move = fault.moves[at]
        if not move.node:
            return f"it has begun at `{self.name(fault.moves[at + 1].node)}`"
        node = self._nodes[move.node]
        name = f"`{self.name(move.node)}`"
        if isinstance(node, Choice) and move.flows:
            return f"{name} takes {self._flow(move.flows[0])}"
        goals = self._goals(move.flows)
        if move.handler:
            return self._handled(name, move)
        return f"{name} goes on to {goals}" if goals else f"{name} has ended"

    def _flow(self, id: str) -> str:
        """A flow by its own name, or else by where it leads."""
        flow = self._flows[id]
        goal = f"`{self.name(flow.target)}`"
        return f"`{_short(flow.name)}` to {goal}" if flow.name else f"the way to {goal}"

    def _goals(self, flows: Iterable[str]) -> str:
        return self.listed(self._flows[flow].target for flow in flows)

    def listed(self, nodes: Iterable[str]) -> str:
        """The names of nodes, as many as can be read."""
        names = list(dict.fromkeys(f"`{self.name(node)}`" for node in nodes))
        shown, rest = list(islice(names, _MOST_NAMES)), len(names) - _MOST_NAMES
        if rest > 0:
            return f"{', '.join(shown)} and {rest} more"
        return " and ".join(filter(None, (", ".join(shown[:-1]), *shown[-1:])))


def _own_id(node: Node) -> str:
    return node.pointer.rpartition("/")[2] or node.id


def _short(text: str, most: int = 60) -> str:
    line = " ".join(text.split())
    return line if len(line) <= most else f"{line[: most - 1]}…"


def _s(names: tuple[str, ...]) -> str:
    return "" if len(names) > 1 else "s"
