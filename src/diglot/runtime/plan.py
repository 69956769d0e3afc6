"""A graph made ready to run: nodes with their flows, rules and compiled expressions at hand."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from diglot.compiler import graph as g

from .errors import UnrunnableGraph
from .evaluate import Compiled, compile_condition, compile_due, compile_listing, compile_value
from .schemas import Validator, validator

if TYPE_CHECKING:
    from .semantics.frame import Frame
    from .semantics.step import Step

    Condition = Callable[[Step, Frame, Any], bool]


class RulesPlan:
    """The data rules of one activity, compiled."""

    __slots__ = (
        "export",
        "export_mode",
        "export_schema",
        "export_to",
        "input_schema",
        "output_schema",
        "read",
        "write",
    )

    def __init__(self, rules: g.DataRules, resources: dict[str, Any]) -> None:
        self.input_schema = _schema(rules.input_schema, resources)
        self.read = _optional(rules.read)
        self.write = _optional(rules.write)
        self.output_schema = _schema(rules.output_schema, resources)
        self.export = _optional(rules.export)
        self.export_to = rules.export_to
        self.export_mode = rules.export_mode
        self.export_schema = _schema(rules.export_schema, resources)


class RetryPlan:
    """A retry policy, compiled; durations are given as functions from now to a moment."""

    __slots__ = ("attempt_due", "delay", "except_when", "jitter", "policy", "total_limit", "when")

    def __init__(self, policy: g.RetryPolicy) -> None:
        self.policy = policy
        self.when = _condition(policy.when)
        self.except_when = _condition(policy.except_when)
        self.delay = _optional(policy.delay)
        self.attempt_due = (
            None if policy.attempt_limit is None else compile_due(policy.attempt_limit)
        )
        self.total_limit = _optional(policy.total_limit)
        self.jitter = (
            None
            if policy.jitter_from is None or policy.jitter_to is None
            else (compile_value(policy.jitter_from), compile_value(policy.jitter_to))
        )


class HandlerPlan:
    """A handler, compiled for the trigger it has."""

    __slots__ = (
        "due", "error", "except_when", "handler", "id", "match", "raises", "retry", "trigger",
        "when",
    )  # fmt: skip

    def __init__(self, handler: g.Handler) -> None:
        self.handler = handler
        self.id = handler.id
        self.trigger = handler.trigger
        self.retry = None if handler.retry is None else RetryPlan(handler.retry)
        self.raises = None if handler.raises is None else ErrorPlan(handler.raises)
        self.due = None
        self.match: list[tuple[str, Compiled]] = []
        self.when = self.except_when = None
        if isinstance(handler.trigger, g.TimerTrigger):
            self.due = compile_due(handler.trigger.value)
        elif isinstance(handler.trigger, g.ErrorTrigger):
            self.match = [(name, compile_value(value)) for name, value in handler.trigger.match]
            self.when = _condition(handler.trigger.when)
            self.except_when = _condition(handler.trigger.except_when)


class ErrorPlan:
    """An error template, compiled."""

    __slots__ = ("detail", "status", "title", "type")

    def __init__(self, template: g.ErrorTemplate) -> None:
        self.type = compile_value(template.type)
        self.status = compile_value(template.status)
        self.title = _optional(template.title)
        self.detail = _optional(template.detail)


class FilterPlan:
    """An event filter, compiled. `type` is the one event type it can match, if that is known."""

    __slots__ = ("attributes", "correlations", "filter", "patterns", "type")

    def __init__(self, filter: g.EventFilter) -> None:
        self.filter = filter
        self.attributes = [
            (
                attribute.name,
                attribute,
                compile_condition(attribute.value)
                if isinstance(attribute.value, g.Expression)
                else compile_value(attribute.value),
            )
            for attribute in filter.attributes
        ]
        #: By attribute, whether a text fits its constant as a regular expression (A25).
        self.patterns = {
            attribute.name: _fits(attribute.value.document)
            for attribute in filter.attributes
            if attribute.is_pattern
            and isinstance(attribute.value, g.Constant)
            and isinstance(attribute.value.document, str)
            and not is_literal(attribute.value.document)
        }
        self.correlations = [
            (key.name, compile_value(key.read), _optional(key.expect))
            for key in filter.correlations
        ]
        self.type = self._only_type()

    def _only_type(self) -> str | None:
        for name, attribute, _ in self.attributes:
            value = attribute.value
            if name == "type" and isinstance(value, g.Constant) and isinstance(value.document, str):
                return value.document if is_literal(value.document) else None
        return None


def _fits(pattern: str) -> Condition:
    """Whether a whole text fits a pattern; asked of jq, whose evaluator can be stopped.

    A pattern may take for ever on a text made for it, and whoever sends events chooses the text.
    """
    whole = json.dumps(rf"\A(?:{pattern})\z")
    return compile_condition(g.Expression(text=f"test({whole})"))


def is_literal(text: str) -> bool:
    """Whether a filter's text can only mean itself: a dotted name is not a pattern (A25)."""
    return all(character.isalnum() or character in "._-/:~" for character in text)


