"""What flows, starts and names of a drawn process say, and what their author may not have meant.

Task lists have none of this: where a list leads follows from it, and its names are unique.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import msgspec

from diglot.compiler import codes
from diglot.compiler.diagnostics import Related, Report
from diglot.compiler.graph import Choice, Flow, Graph, Inclusive, Join, Node, Scope, Start
from diglot.compiler.source import Source

from .branching import is_drawn, is_given, splits
from .ways import Ways

_ACTIVITIES = frozenset(
    {
        *("task", "service-task", "send-task", "receive-task", "user-task", "manual-task"),
        *("script-task", "business-rule-task", "call-activity", "sub-process", "transaction"),
        "ad-hoc-sub-process",
    }
)
#: Scopes that begin at what nothing leads to. Source: BPMN 2.0.2 13.2, 13.3.4.
_BEGINS_BY_ITSELF = frozenset({"process", "sub-process", "transaction"})


def check_drawing_of_flow(graph: Graph, report: Report, sources: Mapping[str, Source]) -> None:
    """Report splits without a gateway, flows drawn twice, starts and names that are unclear."""
    ways = Ways(graph)
    for node in graph.nodes:
        if is_drawn(node):
            _check_splits(node, ways, report)
            _check_flows(node, ways, report)
    for scope in graph.scopes:
        nodes = [node for node in ways.nodes_of(scope.id) if is_drawn(node)]
        _check_beginning(scope, ways, report)
        _check_names(nodes, report)
    _check_starts(graph, ways, report)


def _check_splits(node: Node, ways: Ways, report: Report) -> None:
    if not is_given(node) or not splits(node, ways):
        return
    # Where instances begin, what nothing leads to begins as well, without a flow of the author's.
    flows = [flow for flow in ways.leaving(node.id) if flow.role == "sequence"]
    if isinstance(node, Start):
        flows = [flow for flow in flows if flow.id != f"{flow.source}->{flow.target}"]
    if len({flow.target for flow in flows}) > 1:
        report.add(
            codes.IMPLICIT_SPLIT, node.span, node.pointer, node=_name(node), count=len(flows)
        )


def _check_flows(node: Node, ways: Ways, report: Report) -> None:
    leaving = ways.leaving(node.id)
    if len(leaving) < 2:
        return
    alike: dict[tuple[str, str, str, bytes], list[Flow]] = {}
    for flow in leaving:
        condition = b""
        if flow.condition is not None:
            condition = msgspec.json.encode(msgspec.structs.replace(flow.condition, span=None))
        # Where only names tell flows apart, somebody means something by them.
        key = (flow.role, flow.target, flow.name, condition)
        alike.setdefault(key, []).append(flow)
    for flows in alike.values():
        target = ways.nodes[flows[0].target]
        # What waits for several things at once has a way from each of them.
        if len(flows) > 1 and node.pointer != target.pointer and _is_idle(node, target):
            report.add(
                codes.FLOW_TWICE,
                node.span,
                node.pointer,
                source=_name(node),
                target=_name(target),
                count=len(flows),
            )


def _is_idle(source: Node, target: Node) -> bool:
    """Whether a second flow between two nodes changes nothing; elsewhere it brings a token."""
    match target:
        case Join(need=None) | Inclusive(activation=None):
            return True
        case _:
            return isinstance(source, Choice)


def _check_beginning(scope: Scope, ways: Ways, report: Report) -> None:
    start = ways.nodes.get(scope.start)
    if start is None or scope.form not in _BEGINS_BY_ITSELF or start.id != f"{scope.id}#start":
        return
    begun = [ways.nodes[flow.target] for flow in ways.leaving(start.id)]
    if len(begun) < 2 or any(isinstance(node, Start) for node in begun):
        return
    report.add(
        codes.STARTS_TOGETHER,
        begun[0].span,
        begun[0].pointer,
        related=_places(begun[1:], "begins as well"),
        nodes=_listed(begun),
    )


def _check_starts(graph: Graph, ways: Ways, report: Report) -> None:
    plain = [
        node
        for node in ways.nodes_of(graph.root)
        if isinstance(node, Start) and is_drawn(node) and is_given(node) and not node.triggers
    ]
    if len(plain) > 1:
        first, others = plain[0], plain[1:]
        report.add(
            codes.SEVERAL_STARTS,
            others[0].span,
            others[0].pointer,
            related=_places([first], "the start event that is taken"),
            first=_name(first),
            others=_listed(others),
            begin="begins" if len(others) == 1 else "begin",
        )


def _check_names(nodes: Iterable[Node], report: Report) -> None:
    named: dict[tuple[str, str], list[Node]] = {}
    for node in nodes:
        if is_given(node) and node.construct in _ACTIVITIES and node.name != node.pointer:
            named.setdefault((node.construct, node.name), []).append(node)
    for (_, name), same in named.items():
        if len(same) > 1:
            report.add(
                codes.NAME_TWICE,
                same[1].span,
                same[1].pointer,
                related=_places([same[0], *same[2:]], "has the same name"),
                name=name,
                count=len(same),
            )


def _name(node: Node) -> str:
    return node.name or node.pointer or node.id


#: So many things are listed in one finding.
_MOST = 10


def _listed(nodes: Sequence[Node]) -> str:
    names = ", ".join(f"`{_name(node)}`" for node in nodes[:_MOST])
    return names if len(nodes) <= _MOST else f"{names} and {len(nodes) - _MOST} more"


def _places(nodes: Sequence[Node], says: str) -> list[Related]:
    return [
        Related(message=f"`{_name(node)}` {says}", span=node.span, pointer=node.pointer)
        for node in nodes[:_MOST]
    ]
