"""Gateways and ends that have nothing to do, and choices that may find nothing to take."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from diglot.compiler import codes
from diglot.compiler.diagnostics import Report, Severity
from diglot.compiler.graph import Choice, End, Expression, Graph, Inclusive, Node
from diglot.compiler.source import Source

from .branching import is_drawn, scopes_with_branches
from .complements import is_one_true
from .ways import Ways

#: Of all other nodes there is nothing to tell here.
_LOOKED_AT: Final = frozenset[type[Node]]({Choice, End, Inclusive})


def check_gateways(graph: Graph, report: Report, sources: Mapping[str, Source]) -> None:
    """Report what merges or ends one token alone, and splits that may take no flow."""
    ways = Ways(graph)
    branching = scopes_with_branches(graph, ways)
    for node in graph.nodes:
        if type(node) not in _LOOKED_AT:
            continue
        if isinstance(node, Choice | Inclusive):
            _check_default(node, ways, report)
        if not is_drawn(node) or node.scope in branching:
            continue
        if isinstance(node, End) and node.effect == "terminate":
            report.add(codes.TERMINATE_ENDS_NOTHING, node.span, node.pointer, event=_name(node))
        elif isinstance(node, Inclusive) and _merges(node, ways):
            report.add(
                codes.INCLUSIVE_WAITS_FOR_NOTHING, node.span, node.pointer, gateway=_name(node)
            )


def _merges(node: Inclusive, ways: Ways) -> bool:
    return node.activation is None and len(ways.arriving(node.id)) > 1


def _check_default(node: Choice | Inclusive, ways: Ways, report: Report) -> None:
    if node.default is not None or (isinstance(node, Inclusive) and node.activation is not None):
        return
    flows = {flow.id: flow for flow in ways.leaving(node.id)}
    conditions: list[Expression] = []
    for branch in node.branches:
        flow = flows.get(branch)
        if flow is None or flow.condition is None:
            return
        conditions.append(flow.condition)
    # A condition on the only flow of an activity is told as such.
    is_alone = len(conditions) == 1 and node.id != node.pointer
    if not conditions or is_alone or is_one_true(conditions):
        return
    # Who writes down every case of a choice has often thought of all of them.
    severity = Severity.INFO if isinstance(node, Choice) else None
    report.add(
        codes.SPLIT_WITHOUT_DEFAULT,
        node.span,
        node.pointer,
        severity=severity,
        node=_name(node),
    )


def _name(node: Node) -> str:
    return node.name or node.pointer or node.id