class NodePlan:
    """One node with all that the machine needs to run it."""

    __slots__ = (
        "boundary", "guard", "id", "is_task", "kind", "node", "outgoing", "parts", "rules", "skip",
        "timers",
    )  # fmt: skip

    def __init__(self, node: g.Node) -> None:
        self.node = node
        self.id = node.id
        self.kind: type = type(node)
        #: Whether it is a task of the author's, and not laid out around one or inside it.
        is_whole = node.id == node.pointer or node.id.endswith(f"~{node.pointer}")
        self.is_task = bool(node.construct) and is_whole
        self.guard: Condition | None = None
        self.rules: RulesPlan | None = None
        #: (flow, target) of the ordinary flows, and of the flow for a false guard.
        self.outgoing: tuple[tuple[str, str], ...] = ()
        self.skip: tuple[tuple[str, str], ...] = ()
        #: Handlers that guard this node: by error, and by the clock.
        self.boundary: list[HandlerPlan] = []
        self.timers: list[HandlerPlan] = []
        #: What the kind's own rule needs, compiled; see `_PARTS`.
        self.parts: Any = None


class Plan:
    """Everything of a graph the machine looks up, by id."""

    def __init__(self, graph: g.Graph, digest: str, resources: dict[str, Any]) -> None:
        self.graph = graph
        self.digest = digest
        self.scopes = {scope.id: scope for scope in graph.scopes}
        self.flows = {flow.id: flow for flow in graph.flows}
        self.nodes = {node.id: NodePlan(node) for node in graph.nodes}
        self.rules = None if graph.data is None else RulesPlan(graph.data, resources)
        self.handlers: dict[str, HandlerPlan] = {}
        #: Handlers that guard a scope, by scope: those of errors, and those of the clock.
        self.catchers: dict[str, list[HandlerPlan]] = {}
        self.scope_timers: dict[str, list[HandlerPlan]] = {}
        #: Values of the variables a scope declares: (name, value or none for a copy).
        self.variables = {
            scope.id: [
                (declared.name, None if declared.copies else compile_value(_value(declared)))
                for declared in scope.variables
            ]
            for scope in graph.scopes
        }
        self.incoming: dict[str, list[str]] = {}
        #: Names that something binds: within it they hide what the machine provides.
        self.bound_names = frozenset(_bound_names(graph))
        self._connect(resources)
        self._guard()

    def _connect(self, resources: dict[str, Any]) -> None:
        outgoing: dict[str, list[tuple[str, str]]] = {}
        for flow in self.graph.flows:
            self.incoming.setdefault(flow.target, []).append(flow.id)
            if flow.role == "sequence":
                outgoing.setdefault(flow.source, []).append((flow.id, flow.target))
        for plan in self.nodes.values():
            node = plan.node
            plan.outgoing = tuple(outgoing.get(node.id, ()))
            if node.guard is not None:
                plan.guard = compile_condition(node.guard.condition)
                skip = node.guard.skip
                plan.skip = plan.outgoing if skip is None else (self.route(skip),)
            if node.data is not None:
                plan.rules = RulesPlan(node.data, resources)
            parts = _PARTS.get(type(node))
            if parts is None:
                raise UnrunnableGraph(f"no rule runs a {type(node).__name__} ({node.id})")
            plan.parts = parts(self, node)

    def _guard(self) -> None:
        for handler in self.graph.handlers:
            plan = HandlerPlan(handler)
            self.handlers[handler.id] = plan
            is_error = isinstance(handler.trigger, g.ErrorTrigger)
            if handler.node is not None:
                node = self.nodes[handler.node]
                (node.boundary if is_error else node.timers).append(plan)
            elif handler.scope is not None:
                table = self.catchers if is_error else self.scope_timers
                table.setdefault(handler.scope, []).append(plan)
        # Within one level a handler that names what it takes goes before one that takes everything.
        for takers in (*(node.boundary for node in self.nodes.values()), *self.catchers.values()):
            takers.sort(key=lambda handler: not handler.match)

    def route(self, flow: str) -> tuple[str, str]:
        """A flow with its target."""
        return flow, self.flows[flow].target

    def definition(self, pointer: str) -> Any:
        """The part of the author's document that a JSON pointer names, or nothing."""
        found = self.graph.document
        for part in pointer.split("/")[1:]:
            key = part.replace("~1", "/").replace("~0", "~")
            if isinstance(found, list) and key.isdigit() and int(key) < len(found):  # pyright: ignore
                found = found[int(key)]  # pyright: ignore[reportUnknownVariableType]
            elif isinstance(found, dict) and key in found:
                found = found[key]  # pyright: ignore[reportUnknownVariableType]
            else:
                return None
        return found  # pyright: ignore[reportUnknownVariableType]


