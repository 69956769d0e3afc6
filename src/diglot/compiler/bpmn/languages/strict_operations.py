"""Operators of the strict languages: what they demand of their operands."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final, Literal

from . import tree
from .emission import JQ_TYPES, a
from .pieces import COMPARISON, OPEN, PRODUCT, QUERY, SUM, Piece, compose
from .result import Refused

if TYPE_CHECKING:
    from .strict import Strict

_SCALARS: Final = ("number", "string", "boolean")
_MIRRORED: Final = {"<": ">", ">": "<", "<=": ">=", ">=": "<="}


def binary(strict: Strict, node: tree.Binary) -> Piece:
    """The piece of an operator."""
    match node.operator:
        case "==" | "!=":
            left, right = strict.emit(node.left), strict.emit(node.right)
            return equal(strict, node, left, right)
        case "<" | ">" | "<=" | ">=":
            return _ordered(strict, node)
        case "+" if strict.dialect == "bare":
            return _plus(strict, node)
        case "+" | "-" | "*" | "/" | "%":
            return _counted(strict, node, strict.emit(node.left), strict.emit(node.right))
        case "in" | "not in" | "contains":
            return _within(strict, node)
        case _:
            raise Refused(*node.signed, f"`{node.operator}` is not carried")


def equal(strict: Strict, node: tree.Binary, left: Piece, right: Piece) -> Piece:
    """Whether two values are equal, or not equal for `!=`; null is like every kind."""
    sign = node.operator
    if "null" in (left.kind, right.kind):
        return compose(f"%c {sign} %c", left, right, level=COMPARISON, kind="boolean")
    if left.kind != "any" and right.kind != "any":
        if left.kind != right.kind:
            raise Refused(
                node.start, node.end, f"{a(left.kind)} is compared with {a(right.kind)}",
                kind="type",
            )  # fmt: skip
        return compose(f"%c {sign} %c", left, right, level=COMPARISON, kind="boolean")
    is_absent = strict.dialect == "xpath" and sign == "!="
    for open_side, side, known in ((node.left, left, right), (node.right, right, left)):
        if side.kind == "any" and known.value is not OPEN and known.kind in _SCALARS:
            shown = json.dumps(known.value, ensure_ascii=False).replace("%", "%%")
            # In XPath a comparison with what is not there is false, `!=` too.
            null = ". == null then false elif " if is_absent else ""
            like = "" if is_absent else " or . == null"
            template = (
                f'%q | if {null}type == "{JQ_TYPES[known.kind]}"{like} then . {sign} {shown} '
                f"else {strict.fault(open_side, f'not {a(known.kind)}')} end"
            )
            return compose(template, side, level=QUERY, kind="boolean")
    name = strict.define("differ" if is_absent else "same")
    piece = compose(f"{name}(%q; %q; {strict.what(node.left, node.right)})", left, right)
    if sign == "==" or is_absent:
        return piece.of("boolean")
    return compose("%q | not", piece, level=QUERY, kind="boolean")


def _ordered(strict: Strict, node: tree.Binary) -> Piece:
    left, right = strict.emit(node.left), strict.emit(node.right)
    kinds = {left.kind, right.kind} - {"any"}
    for side, piece in ((node.left, left), (node.right, right)):
        if piece.kind not in ("any", "number", "string"):
            raise Refused(side.start, side.end, f"{a(piece.kind)} has no order", kind="type")
    if len(kinds) > 1:
        raise Refused(
            node.start, node.end, f"{a(left.kind)} is compared with {a(right.kind)}", kind="type"
        )
    if not kinds:
        strict.define("less")
        operands, words = (left, right), strict.what(node.left, node.right)
        if node.operator in (">", "<="):
            operands, words = (right, left), strict.what(node.right, node.left)
        piece = compose(f"less(%q; %q; {words})", *operands)
        if node.operator in ("<", ">"):
            return piece.of("boolean")
        return compose("%q | not", piece, level=QUERY, kind="boolean")
    kind: Literal["number", "string"] = "number" if "number" in kinds else "string"
    for side, subject, known, sign in (
        (node.left, left, right, node.operator),
        (node.right, right, left, _MIRRORED[node.operator]),
    ):
        if subject.kind == "any" and known.value is not OPEN:
            then = f". {sign} {json.dumps(known.value, ensure_ascii=False).replace('%', '%%')}"
            return strict.need(subject, kind, side, then, "boolean")
    operands = (strict.need(left, kind, node.left), strict.need(right, kind, node.right))
    return compose(f"%c {node.operator} %c", *operands, level=COMPARISON, kind="boolean")


def _counted(strict: Strict, node: tree.Binary, left: Piece, right: Piece) -> Piece:
    left = strict.need(left, "number", node.left)
    right = strict.need(right, "number", node.right)
    match node.operator:
        case "+" | "-":
            sign = node.operator
            return compose(f"%a {sign} %m", left, right, level=SUM, kind="number")
        case "*":
            return compose("%m * %t", left, right, level=PRODUCT, kind="number")
        case "/":
            if strict.is_code and not any(_is_fraction(strict, n) for n in (node.left, node.right)):
                raise Refused(
                    *node.signed,
                    "`/` cuts off the fraction in Java and keeps it elsewhere",
                    "Divide by a number with a fraction: `/ 2.0`.",
                )
            return compose("%m / %t", left, right, level=PRODUCT, kind="number")
        case _:
            strict.define("whole")
            return compose(
                "%m %% %t",
                compose(f"%q | whole({strict.what(node.left)})", left, level=QUERY),
                right
                if type(right.value) is int
                else compose(f"%q | whole({strict.what(node.right)})", right, level=QUERY),
                level=PRODUCT,
                kind="number",
            )


def _is_fraction(strict: Strict, node: tree.Node) -> bool:
    """Whether the author wrote a number with a fraction, even `2.0`."""
    return isinstance(node, tree.Literal) and "." in strict.text[node.start : node.end]


def _plus(strict: Strict, node: tree.Binary) -> Piece:
    """A sum of numbers, or two strings after each other."""
    left, right = strict.emit(node.left), strict.emit(node.right)
    kinds = {left.kind, right.kind} - {"any"}
    if kinds == {"string"}:
        operands = (
            strict.need(left, "string", node.left),
            strict.need(right, "string", node.right),
        )
        return compose("%a + %m", *operands, level=SUM, kind="string")
    if kinds:
        return _counted(strict, node, left, right)
    strict.define("plus")
    return compose(f"plus(%q; %q; {strict.what(node.left, node.right)})", left, right)


def _within(strict: Strict, node: tree.Binary) -> Piece:
    part, whole = node.left, node.right
    if node.operator == "contains":
        part, whole = whole, part
    piece = holds(strict, whole, strict.emit(part))
    if node.operator == "not in":
        return compose("%q | not", piece, level=QUERY, kind="boolean")
    return piece


def holds(strict: Strict, node: tree.Node, part: Piece) -> Piece:
    """Whether the value of a node, a string or a list, has a part or an item."""
    is_listing = isinstance(node, tree.Listing) and bool(node.items)
    if is_listing and all(isinstance(item, tree.Literal) for item in tree.children(node)):
        items = [strict.emit(item) for item in tree.children(node)]
        template = f"%q | IN({', '.join(['%t'] * len(items))})"
        return compose(template, part, *items, level=QUERY, kind="boolean")
    whole = strict.emit(node)
    if isinstance(part.value, str) and whole.kind == "any":
        shown = json.dumps(part.value, ensure_ascii=False).replace("%", "%%")
        fault = strict.fault(node, "neither a string nor a list")
        template = (
            f'%q | if type == "string" then contains({shown}) '
            f'elif type == "array" then any(. == {shown}) else {fault} end'
        )
        return compose(template, whole, level=QUERY, kind="boolean")
    strict.define("holds")
    template = f"holds(@1; {strict.what(node)})"
    return strict.applied(whole, template, part).of("boolean")
