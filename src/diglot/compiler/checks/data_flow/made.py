"""Which members an object has, as far as the value or the expression that makes it says so."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final, cast

from diglot.compiler.expressions import tree
from diglot.compiler.expressions.analysis import leading_keys
from diglot.compiler.graph import Constant, Expression, Record, Value

from ..programs import program_of
from .jq import mentions_in


@dataclass(frozen=True, slots=True)
class Members:
    """What is known of the members of an object before it is made.

    `sure` are always there, `possible` may be, and with `is_open` any other as well. `keeps` names
    the variable whose members stay as they are, where the object is that variable with some of its
    members changed. `parts` are the expressions in it, which are evaluated.
    """

    sure: frozenset[str] = frozenset()
    possible: frozenset[str] = frozenset()
    is_open: bool = False
    keeps: str = ""
    parts: tuple[tree.Node, ...] = ()


def members_of(value: Value | None, around: str = "") -> Members | None:
    """The members of a value; None where there is no value.

    `around` is the variable that an expression may keep: what it keeps is no part of `parts`, as
    nothing is done with it.
    """
    match value:
        case None:
            return None
        case Record(members):
            return _exactly(frozenset(name for name, _ in members))
        case Constant(document):
            names = cast("dict[str, Any]", document) if isinstance(document, dict) else {}
            return _exactly(frozenset(map(str, names)))
        case Expression(text=text):
            return _made_by(text, around)
        case _:
            return Members()


@lru_cache(maxsize=1024)
def _made_by(text: str, around: str) -> Members:
    program = program_of(text)
    return Members(is_open=True) if program is None else members_made(program, around)


def _exactly(names: frozenset[str]) -> Members:
    return Members(names, names)


def is_identity(value: Value | None) -> bool:
    """Whether what is exported is the output itself."""
    return isinstance(value, Expression) and value.text.strip() in (".", "$output")


def passes(value: Value | None) -> bool:
    """Whether an object comes out as it came in: `.`, or `.` where it is an object."""
    return isinstance(value, Expression) and value.of == "data" and _passes(value.text)


@lru_cache(maxsize=1024)
def _passes(text: str) -> bool:
    match program_of(text):
        case tree.Identity() | tree.If(branches=((_, tree.Identity()),)):
            return True
        case _:
            return False


_NOTHING: Final = Members()


def members_made(node: tree.Node, around: str) -> Members:
    """The members of what a program makes."""
    match node:
        case tree.Object(entries=entries):
            return _of_entries(entries)
        case tree.Literal():
            return _NOTHING
        case tree.Variable(name=name) if name == around:
            return Members(keeps=name)
        case tree.Arithmetic(first=first, rest=rest) if all(sign in "+*" for sign, _ in rest):
            parts = [members_made(part, around) for part in (first, *(part for _, part in rest))]
            return _together(parts)
        case tree.Pipe(stages=(tree.Variable(name=name), *rest)) if name == around and rest:
            return _changed(rest, around)
        case tree.If(branches=branches, otherwise=otherwise) if otherwise is not None:
            conditions = tuple(condition for condition, _ in branches)
            results = [members_made(result, around) for _, result in branches]
            return _either([*results, members_made(otherwise, around)], conditions)
        case _:
            # What is done with the whole variable may well keep its members.
            found = mentions_in((node,)).found if around else ()
            is_kept = any(one.name == around and one.key is None for one in found)
            return Members(is_open=True, keeps=around if is_kept else "", parts=(node,))


def _of_entries(entries: tuple[tree.Entry, ...]) -> Members:
    names: set[str] = set()
    parts: list[tree.Node] = []
    is_open = False
    for entry in entries:
        key = entry.key
        if isinstance(key, tree.Literal) and isinstance(key.value, str):
            names.add(key.value)
        elif isinstance(key, tree.Variable) and entry.value is None:
            names.add(key.name)
        else:
            is_open = True
        parts.append(tree.Object(key.start, key.end, (entry,)))
    return Members(frozenset(names), frozenset(names), is_open, parts=tuple(parts))


def _together(parts: list[Members]) -> Members:
    keeps = next((one.keeps for one in parts if one.keeps), "")
    return Members(
        frozenset[str]().union(*(one.sure for one in parts)),
        frozenset[str]().union(*(one.possible for one in parts)),
        any(one.is_open for one in parts),
        keeps,
        tuple(part for one in parts for part in one.parts),
    )


def _either(parts: list[Members], conditions: tuple[tree.Node, ...]) -> Members:
    keeps = next((one.keeps for one in parts if one.keeps), "")
    return Members(
        parts[0].sure.intersection(*(one.sure for one in parts)),
        frozenset[str]().union(*(one.possible for one in parts)),
        any(one.is_open for one in parts),
        keeps,
        (*conditions, *(part for one in parts for part in one.parts)),
    )


def _changed(stages: list[tree.Node], around: str) -> Members:
    """`$context | .a = 1 | .b = 2`; what else is done to it is not followed."""
    names: set[str] = set()
    parts: list[tree.Node] = []
    for stage in stages:
        target = stage.target if isinstance(stage, tree.Assignment) else None
        if not (isinstance(target, tree.Path) and isinstance(target.base, tree.Identity)):
            return Members(is_open=True, keeps=around, parts=(_on(around, *stages),))
        assert isinstance(stage, tree.Assignment)
        keys = leading_keys(target)
        if len(target.steps) == 1 and keys and stage.operator == "=":
            names.add(str(keys[0]))
        else:
            parts.append(_on(around, target))
        parts.append(_on(around, stage.value))
    return Members(frozenset(names), frozenset(names), False, around, tuple(parts))


def _on(around: str, *stages: tree.Node) -> tree.Node:
    """Stages whose input is a variable."""
    start, end = stages[0].start, stages[-1].end
    return tree.Pipe(start, end, (tree.Variable(start, start, around), *stages))
