"""From a document to a checked graph: detect the dialect, read, check, freeze.

Nothing here raises for what an author wrote: whatever is wrong with a document is a diagnostic.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final, Literal, get_args

import msgspec

from . import codes
from .collecting import collecting_seldom
from .diagnostics import Diagnostic, Report, Severity
from .graph import Call, Graph, UnknownFormat, digest, from_json
from .imports import Resolve
from .severities import Severities, read_severities, weighed
from .source import Source
from .suppression import Suppressed, suppress

Dialect = Literal["serverless-workflow", "bpmn", "graph"]

#: Graphs are written by programs and longer than the documents they came from.
GRAPH_SIZE_BYTES: Final = 16 * 1024 * 1024
GRAPH_DEPTH: Final = 400

_SPACE: Final = " \t\r\n\ufeff"
_BRACKET = re.compile(r'"(?:[^"\\]|\\.)*"?|[\[{]|[\]}]', re.DOTALL)


@dataclass(frozen=True, slots=True)
class Found:
    """What was found in a document before it and its settings had their say, and what they say."""

    diagnostics: tuple[Diagnostic, ...]
    weights: Severities
    is_xml: bool
    #: What the files that it imports define, where it calls anything.
    imported: tuple[Graph, ...] = ()


@dataclass(frozen=True, slots=True)
class Compiled:
    """What became of one document.

    `graphs` are there as soon as they could be made, also when `diagnostics` (in order of place)
    hold errors: a BPMN file has one a process, the executable ones first. `graph` is the first of
    them; unless the document is refused it is frozen and has a `digest`. What has errors and is not
    refused means something, so that it can be looked at and written, and is not to be published.
    """

    graphs: tuple[Graph, ...]
    diagnostics: tuple[Diagnostic, ...]
    digest: str | None
    source: Source
    #: The BPMN files that it imports, directly or not, as far as they could be read.
    imported: tuple[Source, ...] = ()
    #: The findings that the document itself says are to be ignored, in order of place.
    suppressed: tuple[Suppressed, ...] = ()
    #: Where those come from, for whoever finds more.
    found: Found = field(default=Found((), {}, False), repr=False, compare=False)

    @property
    def graph(self) -> Graph | None:
        """The graph of the document, or of the first of its processes."""
        return self.graphs[0] if self.graphs else None

    @property
    def has_errors(self) -> bool:
        """Whether any finding is an error, so that nothing of the document is to be published."""
        return any(found.severity is Severity.ERROR for found in self.diagnostics)

    @property
    def is_refused(self) -> bool:
        """Whether any finding takes the document its meaning, so that nobody may use its graphs."""
        return any(found.is_firm for found in self.diagnostics)


@collecting_seldom()
def compile_source(
    text: str | bytes,
    name: str = "<input>",
    *,
    dialect: Dialect | None = None,
    is_strict: bool = False,
    resolve: Resolve | None = None,
    severities: Mapping[str, str] | None = None,
) -> Compiled:
    """Compile one document; bytes are UTF-8, or UTF-16 with a byte order mark.

    XML says itself in which encoding it is. `name` stands in the diagnostics. Without `dialect` the
    document itself says what it is. `is_strict` refuses whatever breaks a rule of the standard,
    also where its meaning is clear. `resolve` gives the bytes of what a BPMN file imports, by its
    path from there; without it imports are not followed, and nothing is ever read by another way.
    `severities` say by the ids of codes what findings weigh: error, warning, info or off.

    Raises:
        ValueError: there is no such dialect.
        BadSeverity: there is no such code or severity, or what is an error has to stay one.
    """
    if dialect is not None and dialect not in get_args(Dialect):
        raise ValueError(f"no dialect is called {dialect!r}; there are {get_args(Dialect)}")
    weights = read_severities(severities or {})
    report = Report()
    imported: tuple[Source, ...] = ()
    beside: tuple[Graph, ...] = ()
    is_xml = dialect == "bpmn" or (dialect is None and _is_xml(text))
    if is_xml:
        graphs, source, imported = _read_bpmn(
            text, name, report, is_strict=is_strict, resolve=resolve
        )
    else:
        source = _decoded(text, name, report)
        graph = None
        if not report.has_errors:
            graph = _READERS[dialect or detect_dialect(source.text)](source, report)
        graphs = () if graph is None else (graph,)
    if graphs:
        from .checks import run_checks, run_checks_together

        beside = _called_of(imported, graphs)
        sources = {one.name: one for one in (*imported, source)}
        for graph in graphs:
            run_checks(graph, report, sources)
        run_checks_together(graphs, report, sources, beside)
    return finished(graphs, source, imported, Found(tuple(report), weights, is_xml, beside))


def finished(
    graphs: tuple[Graph, ...], source: Source, imported: tuple[Source, ...], found: Found
) -> Compiled:
    """What becomes of a document once all is found: what it ignores, what the rest weighs."""
    report = Report(found.diagnostics)
    frozen = None if report.is_refused else next(iter(graphs), None)
    key = None if frozen is None else digest(frozen)
    left, ignored = suppress(report.sorted(), source, imported, is_xml=found.is_xml)
    # Weighed last, so that an ignore of what is not to be told of is not one in vain.
    told = _with_fixes(Report(weighed(left, found.weights)).sorted(), (*imported, source))
    suppressed = [
        msgspec.structs.replace(one, finding=finding)
        for one in ignored
        for finding in weighed([one.finding], found.weights)
    ]
    return Compiled(graphs, tuple(told), key, source, imported, tuple(suppressed), found)


def _with_fixes(found: list[Diagnostic], sources: Iterable[Source]) -> list[Diagnostic]:
    if not found:
        return found
    # Late, because what has no findings needs no fixes.
    from .fixes import with_fixes

    return list(with_fixes(found, {one.name: one for one in sources}))


def detect_dialect(text: str) -> Dialect:
    """What a document is, by its first character and, in JSON, by a `format` beside its nodes.

    Whatever is neither XML nor a graph is for the Serverless Workflow reader to take or refuse.
    """
    start = text.lstrip(_SPACE)
    if start.startswith("<"):
        return "bpmn"
    return "graph" if start.startswith("{") and _is_graph(text) else "serverless-workflow"


def _is_xml(text: str | bytes) -> bool:
    """Whether a document begins like XML, in whichever encoding."""
    if isinstance(text, str):
        return text.lstrip(_SPACE).startswith("<")
    # Marks of byte order and the zero bytes of wide encodings stand around the first character.
    return text[:400].lstrip(b"\xef\xbb\xbf\xff\xfe\x00 \t\r\n").startswith(b"<")


class _Head(msgspec.Struct):
    """The members that tell a graph in JSON from a workflow in JSON."""

    format: str
    scopes: msgspec.Raw = msgspec.Raw()
    document: msgspec.Raw = msgspec.Raw()


def _is_graph(text: str) -> bool:
    try:
        head = msgspec.json.decode(text.lstrip(_SPACE), type=_Head)
    except (msgspec.MsgspecError, RecursionError, UnicodeEncodeError):
        return False
    return bool(bytes(head.scopes))


def _decoded(text: str | bytes, name: str, report: Report) -> Source:
    if isinstance(text, str):
        return Source(text, name)
    from .serverless_workflow.decode import decode
    from .serverless_workflow.yaml import Limits

    limits = Limits(size_bytes=GRAPH_SIZE_BYTES)
    return decode(text, name, report, limits=limits) or Source("", name)


def _read_serverless_workflow(source: Source, report: Report) -> Graph | None:
    from .serverless_workflow import read

    return read(source, report)


def _read_bpmn(
    text: str | bytes, name: str, report: Report, *, is_strict: bool, resolve: Resolve | None
) -> tuple[tuple[Graph, ...], Source, tuple[Source, ...]]:
    from .bpmn import read_bpmn

    return read_bpmn(text, name, report, is_strict=is_strict, resolve=resolve)


def _called_of(imported: Iterable[Source], graphs: Iterable[Graph]) -> tuple[Graph, ...]:
    """What imported files define that calls of the graphs may mean; what is refused means nothing.

    Their own imports are not followed: each of those is imported as well.
    """
    if not any(isinstance(node, Call) for graph in graphs for node in graph.nodes):
        return ()
    found: list[Graph] = []
    for source in imported:
        report = Report()
        defined, *_ = _read_bpmn(source.text, source.name, report, is_strict=False, resolve=None)
        found += () if report.is_refused else defined
    return tuple(found)


def _read_graph(source: Source, report: Report) -> Graph | None:
    """The interchange form, which a program wrote, or somebody by hand."""
    top = source.span(0, 0)
    size = len(source.text.encode("utf-8", "surrogatepass"))
    if size > GRAPH_SIZE_BYTES:
        report.add(codes.DOCUMENT_TOO_LARGE, top, size=size, limit=GRAPH_SIZE_BYTES)
    elif _depth(source.text) > GRAPH_DEPTH:
        report.add(codes.NESTING_TOO_DEEP, top, limit=GRAPH_DEPTH)
    else:
        try:
            return from_json(source.text.lstrip(_SPACE))
        except UnknownFormat as error:
            report.add(codes.NOT_A_WORKFLOW, top, problem=str(error))
        except UnicodeEncodeError:
            report.add(codes.LONE_SURROGATE, top)
    return None


def _depth(text: str) -> int:
    """How deeply the brackets of a JSON text are nested."""
    depth = deepest = 0
    for bracket in _BRACKET.finditer(text):
        opens = bracket.group() in "[{"
        depth += 1 if opens else -1 if bracket.group() in "]}" else 0
        deepest = max(deepest, depth)
    return deepest


_READERS: Final[Mapping[str, Callable[[Source, Report], Graph | None]]] = {
    "serverless-workflow": _read_serverless_workflow,
    "graph": _read_graph,
}
