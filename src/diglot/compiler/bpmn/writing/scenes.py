"""What is seen of a model: which figures and lines stand on the plane of an element.

The plane of a collaboration shows its participants as pools with their processes in them; that of
a process, a choreography or a collapsed sub-process shows what is in it. Lines are shown where both
of their ends are. Data that an activity takes and gives are no figures, but lines to the activity.
Source: BPMN 2.0.2, 12.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from heapq import heappop, heappush
from typing import Final, Literal, NamedTuple

from ..rules.kinds import FLOW_NODES, SUB_PROCESSES
from .kinds import Typed, walk
from .tag import Tag

#: Holders of flow elements.
CONTAINERS: Final = SUB_PROCESSES | {"process", "choreography", "globalChoreographyTask",
                                     "subChoreography"}  # fmt: skip
CONVERSATIONS: Final = frozenset({"conversation", "subConversation", "callConversation"})
DATA: Final = frozenset({"dataObjectReference", "dataStoreReference", "dataInput", "dataOutput"})
_ARTIFACTS: Final = frozenset({"textAnnotation", "group"})

FigureKind = Literal["event", "boundary", "activity", "gateway", "container", "data", "annotation"]
LineKind = Literal["sequence", "message", "association"]
_LINES: Final[Mapping[str, LineKind]] = {
    "sequenceFlow": "sequence",
    "messageFlow": "message",
    "association": "association",
    "conversationLink": "association",
}


class Figure(NamedTuple):
    """Something with a shape, and what it is drawn inside of; see `layout.Item`."""

    tag: Tag
    kind: FigureKind
    parent: str
    lane: str = ""
    host: str = ""


class Line(NamedTuple):
    """Something with an edge, between two figures, pools or lines."""

    tag: Tag
    kind: LineKind
    source: str
    target: str


class Band(NamedTuple):
    """A lane, of a pool or of none, perhaps in another lane."""

    tag: Tag
    pool: str
    parent: str


@dataclass(slots=True)
class Scene:
    """What stands on one plane; `inner` has a plane of its own each."""

    element: Tag
    pools: list[Tag] = field(default_factory=list[Tag])
    lanes: list[Band] = field(default_factory=list[Band])
    figures: list[Figure] = field(default_factory=list[Figure])
    #: Holders of flow elements whose content stands here.
    shown: list[Tag] = field(default_factory=list[Tag])
    inner: list[Tag] = field(default_factory=list[Tag])


class Model:
    """A tree by its ids, with the lines between its elements."""

    def __init__(self, root: Tag) -> None:
        self.root = root
        self.by_id: dict[str, Tag] = {}
        self.parents: dict[int, Tag] = {}
        elements: list[Typed] = []
        for at in walk(root):
            if at.parent is not None:
                self.parents[id(at.tag)] = at.parent
            if ":" not in at.kind and at.kind:
                elements.append(at)
                if at.tag.id:
                    self.by_id.setdefault(at.tag.id, at.tag)
        self.lines = [line for at in elements if (line := self._line(at)) is not None]
        self._lines_at: dict[str, list[int]] = {}
        for number, line in enumerate(self.lines):
            for end in {line.source, line.target}:
                self._lines_at.setdefault(end, []).append(number)
        self.participants = [at.tag for at in elements if at.kind == "participant"]
        self._hosts = self._find_hosts()
        self.groups = self._find_groups(elements)

    def find(self, reference: str) -> Tag | None:
        """What a reference names in this file."""
        reference = reference.strip()
        return self.by_id.get(reference) or self.by_id.get(reference.rpartition(":")[2])

    def host(self, tag: Tag) -> str:
        """The figure that data or a note stands beside; empty where there is none."""
        return self._hosts.get(tag.id, "")

    def lines_between(
        self, ends: Collection[str], is_wanted: Callable[[Line], bool]
    ) -> Iterator[Line]:
        """The lines that have both ends among these, or among the lines that are wanted.

        In order of the document, those behind others that have an end at a later line.
        """
        known = set(ends)
        done: set[int] = set()
        later = {number for end in known for number in self._lines_at.get(end, ())}
        while later:
            todo = sorted(later)
            later.clear()
            while todo:
                number = heappop(todo)
                line = self.lines[number]
                if number in done or line.source not in known or line.target not in known:
                    continue
                done.add(number)
                if is_wanted(line):
                    known.add(line.tag.id)
                    for other in self._lines_at.get(line.tag.id, ()):
                        if other > number:
                            heappush(todo, other)
                        else:
                            later.add(other)
                    yield line

    def _line(self, at: Typed) -> Line | None:
        tag = at.tag
        kind = _LINES.get(tag.name)
        if kind is not None:
            source = self._end(tag.attributes.get("sourceRef", ""))
            target = self._end(tag.attributes.get("targetRef", ""))
        elif at.kind in ("dataInputAssociation", "dataOutputAssociation") and at.parent is not None:
            # Both ends of one that joins two data elements of an activity are the activity.
            kind = "association"
            is_input = at.kind == "dataInputAssociation"
            outside = tag.child("sourceRef" if is_input else "targetRef")
            other = "" if outside is None else self._end(outside.text)
            source, target = (other, at.parent.id) if is_input else (at.parent.id, other)
        else:
            return None
        if not source or not target or not tag.id or source == tag.id or target == tag.id:
            return None
        return Line(tag, kind, source, target)

    def _end(self, reference: str) -> str:
        return reference.strip().rpartition(":")[2]

    def _find_hosts(self) -> dict[str, str]:
        hosts: dict[str, str] = {}
        ends = {line.tag.id: line.source for line in self.lines}
        for line in self.lines:
            if line.kind != "association":
                continue
            for one, other in ((line.source, line.target), (line.target, line.source)):
                tag, beside = self.by_id.get(one), self.by_id.get(ends.get(other, other))
                if tag is None or beside is None or beside.name not in FLOW_NODES:
                    continue
                if tag.name in DATA or tag.name in _ARTIFACTS:
                    hosts.setdefault(one, beside.id)
        return hosts

    @staticmethod
    def _find_groups(elements: list[Typed]) -> dict[str, list[str]]:
        """The ids of the elements of each category value."""
        groups: dict[str, list[str]] = {}
        for at in elements:
            for child in at.tag.each("categoryValueRef"):
                groups.setdefault(child.text.strip(), []).append(at.tag.id)
        return groups

    def process_of(self, participant: Tag) -> Tag | None:
        """The process that a participant names."""
        found = self.find(participant.attributes.get("processRef", ""))
        return found if found is not None and found.name == "process" else None

    def above(self, tag: Tag) -> Iterator[Tag]:
        """The elements around an element, from the inside outwards."""
        found = self.parents.get(id(tag))
        while found is not None:
            yield found
            found = self.parents.get(id(found))


def has_content(tag: Tag) -> bool:
    """Whether there is something to be seen in a holder of flow elements."""
    return any(True for _ in _visible(tag))


def scene_of(model: Model, element: Tag, collapsed: Mapping[str, bool], closed: set[str]) -> Scene:
    """What stands on the plane of an element.

    `collapsed` says of sub-processes that have a shape whether it is that of a closed one; `closed`
    are participants whose content is not to be seen in them.
    """
    scene = Scene(element)
    if element.name in CONTAINERS:
        _add_content(scene, model, element, "", collapsed)
    else:
        _add_collaboration(scene, model, element, collapsed, closed)
    return scene


def _add_collaboration(
    scene: Scene, model: Model, element: Tag, collapsed: Mapping[str, bool], closed: set[str]
) -> None:
    taken: set[str] = set()
    for participant in element.each("participant"):
        scene.pools.append(participant)
        process = model.process_of(participant)
        if process is None or process.id in taken or participant.id in closed:
            continue
        taken.add(process.id)
        _add_content(scene, model, process, participant.id, collapsed)
    for process in _outside(model, element):
        # What a pool talks to stands beside it, also without a pool of its own.
        if process.id not in taken:
            taken.add(process.id)
            _add_content(scene, model, process, "", collapsed)
    for child in element.children:
        if child.name in CONVERSATIONS:
            scene.figures.append(Figure(child, "gateway", ""))
        elif child.name in _ARTIFACTS:
            scene.figures.append(_artifact(model, child, ""))


def _outside(model: Model, collaboration: Tag) -> Iterator[Tag]:
    """The processes that are in no pool and that message flows lead to or come from."""
    pooled = {id(process) for process in map(model.process_of, model.participants) if process}
    for flow in collaboration.each("messageFlow"):
        for name in ("sourceRef", "targetRef"):
            end = model.find(flow.attributes.get(name, ""))
            for around in () if end is None else model.above(end):
                if around.name == "process" and id(around) not in pooled:
                    yield around


def _add_content(
    scene: Scene, model: Model, container: Tag, parent: str, collapsed: Mapping[str, bool]
) -> None:
    todo: list[tuple[Tag, str]] = [(container, parent)]
    while todo:
        holder, around = todo.pop()
        scene.shown.append(holder)
        lanes = _add_lanes(scene, holder, around) if holder.name == "process" else {}
        inner: list[tuple[Tag, str]] = []
        for child in _visible(holder):
            if child.name in FLOW_NODES:
                kind = _kind(child, collapsed)
                host = child.attributes.get("attachedToRef", "").strip().rpartition(":")[2]
                lane = lanes.get(child.id) or lanes.get(host, "")
                scene.figures.append(Figure(child, kind, around, lane, host))
                if kind == "container":
                    inner.append((child, child.id))
                elif child.name in CONTAINERS and has_content(child):
                    scene.inner.append(child)
            elif child.name in _ARTIFACTS:
                scene.figures.append(_artifact(model, child, around))
            else:
                host = model.host(child)
                scene.figures.append(Figure(child, "data", around, lanes.get(host, ""), host))
        todo.extend(reversed(inner))


def _visible(holder: Tag) -> Iterator[Tag]:
    for child in holder.children:
        if child.name == "ioSpecification" and holder.name == "process":
            yield from child.each("dataInput", "dataOutput")
        elif child.name in FLOW_NODES or child.name in _ARTIFACTS or child.name in DATA:
            yield child


def _kind(tag: Tag, collapsed: Mapping[str, bool]) -> FigureKind:
    if tag.name in CONTAINERS:
        known = collapsed.get(tag.id)
        is_closed = not has_content(tag) if known is None else known
        return "activity" if is_closed else "container"
    if tag.name.endswith("Gateway"):
        return "gateway"
    if tag.name == "boundaryEvent":
        return "boundary"
    return "event" if tag.name.endswith("Event") else "activity"


def _artifact(model: Model, tag: Tag, parent: str) -> Figure:
    return Figure(tag, "annotation", parent, "", model.host(tag))


def _add_lanes(scene: Scene, process: Tag, pool: str) -> dict[str, str]:
    """The lanes of a process; the innermost lane of each node."""
    found: dict[str, str] = {}
    todo = [(lane, "") for one in process.each("laneSet") for lane in one.each("lane")]
    todo.reverse()
    while todo:
        lane, parent = todo.pop()
        scene.lanes.append(Band(lane, pool, parent))
        for reference in lane.each("flowNodeRef"):
            # An inner lane comes behind the one around it.
            found[reference.text.strip().rpartition(":")[2]] = lane.id
        inner = [one for holder in lane.each("childLaneSet") for one in holder.each("lane")]
        todo.extend((one, lane.id) for one in reversed(inner))
    return found
