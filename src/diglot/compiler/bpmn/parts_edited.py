"""What elements say goes before what their parts say: names, documentation, conditions."""

from __future__ import annotations

from typing import Any, TypeVar

import msgspec

from ..graph import Expression, Flow, Graph, Guard, Handler, Node
from .document import Element
from .languages.dialects import language_of
from .parts_drawn import Drawing
from .parts_found import Found, Parts
from .reading import Reading, documentation_of, name_of, written_in
from .syntax import NOT_IN_XML

Named = TypeVar("Named", Node, Flow, Handler)


def apply_names(drawing: Drawing, heading: Element, graph: Graph) -> Graph:
    """Take names and documentation from the elements; the graph with its own."""
    parts = drawing.parts
    documented = _documented(parts)
    for node in parts.nodes.values():
        _rename(node, documented)
    for flow in parts.flows.values():
        _rename(flow, documented)
    for handler in parts.handlers.values():
        _rename(handler, documented)
    process = drawing.process
    changes: dict[str, Any] = {}
    name = name_of(process)
    if name != _plain(heading.get("label")):
        changes["title"] = name
    text = documentation_of(process)
    if _plain(text) != _plain(graph.documentation):
        changes["documentation"] = text
    return msgspec.structs.replace(graph, **changes)


def _documented(parts: Parts) -> dict[int, str]:
    """Of elements that have the documentation of a part that they are not named after: its id."""
    found: dict[int, str] = {}
    drawn: list[Found[Any]] = [*parts.nodes.values(), *parts.flows.values()]
    for part in drawn:
        if part.tag.get("documents").strip() == "true":
            found.setdefault(id(part.at), part.value.id)
    return found


def _rename(part: Found[Named], documented: dict[int, str]) -> None:
    """Let a part have the name and the documentation of its element, where they were its own."""
    changes: dict[str, Any] = {}
    label = part.label
    if label is not None and (name := name_of(part.at)) != _plain(label):
        changes["name"] = name
    of = documented.get(id(part.at))
    is_documented = label is not None if of is None else of == part.value.id
    if is_documented and not isinstance(part.value, Handler):
        text = documentation_of(part.at)
        if _plain(text) != _plain(part.value.documentation):
            changes["documentation"] = text
    if changes:
        part.value = msgspec.structs.replace(part.value, **changes)


def apply_questions(reading: Reading, drawing: Drawing) -> None:
    """Take the conditions of guards from the questions that are drawn for them."""
    for part in drawing.parts.nodes.values():
        name, guard = part.tag.get("question").strip(), part.value.guard
        if not name or guard is None:
            continue
        question = reading.index.node(name)
        if question is None:
            part.value = msgspec.structs.replace(part.value, guard=None)
            continue
        for flow in reading.index.outgoing(question):
            if drawing.drawn(flow) == "question":
                condition = changed_condition(reading, flow, guard.condition)
                if condition is not None and condition is not guard.condition:
                    guard = Guard(condition=condition, skip=guard.skip)
                    part.value = msgspec.structs.replace(part.value, guard=guard)


def changed_condition(
    reading: Reading, flow: Element, known: Expression | None, like: Expression | None = None
) -> Expression | None:
    """The condition that a flow has now: the known one where its text is the same.

    A new one in the language of the graph sees what `like` sees.
    """
    element = flow.child("conditionExpression")
    if element is None or not element.text.strip():
        return None
    if known is not None and _plain(element.text) == _plain(known.text):
        return known
    if not _is_jq(reading, element):
        return reading.condition(written_in(element))
    like = known or like
    text, span = element.text.strip(), element.text_span()
    if like is None:
        return Expression(text=text, span=span)
    return Expression(text=text, of=like.of, yields=like.yields, span=span)


def _is_jq(reading: Reading, element: Element) -> bool:
    """Whether an expression is in the language of the graph, as all are that were written."""
    own = element.get("language")
    if own.strip():
        return language_of(own) == "jq"
    is_signed = element.text.strip().startswith(("=", "${", "#{"))
    return not is_signed and language_of(reading.document.root.get("expressionLanguage")) == "jq"


def _plain(text: str) -> str:
    # A file says U+FFFD for what it cannot say.
    return " ".join(NOT_IN_XML.sub("\ufffd", text).split())
