"""From a Serverless (Open) Workflow document of DSL 1.0 to the graph.

Source: DSL reference, Workflow, Document, Use, Evaluate.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

import msgspec

from diglot.specs.serverless_workflow.model.tasks import PROTOCOLS

from .. import codes
from ..diagnostics import Report
from ..graph import Constant, Declarations, Graph, Origin, Variable
from ..graph.builder import Builder
from ..graph.sites import walk_expressions
from ..pointers import join_pointer

# Imported for their rules.
from . import read_calls as read_calls
from . import read_errors as read_errors
from . import read_events as read_events
from . import read_flow as read_flow
from . import read_functions as read_functions
from . import read_tasks as read_tasks
from .after_reading import check_expressions, needs_document
from .lanes import add_scope, entries_of
from .names import KINDS, Names
from .read_data import rules
from .read_schedule import read_schedule
from .reading import Entry, NamedExtension, Reading
from .timeouts import add_timeout
from .variables import ARGUMENTS, bound_names

if TYPE_CHECKING:
    from diglot.specs.serverless_workflow.model.workflow import Workflow

    from ..source import Source
    from .located import Located

__all__ = ["read_workflow"]

DIALECT = "serverless-workflow"
ROOT = "/"


def read_workflow(
    document: Located, model: Workflow, report: Report, source: Source
) -> Graph | None:
    """The graph of a document that has the right shape; None where it cannot be laid out.

    A graph may come with errors: parts of it then stand in for what was refused.
    """
    evaluate = model.evaluate
    if evaluate is not None and evaluate.language != "jq":
        pointer = "/evaluate/language"
        report.add(
            codes.UNSUPPORTED_EXPRESSION_LANGUAGE,
            document.span_of(pointer),
            pointer,
            language=evaluate.language,
        )
        return None
    reading = Reading(
        document=document,
        model=model,
        report=report,
        into=Builder(report),
        names=Names(model.use),
        extensions=_extensions(model),
        is_loose=evaluate is not None and evaluate.mode == "loose",
    )
    data = rules(reading, "", input=model.input, output=model.output)
    schedule = model.schedule
    add_scope(
        reading,
        entries_of(model.do, "/do"),
        id=ROOT,
        form="process",
        parent=None,
        pointer="/do",
        variables=(Variable(name="context", value=Constant({})),),
        triggers=() if schedule is None else (read_schedule(reading, schedule),),
    )
    if model.timeout is not None:
        add_timeout(reading, model.timeout, "/timeout", scope=ROOT)
    if reading.is_cut:
        return None
    head = model.document
    heading = Graph(
        namespace=head.namespace,
        name=head.name,
        version=head.version,
        title=head.title or "",
        documentation=head.summary or "",
        tags=head.tags or {},
        metadata=head.metadata or {},
        root=ROOT,
        data=data,
        declarations=Declarations(secrets=tuple(reading.names.known("secrets"))),
        origin=Origin(
            dialect=DIALECT,
            dialect_version=head.dsl,
            file=source.name,
            sha256=hashlib.sha256(source.text.encode("utf-8", "surrogatepass")).hexdigest(),
        ),
    )
    graph = reading.into.freeze(heading)
    _check_declarations(reading, heading)
    sites = list(walk_expressions(graph))
    check_expressions(reading, sites)
    _report_unused(reading)
    if needs_document(sites):
        graph = msgspec.structs.replace(graph, document=document.value)
    return graph


def _extensions(model: Workflow) -> tuple[NamedExtension, ...]:
    items = (model.use.extensions if model.use is not None else None) or ()
    return tuple(
        NamedExtension(
            item.extension, f"/use/extensions/{index}{join_pointer(item.name)}", item.name
        )
        for index, item in enumerate(items)
    )


def _check_declarations(reading: Reading, heading: Graph) -> None:
    """Report declarations that cannot do what they say, and read those that nothing has used."""
    for named in reading.extensions:
        if named.extension.extend == "raise" and named.extension.after:
            reading.find(codes.EXTENSION_RAISE_AFTER, f"{named.pointer}/after")
    use = reading.model.use
    functions = (use.functions if use is not None else None) or {}
    for name in functions:
        if name in PROTOCOLS:
            pointer = "/use/functions" + join_pointer(name)
            span = reading.document.key_span_of(pointer)
            reading.find(codes.FUNCTION_NAME_SHADOWED, pointer, span=span, name=name)
    # Beside the graph, so that their mistakes are found with all others.
    for name in [name for section, name in reading.names.unused() if section == "functions"]:
        pointer = "/use/functions" + join_pointer(name)
        _check_aside(reading, [Entry(name, functions[name], pointer)], pointer, heading)
    for named in reading.extensions:
        for stage, tasks in (
            ("before", named.extension.before),
            ("after", named.extension.after),
        ):
            pointer = f"{named.pointer}/{stage}"
            entries = entries_of(tasks or (), pointer)
            if named.pointer in reading.extending:
                _read_aside(reading, entries, pointer)
            else:
                _check_aside(reading, entries, pointer, heading)


def _check_aside(reading: Reading, entries: list[Entry], pointer: str, heading: Graph) -> None:
    """Read tasks that stand nowhere in the graph, and check their expressions as if they did."""
    # Late: most documents have no such tasks.
    from ..checks.expressions import check_expressions as check

    aside = _read_aside(reading, entries, pointer)
    source = reading.document.source
    graph = msgspec.structs.replace(heading, root=pointer, data=None)
    check(aside.freeze(graph), reading.report, {source.name: source})


def _read_aside(reading: Reading, entries: list[Entry], pointer: str) -> Builder:
    """Lay tasks out beside the graph; every name that something binds somewhere has a value."""
    graph, reading.into = reading.into, Builder(reading.report)
    extensions, reading.extensions = reading.extensions, ()
    if entries:
        names = sorted(bound_names(reading.document.value) - ARGUMENTS | {"context"})
        variables = tuple(Variable(name=name, value=Constant(None)) for name in names)
        add_scope(
            reading,
            entries,
            id=pointer,
            form="sequence",
            parent=None,
            pointer=pointer,
            variables=variables,
        )
    aside, reading.into, reading.extensions = reading.into, graph, extensions
    return aside


def _index_of_secret(reading: Reading, name: str) -> int:
    use = reading.model.use
    return use.secrets.index(name) if use is not None and use.secrets is not None else 0


def _report_unused(reading: Reading) -> None:
    for section, name in reading.names.unused():
        if section == "functions" and name in PROTOCOLS:
            continue
        pointer = f"/use/{section}" + join_pointer(name)
        if section == "secrets":
            pointer = f"/use/secrets/{_index_of_secret(reading, name)}"
        span = reading.document.key_span_of(pointer)
        reading.find(codes.UNUSED_DECLARATION, pointer, span=span, kind=KINDS[section], name=name)
    for named in reading.extensions:
        if named.pointer not in reading.extending:
            span = reading.document.key_span_of(named.pointer)
            reading.find(
                codes.UNUSED_DECLARATION,
                named.pointer,
                span=span,
                kind="extension",
                name=named.name,
            )
