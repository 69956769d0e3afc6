"""Conditions in words: `.order.total > 1000` is `order total > 1000`.

What is more than a comparison of data is not told in words; a reader is not helped by half of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final, NamedTuple

from ...expressions import tree
from ...expressions.errors import ExpressionSyntaxError
from ...expressions.parser import parse
from ...graph import Expression
from .words import LONGEST_CONDITION, words_of

#: Longer programs say more than fits beside an arrow.
_LONGEST: Final = 400
_SIGNS: Final = {"==": "=", "!=": "≠", ">=": "≥", "<=": "≤", "<": "<", ">": ">"}
#: Variables that only say where data is.
_PLACES: Final = frozenset({"context", "input", "output", "workflow", "task"})
#: What changes nothing that a reader would see.
_SILENT: Final = frozenset({"tostring", "tonumber", "ascii_downcase", "ascii_upcase", "trim"})
_SEARCHES: Final = {
    "startswith": "begins with", "endswith": "ends with", "contains": "contains",
    "test": "contains", "inside": "is in",
}  # fmt: skip
_PLAIN: Final = re.compile(r"[\w \-.,:@/]*")


class Comparison(NamedTuple):
    """A condition that asks whether some data is one value: what it asks for, and the value."""

    subject: str
    value: str


class _NotSaid(Exception):
    """It has no form in words."""


def said(value: Expression, *, subject: str = "") -> str:
    """A condition in words; empty where they would not help.

    `subject` is what the data as a whole is called, if it has a name.
    """
    if value.source is not None and value.source_language not in ("jq", "text"):
        return _fitting(_said_source(value.source))
    return _said(value.text, subject)


@lru_cache(maxsize=1024)
def _said(text: str, subject: str) -> str:
    if len(text) > _LONGEST:
        return ""
    try:
        node = parse(text)
        # What is always so is no condition.
        return "" if _is_constant(node) else _fitting(_condition(node, subject))
    except (_NotSaid, ExpressionSyntaxError, RecursionError):
        return ""


def compared(value: Expression) -> Comparison | None:
    """The comparison with a constant that a condition is, if it is one."""
    if value.source is not None or len(value.text) > _LONGEST:
        return None
    try:
        node = parse(value.text)
        if isinstance(node, tree.Comparison) and node.operator == "==":
            constant = _literal(node.right)
            if isinstance(constant, str | int | float) and not isinstance(constant, bool):
                return Comparison(_operand(node.left, ""), str(constant))
    except (_NotSaid, ExpressionSyntaxError, RecursionError):
        pass
    return None


def _fitting(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= LONGEST_CONDITION else ""


def _condition(node: tree.Node, subject: str) -> str:
    """What has to be true."""
    match node:
        case tree.Logic(operator=operator, items=items):
            parts = [_condition(one, subject) for one in items]
            is_mixed = [isinstance(one, tree.Logic) and one.operator != operator for one in items]
            told = (
                f"({one})" if mixed else one for one, mixed in zip(parts, is_mixed, strict=True)
            )
            return f" {operator} ".join(told)
        case tree.Comparison():
            return _comparison(node, subject)
        case tree.Pipe(stages=(*before, tree.Comparison() | tree.Logic() as last)):
            first = _piped(before, node)
            return _condition(last, subject if _is_all(first) else _operand(first, subject))
        case tree.Pipe(stages=(*before, tree.Call(name="not", arguments=()))):
            return f"not {_operand(_piped(before, node), subject)}"
        case tree.Pipe(stages=(*before, tree.Call(name=name, arguments=(argument,)))) if (
            name in _SEARCHES
        ):
            found = _literal(argument)
            if not isinstance(found, str) or not _PLAIN.fullmatch(found):
                raise _NotSaid
            return f"{_operand(_piped(before, node), subject)} {_SEARCHES[name]} {found}"
        case _:
            return _operand(node, subject)


def _piped(stages: list[tree.Node], node: tree.Node) -> tree.Node:
    return stages[0] if len(stages) == 1 else tree.Pipe(node.start, node.end, tuple(stages))


def _comparison(node: tree.Comparison, subject: str) -> str:
    left, sign, right = node.left, node.operator, node.right
    is_same = sign == "=="
    if sign in ("==", "!=") and isinstance(right, tree.Literal):
        match right.value:
            case None:
                told = _operand(left, subject)
                return f"no {told}" if is_same else f"{told} is given"
            case bool(wanted):
                told = _operand(left, subject)
                return told if wanted == is_same else f"not {told}"
            case _:
                pass
    if sign in ("==", "!=") and _literal(right) == "":
        return f"{_operand(left, subject)} is {'' if is_same else 'not '}empty"
    counted = _counted(left, sign, right, subject)
    return counted or f"{_operand(left, subject)} {_SIGNS[sign]} {_operand(right, subject)}"


def _counted(left: tree.Node, sign: str, right: tree.Node, subject: str) -> str:
    """Whether there is anything in a list at all."""
    stages = left.stages if isinstance(left, tree.Pipe) else (left,)
    if not _is_length(stages[-1]) or not isinstance(right, tree.Literal) or right.value != 0:
        return ""
    told = subject if len(stages) == 1 else _operand(_piped(list(stages[:-1]), left), subject)
    if not told:
        raise _NotSaid
    return {"==": f"no {told}", ">": f"any {told}", "!=": f"any {told}"}.get(sign, "")


def _is_all(node: tree.Node) -> bool:
    return isinstance(node, tree.Identity)


def _is_length(node: tree.Node) -> bool:
    return isinstance(node, tree.Call) and node.name == "length" and not node.arguments


def _operand(node: tree.Node, subject: str) -> str:
    """What is compared."""
    match node:
        case tree.Identity() if subject:
            return subject
        case tree.Call(name="length", arguments=()) if subject:
            return f"number of {subject}"
        case tree.Call(name=name, arguments=()) if subject and name in _SILENT:
            return subject
        case tree.Path(base=base, steps=steps):
            before = [subject] if subject and _is_all(base) else []
            return " ".join((*before, *_names(base, steps)))
        case tree.Variable(name=name) if name not in _PLACES:
            return " ".join(words_of(name))
        case tree.Pipe(stages=(*before, last)):
            told = _operand(_piped(before, node), subject)
            if _is_length(last):
                return f"number of {told}"
            if isinstance(last, tree.Call) and last.name in _SILENT and not last.arguments:
                return told
            raise _NotSaid
        case tree.Alternative(items=(first, *rest)) if all(map(_is_constant, rest)):
            return _operand(first, subject)
        case tree.Arithmetic(first=first, rest=rest):
            parts = [_operand(first, subject)]
            for operator, one in rest:
                parts += [operator, _operand(one, subject)]
            return " ".join(parts)
        case _:
            return _shown(_literal(node))


def _names(base: tree.Node, steps: tuple[tree.Step, ...]) -> Iterator[str]:
    names: list[str] = []
    match base:
        case tree.Identity():
            pass
        case tree.Variable(name=name):
            names += [] if name in _PLACES else [name]
        case _:
            raise _NotSaid
    for step in steps:
        key = step.key if isinstance(step, tree.IndexStep) else None
        if not isinstance(key, tree.Literal | tree.Text) or not isinstance(_literal(key), str):
            raise _NotSaid
        names.append(str(_literal(key)))
    if isinstance(base, tree.Variable) and names[:1] == ["input"] and len(names) > 1:
        # `$workflow.input.total` is the total.
        names = names[1:]
    for name in names:
        if not name.isprintable():
            raise _NotSaid
        yield from words_of(name)


def _literal(node: tree.Node) -> object:
    """The constant that a program is.

    Raises:
        _NotSaid: it is none.
    """
    match node:
        case tree.Literal(value=value):
            return value
        case tree.Text(parts=parts) if all(isinstance(one, str) for one in parts):
            return "".join(map(str, parts))
        case tree.Negation(operand=tree.Literal(value=int() | float() as value)):
            return -value
        case _:
            raise _NotSaid


def _is_constant(node: tree.Node) -> bool:
    return isinstance(node, tree.Literal | tree.Text)


def _shown(value: object) -> str:
    match value:
        case None:
            return "nothing"
        case bool():
            return "true" if value else "false"
        case str() if value.isprintable():
            return value or '""'
        case int() | float():
            return str(value)
        case _:
            raise _NotSaid


# -- the author's own language

_TOKEN: Final = re.compile(
    r"""\s*(?:(?P<name>[A-Za-z_][\w.]*)|(?P<text>"[^"]*"|'[^']*')|(?P<number>\d+(?:\.\d+)?)"""
    r"""|(?P<sign>==|!=|>=|<=|&&|\|\||[=<>+\-*/()!]))"""
)
_SPOKEN_SIGNS: Final = {**_SIGNS, "&&": "and", "||": "or", "!": "not", "=": "="}
_KEYWORDS: Final = frozenset({"and", "or", "not", "true", "false", "null", "in", "between", "if"})


def _said_source(source: str) -> str:
    """A condition in FEEL or JUEL, whose signs are made alike; as it is where it has others."""
    text = source.strip().removeprefix("=").strip()
    if text[:2] in ("${", "#{") and text.endswith("}"):
        text = text[2:-1].strip()
    words: list[str] = []
    at = 0
    while at < len(text):
        found = _TOKEN.match(text, at)
        if found is None:
            return text
        at = found.end()
        if (name := found["name"]) is not None:
            is_call = text[at : at + 1] == "("
            if is_call and name not in _KEYWORDS:
                return text
            parts = name.split(".")
            words += [name] if name in _KEYWORDS else [w for part in parts for w in words_of(part)]
        elif (literal := found["text"]) is not None:
            words.append(literal[1:-1] or literal)
        else:
            sign = found["sign"] or found["number"]
            words.append(_SPOKEN_SIGNS.get(sign, sign))
    return " ".join(words).replace("( ", "(").replace(" )", ")")
