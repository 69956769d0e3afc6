"""The check of a graph by types: it lets them flow, looks at every expression, and tells.

Source: DSL, Data Flow, Runtime Expressions; BPMN 2.0.2 10.4.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from diglot.compiler import codes
from diglot.compiler.diagnostics import Report
from diglot.compiler.graph import Choice, Graph, Receive
from diglot.compiler.hints import Hints
from diglot.compiler.source import Source

from ..sites import sites_of
from .conditions import compared, constant
from .findings import Finding, authored, tell
from .flowing import Flowing, has_schema
from .kinds import wrong_kinds
from .properties import wrong_parts
from .seen import Seen
from .unlike import unlike

#: Deeper than any reader lays scopes out.
_DEEPEST: Final = 200


def check_types(graph: Graph, report: Report, sources: Mapping[str, Source]) -> None:
    """Report what is certainly wrong with data: its kinds, its names, the schemas it never fits."""
    if not _has_subject(graph) or is_too_deep(graph):
        return
    flowing = Flowing(graph)
    flowing.run()
    flowing.look()
    seen = list(authored(flowing.seen))
    tell(_findings(flowing, seen), seen, report, sources)
    _tell_unfit(flowing, report)


def _has_subject(graph: Graph) -> bool:
    """Whether there is anything to tell of: an expression of an author, or a schema."""
    if any(site.expression.span is not None for site in sites_of(graph)):
        return True
    parts = (graph, *graph.nodes, *graph.handlers)
    if any(part.data is not None and has_schema(part.data) for part in parts):
        return True
    each = (node.each for node in graph.nodes if isinstance(node, Receive))
    return any(rules is not None and has_schema(rules) for rules in each)


def is_too_deep(graph: Graph) -> bool:
    """Whether scopes stand so deep inside each other that all variables in sight are too many."""
    parents = {scope.id: scope.parent for scope in graph.scopes}
    depths: dict[str, int] = {}
    for scope in parents:
        chain: list[str] = []
        at: str | None = scope
        while at is not None and at in parents and at not in depths and len(chain) <= _DEEPEST:
            chain.append(at)
            at = parents[at]
        depth = 0 if at is None else depths.get(at, 0)
        for one in reversed(chain):
            depth += 1
            depths[one] = depth
        if depth > _DEEPEST:
            return True
    return False


def _findings(flowing: Flowing, seen: list[Seen]) -> Iterator[Finding]:
    hints = Hints()
    by_node: dict[str, list[Seen]] = {}
    for one in seen:
        yield from wrong_parts(one, flowing, hints)
        yield from wrong_kinds(one)
        yield from constant(one, flowing)
        if isinstance(one.node, Choice):
            by_node.setdefault(one.node.id, []).append(one)
    for name, conditions in by_node.items():
        node = flowing.nodes[name]
        if isinstance(node, Choice):
            yield from compared(flowing, node, conditions)


def _tell_unfit(flowing: Flowing, report: Report) -> None:
    told: set[tuple[str, str]] = set()
    for one in flowing.unfit:
        owner = "the workflow" if one.node is None else f"`{one.node.name or one.node.id}`"
        pointer = "" if one.node is None else one.node.pointer
        if (pointer, one.what) in told:
            continue
        told.add((pointer, one.what))
        report.add(
            codes.DATA_NEVER_FIT,
            None if one.node is None else one.node.span,
            pointer,
            what=f"{_WHATS[one.what]} {owner}",
            reason=unlike(one.given, one.wanted),
        )


_WHATS = {
    "input": "input of",
    "output": "output of",
    "export": "context that is exported by",
}
