"""What a program yields that reads nothing."""

from __future__ import annotations

from typing import Any, Final

from diglot.compiler.expressions import ExpressionError, Program, compile_jq

from .pieces import OPEN

#: What working out a constant may cost.
_FUEL: Final = 20_000


def work_out(program: Program | str) -> Any:
    """The only result of a program that needs no input and no variable; else `OPEN`."""
    if isinstance(program, str):
        program = compile_jq(program)
    if program.variables or not program.plain:
        return OPEN
    try:
        results = program.evaluate({}, {}, fuel=_FUEL)
    except ExpressionError:
        return OPEN
    return results[0] if len(results) == 1 else OPEN
