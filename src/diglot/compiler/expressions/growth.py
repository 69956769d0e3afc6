"""How much larger than its inputs the result of a program can be.

Results share structure with inputs, so a small value in memory may be a huge one as JSON. Only
results of programs that can do that are measured; for all others the text is proof enough.
"""

from __future__ import annotations

import math
from re import findall
from typing import Any

from . import tree
from .errors import ExpressionLimit
from .run import MAX_SIZE
from .values import is_array, is_object

#: Results of programs below this factor are not measured.
SMALL = 8.0

_PARTS = frozenset(
    findall(
        r"\w+",
        "length keys keys_unsorted not type values first last select has min max sort reverse "
        "tonumber floor ceil round abs any all startswith endswith contains unique "
        "ascii_downcase ascii_upcase trim ltrim rtrim isempty empty add join split now",
    )
)


def factor(node: tree.Node) -> float:
    """An upper bound of the size of all results, in sizes of the inputs; often infinite."""
    match node:
        case tree.Identity() | tree.Variable():
            return 1.0
        case tree.Literal() | tree.Comparison() | tree.Logic() | tree.Location():
            return 0.0
        case tree.Path(base=base, steps=steps):
            keys = [
                step.key if isinstance(step, tree.IndexStep) else None
                for step in steps
                if not isinstance(step, tree.EachStep)
            ]
            return factor(base) if all(isinstance(key, tree.Literal) for key in keys) else math.inf
        case tree.Array(body=body):
            return factor(body) if body else 0.0
        case tree.Object(entries=entries):
            # A value with several results, or of a variable in a loop, makes no sum any more.
            values = [entry.value for entry in entries]
            if any(value is not None and _has_several(value) for value in values):
                return math.inf
            return sum(1.0 if value is None else factor(value) for value in values)
        case tree.Pipe(stages=stages):
            return _pipe_factor(stages)
        case tree.Comma(items=items) | tree.Alternative(items=items):
            return sum(map(factor, items))
        case tree.Arithmetic(first=first, rest=rest):
            if any(operator == "*" for operator, _ in rest):
                return math.inf
            return factor(first) + sum(factor(term) for _, term in rest)
        case tree.Assignment(operator=operator, target=target, value=value):
            # A place that is set holds the new value once; several places would repeat it.
            if operator == "*=" or _has_several(value):
                return math.inf
            if _has_several(target) and (operator != "|=" or _has_variable(value)):
                return math.inf
            return 1.0 + factor(value)
        case tree.If(branches=branches, otherwise=otherwise):
            return sum(factor(result) for _, result in branches) + (
                factor(otherwise) if otherwise else 1.0
            )
        case tree.Call(name=name) if name in _PARTS:
            return 1.0
        case tree.Call(name="map", arguments=(body,)):
            return math.inf if _has_variable(body) else factor(body)
        case tree.Text(parts=parts):
            # JSON text is longer than what it says, by its quotes and escapes.
            return sum(6 * factor(part) for part in parts if isinstance(part, tree.Node))
        case _:
            return math.inf


def _pipe_factor(stages: tuple[tree.Node, ...]) -> float:
    total = factor(stages[0])
    is_repeated = _has_several(stages[0])
    for stage in stages[1:]:
        if is_repeated and _has_variable(stage):
            return math.inf
        total *= max(factor(stage), 1.0)
        is_repeated = is_repeated or _has_several(stage)
    return total


def _has_several(node: tree.Node) -> bool:
    """Whether a node may have more than one result."""
    if isinstance(node, tree.Comma | tree.Descend):
        return True
    if isinstance(node, tree.Path) and any(isinstance(s, tree.EachStep) for s in node.steps):
        return True
    if isinstance(node, tree.Array):
        return False
    if isinstance(node, tree.Call) and node.name not in _PARTS:
        return True
    return any(map(_has_several, tree.children(node)))


def _has_variable(node: tree.Node) -> bool:
    return isinstance(node, tree.Variable) or any(map(_has_variable, tree.children(node)))


def check_size(results: list[Any]) -> None:
    """Raise `ExpressionLimit` when the results are larger than `MAX_SIZE` as JSON, roughly."""
    room = MAX_SIZE
    pending = list(results)
    while pending:
        value = pending.pop()
        if isinstance(value, str):
            room -= len(value) + 2
        elif is_array(value):
            room -= len(value) + 2
            pending.extend(value)
        elif is_object(value):
            room -= 4 * len(value) + 2
            for key, item in value.items():
                room -= len(key)
                pending.append(item)
        else:
            room -= 4
        if room < 0:
            raise ExpressionLimit("size")
