"""What tokens leave in an instance, and in which order they could have left it.

In the words of the token simulator: it does not count a gateway that waits for events, nor an event
that ends its own scope; it does count an activity that is interrupted, and each run of an event
sub-process or of a compensation.
"""

from __future__ import annotations

from dataclasses import dataclass

from diglot.compiler.graph import Compensate, End, Race, Start
from diglot.runtime import events as e
from diglot.runtime.engine import Engine
from diglot.runtime.evolve import evolve
from diglot.runtime.plan import Plan
from diglot.runtime.state import State


@dataclass(frozen=True, slots=True)
class Exit:
    """A token leaves an element; `after` are the numbers of the exits it could not come before."""

    element: str
    after: frozenset[int]


_NOTHING: frozenset[int] = frozenset()


def exits_of(engine: Engine, instance: str) -> list[Exit]:
    """Every exit of an instance, in order of its history."""
    state = State(instance)
    walk = _Walk(engine.plan(engine.state(instance).definition), state)
    history = [event for _, _, events in engine.store.history(instance) for event in events]
    for number, event in enumerate(history):
        walk.follow(event, history[number + 1 :])
        evolve(state, event)
    return walk.exits


class _Walk:
    def __init__(self, plan: Plan, state: State) -> None:
        self.plan = plan
        self.state = state
        self.exits: list[Exit] = []
        #: By arrival, by visit: the exits it follows from. By visit: the exits inside of it.
        self._brought: dict[int, frozenset[int]] = {}
        self._causes: dict[int, frozenset[int]] = {}
        self._inside: dict[int, set[int]] = {}
        #: Scope visits in which something was stopped and no handler of it took over.
        self._broken: set[int] = set()
        self._stopped = _NOTHING

    def follow(self, event: e.Event, following: list[e.Event]) -> None:
        """Take down what an event that is about to be applied makes a token leave."""
        match event:
            case e.ScopeEntered(owner=owner, arrival=arrival):
                self._brought[arrival] = _NOTHING if owner is None else self._causes[owner]
            case e.VisitEntered(id=id, arrivals=arrivals):
                self._causes[id] = self._of(arrivals)
            case e.VisitPassed(node=node, scope=scope, arrivals=arrivals, routes=routes):
                before = self._of(arrivals)
                after = self._exit(node, scope, before)
                is_start = isinstance(self.plan.nodes[node].node, Start)
                for route in routes:
                    # What begins beside a start event does not follow it.
                    is_beside = is_start and "->" in (route.flow or "")
                    self._brought[route.arrival] = before if is_beside else after
            case e.VisitSkipped(arrivals=arrivals, routes=routes):
                self._bring(routes, self._of(arrivals))
            case e.TokenEnded(node=node, scope=scope, arrivals=arrivals):
                self._exit(node, scope, self._of(arrivals))
            case e.VisitLeft(id=id, routes=routes):
                visit = self.state.visits[id]
                after = self._causes.get(id, _NOTHING) | self._inside.pop(id, set())
                self._bring(routes, self._exit(visit.node, visit.scope, after))
            case e.VisitFailed(id=id) | e.VisitCancelled(id=id):
                self._stop(id, following)
            case e.VisitMoved(visit=id):
                self._broken.add(self.state.visits[id].scope)
            case e.TokensWithdrawn(scope=scope) | e.ScopeTerminated(id=scope):
                self._broken.add(scope)
            case e.TokenPut(scope=scope, route=route):
                self._broken.discard(scope)
                self._brought[route.arrival] = self._stopped
            case e.ScopeLeft(id=id) if id not in self._broken:
                self._leave(id)
            case _:
                pass

    def _stop(self, id: int, following: list[e.Event]) -> None:
        visit = self.state.visits[id]
        self._stopped = self._causes.get(id, _NOTHING)
        if _is_taken_over(self.plan, visit.node, following):
            self._exit(visit.node, visit.scope, self._stopped)
        else:
            self._broken.add(visit.scope)

    def _leave(self, scope: int) -> None:
        """An event sub-process or a compensation of a scope is done."""
        left = self.state.scopes[scope]
        owner = None if left.owner is None else self.state.visits[left.owner].node
        is_run = owner is None or isinstance(self.plan.nodes[owner].node, Compensate)
        if is_run and left.parent is not None:
            self._note(self.plan.scopes[left.scope].pointer, left.parent, _NOTHING)

    def _of(self, arrivals: tuple[int, ...]) -> frozenset[int]:
        return _NOTHING.union(*(self._brought.get(id, _NOTHING) for id in arrivals))

    def _bring(self, routes: tuple[e.Route, ...], after: frozenset[int]) -> None:
        for route in routes:
            self._brought[route.arrival] = after

    def _exit(self, node: str, scope: int, after: frozenset[int]) -> frozenset[int]:
        """What follows from leaving a node: its own exit, or what it follows from itself."""
        found = self.plan.nodes[node].node
        is_silent = isinstance(found, Race) or (isinstance(found, End) and found.effect != "none")
        if not found.construct or found.id != found.pointer or is_silent:
            return after
        return frozenset({self._note(found.pointer, scope, after)})

    def _note(self, element: str, scope: int, after: frozenset[int]) -> int:
        number = len(self.exits)
        self.exits.append(Exit(element, after))
        around: int | None = scope
        while around is not None:
            visit = self.state.scopes[around]
            if visit.owner is not None:
                self._inside.setdefault(visit.owner, set()).add(number)
            around = visit.parent
        return number


def _is_taken_over(plan: Plan, node: str, following: list[e.Event]) -> bool:
    """Whether a handler of the node that was just stopped goes on with a token."""
    for event in following:
        match event:
            case e.TokenPut(route=route) if route.flow is not None:
                return plan.flows[route.flow].source == node
            case e.VisitFailed() | e.VisitCancelled() | e.TokenPut() | e.InstanceEnded():
                return False
            case _:
                pass
    return False
