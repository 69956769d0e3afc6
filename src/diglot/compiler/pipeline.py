"""From a document to a checked graph: detect the dialect, read, check, freeze.

Nothing here raises for what an author wrote: whatever is wrong with a document is a diagnostic.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final, Literal, get_args

import msgspec

from . import codes
from .diagnostics import Diagnostic, Report, Severity
from .graph import Graph, UnknownFormat, digest, from_json
from .source import Source

Dialect = Literal["serverless-workflow", "bpmn", "graph"]

#: Graphs are written by programs and longer than the documents they came from.
GRAPH_SIZE_BYTES: Final = 16 * 1024 * 1024
GRAPH_DEPTH: Final = 400

_BPMN_NAMESPACE: Final = "http://www.omg.org/spec/BPMN/"
_SPACE: Final = " \t\r\n\ufeff"
_BRACKET = re.compile(r'"(?:[^"\\]|\\.)*"?|[\[{]|[\]}]', re.DOTALL)


@dataclass(frozen=True, slots=True)
class Compiled:
    """What became of one document.

    `graph` is there as soon as one could be made, also when `diagnostics` (in order of place)
    hold errors; only without errors it is frozen and has a `digest`.
    """

    graph: Graph | None
    diagnostics: tuple[Diagnostic, ...]
    digest: str | None
    source: Source

    @property
    def has_errors(self) -> bool:
        """Whether any finding refuses the document."""
        return any(found.severity is Severity.ERROR for found in self.diagnostics)


def compile_source(
    text: str | bytes, name: str = "<input>", *, dialect: Dialect | None = None
) -> Compiled:
    """Compile one document; bytes are UTF-8, or UTF-16 with a byte order mark.

    `name` stands in the diagnostics. Without `dialect` the document itself says what it is.

    Raises:
        ValueError: there is no such dialect.
    """
    if dialect is not None and dialect not in get_args(Dialect):
        raise ValueError(f"no dialect is called {dialect!r}; there are {get_args(Dialect)}")
    report = Report()
    source = _decoded(text, name, report)
    if report.has_errors:
        return Compiled(None, tuple(report.sorted()), None, source)
    graph = _READERS[dialect or detect_dialect(source.text)](source, report)
    if graph is not None:
        from .checks import run_checks

        run_checks(graph, report, {source.name: source})
    is_frozen = graph is not None and not report.has_errors
    return Compiled(
        graph, tuple(report.sorted()), digest(graph) if graph and is_frozen else None, source
    )


def detect_dialect(text: str) -> Dialect:
    """What a document is, by its first character and, in JSON, by a `format` beside its nodes.

    Whatever is neither XML nor a graph is for the Serverless Workflow reader to take or refuse.
    """
    start = text.lstrip(_SPACE)
    if start.startswith("<"):
        return "bpmn"
    return "graph" if start.startswith("{") and _is_graph(text) else "serverless-workflow"


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


def _read_bpmn(source: Source, report: Report) -> Graph | None:
    top = source.span(0, 0)
    if _BPMN_NAMESPACE in source.text:
        reason = "BPMN is not read yet"
        report.add(codes.UNSUPPORTED_CONSTRUCT, top, construct="BPMN", reason=reason)
    else:
        report.add(codes.NOT_A_WORKFLOW, top, problem="it is XML and not BPMN 2.0")
    return None


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
    "bpmn": _read_bpmn,
    "graph": _read_graph,
}
