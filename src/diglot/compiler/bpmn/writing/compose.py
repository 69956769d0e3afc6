"""Any graph as BPMN: a tree of elements, each with the parts of the graph that it shows.

Source: BPMN 2.0.2 10; our decision ADR 18.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version
from typing import Final

from ...diagnostics import Report
from ...graph import Call, Graph

# Imported for their rules.
from . import compose_scopes as compose_scopes
from . import notes, words
from . import write_activities as write_activities
from . import write_events as write_events
from . import write_gateways as write_gateways
from .canvas import Shape, Sheet
from .compose_scopes import draw_scope
from .composition import Composition
from .contract import contract
from .emit import Emitter, name_all, orders_of
from .formal import JQ
from .ids import Ids
from .parts import GRAPH, encode_heading
from .roots import Roots
from .tag import Tag
from .tidy import bundle, tidy
from .view import View

NAMESPACE: Final = "https://diglot.dev/processes"


def compose(graph: Graph, view: View, report: Report) -> Tag:
    """The `definitions` of one graph, without a diagram."""
    return compose_all((graph,), view, report)


def compose_all(graphs: Sequence[Graph], view: View, report: Report) -> Tag:
    """The `definitions` of several graphs, which become the processes of one file."""
    ids = Ids()
    roots = Roots(ids)
    names = [ids.take(graph.name, "process") for graph in graphs]
    for graph in graphs:
        for node in graph.nodes:
            if isinstance(node, Call):
                # What is called is no element of this file, unless it is one of its processes.
                ids.keep_free(node.process)
    processes = [
        _process(graph, name, view, report, roots, ids)
        for graph, name in zip(graphs, names, strict=True)
    ]
    attributes = {
        "id": ids.take("definitions", "definitions"),
        "targetNamespace": NAMESPACE,
        "expressionLanguage": JQ,
        "exporter": "Diglot",
        "exporterVersion": _version(),
    }
    return Tag("definitions", attributes, [*roots.tags, *processes])


def _process(graph: Graph, id: str, view: View, report: Report, roots: Roots, ids: Ids) -> Tag:
    into = Composition(graph, view, report, roots)
    scope = into.lookup.scopes.get(graph.root)
    if scope is not None:
        draw_scope(scope, into.root, into)
        into.carry(None, [scope])
        start = into.mains.get(scope.start)
        if start is not None:
            start.notes.extend(notes.of_graph(graph, view))
    into.carry_rest()
    _finish(into)
    name_all(into.root, ids)
    _refer(into)
    label = graph.title or words.spoken(graph.name)
    tag = Tag("process", {"id": id, "name": label, "isExecutable": "true"})
    if graph.documentation:
        tag.add("documentation", text=graph.documentation)
    heading = Tag(GRAPH, {"label": label}, [], encode_heading(graph))
    emitter = Emitter(orders_of(graph), ids, roots)
    rest = [emitter.part(stamp, "") for stamp in into.carried]
    tag.children.append(Tag("extensionElements", {}, [heading, *rest]))
    emitter.sheet(into.root, tag)
    return tag


def _version() -> str:
    try:
        return version("diglot")
    except PackageNotFoundError:
        # Run from a checkout that is not installed.
        return "0"


def _finish(into: Composition) -> None:
    """Absorb what is not drawn and draw what has to be, sheet by sheet."""
    todo: list[Sheet] = [into.root]
    became: dict[Shape, Shape] = {}
    while todo:
        sheet = todo.pop()
        bundle(sheet, into.view)
        became |= contract(sheet)
        tidy(sheet)
        todo.extend(shape.content for shape in sheet.shapes if shape.content is not None)
    for node, shape in into.mains.items():
        while shape in became:
            shape = became[shape]
        into.mains[node] = shape
    for event, node in into.associated:
        activity = into.mains.get(node)
        if activity is not None and activity.sheet is event.sheet:
            activity.attributes["isForCompensation"] = "true"
            event.sheet.associations.append((event, activity))


def _refer(into: Composition) -> None:
    """Name the activities that compensation events ask for."""
    for definition, node in into.undone:
        activity = into.mains.get(node)
        if activity is not None and activity.is_activity:
            definition.attributes["activityRef"] = activity.id
