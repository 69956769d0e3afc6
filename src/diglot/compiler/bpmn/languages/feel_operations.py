"""Operators of FEEL: arithmetic, comparison and `in`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final

from . import tree
from .feel_kinds import NULL, TIMES, base_of, guarded, is_sure
from .pieces import COMPARISON, OPEN, PRODUCT, QUERY, SUM, Piece, compose, constant, is_short
from .result import Refused

if TYPE_CHECKING:
    from .feel import Feel

_MIRRORED: Final = {"<": ">", ">": "<", "<=": ">=", ">=": "<=", "==": "==", "!=": "!="}
_NAMES: Final = {"+": "plus", "-": "minus", "*": "times", "/": "over", "**": "power"}
_LEVELS: Final = {"+": SUM, "-": SUM, "*": PRODUCT, "/": PRODUCT}
_SCALARS: Final = ("number", "string", "boolean")


def negative(feel: Feel, node: tree.Unary) -> Piece:
    """`-x`."""
    piece = feel.emit(node.operand)
    if type(piece.value) in (int, float):
        return constant(-piece.value, "number")
    if base_of(piece) == "duration":
        return _timed(feel, "time_times", piece, constant(-1, "number"), "duration?")
    return guarded(piece, "number", "(0 - .)", "number")


def binary(feel: Feel, node: tree.Binary) -> Piece:
    """The piece of an operator."""
    left, right = feel.emit(node.left), feel.emit(node.right)
    if node.operator in _MIRRORED:
        return compared(feel, node.operator, left, right)
    if {base_of(left), base_of(right)} & TIMES:
        if not {base_of(left), base_of(right)} <= TIMES | {"any", "number"}:
            return NULL
        return _on_times(feel, node.operator, left, right)
    return _counted(feel, node.operator, left, right)


def _counted(feel: Feel, sign: str, left: Piece, right: Piece) -> Piece:
    bases = {base_of(left), base_of(right)} - {"any"}
    joins = sign == "+" and bases <= {"string"}
    if not joins and not bases <= {"number"}:
        return NULL
    kind = "string" if bases == {"string"} else "number"
    is_division = sign == "/" and right.value in (OPEN, 0)
    if sign != "**" and bases and not is_division:
        if is_sure(left) and is_sure(right):
            first, other = ("%a", "%m") if _LEVELS[sign] == SUM else ("%m", "%t")
            template = f"{first} {sign} {other}"
            return compose(template, left, right, level=_LEVELS[sign], kind=kind)
        if right.value is not OPEN:
            return guarded(left, kind, f". {sign} %t", kind, right)
        if left.value is not OPEN:
            return guarded(right, kind, f"%t {sign} .", kind, left)
    feel.define(_NAMES[sign])
    gives = "any" if sign == "+" and not bases else f"{kind}?"
    return compose(f"{_NAMES[sign]}(%q; %q)", left, right, kind=gives)


def _timed(feel: Feel, name: str, left: Piece, right: Piece, gives: str) -> Piece:
    feel.define(name)
    return compose(f"{name}(%q; %q)", left, right, kind=gives)


def _on_times(feel: Feel, sign: str, left: Piece, right: Piece) -> Piece:
    """Arithmetic with a time or a duration on one side at least."""
    first, second = base_of(left), base_of(right)
    match sign:
        case "+":
            gives = "any"
            if "duration" in (first, second):
                other = second if first == "duration" else first
                gives = f"{other}?" if other in TIMES else "any"
            return _timed(feel, "time_plus", left, right, gives)
        case "-":
            gives = "any"
            if second == "duration":
                gives = f"{first}?" if first in TIMES else "any"
            elif first in TIMES and second in TIMES:
                gives = "duration?"
            return _timed(feel, "time_minus", left, right, gives)
        case "*":
            if second == "duration":
                left, right = right, left
            return _timed(feel, "time_times", left, right, "duration?")
        case "/":
            gives = {"number": "duration?", "duration": "number?"}.get(second, "any")
            return _timed(feel, "time_over", left, right, gives)
        case _:
            return NULL


def compared(feel: Feel, sign: str, left: Piece, right: Piece) -> Piece:
    """A comparison: null where the two have nothing to do with each other."""
    if "null" in (left.kind, right.kind):
        if sign not in ("==", "!="):
            return NULL
        return compose(f"%c {sign} %c", left, right, level=COMPARISON, kind="boolean")
    first, second = base_of(left), base_of(right)
    if {first, second} & TIMES:
        if not {first, second} <= TIMES | {"any"}:
            return NULL
        return _compared_times(feel, sign, left, right)
    kinds = {first, second} - {"any"}
    is_order = sign not in ("==", "!=")
    if is_order and not kinds <= {"number", "string"}:
        return NULL
    if len(kinds) > 1 and is_sure(left) and is_sure(right):
        return NULL
    if len(kinds) == 1 and first == second and first in _SCALARS:
        both = is_sure(left) and is_sure(right)
        if both or not is_order:
            return compose(f"%c {sign} %c", left, right, level=COMPARISON, kind="boolean")
    for side, known, turned in ((left, right, sign), (right, left, _MIRRORED[sign])):
        if known.value is not OPEN and base_of(known) in _SCALARS and len(kinds) == 1:
            shown = json.dumps(known.value, ensure_ascii=False).replace("%", "%%")
            if is_order:
                return guarded(side, base_of(known), f". {turned} {shown}", "boolean")
            template = (
                f'%q | if type == "{base_of(known)}" or . == null then . {turned} {shown} '
                "else null end"
            )
            return compose(template, side, level=QUERY, kind="boolean?")
    if not is_order:
        name = feel.define("equal" if sign == "==" else "unequal")
        return compose(f"{name}(%q; %q)", left, right, kind="boolean?")
    if sign in (">", "<="):
        left, right = right, left
    # `a <= b` is `not (b < a)`, and so is `a >= b`, turned round.
    name = feel.define("less" if sign in ("<", ">") else "most")
    if name == "most":
        left, right = right, left
    return compose(f"{name}(%q; %q)", left, right, kind="boolean?")


def _compared_times(feel: Feel, sign: str, left: Piece, right: Piece) -> Piece:
    match sign:
        case "==":
            return _timed(feel, "same_time", left, right, "boolean?")
        case "!=":
            return _timed(feel, "other_time", left, right, "boolean?")
        case "<":
            return _timed(feel, "sooner", left, right, "boolean?")
        case ">":
            return _timed(feel, "sooner", right, left, "boolean?")
        case ">=":
            return _timed(feel, "not_sooner", left, right, "boolean?")
        case _:
            return _timed(feel, "not_sooner", right, left, "boolean?")


def within(feel: Feel, node: tree.Within) -> Piece:
    """`in` and `between`."""
    value = feel.emit(node.value)
    name = ""
    subject = value
    if value.value is OPEN and not is_short(value):
        name = feel.fresh("value")
        subject = Piece((name,), kind=value.kind, is_path=True)
    tests = [_tested(feel, subject, test) for test in node.tests]
    found = tests[0]
    if len(tests) > 1:
        feel.define("disjunction")
        listed = ", ".join(["%s"] * len(tests))
        found = compose(f"[{listed}] | disjunction", *tests, level=QUERY, kind="boolean?")
    if not name:
        return found
    return compose(f"%t as {name} | %q", value, found, level=QUERY, kind=found.kind)


def _tested(feel: Feel, subject: Piece, test: tree.Node) -> Piece:
    match test:
        case tree.Range(low=low, high=high, has_low=has_low, has_high=has_high):
            ends: list[Piece] = []
            if low is not None:
                ends.append(compared(feel, ">=" if has_low else ">", subject, feel.emit(low)))
            if high is not None:
                ends.append(compared(feel, "<=" if has_high else "<", subject, feel.emit(high)))
            if all(end.kind == "boolean" for end in ends):
                return compose("%n and %n", *ends, level=COMPARISON - 1, kind="boolean")
            feel.define("conjunction")
            template = "[%s, %s] | conjunction"
            return compose(template, *ends, level=QUERY, kind="boolean?")
        case tree.Test(operator=operator, operand=operand):
            return compared(feel, operator, subject, feel.emit(operand))
        case tree.Each() | tree.Within():
            raise Refused(test.start, test.end, "this is no test")
        case _:
            piece = feel.emit(test)
            if base_of(piece) not in ("any", "list"):
                return compared(feel, "==", subject, piece)
            feel.define("within")
            return compose("within(%q; %q)", subject, piece, kind="boolean?")
