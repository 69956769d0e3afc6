"""Every place of a graph where an expression stands, and the variables it may read there."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from .data import DataRules, Expression, Listing, Record, Value
from .model import Graph, Handler
from .nodes import (
    Assign,
    Call,
    Choice,
    Emit,
    End,
    Fork,
    Inclusive,
    Join,
    Node,
    Pass,
    Race,
    Raise,
    Receive,
    ScopeNode,
    Start,
    Task,
    Wait,
)
from .triggers import (
    ConditionTrigger,
    ErrorTemplate,
    ErrorTrigger,
    EscalationTrigger,
    EventStrategy,
    EventTrigger,
    RetryPolicy,
    SeveralTrigger,
    TimerTrigger,
    Trigger,
)

Place = Literal[
    "workflow-input",
    "workflow-output",
    "schedule",
    "schema",
    "variable",
    "guard",
    "needs",
    "read",
    "body",
    "arguments",
    "condition",
    "collection",
    "while",
    "completion",
    "activation",
    "timer",
    "filter",
    "correlation",
    "until",
    "write",
    "export",
    "each-write",
    "each-export",
    "match",
    "when",
    "retry",
    "error",
]

#: Places whose result is asked for its truth alone.
CONDITIONS: frozenset[Place] = frozenset(
    {"guard", "needs", "condition", "while", "completion", "activation", "filter", "until", "when"}
)

#: What the machine binds, from the outside in. `$context` is no member: a scope declares it.
#: Source: DSL, Runtime Expressions, the table of arguments by place.
BEFORE_AN_INSTANCE = frozenset({"secrets", "runtime"})
IN_AN_INSTANCE = BEFORE_AN_INSTANCE | {"workflow"}
AT_AN_ACTIVITY = IN_AN_INSTANCE | {"task"}
IN_A_BODY = AT_AN_ACTIVITY | {"input", "authorization"}
WITH_OUTPUT = IN_A_BODY | {"output"}

#: Bound everywhere: the time of the evaluation, which an author reads by `now`.
NOW_VARIABLE = "__now"
#: Bound for what a reader writes itself, which has no span; out of reach of an author's text, as
#: are all names of scopes that start like it.
SCOPE_VARIABLE = "__scope"


@dataclass(frozen=True, slots=True)
class Site:
    """One expression at its place.

    `variables` are the names, without `$`, that the machine binds there; `scope` is the scope
    whose variables they come from. An expression of a flow belongs to the flow's source.
    """

    expression: Expression
    place: Place
    scope: str
    variables: frozenset[str]
    node: Node | None = None
    handler: Handler | None = None

    @property
    def pointer(self) -> str:
        """The author's construct that holds the expression; `""` for the document itself."""
        if self.node is not None:
            return self.node.pointer
        return self.handler.pointer if self.handler is not None else ""


def walk_expressions(graph: Graph) -> Iterator[Site]:
    """Every expression of the graph exactly once: the definition's, then node by node, handlers.

    The walk is total: it also goes through a graph with references that lead nowhere.
    """
    walk = _Walk(graph)
    yield from walk.definition()
    for node in graph.nodes:
        yield from walk.node(node)
    for handler in graph.handlers:
        yield from walk.handler(handler)
    yield from walk.stray_flows()


def expressions_in(value: Value | None) -> Iterator[Expression]:
    """The expressions of a value, in the author's order."""
    rest: list[Value] = [] if value is None else [value]
    while rest:
        match rest.pop():
            case Expression() as expression:
                yield expression
            case Record(members):
                rest.extend(member for _, member in reversed(members))
            case Listing(items):
                rest.extend(reversed(items))
            case _:
                pass


#: An expression with its place, before the variables are known.
_Placed = tuple[Place, frozenset[str], Expression]


