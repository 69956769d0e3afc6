"""Imported files: read through a function that the caller gives, and only through it.

Source: BPMN 2.0.2 8.2.1, 8.2.2.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from ... import codes
from ...diagnostics import Report
from ...imports import ImportRefused, Resolve
from ..document import BPMN, Document, Element
from .rule import Finding, found

#: So many files are read at most, however they import each other.
LIMIT_FILES: Final = 64


@dataclass(slots=True)
class Imports:
    """The documents that could be read, by namespace, and what was wrong with others."""

    documents: dict[str, tuple[Document, ...]] = field(default_factory=lambda: {})
    findings: list[Finding] = field(default_factory=lambda: [])
    #: Imports that were not tried, because nobody said how.
    unread: list[Element] = field(default_factory=lambda: [])


def read_imports(document: Document, resolve: Resolve | None) -> Imports:
    """Read what a document imports, and what that imports, each file once."""
    imports = Imports()
    beside = posixpath.dirname(document.source.name)
    read: dict[str, Document | None] = {}
    todo = [(one, "", one) for one in document.root.each("import")]
    while todo:
        declared, folder, origin = todo.pop(0)
        location = declared.get("location").strip()
        if not location:
            continue
        if resolve is None:
            imports.unread.append(declared)
            continue
        path = location
        if "://" not in location:
            path = posixpath.normpath(posixpath.join(folder, location))
        if path in read or len(read) >= LIMIT_FILES:
            continue
        read[path] = None
        try:
            data = resolve(path)
        except ImportRefused as refused:
            imports.findings.append(_unreadable(origin, location, str(refused)))
            continue
        if data is None:
            imports.findings.append(_unreadable(origin, location, "is not there"))
            continue
        if declared.get("importType").strip() != BPMN:
            continue
        imported = _parse(data, posixpath.join(beside, path))
        if imported is None:
            imports.findings.append(_unreadable(origin, location, "is no BPMN file"))
        elif imported.source.text != document.source.text:
            read[path] = imported
            below = posixpath.dirname(path)
            todo += [(one, below, origin) for one in imported.root.each("import")]
    for imported in read.values():
        if imported is not None:
            namespace = imported.root.get("targetNamespace").strip()
            imports.documents[namespace] = (*imports.documents.get(namespace, ()), imported)
    imports.findings += _ids_given_twice(document, imports.documents)
    return imports


def _unreadable(origin: Element, location: str, problem: str) -> Finding:
    return found(codes.IMPORT_UNREADABLE, origin, location=location, problem=problem)


def _parse(data: bytes, name: str) -> Document | None:
    from ..xml import read_xml

    return read_xml(data, name, Report())


def _ids_given_twice(
    document: Document, imported: dict[str, tuple[Document, ...]]
) -> Iterator[Finding]:
    """Files of one namespace whose ids are not their own."""
    own = document.root.get("targetNamespace").strip()
    for namespace, documents in imported.items():
        together = (document, *documents) if namespace == own else documents
        for index, first in enumerate(together):
            for second in together[index + 1 :]:
                shared = sorted(first.by_id.keys() & second.by_id.keys())
                if shared:
                    yield found(
                        codes.ID_IMPORTED_TWICE,
                        document.root,
                        count=len(shared),
                        namespace=namespace,
                        first=first.source.name,
                        second=second.source.name,
                        id=shared[0],
                    )
