"""The names a program takes from outside, with the place of every use."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from . import tree
from .errors import ExpressionSyntaxError
from .known import FORBIDDEN, FORBIDDEN_VARIABLES, KNOWN, NOW, NOW_VARIABLE

Span = tuple[str, int, int]
Function = tuple[str, int]


@dataclass(slots=True)
class Names:
    """Names a program takes from outside, with the place of every use."""

    variables: list[Span] = field(default_factory=list[Span])
    forbidden: list[Span] = field(default_factory=list[Span])
    unknown: list[Span] = field(default_factory=list[Span])


@dataclass(frozen=True, slots=True)
class _Sight:
    """The names that are defined at a place of the program."""

    variables: frozenset[str] = frozenset()
    functions: frozenset[Function] = frozenset()
    labels: frozenset[str] = frozenset()

    def with_patterns(self, patterns: tuple[tree.Pattern, ...]) -> _Sight:
        names = [name for pattern in patterns for name in tree.bound_names(pattern)]
        return replace(self, variables=self.variables | frozenset(names))


def find_names(node: tree.Node) -> Names:
    """The outside names of a program; raises `ExpressionSyntaxError` at a `break` to nowhere."""
    names = Names()
    _visit(node, _Sight(), names)
    return names


def _visit(node: tree.Node, sight: _Sight, names: Names) -> None:
    match node:
        case tree.Variable(start, end, name):
            if name not in sight.variables:
                found = names.forbidden if name in FORBIDDEN_VARIABLES else names.variables
                found.append((f"${name}" if found is names.forbidden else name, start, end))
        case tree.Call():
            _visit_call(node, sight, names)
        case tree.Bind(source=source, patterns=patterns, body=body):
            _visit(source, sight, names)
            _visit_keys(patterns, sight, names)
            _visit(body, sight.with_patterns(patterns), names)
        case tree.Reduce() | tree.Foreach():
            _visit(node.source, sight, names)
            _visit_keys(node.patterns, sight, names)
            _visit(node.init, sight, names)
            inner = sight.with_patterns(node.patterns)
            _visit(node.update, inner, names)
            if isinstance(node, tree.Foreach) and node.extract is not None:
                _visit(node.extract, inner, names)
        case tree.Define(function=function, body=body):
            inner = replace(
                sight,
                functions=sight.functions | {(function.name, len(function.parameters))},
            )
            _visit_function(function, inner, names)
            _visit(body, inner, names)
        case tree.Label(name=name, body=body):
            _visit(body, replace(sight, labels=sight.labels | {name}), names)
        case tree.Break(start, end, name):
            if name not in sight.labels:
                raise ExpressionSyntaxError(f"there is no label ${name} here", start, end)
        case tree.Module(directives=directives, body=body):
            names.forbidden.extend((one.keyword, one.start, one.end) for one in directives)
            _visit(body, sight, names)
        case _:
            for child in tree.children(node):
                _visit(child, sight, names)


def _visit_call(node: tree.Call, sight: _Sight, names: Names) -> None:
    key = (node.name, len(node.arguments))
    if key not in sight.functions:
        if key == NOW:
            names.variables.append((NOW_VARIABLE, node.start, node.name_end))
        elif key in FORBIDDEN:
            names.forbidden.append((node.name, node.start, node.name_end))
        elif key not in KNOWN:
            names.unknown.append((f"{key[0]}/{key[1]}", node.start, node.name_end))
    for argument in node.arguments:
        _visit(argument, sight, names)


def _visit_function(function: tree.Function, sight: _Sight, names: Names) -> None:
    parameters = function.parameters
    inner = replace(
        sight,
        functions=sight.functions | {(one.name, 0) for one in parameters},
        variables=sight.variables | {one.name for one in parameters if one.by_value},
    )
    _visit(function.body, inner, names)


def _visit_keys(patterns: tuple[tree.Pattern, ...], sight: _Sight, names: Names) -> None:
    for pattern in patterns:
        for key in tree.children(pattern):
            _visit(key, sight, names)
