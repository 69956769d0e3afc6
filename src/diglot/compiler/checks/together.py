"""What can be said only of all definitions of a document together, or of its whole text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from diglot.compiler import codes
from diglot.compiler.diagnostics import Report, Severity
from diglot.compiler.graph import Constant, EventFilter, Graph
from diglot.compiler.source import Source

from .calls import check_called
from .credentials import check_text
from .definitions import Definitions, told_apart
from .events import check_starts
from .listeners import (
    Listener,
    Owner,
    Sender,
    called,
    is_own_name,
    listeners,
    looks_computed,
    senders,
)
from .recursion import check_recursion
from .types import check_handed

_PUNCTUATION: Final = re.compile(r"[\W_]+")
#: What makes a regular expression of a name; a dot is one of the name's own.
_PATTERN: Final = re.compile(r"[*+?\[\](){}|^$\\]")


def check_together(
    graphs: Sequence[Graph],
    report: Report,
    sources: Mapping[str, Source],
    imported: Sequence[Graph] = (),
) -> None:
    """Report calls, messages and signals that lead nowhere or in a circle, and keys in the text."""
    check_text(report, sources)
    beyond = Definitions(told_apart(imported))
    check_called(graphs, report, beyond)
    check_recursion(graphs, report, beyond)
    check_handed(graphs, report, beyond)
    running = [graph for graph in graphs if graph.metadata.get("executable", True) is not False]
    waits = [(graph, one) for graph in running for one in listeners(graph)]
    sends = [(graph, one) for graph in running for one in senders(graph)]
    if len(running) > 1:
        _check_starts(waits, report)
    if waits and sends:
        _check_ends(waits, sends, report)


def _check_starts(waits: Iterable[tuple[Graph, Listener]], report: Report) -> None:
    """Report what starts several definitions; two starts of one are told with that one."""
    told = {found.pointer for found in report if found.code == codes.MESSAGE_STARTS_TWICE.id}
    seen: set[str] = set()
    starts: list[Listener] = []
    for graph, one in waits:
        if one.place == "start" and one.owner.pointer not in told:
            starts.append(one)
            seen.add(graph.name)
    if len(seen) > 1:
        check_starts(starts, report)


def _check_ends(
    waits: Sequence[tuple[Graph, Listener]],
    sends: Sequence[tuple[Graph, Sender]],
    report: Report,
) -> None:
    """Report what is sent and not awaited, and the other way round.

    Any of it may be meant for somebody else. So it is told only where definitions of the document
    do exchange events, or where another name is nearly the same.
    """
    awaiting = _by_name((graph, one.filter.kind, one.name) for graph, one in waits)
    sending = _by_name((graph, one.kind, one.name) for graph, one in sends)
    awaited, sent = awaiting.keys(), sending.keys()
    exchanges = any(len(awaiting[key] | sending[key]) > 1 for key in awaited & sent)
    # Who takes events of several types may take this one; his pattern is not asked.
    taking_all = {one.filter.kind for _, one in waits if _is_open(one.filter)}
    lost = {(kind, _plain(name)): name for kind, name in sent - awaited}
    missed = {(kind, _plain(name)): name for kind, name in awaited - sent}
    told: set[tuple[str, str]] = set()
    for _, sender in sends:
        key = (sender.kind, sender.name)
        if key in awaited or key in told or sender.kind in taking_all:
            continue
        meant = missed.get((sender.kind, _plain(sender.name)))
        is_odd = exchanges and sender.kind != "event" and _is_given(sender.name, sender.node)
        if meant is None and not is_odd:
            continue
        told.add(key)
        report.add(
            codes.NOBODY_CATCHES,
            sender.node.span,
            sender.node.pointer or sender.node.id,
            severity=None if meant is None else Severity.WARNING,
            hint="" if meant is None else f"Did you mean `{meant}`?",
            kind=sender.kind,
            name=sender.name[:80],
            event=called(sender.node),
        )
    for _, listener in waits:
        name, kind = listener.name, listener.filter.kind
        # What starts instances mostly comes from outside.
        if name is None or listener.place == "start" or kind == "event" or not exchanges:
            continue
        if not _is_given(name, listener.owner):
            continue
        if (kind, name) in sent or (kind, name) in told or (kind, _plain(name)) in lost:
            continue
        told.add((kind, name))
        report.add(
            codes.NOBODY_SENDS,
            listener.owner.span,
            listener.owner.pointer or listener.owner.id,
            kind=kind,
            name=name[:80],
            event=called(listener.owner),
        )


def _by_name(
    uses: Iterable[tuple[Graph, str, str | None]],
) -> dict[tuple[str, str], set[str]]:
    """The names of the definitions by the kind and the name of what they send or wait for."""
    found: dict[tuple[str, str], set[str]] = {}
    for graph, kind, name in uses:
        if name is not None:
            found.setdefault((kind, name), set()).add(graph.name)
    return found


def _is_given(name: str, owner: Owner) -> bool:
    """Whether an author gave this very name to an event."""
    return not is_own_name(name, owner) and not looks_computed(name)


def _plain(name: str) -> str:
    """A name without what is often written otherwise: case, blanks, hyphens."""
    return _PUNCTUATION.sub("", name).casefold()


def _is_open(filter: EventFilter) -> bool:
    """Whether a filter takes events of more than one type."""
    for attribute in filter.attributes:
        if attribute.name == "type":
            value = attribute.value
            if not isinstance(value, Constant) or not isinstance(value.document, str):
                return True
            return attribute.is_pattern and _PATTERN.search(value.document) is not None
    return True