def _bound_names(graph: g.Graph) -> Iterator[str]:
    for node in graph.nodes:
        if isinstance(node, g.ScopeNode) and node.multi is not None:
            yield from (node.multi.item, node.multi.index)
        elif isinstance(node, g.Receive):
            yield from (node.item, node.index)
    for handler in graph.handlers:
        if isinstance(handler.trigger, g.ErrorTrigger):
            yield handler.trigger.variable


def _value(declared: g.Variable) -> g.Value:
    return g.Constant(None) if declared.value is None else declared.value


def _optional(value: g.Value | None) -> Compiled | None:
    return None if value is None else compile_value(value)


def _condition(expression: g.Expression | None) -> Condition | None:
    return None if expression is None else compile_condition(expression)


def _schema(schema: g.Schema | None, resources: dict[str, Any]) -> Validator | None:
    return None if schema is None else validator(schema, resources)


def _choice(plan: Plan, node: g.Choice) -> Any:
    branches: list[Any] = []
    for flow_id in node.branches:
        flow = plan.flows[flow_id]
        if flow_id != node.default and flow.condition is not None:
            branches.append((compile_condition(flow.condition), (plan.route(flow_id),)))
    default = None if node.default is None else (plan.route(node.default),)
    return branches, default


def _strategy(
    strategy: g.EventStrategy,
) -> tuple[list[FilterPlan], Condition | None, list[FilterPlan]]:
    """The filters of a strategy, the condition that ends it, and the filters that do."""
    until = strategy.until_events
    return (
        [FilterPlan(filter) for filter in strategy.filters],
        _condition(strategy.until),
        [] if until is None else [FilterPlan(filter) for filter in until.filters],
    )


def _start(plan: Plan, node: g.Start) -> Any:
    """For each trigger its strategy, where it has one."""
    return [
        _strategy(trigger.strategy) if isinstance(trigger, g.EventTrigger) else None
        for trigger in node.triggers
    ]


def _receive(plan: Plan, node: g.Receive) -> Any:
    filters, until, until_filters = _strategy(node.strategy)
    return (
        filters or [FilterPlan(g.EventFilter())],
        until,
        until_filters,
        None if node.each is None else RulesPlan(node.each, {}),
    )


def _scope(plan: Plan, node: g.ScopeNode) -> Any:
    if node.multi is None:
        return None
    return compile_listing(node.multi.collection), _condition(node.multi.condition)


def _nothing(plan: Plan, node: g.Node) -> Any:
    return None


#: What each kind wants compiled beforehand; a kind that is not here has no rule yet.
_PARTS: dict[type, Callable[[Plan, Any], Any]] = {
    g.Start: _start,
    g.End: _nothing,
    g.Pass: _nothing,
    g.Fork: _nothing,
    g.Join: _nothing,
    g.Assign: lambda plan, node: compile_value(node.value),
    g.Task: lambda plan, node: compile_value(node.action.arguments),
    g.Emit: lambda plan, node: compile_value(node.event),
    g.Raise: lambda plan, node: None if node.error is None else ErrorPlan(node.error),
    g.Wait: lambda plan, node: compile_due(node.timer.value),
    g.Call: lambda plan, node: _optional(node.input),
    g.Choice: _choice,
    g.Receive: _receive,
    g.ScopeNode: _scope,
}
