"""One macro-step: from a command through every node that needs nothing from outside.

A step emits events and applies each at once; it never changes the state in another way.
"""

from __future__ import annotations

import random
from collections import deque
from typing import TYPE_CHECKING, Any

from diglot.compiler.graph import End, Join
from diglot.runtime import events as e
from diglot.runtime.evolve import evolve
from diglot.runtime.faults import Fault, problem

from .ad_hoc import activity_done, next_in_line
from .board import board_of
from .compensation import go_on
from .conditions import look_again
from .data import read_input, write_output
from .errors import raise_error, raise_in_scope
from .frame import Frame
from .inclusive import ask_again, fire, is_half_way, watch
from .keeping import keep_activity
from .leaving import scope_done, token_ended
from .quantities import gather
from .race import win
from .registry import pure_rules, rules
from .retries import arm_attempts
from .stopping import cancel_children
from .triggers import arm_scope, arm_visit, complete_beside
from .variables import all_variables, value_of

if TYPE_CHECKING:
    from diglot.runtime.gates import AdHocPlan
    from diglot.runtime.plan import NodePlan, Plan
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
        #: Arrivals to be served; scope visits that may be done, and compensations that may go on.
        self.queue: deque[tuple[bool, int]] = deque()
        #: Where tokens stand, if there are merges that may have to wait for them; and whether a
        #: variable was set since complex ones were asked.
        self.board = board_of(plan, state)
        self.asks = False
        #: Ad-hoc bodies in which the next activity may have to begin.
        self.lines: dict[int, AdHocPlan] = {}
        #: Tokens before nodes that act once the others have come to rest; and scope visits whose
        #: end waits until the conditions that guard them have been looked at.
        self.late: deque[int] = deque()
        self.ending: dict[int, None] = {}
        self._next = state.counter
        self._visits = 0
        self._visited: dict[tuple[int, str], int] = {}
        #: How many events the conditions have been looked at for, and how often that was.
        self.looked = 0
        self.looks = 0
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
        if self.board is not None:
            watch(self, event)

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
        """Go on until nothing can without the outside."""
        self._serve_all()
        while self.state.status == "running" and self._goes_on():
            self._serve_all()

    def _goes_on(self) -> bool:
        """Once nothing moves: look at what waits for just that; true if something may move then."""
        if self.plan.conditions and look_again(self):
            return True
        if self.ending:
            self._end_what_can()
            return True
        if self.late:
            # Whoever stands beside a thrower can catch what it throws (our decision A129).
            self._begin_late(self.late.popleft())
            return True
        if self.board is not None and ((self.asks and ask_again(self)) or fire(self)):
            return True
        return bool(self.lines) and next_in_line(self)

    def _serve_all(self) -> None:
        """Serve the queue until it is empty."""
        state = self.state
        while self.queue and state.status == "running":
            is_arrival, id = self.queue.popleft()
            if is_arrival:
                arrival = state.arrivals.get(id)
                if arrival is not None:
                    self._serve(arrival.node, arrival.scope, id, arrival.data)
            else:
                scope = state.scopes.get(id)
                if scope is None:
                    if id in state.visits:
                        go_on(self, state.visits[id])
                elif scope.tokens == 0 and scope.retry_timer is None:
                    scope_done(self, scope)

    def _serve(self, node: str, scope: int, arrival: int, data: Any) -> None:
        plan = self.plan.nodes[node]
        self._visits += 1
        if self._visits > 1000 and self.is_too_much(node, scope):
            self.stop_loop(node)
            return
        if plan.is_gathering:
            gather(self, plan, scope, arrival)
        elif plan.is_late:
            self.late.append(arrival)
        else:
            self.begin(plan, scope, (arrival,), data)

    def _begin_late(self, arrival: int) -> None:
        token = self.state.arrivals.get(arrival)
        if token is not None:
            self.begin(self.plan.nodes[token.node], token.scope, (arrival,), token.data)

    def is_too_much(self, node: str, scope: int) -> bool:
        """Count a token at a node of a scope visit; whether it came too often in this step."""
        place = (scope, node)
        times = self._visited[place] = self._visited.get(place, 0) + 1
        return times > self.around.loop_budget or self._visits > self.around.visit_budget

    def stop_loop(self, node: str) -> None:
        """The instance faults over a loop that never waits."""
        pointer = self.plan.nodes[node].node.pointer
        detail = f"a loop through {pointer or node} never waits: {self._visits} visits in one step"
        self.end_instance("faulted", error=problem("runtime", detail, instance=pointer))

    # -- a visit's life

    def begin(
        self,
        plan: NodePlan,
        scope: int,
        arrivals: tuple[int, ...],
        data: Any,
        *,
        race: int | None = None,
        compensates: int | None = None,
    ) -> None:
        """Execute a node with the arrivals it consumes; `data` is its raw input.

        `race` is the visit of the race it takes part in, `compensates` that of the compensation it
        is done for.
        """
        frame = Frame(plan, scope, data, self.now_ms)
        id = self.new_id()
        is_held = False
        try:
            if plan.guard is not None and not plan.guard(self, frame, data):
                routes = self.routes(plan.skip)
                self.emit(e.VisitSkipped(id, plan.id, scope, arrivals, routes))
                self.follow(scope, routes)
                return
            read = plan.rules
            if read is not None:
                is_held = read.needs is not None and not read.needs(self, frame, data)
                if not is_held:
                    read_input(self, frame, read)
            rule = pure_rules.get(plan.kind)
            if not (rule is None or is_held or plan.is_guarded or compensates is not None):
                self._pass(id, frame, plan, arrivals, rule)
                return
        except Fault as found:
            self.emit(
                e.VisitEntered(
                    id, plan.id, scope, arrivals, data, self.now_ms,
                    race=race, compensates=compensates,
                )
            )  # fmt: skip
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
                race,
                compensates,
                is_held,
            )
        )
        if not is_held:
            self.activate(self.state.visits[id], plan)

    def activate(self, visit: Visit, plan: NodePlan) -> None:
        """A visit begins its work: what guards it is armed, then the rule of its kind runs."""
        try:
            if plan.guards.armed and not arm_visit(self, visit, plan):
                return
            rule = pure_rules.get(plan.kind)
            if rule is None:
                rules[plan.kind](self, visit, plan)
            else:
                output, chosen = rule(self, self.frame(visit), plan)
                self.finish(visit, output, chosen)
        except Fault as found:
            self.fail(visit, found.problem)

    def _pass(
        self, id: int, frame: Frame, plan: NodePlan, arrivals: tuple[int, ...], rule: Any
    ) -> None:
        raw, chosen = rule(self, frame, plan)
        output = raw if plan.rules is None else write_output(self, frame, plan.rules, raw)
        state = self.state
        if plan.kind is End:
            # An end carries its arrival's data as it came; see the rule of End.
            self.emit(e.TokenEnded(id, plan.id, frame.scope, arrivals))
            token_ended(self, plan, state.scopes[frame.scope])
            return
        routes = self.routes(plan.outgoing if chosen is None else chosen)
        if plan.is_kept:
            keep_activity(self, frame.scope, plan, id)
        is_same = output is frame.raw and plan.kind is not Join
        self.emit(
            e.VisitPassed(
                id, plan.id, frame.scope, arrivals, routes, is_same, None if is_same else output
            )
        )
        if plan.kind is Join and self._has_more(plan, frame.scope):
            self.queue.append((True, state.at[frame.scope, plan.id][0]))
        self.follow(frame.scope, routes)
        if plan.ad_hoc is not None:
            activity_done(self, plan, frame.scope)

    def _has_more(self, plan: NodePlan, scope: int) -> bool:
        return bool(self.state.at.get((scope, plan.id)))

    def finish(
        self, visit: Visit, raw: Any, chosen: Routes | None = None, *, is_completed: bool = True
    ) -> None:
        """The body of a visit is done with the raw output `raw`: apply the rules and leave.

        One that is not completed, as it was terminated inside, cannot be undone later.
        """
        plan = self.plan.nodes[visit.node]
        if visit.race is not None:
            win(self, visit)
        output = raw
        if plan.rules is not None:
            try:
                output = write_output(self, self.frame(visit), plan.rules, raw)
            except Fault as found:
                self.fail(visit, found.problem)
                return
        if plan.keeps_result:
            output = None
        routes = self.routes(plan.outgoing if chosen is None else chosen)
        if plan.is_kept and is_completed and visit.compensates is None:
            keep_activity(self, visit.scope, plan, visit.id)
        self.emit(e.VisitLeft(visit.id, output, routes))
        self.follow(visit.scope, routes)
        if visit.compensates is not None:
            self.queue.append((False, visit.compensates))
        elif plan.ad_hoc is not None:
            activity_done(self, plan, visit.scope)

    def routes(self, flows: Routes) -> tuple[e.Route, ...]:
        """New arrivals for flows."""
        return tuple(e.Route(self.new_id(), target, flow) for flow, target in flows)

    def follow(self, scope: int, routes: tuple[e.Route, ...]) -> None:
        """Queue the tokens that were put on `routes`, or the scope where there are none."""
        if routes:
            for route in routes:
                self.queue.append((True, route.arrival))
        else:
            self.look_for_end(self.state.scopes[scope])

    def look_for_end(self, scope: ScopeVisit) -> None:
        """A token of the scope is gone: the scope may be done, or only its handlers run on.

        What the token brought about was still inside: conditions that guard the scope see it first.
        """
        if scope.scope in self.plan.minded:
            self.ending[scope.id] = None
        else:
            self._look_for_end(scope)

    def _end_what_can(self) -> None:
        ending, self.ending = self.ending, {}
        for id in ending:
            scope = self.state.scopes.get(id)
            if scope is not None:
                self._look_for_end(scope)

    def _look_for_end(self, scope: ScopeVisit) -> None:
        if scope.tokens == 0:
            self.queue.append((False, scope.id))
        elif scope.scope in self.plan.accompanied and not is_half_way(self, scope):
            complete_beside(self, scope)

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

    # -- variables

    def variable(self, name: str, frame: Frame) -> Any:
        """The value of `$name` for one evaluation."""
        return value_of(self, name, frame)

    def all_variables(self, frame: Frame) -> dict[str, Any]:
        """Every variable in sight as one object; what is nearer to the evaluation wins."""
        return all_variables(self, frame)

    def root_scope(self) -> int:
        """The id of the root scope visit, 0 once it is gone."""
        return next((id for id, scope in self.state.scopes.items() if scope.parent is None), 0)

    # -- scopes

    def arm(self, scope: ScopeVisit) -> None:
        """Arm what guards a scope visit; it may be over with that."""
        arm_scope(self, scope)
        if scope.id in self.state.scopes:
            arm_attempts(self, scope)

    # -- ending

    def end_instance(
        self, status: str, *, output: Any = None, error: e.Problem | None = None, by: str = ""
    ) -> None:
        """The instance is over, with everything still alive in it."""
        cancel_children(self)
        self.queue.clear()
        self.emit(e.InstanceEnded(status, self.now_ms, output, error, by))

    def fail(self, visit: Visit, error: e.Problem) -> None:
        """The visit raised `error`: the innermost handler that takes it goes on."""
        win(self, visit)
        pointer = self.plan.nodes[visit.node].node.pointer
        raise_error(self, visit, {"instance": pointer, **error})

    def fail_scope(
        self, scope: ScopeVisit, error: e.Problem, *, is_from_handler: bool = False
    ) -> None:
        """The scope itself raised `error`, or a handler of it that could not begin."""
        raise_in_scope(self, scope, error, is_from_handler=is_from_handler)
