"""A graph made ready to run: nodes with their flows, rules and compiled expressions at hand."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from diglot.compiler import graph as g

from .errors import UnrunnableGraph
from .evaluate import compile_condition, compile_value, compile_watch
from .gates import AdHocPlan, Gates, InclusivePlan, carried
from .guards import Guards, HandlerPlan, OccasionPlan
from .occasions import occasions
from .parts import (
    ErrorPlan,
    FilterPlan,
    KeyPlan,
    LoopPlan,
    RulesPlan,
    RunsPlan,
    condition,
    optional,
)
from .reach import reached
from .starts import shared_by_starts, single_triggers, ways_of
from .timing import compile_timer

if TYPE_CHECKING:
    from .parts import Condition

_NO_GUARDS = Guards()


class Escalate:
    """The kind of a `Raise` that raises an escalation: it has a rule of its own."""


class NodePlan:
    """One node with all that the machine needs to run it."""

    __slots__ = (
        "ad_hoc", "cancelled", "guard", "guards", "id", "is_gathering", "is_guarded", "is_kept",
        "is_late", "is_task", "is_watchful", "keeps_result", "kind", "node", "outgoing", "parts",
        "rules", "skip", "undo",
    )  # fmt: skip

    def __init__(self, node: g.Node) -> None:
        self.node = node
        self.id = node.id
        self.kind: type = type(node)
        if isinstance(node, g.Raise) and node.escalation is not None:
            self.kind = Escalate
        #: Whether it is a task of the author's, and not laid out around one or inside it.
        is_whole = node.id == node.pointer or node.id.endswith(f"~{node.pointer}")
        self.is_task = bool(node.construct) and is_whole
        self.guard: Condition | None = None
        self.rules: RulesPlan | None = None
        #: Whether a token that comes may have to wait for others.
        self.is_gathering = False
        #: Whether it waits until the other tokens of the step have come to rest.
        self.is_late = isinstance(node, g.Emit) and node.kind == "signal"
        #: Whether its result is in variables and nothing of it leaves on its token.
        self.keeps_result = False
        #: The ad-hoc body it stands in.
        self.ad_hoc: AdHocPlan | None = None
        #: (flow, target) of the ordinary flows, and of the flow for a false guard; once a token.
        self.outgoing: tuple[tuple[str, str], ...] = ()
        self.skip: tuple[tuple[str, str], ...] = ()
        self.guards = _NO_GUARDS
        #: Whether a handler has to be armed for it, though it is done at once.
        self.is_guarded = False
        #: What the kind's own rule needs, compiled; see `_PARTS`.
        self.parts: Any = None
        #: What undoes it once it is done, and what goes on where it is a cancelled transaction.
        self.undo: HandlerPlan | None = None
        self.cancelled: HandlerPlan | None = None
        #: Whether there may be something to undo of it; whether the end of its body is looked at.
        self.is_kept = False
        self.is_watchful = False


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
        #: The handlers that guard a scope, by scope; and the scopes beside whose tokens some run.
        self.guards: dict[str, Guards] = {}
        self.accompanied: set[str] = set()
        #: Handlers that undo a scope once it is done, by scope.
        self.undoing: dict[str, HandlerPlan] = {}
        #: Whether anything can be undone at all, and whether some body sees how its runs stand.
        self.can_undo = False
        self.has_counts = any(
            isinstance(node, g.ScopeNode) and node.multi is not None and node.multi.counts
            for node in graph.nodes
        )
        #: Whether tokens carry data that somebody reads; in a process all data is in variables.
        self.has_data_on_tokens = not self.scopes[graph.root].binds_input
        #: Values of the variables a scope declares: (name, value or none for a copy).
        self.variables = {
            scope.id: [
                (declared.name, None if declared.copies else compile_value(_value(declared)))
                for declared in scope.variables
            ]
            for scope in graph.scopes
        }
        self.incoming: dict[str, list[str]] = {}
        self.nodes_of: dict[str, list[str]] = {}
        for node in graph.nodes:
            self.nodes_of.setdefault(node.scope, []).append(node.id)
        #: Names that something binds: within it they hide what the machine provides.
        self.bound_names = frozenset(_bound_names(graph))
        self._connect(resources)
        self.ways = ways_of(self)
        #: Correlation keys by which messages of several starts belong to one instance.
        self.conversing = shared_by_starts(self.ways)
        self._guard(resources)
        #: What is waited for until it is true, by the key of its truth; see `OccasionPlan`.
        self.conditions = self._conditions()
        #: Scopes that do not end before the conditions that guard them have been looked at.
        self.minded = frozenset(self._minded())
        self._watch()
        self.gates = Gates(self)
        self._led_to: dict[str, frozenset[str]] = {}

    def _connect(self, resources: dict[str, Any]) -> None:
        outgoing: dict[str, list[tuple[str, str]]] = {}
        for flow in self.graph.flows:
            self.incoming.setdefault(flow.target, []).append(flow.id)
            if flow.role == "sequence":
                outgoing.setdefault(flow.source, []).extend(carried(flow))
        for plan in self.nodes.values():
            node = plan.node
            plan.outgoing = tuple(outgoing.get(node.id, ()))
            if node.guard is not None:
                plan.guard = compile_condition(node.guard.condition)
                skip = node.guard.skip
                plan.skip = plan.outgoing if skip is None else self.carried(skip)
            if node.data is not None:
                plan.rules = RulesPlan(node.data, resources)
            parts = _PARTS.get(type(node))
            if parts is None:
                raise UnrunnableGraph(f"no rule runs a {type(node).__name__} ({node.id})")
            plan.parts = parts(self, node)
            plan.keeps_result = not self.has_data_on_tokens and isinstance(
                node, g.Task | g.Call | g.ScopeNode
            )

    def _guard(self, resources: dict[str, Any]) -> None:
        for handler in self.graph.handlers:
            plan = HandlerPlan(handler, resources)
            self.handlers[handler.id] = plan
            if self._undo(plan):
                continue
            if handler.node is not None:
                node = self.nodes[handler.node]
                if node.guards is _NO_GUARDS:
                    node.guards = Guards()
                node.guards.add(plan)
                node.is_guarded |= plan in node.guards.armed and plan.raises is None
            elif handler.scope is not None:
                self.guards.setdefault(handler.scope, Guards()).add(plan)
                if handler.run is not None and not handler.is_interrupting:
                    self.accompanied.add(handler.scope)

    def guards_of(self, scope: str) -> Guards:
        """The handlers that guard a scope."""
        return self.guards.get(scope, _NO_GUARDS)

    def _conditions(self) -> dict[str, OccasionPlan | None]:
        """Of handlers their own; one key without a handler stands for all that nodes wait for."""
        found: dict[str, OccasionPlan | None] = {
            occasion.key: occasion
            for handler in self.handlers.values()
            for occasion in handler.occasions
            if occasion.condition is not None
        }
        for plan in self.nodes.values():
            node, rules = plan.node, plan.rules
            if rules is not None and rules.needs is not None:
                found[""] = None
            if isinstance(node, g.Wait) and node.condition is not None:
                found[""] = None
        return found

    def _minded(self) -> Iterator[str]:
        for occasion in self.conditions.values():
            if occasion is None:
                continue
            handler = occasion.handler.handler
            if handler.scope is not None:
                yield handler.scope
            elif handler.node is not None:
                node = self.nodes[handler.node].node
                if isinstance(node, g.ScopeNode):
                    yield node.body

    def _undo(self, handler: HandlerPlan) -> bool:
        """Sort in what undoes something or takes a cancel; whether the handler does no more."""
        node, scope = handler.handler.node, handler.handler.scope
        others = False
        for occasion in handler.occasions:
            match occasion.occasion:
                case g.CancelTrigger():
                    if node is not None:
                        self.nodes[node].cancelled = handler
                case g.CompensationTrigger():
                    self.can_undo = True
                    if node is not None:
                        self.nodes[node].undo = handler
                    elif scope is not None:
                        self.undoing[scope] = handler
                case _:
                    others = True
        return not others

    def _watch(self) -> None:
        for plan in self.nodes.values():
            node = plan.node
            plan.is_kept = plan.undo is not None
            if isinstance(node, g.ScopeNode):
                multi = node.multi
                is_repeated = multi is not None and not multi.is_chained
                plan.is_kept = self.can_undo
                plan.is_watchful = self.can_undo or is_repeated or node.loop is not None

    def route(self, flow: str) -> tuple[str, str]:
        """A flow with its target."""
        return flow, self.flows[flow].target

    def carried(self, flow: str) -> tuple[tuple[str, str], ...]:
        """A flow with its target, once for each token it carries."""
        return carried(self.flows[flow])

    def led_to(self, flow: str) -> frozenset[str]:
        """The nodes that a token on a flow can come to, by whatever flows of the scope."""
        found = self._led_to.get(flow)
        if found is None:
            found = self._led_to[flow] = frozenset(
                reached([self.flows[flow].target], self.gates.ways)
            )
        return found

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
        elif isinstance(node, g.ScopeNode) and node.loop is not None:
            yield node.loop.index
        elif isinstance(node, g.Receive):
            yield from (node.item, node.index)
    for handler in graph.handlers:
        for occasion in occasions(handler.trigger)[0]:
            if isinstance(occasion, g.ErrorTrigger | g.EscalationTrigger):
                yield occasion.variable


def _value(declared: g.Variable) -> g.Value:
    return g.Constant(None) if declared.value is None else declared.value


def _choice(plan: Plan, node: g.Choice) -> Any:
    branches: list[Any] = []
    for flow_id in node.branches:
        flow = plan.flows[flow_id]
        if flow_id != node.default and flow.condition is not None:
            branches.append((compile_condition(flow.condition), plan.carried(flow_id)))
    default = None if node.default is None else plan.carried(node.default)
    return branches, default


def _strategy(
    strategy: g.EventStrategy,
) -> tuple[list[FilterPlan], Condition | None, list[FilterPlan]]:
    """The filters of a strategy, the condition that ends it, and the filters that do."""
    until = strategy.until_events
    return (
        [FilterPlan(filter) for filter in strategy.filters],
        condition(strategy.until),
        [] if until is None else [FilterPlan(filter) for filter in until.filters],
    )


def _start(plan: Plan, node: g.Start) -> Any:
    """Each trigger with its strategy, where it has one."""
    return [
        (trigger, _strategy(trigger.strategy) if isinstance(trigger, g.EventTrigger) else None)
        for trigger in single_triggers(node)
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
    if node.multi is not None:
        return RunsPlan(node.multi)
    return None if node.loop is None else LoopPlan(node.loop)


def _wait(plan: Plan, node: g.Wait) -> Any:
    """When it is over, or the condition it waits for."""
    return (
        None if node.timer is None else compile_timer(node.timer),
        None if node.condition is None else compile_watch(node.condition),
    )


def _task(plan: Plan, node: g.Task) -> Any:
    """The arguments of the job, its type where that is computed, and whether it shows variables."""
    type = node.action.type
    arguments = node.action.arguments
    shows = node.waits and not plan.has_counts and _shows_all(node)
    if shows and isinstance(arguments, g.Record):
        members = tuple(
            (name, g.Constant(None) if name == "variables" else member)
            for name, member in arguments.members
        )
        arguments = g.Record(members)
    return compile_value(arguments), None if isinstance(type, str) else optional(type), shows


def _shows_all(node: g.Task) -> bool:
    """Whether the member `variables` of the arguments is all that the scopes around have."""
    arguments = node.action.arguments
    if node.data is not None and node.data.read is not None:
        return False
    shown = g.Expression(text=".", of="variables")
    return isinstance(arguments, g.Record) and dict(arguments.members).get("variables") == shown


def _raise(plan: Plan, node: g.Raise) -> Any:
    """The error, or the payload of the escalation."""
    if node.escalation is not None:
        return optional(node.payload)
    return None if node.error is None else ErrorPlan(node.error)


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
    g.Task: _task,
    g.Emit: lambda plan, node: (compile_value(node.event), [KeyPlan(key) for key in node.keys]),
    g.Raise: _raise,
    g.Wait: _wait,
    g.Call: lambda plan, node: optional(node.input),
    g.Choice: _choice,
    g.Inclusive: InclusivePlan,
    g.Race: _nothing,
    g.Receive: _receive,
    g.ScopeNode: _scope,
    g.Compensate: _nothing,
}
