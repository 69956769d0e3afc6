"""One process on its way from a graph to shapes: what every rule of the writer shares.

A rule draws one kind of node: `@writes(Choice)` above a function of the node, the sheet it stands
in and the composition; it gives the shape that shows the node.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from ...diagnostics import Report
from ...graph import Choice, Flow, Graph, Inclusive, Node
from . import labels
from .canvas import Drawn, Line, Shape, Sheet, Stamp, join
from .decisions import Decision, decide
from .hidden import hidden_nodes
from .lookup import Lookup
from .parts import Value, kind_of
from .plan import Plan
from .roots import Roots
from .tag import Tag
from .view import View

Rule = Callable[[Any, Sheet, "Composition"], Shape]

_rules: dict[type, Rule] = {}


def writes(*kinds: type) -> Callable[[Rule], Rule]:
    """Make a function the rule of these kinds of nodes.

    Raises:
        ValueError: a kind has a rule already.
    """

    def register(rule: Rule) -> Rule:
        for kind in kinds:
            if kind in _rules:
                raise ValueError(f"two rules write {kind.__name__}")
            _rules[kind] = rule
        return rule

    return register


def rules() -> Mapping[type, Rule]:
    """Every rule by the kind of node that it writes."""
    return _rules


class Composition:
    """The shapes of one graph, and which of them shows what."""

    def __init__(self, graph: Graph, view: View, report: Report, roots: Roots) -> None:
        self.graph = graph
        self.view: View = view
        self.report = report
        self.roots = roots
        self.lookup = Lookup(graph)
        #: Nodes without shapes.
        self.hidden = hidden_nodes(self.lookup, graph, view)
        self.plan = Plan(self.lookup, view, self.hidden)
        self.root = Sheet(None, 0)
        #: By node what shows it, what its flows lead to and what they leave.
        self.mains: dict[str, Shape] = {}
        self.entries: dict[str, Shape] = {}
        self.exits: dict[str, Shape] = {}
        self.questions: dict[str, Shape] = {}
        #: By handler its event.
        self.events: dict[str, Shape] = {}
        #: By scope what its handlers are attached to.
        self.hosts: dict[str, Shape] = {}
        #: Definitions of compensation events, with the nodes whose activities they name.
        self.undone: list[tuple[Tag, str]] = []
        #: Compensation events with the nodes of the activities that they run.
        self.associated: list[tuple[Shape, str]] = []
        #: Parts that no element shows, at the process.
        self.carried: list[Stamp] = []
        self._stamped: set[tuple[str, str]] = set()
        self._decisions: dict[str, Decision] = {}

    # -- shapes

    def shape(self, sheet: Sheet, name: str, part: Value | None = None, **members: Any) -> Shape:
        """A new shape, which shows a part."""
        shape = Shape(name, sheet, **members)
        if part is not None:
            self.show(shape, part)
        sheet.add(shape)
        return shape

    def node(self, sheet: Sheet, name: str, node: Node, *, label: str | None = None) -> Shape:
        """The shape of a node, with its name, documentation and notes."""
        text = labels.node_label(node) if label is None else label
        shape = Shape(name, sheet, wish=node.id, label=text, documentation=node.documentation)
        self.show(shape, node, is_named=True)
        return sheet.add(shape)

    def drawn(
        self, sheet: Sheet, name: str, drawn: Drawn, *, wish: str = "", label: str = ""
    ) -> Shape:
        """A shape that shows no part of the graph."""
        return sheet.add(Shape(name, sheet, drawn=drawn, wish=wish or drawn, label=label))

    # -- parts

    def show(
        self,
        at: Shape | Line,
        value: Value,
        *,
        is_named: bool = False,
    ) -> None:
        """Let an element show a part that none shows yet; `is_named`: it has the part's name."""
        key = kind_of(value), value.id
        if key not in self._stamped:
            self._stamped.add(key)
            at.stamps.append(Stamp(value, is_named))

    def is_shown(self, value: Value) -> bool:
        """Whether some element shows a part already."""
        return (kind_of(value), value.id) in self._stamped

    def carry(self, at: Shape | None, parts: Iterable[Value]) -> None:
        """Let an element have parts that are not drawn; the process where there is none."""
        for part in parts:
            if at is not None:
                self.show(at, part)
            elif not self.is_shown(part):
                self._stamped.add((kind_of(part), part.id))
                self.carried.append(Stamp(part))

    def carry_rest(self) -> None:
        """Put whatever has not been drawn to the process."""
        graph = self.graph
        parts: list[Value] = [*graph.scopes, *graph.nodes, *graph.flows, *graph.handlers]
        self.carry(None, parts)

    # -- flows

    def decision(self, node: Choice | Inclusive) -> Decision:
        """What a gateway asks and its ways answer."""
        found = self._decisions.get(node.id)
        if found is None:
            flows, name = self.lookup.leaving(node.id), labels.name_of(node)
            is_extending = self.lookup.scopes[node.scope].form == "extension"
            if node.construct == "extension" or (is_extending and not node.construct):
                # It has the name of the task that is extended.
                name = "Does the extension apply?"
            ranks = {flow: rank for rank, flow in enumerate(node.branches)}
            flows = sorted(flows, key=lambda flow: ranks.get(flow.id, len(ranks)))
            found = self._decisions[node.id] = decide(node, name, flows, self.view)
        return found

    def leads(self, source: Shape, target: Shape, flow: Flow, *, label: str = "") -> Line:
        """The line of a flow."""
        line = join(source, target)
        line.wish = "" if "->" in flow.id else flow.id
        line.label, line.documentation = label, flow.documentation
        line.condition = flow.condition
        self.show(line, flow, is_named=True)
        return line

    def is_guarded(self, node: Node) -> bool:
        """Whether events are attached to what shows a node."""
        return any(True for _ in self.lookup.guarding_node(node.id))

    def is_undoing(self, node: Node) -> bool:
        """Whether a node only undoes another one."""
        return node.id in self.lookup.undoing
