"""Secrets stay what they are: named in the text, and recognisable wherever their value appears.

Source: DSL, Secrets; our decision A7.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from diglot.compiler import codes
from diglot.compiler.diagnostics import Code, Report
from diglot.compiler.expressions import ExpressionSyntaxError, compile_jq, tree
from diglot.compiler.expressions.parser import parse
from diglot.compiler.graph import Graph
from diglot.compiler.graph.sites import Place, Site, walk_expressions
from diglot.compiler.source import Source, Span

from .positions import span_inside

#: Places whose result is an output or the context, which every later task gets.
MAKE_OUTPUT: frozenset[Place] = frozenset(
    {
        "body",
        "each-export",
        "each-write",
        "export",
        "variable",
        "workflow-output",
        "write",
    }
)


def check_security(graph: Graph, report: Report, sources: Mapping[str, Source]) -> None:
    """Report secrets with computed names, secrets in outputs, and what computes with secrets."""
    told: set[tuple[str, Span | None]] = set()
    for site in walk_expressions(graph):
        if "secrets" not in site.expression.text:
            continue
        for code, (start, end) in _findings(site):
            span = span_inside(site.expression, start, end, sources)
            if (code.id, span) not in told or span is None:
                told.add((code.id, span))
                report.add(code, span, site.pointer)


def _findings(site: Site) -> Iterator[tuple[Code, tuple[int, int]]]:
    text = site.expression.text
    try:
        if "secrets" not in compile_jq(text).variables:
            return
        program = parse(text)
    except ExpressionSyntaxError:
        return
    computed = list(_computed(program))
    for place in computed:
        yield codes.SECRET_COMPUTED, place
    whole = (0, len(text))
    if site.place in MAKE_OUTPUT:
        yield codes.SECRET_IN_OUTPUT, whole
    if not computed and _alters(program):
        yield codes.SECRET_ALTERED, whole


def _computed(node: tree.Node) -> Iterator[tuple[int, int]]:
    """Where `$secrets` is read otherwise than by a name in the text."""
    if isinstance(node, tree.Path) and _is_named_secret(node):
        return
    if _is_secrets(node):
        yield node.start, node.end
    for child in tree.children(node):
        yield from _computed(child)


def _alters(node: tree.Node) -> bool:
    """Whether this part does more with a secret than to hand it on, alone or inside a text."""
    match node:
        case tree.Path() if _is_named_secret(node):
            return any(not _is_step_into(step) for step in node.steps)
        case tree.Object(entries=entries):
            keys = any(_alters(entry.key) for entry in entries)
            return keys or any(
                entry.value is not None and _alters(entry.value) for entry in entries
            )
        case tree.Array() | tree.Comma() | tree.Alternative():
            return any(_alters(child) for child in tree.children(node))
        case tree.Text(format="text", parts=parts):
            return any(not isinstance(part, str) and _alters(part) for part in parts)
        case tree.Arithmetic(first=first, rest=rest) if all(sign == "+" for sign, _ in rest):
            return _alters(first) or any(_alters(operand) for _, operand in rest)
        case tree.If():
            return any(_alters(child) for child in tree.children(node))
        case _:
            return _uses_secrets(node)


def _uses_secrets(node: tree.Node) -> bool:
    return _is_secrets(node) or any(_uses_secrets(child) for child in tree.children(node))


def _is_secrets(node: tree.Node) -> bool:
    return isinstance(node, tree.Variable) and node.name == "secrets"


def _is_named_secret(path: tree.Path) -> bool:
    """`$secrets.name`, and steps into it that are in the text, too."""
    first = path.steps[0]
    is_named = (
        isinstance(first, tree.IndexStep)
        and isinstance(first.key, tree.Literal)
        and isinstance(first.key.value, str)
    )
    return is_named and _is_secrets(path.base) and not any(map(_uses_secrets, _keys(path)))


def _is_step_into(step: tree.Step) -> bool:
    """Whether a step leads to a part of a secret that has parts; another takes a text apart."""
    if isinstance(step, tree.EachStep):
        return True
    key = step.key if isinstance(step, tree.IndexStep) else None
    return isinstance(key, tree.Literal) and isinstance(key.value, str)


def _keys(path: tree.Path) -> Iterator[tree.Node]:
    for step in path.steps:
        match step:
            case tree.IndexStep(key=key):
                yield key
            case tree.SliceStep(low=low, high=high):
                yield from filter(None, (low, high))
            case _:
                pass
