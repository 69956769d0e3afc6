"""The expressions of a graph as trees, read once for all checks that look at the same text."""

from __future__ import annotations

from functools import lru_cache

from diglot.compiler.expressions import ExpressionSyntaxError, tree
from diglot.compiler.expressions.parser import parse


@lru_cache(maxsize=1024)
def program_of(text: str) -> tree.Node | None:
    """The tree of an expression; None where it is no jq, which `expressions.py` reports."""
    try:
        return parse(text)
    except (ExpressionSyntaxError, RecursionError):
        return None
