"""A diagram for every element that is to be seen, beside the diagrams that are there.

There is one diagram a view: a collaboration with its processes in pools, each process that is in
none, and each sub-process that is drawn closed. What is drawn already stays as it is.
Source: BPMN 2.0.2, 12.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from itertools import count
from typing import Final

from ...diagnostics import Report
from ...layout import Layout
from ...layout.lay_out import lay_out
from .alterations import Alterations
from .drawn import (
    DIAGRAM,
    PLANE,
    Plane,
    bounds_of,
    drawn_planes,
    labels_of,
    points_of,
    settle,
)
from .place import place
from .scenes import CONTAINERS, Line, Model, Scene, has_content, scene_of
from .sketching import sketch_of
from .tag import Tag

#: An expanded sub-process that says not that it is one is larger than a task.
_CLOSED: Final = 120.0


def add_diagram(root: Tag, report: Report | None = None) -> None:
    """Let a file draw all of what it says; what its own diagrams draw in vain is in the report."""
    model = Model(root)
    alterations = Alterations(Report() if report is None else report)
    planes = drawn_planes(root, model, alterations)
    _Drawing(root, model, planes).complete()
    settle(root, planes, alterations)
    alterations.close()


class _Drawing:
    """The diagrams of one file while they are completed."""

    def __init__(self, root: Tag, model: Model, planes: list[Plane]) -> None:
        self._root = root
        self._model = model
        self._planes = planes
        self._ids = {tag.id for tag in root.walk() if tag.id}
        #: Relationships come behind the diagrams.
        self._behind = sum(1 for _ in root.each("relationship"))
        self._numbers: defaultdict[str, Iterator[int]] = defaultdict(lambda: count(1))
        self._drawn = {id for plane in planes for id in _with_places(plane)}
        self._collapsed = dict(self._closed_sub_processes())
        self._closed = set(self._closed_pools())
        self._shown: set[int] = {id(plane.element) for plane in planes}

    def complete(self) -> None:
        """Draw what is missing, on the planes that are there and on new ones."""
        todo: list[tuple[Scene, Plane | None]] = [
            (self._scene(plane.element), plane) for plane in self._planes
        ]
        for scene, _ in todo:
            self._shown.update(map(id, scene.shown))
        for element in self._views():
            scene = self._scene(element)
            if element.id and id(element) not in self._shown:
                self._shown.update((id(element), *map(id, scene.shown)))
                todo.append((scene, None))
        # Planes of closed sub-processes may have closed ones on them.
        for scene, plane in todo:
            self._draw(scene, plane)
            for inner in scene.inner:
                if id(inner) not in self._shown and inner.id:
                    deeper = self._scene(inner)
                    self._shown.update((id(inner), *map(id, deeper.shown)))
                    todo.append((deeper, None))

    def _scene(self, element: Tag) -> Scene:
        return scene_of(self._model, element, self._collapsed, self._closed)

    def _views(self) -> Iterator[Tag]:
        """What should have a plane: collaborations first, because their pools show processes."""
        for child in self._root.children:
            if child.name in ("collaboration", "globalConversation"):
                processes = [self._model.process_of(one) for one in child.each("participant")]
                if any(True for _ in child.each("participant")) and not any(
                    one is not None and id(one) in self._shown for one in processes
                ):
                    yield child
        for child in self._root.children:
            if child.name in CONTAINERS and has_content(child):
                yield child

    def _closed_sub_processes(self) -> Iterator[tuple[str, bool]]:
        """Of the sub-processes that have a shape whether it is a closed one."""
        for plane in self._planes:
            for id, shape in plane.shapes.items():
                tag = self._model.by_id[id]
                if tag.name not in CONTAINERS:
                    continue
                said = shape.attributes.get("isExpanded", "").strip()
                if said:
                    yield id, said not in ("true", "1")
                else:
                    bounds = bounds_of(shape)
                    is_small = bounds is None or bounds.width <= _CLOSED
                    inside = (child.id for child in tag.children if child.id)
                    yield id, is_small and not any(one in plane.shapes for one in inside)

    def _closed_pools(self) -> Iterator[str]:
        """Participants that are drawn without the process that they have."""
        for plane in self._planes:
            for participant in plane.element.each("participant"):
                process = self._model.process_of(participant)
                if participant.id not in plane.shapes or process is None:
                    continue
                inside = [child.id for child in process.children if child.id]
                if has_content(process) and not any(one in plane.shapes for one in inside):
                    yield participant.id

    def _draw(self, scene: Scene, plane: Plane | None) -> None:
        """Give a place to what has none on a plane; on a new one, to everything."""
        there: Mapping[str, Tag] = {} if plane is None else plane.shapes
        names = [
            *(one.id for one in scene.pools),
            *(one.tag.id for one in scene.lanes),
            *(one.tag.id for one in scene.figures),
        ]
        placed = {name for name, shape in there.items() if bounds_of(shape) is not None}
        if plane is not None:
            names = [name for name in names if not self._is_left_undrawn(name)]
        present = {name for name in names if name and (name in there or name not in self._drawn)}
        new = present - placed
        lines = list(self._lines(plane, present, new))
        missing = [
            line for line in lines
            if plane is None or line.tag.id not in plane.edges
            or not points_of(plane.edges[line.tag.id])
        ]  # fmt: skip
        if not new and not missing:
            return
        fixed = Layout() if plane is None else _fixed(plane, present)
        layout = lay_out(sketch_of(scene, lines, present), fixed)
        if plane is None:
            plane = self._new_plane(scene.element)
        place(plane, scene, layout, new, missing, self._ids)
        self._drawn |= present | {line.tag.id for line in lines}

    def _is_left_undrawn(self, name: str) -> bool:
        """Data of a process are drawn where their author drew them, and in what is drawn anew."""
        tag = self._model.by_id[name] if name else None
        return (
            tag is not None and tag.name in ("dataInput", "dataOutput") and name not in self._drawn
        )

    def _lines(self, plane: Plane | None, present: set[str], new: set[str]) -> Iterator[Line]:
        """The lines of a plane: those that are there, and those that it should have.

        An association or a flow of data that an author did not draw between what is drawn is left
        as it is.
        """
        edges = {} if plane is None else plane.edges

        def is_wanted(line: Line) -> bool:
            if line.tag.id in edges:
                return True
            tied = line.kind != "association" or not new.isdisjoint((line.source, line.target))
            return line.tag.id not in self._drawn and (plane is None or tied)

        return self._model.lines_between(present, is_wanted)

    def _new_plane(self, element: Tag) -> Plane:
        diagram = Tag(DIAGRAM, {"id": self._free("BPMNDiagram")})
        self._root.children.insert(len(self._root.children) - self._behind, diagram)
        plane = diagram.add(PLANE, {"id": self._free("BPMNPlane"), "bpmnElement": element.id})
        return Plane(plane, element)

    def _free(self, name: str) -> str:
        new = next(id for n in self._numbers[name] if (id := f"{name}_{n}") not in self._ids)
        self._ids.add(new)
        return new


def _with_places(plane: Plane) -> Iterator[str]:
    """What is drawn on a plane and need not be drawn elsewhere."""
    yield from (id for id, shape in plane.shapes.items() if bounds_of(shape) is not None)
    yield from (id for id, edge in plane.edges.items() if points_of(edge))


def _fixed(plane: Plane, present: set[str]) -> Layout:
    """What has a place on a plane."""
    bounds = {
        id: found
        for id, shape in plane.shapes.items()
        if id in present and (found := bounds_of(shape)) is not None
    }
    routes = {id: way for id, edge in plane.edges.items() if (way := points_of(edge))}
    labels = {**dict(labels_of(plane.shapes)), **dict(labels_of(plane.edges))}
    return Layout(bounds=bounds, routes=routes, labels=labels)
