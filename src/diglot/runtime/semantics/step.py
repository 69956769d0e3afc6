"""One macro-step: from a command through every node that needs nothing from outside.

A step emits events and applies each at once; it never changes the state in another way.
"""

from __future__ import annotations

import random
from collections import deque
from typing import TYPE_CHECKING, Any, cast

from diglot.compiler.graph import End, Join
from diglot.runtime import events as e
from diglot.runtime.evolve import evolve
from diglot.runtime.faults import Fault, fault, problem

from .descriptors import PROVIDERS
from .frame import Frame
from .handlers import cancel_children, cancel_contents, raise_error
from .registry import body_rules, pure_rules, rules

if TYPE_CHECKING:
    from diglot.runtime.plan import NodePlan, Plan, RulesPlan
    from diglot.runtime.state import ScopeVisit, State, Visit

    from .frame import Routes, Surroundings


class Step:
    """The work of one command on one instance."""

    def __init__(self, plan: Plan, state: State, around: Surroundings) -> None:
        self.plan = plan
        self.state = state
        self.around = around
        self.now_ms = around.now_ms
        self.pool = around.pool
        self.events: list[e.Event] = []
        #: Arrivals to be served and scope visits that may be done, in order.
        self.queue: deque[tuple[bool, int]] = deque()
        self._next = state.counter
        self._visits = 0
        self._visited: dict[tuple[int, str], int] = {}
        #: Set while the descriptor of `$authorization` is made, which must not ask for itself.
        self.is_authorizing = False
        self._chance: random.Random | None = None

    # -- events and ids

    def emit(self, event: e.Event) -> None:
        """Record an event and apply it."""
        self.events.append(event)
        if self.around.observe is not None:
            self.around.observe(self.state, event)
        evolve(self.state, event)

    def new_id(self) -> int:
        """The next id of the instance."""
        self._next += 1
        return self._next

    def chance(self) -> random.Random:
        """Randomness that the command brought along."""
        if self._chance is None:
            self._chance = random.Random(self.around.seed)
        return self._chance

    # -- the loop

    def run(self) -> None:
        """Serve the queue until nothing can go on without the outside."""
        state = self.state
        while self.queue and state.status == "running":
            is_arrival, id = self.queue.popleft()
            if is_arrival:
                arrival = state.arrivals.get(id)
                if arrival is not None:
                    self._serve(arrival.node, arrival.scope, id, arrival.data)
            else:
                scope = state.scopes.get(id)
                if scope is not None and scope.tokens == 0 and scope.retry_timer is None:
                    self.scope_done(scope)

    def _serve(self, node: str, scope: int, arrival: int, data: Any) -> None:
        plan = self.plan.nodes[node]
        self._visits += 1
        if self._visits > 1000 and self._is_too_much(node, scope):
            self._stop_loop(node)
            return
        if plan.kind is Join:
            self._join(plan, scope)
        else:
            self.begin(plan, scope, (arrival,), data)

    def _is_too_much(self, node: str, scope: int) -> bool:
        place = (scope, node)
        times = self._visited[place] = self._visited.get(place, 0) + 1
        return times > self.around.loop_budget or self._visits > self.around.visit_budget

    def _stop_loop(self, node: str) -> None:
        pointer = self.plan.nodes[node].node.pointer
        detail = f"a loop through {pointer or node} never waits: {self._visits} visits in one step"
        self.end_instance("faulted", error=problem("runtime", detail, instance=pointer))

    def _join(self, plan: NodePlan, scope: int) -> None:
        state = self.state
        standing = state.at.get((scope, plan.id), [])
        first: dict[str | None, int] = {}
        for id in standing:
            first.setdefault(state.arrivals[id].flow, id)
        incoming = self.plan.incoming.get(plan.id, [])
        node = plan.node
        assert isinstance(node, Join)
        need = len(incoming) if node.need is None else node.need
        if len(first) < need:
            return
        consumed = tuple(first[flow] for flow in incoming if flow in first)
        if node.collects:
            data: Any = [state.arrivals[id].data for id in consumed]
        else:
            data = state.arrivals[max(consumed)].data
        self.begin(plan, scope, consumed, data)

    # -- a visit's life

    def begin(self, plan: NodePlan, scope: int, arrivals: tuple[int, ...], data: Any) -> None:
        """Execute a node with the arrivals it consumes; `data` is its raw input."""
        frame = Frame(plan, scope, data, self.now_ms)
        id = self.new_id()
        try:
            if plan.guard is not None and not plan.guard(self, frame, data):
                routes = self.routes(plan.skip)
                self.emit(e.VisitSkipped(id, plan.id, scope, arrivals, routes))
                self.follow(scope, routes)
                return
            read = plan.rules
            if read is not None:
                self._read(frame, read)
            rule = pure_rules.get(plan.kind)
            if rule is not None:
                self._pass(id, frame, plan, arrivals, rule)
                return
        except Fault as found:
            self.emit(e.VisitEntered(id, plan.id, scope, arrivals, data, self.now_ms))
            self.fail(self.state.visits[id], found.problem)
            return
        is_read = frame.input is not frame.raw
        self.emit(
            e.VisitEntered(
                id,
                plan.id,
                scope,
                arrivals,
                data,
                self.now_ms,
                is_read,
                frame.input if is_read else None,
            )
        )
        visit = self.state.visits[id]
        try:
            for handler in plan.timers:
                assert handler.due is not None
                due_ms = handler.due(self, self.frame(visit), visit.input)
                self.emit(
                    e.TimerArmed(self.new_id(), "handler", due_ms, visit=id, handler=handler.id)
                )
            rules[plan.kind](self, visit, plan)
        except Fault as found:
            self.fail(visit, found.problem)

    def _pass(
        self, id: int, frame: Frame, plan: NodePlan, arrivals: tuple[int, ...], rule: Any
    ) -> None:
        raw, chosen = rule(self, frame, plan)
        output = raw if plan.rules is None else self.write(frame, plan.rules, raw)
        state = self.state
        if plan.kind is End:
            # An end carries its arrival's data as it came; see the rule of End.
            self.emit(e.TokenEnded(id, plan.id, frame.scope, arrivals))
            self._ended(plan, frame)
            return
        routes = self.routes(plan.outgoing if chosen is None else chosen)
        is_same = output is frame.raw and plan.kind is not Join
        self.emit(
            e.VisitPassed(
                id, plan.id, frame.scope, arrivals, routes, is_same, None if is_same else output
            )
        )
        if plan.kind is Join and self._has_more(plan, frame.scope):
            self.queue.append((True, state.at[frame.scope, plan.id][0]))
        self.follow(frame.scope, routes)

    def _has_more(self, plan: NodePlan, scope: int) -> bool:
        return bool(self.state.at.get((scope, plan.id)))

    def _ended(self, plan: NodePlan, frame: Frame) -> None:
        node = plan.node
        assert isinstance(node, End)
        scope = self.state.scopes[frame.scope]
        if node.effect == "instance":
            self.complete_instance(scope.result)
        elif node.effect == "terminate":
            self.cancel_contents(scope)
            self.queue.append((False, scope.id))
        elif scope.tokens == 0:
            self.queue.append((False, scope.id))

    def finish(self, visit: Visit, raw: Any, chosen: Routes | None = None) -> None:
        """The body of a visit is done with the raw output `raw`: apply the rules and leave."""
        plan = self.plan.nodes[visit.node]
        output = raw
        if plan.rules is not None:
            try:
                output = self.write(self.frame(visit), plan.rules, raw)
            except Fault as found:
                self.fail(visit, found.problem)
                return
        routes = self.routes(plan.outgoing if chosen is None else chosen)
        self.emit(e.VisitLeft(visit.id, output, routes))
        self.follow(visit.scope, routes)

    def routes(self, flows: Routes) -> tuple[e.Route, ...]:
        """New arrivals for flows."""
        return tuple(e.Route(self.new_id(), target, flow) for flow, target in flows)

    def follow(self, scope: int, routes: tuple[e.Route, ...]) -> None:
        """Queue the tokens that were put on `routes`, or the scope where there are none."""
        if routes:
            for route in routes:
                self.queue.append((True, route.arrival))
        elif self.state.scopes[scope].tokens == 0:
            self.queue.append((False, scope))

    def frame(self, visit: Visit) -> Frame:
        """What expressions of a running visit can see."""
        plan = self.plan.nodes[visit.node]
        frame = Frame(plan, visit.scope, visit.data, visit.began_ms)
        frame.input = visit.input
        return frame

    def frame_of(self, scope: ScopeVisit) -> Frame:
        """What expressions of a scope itself can see, such as those of its handlers."""
        if scope.owner is None:
            return Frame(None, scope.id, scope.input, scope.began_ms)
        frame = self.frame(self.state.visits[scope.owner])
        frame.scope = scope.id
        frame.raw = scope.input
        return frame

    # -- data

    def _read(self, frame: Frame, rules: RulesPlan) -> None:
        if rules.input_schema is not None:
            rules.input_schema(frame.raw, "input")
        if rules.read is not None:
            frame.input = rules.read(self, frame, frame.raw)

    def write(self, frame: Frame, rules: RulesPlan, raw: Any) -> Any:
        """Apply the output half of data rules: the transformed output; exports are recorded."""
        frame.output = frame.raw_output = raw
        output = raw if rules.write is None else rules.write(self, frame, raw)
        if rules.output_schema is not None:
            rules.output_schema(output, "output")
        if rules.export is not None or rules.export_schema is not None:
            frame.output = output
            self._export(frame, rules, output)
        return output

    def _export(self, frame: Frame, rules: RulesPlan, output: Any) -> None:
        holder = self.holder(frame.scope, rules.export_to)
        if holder is None:
            raise fault("runtime", f"no scope holds the variable {rules.export_to}")
        value = holder.variables[rules.export_to]
        if rules.export is not None:
            exported = rules.export(self, frame, output)
            if rules.export_mode == "merge" and isinstance(value, dict):
                exported = cast("dict[str, Any]", value) | exported
            value = exported
        if rules.export_schema is not None:
            rules.export_schema(value, "exported context")
        if rules.export is not None:
            self.emit(e.VariableSet(holder.id, rules.export_to, value))

    # -- variables

    def holder(self, scope: int | None, name: str) -> ScopeVisit | None:
        """The nearest scope visit that has the variable."""
        while scope is not None:
            found = self.state.scopes[scope]
            if name in found.variables:
                return found
            scope = found.parent
        return None

    def variable(self, name: str, frame: Frame) -> Any:
        """The value of `$name` for one evaluation."""
        if frame.extra is not None and name in frame.extra:
            return frame.extra[name]
        provide = PROVIDERS.get(name)
        holder = None
        if provide is None or name in self.plan.bound_names:
            holder = self.holder(frame.scope if frame.scope else None, name)
        if holder is None and provide is not None:
            return provide(self, frame)
        if holder is None:
            raise fault("expression", f"${name} is not defined here")
        return holder.variables[name]

    def all_variables(self, frame: Frame) -> dict[str, Any]:
        """Every variable in sight as one object; the nearest scope wins."""
        found: dict[str, Any] = {}
        scope = frame.scope or None
        while scope is not None:
            visit = self.state.scopes[scope]
            found = {**visit.variables, **found}
            scope = visit.parent
        return found | (frame.extra or {})

    def secret(self, name: str) -> Any:
        """A whole secret, sealed.

        Raises:
            Fault: there is no such secret (authorization, 403).
        """
        return self.around.secrets.sealed(self.state.id, name)

    def need_secrets(self, names: tuple[str, ...]) -> None:
        """Check that the secrets an expression names can be had.

        Raises:
            Fault: one cannot (authorization, 403).
        """
        for name in names:
            self.around.secrets.require(name)

    # -- scopes

    def enter_scope(
        self,
        scope_id: str,
        *,
        parent: int | None,
        owner: int | None,
        data: Any,
        variables: dict[str, Any] | None = None,
        handler: str | None = None,
    ) -> int:
        """Instantiate a scope: declare its variables, arm its timers, put a token on its start."""
        scope = self.plan.scopes[scope_id]
        declared = dict(variables or {})
        if self.plan.variables[scope_id]:
            frame = Frame(None, parent or 0, data, self.now_ms)
            for name, value in self.plan.variables[scope_id]:
                if value is None:
                    holder = self.holder(parent, name)
                    declared[name] = None if holder is None else holder.variables[name]
                else:
                    declared[name] = value(self, frame, data)
        id = self.new_id()
        arrival = self.new_id()
        self.emit(
            e.ScopeEntered(
                id,
                scope_id,
                parent,
                owner,
                scope.start,
                arrival,
                data,
                declared,
                self.now_ms,
                handler,
            )
        )
        self.arm_scope(id, scope_id, data, is_first=True)
        self.queue.append((True, arrival))
        return id

    def arm_scope(self, id: int, scope_id: str, data: Any, *, is_first: bool) -> None:
        """Arm the timers that guard a scope, and the one that bounds a single run of it."""
        frame = Frame(None, id, data, self.now_ms)
        if is_first:
            for handler in self.plan.scope_timers.get(scope_id, ()):
                assert handler.due is not None
                due_ms = handler.due(self, frame, data)
                self.emit(
                    e.TimerArmed(self.new_id(), "handler", due_ms, scope=id, handler=handler.id)
                )
        for handler in self.plan.catchers.get(scope_id, ()):
            if handler.retry is not None and handler.retry.attempt_due is not None:
                due_ms = handler.retry.attempt_due(self, frame, data)
                self.emit(
                    e.TimerArmed(self.new_id(), "attempt", due_ms, scope=id, handler=handler.id)
                )

    def scope_done(self, scope: ScopeVisit) -> None:
        """The last token of a scope visit is gone: hand its result over."""
        if scope.owner is None and scope.parent is None:
            # The root goes with the instance: the workflow's output may look at its variables.
            self.complete_instance(scope.result)
            return
        self.emit(e.ScopeLeft(scope.id))
        if scope.owner is not None:
            visit = self.state.visits[scope.owner]
            plan = self.plan.nodes[visit.node]
            try:
                body_rules[plan.kind](self, visit, plan, scope)
            except Fault as found:
                self.fail(visit, found.problem)
        elif scope.parent is not None and self.state.scopes[scope.parent].tokens == 0:
            self.queue.append((False, scope.parent))

    # -- ending

    def complete_instance(self, result: Any) -> None:
        """The instance ends well: shape its output."""
        output = result
        rules = self.plan.rules
        if rules is not None:
            frame = Frame(None, self.root_scope(), result, self.state.started_ms)
            try:
                if rules.write is not None:
                    output = rules.write(self, frame, result)
                if rules.output_schema is not None:
                    rules.output_schema(output, "output")
            except Fault as found:
                self.end_instance("faulted", error={**found.problem, "instance": "/output"})
                return
        self.end_instance("completed", output=output)

    def root_scope(self) -> int:
        """The id of the root scope visit, 0 once it is gone."""
        return next((id for id, scope in self.state.scopes.items() if scope.parent is None), 0)

    def end_instance(
        self, status: str, *, output: Any = None, error: e.Problem | None = None, by: str = ""
    ) -> None:
        """The instance is over, with everything still alive in it."""
        cancel_children(self)
        self.queue.clear()
        self.emit(e.InstanceEnded(status, self.now_ms, output, error, by))

    def fail(self, visit: Visit, error: e.Problem) -> None:
        """The visit raised `error`: the innermost handler that takes it goes on."""
        pointer = self.plan.nodes[visit.node].node.pointer
        raise_error(self, visit, {"instance": pointer, **error})

    def cancel_contents(self, scope: ScopeVisit) -> None:
        """Stop everything that is alive inside a scope visit."""
        cancel_contents(self, scope)
