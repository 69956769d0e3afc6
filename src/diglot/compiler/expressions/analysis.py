"""What is known of a program's results and reads before it runs."""

from __future__ import annotations

from collections.abc import Iterator

from . import tree
from .known import BLIND, BOOLEAN, NEVER_BOOLEAN

Key = str | int


def is_boolean(node: tree.Node) -> bool | None:
    """True when every result is true or false, False when none is, None when that is open."""
    match node:
        case tree.Comparison() | tree.Logic():
            return True
        case tree.Literal(value=value):
            return isinstance(value, bool)
        case tree.Array() | tree.Object() | tree.Text() | tree.Format():
            return False
        case tree.Negation() | tree.Location():
            return False
        case tree.Assignment(target=tree.Path(base=tree.Identity())):
            # The input with something put into it: an object or a list.
            return False
        case tree.Arithmetic():
            return _sum_is_boolean(node)
        case tree.Pipe(stages=stages):
            return is_boolean(stages[-1])
        case tree.Bind(body=body) | tree.Define(body=body) | tree.Label(body=body):
            return is_boolean(body)
        case tree.Comma(items=items) | tree.Alternative(items=items):
            return _agreed([is_boolean(item) for item in items])
        case tree.If(branches=branches, otherwise=otherwise):
            answers = [is_boolean(result) for _, result in branches]
            return _agreed([*answers, is_boolean(otherwise) if otherwise else None])
        case tree.Try(body=body, handler=None):
            return is_boolean(body)
        case tree.Try(body=body, handler=tree.Node() as handler):
            return _agreed([is_boolean(body), is_boolean(handler)])
        case tree.Call(name=name, arguments=arguments):
            return _call_is_boolean(name, arguments)
        case _:
            return None


def _sum_is_boolean(node: tree.Arithmetic) -> bool | None:
    # null + true is true; every other sum, and every other operation, is no boolean or an error.
    if any(operator != "+" for operator, _ in node.rest):
        return False
    terms = (node.first, *(term for _, term in node.rest))
    return False if any(_is_solid(term) for term in terms) else None


def _is_solid(node: tree.Node) -> bool:
    """Whether this is surely neither null nor a boolean."""
    if isinstance(node, tree.Literal):
        return node.value is not None and not isinstance(node.value, bool)
    return isinstance(node, tree.Text | tree.Array | tree.Object | tree.Format)


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
        case tree.Try(body=body):
            return reads_input(body)
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
                    yield from list(_paths(stage, at)) or ([at] if at else [])
                    return
                at += spelled
            if at:
                yield at
        case tree.Path(base=base):
            if isinstance(base, tree.Identity):
                if prefix + leading_keys(node):
                    yield prefix + leading_keys(node)
            else:
                yield from _paths(base, prefix)
            for key in list(tree.children(node))[1:]:
                yield from _paths(key, prefix)
        case tree.Object(entries=entries):
            for entry in entries:
                if entry.value is not None:
                    yield from _paths(entry.value, prefix)
                elif isinstance(entry.key, tree.Literal):
                    yield (*prefix, entry.key.value)
        case tree.Call(name=name, arguments=arguments) if (name, len(arguments)) not in _ON_INPUT:
            return
        case tree.Define(function=function) if (function.name, 1) in _ON_INPUT:
            return
        case _:
            for child in _on_same_input(node):
                yield from _paths(child, prefix)


#: Functions whose arguments are evaluated on their own input.
_ON_INPUT = frozenset(
    {
        *(("select", 1), ("has", 1), ("contains", 1), ("startswith", 1), ("endswith", 1)),
        *(("first", 1), ("last", 1), ("isempty", 1), ("error", 1), ("test", 1), ("range", 1)),
    }
)


def _on_same_input(node: tree.Node) -> Iterator[tree.Node]:
    """The parts of a node that are evaluated on its own input, and read it."""
    match node:
        case tree.Bind(source=source, body=body):
            yield from (source, body)
        case tree.Reduce() | tree.Foreach():
            yield from (node.source, node.init)
        case tree.Try(body=body) | tree.Define(body=body):
            yield body
        case tree.Assignment(operator=operator, target=target, value=value):
            if operator != "=":
                yield target
            if operator != "|=":
                yield value
        case _:
            yield from tree.children(node)


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
