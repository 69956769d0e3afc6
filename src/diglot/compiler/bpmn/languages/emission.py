"""A translation under way: what every language's emitter keeps and needs."""

from __future__ import annotations

import json
import re
from collections.abc import Generator
from contextlib import contextmanager
from typing import Final, Literal

from .pieces import OPEN, QUERY, Piece, compose, field, quoted
from .result import MAX_TEXT, Refused
from .tree import Node

#: jq's names of what a kind is called here.
JQ_TYPES: Final = {
    "number": "number",
    "string": "string",
    "boolean": "boolean",
    "list": "array",
    "object": "object",
    "null": "null",
}
KINDS: Final = {
    "list": "a list",
    "object": "an object",
    "null": "null",
    "any": "anything",
}

_OPERAND: Final = re.compile(r"@(\d)")


def kind_of(value: object) -> str:
    """The kind of a constant."""
    match value:
        case None:
            return "null"
        case bool():
            return "boolean"
        case str():
            return "string"
        case list():
            return "list"
        case dict():
            return "object"
        case _:
            return "number"


def a(kind: str) -> str:
    """A kind with its article."""
    return KINDS.get(kind, f"a {kind}")


class Emission:
    """What has been used so far, and where `.` is.

    Where a part of the program runs on another input, variables are read from `$all`.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self.used: set[str] = set()
        self.names: set[str] = set()
        #: Variables that the expression itself binds.
        self.locals: dict[str, Piece] = {}
        self.has_root = False
        self._is_inner = False
        self._count = 0
        self._nodes = 0

    def count(self, node: Node) -> None:
        """Count a node that is emitted; a guard against work without end.

        Raises:
            Refused: there are too many.
        """
        self._nodes += 1
        if self._nodes > MAX_TEXT:
            raise Refused(node.start, node.end, "it is too much work to translate", kind="size")

    def variable(self, name: str) -> Piece:
        """A variable by its name: one that the expression binds, or one of the process."""
        if name in self.locals:
            return self.locals[name]
        self.names.add(name)
        return field(self.root, name)

    @property
    def root(self) -> Piece:
        """All variables."""
        if self._is_inner:
            self.has_root = True
            return Piece(("$all",), is_path=True)
        return Piece((".",))

    @property
    def is_inner(self) -> bool:
        """Whether `.` is something else than all variables."""
        return self._is_inner

    @contextmanager
    def inner(self, **bound: Piece) -> Generator[None]:
        """A part in which `.` is something else, with more variables bound."""
        before = self._is_inner, self.locals
        self._is_inner = True
        self.locals = {**self.locals, **bound}
        yield
        self._is_inner, self.locals = before

    def fresh(self, name: str) -> str:
        """A name of a jq variable that is not yet taken."""
        self._count += 1
        letters = "".join(c if c.isascii() and (c.isalnum() or c == "_") else "_" for c in name)
        return f"${letters or 'x'}_{self._count}" if letters[:1].isalpha() else f"$x_{self._count}"

    def define(self, name: str) -> str:
        """Note that a definition is used."""
        self.used.add(name)
        return name

    def words(self, node: Node) -> str:
        """The author's words for a node, short enough for a message."""
        words = " ".join(self.text[node.start : node.end].split())
        return words if len(words) <= 60 else f"{words[:57]}..."

    def what(self, *nodes: Node) -> str:
        """A jq string of the author's words, for a template."""
        return quoted(" and ".join(self.words(node) for node in nodes))

    def need(
        self,
        piece: Piece,
        kind: Literal["number", "string", "boolean", "list", "object"],
        node: Node,
        then: str = ".",
        gives: str = "",
    ) -> Piece:
        """The piece where it is of a kind, and an error that names it where it is not.

        `then` is what becomes of it, a template without operands.
        """
        if piece.kind == kind:
            return piece if then == "." else compose(f"%q | {then}", piece, level=QUERY)
        if piece.kind != "any":
            raise Refused(
                node.start, node.end, f"it is {a(piece.kind)}, not {a(kind)}", kind="type"
            )
        fault = self.fault(node, f"not {a(kind)}")
        template = f'%q | if type == "{JQ_TYPES[kind]}" then {then} else {fault} end'
        return compose(template, piece, level=QUERY, kind=gives or kind)

    def fault(self, node: Node, what: str) -> str:
        """The template of an error about the value of a node."""
        words = json.dumps(self.words(node), ensure_ascii=False)[1:-1]
        return f'error("{words} is \\(type), {what}")'.replace("%", "%%")

    def applied(self, base: Piece, template: str, *arguments: Piece) -> Piece:
        """`base | template`, with operands that are not evaluated on what `base` yields.

        `@1` of the template is the first operand, and so on; each may stand there several times.
        """
        taken: list[Piece] = []
        bound: list[tuple[str, Piece]] = []
        for argument in arguments:
            if argument.value is OPEN and not _is_variable(argument):
                name = self.fresh("with")
                bound.append((name, argument))
                argument = Piece((name,), kind=argument.kind)
            taken.append(argument)
        marks = [taken[int(mark) - 1] for mark in _OPERAND.findall(template)]
        template = _OPERAND.sub("%t", template)
        piece = compose(f"%{'s' if bound else 'q'} | {template}", base, *marks, level=QUERY)
        for name, argument in reversed(bound):
            piece = compose(f"%t as {name} | %q", argument, piece, level=QUERY)
        return piece


def _is_variable(piece: Piece) -> bool:
    first = piece.parts[0]
    return piece.is_path and isinstance(first, str) and first.startswith("$")