class _Walk:
    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self._variables: dict[str, frozenset[str]] = {}

    @cached_property
    def _scopes(self) -> dict[str, tuple[str | None, frozenset[str]]]:
        """Scope id to its parent and the names it declares itself."""
        return {
            scope.id: (scope.parent, frozenset(variable.name for variable in scope.variables))
            for scope in self.graph.scopes
        }

    @cached_property
    def _bound(self) -> dict[str, frozenset[str]]:
        """Scope id to the names the machine binds each time it enters the scope."""
        bound: dict[str, frozenset[str]] = {}
        for node in self.graph.nodes:
            match node:
                case ScopeNode(body=body, multi=multi) if multi is not None:
                    bound[body] = frozenset({multi.item, multi.index} - {""})
                case ScopeNode(body=body, loop=loop) if loop is not None:
                    bound[body] = frozenset({loop.index})
                case Receive(body=str(body)):
                    bound[body] = frozenset({node.item, node.index})
                case _:
                    pass
        for handler in self.graph.handlers:
            if handler.run is not None and isinstance(
                handler.trigger, ErrorTrigger | EscalationTrigger
            ):
                bound[handler.run] = frozenset({handler.trigger.variable})
        return bound

    @cached_property
    def _conditions(self) -> dict[str, list[Expression]]:
        """Node id to the conditions of the flows that leave it."""
        conditions: dict[str, list[Expression]] = {}
        for flow in self.graph.flows:
            if flow.condition is not None:
                conditions.setdefault(flow.source, []).append(flow.condition)
        return conditions

    @cached_property
    def _scope_of_node(self) -> dict[str, str]:
        return {node.id: node.scope for node in self.graph.nodes}

    def variables(self, scope: str | None) -> frozenset[str]:
        """The names a scope sees: its own and those of every scope around it."""
        chain: list[str] = []
        names: frozenset[str] = frozenset()
        while scope is not None and scope in self._scopes and scope not in chain:
            if scope in self._variables:
                names = self._variables[scope]
                break
            chain.append(scope)
            scope = self._scopes[scope][0]
        for inner in reversed(chain):
            names |= self._scopes[inner][1] | self._bound.get(inner, frozenset())
            self._variables[inner] = names
        return names

    def definition(self) -> Iterator[Site]:
        """The definition's own rules and the first values of the scopes' variables."""
        graph = self.graph
        if graph.data is not None:
            rules = graph.data
            visible = IN_AN_INSTANCE | self.variables(graph.root)
            placed = [
                *_in_schemas(rules),
                *_placed("workflow-input", IN_AN_INSTANCE, rules.read),
                *_placed("workflow-output", visible, rules.write),
                *_placed("workflow-output", visible, rules.export),
            ]
            for place, names, expression in placed:
                yield self._site(expression, place, graph.root, names)
        for scope in graph.scopes:
            outside = IN_AN_INSTANCE if scope.id == graph.root else IN_A_BODY
            visible = outside | self.variables(scope.parent)
            for variable in scope.variables:
                for expression in expressions_in(variable.value):
                    yield self._site(expression, "variable", scope.id, visible)

    def node(self, node: Node) -> Iterator[Site]:
        """The expressions of one node in the order in which the machine meets them."""
        visible: frozenset[str] | None = None
        for place, names, expression in self._of_node(node):
            if visible is None:
                visible = self.variables(node.scope)
            if names != BEFORE_AN_INSTANCE:
                names |= visible
            yield self._site(expression, place, node.scope, names, node=node)

    def handler(self, handler: Handler) -> Iterator[Site]:
        """The expressions of one handler; the caught error stands beside the usual names."""
        scope = self._guarded_scope(handler)
        usual = IN_AN_INSTANCE if handler.scope == self.graph.root else IN_A_BODY
        trigger = handler.trigger
        with_error = usual | {trigger.variable} if isinstance(trigger, ErrorTrigger) else usual
        placed = [
            *_in_trigger(trigger, usual, with_error),
            *_in_retry(handler.retry, usual, with_error),
            *_in_error(handler.raises, with_error),
        ]
        if handler.data is not None:
            placed.extend(_placed("export", with_error, handler.data.export))
        visible = self.variables(scope)
        for place, names, expression in placed:
            yield self._site(expression, place, scope, names | visible, handler=handler)

    def stray_flows(self) -> Iterator[Site]:
        """Conditions of flows that start at no node; only a broken graph has them."""
        known = {node.id for node in self.graph.nodes}
        for source, conditions in self._conditions.items():
            if source not in known:
                for expression in conditions:
                    yield self._site(expression, "condition", self.graph.root, IN_A_BODY)

    def _of_node(self, node: Node) -> Iterator[_Placed]:
        if node.guard is not None:
            yield "guard", AT_AN_ACTIVITY, node.guard.condition
        rules = node.data
        if rules is not None:
            yield from _placed("needs", AT_AN_ACTIVITY, rules.needs)
            yield from _in_schemas(rules)
            yield from _placed("read", AT_AN_ACTIVITY, rules.read)
        if type(node) not in _WITHOUT:
            yield from _in_body(node)
        for condition in self._conditions.get(node.id, ()):
            yield "condition", IN_A_BODY, condition
        if rules is not None:
            yield from _placed("write", IN_A_BODY, rules.write)
            yield from _placed("export", WITH_OUTPUT, rules.export)

    def _guarded_scope(self, handler: Handler) -> str:
        if handler.scope is not None:
            return handler.scope
        return self._scope_of_node.get(handler.node or "", self.graph.root)

    def _site(
        self,
        expression: Expression,
        place: Place,
        scope: str,
        names: frozenset[str],
        *,
        node: Node | None = None,
        handler: Handler | None = None,
    ) -> Site:
        if expression.span is None:
            names |= {SCOPE_VARIABLE}
        else:
            names = frozenset(name for name in names if not name.startswith("__"))
        return Site(expression, place, scope, names | {NOW_VARIABLE}, node, handler)


def _placed(place: Place, names: frozenset[str], value: Value | None) -> Iterator[_Placed]:
    for expression in expressions_in(value):
        yield place, names, expression


#: Nodes without expressions of their own, which are most of a drawn process.
_WITHOUT = frozenset({Choice, End, Fork, Join, Pass, Race})


