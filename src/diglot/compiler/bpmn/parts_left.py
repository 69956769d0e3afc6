"""What is left of a graph when elements are gone: nothing hangs on what is not there."""

from __future__ import annotations

from typing import Any

import msgspec

from .. import codes
from ..graph import Choice, Handler, Inclusive, Node, Receive, ScopeNode
from .parts_added import Added
from .parts_crossing import join_rows
from .parts_drawn import Drawing
from .parts_found import Found
from .parts_placed import body_of
from .reading import Reading, name_of


def drop_lost(reading: Reading, drawing: Drawing, added: Added) -> None:
    """Take away what hangs on parts that are gone."""
    parts = drawing.parts
    scopes = parts.scopes.keys() | {scope.id for scope in added.scopes}
    while True:
        count = len(parts.scopes) + len(parts.nodes)
        _drop_scopes(drawing, added)
        scopes = parts.scopes.keys() | {scope.id for scope in added.scopes}
        for id_ in [one for one, node in parts.nodes.items() if node.value.scope not in scopes]:
            _tell(reading, parts.nodes.pop(id_))
        for id_ in [one for one, node in parts.nodes.items() if _lacks_body(node.value, scopes)]:
            _tell(reading, parts.nodes.pop(id_))
        if len(parts.scopes) + len(parts.nodes) == count:
            break
    nodes = parts.nodes.keys() | {node.id for node in added.nodes}
    gone = [
        one
        for one, flow in parts.flows.items()
        if flow.value.source not in nodes or flow.value.target not in nodes
    ]
    for id_ in gone:
        del parts.flows[id_]
    added.flows = [one for one in added.flows if one.source in nodes and one.target in nodes]
    join_rows(reading, drawing, added)
    sources = {flow.value.id: flow.value.source for flow in parts.flows.values()}
    sources |= {flow.id: flow.source for flow in added.flows}
    for node in parts.nodes.values():
        node.value = _kept_flows(node.value, sources, scopes)
    added.nodes = [_kept_flows(one, sources, scopes) for one in added.nodes]
    for id_ in list(parts.handlers):
        handler = _kept(parts.handlers[id_].value, nodes, sources, scopes)
        if handler is None:
            del parts.handlers[id_]
        else:
            parts.handlers[id_].value = handler
    _drop_orphans(drawing, added)


def _tell(reading: Reading, part: Found[Any]) -> None:
    element = part.at
    reading.find(codes.PART_WITHOUT_SCOPE, element, part=name_of(element) or element.id)


def _drop_scopes(drawing: Drawing, added: Added) -> None:
    """Scopes that do not stand in the outermost one, or that nothing enters."""
    parts = drawing.parts
    nodes = (*(one.value for one in parts.nodes.values()), *added.nodes)
    owners = {body: node for node in nodes if (body := body_of(node)) is not None}
    entered = owners.keys() | {one.value.run for one in parts.handlers.values() if one.value.run}
    inner: dict[str, list[str]] = {}
    for scope in parts.scopes.values():
        owner = owners.get(scope.value.id)
        if owner is not None and owner.scope != scope.value.parent:
            scope.value = msgspec.structs.replace(scope.value, parent=owner.scope)
        inner.setdefault(scope.value.parent or "", []).append(scope.value.id)
    for new in added.scopes:
        inner.setdefault(new.parent or "", []).append(new.id)
    inside: set[str] = set()
    todo = [drawing.root]
    while todo:
        inside.add(name := todo.pop())
        todo.extend(one for one in inner.get(name, ()) if one not in inside)
    for name in list(parts.scopes):
        if name not in inside or (name != drawing.root and name not in entered):
            del parts.scopes[name]


def _lacks_body(node: object, scopes: set[str]) -> bool:
    return isinstance(node, ScopeNode) and node.body not in scopes


def _kept_flows(node: Node, sources: dict[str, str], scopes: set[str]) -> Node:
    """A node that names only flows that are there and leave it."""
    changes: dict[str, Any] = {}

    def leaves(flow: str | None) -> bool:
        return flow is not None and sources.get(flow) == node.id

    if isinstance(node, Choice | Inclusive):
        branches = tuple(one for one in node.branches if leaves(one))
        if branches != node.branches:
            changes["branches"] = branches
        if node.default is not None and not leaves(node.default):
            changes["default"] = None
    if isinstance(node, Receive) and node.body is not None and node.body not in scopes:
        changes["body"] = None
    if node.guard is not None and node.guard.skip is not None and not leaves(node.guard.skip):
        changes["guard"] = msgspec.structs.replace(node.guard, skip=None)
    return msgspec.structs.replace(node, **changes) if changes else node


def _kept(
    handler: Handler, nodes: set[str], sources: dict[str, str], scopes: set[str]
) -> Handler | None:
    """A handler without what is gone; None where it has nothing to guard or to do."""
    if handler.node is not None and handler.node not in nodes:
        return None
    if handler.scope is not None and handler.scope not in scopes:
        return None
    if handler.activity is not None and handler.activity not in nodes:
        return None
    changes: dict[str, Any] = {}
    if handler.flow is not None and sources.get(handler.flow) != handler.node:
        changes["flow"] = None
    if handler.run is not None and handler.run not in scopes:
        changes["run"] = None
    if handler.leave_by is not None and handler.leave_by not in sources:
        changes["leave_by"] = None
    return msgspec.structs.replace(handler, **changes) if changes else handler


def _drop_orphans(drawing: Drawing, added: Added) -> None:
    """Flows of handlers and guards that nobody takes any more."""
    parts = drawing.parts
    handlers = [*(one.value for one in parts.handlers.values()), *added.handlers]
    taken = {flow for one in handlers for flow in (one.flow, one.leave_by) if flow is not None}
    for node in parts.nodes.values():
        if node.value.guard is not None and node.value.guard.skip is not None:
            taken.add(node.value.guard.skip)
    for id_ in list(parts.flows):
        if parts.flows[id_].value.role != "sequence" and id_ not in taken:
            del parts.flows[id_]
