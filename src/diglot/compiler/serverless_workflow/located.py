"""A document's plain value that still knows where each part of it stands in the file."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TypeAlias

from diglot.compiler.pointers import join_pointer, split_pointer
from diglot.compiler.source import Source, Span

from .scalar_offsets import offset_in_scalar

Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"


class Node:
    """One value of the text with its stretch `[start, end)`, in characters.

    `style` is the first character of a scalar's notation (`""` plain, `'`, `"`, `|`, `>`).
    Where an alias stands, `origin` is the anchored node and `children` are that node's own.
    """

    __slots__ = ("children", "end", "key", "origin", "start", "style", "value")

    def __init__(
        self,
        value: Json,
        start: int,
        end: int,
        style: str = "",
        children: dict[str, Node] | list[Node] | None = None,
        origin: Node | None = None,
    ) -> None:
        self.value: Json = value
        self.start = start
        self.end = end
        self.style = style
        self.children = children
        self.origin = origin
        self.key: Node | None = None

    def append(self, item: Node) -> None:
        """Add an item to a sequence."""
        assert isinstance(self.children, list)
        assert isinstance(self.value, list)
        self.children.append(item)
        self.value.append(item.value)

    def put(self, name: str, key: Node, entry: Node) -> None:
        """Add an entry to a mapping."""
        assert isinstance(self.children, dict)
        assert isinstance(self.value, dict)
        entry.key = key
        self.children[name] = entry
        self.value[name] = entry.value

    def child(self, part: str) -> Node | None:
        """The entry or item that one pointer part names."""
        if isinstance(self.children, dict):
            return self.children.get(part)
        if isinstance(self.children, list) and part.isascii() and part.isdecimal():
            index = int(part) if len(part) < 8 else len(self.children)
            if str(index) == part and index < len(self.children):
                return self.children[index]
        return None


class Located:
    """A loaded document: `value` is plain JSON data, every place of which has a span.

    Parts that an alias repeats are the same object in `value`: treat it as immutable.
    """

    def __init__(self, source: Source, root: Node) -> None:
        self.source = source
        self._root = root

    @property
    def value(self) -> Json:
        """The document as dicts, lists, strings, numbers, booleans and None."""
        return self._root.value

    @property
    def spans(self) -> Mapping[str, Span]:
        """The span of each value by its pointer; an alias's own span is where the alias stands."""
        return _Spans(self._root, lambda node: self.source.span(node.start, node.end))

    @property
    def key_spans(self) -> Mapping[str, Span]:
        """The span of each mapping key by the pointer of its entry."""

        def key_span(node: Node) -> Span | None:
            return None if node.key is None else self.source.span(node.key.start, node.key.end)

        return _Spans(self._root, key_span)

    def span_of(self, pointer: str) -> Span:
        """The span of the value at `pointer`, else of its nearest ancestor that exists."""
        node = self._root
        for part in split_pointer(pointer):
            child = node.child(part)
            if child is None:
                break
            node = child
        return self.source.span(node.start, node.end)

    def key_span_of(self, pointer: str) -> Span:
        """The span of the key at `pointer`; of the value where the place has no key."""
        return self.key_spans.get(pointer) or self.span_of(pointer)

    def scalar_span(self, pointer: str, start: int, end: int) -> Span:
        """The span of the characters `[start, end)` of the string (or other scalar) at `pointer`.

        Exact for every notation; in a folded block a space that stands for a line end has the
        place of that line end. What lies past the value is the place behind it. Where `pointer`
        names no scalar, the span starts where that of `span_of(pointer)` does.
        """
        first = self._offset(pointer, start)
        return self.source.span(first, max(first, self._offset(pointer, max(start, end))))

    def _offset(self, pointer: str, offset_in_value: int) -> int:
        node = _find(self._root, pointer)
        if node is None:
            return self.source.offset(self.span_of(pointer).start)
        place = node.origin or node
        if place.children is not None:
            return node.start
        return offset_in_scalar(
            self.source.text, place.start, place.end, place.style, place.value, offset_in_value
        )


class _Spans(Mapping[str, Span]):
    """Spans drawn from the tree when they are asked for; most of a document never is."""

    def __init__(self, root: Node, measure: Callable[[Node], Span | None]) -> None:
        self._root = root
        self._measure = measure

    def __getitem__(self, pointer: str) -> Span:
        node = _find(self._root, pointer)
        span = None if node is None else self._measure(node)
        if span is None:
            raise KeyError(pointer)
        return span

    def __iter__(self) -> Iterator[str]:
        return (pointer for pointer, node in _walk(self._root) if self._measure(node) is not None)

    def __len__(self) -> int:
        return sum(1 for _ in self)


def _find(root: Node, pointer: str) -> Node | None:
    if pointer and not pointer.startswith("/"):
        return None
    node: Node | None = root
    for part in split_pointer(pointer):
        node = node.child(part) if node is not None else None
    return node


def _walk(root: Node) -> Iterator[tuple[str, Node]]:
    stack: list[tuple[str, Node]] = [("", root)]
    while stack:
        pointer, node = stack.pop()
        yield pointer, node
        if isinstance(node.children, dict):
            entries = [(pointer + join_pointer(key), child) for key, child in node.children.items()]
            stack.extend(reversed(entries))
        elif node.children is not None:
            items = [(pointer + join_pointer(i), child) for i, child in enumerate(node.children)]
            stack.extend(reversed(items))
