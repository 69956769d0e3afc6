"""A BPMN file as elements with their places: what every rule of this room reads.

Names are local names; a namespace is its URI, in the canonical spelling of `names` where a file
wrote a known variant of it. Nothing here knows what an element means.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

import msgspec

from ..source import Source, Span
from .places import attribute_values, piece, tag_end, text_pieces

BPMN: Final = "http://www.omg.org/spec/BPMN/20100524/MODEL"
BPMNDI: Final = "http://www.omg.org/spec/BPMN/20100524/DI"
DC: Final = "http://www.omg.org/spec/DD/20100524/DC"
DI: Final = "http://www.omg.org/spec/DD/20100524/DI"
XSI: Final = "http://www.w3.org/2001/XMLSchema-instance"

#: Whose elements have ids by the standard; an `id` of an extension is its own affair.
STANDARD: Final = frozenset({BPMN, BPMNDI, DC, DI})

_BOOLEANS: Final = {"true": True, "1": True, "false": False, "0": False}


class Element(msgspec.Struct, eq=False):
    """One element: its own attributes by local name, foreign ones as `{uri}name`.

    `children` are in document order, those of other namespaces among them. `text` is the
    character data directly inside, as written. `namespaces` are the prefixes in force here (`""`
    is the default namespace). Its start tag begins at the offset `start` of `source`.
    """

    # A structure, because a file has very many of them; each is equal to itself alone.
    name: str
    namespace: str
    attributes: dict[str, str]
    foreign: dict[str, str]
    source: Source
    start: int
    namespaces: Mapping[str, str]
    parent: Element | None
    children: list[Element] = []
    text: str = ""
    _span: Span | None = None

    def __repr__(self) -> str:
        """Its name and place, and not the whole tree."""
        return f"<{self.name} at {self.start}>"

    @property
    def id(self) -> str:
        """The `id`, empty where there is none."""
        return self.attributes.get("id", "")

    @property
    def is_bpmn(self) -> bool:
        """Whether this is an element of the standard's own model."""
        return self.namespace == BPMN

    @property
    def span(self) -> Span:
        """The start tag."""
        # On demand, because most elements are never spoken about.
        if self._span is None:
            self._span = self.source.span(self.start, tag_end(self.source.text, self.start))
        return self._span

    def attribute_span(self, name: str, start: int = 0, end: int | None = None) -> Span:
        """The value of an attribute, or its characters from `start` to `end`.

        `name` is as in `attributes` or `foreign`. The start tag where it has no such attribute.
        """
        wanted = name.rpartition("}")[2]
        namespace = name[1:].rpartition("}")[0]
        nearest: tuple[int, int] | None = None
        for written, place in attribute_values(self.source.text, self.start):
            prefix, _, local = written.rpartition(":")
            if local == wanted and self.namespaces.get(prefix, "") == namespace:
                nearest = place
                break
            if local == wanted and (nearest is None or not prefix):
                nearest = place
        if nearest is None:
            return self.span
        return self.source.span(*piece(self.source.text, [nearest], start, end))

    def text_span(self, start: int = 0, end: int | None = None) -> Span:
        """Where the characters of `text` from `start` to `end` stand.

        The start tag where there is no text.
        """
        pieces = list(text_pieces(self.source.text, self.start))
        if not pieces:
            return self.span
        return self.source.span(*piece(self.source.text, pieces, start, end))

    def get(self, name: str, default: str = "") -> str:
        """An attribute of the standard by its local name."""
        return self.attributes.get(name, default)

    def flag(self, name: str, default: bool = False) -> bool:
        """An attribute of type xsd:boolean; what is no boolean is the default."""
        value = self.attributes.get(name)
        return default if value is None else _BOOLEANS.get(value.strip().lower(), default)

    def child(self, name: str) -> Element | None:
        """The first BPMN child of this name."""
        for child in self.children:
            if child.name == name and child.namespace == BPMN:
                return child
        return None

    def each(self, *names: str) -> Iterator[Element]:
        """The BPMN children with one of these names, in document order; all without a name."""
        # Most elements have no children, and are asked often.
        return self._each(names) if self.children else _NOTHING

    def _each(self, names: tuple[str, ...]) -> Iterator[Element]:
        for child in self.children:
            if child.namespace == BPMN and (not names or child.name in names):
                yield child

    def extensions(self, namespace: str = "") -> Iterator[Element]:
        """The children of `extensionElements`; those of one namespace where it is given."""
        for holder in self.each("extensionElements"):
            for child in holder.children:
                if not namespace or child.namespace == namespace:
                    yield child

    def walk(self) -> Iterator[Element]:
        """This element and everything below it, in document order."""
        todo: list[Element] = [self]
        while todo:
            found = todo.pop()
            yield found
            if found.children:
                todo.extend(reversed(found.children))

    def ancestors(self) -> Iterator[Element]:
        """The enclosing elements, the nearest first."""
        found = self.parent
        while found is not None:
            yield found
            found = found.parent


_NOTHING: Final[Iterator[Element]] = iter(())


class Document:
    """A whole file: its `definitions`, and the standard's elements by id.

    Of several with one id an element of the model wins over one of a diagram, else the first.
    """

    def __init__(self, source: Source, root: Element, vocabularies: frozenset[str]) -> None:
        self.source = source
        self.root = root
        #: The namespaces that elements and attributes have; what is not there need not be sought.
        self.vocabularies = vocabularies
        #: The documents that this one imports, by their namespaces, as far as they could be read.
        self.imported: Mapping[str, tuple[Document, ...]] = {}
        self.by_id: dict[str, Element] = {}
        #: Every element whose id another one has, those of the model before those of diagrams.
        self.duplicates: list[Element] = []
        drawn: list[Element] = []
        # In document order; what stands in a foreign element is not the standard's.
        todo = [root]
        while todo:
            element = todo.pop()
            id = element.attributes.get("id")
            if id:
                if element.namespace == BPMN:
                    self._enter(element, id)
                else:
                    drawn.append(element)
            if element.children and element.name != "extensionElements":
                # What has neither an id nor anything inside need not be looked at.
                todo += [
                    one
                    for one in reversed(element.children)
                    if (one.attributes or one.children) and one.namespace in STANDARD
                ]
        for element in drawn:
            self._enter(element, element.id)

    def find(self, reference: str) -> Element | None:
        """The element a reference names: an id, or a QName.

        The prefix of a namespace that is imported leads there; another one is left out.
        """
        reference = reference.strip()
        if self.imported:
            prefix, colon, local = reference.rpartition(":")
            own = self.root.get("targetNamespace").strip()
            namespace = self.root.namespaces.get(prefix, "") if colon else own
            if namespace != own and namespace in self.imported:
                return self._find_imported(namespace, local)
            return self._find_here(reference) or self._find_imported(own, local)
        # Nearly all references are ids.
        return self.by_id.get(reference) or self._find_here(reference)

    def _find_here(self, reference: str) -> Element | None:
        found = self.by_id.get(reference)
        if found is None and ":" in reference:
            found = self.by_id.get(reference.rpartition(":")[2])
        return found

    def _find_imported(self, namespace: str, id: str) -> Element | None:
        documents = self.imported.get(namespace, ())
        return next((one.by_id[id] for one in documents if id in one.by_id), None)

    def _enter(self, element: Element, id: str) -> None:
        if self.by_id.setdefault(id, element) is not element:
            self.duplicates.append(element)
