"""Types flow through the graph: from the input of an instance along every way to its output.

Each node is looked at with the type of all data that may come to it, again whenever that grows,
until nothing grows any more. What grows without end (data that a loop nests into itself) is looked
at less closely after a few rounds. Where it comes to rest, every expression has been seen with the
type of all that it may ever get.

Source: DSL, Data Flow; BPMN 2.0.2 10.4.2, 13.3; our decisions A8 to A16, A30, A99.
"""

from __future__ import annotations

from collections import deque
from functools import cached_property
from typing import Final

from diglot.compiler.expressions import tree
from diglot.compiler.graph import (
    Constant,
    DataRules,
    End,
    Expression,
    Flow,
    Graph,
    Handler,
    Listing,
    Node,
    Raise,
    Receive,
    Record,
    Schema,
    ScopeNode,
    UriTemplate,
    Value,
)
from diglot.compiler.graph.sites import Place, expressions_in

from ..programs import program_of
from ..sites import sites_of

# Imported for their rules.
from . import of_calls as of_calls
from . import of_control as of_control
from . import of_functions as of_functions
from . import of_paths as of_paths
from . import of_updates as of_updates
from . import of_values as of_values
from .constants import type_of_value
from .frames import Frame, Surroundings
from .inference import OPEN, Budget, Env, Inference, Results, value_of
from .joining import coarser, meet, union
from .model import (
    ANY_TEXT,
    ANYTHING,
    NOTHING,
    Member,
    Type,
    array_of,
    object_of,
)
from .nodes import conclude, visit
from .schemas import type_of_schema
from .scopes import enter, enter_again
from .seen import Seen, Unfit
from .variables import Variables

#: After so many changes data is looked at less closely, after twice as many not at all.
_CHANGES: Final = 4


