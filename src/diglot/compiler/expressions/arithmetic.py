"""Numbers as jq counts them, with one difference: whole numbers are exact.

jq counts in doubles. Here an `int` stays an `int` and is exact at any size up to what a double
can hold; a result that is whole and below 2^53 is an `int`, as jq prints it. There is no negative
zero, and the spelling of a number (`1.0`, `1e2`) is not remembered.
"""

from __future__ import annotations

import math
import re
import sys
from typing import Any

from .errors import ExpressionLimit
from .run import Run

#: Whole floats below this are ints.
EXACT = 2**53

#: No int that is calculated is larger; a double would be infinite here.
HUGE = 2**1024

MAX_FLOAT = sys.float_info.max


def settle(value: float, run: Run) -> int | float:
    """A calculated float as it leaves an operation."""
    if -EXACT < value < EXACT:
        return int(value) if value.is_integer() else value
    if value - value != 0:
        run.has_odd_numbers = True
    return value


def settle_int(value: int, run: Run) -> int | float:
    """A calculated int as it leaves an operation: exact, or infinite as a double would be."""
    if -HUGE < value < HUGE:
        return value
    run.has_odd_numbers = True
    return math.inf if value > 0 else -math.inf


def as_float(value: int | float) -> float:
    """The double next to `value`."""
    if type(value) is float:
        return value
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf


def truncate(value: int | float, low: int = -(2**63), high: int = 2**63 - 1) -> int:
    """The whole part towards zero, within bounds; NaN is 0."""
    if isinstance(value, float):
        if value != value:
            return 0
        value = int(max(min(value, 2.0**70), -(2.0**70)))
    return max(low, min(high, value))


def compare_numbers(left: int | float, right: int | float) -> int:
    """-1, 0 or 1; NaN is less than every number, itself too."""
    if left < right or left != left:
        return -1
    return 0 if left == right else 1


def divide(left: int | float, right: int | float, run: Run) -> int | float:
    """The quotient; an int where it is whole. `right` is not zero."""
    if isinstance(left, int) and isinstance(right, int):
        quotient, remainder = divmod(left, right)
        if remainder == 0:
            return settle_int(quotient, run)
        try:
            return settle(left / right, run)
        except OverflowError:
            return settle_int(quotient, run)
    return settle(as_float(left) / as_float(right), run)


def remainder(left: int | float, right: int | float, run: Run) -> int | float | None:
    """The remainder of the whole parts with the sign of `left`; None where it has none."""
    if left != left or right != right:
        run.has_odd_numbers = True
        return math.nan
    # Ints are exact; the whole part of a float is bounded as jq bounds it.
    whole = left if isinstance(left, int) else truncate(left)
    divisor = right if isinstance(right, int) else truncate(right)
    if divisor == 0:
        return None
    rest = abs(whole) % abs(divisor)
    return -rest if whole < 0 else rest


def power(base: int | float, exponent: int | float, run: Run) -> int | float:
    """C's `pow`, with infinities and NaN where Python would raise."""
    left, right = as_float(base), as_float(exponent)
    try:
        return settle(math.pow(left, right), run)
    except OverflowError:
        odd = right.is_integer() and right % 2 == 1
        return settle(-math.inf if left < 0 and odd else math.inf, run)
    except ValueError:
        # 0 to a negative power is infinite, a negative base to a broken one has no value.
        return settle(math.inf if left == 0 else math.nan, run)


def round_half_away(value: float) -> float:
    """C's `round`."""
    if math.isinf(value) or math.isnan(value):
        return value
    whole = math.trunc(value)
    return float(whole + (math.copysign(1, value) if abs(value - whole) >= 0.5 else 0))


def number_text(value: int | float) -> str:
    """A number as jq prints one it has calculated."""
    if isinstance(value, int):
        return str(value)
    if value != value:
        return "null"
    if value in (math.inf, -math.inf):
        value = math.copysign(MAX_FLOAT, value)
    if value.is_integer() and abs(value) < EXACT:
        # Such a float was read, not calculated.
        return repr(value)
    digits, point = _digits(abs(value))
    sign = "-" if value < 0 else ""
    if point <= -4 or point > len(digits) + 15:
        rest = f".{digits[1:]}" if len(digits) > 1 else ""
        exponent = point - 1
        return f"{sign}{digits[0]}{rest}e{'-' if exponent < 0 else '+'}{abs(exponent):02d}"
    if point <= 0:
        return f"{sign}0.{'0' * -point}{digits}"
    if point >= len(digits):
        return f"{sign}{digits}{'0' * (point - len(digits))}"
    return f"{sign}{digits[:point]}.{digits[point:]}"


def _digits(value: float) -> tuple[str, int]:
    """The shortest digits of a positive float, and where its point stands before them."""
    mantissa, _, exponent = repr(value).partition("e")
    whole, _, fraction = mantissa.partition(".")
    digits = (whole + fraction).lstrip("0")
    leading = len(whole + fraction) - len(digits)
    point = len(whole) - leading + int(exponent or 0)
    return digits.rstrip("0") or "0", point


def is_number(value: Any) -> bool:
    """Whether a JSON value is a number: Python's booleans are not."""
    kind = value.__class__
    return kind is int or kind is float


_NUMBER = re.compile(
    r"[+-]?(?:(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?|inf(?:inity)?|s?nan0*)",
    re.IGNORECASE | re.ASCII,
)


def parse_number(text: str, run: Run) -> int | float | None:
    """The number a text spells in jq's eyes, None for any other text."""
    if not _NUMBER.fullmatch(text):
        return None
    run.spend(len(text) >> 3)
    digits = text[1:] if text[:1] in ("+", "-") else text
    if digits.isdecimal():
        if len(digits) > 4_000:
            raise ExpressionLimit("size")
        return int(text)
    return settle(math.nan if "nan" in text.lower() else float(text), run)
