"""Secrets stay what they are: named in the text, and recognisable wherever their value appears.

Source: DSL, Secrets; our decision A7.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from diglot.compiler import codes
from diglot.compiler.diagnostics import Code, Report
from diglot.compiler.expressions import compile_jq, tree
from diglot.compiler.expressions.analysis import leading_keys, read_paths
from diglot.compiler.graph import Call, Expression, Graph, Node, Record
from diglot.compiler.graph.sites import Place, Site
from diglot.compiler.source import Source, Span

from .positions import span_inside
from .programs import program_of
from .sites import sites_of

#: Places whose result is an output, the context or an error, which later tasks get.
_MAKE_DATA: frozenset[Place] = frozenset(
    {
        "body",
        "collection",
        "each-export",
        "each-write",
        "error",
        "export",
        "variable",
        "workflow-output",
        "write",
    }
)


def makes_data(site: Site) -> bool:
    """Whether what an expression gives is stored and handed on; so is the input of a child."""
    is_given = site.place == "arguments" and isinstance(site.node, Call)
    return site.place in _MAKE_DATA or is_given


def check_security(graph: Graph, report: Report, sources: Mapping[str, Source]) -> None:
    """Report secrets with computed names, secrets in outputs, and what computes with secrets."""
    told: set[tuple[str, Span | None]] = set()
    brought: dict[str, _Brought] = {}
    for site in sites_of(graph):
        found: list[tuple[Code, tuple[int, int]]] = []
        if "secrets" in site.expression.text:
            found += _findings(site)
            if site.place == "read" and site.node is not None:
                brought.setdefault(site.node.id, _Brought(site.node)).add(site.expression)
        elif (
            site.node is not None
            and site.node.id in brought
            and makes_data(site)
            and brought[site.node.id].is_in(site.expression)
        ):
            found.append((codes.SECRET_IN_OUTPUT, (0, len(site.expression.text))))
        for code, (start, end) in found:
            span = span_inside(site.expression, start, end, sources)
            if (code.id, span) not in told or span is None:
                told.add((code.id, span))
                report.add(code, span, site.pointer)


def _findings(site: Site) -> Iterator[tuple[Code, tuple[int, int]]]:
    text = site.expression.text
    program = program_of(text)
    if program is None or "secrets" not in compile_jq(text).variables:
        return
    computed = list(_computed(program))
    for place in computed:
        yield codes.SECRET_COMPUTED, place
    whole = (0, len(text))
    if makes_data(site):
        yield codes.SECRET_IN_OUTPUT, whole
    if not computed and _alters(program):
        yield codes.SECRET_ALTERED, whole


class _Brought:
    """The secrets that a task takes into its own input, which its body sees as `.` and `$input`."""

    def __init__(self, node: Node) -> None:
        read = None if node.data is None else node.data.read
        self._members = dict(read.members) if isinstance(read, Record) else {}
        self._names: set[str] = set()
        self._is_whole = False

    def add(self, expression: Expression) -> None:
        """Note where the secrets of one expression of the input go."""
        names = [name for name, value in self._members.items() if value is expression]
        if names:
            self._names.update(names)
            return
        program = program_of(expression.text)
        if program is None:
            return
        terms = [program]
        if isinstance(program, tree.Arithmetic):
            terms = [program.first, *(term for _, term in program.rest)]
        for term in terms:
            if isinstance(term, tree.Object):
                for entry in term.entries:
                    if entry.value is not None and _uses_secrets(entry.value):
                        self._note(entry.key)
            elif _uses_secrets(term):
                self._is_whole = True

    def _note(self, key: tree.Node) -> None:
        if isinstance(key, tree.Literal) and isinstance(key.value, str):
            self._names.add(key.value)
        else:
            self._is_whole = True

    def is_in(self, expression: Expression) -> bool:
        """Whether what an expression gives holds one of them, as far as the text says so."""
        program = program_of(expression.text)
        if program is None:
            return False
        if isinstance(program, tree.Identity) or _is_input(program):
            return self._is_whole or bool(self._names)
        firsts = {path[0] for path in read_paths(program)}
        rest: list[tree.Node] = [program]
        while rest:
            part = rest.pop()
            if isinstance(part, tree.Path) and _is_input(part.base):
                firsts.update(leading_keys(part)[:1])
            rest.extend(tree.children(part))
        return bool(firsts & self._names) or (self._is_whole and bool(firsts))


def _is_input(node: tree.Node) -> bool:
    return isinstance(node, tree.Variable) and node.name == "input"


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
