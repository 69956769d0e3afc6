"""Every expression compiles, and uses what there is at its place.

Source: DSL, Runtime Expressions; our decisions A23, A24.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cached_property
from typing import Any, Final

from diglot.compiler import codes
from diglot.compiler.diagnostics import Code, Report
from diglot.compiler.expressions import ExpressionSyntaxError, Program, compile_jq
from diglot.compiler.expressions.known import FORBIDDEN, KNOWN
from diglot.compiler.graph import ErrorTrigger, Graph, Receive, ScopeNode
from diglot.compiler.graph.sites import CONDITIONS, Site
from diglot.compiler.hints import Hints
from diglot.compiler.source import Source, Span

from .positions import span_inside
from .sites import sites_of

#: Where the machine's own variables are, told to who uses them elsewhere.
_PLACES: Final = {
    "authorization": "`$authorization` exists where a task does its work, and after it.",
    "context": "`$context` exists inside the workflow's tasks and in its output.",
    "input": "`$input` exists where a task does its work, and after it; before, the input is `.`.",
    "output": "`$output` exists in `export` only; in `output` the output is `.`.",
    "task": "`$task` exists inside tasks only.",
    "workflow": "`$workflow` exists once an instance runs.",
}
_REASONS: Final = {
    "$ENV": "it shows the environment of the engine",
    "env": "it shows the environment of the engine",
    "debug": "nobody reads what it writes",
    "stderr": "nobody reads what it writes",
    "halt": "it ends the evaluation without a result",
    "halt_error": "it ends the evaluation without a result",
    "import": "it reads other files",
    "include": "it reads other files",
    "module": "an expression is not a library",
    "input": "an expression has one input",
    "inputs": "an expression has one input",
    "localtime": "it depends on the machine's time zone",
    "strflocaltime": "it depends on the machine's time zone",
}
_OUTSIDE: Final = "it reaches out of the expression"


def check_expressions(graph: Graph, report: Report, sources: Mapping[str, Source]) -> None:
    """Report expressions that do not compile, and names and functions they may not use."""
    check = _Check(graph, report, sources)
    for site in sites_of(graph):
        try:
            program = compile_jq(site.expression.text)
        except ExpressionSyntaxError as error:
            check.syntax(site, error)
        else:
            check.names(site, program)
            check.truth(site, program)


#: An `=` that is a part of no other operator.
_ASSIGNS: Final = re.compile(r"(?<![=!<>|+*/%-])=(?!=)")
#: What other languages write, by the text that a parser of jq stumbles over.
_SLIPS: Final = (
    ("&", "jq writes `and` for `&&`."),
    ("||", "jq writes `or` for `||`."),
    ("'", "jq writes text in double quotes."),
    ("!", "jq writes `not` behind a pipe: `(.done | not)`."),
    ("===", "jq compares with `==`."),
)


def _slip(text: str, offset: int) -> str:
    """The hint for an operator of another language; `offset` is where reading ended."""
    for written, hint in _SLIPS:
        before = range(max(0, offset - len(written) + 1), offset + 1)
        if any(text.startswith(written, start) for start in before):
            return hint
    return ""


class _Check:
    def __init__(self, graph: Graph, report: Report, sources: Mapping[str, Source]) -> None:
        self._graph = graph
        self._report = report
        self._sources = sources
        self._hints = Hints()
        self._told: set[tuple[str, Span, str]] = set()

    def syntax(self, site: Site, error: ExpressionSyntaxError) -> None:
        """The text is no program."""
        self._add(
            codes.EXPRESSION_SYNTAX,
            site,
            (error.offset, error.end),
            hint=_slip(site.expression.text, error.offset),
            language="jq",
            problem=error.message,
        )

    def names(self, site: Site, program: Program) -> None:
        """Variables and functions that are not there, or not for an author."""
        text = site.expression.text
        for name, start, end in program.variable_spans:
            # The time is read by a function, whose variable is the machine's own.
            is_own = name.startswith("__") and text[start] == "$"
            if name not in site.variables or (is_own and site.expression.span is not None):
                hint = self._hint_for_variable(name, site)
                self._add(codes.UNKNOWN_VARIABLE, site, (start, end), hint=hint, name=name)
        for name, start, end in program.unknown_functions:
            function, _, arity = name.partition("/")
            self._add(
                codes.UNKNOWN_FUNCTION,
                site,
                (start, end),
                hint=self._hint_for_function(function),
                name=function,
                arguments=arity,
            )
        for name, start, end in program.forbidden:
            reason = _REASONS.get(name, _OUTSIDE)
            self._add(codes.FORBIDDEN_FUNCTION, site, (start, end), name=name, reason=reason)

    def truth(self, site: Site, program: Program) -> None:
        """A condition that is never false, because it is never a boolean; or always null."""
        if site.place not in CONDITIONS or program.is_boolean is not False:
            return
        if site.expression.yields == "boolean":
            # Nothing is taken for true there; the check of types tells of it.
            return
        is_null = program.text.strip() == "null"
        if is_null or "null" not in program.text:
            self._add(
                codes.CONDITION_NOT_BOOLEAN,
                site,
                (0, len(program.text)),
                hint="`=` assigns; compare with `==`." if _ASSIGNS.search(program.text) else "",
                found="null" if is_null else "not a boolean",
                outcome="false" if is_null else "true",
            )

    def _add(
        self, code: Code, site: Site, place: tuple[int, int], *, hint: str = "", **parameters: Any
    ) -> None:
        """Report once what stands at one place, however often it is laid out."""
        span = span_inside(site.expression, *place, self._sources)
        if span is not None:
            key = (code.id, span, str(parameters.get("name", "")))
            if key in self._told:
                return
            self._told.add(key)
        elif site.node is not None:
            span = site.node.span
        elif site.handler is not None:
            span = site.handler.span
        self._report.add(code, span, site.pointer, hint=hint, **parameters)

    def _hint_for_variable(self, name: str, site: Site) -> str:
        """Where the variable is, else what it was probably meant to be, else what there is."""
        where = _PLACES.get(name) or self._homes.get(name)
        if where is not None:
            return where
        known = sorted(known for known in site.variables if not known.startswith("__"))
        near = self._hints.nearest(name, known)
        if near is not None:
            return f"Did you mean `${near}`?"
        return f"Known here: {', '.join(f'`${known_name}`' for known_name in known)}."

    @cached_property
    def _homes(self) -> dict[str, str]:
        """Where the names are that an author gives to items and errors."""
        homes: dict[str, str] = {}
        for node in self._graph.nodes:
            if isinstance(node, ScopeNode) and node.multi is not None:
                bound, place = (node.multi.item, node.multi.index), "inside the loop"
            elif isinstance(node, Receive) and (node.body is not None or node.each is not None):
                bound, place = (node.item, node.index), "for each event of"
            else:
                continue
            for name in bound:
                homes.setdefault(name, f"`${name}` exists {place} `{node.name or node.id}`.")
        for handler in self._graph.handlers:
            if isinstance(handler.trigger, ErrorTrigger):
                name = handler.trigger.variable
                homes.setdefault(name, f"`${name}` exists where the error is caught.")
        return homes

    def _hint_for_function(self, name: str) -> str:
        usable = KNOWN - FORBIDDEN
        arities = sorted(arity for known, arity in usable if known == name)
        if arities:
            counts = " or ".join(str(arity) for arity in arities)
            return f"`{name}` takes {counts} argument{'' if counts == '1' else 's'}."
        return self._hints.did_you_mean(name, sorted({known for known, _ in usable}))
