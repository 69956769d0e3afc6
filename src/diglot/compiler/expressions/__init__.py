"""Expressions: jq read by our own front end, run natively or by guarded evaluator processes."""

from .errors import ExpressionError, ExpressionLimit, ExpressionSyntaxError
from .program import Program, compile_jq, evaluate

__all__ = [
    "ExpressionError",
    "ExpressionLimit",
    "ExpressionSyntaxError",
    "Program",
    "compile_jq",
    "evaluate",
]
