"""In which scope each element of a drawing stands, wherever it has been moved to.

A container shows one scope; scopes that are drawn where they are entered stand in it as well. What
was added or moved belongs to the one whose steps it is joined to.
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from ..graph import End, Node, Receive, ScopeNode, Start
from .document import Element
from .parts_drawn import Drawing


def place_nodes(drawing: Drawing) -> Places:
    """Let what was moved into another container stand in its scope, and say where all stands."""
    places = Places(drawing)
    parts = drawing.parts
    for node in parts.nodes.values():
        if places.is_moved(node.at, node.value.scope):
            scope = places.scope_of(node.at)
            node.value = msgspec.structs.replace(node.value, scope=scope)
            body = body_of(node.value)
            if body in parts.scopes:
                found = parts.scopes[body]
                found.value = msgspec.structs.replace(found.value, parent=scope)
    return places


def body_of(node: Node) -> str | None:
    """The scope that a node enters."""
    return node.body if isinstance(node, ScopeNode | Receive) else None


class Places:
    """The scopes of the elements of one drawing."""

    def __init__(self, drawing: Drawing) -> None:
        self._drawing = drawing
        #: By container the scopes that are drawn in it.
        self._drawn_in: dict[int, set[str]] = {id(drawing.process): {drawing.root}}
        for name, scope in drawing.parts.scopes.items():
            element = scope.at
            inside = element if self.content(element) == name else element.parent
            if inside is not None and element is not drawing.process:
                self._drawn_in.setdefault(id(inside), set()).add(name)
        self._joined: dict[int, str] = {}
        self._join()

    def content(self, container: Element) -> str:
        """The scope whose nodes a container shows; empty where it only shows how a node works."""
        drawing = self._drawing
        if container is drawing.process:
            return drawing.root
        if drawing.is_new(container):
            return f"{drawing.index.id_of(container)}#body"
        named = drawing.port(container, "content")
        return named if named in drawing.parts.scopes else ""

    def scope_of(self, element: Element) -> str:
        """The scope of a node that an element shows."""
        return self._joined.get(id(element)) or self.around(element)

    def scope_shown(self, element: Element) -> str:
        """The scope that flows to an element lead into."""
        drawing = self._drawing
        if drawing.is_new(element):
            return self.scope_of(element)
        return self._known(drawing.entry(element))

    def is_moved(self, element: Element, scope: str) -> bool:
        """Whether a node of this scope is not where the scope is drawn."""
        container = element.parent
        if element is self._drawing.process or container is None:
            return False
        found = self._drawing.parts.scopes.get(scope)
        return not (
            (found is not None and found.at is element)
            # What is not drawn stands at what shows the scope around it.
            or scope in self._drawn_in.get(id(element), ())
            or scope in self._drawn_in.get(id(container), ())
        )

    def guarded(self, host: Element) -> str:
        """The node that an event at the border of an element guards; empty where there is none.

        Of a row of steps that is drawn where it is entered the row's own node enters the first one.
        """
        drawing, nodes = self._drawing, self._drawing.parts.nodes
        ends = [one for one in (drawing.exit(host), drawing.entry(host)) if self._is_work(one)]
        inner = [one for one in drawing.parts.nodes_at.get(id(host), ()) if self._is_work(one)]
        if not (ends or inner):
            return drawing.exit(host) if drawing.exit(host) not in nodes else ""
        return max(ends or inner[:1], key=lambda one: self._level(self._known(one)))

    def _is_work(self, node: str) -> bool:
        part = self._drawing.parts.nodes.get(node)
        return part is not None and not isinstance(part.value, Start | End)

    def _level(self, scope: str) -> int:
        """How many scopes there are around a scope."""
        level, parts = 0, self._drawing.parts
        while scope in parts.scopes and level <= len(parts.scopes):
            level, scope = level + 1, parts.scopes[scope].value.parent or ""
        return level

    def around(self, element: Element) -> str:
        """The scope of the container around an element."""
        container = element.parent
        while container is not None and not self.content(container):
            container = container.parent
        return self._drawing.root if container is None else self.content(container)

    def _join(self) -> None:
        """Give what was added or moved the scope of the steps that it is joined to."""
        drawing = self._drawing
        loose = {id(one): one for one in drawing.nodes if self._is_loose(one)}
        if not loose:
            return
        groups = _Groups(loose)
        votes: list[tuple[Element, str]] = []
        for one, other, scope in self._ties():
            if id(one) in loose:
                if id(other) in loose:
                    groups.join(one, other)
                elif scope:
                    votes.append((one, scope))
        wanted: dict[int, list[str]] = {}
        for element, scope in votes:
            wanted.setdefault(groups.of(element), []).append(scope)
        for key, element in loose.items():
            possible = self._drawn_in.get(id(element.parent), ())
            found = [one for one in wanted.get(groups.of(element), ()) if one in possible]
            if found:
                # What stands between an inner step and an outer one is the end of the inner ones.
                self._joined[key] = max(found, key=self._level)

    def _is_loose(self, element: Element) -> bool:
        drawing = self._drawing
        if drawing.is_new(element):
            return True
        nodes = drawing.parts.nodes_at.get(id(element), ())
        return any(self.is_moved(element, drawing.parts.nodes[one].value.scope) for one in nodes)

    def _ties(self) -> Iterable[tuple[Element, Element, str]]:
        """Pairs of elements that are joined, both ways, with the scope of the second one."""
        drawing = self._drawing
        for flow in drawing.flows:
            source, target = drawing.origin(flow), drawing.goal(flow)
            if source is None or target is None:
                continue
            if drawing.drawn(flow) and target is not drawing.index.target_of(flow):
                # Several ways meet there, of which this one may come out of inner steps.
                continue
            if source.name != "boundaryEvent":
                yield source, target, self._known(drawing.entry(target))
            yield target, source, self._known(drawing.exit(source))
        for event in drawing.nodes:
            host = drawing.host(event)
            if host is not None:
                yield event, host, self._known(self.guarded(host))
                yield host, event, ""

    def _known(self, node: str) -> str:
        part = self._drawing.parts.nodes.get(node)
        return "" if part is None else part.value.scope


class _Groups:
    """Elements that are joined to each other, by the identity of one of them."""

    def __init__(self, elements: Iterable[int]) -> None:
        self._leaders = {one: one for one in elements}

    def of(self, element: Element) -> int:
        """The group of an element."""
        found = id(element)
        while (leader := self._leaders[found]) != found:
            # Halved on the way, so that no chain stays long.
            self._leaders[found] = found = self._leaders[leader]
        return found

    def join(self, one: Element, other: Element) -> None:
        """Make one group of two."""
        self._leaders[self.of(one)] = self.of(other)
