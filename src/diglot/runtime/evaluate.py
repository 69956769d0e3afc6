"""Values of the graph compiled to functions of a step, a frame and the data they look at."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from diglot.compiler import graph as g
from diglot.compiler.expressions import (
    ExpressionError,
    ExpressionSyntaxError,
    Program,
    compile_jq,
    evaluate,
)
from diglot.compiler.expressions.uri_template import UriTemplateError, expand
from diglot.specs.serverless_workflow.durations import parse_duration

from .clock import later
from .faults import fault

if TYPE_CHECKING:
    from .semantics.frame import Frame
    from .semantics.step import Step

#: A value ready to be computed: (step, frame, dot) -> JSON value.
Compiled = Callable[["Step", "Frame", Any], Any]

_SECRET = re.compile(r"\$secrets\s*(?:\.\s*([A-Za-z_]\w*)|\[\s*\"([^\"\\]+)\"\s*\])")


def compile_value(value: g.Value) -> Compiled:
    """The function that computes `value`; it raises `Fault` where an expression fails."""
    match value:
        case g.Expression():
            return _single(value)
        case g.Constant(document=constant):
            return lambda step, frame, dot: constant
        case g.Record(members=members):
            parts = [(name, compile_value(member)) for name, member in members]
            return lambda step, frame, dot: {name: part(step, frame, dot) for name, part in parts}
        case g.Listing(items=items):
            entries = [compile_value(item) for item in items]
            return lambda step, frame, dot: [entry(step, frame, dot) for entry in entries]
        case g.UriTemplate(text=text):
            return lambda step, frame, dot: _expand(text, dot)
        case g.SecretValue(name=name):
            return lambda step, frame, dot: step.around.secrets.sealed(step.state.id, name)
        case g.Duration():
            return lambda step, frame, dot: value


def compile_condition(expression: g.Expression) -> Callable[[Step, Frame, Any], bool]:
    """The truth of an expression as jq sees it: only false, null and no result are false.

    One that yields a boolean has to give true or false, and nothing else is taken for it.
    """
    if expression.yields == "boolean":
        return _strict_condition(expression)
    run = _run(expression)

    def is_true(step: Step, frame: Frame, dot: Any) -> bool:
        found = run(step, frame, dot)
        if len(found) > 1:
            raise _several(expression, len(found))
        return bool(found) and found[0] is not None and found[0] is not False

    return is_true


def _strict_condition(expression: g.Expression) -> Callable[[Step, Frame, Any], bool]:
    compute = _single(expression)

    def is_true(step: Step, frame: Frame, dot: Any) -> bool:
        found = compute(step, frame, dot)
        if not isinstance(found, bool):
            words = expression.source or expression.text
            raise fault("expression", f"{words!r} gave {type_name(found)}, not true or false")
        return found

    return is_true


def compile_watch(expression: g.Expression) -> Callable[[Step, Frame, Any], bool]:
    """The truth of a condition that is waited for: null, what is not known yet, is not true."""
    compute = _single(expression)
    is_strict = expression.yields == "boolean"

    def is_true(step: Step, frame: Frame, dot: Any) -> bool:
        found = compute(step, frame, dot)
        if is_strict and found is not None and not isinstance(found, bool):
            words = expression.source or expression.text
            raise fault("expression", f"{words!r} gave {type_name(found)}, not true or false")
        return found is not None and found is not False

    return is_true


def type_name(value: Any) -> str:
    """The JSON name of a value's type, with its article."""
    match value:
        case None:
            return "null"
        case bool():
            return "a boolean"
        case int() | float():
            return "a number"
        case str():
            return "a string"
        case list():
            return "an array"
        case _:
            return "an object"


def compile_listing(value: g.Value) -> Compiled:
    """A collection: several results of an expression form the list (our decision A23)."""
    if not isinstance(value, g.Expression):
        return compile_value(value)
    run = _run(value)

    def listing(step: Step, frame: Frame, dot: Any) -> Any:
        found = run(step, frame, dot)
        return found[0] if len(found) == 1 else found

    return listing


def compile_due(value: g.Value) -> Callable[[Step, Frame, Any], int]:
    """The moment (`_ms`) a duration after now; an expression may give its text or its object."""
    compute = compile_value(value)

    def due(step: Step, frame: Frame, dot: Any) -> int:
        return later(step.now_ms, as_duration(compute(step, frame, dot)))

    return due


def as_duration(found: Any) -> g.Duration:
    """A duration out of a computed value.

    Raises:
        Fault: it is none.
    """
    if isinstance(found, g.Duration):
        return found
    try:
        parsed = parse_duration(found)
    except ValueError as error:
        raise fault("expression", str(error)) from error
    return g.Duration(months=parsed.months, milliseconds=parsed.milliseconds)


def _single(expression: g.Expression) -> Compiled:
    program = _program(expression)
    if program.is_identity and expression.of == "data":
        return lambda step, frame, dot: dot
    if program.direct is not None and not program.variables and expression.of == "data":
        return _at_once(expression, program.direct)
    run = _run(expression)

    def single(step: Step, frame: Frame, dot: Any) -> Any:
        found = run(step, frame, dot)
        if len(found) == 1:
            return found[0]
        if not found:
            return None
        raise _several(expression, len(found))

    return single


def _at_once(expression: g.Expression, direct: Callable[[Any, Mapping[str, Any]], Any]) -> Compiled:
    def at_once(step: Step, frame: Frame, dot: Any) -> Any:
        try:
            return direct(dot, {})
        except ExpressionError as error:
            raise _failed(expression, error) from error

    return at_once


def _program(expression: g.Expression) -> Program:
    try:
        return compile_jq(expression.text)
    except ExpressionSyntaxError as error:
        raise fault("expression", f"{error.message} in {expression.text!r}") from error


def _run(expression: g.Expression) -> Callable[[Step, Frame, Any], list[Any]]:
    program = _program(expression)
    names = tuple(sorted(program.variables))
    text = expression.text
    secrets: tuple[str, ...] | None = None
    if "secrets" in names:
        secrets = tuple({a or b for a, b in _SECRET.findall(text)})

    def run(step: Step, frame: Frame, dot: Any) -> list[Any]:
        if expression.of == "variables":
            dot = step.all_variables(frame)
        if secrets is not None:
            for secret in secrets:
                step.around.secrets.require(secret)
        variables = {name: step.variable(name, frame) for name in names}
        try:
            return evaluate(program, dot, variables, pool=step.pool)
        except ExpressionError as error:
            raise _failed(expression, error) from error

    return run


def _failed(expression: g.Expression, error: ExpressionError) -> Exception:
    return fault("expression", f"{error} in {expression.source or expression.text!r}")


def _several(expression: g.Expression, count: int) -> Exception:
    return fault("expression", f"{expression.text!r} gave {count} results, not one")


def _expand(text: str, dot: Any) -> str:
    try:
        return expand(text, dot if isinstance(dot, dict) else {})  # pyright: ignore
    except UriTemplateError as error:
        raise fault("expression", str(error)) from error
