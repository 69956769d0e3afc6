"""What flows join: where they lead now, and what was drawn anew."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from .. import codes
from ..graph import Choice, Expression, Flow, Inclusive
from .document import Element
from .laying import free_name
from .parts_added import Added
from .parts_drawn import Drawing
from .parts_edited import changed_condition
from .parts_found import Found, own
from .parts_placed import Places
from .parts_redrawn import begin_at, go_on_inside, handler_before
from .reading import Reading, documentation_of, name_of
from .writing.formal import any_of

Role = Literal["sequence", "skip", "handler"]

#: The condition of a way that is always taken where it is come to.
ALWAYS = Expression(text="true", yields="boolean")


def apply_flows(reading: Reading, drawing: Drawing, places: Places, added: Added) -> None:
    """Take the ends and conditions of flows from the elements, and read the new ones."""
    joining = _Joining(reading, drawing, places, added)
    shown = drawing.shown
    read = {flow.id for flow in added.flows}
    for element in drawing.flows:
        parts = shown.get(id(element), [])
        is_one = joining.is_one(element, parts)
        for part in parts:
            joining.join(element, part, is_one=is_one)
        if parts:
            continue
        if not drawing.is_new(element):
            joining.follow_drawn(element)
        elif element.id not in read:
            joining.add(element)


class _Joining:
    """The flows of one drawing while they are read."""

    def __init__(self, reading: Reading, drawing: Drawing, places: Places, added: Added) -> None:
        self._reading = reading
        self._drawing = drawing
        self._places = places
        self._added = added
        self._taken = {flow.id for flow in added.flows} | drawing.parts.flows.keys()
        #: By node a condition of a flow that leaves it: others see what it sees.
        self._likes: dict[str, Expression] = {}
        for part in drawing.parts.flows.values():
            if part.value.condition is not None:
                self._likes.setdefault(part.value.source, part.value.condition)

    def is_one(self, element: Element, parts: list[Found[Flow]]) -> bool:
        """Whether one decision stands at a flow; where there are several its text is only shown."""
        through = self._drawing.parts.nodes_at.get(id(element), ())
        flows = [one.value for one in parts if one.value.source not in through]
        if len(flows) < 2:
            return True
        expected, written = any_of(flows), element.child("conditionExpression")
        origin = self._drawing.origin(element)
        is_default = origin is not None and _is_default(origin, element)
        if written is not None and not is_default:
            known = "" if expected is None else expected.text
            if " ".join(written.text.split()) != " ".join(known.split()):
                self._reading.find(codes.CHANGE_WITHOUT_EFFECT, element, node=element.id)
        return False

    def join(self, element: Element, part: Found[Flow], *, is_one: bool) -> None:
        """Let a flow of the graph join what its element joins; `is_one` as above."""
        drawing, flow = self._drawing, part.value
        changes: dict[str, Any] = {}
        origin, goal = drawing.origin(element), drawing.goal(element)
        if origin is None or goal is None or drawing.is_passed(goal):
            # It leads from or to something that is gone.
            part.value = msgspec.structs.replace(flow, source="", target="")
            return
        # What one way leads through may stand at the way itself.
        through = drawing.parts.nodes_at.get(id(element), ())
        is_first, is_last = flow.source not in through, flow.target not in through
        if is_last and (
            flow.target not in drawing.parts.nodes or self._differs(goal, part.tag, "to")
        ):
            changes["target"] = drawing.entry(goal)
        if is_first and (
            flow.source not in drawing.parts.nodes or self._differs(origin, part.tag, "from")
        ):
            changes["source"], changes["role"] = self._source(origin)
        if not all(changes.values()):
            # What it leads to or from now is only drawn.
            self._reading.find(codes.DRAWN_FLOW_CHANGED, element, flow=element.id)
            changes = {}
        if changes.get("source", flow.source) != flow.source:
            self._take_over(origin, flow.id)
        is_asked = flow.condition is not None or element.child("conditionExpression") is not None
        if is_first and is_asked and is_one:
            default = origin.get("default").strip()
            if default != element.id or not default:
                condition = changed_condition(self._reading, element, flow.condition)
                if condition is not flow.condition:
                    changes["condition"] = condition
        if changes:
            part.value = msgspec.structs.replace(flow, **changes)

    def _differs(self, end: Element, tag: Element, name: str) -> bool:
        """Whether an end of a flow is not the element that the flow was written with."""
        return self._drawing.index.id_of(end) != tag.get(name).strip()

    def _source(self, origin: Element) -> tuple[str, Role]:
        """The node that flows from an element leave, and what for."""
        drawing = self._drawing
        host = drawing.host(origin)
        is_handler = host is not None and id(origin) not in drawing.parts.nodes_at
        if host is not None and is_handler and not drawing.is_new(origin):
            return self._places.guarded(host), "handler"
        return drawing.exit(origin), "skip" if drawing.drawn(origin) == "question" else "sequence"

    def _take_over(self, origin: Element, flow: str) -> None:
        """Let the handler of an event lead by a flow."""
        parts = self._drawing.parts
        if origin.name != "boundaryEvent" or id(origin) in parts.nodes_at:
            return
        for name in parts.handlers_at.get(id(origin), ()):
            part = parts.handlers[name]
            way = "leave_by" if part.value.node is None else "flow"
            part.value = msgspec.structs.replace(part.value, run=None, raises=None, **{way: flow})

    def add(self, element: Element) -> None:
        """A new flow between two elements."""
        drawing = self._drawing
        origin, goal = drawing.origin(element), drawing.goal(element)
        if origin is None or goal is None:
            return
        source, role = self._source(origin)
        target = drawing.entry(goal)
        if not source or not target:
            if drawing.drawn(goal) != "end":
                self._reading.find(codes.DRAWN_FLOW_CHANGED, element, flow=element.id)
            return
        node = drawing.parts.nodes.get(source)
        made = Flow(
            id=self._free(element.id or f"{source}->{target}"),
            source=source,
            target=target,
            role=role,
            condition=self._condition(element, origin, source),
            name=name_of(element),
            documentation=documentation_of(element),
        )
        if role == "handler":
            self._take_over(origin, made.id)
        elif node is not None:
            if role == "skip" and node.value.guard is not None:
                guard = msgspec.structs.replace(node.value.guard, skip=made.id)
                node.value = msgspec.structs.replace(node.value, guard=guard)
            if isinstance(node.value, Choice | Inclusive) and not _is_default(origin, element):
                if made.condition is None and isinstance(node.value, Choice):
                    made = msgspec.structs.replace(made, condition=ALWAYS)
                branches = (*node.value.branches, made.id)
                node.value = msgspec.structs.replace(node.value, branches=branches)
        self._added.flows.append(made)
        self._added.at[made.id] = element

    def _condition(self, element: Element, origin: Element, source: str) -> Expression | None:
        if _is_default(origin, element):
            return None
        like = self._likes.get(source)
        condition = changed_condition(self._reading, element, None, like)
        node = self._drawing.parts.nodes.get(source)
        if condition is None or (node is not None and isinstance(node.value, Choice | Inclusive)):
            return condition
        self._reading.find(codes.CONDITION_WITHOUT_GATEWAY, element, flow=element.id)
        return None

    def _free(self, name: str) -> str:
        found = free_name(name, self._taken)
        self._taken.add(found)
        return found

    def follow_drawn(self, element: Element) -> None:
        """Tell of a flow that was only drawn and leads elsewhere now; a handler can follow it."""
        drawing = self._drawing
        tag = next(own(element, "drawn"), None)
        origin, goal = drawing.origin(element), drawing.goal(element)
        if tag is None or "to" not in tag.attributes or goal is None or origin is None:
            return
        if not (self._differs(goal, tag, "to") or self._differs(origin, tag, "from")):
            return
        why = tag.get("as").strip()
        if begin_at(drawing, self._places, origin, goal):
            return
        if why == "handler" and go_on_inside(drawing, self._places, origin, goal):
            return
        is_skipping = drawing.drawn(origin) == "question" and why == "skip"
        if drawing.entry(goal) and (origin.name == "boundaryEvent" or is_skipping):
            self.add(element)
        elif not (why == "handler" and self._leave(element, origin, goal)):
            self._reading.find(codes.DRAWN_FLOW_CHANGED, element, flow=element.id)

    def _leave(self, element: Element, origin: Element, goal: Element) -> bool:
        """Let what a handler guards be left by another way once the handler is done."""
        drawing = self._drawing
        handler, target = handler_before(drawing, origin), drawing.entry(goal)
        source = "" if handler is None else drawing.owner(handler.value.scope or "")
        if handler is None or not source or not target:
            return False
        name = self._free(element.id or f"{source}->{target}")
        self._added.flows.append(Flow(id=name, source=source, target=target, role="handler"))
        self._added.at[name] = element
        handler.value = msgspec.structs.replace(handler.value, leave_by=name)
        return True


def _is_default(origin: Element, flow: Element) -> bool:
    return bool(flow.id) and origin.get("default").strip() == flow.id
