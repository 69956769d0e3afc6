"""Shapes and lines as elements, in the order of the schema."""

from __future__ import annotations

from collections.abc import Iterable

from diglot.specs.bpmn import metamodel

from ...graph import Choice, Flow, Graph, Inclusive
from ..look import look_of
from . import formal
from .canvas import Line, Shape, Sheet, Stamp
from .ids import Ids
from .parts import DRAWN, PART, PORTS, encode, kind_of
from .roots import Roots
from .tag import Tag

#: Each part's place among those of its kind.
Orders = dict[tuple[str, str], int]


def orders_of(graph: Graph) -> Orders:
    """The places of a graph's parts."""
    return {
        (kind, part.id): number
        for kind, parts in (
            ("node", graph.nodes),
            ("flow", graph.flows),
            ("scope", graph.scopes),
            ("handler", graph.handlers),
        )
        for number, part in enumerate(parts)
    }


def name_all(sheet: Sheet, ids: Ids) -> None:
    """Give every shape and line its id, in order of the document."""
    todo = [sheet]
    while todo:
        one = todo.pop()
        for shape in one.shapes:
            shape.id = ids.take(shape.wish, shape.name)
        for shape in one.shapes:
            for line in shape.outs:
                line.id = ids.take(line.wish, f"{line.source.id}_to_{line.target.id}")
        todo.extend(shape.content for shape in reversed(one.shapes) if shape.content is not None)


class Emitter:
    """The elements of one process."""

    def __init__(self, orders: Orders, ids: Ids, roots: Roots) -> None:
        self._orders = orders
        self._ids = ids
        #: The names of what the file declares once, by their ids.
        self._declared = {tag.id: tag.attributes.get("name", "") for tag in roots.tags}

    def sheet(self, sheet: Sheet, into: Tag) -> None:
        """Everything that is drawn in a container, behind what it has already."""
        artifacts: list[Tag] = []
        for shape in sheet.shapes:
            _in_order(shape)
            into.children.append(self._shape(shape))
            artifacts.extend(self._notes(shape))
        for shape in sheet.shapes:
            into.children.extend(self._line(line) for line in shape.outs)
        for event, activity in sheet.associations:
            attributes = {
                "id": self._ids.take(f"{event.id}_undoes", "association"),
                "associationDirection": "One",
                "sourceRef": event.id,
                "targetRef": activity.id,
            }
            artifacts.append(Tag("association", attributes))
        into.children.extend(artifacts)

    def _shape(self, shape: Shape) -> Tag:
        attributes = {"id": shape.id}
        if shape.label:
            attributes["name"] = shape.label
        attributes |= shape.attributes
        if shape.host is not None:
            attributes["attachedToRef"] = shape.host.id
        has_default = "default" in metamodel.attributes(shape.name)
        if has_default and shape.default is not None and shape.default in shape.outs:
            attributes["default"] = shape.default.id
        tag = Tag(shape.name, attributes)
        _document(tag, shape.documentation)
        own: list[Tag] = []
        if shape.drawn:
            own.append(Tag(DRAWN, {"as": shape.drawn}))
        first = next((s.value.id for s in shape.stamps if kind_of(s.value) == "node"), "")
        ports = {
            name: node
            for name, node in (("entry", shape.entry), ("exit", shape.exit))
            if node and node != first
        }
        if shape.content is not None and shape.content.scopes:
            ports["content"] = shape.content.scopes[0]
        if ports:
            own.append(Tag(PORTS, ports))
        self.extend(tag, own, shape)
        for line in shape.ins:
            tag.add("incoming", text=line.id)
        for line in shape.outs:
            tag.add("outgoing", text=line.id)
        if shape.loop is not None:
            tag.children.append(shape.loop)
        is_container = shape.content is not None
        if not is_container:
            tag.children.extend(shape.inside)
        for definition in shape.inside:
            if definition.name.endswith("EventDefinition"):
                definition.attributes = {
                    "id": self._ids.take(f"{shape.id}_{definition.name[:-15]}", "definition"),
                    **definition.attributes,
                }
        if shape.content is not None:
            tag.children.extend(shape.inside)
        self._note_look(tag)
        if shape.content is not None:
            held = tag.children[len(tag.children) - len(shape.inside) :]
            del tag.children[len(tag.children) - len(held) :]
            self.sheet(shape.content, tag)
            tag.children.extend(held)
        return tag

    def _note_look(self, tag: Tag) -> None:
        """Write down how an element looks, so that it is seen when it looks otherwise."""
        extensions = tag.child("extensionElements")
        if extensions is not None:
            look = look_of(tag, _of_the_standard, lambda id: self._declared.get(id, id))
            extensions.children[0].attributes["look"] = look

    def _line(self, line: Line) -> Tag:
        attributes = {"id": line.id}
        if line.label:
            attributes["name"] = line.label
        attributes |= {"sourceRef": line.source.id, "targetRef": line.target.id}
        tag = Tag("sequenceFlow", attributes)
        _document(tag, line.documentation)
        ends = {"from": _origin(line).id, "to": _goal(line).id}
        own: list[Tag] = []
        if line.drawn:
            own.append(Tag(DRAWN, {"as": line.drawn, **({} if line.drawn in _PASSED else ends)}))
        self.extend(tag, own, line, ends)
        is_default = line.source.default is line
        inner = {one.value.id for one in line.stamps if kind_of(one.value) == "node"}
        flows = [
            one.value
            for one in line.stamps
            if isinstance(one.value, Flow) and one.value.source not in inner
        ]
        condition = formal.any_of(flows) if len(flows) > 1 else line.condition
        decides = line.source.is_gateway or line.source.is_activity
        if condition is not None and decides and not is_default:
            tag.children.append(formal.expression("conditionExpression", condition))
        return tag

    def extend(
        self, tag: Tag, own: list[Tag], at: Shape | Line, ends: dict[str, str] | None = None
    ) -> None:
        """Put what an element shows into its extensions; `ends` are those of a flow."""
        parts = [self.part(stamp, at.label) for stamp in at.stamps]
        documented = _documented(at)
        for stamp, part in zip(at.stamps, parts, strict=True):
            part.attributes |= ends or {}
            if stamp is documented:
                part.attributes["documents"] = "true"
        if own or parts:
            tag.children.append(Tag("extensionElements", {}, [*own, *parts]))

    def part(self, stamp: Stamp, label: str) -> Tag:
        """The element of a part; `label` is the name of the element that shows it."""
        kind = kind_of(stamp.value)
        attributes = {"kind": kind, "order": str(self._orders[kind, stamp.value.id])}
        if stamp.is_named:
            attributes["label"] = label
        if stamp.question is not None and stamp.question.id:
            attributes["question"] = stamp.question.id
        return Tag(PART, attributes, [], encode(stamp.value))

    def _notes(self, shape: Shape) -> Iterable[Tag]:
        if not shape.notes:
            return
        id = self._ids.take(f"{shape.id}_note", "note")
        note = Tag("textAnnotation", {"id": id}, [Tag("text", {}, [], "\n".join(shape.notes))])
        yield note
        attributes = {
            "id": self._ids.take(f"{id}_of", "association"),
            "sourceRef": shape.id,
            "targetRef": id,
        }
        yield Tag("association", attributes)