def _in_body(node: Node) -> Iterator[_Placed]:
    match node:
        case Start():
            for trigger in node.triggers:
                placed = _in_trigger(trigger, BEFORE_AN_INSTANCE, BEFORE_AN_INSTANCE)
                for _, names, expression in placed:
                    yield "schedule", names, expression
        case Task():
            if isinstance(node.action.type, Expression):
                yield "arguments", IN_A_BODY, node.action.type
            yield from _placed("arguments", IN_A_BODY, node.action.arguments)
        case Call():
            yield from _placed("arguments", IN_A_BODY, node.input)
        case Assign():
            yield from _placed("body", IN_A_BODY, node.value)
        case Emit():
            yield from _placed("body", IN_A_BODY, node.event)
            for key in node.keys:
                yield "correlation", IN_A_BODY, key.read
        case Inclusive():
            yield from _placed("activation", IN_A_BODY, node.activation)
        case Wait():
            if node.timer is not None:
                yield from _placed("timer", IN_A_BODY, node.timer.value)
            yield from _placed("condition", IN_A_BODY, node.condition)
        case Raise():
            yield from _in_error(node.error, IN_A_BODY)
            yield from _placed("body", IN_A_BODY, node.payload)
        case Receive():
            yield from _in_receive(node)
        case ScopeNode(multi=multi) if multi is not None:
            inner = IN_A_BODY | {multi.item, multi.index}
            yield from _placed("collection", IN_A_BODY, multi.collection)
            yield from _placed("collection", IN_A_BODY, multi.cardinality)
            yield from _placed("while", inner, multi.condition)
            yield from _placed("completion", inner, multi.completion)
            yield from _placed("export", inner, multi.output)
        case ScopeNode(loop=loop) if loop is not None:
            yield from _placed("while", IN_A_BODY | {loop.index}, loop.condition)
            yield from _placed("collection", IN_A_BODY, loop.maximum)
        case ScopeNode(ad_hoc=ad_hoc) if ad_hoc is not None:
            yield from _placed("completion", IN_A_BODY, ad_hoc.completion)
        case _:
            pass


def _in_receive(node: Receive) -> Iterator[_Placed]:
    yield from _in_strategy(node.strategy, IN_A_BODY)
    if node.each is not None:
        bound = frozenset({node.item, node.index})
        yield from _in_schemas(node.each)
        yield from _placed("read", AT_AN_ACTIVITY | bound, node.each.read)
        yield from _placed("each-write", IN_A_BODY | bound, node.each.write)
        yield from _placed("each-export", WITH_OUTPUT | bound, node.each.export)


def _in_schemas(rules: DataRules) -> Iterator[_Placed]:
    for schema in (rules.input_schema, rules.output_schema, rules.export_schema):
        if schema is not None:
            yield from _placed("schema", BEFORE_AN_INSTANCE, schema.resource)


def _in_trigger(
    trigger: Trigger, usual: frozenset[str], with_error: frozenset[str]
) -> Iterator[_Placed]:
    match trigger:
        case TimerTrigger():
            yield from _placed("timer", usual, trigger.value)
        case EventTrigger():
            yield from _in_strategy(trigger.strategy, usual)
        case ConditionTrigger():
            yield "condition", usual, trigger.condition
        case SeveralTrigger():
            for part in trigger.triggers:
                yield from _in_trigger(part, usual, with_error)
        case ErrorTrigger():
            for _, value in trigger.match:
                yield from _placed("match", usual, value)
            yield from _placed("when", with_error, trigger.when)
            yield from _placed("when", with_error, trigger.except_when)
        case _:
            pass


def _in_strategy(strategy: EventStrategy, names: frozenset[str]) -> Iterator[_Placed]:
    for wanted in strategy.filters:
        for attribute in wanted.attributes:
            # A whole expression is a test; one deeper inside is data to compare with.
            place: Place = "filter" if isinstance(attribute.value, Expression) else "match"
            yield from _placed(place, names, attribute.value)
        for correlation in wanted.correlations:
            yield "correlation", names, correlation.read
            yield from _placed("correlation", names, correlation.expect)
    yield from _placed("until", names, strategy.until)
    if strategy.until_events is not None:
        yield from _in_strategy(strategy.until_events, names)


def _in_retry(
    policy: RetryPolicy | None, usual: frozenset[str], with_error: frozenset[str]
) -> Iterator[_Placed]:
    if policy is None:
        return
    yield from _placed("when", with_error, policy.when)
    yield from _placed("when", with_error, policy.except_when)
    for pause in (policy.delay, policy.jitter_from, policy.jitter_to):
        yield from _placed("retry", with_error, pause)
    # The limits begin with the first run, before there is an error.
    for limit in (policy.attempt_limit, policy.total_limit):
        yield from _placed("retry", usual, limit)


def _in_error(template: ErrorTemplate | None, names: frozenset[str]) -> Iterator[_Placed]:
    if template is not None:
        for value in (template.type, template.status, template.title, template.detail):
            yield from _placed("error", names, value)
