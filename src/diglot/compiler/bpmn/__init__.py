"""BPMN 2.0 files: read without loss, checked, and made into graphs, one a process."""

from __future__ import annotations

from typing import NamedTuple

from ..diagnostics import Report
from ..graph import Graph
from ..imports import Resolve
from ..source import Source


class Read(NamedTuple):
    """What became of a file: graphs, the executable ones first, and texts."""

    graphs: tuple[Graph, ...]
    source: Source
    #: The texts of the BPMN files that it imports and that could be read.
    imported: tuple[Source, ...] = ()


def read_bpmn(
    text: str | bytes,
    name: str,
    report: Report,
    *,
    is_strict: bool = False,
    resolve: Resolve | None = None,
) -> Read:
    """Read a file and what it imports, the latter through `resolve` alone.

    `is_strict`: whatever breaks a rule of the standard is an error, also where every reader knows
    what is meant.
    """
    from .leftovers import tell_leftovers
    from .profiles import profile_of
    from .reader import read
    from .rules import check_rules, read_imports
    from .shape import check_shape
    from .xml import read_xml

    document = read_xml(text, name, report)
    if document is None:
        shown = text if isinstance(text, str) else text.decode("utf-8", "replace")
        return Read((), Source(shown, name))
    imports = read_imports(document, resolve)
    document.imported = imports.documents
    imported = tuple(one.source for many in imports.documents.values() for one in many)
    check_shape(document, report, strict=is_strict)
    check_rules(document, report, strict=is_strict, imports=imports)
    if report.is_refused:
        # What does not hang together is not laid out: its faults would be told again, as others.
        return Read((), document.source, imported)
    graphs = read(document, report, profile=profile_of(document))
    if graphs:
        tell_leftovers(document, report)
    return Read(graphs, document.source, imported)
