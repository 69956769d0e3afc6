"""Events that never reach who waits for them.

Source: BPMN 2.0.2 10.5.2, 10.5.4, 13.4.4; our decisions A114, A123, A135.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping
from itertools import islice
from typing import Final, TypeAlias

from diglot.compiler import codes
from diglot.compiler.diagnostics import Related, Report
from diglot.compiler.expressions.analysis import read_paths
from diglot.compiler.graph import (
    ConditionTrigger,
    EventTrigger,
    Expression,
    Graph,
    Handler,
    Race,
    ScopeNode,
    SeveralTrigger,
    Start,
    Trigger,
)
from diglot.compiler.graph.sites import expressions_in
from diglot.compiler.source import Source

from .listeners import Listener, Owner, called, listeners, looks_computed, senders, signature
from .programs import program_of

#: So many scopes around a wait are looked at.
_MOST_LEVELS: Final = 200


def check_events(graph: Graph, report: Report, sources: Mapping[str, Source]) -> None:
    """Report messages that somebody else always takes, and names and filters that never fit."""
    found = list(listeners(graph))
    _check_names(graph, found, report)
    check_starts([one for one in found if one.place == "start"], report)
    rivals = _Rivals(graph, [one for one in found if one.filter.kind == "message"])
    for one, other in rivals.pairs():
        _report_rivals(one, other, report)
    for node in graph.nodes:
        if isinstance(node, Start) and node.scope == graph.root:
            for trigger in node.triggers:
                for expression, what in _of_data(trigger):
                    report.add(
                        codes.START_READS_DATA,
                        expression.span or node.span,
                        node.pointer,
                        start=called(node),
                        what=what,
                    )


def check_starts(starts: Iterable[Listener], report: Report) -> None:
    """Report starts, of whichever definitions, of which the first takes all messages."""
    first: dict[Hashable, Listener] = {}
    for one in starts:
        sign = signature(one.filter) if one.filter.kind == "message" else None
        if sign is None:
            continue
        other = first.setdefault(sign, one)
        if other.owner is not one.owner:
            report.add(
                codes.MESSAGE_STARTS_TWICE,
                one.owner.span,
                one.owner.pointer,
                related=[_place(other)],
                message=one.name or "",
                one=called(other.owner),
                other=called(one.owner),
            )


def _place(listener: Listener) -> Related:
    owner = listener.owner
    return Related(
        message="the message is awaited here, too", span=owner.span, pointer=owner.pointer
    )


def _report_rivals(one: Listener, other: Listener, report: Report) -> None:
    report.add(
        codes.MESSAGE_AWAITED_TWICE,
        other.owner.span,
        other.owner.pointer,
        related=[_place(one)],
        message=other.name or "",
        one=called(one.owner),
        other=called(other.owner),
    )


def _check_names(graph: Graph, found: Iterable[Listener], report: Report) -> None:
    """Report each name once, where it is used first, that its author wanted to be computed."""
    uses: list[tuple[str, str, Owner]] = [
        (one.filter.kind, one.name, one.owner) for one in found if one.name is not None
    ]
    uses += [(one.kind, one.name, one.node) for one in senders(graph)]
    told: set[tuple[str, str]] = set()
    for kind, name, owner in uses:
        if kind != "event" and (kind, name) not in told and looks_computed(name):
            told.add((kind, name))
            report.add(
                codes.NAME_NOT_COMPUTED,
                owner.span,
                owner.pointer or owner.id,
                kind=kind,
                name=name[:80],
            )


# -- before there is an instance


def _of_data(trigger: Trigger) -> Iterator[tuple[Expression, str]]:
    """The expressions of a start that read data of an instance, and what they read."""
    match trigger:
        case ConditionTrigger(condition=condition):
            yield from _reading(condition)
        case SeveralTrigger(triggers=parts):
            for part in parts:
                if not isinstance(part, SeveralTrigger):
                    yield from _of_data(part)
        case EventTrigger(strategy=strategy):
            for filter in strategy.filters:
                for attribute in filter.attributes:
                    # A whole expression sees the attribute; one inside of data sees the data.
                    if not isinstance(attribute.value, Expression):
                        for expression in expressions_in(attribute.value):
                            yield from _reading(expression)
                for key in filter.correlations:
                    for expression in expressions_in(key.expect):
                        yield from _reading(expression)
        case _:
            pass


def _reading(expression: Expression) -> Iterator[tuple[Expression, str]]:
    program = program_of(expression.text)
    for path in islice(() if program is None else read_paths(program), 1):
        yield expression, f"`{path[0]}`"


# -- who waits beside whom


_Key: TypeAlias = tuple[bool, str]


def _key(owner: Owner) -> _Key:
    return isinstance(owner, Handler), owner.id


def _stops_alone(owner: Owner) -> bool:
    """Whether it stops to listen once it has begun, and leaves what listens beside it there."""
    return isinstance(owner, Handler) and owner.node is None and owner.is_interrupting


class _Rivals:
    """The waits for messages of a graph that are there at the same time, as far as that is sure."""

    def __init__(self, graph: Graph, found: Iterable[Listener]) -> None:
        self._graph = graph
        # A start of an event sub-process and the handler it stands for may have one id.
        self._of: dict[_Key, list[tuple[Hashable, Listener]]] = {}
        for one in found:
            sign = signature(one.filter)
            if sign is not None and one.place != "start":
                self._of.setdefault(_key(one.owner), []).append((sign, one))
        self._parents = {scope.id: scope.parent for scope in graph.scopes}
        self._on_node: dict[str, list[Handler]] = {}
        self._on_scope: dict[str, list[Handler]] = {}
        for handler in graph.handlers:
            if _key(handler) not in self._of:
                continue
            if handler.node is not None:
                self._on_node.setdefault(handler.node, []).append(handler)
            elif handler.scope is not None:
                self._on_scope.setdefault(handler.scope, []).append(handler)
        #: The node that enters a scope.
        self._entering = {node.body: node for node in graph.nodes if isinstance(node, ScopeNode)}

    def pairs(self) -> Iterator[tuple[Listener, Listener]]:
        """Two that take the same messages, the one that gets them first."""
        if not self._of:
            return
        groups: Iterable[Iterable[Owner]] = (
            *self._races(), *self._on_node.values(), *self._on_scope.values()
        )  # fmt: skip
        for group in groups:
            for one, other in self._among(group):
                if not _stops_alone(one.owner):
                    yield one, other
        for node in self._graph.nodes:
            if _key(node) in self._of or node.id in self._on_node:
                handlers = self._on_node.get(node.id, [])
                yield from self._between(handlers, [node])
                yield from self._between(self._around(node.scope), [node, *handlers])
        for scope, handlers in self._on_scope.items():
            entering = self._entering.get(scope)
            if entering is not None:
                around = [*self._on_node.get(entering.id, ()), *self._around(entering.scope)]
                yield from self._between(around, handlers)

    def _races(self) -> Iterator[list[Owner]]:
        nodes = {node.id: node for node in self._graph.nodes}
        races: dict[str, list[Owner]] = {
            node.id: [] for node in self._graph.nodes if isinstance(node, Race)
        }
        for flow in self._graph.flows if races else ():
            if flow.source in races and flow.target in nodes:
                races[flow.source].append(nodes[flow.target])
        yield from races.values()

    def _around(self, scope: str | None) -> list[Handler]:
        """The handlers that listen, beside what stands in a scope, the outermost last."""
        found: list[Handler] = []
        inner: str | None = None
        for _ in range(_MOST_LEVELS if self._on_node or self._on_scope else 0):
            if scope is None:
                break
            for handler in self._on_scope.get(scope, ()):
                # One that interrupts has stopped to listen when its own tasks run.
                if handler.run is None or handler.run != inner or not handler.is_interrupting:
                    found.append(handler)
            entering = self._entering.get(scope)
            if entering is not None:
                found += self._on_node.get(entering.id, ())
            inner, scope = scope, self._parents.get(scope)
        return found

    def _among(self, owners: Iterable[Owner]) -> Iterator[tuple[Listener, Listener]]:
        first: dict[Hashable, Listener] = {}
        for owner in owners:
            for sign, one in self._of.get(_key(owner), ()):
                other = first.setdefault(sign, one)
                if other.owner is not one.owner:
                    yield other, one

    def _between(
        self, outer: Iterable[Owner], inner: Iterable[Owner]
    ) -> Iterator[tuple[Listener, Listener]]:
        """Pairs of one of each side; what is further in has begun to wait later."""
        waiting: dict[Hashable, Listener] = {}
        for owner in outer:
            for sign, one in self._of.get(_key(owner), ()):
                waiting.setdefault(sign, one)
        for owner in inner if waiting else ():
            for sign, one in self._of.get(_key(owner), ()):
                if sign in waiting:
                    yield waiting[sign], one
