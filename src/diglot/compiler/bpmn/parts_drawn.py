"""A drawing by its parts: what each element stands for, and what flows really join."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Final, Literal

from ..graph import Flow
from .document import Element
from .index import Index
from .parts_found import Found, Parts, own

#: Gateways that are only drawn: a flow joins what is before and behind them.
_PASSED: Final = frozenset({"merge", "split"})


class Drawing:
    """The elements of one process as the parts at them say."""

    def __init__(self, process: Element, index: Index, parts: Parts, root: str) -> None:
        self.process = process
        #: The outermost scope.
        self.root = root
        self.index = index
        self.parts = parts
        self._origins: dict[int, Element] = {}
        self._goals: dict[int, Element] = {}

    @cached_property
    def flows(self) -> list[Element]:
        """The sequence flows of the process, each container's before those of what is in it."""
        found: list[Element] = []
        for container in (self.process, *self.nodes):
            if self.index.has_nodes(container):
                found.extend(container.each("sequenceFlow"))
        return found

    @cached_property
    def shown(self) -> dict[int, list[Found[Flow]]]:
        """The flows of the graph at each sequence flow, by the identity of its element."""
        shown: dict[int, list[Found[Flow]]] = {}
        for part in self.parts.flows.values():
            if part.at.name == "sequenceFlow":
                shown.setdefault(id(part.at), []).append(part)
        return shown

    @cached_property
    def nodes(self) -> list[Element]:
        """The flow nodes of the process, each container before what is in it."""
        found: list[Element] = []
        todo = [self.process]
        while todo:
            inner = self.index.nodes_of(todo.pop())
            found.extend(inner)
            todo.extend(one for one in reversed(inner) if self.index.has_nodes(one))
        return found

    def drawn(self, element: Element) -> str:
        """Why an element is drawn that is no part; empty where it does not say."""
        tag = next(own(element, "drawn"), None)
        return "" if tag is None else tag.get("as").strip()

    def is_passed(self, element: Element) -> bool:
        """Whether ways only meet or part at an element."""
        return self.drawn(element) in _PASSED

    def is_new(self, element: Element) -> bool:
        """Whether an element was added after the file was written."""
        return not any(True for name in ("part", "drawn") for _ in own(element, name))

    def host(self, event: Element) -> Element | None:
        """What an event is attached to."""
        if event.name != "boundaryEvent":
            return None
        return self.index.node(event.get("attachedToRef"))

    def entry(self, element: Element) -> str:
        """The node that flows to an element lead to; empty where there is none."""
        return self._end(element, "entry")

    def exit(self, element: Element) -> str:
        """The node that flows from an element leave."""
        return self._end(element, "exit")

    def port(self, element: Element, name: Literal["entry", "exit", "content"]) -> str:
        """What an element says of the parts that it shows; empty where it says nothing."""
        ports = next(own(element, "ports"), None)
        return "" if ports is None else ports.get(name).strip()

    def _end(self, element: Element, name: Literal["entry", "exit"]) -> str:
        written = self.port(element, name)
        if written in self.parts.nodes:
            return written
        nodes = self.parts.nodes_at.get(id(element))
        if nodes:
            return nodes[0]
        return self.index.id_of(element) if self.is_new(element) else ""

    def owner(self, scope: str) -> str:
        """The node that enters a scope; empty where a handler runs it."""
        return self._owners.get(scope, "")

    @cached_property
    def _owners(self) -> dict[str, str]:
        return {
            body: one.value.id
            for one in self.parts.nodes.values()
            if (body := getattr(one.value, "body", None))
        }

    def origin(self, flow: Element) -> Element | None:
        """What a flow comes from."""

        def passes(element: Element) -> bool:
            return self.is_passed(element) and not self.port(element, "exit")

        source_of, incoming = self.index.source_of, self.index.incoming
        return self._through(source_of(flow), self._origins, passes, incoming, source_of)

    def goal(self, flow: Element) -> Element | None:
        """What a flow leads to."""
        target_of, outgoing = self.index.target_of, self.index.outgoing
        return self._through(target_of(flow), self._goals, self.is_passed, outgoing, target_of)

    def _through(
        self,
        element: Element | None,
        known: dict[int, Element],
        passes: Callable[[Element], bool],
        ways: Callable[[Element], Sequence[Element]],
        end: Callable[[Element], Element | None],
    ) -> Element | None:
        """What lies beyond the gateways that are only drawn; in a circle of them, one of these."""
        passed: list[Element] = []
        seen: set[int] = set()
        while element is not None and id(element) not in seen and passes(element):
            found = known.get(id(element))
            if found is not None:
                element = found
                break
            flows = ways(element)
            if len(flows) != 1:
                break
            seen.add(id(element))
            passed.append(element)
            element = end(flows[0])
        if element is not None:
            known.update((id(one), element) for one in passed)
        return element
