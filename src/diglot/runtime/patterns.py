"""Regular expressions of documents, asked so that none of them can hold up the engine.

Python's `re` may take for ever on a pattern made for it, and cannot be stopped. So it is asked only
where the pattern leaves it no choice to go back on; every other pattern is asked of jq's evaluator,
which is stopped when its time is over.
"""

from __future__ import annotations

import re
from functools import lru_cache
from importlib import import_module
from typing import Any, cast

from diglot.compiler.expressions import ExpressionError, compile_jq, evaluate

from .faults import fault

# Python's own reader of patterns, which has no public name.
constants: Any = import_module("re._constants")
parser: Any = import_module("re._parser")

#: So many repetitions without an end may stand one behind the other: their cost multiplies.
MOST_REPETITIONS = 2

_TEST = compile_jq("test($pattern)")


def fits(pattern: str, text: str) -> bool:
    """Whether the pattern is found somewhere in the text.

    Raises:
        Fault: the pattern is none, or takes too long on this text (validation).
    """
    harmless = _harmless(pattern)
    if harmless is not None:
        return harmless.search(text) is not None
    try:
        (found,) = evaluate(_TEST, text, {"pattern": pattern})
    except ExpressionError as error:
        raise fault("validation", f"the pattern {pattern!r} could not be tried: {error}") from error
    return bool(found)


def all_harmless(schema: Any) -> bool:
    """Whether every name of a `patternProperties` anywhere in a schema is quick on every text."""
    rest: list[Any] = [schema]
    while rest:
        part = rest.pop()
        if isinstance(part, dict):
            members = cast("dict[str, Any]", part)
            rest.extend(members.values())
            names = members.get("patternProperties")
            if isinstance(names, dict) and any(
                _harmless(name) is None for name in cast("dict[str, Any]", names)
            ):
                return False
        elif isinstance(part, list):
            rest.extend(cast("list[Any]", part))
    return True


@lru_cache(maxsize=1024)
def _harmless(pattern: str) -> re.Pattern[str] | None:
    """The pattern, where Python is quick with it on every text."""
    try:
        parsed = parser.parse(pattern)
        if _repetitions(parsed) > MOST_REPETITIONS:
            return None
        return re.compile(pattern)
    except (re.error, RecursionError, OverflowError):
        return None


def _repetitions(parsed: Any) -> int:
    """How many repetitions without an end there are; one inside another counts as too many."""
    count = 0
    for operator, argument in parsed:
        if operator in (constants.MAX_REPEAT, constants.MIN_REPEAT):
            _, most, inner = argument
            within = _repetitions(inner)
            if most > MOST_COPIES:
                count += 1 if within == 0 and not _has_choice(inner) else MOST_REPETITIONS + 1
            else:
                # A bounded repetition is that many copies.
                count += within * max(1, int(most))
        elif operator is constants.SUBPATTERN:
            count += _repetitions(argument[-1])
        elif operator is constants.BRANCH:
            count += sum(_repetitions(branch) for branch in argument[1])
        elif operator not in _PLAIN:
            # References, conditions and looks ahead and back: let the evaluator see to them.
            count += MOST_REPETITIONS + 1
    return count


#: A repetition of more copies than this is one without an end.
MOST_COPIES = 100


def _has_choice(parsed: Any) -> bool:
    """Whether a part may match the same text in several ways, or nothing at all."""
    return any(
        operator not in (constants.LITERAL, constants.NOT_LITERAL, constants.IN, constants.ANY)
        for operator, _ in parsed
    )


_PLAIN = frozenset(
    {constants.LITERAL, constants.NOT_LITERAL, constants.IN, constants.ANY, constants.AT}
)
