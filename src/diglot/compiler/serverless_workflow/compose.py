"""Builds the tree of a document value by value, within limits, whatever notation it is read from.

The YAML and the JSON reader both speak to a `Composer`; what makes a document unsafe or ambiguous
is found here, while it is read and before anything has been expanded.
"""

from __future__ import annotations

from typing import Any, NoReturn

import msgspec

from diglot.compiler import codes
from diglot.compiler.diagnostics import Code, Report
from diglot.compiler.pointers import join_pointer
from diglot.compiler.source import Source

from .located import Node
from .scalars import abridge


class Limits(msgspec.Struct, frozen=True):
    """How much of a document is read before it is refused.

    `size_bytes` bounds the text as UTF-8 and also all scalar text once aliases are expanded;
    `nodes` counts values and keys, each as often as an alias repeats it; `key_length` keeps
    pointers short; `findings` is the number of mistakes after which reading stops.
    """

    size_bytes: int = 1_048_576
    depth: int = 100
    nodes: int = 50_000
    key_length: int = 1_024
    findings: int = 100


DEFAULT_LIMITS = Limits()


class SyntaxFault(Exception):
    """The text cannot be read on from `offset`."""

    def __init__(self, offset: int, code: Code, hint: str = "", **parameters: Any) -> None:
        super().__init__(code.id)
        self.offset = offset
        self.code = code
        self.hint = hint
        self.parameters = parameters


class Refused(Exception):
    """Reading stops here; why is in the report."""


class _Anchor:
    """An anchored node, and what repeating it costs once it is complete."""

    __slots__ = ("height", "is_open", "node", "nodes", "text_size")

    def __init__(self, node: Node) -> None:
        self.node = node
        self.is_open = True
        self.nodes = 0
        self.text_size = 0
        self.height = 0


class _Frame:
    """A collection that is being read; `key` waits for its value, `part` names the last child."""

    __slots__ = ("anchor", "height", "key", "name", "node", "nodes_before", "part", "text_before")

    def __init__(self, node: Node, anchor: _Anchor | None, nodes: int, text_size: int) -> None:
        self.node = node
        self.anchor = anchor
        self.nodes_before = nodes
        self.text_before = text_size
        self.height = 0
        self.key: Node | None = None
        self.name: str | None = None
        self.part: str | int | None = None


