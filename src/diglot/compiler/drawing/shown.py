"""Which element of a written file shows what of a graph."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, cast

import msgspec

from ..bpmn.aside import ID
from ..bpmn.writing.parts import DRAWN, PART
from ..bpmn.writing.tag import Tag
from ..graph import Graph
from .model import flag
from .states import State

#: Of several nodes at one element the one that most needs to be seen is shown: what waits is what
#: keeps those around it active.
_URGENCY: Final = ("failed", "waiting", "active", "done", "skipped")


def states_by_element(
    root: Tag, graphs: Sequence[Graph], states: Mapping[str, State]
) -> dict[str, State]:
    """States of nodes and flows, by the ids of the elements that show them.

    A key may be the id or the pointer of a node, a flow or a handler, or an element's own id. What
    is shown nowhere is left out. Where several meet at one element the most urgent one is shown,
    with the highest count. What is only drawn, as merges are, has what its surroundings tell.
    """
    elements = _elements(root, graphs)
    found: dict[str, State] = {}
    for key in sorted(states):
        element = elements.get(key)
        if element is not None:
            before = found.get(element)
            found[element] = states[key] if before is None else _both(before, states[key])
    tags = {tag.id: tag for tag in root.walk() if tag.id and not tag.name.startswith("{")}
    around = _Around(tags, found)
    _turn_aside(tags, found, around)
    _spread(tags, found, around)
    _pass(tags, found)
    return found


def _elements(root: Tag, graphs: Sequence[Graph]) -> dict[str, str]:
    """The element of each name that something goes by; a more exact name goes first."""
    own: dict[str, str] = {}
    ids: dict[str, str] = {}
    pointers: dict[str, str] = {}
    for tag in root.walk():
        if tag.name.startswith("{") or not tag.id:
            continue
        own.setdefault(tag.id, tag.id)
        if author := tag.attributes.get(ID, ""):
            ids.setdefault(author, tag.id)
        for part in _parts(tag):
            ids.setdefault(str(part.get("id", "")), tag.id)
            if pointer := part.get("pointer"):
                pointers.setdefault(str(pointer), tag.id)
    known = {**pointers, **own, **ids}
    for graph in graphs:
        # What an importer laid out around an element has that element's pointer.
        for node in (*graph.nodes, *graph.handlers):
            if node.id not in known and node.pointer in known:
                known[node.id] = known[node.pointer]
    return known


def _parts(tag: Tag) -> Iterator[Mapping[str, Any]]:
    """The nodes, flows and handlers that stand at an element; a scope is not what happens."""
    for extensions in tag.each("extensionElements"):
        for part in extensions.each(PART):
            if part.attributes.get("kind") in ("node", "flow", "handler"):
                value = _json(part.text)
                if isinstance(value, dict):
                    yield cast("Mapping[str, Any]", value)


class _Around:
    """What is joined to what, for those that stand for no part of the graph."""

    def __init__(self, tags: Mapping[str, Tag], states: Mapping[str, State]) -> None:
        self.ins: dict[str, list[str]] = {}
        self.outs: dict[str, list[str]] = {}
        #: How often each activity was left by an event on its border.
        self.left: dict[str, int] = {}
        for tag in tags.values():
            if tag.name == "sequenceFlow":
                self.ins.setdefault(tag.attributes.get("targetRef", ""), []).append(tag.id)
                self.outs.setdefault(tag.attributes.get("sourceRef", ""), []).append(tag.id)
            elif tag.name == "boundaryEvent" and flag(tag, "cancelActivity", True):
                host, state = tag.attributes.get("attachedToRef", ""), states.get(tag.id)
                if state is not None and state.status == "done":
                    self.left[host] = self.left.get(host, 0) + max(state.count, 1)


def _turn_aside(tags: Mapping[str, Tag], states: dict[str, State], around: _Around) -> None:
    """Leave out the flows of an activity that was left by its border.

    A graph may catch in the activity, and go on from there by the same flow.
    """
    for source, times in around.left.items():
        if source not in states:
            continue
        most = states[source].count - times
        for flow in around.outs.get(source, ()):
            state = states.get(flow)
            if state is not None and state.count > most:
                states.pop(flow)
                if most > 0:
                    states[flow] = msgspec.structs.replace(state, count=most)


def _spread(tags: Mapping[str, Tag], states: dict[str, State], around: _Around) -> None:
    """Let what stands for no part of the graph be done where those before or behind it are."""
    todo = [tag for tag in tags.values() if tag.id not in states and _is_only_drawn(tag)]
    while todo:
        left = [tag for tag in todo if not _spread_to(tag, states, around)]
        if len(left) == len(todo):
            return
        todo = left


def _spread_to(tag: Tag, states: dict[str, State], around: _Around) -> bool:
    """Give one element its state, if those beside it have theirs."""
    if tag.name != "sequenceFlow":
        counts = [states[flow].count for flow in around.ins.get(tag.id, ()) if flow in states]
        if counts:
            states[tag.id] = State(status="done", count=sum(counts))
        return bool(counts)
    source, target = (tag.attributes.get(name, "") for name in ("sourceRef", "targetRef"))
    before = states.get(source)
    # A way is known to be taken where there is no other.
    if before is not None and before.status == "done" and len(around.outs[source]) == 1:
        count = before.count - around.left.get(source, 0)
        if count > 0 or source not in around.left:
            states[tag.id] = State(status="done", count=count)
    elif len(around.ins[target]) == 1 and target in states:
        states[tag.id] = State(status="done", count=states[target].count)
    return tag.id in states


def _pass(tags: Mapping[str, Tag], states: dict[str, State]) -> None:
    """Let gateways be done whose branches were taken: what goes on there is shown there."""
    for tag in tags.values():
        source = tags.get(tag.attributes.get("sourceRef", ""))
        if tag.name != "sequenceFlow" or tag.id not in states or source is None:
            continue
        state = states.get(source.id)
        if source.name.endswith("Gateway") and state is not None and state.status == "active":
            states[source.id] = msgspec.structs.replace(state, status="done")


def _is_only_drawn(tag: Tag) -> bool:
    return any(
        extensions.child(DRAWN) is not None and extensions.child(PART) is None
        for extensions in tag.each("extensionElements")
    )


def _json(text: str) -> Any:
    try:
        return msgspec.json.decode(text)
    except (msgspec.MsgspecError, UnicodeEncodeError, RecursionError):
        return None


def _both(one: State, other: State) -> State:
    first, second = sorted((one, other), key=lambda state: _URGENCY.index(state.status))
    return msgspec.structs.replace(
        first, count=max(first.count, second.count), note=first.note or second.note
    )
