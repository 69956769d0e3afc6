"""What is known of a program before it runs: names, reads, kinds."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from . import tree
from .errors import ExpressionSyntaxError
from .known import (
    BLIND,
    BOOLEAN,
    FORBIDDEN,
    FORBIDDEN_VARIABLES,
    KNOWN,
    NEVER_BOOLEAN,
    NOW,
    NOW_VARIABLE,
)

Span = tuple[str, int, int]
Key = str | int
Function = tuple[str, int]


@dataclass(slots=True)
class Names:
    """Names a program takes from outside, with the place of every use."""

    variables: list[Span] = field(default_factory=list)
    forbidden: list[Span] = field(default_factory=list)
    unknown: list[Span] = field(default_factory=list)


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


def is_boolean(node: tree.Node) -> bool | None:
    """True when every result is true or false, False when none is, None when that is open."""
    match node:
        case tree.Comparison() | tree.Logic():
            return True
        case tree.Literal(value=value):
            return isinstance(value, bool)
        case (
            tree.Array()
            | tree.Object()
            | tree.Text()
            | tree.Format()
            | tree.Arithmetic()
            | tree.Negation()
            | tree.Location()
        ):
            # A sum is null, a boolean or anything else when one of its sides is null.
            return _sum_is_boolean(node) if isinstance(node, tree.Arithmetic) else False
        case tree.Pipe(stages=stages):
            return is_boolean(stages[-1])
        case tree.Bind(body=body) | tree.Define(body=body) | tree.Label(body=body):
            return is_boolean(body)
        case tree.Comma(items=items) | tree.Alternative(items=items):
            return _agreed([is_boolean(item) for item in items])
        case tree.If(branches=branches, otherwise=otherwise):
            results = [result for _, result in branches]
            return _agreed([*map(is_boolean, results), is_boolean(otherwise) if otherwise else None])
        case tree.Try(body=body, handler=handler):
            return _agreed([is_boolean(body), is_boolean(handler) if handler else is_boolean(body)])
        case tree.Call(name=name, arguments=arguments):
            return _call_is_boolean(name, arguments)
        case _:
            return None


def _sum_is_boolean(node: tree.Arithmetic) -> bool | None:
    if all(operator != "+" for operator, _ in node.rest):
        return False
    terms = (node.first, *(term for _, term in node.rest))
    return False if any(isinstance(term, tree.Literal | tree.Text) and not _is_null(term)
                        for term in terms) else None


def _is_null(node: tree.Node) -> bool:
    return isinstance(node, tree.Literal) and node.value is None


def _agreed(answers: list[bool | None]) -> bool | None:
    return answers[0] if all(answer is answers[0] for answer in answers) else None


def _call_is_boolean(name: str, arguments: tuple[tree.Node, ...]) -> bool | None:
    key = (name, len(arguments))
    if key in BOOLEAN:
        return True
    if key in NEVER_BOOLEAN:
        return False
    if key in (("first", 1), ("last", 1)):
        return is_boolean(arguments[0])
    if key in (("limit", 2), ("nth", 2), ("skip", 2)):
        return is_boolean(arguments[1])
    return None


def reads_input(node: tree.Node) -> bool:
    """Whether the input of the program can matter to its results."""
    match node:
        case tree.Identity() | tree.Descend() | tree.Format():
            return True
        case tree.Pipe(stages=stages):
            return reads_input(stages[0])
        case tree.Path(base=base):
            return reads_input(base) or any(map(reads_input, list(tree.children(node))[1:]))
        case tree.Call(name=name, arguments=arguments):
            if (name, len(arguments)) not in BLIND:
                return True
            return any(map(reads_input, arguments))
        case tree.If(otherwise=None) | tree.Assignment():
            return True
        case tree.Object(entries=entries):
            return any(
                entry.value is None or reads_input(entry.value) or reads_input(entry.key)
                for entry in entries
            )
        case tree.Reduce() | tree.Foreach():
            return reads_input(node.source) or reads_input(node.init)
        case tree.Define(body=body):
            return reads_input(body)
        case _:
            return any(map(reads_input, tree.children(node)))


def read_paths(node: tree.Node) -> tuple[tuple[Key, ...], ...]:
    """The paths of the input that the text spells out, in its order and each once."""
    return tuple(dict.fromkeys(_paths(node, ())))


def _paths(node: tree.Node, prefix: tuple[Key, ...]) -> Iterator[tuple[Key, ...]]:
    """Paths read by a node whose input stands at `prefix` of the input of the program."""
    spelled = _spelled(node)
    if spelled is not None:
        if prefix + spelled:
            yield prefix + spelled
        return
    match node:
        case tree.Pipe(stages=stages):
            at = prefix
            for stage in stages:
                spelled = _spelled(stage)
                if spelled is None:
                    yield from _paths(stage, at)
                    return
                at += spelled
            if at:
                yield at
        case tree.Path(base=base):
            leading = leading_keys(node)
            if isinstance(base, tree.Identity):
                if prefix + leading:
                    yield prefix + leading
            else:
                yield from _paths(base, prefix)
            for key in list(tree.children(node))[1:]:
                yield from _paths(key, prefix)
        case tree.Reduce() | tree.Foreach():
            yield from _paths(node.source, prefix)
            yield from _paths(node.init, prefix)
        case tree.Define() | tree.Call() if not _sees_input(node):
            return
        case tree.Try(body=body):
            yield from _paths(body, prefix)
        case tree.Define(body=body):
            yield from _paths(body, prefix)
        case _:
            for child in tree.children(node):
                yield from _paths(child, prefix)


_ON_INPUT = frozenset(
    (("select", 1), ("has", 1), ("contains", 1), ("startswith", 1), ("endswith", 1), ("test", 1))
    + (("first", 1), ("last", 1), ("isempty", 1), ("error", 1), ("range", 1), ("range", 2))
)


def _sees_input(node: tree.Node) -> bool:
    """Whether the arguments of a call are surely evaluated on the input of the call."""
    if isinstance(node, tree.Call):
        return (node.name, len(node.arguments)) in _ON_INPUT
    return True


def _spelled(node: tree.Node) -> tuple[Key, ...] | None:
    """The keys of a path from the input that is wholly spelled out."""
    if isinstance(node, tree.Identity):
        return ()
    if isinstance(node, tree.Path) and isinstance(node.base, tree.Identity):
        keys = leading_keys(node)
        return keys if len(keys) == len(node.steps) else None
    return None


def leading_keys(node: tree.Path) -> tuple[Key, ...]:
    """The keys of a path up to the first that is calculated."""
    keys: list[Key] = []
    for step in node.steps:
        key = step.key if isinstance(step, tree.IndexStep) else None
        if not isinstance(key, tree.Literal) or type(key.value) not in (str, int):
            break
        keys.append(key.value)
    return tuple(keys)