class Composer:
    """Takes scalars, collections and aliases in the order of the text."""

    def __init__(self, source: Source, report: Report, limits: Limits) -> None:
        self.root: Node | None = None
        self._source = source
        self._report = report
        self._limits = limits
        self._stack: list[_Frame] = []
        self._anchors: dict[str, _Anchor] = {}
        self._nodes = 0
        self._text_size = 0
        self._findings = 0

    def scalar(self, node: Node, anchor: str | None = None) -> None:
        """A scalar, or a key where one is due."""
        self._arrive(node)
        self._text_size += node.end - node.start
        if anchor is not None:
            record = self._anchors[anchor] = _Anchor(node)
            record.is_open, record.nodes, record.text_size = False, 1, node.end - node.start
        self._place(node)

    def open(self, node: Node, anchor: str | None = None) -> None:
        """The start of a mapping or sequence; `node.children` says which."""
        self._arrive(node)
        if len(self._stack) >= self._limits.depth:
            self.refuse(codes.NESTING_TOO_DEEP, node, limit=self._limits.depth)
        record = None
        if anchor is not None:
            record = self._anchors[anchor] = _Anchor(node)
        self._place(node)
        self._stack.append(_Frame(node, record, self._nodes - 1, self._text_size))

    def close(self, end: int | None) -> None:
        """The end of the innermost collection; without `end` it ends with its last child."""
        frame = self._stack.pop()
        node = frame.node
        node.end = node.end if end is None else end
        height = frame.height + 1
        if frame.anchor is not None:
            frame.anchor.is_open = False
            frame.anchor.nodes = self._nodes - frame.nodes_before
            frame.anchor.text_size = self._text_size - frame.text_before
            frame.anchor.height = height
        if self._stack:
            parent = self._stack[-1]
            parent.height = max(parent.height, height)
            parent.node.end = max(parent.node.end, node.end)

    def alias(self, name: str, start: int, end: int) -> None:
        """A repetition of an anchored node, which counts as if it were written out."""
        node = Node(None, start, end)
        self._arrive(node)
        record = self._anchors.get(name)
        if record is None:
            self.refuse(codes.UNKNOWN_ALIAS, node, alias=abridge(name))
        if record.is_open:
            self.refuse(codes.ALIAS_CYCLE, node, alias=abridge(name))
        self._nodes += record.nodes - 1
        self._text_size += record.text_size
        if self._nodes > self._limits.nodes or self._text_size > self._limits.size_bytes:
            self.refuse(
                codes.ALIASES_TOO_LARGE, node, alias=abridge(name), limit=self._limits.nodes
            )
        if len(self._stack) + record.height > self._limits.depth:
            self.refuse(codes.NESTING_TOO_DEEP, node, limit=self._limits.depth)
        origin = record.node.origin or record.node
        self._place(Node(origin.value, start, end, origin.style, origin.children, origin))
        if self._stack:
            self._stack[-1].height = max(self._stack[-1].height, record.height)

    def find(self, code: Code, node: Node, **parameters: Any) -> None:
        """Report a finding at a node; reading goes on."""
        span = self._source.span(node.start, node.end)
        self._report.add(code, span, self._pointer(), **parameters)
        self._findings += 1
        if self._findings >= self._limits.findings:
            raise Refused

    def refuse(self, code: Code, node: Node, **parameters: Any) -> NoReturn:
        """Report a finding at a node after which reading makes no sense."""
        self.find(code, node, **parameters)
        raise Refused

    @property
    def is_at_key(self) -> bool:
        """Whether the next node is a mapping's key."""
        if not self._stack:
            return False
        frame = self._stack[-1]
        return frame.key is None and isinstance(frame.node.children, dict)

    def _arrive(self, node: Node) -> None:
        """Count a node and let its pointer be known before anything is said about it."""
        if self._stack and isinstance(self._stack[-1].node.children, list):
            self._stack[-1].part = len(self._stack[-1].node.children)
        self._nodes += 1
        if self._nodes > self._limits.nodes:
            self.refuse(codes.TOO_MANY_NODES, node, limit=self._limits.nodes)

    def _place(self, node: Node) -> None:
        """Hang a node into the innermost open collection."""
        if not self._stack:
            self.root = node
            return
        frame = self._stack[-1]
        frame.node.end = max(frame.node.end, node.end)
        if isinstance(frame.node.children, list):
            frame.node.append(node)
        elif frame.key is None:
            self._take_key(frame, node)
        else:
            if frame.name is not None:
                frame.node.put(frame.name, frame.key, node)
            frame.key = frame.name = None

    def _take_key(self, frame: _Frame, node: Node) -> None:
        """Remember a key until its value comes; a key that cannot stand takes its value along."""
        frame.key = node
        frame.part = None
        if node.children is not None:
            self.refuse(codes.NON_STRING_KEY, node, key="a collection")
        if not isinstance(node.value, str):
            text = self._source.text[node.start : node.end]
            return self.find(codes.NON_STRING_KEY, node, key=abridge(text))
        if len(node.value) > self._limits.key_length:
            self.refuse(codes.KEY_TOO_LONG, node, limit=self._limits.key_length)
        frame.part = node.value
        earlier = frame.node.child(node.value)
        if earlier is not None and earlier.key is not None:
            first = self._source.position(earlier.key.start).line
            return self.find(codes.DUPLICATE_KEY, node, key=abridge(node.value), first=first)
        frame.name = node.value
        return None

    def _pointer(self) -> str:
        parts = (frame.part for frame in self._stack)
        return join_pointer(*(part for part in parts if part is not None))
