"""What an expression reads of the variables around it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final, NamedTuple

from diglot.compiler.expressions import tree
from diglot.compiler.expressions.analysis import leading_keys
from diglot.compiler.expressions.known import BLIND

from ..programs import program_of

#: What `.` is: the input of the program (""), a variable by its name, or something else (None).
_At = str | None
_INPUT: Final = ""
#: Functions whose first argument is surely evaluated, on their own input.
_ON_INPUT: Final = frozenset(
    {("select", 1), ("has", 1), ("contains", 1), ("startswith", 1), ("endswith", 1), ("error", 1)}
)


#: What it means where a value is null: an author has thought of it, it may do no harm, or it does.
Care = int
EXPECTED: Final = 0
HARMLESS: Final = 1
HARMFUL: Final = 2


class Mention(NamedTuple):
    """A name in an expression: `$name`, or `.key` where `name` is empty.

    `key` is the first member that is taken of it, None where it is used as a whole. `care` says
    what it means where there is no value; harmful is only what every evaluation comes to.
    """

    name: str
    key: str | None
    start: int
    end: int
    care: Care


@dataclass(slots=True)
class Mentions:
    """The names of one expression, and whether it uses its whole input otherwise."""

    found: list[Mention] = field(default_factory=list[Mention])
    uses_input: bool = False


#: `.total`, `$context.total.net`: most expressions there are.
_PATH: Final = re.compile(
    r"(\$(?!__loc__)[A-Za-z_]\w*)?(?:\.([A-Za-z_]\w*))?(?:\.[A-Za-z_]\w*)*", re.ASCII
)


@lru_cache(maxsize=1024)
def mentions_of(text: str) -> Mentions:
    """The names of an expression; one that is no jq has none."""
    path = _PATH.fullmatch(text)
    if path is not None and (path[1] or path[2]):
        return Mentions([Mention((path[1] or "$")[1:], path[2], 0, len(text), HARMFUL)])
    program = program_of(text)
    return mentions_in(() if program is None else (program,))


def mentions_in(nodes: Iterable[tree.Node]) -> Mentions:
    """The names of the parts of an expression."""
    walk = _Walk()
    try:
        for node in nodes:
            walk.visit(node, _INPUT, HARMFUL, frozenset())
    except RecursionError:
        return Mentions(uses_input=True)
    found = walk.mentions.found
    # Who asks somewhere whether there is a value has thought of it everywhere.
    asked = {(one.name, one.key) for one in found if one.care == EXPECTED}
    return Mentions(
        [one._replace(care=EXPECTED) if (one.name, one.key) in asked else one for one in found],
        walk.mentions.uses_input,
    )


class _Walk:
    def __init__(self) -> None:
        self.mentions = Mentions()

    def visit(self, node: tree.Node, at: _At, care: Care, bound: frozenset[str]) -> None:
        match node:
            case tree.Identity() | tree.Descend() | tree.Format():
                self._whole(node, at, care, bound)
            case tree.Variable(name=name):
                if name not in bound:
                    self._mention(name, None, node, care)
            case tree.Path():
                self._path(node, at, care, bound)
            case tree.Pipe(stages=stages):
                self._pipe(stages, at, care, bound)
            case tree.Bind() | tree.Reduce() | tree.Foreach():
                self._binding(node, at, care, bound)
            case tree.Define(function=function, body=body):
                names = {one.name for one in function.parameters if one.by_value}
                self.visit(function.body, None, HARMLESS, bound | names)
                self.visit(body, at, care, bound)
            case tree.Call():
                self._call(node, at, care, bound)
            case tree.Object(entries=entries):
                for entry in entries:
                    self._entry(entry, at, care, bound)
            case tree.Assignment(target=target, value=value):
                # The result is the whole input with something put into it.
                self._whole(node, at, care, bound)
                self.visit(target, at, EXPECTED, bound)
                self.visit(value, at, care, bound)
            case _:
                for child, its in _evaluated(node):
                    self.visit(child, at, min(care, its), bound)

    def _mention(self, name: str, key: str | None, node: tree.Node, care: Care) -> None:
        self.mentions.found.append(Mention(name, key, node.start, node.end, care))

    def _whole(self, node: tree.Node, at: _At, care: Care, bound: frozenset[str]) -> None:
        if at == _INPUT:
            self.mentions.uses_input = True
        elif at is not None and at not in bound:
            self._mention(at, None, node, care)

    def _path(self, node: tree.Path, at: _At, care: Care, bound: frozenset[str]) -> None:
        keys = leading_keys(node)
        key = keys[0] if keys and isinstance(keys[0], str) else None
        if node.steps[0].optional:
            care = EXPECTED
        base = node.base
        if isinstance(base, tree.Variable):
            if base.name not in bound:
                self._mention(base.name, key, node, care)
        elif isinstance(base, tree.Identity) and key is not None:
            if at is not None and at not in bound:
                self._mention(at, key, node, care)
        else:
            self.visit(base, at, care, bound)
        for child in list(tree.children(node))[1:]:
            if not isinstance(child, tree.Literal):
                self.visit(child, at, care, bound)

    def _pipe(
        self, stages: tuple[tree.Node, ...], at: _At, care: Care, bound: frozenset[str]
    ) -> None:
        for place, stage in enumerate(stages):
            is_last = place == len(stages) - 1
            if isinstance(stage, tree.Identity) and not is_last:
                continue
            if isinstance(stage, tree.Variable) and not is_last and stage.name not in bound:
                at = stage.name
                continue
            if not is_last and _is_not(stages[place + 1]):
                care = min(care, HARMLESS)
            is_asked = not is_last and _asks_for_null(stages[place + 1])
            self.visit(stage, at, EXPECTED if is_asked else care, bound)
            at = None

    def _binding(
        self,
        node: tree.Bind | tree.Reduce | tree.Foreach,
        at: _At,
        care: Care,
        bound: frozenset[str],
    ) -> None:
        self.visit(node.source, at, care, bound)
        inner = bound | {name for one in node.patterns for name in tree.bound_names(one)}
        for pattern in node.patterns:
            for key in tree.children(pattern):
                self.visit(key, None, HARMLESS, bound)
        if isinstance(node, tree.Bind):
            self.visit(node.body, at, care, inner)
            return
        self.visit(node.init, at, care, bound)
        self.visit(node.update, None, HARMLESS, inner)
        if isinstance(node, tree.Foreach) and node.extract is not None:
            self.visit(node.extract, None, HARMLESS, inner)

    def _call(self, node: tree.Call, at: _At, care: Care, bound: frozenset[str]) -> None:
        key = (node.name, len(node.arguments))
        argument = node.arguments[0] if len(node.arguments) == 1 else None
        if key == ("has", 1) and isinstance(argument, tree.Literal) and at is not None:
            if isinstance(argument.value, str) and at not in bound:
                self._mention(at, argument.value, node, EXPECTED)
            return
        if key not in BLIND:
            self._whole(node, at, care, bound)
        for one in node.arguments:
            # Other functions evaluate their arguments on whatever they like.
            self.visit(one, at, care if key in _ON_INPUT else min(care, HARMLESS), bound)

    def _entry(self, entry: tree.Entry, at: _At, care: Care, bound: frozenset[str]) -> None:
        if entry.value is not None:
            self.visit(entry.key, at, care, bound)
            self.visit(entry.value, at, care, bound)
        elif isinstance(entry.key, tree.Literal):
            if isinstance(entry.key.value, str) and at is not None and at not in bound:
                self._mention(at, entry.key.value, entry.key, care)
        else:
            self.visit(entry.key, at, care, bound)
            if not isinstance(entry.key, tree.Variable):
                self._whole(entry.key, at, care, bound)


def _evaluated(node: tree.Node) -> Iterator[tuple[tree.Node, Care]]:
    """The parts of a node on its own input, and what it means there that a value is null.

    It does no harm to a sum, nor where a text or a truth is asked for, nor in what is not always
    evaluated. What asks for null expects it, and so does what stands in front of `//`.
    """
    match node:
        case tree.Alternative(items=items):
            yield from ((item, EXPECTED) for item in items[:-1])
            yield items[-1], HARMLESS
        case tree.Logic(items=items):
            for place, item in enumerate(items):
                yield item, HARMLESS if place or _is_plain(item) else HARMFUL
        case tree.Comparison(operator=operator, left=left, right=right):
            care = HARMLESS if operator in ("==", "!=") else HARMFUL
            if _is_null(left) or _is_null(right):
                care = EXPECTED
            yield from ((left, care), (right, care))
        case tree.If(branches=branches, otherwise=otherwise):
            for place, (condition, result) in enumerate(branches):
                is_asked = _is_plain(condition) or _asks_for_null(condition)
                care = EXPECTED if is_asked else HARMLESS if place else HARMFUL
                yield from ((condition, care), (result, EXPECTED))
            if otherwise is not None:
                yield otherwise, EXPECTED
        case tree.Arithmetic(first=first, rest=rest):
            care = HARMLESS if all(operator == "+" for operator, _ in rest) else HARMFUL
            yield first, care
            yield from ((operand, care) for _, operand in rest)
        case tree.Try():
            yield from ((child, EXPECTED) for child in tree.children(node))
        case _:
            yield from ((child, HARMFUL) for child in tree.children(node))


def _is_plain(node: tree.Node) -> bool:
    """Whether a part is a value as it is, so that null is as good as false."""
    return isinstance(node, tree.Variable | tree.Path)


def _is_null(node: tree.Node) -> bool:
    return isinstance(node, tree.Literal) and node.value is None


def _is_not(stage: tree.Node) -> bool:
    return isinstance(stage, tree.Call) and stage.name == "not"


def _asks_for_null(stage: tree.Node) -> bool:
    """Whether a stage of a pipe expects that what comes to it is null, or lets null pass."""
    match stage:
        case tree.Comparison(left=left, right=right):
            return _is_null(left) or _is_null(right)
        case tree.Logic(items=items):
            return any(map(_asks_for_null, items))
        case tree.Call(name="IN", arguments=arguments):
            return any(
                _is_null(item)
                for one in arguments
                for item in (one.items if isinstance(one, tree.Comma) else (one,))
            )
        case tree.Call(name=name):
            return name in ("values", "type", "isempty")
        case tree.If(branches=branches):
            return any(_asks_for_null(condition) for condition, _ in branches)
        case _:
            return False