def _of_the_standard(tag: Tag) -> list[Tag]:
    return [child for child in tag.children if not child.name.startswith("{")]


#: What tokens pass on the way; a flow joins what is before and behind it.
_PASSED = frozenset({"merge", "split"})


def _origin(line: Line) -> Shape:
    """What a line comes from, before the gateways that are only drawn."""
    shape = line.source
    while shape.drawn in _PASSED and not shape.exit and len(shape.ins) == 1:
        shape = shape.ins[0].source
    return shape


def _goal(line: Line) -> Shape:
    """What a line leads to, behind the gateways that are only drawn."""
    shape = line.target
    while shape.drawn in _PASSED and len(shape.outs) == 1:
        shape = shape.outs[0].target
    return shape


def _documented(at: Shape | Line) -> Stamp | None:
    """The part that an element has its documentation of, where it is not what it is named after."""
    if not at.documentation:
        return None
    of = [one for one in at.stamps if getattr(one.value, "documentation", "") == at.documentation]
    return None if any(one.is_named for one in of) or not of else of[0]


def _document(tag: Tag, text: str) -> None:
    if text:
        tag.add("documentation", text=text)


def _in_order(shape: Shape) -> None:
    """Put the ways of a gateway into the order in which they are tried."""
    for stamp in shape.stamps:
        if isinstance(stamp.value, Choice | Inclusive):
            ranks = {flow: rank for rank, flow in enumerate(stamp.value.branches)}
            shape.outs.sort(key=lambda line: _rank(line, ranks))


def _rank(line: Line, ranks: dict[str, int]) -> int:
    flows = (stamp.value.id for stamp in line.stamps if isinstance(stamp.value, Flow))
    return min((ranks[flow] for flow in flows if flow in ranks), default=len(ranks))
