"""Waits of which one can never win, and branches of a race that leave something half done.

Source: BPMN 2.0.2 10.5.6, 13.4.4; DSL reference, Fork; our decision A105.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, cast

import msgspec

from diglot.compiler import codes
from diglot.compiler.diagnostics import Related, Report
from diglot.compiler.graph import (
    CancelTrigger,
    CompensationTrigger,
    Constant,
    Emit,
    End,
    ErrorTrigger,
    EscalationTrigger,
    EventTrigger,
    Fork,
    Graph,
    Handler,
    Node,
    Race,
    Receive,
    Record,
    ScopeNode,
    SeveralTrigger,
    Task,
    TimerTrigger,
    Trigger,
    Value,
    Wait,
)
from diglot.compiler.source import Source, Span

from .pauses import Pauses
from .ways import Ways

#: Requests that change nothing. Source: RFC 9110 9.2.1.
_SAFE = frozenset({"get", "head", "options", "trace"})


def check_races(graph: Graph, report: Report, sources: Mapping[str, Source]) -> None:
    """Report what is waited for twice, and what a branch that loses may have done."""
    ways = Ways(graph)
    _check_handlers(graph, ways, report)
    for node in graph.nodes:
        if isinstance(node, Race):
            _check_race(node, ways, report)
    _check_losers(graph, ways, report)


# -- one thing, waited for twice


def _check_handlers(graph: Graph, ways: Ways, report: Report) -> None:
    first: dict[tuple[str, str, bytes], Handler] = {}
    scopes = {scope.id: scope for scope in graph.scopes}
    for handler in graph.handlers:
        trigger = handler.trigger
        if not handler.construct or not handler.is_interrupting or _is_told(trigger):
            continue
        key = (handler.node or "", handler.scope or "", _meaning_of(trigger))
        other = first.setdefault(key, handler)
        if other is handler:
            continue
        node = ways.nodes.get(handler.node or "")
        scope = scopes.get(handler.scope or "")
        host = _name(node) if node is not None else scope.pointer or "/" if scope else "/"
        _tell(report, (other, handler), host, _spoken(trigger))


def _is_told(trigger: Trigger) -> bool:
    """Whether others tell who takes this: messages go to one receiver, faults to one handler."""
    match trigger:
        case EventTrigger(strategy=strategy):
            return any(wanted.kind == "message" for wanted in strategy.filters)
        case ErrorTrigger() | EscalationTrigger() | CompensationTrigger():
            return True
        case _:
            return False


def _check_race(race: Race, ways: Ways, report: Report) -> None:
    first: dict[bytes, Node] = {}
    for flow in ways.leaving(race.id):
        node = ways.nodes[flow.target]
        if isinstance(node, Receive):
            trigger = EventTrigger(strategy=node.strategy)
            if _is_told(trigger):
                continue
            waited: Any = trigger
            spoken = _spoken(trigger)
        elif isinstance(node, Wait):
            waited = (node.timer, node.condition)
            spoken = "time" if node.timer is not None else "condition"
        else:
            continue
        other = first.setdefault(_meaning_of(waited), node)
        if other is not node:
            _tell(report, (other, node), _name(race), spoken)


def _tell(report: Report, pair: tuple[Handler | Node, Handler | Node], host: str, of: str) -> None:
    first, second = pair
    report.add(
        codes.CAUGHT_TWICE,
        second.span,
        second.pointer,
        related=[_place(_name(first), "waits for it as well", first.span, first.pointer)],
        first=_name(first),
        second=_name(second),
        host=host,
        trigger=of,
    )


def _spoken(trigger: Trigger) -> str:
    match trigger:
        case EventTrigger(strategy=strategy) if strategy.filters:
            return strategy.filters[0].kind
        case CancelTrigger():
            return "cancel"
        case TimerTrigger():
            return "time"
        case SeveralTrigger():
            return "events"
        case _:
            return "condition"


def _meaning_of(value: Any) -> bytes:
    """A text that is the same for what means the same."""
    return msgspec.json.encode(_without_places(msgspec.to_builtins(value)))


def _without_places(value: Any) -> Any:
    if isinstance(value, dict):
        members = cast("dict[str, Any]", value)
        return {name: _without_places(one) for name, one in members.items() if name != "span"}
    if isinstance(value, list | tuple):
        return [_without_places(one) for one in cast("list[Any]", value)]
    return value


# -- branches that lose


def _check_losers(graph: Graph, ways: Ways, report: Report) -> None:
    branches = dict(_competing(graph, ways))
    if not branches:
        return
    pauses = Pauses(graph)
    followed = _followed(graph, ways, pauses)
    owners = {node.body: node for node in graph.nodes if isinstance(node, ScopeNode)}
    inside = _inside(graph, branches)
    told: set[str] = set()
    for node in graph.nodes:
        branch = inside.get(node.scope)
        if branch is None or branch in told or not _has_effect(node):
            continue
        place: Node | None = node
        while place is not None and place.id not in followed:
            place = None if place.scope == branch else owners.get(place.scope)
        if place is not None:
            told.add(branch)
            host = branches[branch]
            report.add(
                codes.LOSER_HALF_DONE,
                node.span or host.span,
                node.pointer,
                branch=_branch_name(host),
                task=_name(node),
            )


def _competing(graph: Graph, ways: Ways) -> Iterator[tuple[str, Node]]:
    """The scopes of branches whose end ends the others, with the nodes that enter them."""
    for fork in graph.nodes:
        if not isinstance(fork, Fork) or len(ways.leaving(fork.id)) < 2:
            continue
        entries = [ways.nodes[flow.target] for flow in ways.leaving(fork.id)]
        racing = [one for one in entries if isinstance(one, ScopeNode) and _wins(one, ways)]
        if len(racing) == len(entries):
            for one in racing:
                yield one.body, one


def _wins(node: Node, ways: Ways) -> bool:
    """Whether what follows a node ends all that runs beside it."""
    targets = [ways.nodes[flow.target] for flow in ways.leaving(node.id) if flow.role == "sequence"]
    return bool(targets) and all(
        isinstance(target, End) and target.effect == "terminate" for target in targets
    )


def _inside(graph: Graph, branches: Mapping[str, Node]) -> dict[str, str]:
    """The innermost branch that a scope stands in, for the scopes that stand in one."""
    parents = {scope.id: scope.parent for scope in graph.scopes}
    found: dict[str, str] = {}
    outside: set[str] = set()
    for scope in parents:
        chain: dict[str, None] = {}
        one: str | None = scope
        while one in parents and one not in chain and one not in outside:
            chain[one] = None
            if one in branches or one in found:
                found.update(dict.fromkeys(chain, found.get(one, one)))
                break
            one = parents[one]
        else:
            outside.update(chain)
    return found


def _followed(graph: Graph, ways: Ways, pauses: Pauses) -> frozenset[str]:
    """The nodes behind which, in their scope, something takes time."""
    found: set[str] = set()
    rest = [node.id for node in graph.nodes if pauses.may_wait(node)]
    seen = set(rest)
    while rest:
        for flow in ways.arriving(rest.pop()):
            found.add(flow.source)
            if flow.source not in seen and flow.role == "sequence":
                seen.add(flow.source)
                rest.append(flow.source)
    return frozenset(found)


def _has_effect(node: Node) -> bool:
    """Whether others may notice that the node was done."""
    if isinstance(node, Emit):
        return True
    if not isinstance(node, Task) or node.action.type != "http":
        return False
    return _method(node.action.arguments) not in _SAFE


def _method(arguments: Value) -> str:
    """The method of a request, in small letters; `get` where none is written."""
    members: dict[str, Any] = {}
    if isinstance(arguments, Record):
        members = dict(arguments.members)
    elif isinstance(arguments, Constant):
        document: Any = arguments.document
        members = cast("dict[str, Any]", document) if isinstance(document, dict) else {}
    method = members.get("method", "get")
    if isinstance(method, Constant):
        method = method.document
    return method.lower() if isinstance(method, str) else "get"


def _branch_name(node: Node) -> str:
    return node.name or node.pointer.rpartition("/")[2] or node.id


def _name(one: Handler | Node) -> str:
    return one.name or one.pointer or one.id


def _place(name: str, says: str, span: Span | None, pointer: str) -> Related:
    return Related(message=f"`{name}` {says}", span=span, pointer=pointer)
