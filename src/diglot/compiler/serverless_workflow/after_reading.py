"""What can be said only once every expression of the graph is known: secrets, events, definition.

Source: DSL, Runtime expression arguments; our decisions A7, A33, A37.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from diglot.specs.serverless_workflow.model.workflow import ScheduleOn

from .. import codes
from ..expressions import ExpressionSyntaxError, compile_jq
from ..graph import Expression
from ..graph.sites import Site

if TYPE_CHECKING:
    from ..source import Span
    from .reading import Reading

_SECRETS = re.compile(
    r"""\$secrets\b \s* (?: \. \s* (?: ([A-Za-z_]\w*) | "([^"\\]+)" )
                          | \.? \s* \[ \s* "([^"\\]+)" \s* \] )?""",
    re.VERBOSE,
)
_DATA_OF_EVENT = re.compile(r"\$workflow\.input\s*\[\s*\d+\s*\]\s*\.\s*data\b")
_DESCRIBED = re.compile(r"\$(?:workflow|task)\b")
#: Where the text of the DSL lets secrets be read.
_SECRET_PLACES = ("read", "workflow-input")
#: So many mistakes of one kind in one expression are told, each with its place.
_MOST_TOLD = 20


def check_expressions(reading: Reading, sites: Sequence[Site]) -> None:
    """Report secrets that are not declared or read elsewhere than the DSL's text has them.

    Besides, what a schedule's events are not: by default their data is the input, not they.
    """
    schedule = reading.model.schedule
    gives_data = isinstance(schedule, ScheduleOn) and schedule.read == "data"
    for site in sites:
        text = site.expression.text
        if "$secrets" in text and _reads_secrets(site.expression):
            _check_secrets(reading, site)
        found = _DATA_OF_EVENT.search(text) if gives_data else None
        if found:
            reading.find(
                codes.SCHEDULE_READ_ENVELOPE,
                site.pointer,
                span=site.expression.span,
                expression=found.group(),
            )


def needs_document(sites: Sequence[Site]) -> bool:
    """Whether an expression looks at the author's document, which then has to be kept.

    `when` of an extension sees the keys of the task's definition on `$task` itself.
    """
    for site in sites:
        text = site.expression.text
        is_when = site.node is not None and site.node.construct == "extension"
        if ("definition" in text or is_when) and _DESCRIBED.search(text):
            return True
    return False


def _reads_secrets(expression: Expression) -> bool:
    try:
        return "secrets" in compile_jq(expression.text).variables
    except ExpressionSyntaxError:
        return False


def _check_secrets(reading: Reading, site: Site) -> None:
    # Late: only documents with secrets need it.
    from ..checks.security import makes_data

    text = site.expression.text
    uses: dict[str | None, re.Match[str]] = {}
    for found in _SECRETS.finditer(text):
        uses.setdefault(found[1] or found[2] or found[3], found)
    if None in uses:
        # Which one is read is not known, so none can be called unused.
        for declared in reading.names.known("secrets"):
            reading.names.find("secrets", declared)
    unknown = [name for name in uses if name and reading.names.find("secrets", name) is None]
    for name in unknown[:_MOST_TOLD]:
        hint = reading.hints.did_you_mean(name, reading.names.known("secrets"))
        span = _span_of(reading, site, uses[name])
        reading.find(codes.UNDECLARED_SECRET, site.pointer, span=span, hint=hint, secret=name)
    # What makes a secret part of the data is told so, which is worse.
    if site.place not in _SECRET_PLACES and not makes_data(site):
        span = _span_of(reading, site, next(_SECRETS.finditer(text)))
        reading.find(codes.SECRET_OUTSIDE_INPUT, site.pointer, span=span)


def _span_of(reading: Reading, site: Site, found: re.Match[str]) -> Span | None:
    """The place of a match in the author's file."""
    from ..checks.positions import span_inside

    source = reading.document.source
    # The white space behind it is not a part of it.
    end = found.start() + len(found.group().rstrip())
    return span_inside(site.expression, found.start(), end, {source.name: source})
