"""Which parts of an expression data can change, and which it cannot."""

from __future__ import annotations

from typing import Final

from diglot.compiler.expressions import tree
from diglot.compiler.expressions.analysis import reads_input

#: Variables that whoever runs the engine gives a value, and not who gives the data.
_GIVEN: Final = frozenset({"secrets", "runtime", "__now", "__loc__"})


def is_fixed(node: tree.Node) -> bool:
    """Whether the result of a part does not depend on data at all."""
    if isinstance(node, tree.Path) and isinstance(node.base, tree.Variable):
        return is_fixed(node.base) and all(map(is_fixed, list(tree.children(node))[1:]))
    rest: list[tree.Node] = [node]
    while rest:
        part = rest.pop()
        if isinstance(part, tree.Variable) and part.name not in _GIVEN:
            return False
        rest.extend(tree.children(part))
    return not reads_input(node)
