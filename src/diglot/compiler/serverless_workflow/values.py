"""Expressions, data with expressions in it, and durations: what stands where a value stands.

Source: DSL, Runtime Expressions; DSL reference, Evaluate, Duration.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from diglot.specs.serverless_workflow.durations import parse_duration

from .. import codes
from ..expressions import ExpressionSyntaxError, compile_jq
from ..expressions.known import NOW_VARIABLE
from ..expressions.strict import expression_text
from ..graph import Constant, Duration, Expression, Listing, Record, Value
from ..pointers import join_pointer
from .literals import check_literal, has_embedded_expression

if TYPE_CHECKING:
    from .located import Json
    from .reading import Reading


def expression(reading: Reading, text: str, pointer: str) -> Expression:
    """The expression of a field that holds nothing else: bare text and `${ }` are both one."""
    inner, offset = expression_text(text) or (text, 0)
    return _expression(reading, inner, offset, pointer)


def value(reading: Reading, data: Json, pointer: str) -> Value:
    """Data of the author, in which only a string that `${ }` encloses wholly is an expression.

    What holds no expression at any depth is one constant. In loose mode every string is tried.
    """
    if isinstance(data, str):
        return text_value(reading, data, pointer)
    if isinstance(data, dict):
        members = tuple(
            (name, value(reading, member, pointer + join_pointer(name)))
            for name, member in data.items()
        )
        if all(isinstance(member, Constant) for _, member in members):
            return Constant(data)
        return Record(members)
    if isinstance(data, list):
        items = tuple(value(reading, item, f"{pointer}/{index}") for index, item in enumerate(data))
        if all(isinstance(item, Constant) for item in items):
            return Constant(data)
        return Listing(items)
    return Constant(data)


def text_value(reading: Reading, text: str, pointer: str) -> Value:
    """One string of the author's data."""
    found = expression_text(text)
    if reading.is_loose:
        return _loose_value(reading, text, found or (text, 0), pointer)
    if found is not None:
        inner, offset = found
        return _expression(reading, inner, offset, pointer)
    check_literal(reading, text, pointer)
    return Constant(text)


def filter_or_data(reading: Reading, data: str | dict[str, Json], pointer: str) -> Value:
    """The value of `from` and `as`: an expression, or an object with expressions in it."""
    if isinstance(data, str):
        return expression(reading, data, pointer)
    return value(reading, data, pointer)


def duration(
    reading: Reading, written: str | dict[str, int], pointer: str
) -> Duration | Expression:
    """A length of time as the author wrote it; an expression gives its text when it is run."""
    if isinstance(written, str) and expression_text(written) is not None:
        return expression(reading, written, pointer)
    found = parse_duration(written)
    if found.months:
        reading.find(codes.CALENDAR_DURATION, pointer, duration=spelled(written))
    return Duration(months=found.months, milliseconds=found.milliseconds)


def spelled(written: str | dict[str, int]) -> str:
    """A duration in the author's words, on one line."""
    if isinstance(written, str):
        return written
    return ", ".join(f"{unit}: {count}" for unit, count in written.items())


def is_negative(length: Duration | Expression) -> bool:
    """Whether a length of time is known to lie in the past, so that it is over at once."""
    return isinstance(length, Duration) and (length.months < 0 or length.milliseconds < 0)


def _expression(reading: Reading, inner: str, offset: int, pointer: str) -> Expression:
    text = inner.strip()
    start = offset + len(inner) - len(inner.lstrip())
    span = reading.document.scalar_span(pointer, start, start + len(text))
    return Expression(text=text, span=span)


def _can_run(reading: Reading, text: str) -> bool:
    """Whether a text is an expression of which nothing is unknown or forbidden."""
    try:
        program = compile_jq(text)
    except ExpressionSyntaxError:
        return False
    is_known = not program.forbidden and not program.unknown_functions
    return is_known and reading.may_bind(program.variables - {NOW_VARIABLE})


def _loose_value(reading: Reading, text: str, found: tuple[str, int], pointer: str) -> Value:
    """A string in loose mode: an expression if it is one, and the string itself where that fails.

    Source: DSL reference, Evaluate.
    """
    inner, offset = found
    if not _can_run(reading, inner):
        has_embedded_expression(reading, text, pointer)
        return Constant(text)
    plain = _expression(reading, inner, offset, pointer)
    # The line end closes a comment that the author's text may end with.
    attempt = f"try ({plain.text}\n) catch {json.dumps(text)}"
    return Expression(text=attempt, source=plain.text, span=plain.span)
