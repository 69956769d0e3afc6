"""Expressions: jq read by our own front end, run natively or by guarded evaluator processes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .errors import ExpressionError, ExpressionLimit, ExpressionSyntaxError
from .program import Program, compile_jq, evaluate

if TYPE_CHECKING:
    from .pool import EvaluatorPool

__all__ = [
    "EvaluatorPool",
    "ExpressionError",
    "ExpressionLimit",
    "ExpressionSyntaxError",
    "Program",
    "compile_jq",
    "evaluate",
]


def __getattr__(name: str) -> Any:
    # A check starts no processes, and need not load what does.
    if name == "EvaluatorPool":
        from .pool import EvaluatorPool

        return EvaluatorPool
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