class Flowing:
    """The types of one graph. `seen` and `unfit` are there after `look`."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.nodes = {node.id: node for node in graph.nodes}
        self.scopes = {scope.id: scope for scope in graph.scopes}
        counting = frozenset(
            node.body
            for node in graph.nodes
            if isinstance(node, ScopeNode) and node.multi is not None and node.multi.counts
        )
        self.variables = Variables(graph, counting)
        #: By node: the data that may come to it; by scope: its input, and its result.
        self.raw: dict[str, Type] = {}
        self.entered: dict[str, Type] = {}
        self.results: dict[str, Type] = {}
        #: By flow: the data on it; by node: its output before and after `write`.
        self.on_flow: dict[str, Type] = {}
        self.raw_outputs: dict[str, Type] = {}
        self.outputs: dict[str, Type] = {}
        #: By call: what it hands to the definition that it starts.
        self.handed: dict[str, Type] = {}
        self.seen: list[Seen] = []
        self.unfit: list[Unfit] = []
        self.is_looking = False
        self._changes: dict[tuple[int, str], int] = {}
        self._queue: deque[str] = deque()
        self._waiting: set[str] = set()
        self._trees: dict[str, tree.Node | None] = {}
        self._budget = Budget()
        self._schemas: dict[int, Type] = {}
        #: By text and input, which is kept so that its identity stays its own: what comes of it.
        self._known: dict[tuple[str, int], tuple[Results, Inference, Type]] = {}
        started_with = ANYTHING
        rules = graph.data
        if rules is not None and rules.input_schema is not None:
            started_with = self.type_of(rules.input_schema)
        self.surroundings = Surroundings(self.variables, started_with)
        root = self.scopes.get(graph.root)
        self.has_data_on_tokens = root is None or not root.binds_input
        self.leaving: dict[str, list[Flow]] = {}
        self.coming: dict[str, list[Flow]] = {}
        for flow in graph.flows:
            self.leaving.setdefault(flow.source, []).append(flow)
            self.coming.setdefault(flow.target, []).append(flow)
        self.of_node: dict[str, list[Handler]] = {}
        self.of_scope: dict[str, list[Handler]] = {}
        for handler in graph.handlers:
            if handler.node is not None:
                self.of_node.setdefault(handler.node, []).append(handler)
            if handler.scope is not None:
                self.of_scope.setdefault(handler.scope, []).append(handler)

    # -- the whole

    def run(self) -> None:
        """Let the types flow until they come to rest."""
        rules = self.graph.data
        given = self.surroundings.started_with
        if rules is not None and rules.read is not None:
            frame = Frame(None, "", given, given)
            given = self.compute(rules.read, "workflow-input", given, frame)
        if self.graph.root not in self.scopes:
            return
        enter(self, self.graph.root, given)
        while True:
            version = self.variables.version
            while self._queue:
                name = self._queue.popleft()
                self._waiting.discard(name)
                visit(self, self.nodes[name])
            if self.variables.version == version:
                break
            enter_again(self)
            for name in self._readers:
                if name in self.raw:
                    self.wake(name)

    def look(self) -> None:
        """Look at every expression that is reached, with the types that have come to rest."""
        self.is_looking = True
        rules = self.graph.data
        given = self.surroundings.started_with
        if rules is not None and rules.read is not None:
            self.compute(rules.read, "workflow-input", given, Frame(None, "", given, given))
        if self.graph.root in self.entered:
            enter(self, self.graph.root, self.entered[self.graph.root])
        for node in self.graph.nodes:
            if node.id in self.raw and node.id in self._telling:
                visit(self, node)
        conclude(self)

    @cached_property
    def _sites(self) -> list[tuple[str, Expression]]:
        """Every expression of a node."""
        sites = sites_of(self.graph)
        return [(site.node.id, site.expression) for site in sites if site.node is not None]

    @cached_property
    def _readers(self) -> list[str]:
        """The nodes with an expression that sees variables, and those that hold scopes."""
        readers = {
            node: None
            for node, expression in self._sites
            if expression.of == "variables" or "$" in expression.text
        }
        for node in self.graph.nodes:
            if isinstance(node, ScopeNode):
                readers[node.id] = None
        for handler in self.graph.handlers:
            if handler.node is not None and handler.data is not None:
                readers[handler.node] = None
        return list(readers)

    @cached_property
    def _telling(self) -> frozenset[str]:
        """The nodes of which there may be something to tell: an author's expression, a schema."""
        telling = {node for node, expression in self._sites if expression.span is not None}
        handled = {handler.node for handler in self.graph.handlers}
        for node in self.graph.nodes:
            is_fitted = node.data is not None and has_schema(node.data)
            if isinstance(node, ScopeNode | Receive) or node.id in handled or is_fitted:
                telling.add(node.id)
        return frozenset(telling)

    @cached_property
    def owners(self) -> dict[str, str]:
        """By scope: the node that enters it, or whose scope the handler guards that runs it."""
        owners: dict[str, str] = {}
        for node in self.graph.nodes:
            body = getattr(node, "body", None)
            if isinstance(body, str):
                owners[body] = node.id
        return owners

    @cached_property
    def guarded_by(self) -> dict[str, list[str]]:
        """By scope that a handler runs: the scopes that end with its result."""
        guarded: dict[str, list[str]] = {}
        for handler in self.graph.handlers:
            if handler.run is not None and handler.scope is not None:
                guarded.setdefault(handler.run, []).append(handler.scope)
        return guarded

    @cached_property
    def starts(self) -> dict[str, list[str]]:
        """By scope: the nodes that get a token when it is entered."""
        starts: dict[str, list[str]] = {scope.id: [scope.start] for scope in self.graph.scopes}
        undoing = {handler.activity for handler in self.graph.handlers}
        for node in self.graph.nodes:
            known = starts.get(node.scope)
            is_first = node.id not in self.coming and node.id not in undoing
            if known is not None and is_first and node.id not in known:
                known.append(node.id)
        return starts

    @cached_property
    def loose(self) -> frozenset[str]:
        """The scopes that may end without an end: their result is null then."""
        return frozenset(
            node.scope
            for node in self.graph.nodes
            if node.id not in self.leaving and not isinstance(node, End | Raise)
        )

    # -- what moves

    def wake(self, node: str) -> None:
        """Look at a node again."""
        if node not in self._waiting and node in self.nodes and not self.is_looking:
            self._waiting.add(node)
            self._queue.append(node)

    def arrive(self, node: str, data: Type) -> None:
        """Data comes to a node."""
        if node in self.nodes and self.grow(self.raw, node, data):
            self.wake(node)

    def send(self, flow: Flow, data: Type) -> None:
        """Data goes along a flow."""
        if self.grow(self.on_flow, flow.id, data):
            self.wake(flow.target)
        self.arrive(flow.target, data)

    def grow(self, types: dict[str, Type], name: str, type: Type) -> bool:
        """Add to what is known; whether that was new."""
        before = types.get(name)
        after = type if before is None else union(before, type)
        if before is not None and after == before:
            return False
        key = (id(types), name)
        changes = self._changes[key] = self._changes.get(key, 0) + 1
        if changes > 2 * _CHANGES:
            after = ANYTHING
        elif changes > _CHANGES:
            after = coarser(after)
        types[name] = after
        return True

    # -- what is computed

    def compute(self, value: Value, place: Place, data: Type, frame: Frame) -> Type:
        """The type of a value of the graph at a place."""
        match value:
            case Expression():
                return value_of(*self._inferred(value, place, data, frame))
            case Constant(document=document):
                return type_of_value(document)
            case Record(members=members):
                parts = {
                    name: Member(self.compute(one, place, data, frame), True)
                    for name, one in members
                }
                # A part that always fails takes the whole with it.
                is_lost = any(part.type == NOTHING for part in parts.values())
                return NOTHING if is_lost else object_of(parts, NOTHING)
            case Listing(items=items):
                types = [self.compute(one, place, data, frame) for one in items]
                return NOTHING if NOTHING in types else array_of(types, NOTHING, len(types))
            case UriTemplate():
                return ANY_TEXT
            case _:
                return ANYTHING

    def results_of(self, expression: Expression, place: Place, data: Type, frame: Frame) -> Results:
        """The results of an expression, of which a place may take several."""
        return self._inferred(expression, place, data, frame)[0]

    def look_at(
        self,
        value: Value | None,
        place: Place,
        data: Type,
        frame: Frame,
        handler: Handler | None = None,
    ) -> None:
        """Look at a value that nothing flows on from."""
        if self.is_looking and value is not None:
            before = len(self.seen)
            for expression in expressions_in(value):
                self._inferred(expression, place, data, frame)
            if handler is not None:
                self.seen[before:] = [one.of_handler(handler) for one in self.seen[before:]]

    def _inferred(
        self, expression: Expression, place: Place, data: Type, frame: Frame
    ) -> tuple[Results, Inference]:
        text = expression.text
        program = self._tree(text)
        if program is None:
            return OPEN, Inference()
        dot = self.surroundings.dot(expression, frame, data)
        # Without variables all depends on the input alone.
        key = None if "$" in text else (text, id(dot))
        known = None if key is None else self._known.get(key)
        if known is None:
            inference = Inference(is_noting=expression.span is not None, budget=self._budget)
            env = Env(lambda name: self.surroundings.variable(name, frame))
            try:
                known = (inference.of(program, dot, env), inference, dot)
            except RecursionError:
                # Functions inside each other, each of them deep.
                known = (OPEN, Inference(), dot)
            if key is not None:
                self._known[key] = known
        found, inference, _ = known
        if self.is_looking and expression.span is not None:
            notes = tuple(inference.notes or ())
            self.seen.append(
                Seen(
                    expression, place, frame.node, None, dot, found, notes, program, frame.scope
                )
            )  # fmt: skip
        return found, inference

    def _tree(self, text: str) -> tree.Node | None:
        if text not in self._trees:
            self._trees[text] = program_of(text)
        return self._trees[text]

    # -- schemas

    def type_of(self, schema: Schema) -> Type:
        """The type of a schema; of what lies outside of the document nothing is known."""
        if schema.resource is not None:
            return ANYTHING
        key = id(schema)
        if key not in self._schemas:
            self._schemas[key] = type_of_schema(schema.document)
        return self._schemas[key]

    def fitted(self, schema: Schema | None, given: Type, what: str, node: Node | None) -> Type:
        """What is left of a type behind a schema; `NOTHING` where nothing fits."""
        if schema is None:
            return given
        wanted = self.type_of(schema)
        found = meet(given, wanted)
        if self.is_looking and found == NOTHING and given != NOTHING and wanted != NOTHING:
            self.unfit.append(Unfit(node, what, given, wanted))
        return found


def has_schema(rules: DataRules) -> bool:
    """Whether data is held against a schema."""
    return not (rules.input_schema is rules.output_schema is rules.export_schema is None)
