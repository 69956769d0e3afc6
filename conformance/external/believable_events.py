"""Events that a filter takes, made from the filter."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Mapping
from typing import Any, cast

from diglot.compiler.expressions import ExpressionError, compile_jq, evaluate
from diglot.compiler.graph import Constant, EventFilter, Expression, Listing, Record, Value

#: How many values are tried to make a condition true.
_MOST_TRIES = 5_000
#: What every key of a correlation is, so that all events belong together.
_KEY = "one"

_PATH = re.compile(r"(?<![\w\"\]])((?:\.[A-Za-z_]\w*)+)")
_NUMBER = re.compile(r"(?<![\w.])-?\d+(?:\.\d+)?")
_TEXT = re.compile(r'"([^"\\]*)"')


def event_for(wanted: EventFilter, number: int, data: Mapping[str, Any]) -> dict[str, Any] | None:
    """An event that the filter takes, or nothing where none was found.

    `number` tells events apart; `data` is theirs, as far as the filter leaves it open.
    """
    envelope: dict[str, Any] = {
        "specversion": "1.0",
        "id": f"event-{number}",
        "source": "https://example.com/source",
        "type": "com.example.event",
        "data": dict(data),
    }
    for attribute in wanted.attributes:
        if isinstance(attribute.value, Expression):
            found = solved(attribute.value.text, dict(data) if attribute.name == "data" else {})
            if found is None:
                return None
            envelope[attribute.name] = found[0]
        else:
            envelope[attribute.name] = _plain(attribute.value)
    for key in wanted.correlations:
        path = key.read.text.strip()
        if not _PATH.fullmatch(path):
            return None
        _put(envelope, path.strip(".").split("."), _expected(key.expect))
    return envelope


def solved(condition: str, base: dict[str, Any]) -> tuple[Any] | None:
    """A value for which a jq condition is true, in a tuple; `base` says what else is in it."""
    program = compile_jq(condition)
    for candidate in itertools.islice(_candidates(condition, base), _MOST_TRIES):
        try:
            found = evaluate(program, candidate, dict.fromkeys(program.variables))
        except ExpressionError:
            continue
        if len(found) == 1 and found[0] not in (None, False):
            return (candidate,)
    return None


def _candidates(condition: str, base: dict[str, Any]) -> Iterator[Any]:
    """Values made of the literals that the condition compares with, and their neighbours."""
    numbers = [float(text) if "." in text else int(text) for text in _NUMBER.findall(condition)]
    scalars: list[Any] = [n + step for n in numbers for step in (0, 1, -1)]
    scalars += _TEXT.findall(condition)
    scalars += [True, 1, "text", None]
    paths = list(dict.fromkeys(_PATH.findall(condition)))
    if not paths:
        yield from (base, *scalars)
        return
    for values in itertools.product(scalars, repeat=len(paths)):
        made = dict(base)
        for path, value in zip(paths, values, strict=True):
            _put(made, path.strip(".").split("."), value)
        yield made


def _plain(value: Value) -> Any:
    match value:
        case Constant(document=document):
            return document
        case Record(members=members):
            return {name: _plain(member) for name, member in members}
        case Listing(items=items):
            return [_plain(item) for item in items]
        case _:
            return None


def _expected(value: Value | None) -> Any:
    return value.document if isinstance(value, Constant) else _KEY


def _put(made: dict[str, Any], path: list[str], value: Any) -> None:
    for name in path[:-1]:
        inner = made.get(name)
        made[name] = dict(cast("dict[str, Any]", inner)) if isinstance(inner, dict) else {}
        made = made[name]
    made[path[-1]] = value
