"""jq's five arithmetic operators over all kinds of values.

Source: jq 1.8 manual, "Builtin operators and functions".
"""

from __future__ import annotations

from typing import Any

from .arithmetic import (
    HUGE,
    as_float,
    divide,
    is_number,
    remainder,
    settle,
    settle_int,
    truncate,
)
from .errors import ExpressionError
from .run import Run
from .values import failure, failure_of_two, is_object, kind, same, shown


def add(left: Any, right: Any, run: Run) -> Any:
    """`+`: sums, joined strings and arrays, merged objects; null adds nothing."""
    kind_left = left.__class__
    kind_right = right.__class__
    if kind_left is int and kind_right is int:
        total = left + right
        return total if -HUGE < total < HUGE else settle_int(total, run)
    if kind_left is str and kind_right is str:
        length = len(left) + len(right)
        if length > 63:
            run.spend_text(length)
        return left + right
    if left is None:
        return right
    if right is None:
        return left
    if kind_left is dict and kind_right is dict:
        run.spend_entries(len(left) + len(right))
        return left | right
    if kind_left is list and kind_right is list:
        run.spend_items(len(left) + len(right))
        return left + right
    if is_number(left) and is_number(right):
        return settle(as_float(left) + as_float(right), run)
    raise failure_of_two(left, right, "cannot be added")


def subtract(left: Any, right: Any, run: Run) -> Any:
    """`-`: differences of numbers, and of arrays."""
    kind_left = left.__class__
    kind_right = right.__class__
    if kind_left is int and kind_right is int:
        return settle_int(left - right, run)
    if is_number(left) and is_number(right):
        return settle(as_float(left) - as_float(right), run)
    if kind_left is list and kind_right is list:
        run.spend(len(left) + 1)
        return [item for item in left if not any(same(item, other, run) for other in right)]
    raise failure_of_two(left, right, "cannot be subtracted")


def multiply(left: Any, right: Any, run: Run) -> Any:
    """`*`: products, repeated strings, objects merged at every depth."""
    kind_left = left.__class__
    kind_right = right.__class__
    if kind_left is int and kind_right is int:
        return settle_int(left * right, run)
    if is_number(left) and is_number(right):
        return settle(as_float(left) * as_float(right), run)
    if kind_left is str and is_number(right):
        return _repeat(left, right, run)
    if is_number(left) and kind_right is str:
        return _repeat(right, left, run)
    if kind_left is dict and kind_right is dict:
        return _merge(left, right, run)
    raise failure_of_two(left, right, "cannot be multiplied")


def _repeat(text: str, count: int | float, run: Run) -> str | None:
    if count < 0 or count != count:
        return None
    times = truncate(count, high=2**31 - 1)
    run.spend_text(len(text) * times)
    return text * times


def _merge(left: dict[str, Any], right: dict[str, Any], run: Run) -> dict[str, Any]:
    run.spend_entries(len(left))
    run.spend(len(right) + 1)
    merged = dict(left)
    for key, item in right.items():
        before = merged.get(key)
        if is_object(before) and is_object(item):
            item = _merge(before, item, run)
        merged[key] = item
    return merged


def quotient(left: Any, right: Any, run: Run) -> Any:
    """`/`: quotients, and strings split by a string."""
    if is_number(left) and is_number(right):
        if right == 0:
            raise failure_of_two(left, right, "cannot be divided because the divisor is zero")
        return divide(left, right, run)
    if type(left) is str and type(right) is str:
        return split_text(left, right, run)
    raise failure_of_two(left, right, "cannot be divided")


def split_text(text: str, separator: str, run: Run) -> list[str]:
    """The parts of a string; without a separator its characters."""
    run.spend_text(len(text))
    if not text:
        return []
    parts = text.split(separator) if separator else list(text)
    run.spend(len(parts))
    return parts


def modulo(left: Any, right: Any, run: Run) -> Any:
    """`%`: the remainder of whole parts, with the sign of the left side."""
    if is_number(left) and is_number(right):
        rest = remainder(left, right, run)
        if rest is None:
            raise failure_of_two(
                left, right, "cannot be divided (remainder) because the divisor is zero"
            )
        return rest
    raise failure_of_two(left, right, "cannot be divided (remainder)")


def negate(value: Any, run: Run) -> Any:
    """`-` before a term."""
    if not is_number(value):
        raise failure(value, "cannot be negated")
    return -value if isinstance(value, int) else settle(-value, run)


def key_error(key: Any) -> ExpressionError:
    """The error of an object key that is no string."""
    return ExpressionError(f"Cannot use {kind(key)} ({shown(key)}) as object key")


OPERATORS = {
    "+": add,
    "-": subtract,
    "*": multiply,
    "/": quotient,
    "%": modulo,
}
