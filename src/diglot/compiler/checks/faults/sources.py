"""What may be raised where, as far as it is known before a run.

A job or a child instance may fail with any error. An expression or a schema may fail with one of
the machine's own. What is left can raise nothing but what its author wrote.

Source: BPMN 2.0.2 10.5.6, 13.3.3; DSL, Fault Tolerance.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

from diglot.compiler.graph import (
    Call,
    Choice,
    Compensate,
    CompensationTrigger,
    Constant,
    DataRules,
    ErrorTemplate,
    EventStrategy,
    Expression,
    Graph,
    Inclusive,
    Node,
    Raise,
    Receive,
    Task,
)
from diglot.compiler.graph.errors import canonical_error_type
from diglot.compiler.graph.sites import Place as SitePlace

from ..sites import sites_of
from .takers import ANY_ERROR, ANY_ESCALATION, MACHINE_ERROR, Place, Raised

#: Expressions that cannot fail: the input itself, and what is written out.
_SAFE: Final = re.compile(r'\.|null|true|false|-?\d+|"[^"\\]*"')
#: Where an expression of a handler is computed outside of the scope that it guards.
_OUTSIDE: Final[frozenset[SitePlace]] = frozenset({"retry"})


def sources_of(graph: Graph) -> Iterator[tuple[Place, Raised]]:
    """Everything that may be raised, with the place from which it looks for somebody to take it.

    The same may come several times.
    """
    owners = owners_of(graph)
    undoes = any(isinstance(handler.trigger, CompensationTrigger) for handler in graph.handlers)
    for node in graph.nodes:
        for raised in _of_node(node, undoes=undoes):
            yield Place("node", node.id), raised
    for handler in graph.handlers:
        if handler.raises is not None:
            place = Place("node", handler.node) if handler.node else None
            if place is None and handler.scope is not None:
                place = Place("scope", handler.scope)
            if place is not None:
                yield place, known_error(handler.raises)
        retry = handler.retry
        if handler.scope is not None and retry is not None and retry.attempt_limit is not None:
            yield Place("scope", handler.scope), MACHINE_ERROR
    yield from _of_transactions(graph, owners)
    yield from _of_expressions(graph, owners)


def owners_of(graph: Graph) -> dict[str, str]:
    """The node that enters each scope, by the scope's id."""
    return {
        body: node.id
        for node in graph.nodes
        if isinstance(body := getattr(node, "body", None), str)
    }


def known_error(template: ErrorTemplate) -> Raised:
    """The error of a template; one whose type is computed may be any."""
    kind = template.type
    if not isinstance(kind, Constant) or not isinstance(kind.document, str):
        return ANY_ERROR
    status: Any = None
    if isinstance(template.status, Constant) and isinstance(template.status.document, int | str):
        status = template.status.document
    return Raised("error", "known", canonical_error_type(kind.document), status)


def _of_node(node: Node, *, undoes: bool) -> Iterator[Raised]:
    rules = node.data
    if rules is not None and _has_schema(rules):
        yield MACHINE_ERROR
    match node:
        case Raise(escalation=str(code)):
            yield Raised("escalation", "known", code)
        case Raise(error=ErrorTemplate() as template):
            yield known_error(template)
        case Raise():
            yield ANY_ERROR
        case Task(waits=True):
            yield ANY_ERROR
        case Call():
            yield ANY_ERROR
            yield ANY_ESCALATION
        case Compensate() if undoes:
            # What fails while something is undone fails here.
            yield ANY_ERROR
        case Choice(default=None) | Inclusive(default=None):
            yield MACHINE_ERROR
        case Receive(each=each, strategy=strategy):
            if (each is not None and _has_schema(each)) or _has_pattern(strategy):
                yield MACHINE_ERROR
        case _:
            pass


def _has_schema(rules: DataRules) -> bool:
    return any((rules.input_schema, rules.output_schema, rules.export_schema))


def _has_pattern(strategy: EventStrategy) -> bool:
    return any(one.is_pattern for filter in strategy.filters for one in filter.attributes)


def _of_transactions(graph: Graph, owners: dict[str, str]) -> Iterator[tuple[Place, Raised]]:
    """A cancel that nobody takes is an error of the transaction."""
    if not any(isinstance(node, Compensate) and node.cancels for node in graph.nodes):
        return
    for scope in graph.scopes:
        if scope.form == "transaction" and scope.id in owners:
            yield Place("node", owners[scope.id]), MACHINE_ERROR


def _of_expressions(graph: Graph, owners: dict[str, str]) -> Iterator[tuple[Place, Raised]]:
    for site in sites_of(graph):
        if not _may_fail(site.expression):
            continue
        handler, place = site.handler, Place("scope", site.scope)
        if site.node is not None:
            place = Place("node", site.node.id)
        elif handler is None:
            owner = owners.get(site.scope) if site.place == "variable" else None
            place = place if owner is None else Place("node", owner)
        elif site.place == "export":
            # What came with the trigger is exported outside of the node, or inside of what runs.
            place = Place("scope", handler.run) if handler.run is not None else place
        elif handler.node is not None:
            place = Place("node", handler.node)
        elif site.place in _OUTSIDE and handler.scope in owners:
            place = Place("node", owners[handler.scope])
        yield place, MACHINE_ERROR


def _may_fail(expression: Expression) -> bool:
    return _SAFE.fullmatch(expression.text) is None
