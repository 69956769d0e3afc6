"""From a BPMN file to graphs, one a process.

Source: BPMN 2.0.2 clause 13.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from itertools import count
from typing import Final

from .. import codes
from ..diagnostics import Report
from ..graph import DataRules, Declarations, Expression, Graph, Origin

# Imported for their rules.
from . import read_calls as read_calls
from . import read_catches as read_catches
from . import read_gateways as read_gateways
from . import read_scopes as read_scopes
from . import read_starts as read_starts
from . import read_tasks as read_tasks
from . import read_throws as read_throws
from .aside import DIGLOT
from .document import Document, Element
from .index import Index
from .keep import foreign_of, presentation_of
from .laying import Laying
from .layout import lay_scope
from .messages import Messages
from .profiles.contract import STANDARD, Profile
from .read_data import learn
from .read_parts import heading_of, read_parts, tell_parts
from .read_scripts import tell_out_of_place
from .reading import ROOT, Reading, documentation_of, name_of

__all__ = ["read"]

DIALECT: Final = "bpmn"
NAMESPACE: Final = "bpmn"
#: The version of a process that has none.
FIRST_VERSION: Final = "1.0.0"

_SEMANTIC: Final = re.compile(
    r"(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-[0-9A-Za-z.-]+)?(?:\+[0-9A-Za-z.-]+)?"
)

#: The first version in fewer numbers.
_FIRST: Final = re.compile(r"1(?:\.0)?")


def read(
    document: Document, report: Report, *, profile: Profile | None = None
) -> tuple[Graph, ...]:
    """A graph for each process, those that are meant to be run first.

    A graph may come with errors: parts of it then stand in for what was refused. Participants
    without a process have none.
    """
    processes = [process for process in document.root.each("process") if process.children]
    if not processes:
        report.add(codes.NOTHING_TO_RUN, document.root.span)
        return ()
    # What says that it is to be run, what says nothing, what says that it is not.
    processes.sort(key=lambda process: _RANKS.get(process.get("isExecutable").strip(), 1))
    messages = Messages(document)
    kept = foreign_of(document), presentation_of(document)
    origin = Origin(
        dialect=DIALECT,
        dialect_version="2.0",
        file=document.source.name,
        sha256=hashlib.sha256(document.source.text.encode("utf-8", "surrogatepass")).hexdigest(),
    )
    names = _names(processes)
    return tuple(
        _read_process(document, process, name, report, messages, profile or STANDARD, kept, origin)
        for process, name in zip(processes, names, strict=True)
    )


def _names(processes: list[Element]) -> Iterator[str]:
    """What the definitions are called: by their ids; those without one `process`, `process-2`.."""
    taken = {process.id for process in processes}
    free = (
        name
        for number in count(1)
        if (name := "process" if number == 1 else f"process-{number}") not in taken
    )
    return (process.id or next(free) for process in processes)


_RANKS: Final = {"true": 0, "1": 0, "false": 2, "0": 2}


def _read_process(
    document: Document,
    process: Element,
    name: str,
    report: Report,
    messages: Messages,
    profile: Profile,
    kept: tuple[object, object],
    origin: Origin,
) -> Graph:
    reading = Reading(
        document=document,
        process=process,
        profile=profile,
        report=report,
        into=Laying(report),
        index=Index(document, process),
        messages=messages,
    )
    written = heading_of(process)
    if written is not None:
        return read_parts(reading, written, kept, origin)
    if DIGLOT in document.vocabularies:
        tell_parts(process, report)
    learn(reading, process)
    tell_out_of_place(reading, process)
    lay_scope(reading, process, id=ROOT, form="process", parent=None, binds_input=True)
    vendor = profile.process(process)
    metadata = dict(vendor.metadata)
    if not process.flag("isExecutable", default=True):
        metadata["executable"] = False
    is_semantic = _SEMANTIC.fullmatch(vendor.version.strip()) is not None
    if vendor.version.strip() and not is_semantic:
        metadata["version"] = vendor.version.strip()
        if _FIRST.fullmatch(vendor.version.strip()) is None:
            report.add(
                codes.VERSION_NOT_SEMANTIC,
                process.span,
                process.id,
                version=vendor.version.strip()[:80],
                process=name,
                taken=FIRST_VERSION,
            )
    heading = Graph(
        namespace=NAMESPACE,
        name=name,
        version=vendor.version.strip() if is_semantic else FIRST_VERSION,
        title=name_of(process),
        documentation=documentation_of(process),
        metadata=metadata,
        root=ROOT,
        data=DataRules(write=Expression(text=".", of="variables")),
        declarations=Declarations(messages=tuple(reading.spoken)),
        foreign=kept[0],
        presentation=kept[1],
        origin=origin,
    )
    return reading.into.freeze(heading)
