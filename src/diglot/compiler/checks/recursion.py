"""Definitions that start themselves, directly or through others.

Every run of one that always comes to such a call, and waits for what it called, waits for ever.
Where a decision, a fault or an event may keep a run from the call, the data decide.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from diglot.compiler import codes
from diglot.compiler.diagnostics import Code, Related, Report, Severity
from diglot.compiler.graph import (
    Call,
    CompensationTrigger,
    End,
    Fork,
    Graph,
    Inclusive,
    Join,
    Node,
    Race,
    Raise,
    ScopeNode,
)

from .branching import splits
from .components import components
from .definitions import Beyond, Definitions, calls_of
from .ways import Ways

#: So many calls of a circle are named.
_MOST = 10


class _Use(NamedTuple):
    """A call of one of the definitions by another, by their numbers."""

    caller: int
    called: int
    call: Call


def check_recursion(graphs: Sequence[Graph], report: Report, beyond: Beyond | None = None) -> None:
    """Report the calls of a document by which one of its definitions starts itself again.

    Circles of calls may lead through definitions `beyond`.
    """
    own = len(graphs)
    known = Definitions(graphs, beyond)
    every = known.reached_from(graphs)
    uses = list(_uses(every, known))
    for circle in _circles(len(every), uses):
        ours = [use for use in circle if use.caller < own]
        endless = _endless(circle, every) if ours else []
        first = next((use for use in endless if use.caller < own), None)
        if first is not None:
            # One finding a circle: whichever of them is started, none ends.
            _tell(codes.RECURSION_WITHOUT_END, first, endless, every, report)
        else:
            for use in ours[:_MOST]:
                _tell(codes.RECURSION, use, circle, every, report)


def _uses(graphs: Sequence[Graph], known: Definitions) -> Iterator[_Use]:
    numbers = {id(graph): number for number, graph in enumerate(graphs)}
    for number, graph in enumerate(graphs):
        for call in calls_of(graph):
            called = numbers.get(id(known.called_by(call)))
            if called is not None:
                yield _Use(number, called, call)


def _circles(size: int, uses: Sequence[_Use]) -> Iterable[list[_Use]]:
    """The calls between definitions of which each leads to each, those of one circle together."""
    if not uses:
        return ()
    group = components(size, [(use.caller, use.called) for use in uses])
    circles: dict[int, list[_Use]] = {}
    for use in uses:
        if group[use.caller] == group[use.called]:
            circles.setdefault(group[use.caller], []).append(use)
    return circles.values()


def _endless(circle: list[_Use], graphs: Sequence[Graph]) -> list[_Use]:
    """The calls of those definitions of a circle whose every run calls one of them again."""
    while circle:
        calls: dict[int, set[str]] = {}
        for use in circle:
            calls.setdefault(use.caller, set()).add(use.call.id)
        always = {number for number, ids in calls.items() if _always_calls(graphs[number], ids)}
        left = [use for use in circle if use.caller in always and use.called in always]
        if len(left) == len(circle):
            break
        circle = left
    return circle


def _tell(
    code: Code, use: _Use, circle: list[_Use], graphs: Sequence[Graph], report: Report
) -> None:
    graph = graphs[use.caller]
    others = [one for one in circle if one is not use][:_MOST]
    # What is only to be looked at is never refused.
    is_idle = graph.metadata.get("executable", True) is False
    called = graphs[use.called].name
    report.add(
        code,
        use.call.span,
        use.call.pointer,
        severity=Severity.WARNING if is_idle and code.severity is Severity.ERROR else None,
        related=[
            Related(
                message=f"`{_name(one.call)}` calls `{graphs[one.called].name}`",
                span=one.call.span,
                pointer=one.call.pointer,
            )
            for one in others
        ],
        process=graph.name,
        call=_name(use.call),
        cycle="itself" if use.called == use.caller else f"itself by way of `{called}`",
    )


def _name(node: Node) -> str:
    return node.name or node.pointer or node.id


def _always_calls(graph: Graph, calls: set[str]) -> bool:
    """Whether every run comes to one of these calls and waits there, unless it fails before.

    From the calls backwards: a node leads there where all of its ways do, or where it parts into
    tokens one of which does.
    """
    ways = Ways(graph)
    scopes = {scope.id: scope for scope in graph.scopes}
    owners = {node.body: node for node in graph.nodes if isinstance(node, ScopeNode)}
    # What can be left, or ended from outside, before it is done.
    held = {
        name
        for handler in graph.handlers
        if handler.is_interrupting and not isinstance(handler.trigger, CompensationTrigger)
        for name in (handler.node, handler.scope)
    }
    parts_for_sure = not any(
        isinstance(node, Raise) or (isinstance(node, End) and node.effect != "none")
        for node in graph.nodes
    )
    rest: list[Node] = [
        node
        for node in graph.nodes
        if node.id in calls and isinstance(node, Call) and node.waits and node.guard is None
    ]
    rest = [node for node in rest if node.id not in held]
    met = {node.id for node in rest}
    left: dict[str, int] = {}

    def meet(node: Node) -> None:
        if node.id not in met:
            met.add(node.id)
            rest.append(node)

    while rest:
        node = rest.pop()
        scope = scopes.get(node.scope)
        if scope is not None and scope.start == node.id and scope.id not in held:
            owner = owners.get(scope.id)
            if scope.id == graph.root:
                return True
            if owner is not None and owner.id not in held and _is_plain(owner):
                meet(owner)
        for flow in ways.arriving(node.id):
            source = ways.nodes[flow.source]
            if isinstance(source, Inclusive | Race | Join) or source.id in held:
                continue
            leaving = ways.leaving(source.id)
            left[source.id] = left.get(source.id, len(leaving)) - 1
            is_parting = isinstance(source, Fork) or splits(source, ways) == len(leaving)
            if left[source.id] == 0 or (is_parting and parts_for_sure):
                meet(source)
    return False


def _is_plain(owner: ScopeNode) -> bool:
    """Whether what is inside a node is done exactly when the node is reached."""
    return not (owner.guard or owner.multi or owner.loop or owner.ad_hoc)
