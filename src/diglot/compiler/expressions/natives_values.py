"""jq's functions of single values: kinds, numbers, conversions."""

from __future__ import annotations

import math
from typing import Any

from . import tree
from .arithmetic import (
    EXACT,
    as_float,
    is_number,
    parse_number,
    power,
    round_half_away,
    settle,
)
from .closures import Code, Scope, several, single
from .closures_functions import builtin, on_input, on_values
from .errors import ExpressionError
from .formats import apply_format
from .operators import negate
from .run import Run
from .values import contains as contains_value
from .values import failure, failure_of_two, is_same_kind, kind, to_json, to_text

_SIZED = frozenset((str, list, dict))


@builtin("empty/0")
def empty(_arguments: tuple[tree.Node, ...], _scope: Scope) -> Code:
    """No result."""
    return several(lambda _value, _env: ())


@builtin("error/0")
@on_input
def error(value: Any, _run: Run) -> Any:
    """The input as an error."""
    raise ExpressionError(value)


@builtin("error/1")
@on_values
def error_of(_value: Any, reason: Any, _run: Run) -> Any:
    """The argument as an error."""
    raise ExpressionError(reason)


@builtin("not/0")
@on_input
def not_(value: Any, _run: Run) -> bool:
    """Whether the input is null or false."""
    return value is None or value is False


@builtin("type/0")
@on_input
def type_(value: Any, _run: Run) -> str:
    """The kind of the input."""
    return kind(value)


@builtin("length/0")
@on_input
def length(value: Any, _run: Run) -> Any:
    """Characters, items, entries; of a number its amount, of null 0."""
    return length_of(value)


def length_of(value: Any) -> Any:
    """Jq's `length`."""
    if value.__class__ in _SIZED:
        return len(value)
    if value is None:
        return 0
    if is_number(value):
        return abs(value)
    raise failure(value, "has no length")


@builtin("utf8bytelength/0")
@on_input
def utf8bytelength(value: Any, run: Run) -> int:
    """Bytes of a string."""
    if not isinstance(value, str):
        raise failure(value, "only strings have UTF-8 byte length")
    run.spend_text(len(value))
    return len(value.encode())


@builtin("tostring/0")
@on_input
def tostring(value: Any, run: Run) -> str:
    """A string as it is, else the JSON text."""
    return to_text(value, run)


@builtin("tojson/0")
@on_input
def tojson(value: Any, run: Run) -> str:
    """The JSON text."""
    return to_json(value, run)


@builtin("format/1")
@on_values
def format_as(value: Any, name: Any, run: Run) -> str:
    """The input in the format of that name."""
    if not isinstance(name, str):
        raise failure(name, "is not a valid format")
    return apply_format(name, value, run)


@builtin("tonumber/0")
@on_input
def tonumber(value: Any, run: Run) -> Any:
    """A number as it is, a string by its spelling."""
    if is_number(value):
        return value
    if isinstance(value, str):
        number = parse_number(value, run)
        if number is not None:
            return number
    raise failure(value, "cannot be parsed as a number")


@builtin("toboolean/0")
@on_input
def toboolean(value: Any, _run: Run) -> bool:
    """A boolean as it is, or spelled in a string."""
    if isinstance(value, bool):
        return value
    if value in ("true", "false"):
        return bool(value == "true")
    raise failure(value, "cannot be parsed as a boolean")


@builtin("contains/1")
@on_values
def contains(value: Any, other: Any, run: Run) -> bool:
    """Whether the argument is within the input."""
    if not is_same_kind(value, other):
        raise failure_of_two(value, other, "cannot have their containment checked")
    return contains_value(value, other, run)


def _number(value: Any) -> int | float:
    if not is_number(value):
        raise failure(value, "number required")
    number: int | float = value
    return number


@builtin("floor/0")
@on_input
def floor(value: Any, run: Run) -> Any:
    """The whole number at or below."""
    return _whole(_number(value), math.floor, run)


@builtin("ceil/0")
@on_input
def ceil(value: Any, run: Run) -> Any:
    """The whole number at or above."""
    return _whole(_number(value), math.ceil, run)


@builtin("trunc/0")
@on_input
def trunc(value: Any, run: Run) -> Any:
    """The whole part."""
    return _whole(_number(value), math.trunc, run)


@builtin("round/0")
@on_input
def round_(value: Any, run: Run) -> Any:
    """The nearest whole number, half away from zero."""
    return _whole(_number(value), round_half_away, run)


def _whole(value: int | float, function: Any, run: Run) -> int | float:
    if isinstance(value, int) or not -EXACT < value < EXACT:
        return value
    return settle(float(function(value)), run)


@builtin("abs/0")
@on_input
def abs_(value: Any, run: Run) -> Any:
    """The amount of a number; what comes behind numbers in jq's order stays as it is."""
    if is_number(value):
        return abs(value)
    return value if value.__class__ in _SIZED else negate(value, run)


@builtin("fabs/0")
@on_input
def fabs(value: Any, _run: Run) -> Any:
    """The amount of a number."""
    return abs(_number(value))


@builtin("sqrt/0")
@on_input
def sqrt(value: Any, run: Run) -> Any:
    """The square root; NaN below zero."""
    number = as_float(_number(value))
    return settle(math.sqrt(number) if number >= 0 else math.nan, run)


@builtin("pow/2")
@on_values
def pow_(_value: Any, base: Any, exponent: Any, run: Run) -> Any:
    """The power."""
    return power(_number(base), _number(exponent), run)


@builtin("infinite/0")
@on_input
def infinite(_value: Any, run: Run) -> float:
    """Infinity."""
    run.has_odd_numbers = True
    return math.inf


@builtin("nan/0")
@on_input
def nan(_value: Any, run: Run) -> float:
    """No number."""
    run.has_odd_numbers = True
    return math.nan


@builtin("isinfinite/0")
@on_input
def isinfinite(value: Any, _run: Run) -> bool:
    """Whether the input is an infinity."""
    return is_number(value) and math.isinf(as_float(value))


@builtin("isnan/0")
@on_input
def isnan(value: Any, _run: Run) -> bool:
    """Whether the input is NaN."""
    return is_number(value) and value != value


@builtin("isnormal/0")
@on_input
def isnormal(value: Any, _run: Run) -> bool:
    """Whether the input is a number with full precision: not zero, tiny, infinite or NaN."""
    return is_normal(value)


def is_normal(value: Any) -> bool:
    """C's `isnormal`; false for what is no number."""
    return is_number(value) and 2.0**-1022 <= abs(as_float(value)) < math.inf


@builtin("isfinite/0")
@on_input
def isfinite(value: Any, _run: Run) -> bool:
    """Whether the input is a number and no infinity."""
    return is_finite(value)


def is_finite(value: Any) -> bool:
    """Jq's `isfinite`: NaN counts as finite."""
    return is_number(value) and not math.isinf(as_float(value))


@builtin("have_decnum/0", "have_literal_numbers/0")
def have_decnum(_arguments: tuple[tree.Node, ...], _scope: Scope) -> Code:
    """Whether large numbers keep their digits."""
    return single(lambda _value, _env: True)
