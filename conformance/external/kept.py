"""What of a BPMN file is found again in its graphs: every element, attribute and text.

The file is read by another reader than ours. A fact is kept as meaning where what runs says it:
the node, flow, scope, handler or heading that stands for the element or for the nearest one around
it. Else it is kept for export, where the trees beside the graph have it in its place.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, cast

import msgspec

from conformance.harness.difference import is_list, is_object
from diglot.compiler.graph import Graph

from .models import BPMN, Node, parsed, tag

BPMNDI = "http://www.omg.org/spec/BPMN/20100524/DI"
_STANDARD = (
    BPMN,
    BPMNDI,
    "http://www.omg.org/spec/DD/20100524/DC",
    "http://www.omg.org/spec/DD/20100524/DI",
    "http://www.w3.org/2001/XMLSchema-instance",
)
_DIAGRAM = f"{{{BPMNDI}}}BPMNDiagram"
#: Members of the graph that say where something stood or are kept for export.
_NO_MEANING = frozenset({"span", "origin", "foreign", "presentation"})
#: Attributes that are said in other words: the member, and what it has for each value.
_SAID: Mapping[str, tuple[str, Mapping[str, Any]]] = {
    "cancelActivity": ("is_interrupting", {"true": True, "false": False}),
    "isInterrupting": ("is_interrupting", {"true": True, "false": False}),
    "isSequential": ("is_sequential", {"true": True, "false": False}),
    "ordering": ("is_sequential", {"Sequential": True, "Parallel": False}),
    "cancelRemainingInstances": ("cancels_remaining", {"true": True, "false": False}),
    "testBefore": ("is_tested_before", {"true": True, "false": False}),
    "waitForCompletion": ("waits", {"true": True, "false": False}),
    "startQuantity": ("start_quantity", {"1": 1, "2": 2, "3": 3}),
    "completionQuantity": ("quantity", {"1": 1, "2": 2, "3": 3}),
    "triggeredByEvent": ("form", {"true": "event-sub-process", "false": "sub-process"}),
}
#: Elements that are said by a member that is there.
_LOOPS = {"multiInstanceLoopCharacteristics": "multi", "standardLoopCharacteristics": "loop"}

Kind = Literal["element", "attribute", "text", "prefix"]
How = Literal["meaning", "export", "dropped"]


@dataclass(frozen=True, slots=True)
class Fact:
    """Something a file says, and what became of it."""

    kind: Kind
    place: str
    is_standard: bool
    how: How


def facts_of(data: bytes, graphs: Sequence[Graph]) -> list[Fact]:
    """Everything a file says, in its order; `graphs` are what was made of it."""
    root = parsed(data)
    meanings = Meanings(root, graphs)
    foreign = graphs[0].foreign if graphs and is_object(graphs[0].foreign) else {}
    presentation = graphs[0].presentation if graphs and is_object(graphs[0].presentation) else {}
    written = presentation.get("written")
    diagrams: Sequence[Any] = written if is_list(written) else ()
    prefixes = foreign.get("namespaces")
    found = list(_facts(root, foreign.get("bpmn"), meanings, prefixes or {}))
    for number, diagram in enumerate(root.iterchildren(_DIAGRAM)):
        tree = diagrams[number] if number < len(diagrams) else None
        found += _facts(diagram, tree, meanings, prefixes or {})
    return found


def counts_of(facts: Sequence[Fact], *, is_standard: bool) -> Counter[str]:
    """How many facts there are by their kind, and by what became of them."""
    chosen = [fact for fact in facts if fact.is_standard == is_standard]
    return Counter(fact.kind for fact in chosen) + Counter(fact.how for fact in chosen)


def _facts(
    element: Node, tree: Any, meanings: Meanings, prefixes: Mapping[str, str]
) -> Iterator[Fact]:
    """The facts of an element and of all below it; `tree` is what was kept of it, if anything."""
    todo: list[tuple[Node, Any]] = [(element, tree)]
    while todo:
        found, kept = todo.pop()
        yield from _own_facts(found, kept, meanings, prefixes)
        children = [one for one in found.iterchildren("*") if one.tag != _DIAGRAM]
        trees = list(_children(kept))
        pairs = [
            (child, trees[number] if number < len(trees) else None)
            for number, child in enumerate(children)
        ]
        todo.extend(reversed(pairs))


def _own_facts(
    element: Node, tree: Any, meanings: Meanings, prefixes: Mapping[str, str]
) -> Iterator[Fact]:
    name = _name(element.tag)
    # What has no namespace is kept apart from what has that of the standard.
    known = name if str(element.tag).startswith("{") else f"{{}}{name}"
    is_there = is_list(tree) and tree[:1] == [known]
    attributes = _attributes(tree)
    place = f"line {element.sourceline}: {name}"
    is_model = _is_standard(element.tag)

    def fact(kind: Kind, at: str, is_standard: bool, is_meant: bool, is_kept: bool) -> Fact:
        how: How = "meaning" if is_meant else "export" if is_kept else "dropped"
        return Fact(kind, at, is_standard, how)

    own: list[Fact] = []
    for written, value in element.attrib.items():
        is_own = is_model and (not written.startswith("{") or _is_standard(written))
        attribute = _name(written)
        is_meant = is_own and meanings.has_attribute(element, attribute, value)
        is_kept = is_there and attributes.get(attribute) == value
        at = f"{place} @{attribute}"
        own.append(fact("attribute", at, is_own, is_meant, is_kept))
        prefix = value.partition(":")[0]
        if is_own and ":" in value and prefix in element.nsmap:
            is_bound = prefixes.get(prefix) == element.nsmap[prefix]
            own.append(fact("prefix", f"{at}={value}", True, False, is_bound))
    text = _text(element)
    if text.strip():
        is_meant = is_model and meanings.has_text(element, text)
        own.append(fact("text", place, is_model, is_meant, is_there and tree[3:] == [text]))
    is_meant = is_model and (
        any(one.how == "meaning" for one in own) or meanings.has_element(element)
    )
    yield fact("element", place, is_model, is_meant, is_there)
    yield from own


class Meanings:
    """What the graphs say of each element, by its id."""

    def __init__(self, root: Node, graphs: Sequence[Graph]) -> None:
        self.by_id: dict[str, Node] = {
            one.get("id"): one for one in root.iter("*") if one.get("id") is not None
        }
        self._said: dict[str, list[Any]] = {}
        self._everything: set[str] = set()
        for graph in graphs:
            for record, keys in _records(graph):
                for key in keys:
                    self._said.setdefault(key, []).append(record)
                self._everything.update(_texts(record))
        self._texts = {id: set(_texts(records)) for id, records in self._said.items()}

    def has_element(self, element: Node) -> bool:
        """Whether something stands for the element itself."""
        name = _name(element.tag)
        if name in _LOOPS:
            return any(member is not None for member in self._members(element, _LOOPS[name]))
        if name.endswith("EventDefinition"):
            trigger = name.removesuffix("EventDefinition").removesuffix("e")
            constructs = self._members(element, "construct")
            return any(trigger in str(construct) for construct in constructs)
        return element.get("id") in self._said

    def has_attribute(self, element: Node, name: str, value: str) -> bool:
        """Whether what runs says what an attribute says."""
        if name == "id":
            return value in self._said
        if name in _SAID:
            member, values = _SAID[name]
            return value in values and values[value] in self._members(element, member)
        if name == "isExecutable":
            return element.get("id") in self._said
        if name == "calledElement":
            return value.rpartition(":")[2] in self._texts_of(element)
        texts = self._texts_of(element)
        local = value.rpartition(":")[2]
        referred = self.by_id.get(value if value in self.by_id else local)
        if referred is None or name == "name":
            return " ".join(value.split()) in texts
        # What an element is called in the graph: by its id, or by its name or code.
        names = (referred.get("id"), referred.get("name"), referred.get("errorCode"))
        return any(one in texts for one in (*names, referred.get("escalationCode")) if one)

    def has_text(self, element: Node, text: str) -> bool:
        """Whether what runs says what a text says."""
        text = text.strip()
        texts = self._texts_of(element)
        if _name(element.tag) in ("incoming", "outgoing"):
            return text.rpartition(":")[2] in self._said
        return text in texts or any(text in one for one in texts if "\n\n" in one)

    def _owner(self, element: Node) -> str:
        while element is not None:
            if element.get("id") in self._said:
                return str(element.get("id"))
            element = element.getparent()
        return ""

    def _texts_of(self, element: Node) -> set[str]:
        """What is said for an element; of what all processes share, what any of them says."""
        owner = self._owner(element)
        return self._texts[owner] if owner else self._everything

    def _members(self, element: Node, name: str) -> list[Any]:
        return list(_named(self._said.get(self._owner(element), []), name))


def _records(graph: Graph) -> Iterator[tuple[Any, set[str]]]:
    """(a part of the graph as plain data with every member, the ids of what it stands for)."""
    heading = {
        "name": graph.name,
        "title": graph.title,
        "documentation": graph.documentation,
        "metadata": graph.metadata,
        "version": graph.version,
        "messages": graph.declarations.messages,
    }
    yield heading, {graph.name}
    for part in (*graph.scopes, *graph.nodes, *graph.handlers):
        keys = {part.id, part.pointer}
        yield _plain(part), {key for key in keys if key}
    for flow in graph.flows:
        yield _plain(flow), {flow.id}
        yield {"quantity": flow.quantity, "flow": flow.id}, {flow.source.partition("#")[0]}


def _plain(value: Any) -> Any:
    """A value of the graph as plain data, members that have their defaults among them."""
    if isinstance(value, msgspec.Struct):
        kind = getattr(value.__struct_config__, "tag", None)
        members = {
            name: _plain(getattr(value, name))
            for name in value.__struct_fields__
            if name not in _NO_MEANING
        }
        return members if kind is None else {"kind": kind, **members}
    if isinstance(value, tuple | list):
        return [_plain(item) for item in cast("Sequence[Any]", value)]
    if is_object(value):
        return {name: _plain(member) for name, member in value.items()}
    return value


def _texts(value: Any) -> Iterator[str]:
    todo = [value]
    while todo:
        found = todo.pop()
        if isinstance(found, str):
            yield found
        elif is_list(found):
            todo.extend(found)
        elif is_object(found):
            todo.extend(found.values())
            todo.extend(found)


def _named(value: Any, name: str) -> Iterator[Any]:
    """Every member of this name, however deep."""
    todo = [value]
    while todo:
        found = todo.pop()
        if is_list(found):
            todo.extend(found)
        elif is_object(found):
            if name in found:
                yield found[name]
            todo.extend(found.values())


# -- trees that are kept for export: [name, attributes, children, text]


def _attributes(tree: Any) -> Mapping[str, Any]:
    found = tree[1] if is_list(tree) and len(tree) > 1 else None
    return found if is_object(found) else {}


def _children(tree: Any) -> Sequence[Any]:
    if not is_list(tree) or len(tree) < 3 or not is_list(tree[2]):
        return ()
    return cast("Sequence[Any]", tree[2])


def _name(written: str) -> str:
    """A name as the trees have it: of the model without its namespace."""
    return written.removeprefix(tag(""))


def _is_standard(written: str) -> bool:
    return any(written.startswith(f"{{{namespace}}}") for namespace in _STANDARD)


def _text(element: Node) -> str:
    """The character data directly inside."""
    return (element.text or "") + "".join(child.tail or "" for child in element)
