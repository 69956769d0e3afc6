"""JUEL, XPath and bare conditions to jq: a value of the wrong type is an error that names it.

Where these languages would guess (`"5" < 6`, `null < 1`, a string taken for a boolean) the program
fails instead; where it answers, it answers as they do. A variable that does not exist is null, and
null equals nothing but null.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from . import tree
from .emission import Emission, a, kind_of
from .pieces import AND, OR, QUERY, TERM, Piece, compose, constant, field, quoted
from .read_bare import is_statement
from .result import Refused
from .strict_functions import call, class_constant
from .strict_methods import RUNS, method
from .strict_operations import binary

Dialect: TypeAlias = Literal["juel", "xpath", "bare"]


class Strict(Emission):
    """The translation of one expression of such a language."""

    def __init__(self, text: str, dialect: Dialect) -> None:
        super().__init__(text)
        self.dialect: Dialect = dialect
        self.is_code = dialect == "bare" and is_statement(text)

    def emit(self, node: tree.Node) -> Piece:
        """The piece of a node, with its place."""
        self.count(node)
        return self._emit(node).at(node.start, node.end)

    def _emit(self, node: tree.Node) -> Piece:
        match node:
            case tree.Literal(value=value):
                return constant(value, kind_of(value))
            case tree.Name(name=name):
                return self.variable(name)
            case tree.Member():
                return _member(self, node)
            case tree.Index():
                return _index(self, node)
            case tree.Unary():
                return _unary(self, node)
            case tree.Binary():
                return binary(self, node)
            case tree.Logic():
                return _logic(self, node)
            case tree.Conditional():
                return _conditional(self, node)
            case tree.Listing():
                return _listing(self, node)
            case tree.Entries():
                return _entries(self, node)
            case tree.Instance(value=value, type=kind):
                return _cast(self, value, kind)
            case tree.Text():
                return _text(self, node)
            case tree.Each():
                return _each(self, node)
            case tree.Method():
                return method(self, node)
            case tree.Call():
                return call(self, node)
            case _:
                raise Refused(node.start, node.end, "this is not carried here")

    def boolean(self, node: tree.Node) -> Piece:
        """The piece of a node that has to be a boolean."""
        return self.need(self.emit(node), "boolean", node).at(node.start, node.end)

    def number(self, node: tree.Node) -> Piece:
        """The piece of a node that has to be a number."""
        return self.need(self.emit(node), "number", node).at(node.start, node.end)


def _member(strict: Strict, node: tree.Member) -> Piece:
    value = class_constant(strict, node)
    if value is not None:
        return value
    if isinstance(node.base, tree.Name) and node.base.name in RUNS and strict.dialect != "xpath":
        raise Refused(node.start, node.end, "it asks the engine for what is no variable")
    base = strict.emit(node.base)
    if base.kind not in ("any", "object"):
        raise Refused(
            node.start, node.end, f"{a(base.kind)} has no entry `{node.name}`", kind="type"
        )
    if node.name == "length" and strict.dialect == "bare":
        strict.define("measure")
        return compose(f"%q | measure({strict.what(node.base)})", base, level=QUERY)
    return field(base, node.name)


def _index(strict: Strict, node: tree.Index) -> Piece:
    base, key = strict.emit(node.base), strict.emit(node.key)
    if isinstance(key.value, str):
        return field(base, key.value)
    if type(key.value) is int:
        place = key.value - (strict.dialect == "xpath")
        if place < 0 and strict.dialect == "juel":
            raise Refused(node.key.start, node.key.end, "no item has a place below 0", kind="type")
        return Piece((*compose(f"%t[{place}]", base).parts,), is_path=base.is_path)
    if key.kind not in ("any", "number", "string"):
        raise Refused(
            node.key.start, node.key.end, f"{a(key.kind)} is no key of anything", kind="type"
        )
    strict.define("at")
    return compose(f"at(%q; %q; {strict.what(node)})", base, key)


def _unary(strict: Strict, node: tree.Unary) -> Piece:
    match node.operator:
        case "not":
            piece = strict.emit(node.operand)
            return strict.need(piece, "boolean", node.operand, "not").of("boolean")
        case "empty":
            piece = strict.emit(node.operand)
            return compose('%q | IN(null, "", [], {})', piece, level=QUERY, kind="boolean")
        case "-":
            piece = strict.number(node.operand)
            if type(piece.value) in (int, float):
                return constant(-piece.value, "number")
            return compose("(-%t)", piece, kind="number")
        case _:
            return strict.number(node.operand)


def _logic(strict: Strict, node: tree.Logic) -> Piece:
    pieces = [strict.boolean(operand) for operand in node.operands]
    template = f" {node.operator} ".join(["%n"] * len(pieces))
    level = AND if node.operator == "and" else OR
    return compose(template, *pieces, level=level, kind="boolean")


def _conditional(strict: Strict, node: tree.Conditional) -> Piece:
    template = "if %q then %q"
    pieces = [strict.boolean(node.condition), strict.emit(node.then)]
    otherwise = node.otherwise
    while isinstance(otherwise, tree.Conditional):
        template += " elif %q then %q"
        pieces += [strict.boolean(otherwise.condition), strict.emit(otherwise.then)]
        otherwise = otherwise.otherwise
    pieces.append(strict.emit(otherwise))
    kinds = {piece.kind for piece in pieces[1::2]} | {pieces[-1].kind}
    kind = kinds.pop() if len(kinds) == 1 else "any"
    return compose(f"{template} else %q end", *pieces, kind=kind)


def _listing(strict: Strict, node: tree.Listing) -> Piece:
    pieces = [strict.emit(item) for item in node.items]
    return compose(f"[{', '.join(['%s'] * len(pieces))}]", *pieces, kind="list")


def _entries(strict: Strict, node: tree.Entries) -> Piece:
    pieces = [strict.emit(value) for _, value in node.entries]
    template = ", ".join(f"{quoted(key)}: %t" for key, _ in node.entries)
    return compose(f"{{{template}}}", *pieces, kind="object")


def _each(strict: Strict, node: tree.Each) -> Piece:
    """What comes of each item of a list."""
    ((name, source),) = node.variables
    items = strict.need(strict.emit(source), "list", source)
    bound = strict.fresh(name)
    with strict.inner(**{name: Piece((bound,), is_path=True)}):
        body = strict.emit(node.body)
    return compose(f"%q | map(. as {bound} | %q)", items, body, level=QUERY, kind="list")


def _cast(strict: Strict, node: tree.Node, kind: str) -> Piece:
    piece = strict.emit(node)
    match kind:
        case "number" | "string" | "boolean" | "list" | "object":
            return strict.need(piece, kind, node)
        case _:
            return piece


def _text(strict: Strict, node: tree.Text) -> Piece:
    template = ""
    pieces: list[Piece] = []
    for part in node.parts:
        if isinstance(part, str):
            template += quoted(part)[1:-1]
            continue
        piece = strict.emit(part)
        if piece.kind not in ("string", "number", "boolean"):
            strict.define("as_text")
            piece = compose(f"%q | as_text({strict.what(part)})", piece, level=QUERY)
        template += "\\(%q)"
        pieces.append(piece)
    return compose(f'"{template}"', *pieces, level=TERM, kind="string")
