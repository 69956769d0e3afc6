"""The readable form of the graph's values: what stands on the lines of `text.py`.

Two values with different meaning never read the same: an author's text is quoted wherever it
could be taken for ours, and members that no rule here knows are written by name.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from functools import cache
from typing import Any, TypeVar, cast

import msgspec

from diglot.compiler.plain import plain_json

from .data import Constant, Duration, Expression, Listing, Record, Schema, SecretValue, UriTemplate
from .errors import STANDARD_ERRORS, error_type
from .model import PLACES
from .nodes import Action, MultiInstance
from .triggers import (
    Attribute,
    Correlation,
    ErrorTemplate,
    ErrorTrigger,
    EventFilter,
    EventStrategy,
    EventTrigger,
    RetryPolicy,
    TimerTrigger,
)

_WORD = re.compile(r"[A-Za-z_][\w-]*", re.ASCII)
_ID = re.compile(r"[\w/.#~@:+*$%!-]+(?:->[\w/.#~@:+*$%!-]+)?", re.ASCII)
_STANDARD_TYPES = {error_type(name): name for name in STANDARD_ERRORS}
_UNITS = (("D", 86_400_000), ("H", 3_600_000), ("M", 60_000))

_Struct = TypeVar("_Struct")
_RULES: dict[type, Callable[[Any], str]] = {}


class Verbatim(str):
    """Text of the readable form itself, which stands as it is."""

    __slots__ = ()


def value_text(value: object) -> str:
    """One value on one line: any struct of the graph, a name, a number, a tuple of these."""
    rule = _RULES.get(type(value))
    if rule is not None:
        return rule(value)
    if isinstance(value, msgspec.Struct):
        return f"({named(members(value))})"
    if isinstance(value, tuple):
        return f"[{', '.join(value_text(item) for item in cast('tuple[object, ...]', value))}]"
    if isinstance(value, str):
        return value if isinstance(value, Verbatim) else word(value)
    return quoted(value)


def members(part: msgspec.Struct) -> dict[str, Any]:
    """The members of a struct that differ from their defaults, places left out."""
    return {
        name: value
        for name, default in _defaults(type(part))
        if (value := getattr(part, name)) is not default and value != default
    }


def named(rest: dict[str, Any]) -> str:
    """Members by name, `delay PT5S, count 3`; one that is true is its name alone."""
    return ", ".join(
        _spoken(name) if value is True else f"{_spoken(name)} {value_text(value)}"
        for name, value in rest.items()
    )


def word(text: str) -> str:
    """A name as it is where it is a plain word, else in quotes."""
    return text if _WORD.fullmatch(text) else quoted(text)


def identifier(text: str) -> str:
    """An id as it is where no reader can mistake it, else in quotes."""
    return text if _ID.fullmatch(text) else quoted(text)


def joined(*parts: str) -> str:
    """The parts that say something, one blank between them."""
    return " ".join(part for part in parts if part)


@cache
def _defaults(kind: type[msgspec.Struct]) -> tuple[tuple[str, Any], ...]:
    return tuple(
        (
            field.name,
            field.default
            if field.default_factory is msgspec.NODEFAULT
            else field.default_factory(),
        )
        for field in msgspec.structs.fields(kind)
        if field.name not in PLACES
    )


def quoted(value: object) -> str:
    """JSON data, or a text in quotes."""
    return plain_json(json.dumps(value, ensure_ascii=False, sort_keys=True))


def _spoken(name: str) -> str:
    return name.removeprefix("is_").replace("_", "-")


def _reads(*types: type[_Struct]) -> Callable[[Callable[[_Struct], str]], Callable[[_Struct], str]]:
    def register(rule: Callable[[_Struct], str]) -> Callable[[_Struct], str]:
        _RULES.update(dict.fromkeys(types, rule))
        return rule

    return register


def _with(text: str, part: msgspec.Struct, said: Iterable[str]) -> str:
    """The text, and behind it the members it does not say."""
    rest = {name: value for name, value in members(part).items() if name not in said}
    return joined(text, f"({named(rest)})" if rest else "")


@_reads(Expression)
def _expression(value: Expression) -> str:
    text = value.text
    is_plain = text.isprintable() and text == text.strip() != "" and _is_balanced(text)
    return _with(f"${{ {text} }}" if is_plain else f"${{{quoted(text)}}}", value, {"text"})


def _is_balanced(text: str) -> bool:
    """Whether the brace that ends the expression is the first one that closes none of its own."""
    depth = 0
    for character in text:
        depth += (character == "{") - (character == "}")
        if depth < 0:
            return False
    return depth == 0


@_reads(Constant)
def _constant(value: Constant) -> str:
    text = quoted(value.document)
    return f"const {text}" if isinstance(value.document, dict | list) else text


@_reads(Record)
def _record(value: Record) -> str:
    return f"{{{', '.join(f'{word(key)}: {value_text(item)}' for key, item in value.members)}}}"


@_reads(Listing)
def _listing(value: Listing) -> str:
    return f"[{', '.join(value_text(item) for item in value.items)}]"


@_reads(UriTemplate)
def _uri_template(value: UriTemplate) -> str:
    return f"uri {quoted(value.text)}"


@_reads(SecretValue)
def _secret(value: SecretValue) -> str:
    return f"secret {word(value.name)}"


@_reads(Duration)
def _duration(value: Duration) -> str:
    """ISO 8601, the months apart from the rest as in the graph."""
    rest = abs(value.milliseconds)
    date, time = (f"{value.months}M" if value.months else ""), ""
    for unit, size in _UNITS:
        count, rest = divmod(rest, size)
        if count:
            date, time = (
                (date + f"{count}D", time) if unit == "D" else (date, f"{time}{count}{unit}")
            )
    if rest:
        time += f"{rest / 1000:g}S"
    text = f"P{date}{'T' if time else ''}{time}" if date or time else "PT0S"
    return f"-{text}" if value.milliseconds < 0 else text


@_reads(Schema)
def _schema(value: Schema) -> str:
    return quoted(value.document) if value.resource is None else _with("", value, ())


@_reads(Action)
def _action(value: Action) -> str:
    type = word(value.type) if isinstance(value.type, str) else value_text(value.type)
    return _with(f"{type} {value_text(value.arguments)}", value, {"type", "arguments"})


@_reads(MultiInstance)
def _multi(value: MultiInstance) -> str:
    text = f"each {word(value.item)} at " if value.item else "each at "
    text += word(value.index)
    if value.collection is not None:
        text = f"{text} in {value_text(value.collection)}"
    return _with(text, value, {"item", "index", "collection"})


@_reads(TimerTrigger)
def _timer(value: TimerTrigger) -> str:
    form = "" if value.form == "duration" else value.form
    return joined("timer", form, value_text(value.value))


@_reads(EventTrigger)
def _events(value: EventTrigger) -> str:
    return _with(f"events {value_text(value.strategy)}", value, {"strategy"})


@_reads(EventStrategy)
def _strategy(value: EventStrategy) -> str:
    filters = ", ".join(value_text(wanted) for wanted in value.filters)
    return _with(f"{value.mode} [{filters}]", value, {"mode", "filters"})


@_reads(EventFilter)
def _filter(value: EventFilter) -> str:
    parts = [value_text(part) for part in (*value.attributes, *value.correlations)]
    return _with(f"({', '.join(parts)})", value, {"attributes", "correlations"})


@_reads(Attribute)
def _attribute(value: Attribute) -> str:
    return f"{word(value.name)} {'~' if value.is_pattern else '='} {value_text(value.value)}"


@_reads(Correlation)
def _correlation(value: Correlation) -> str:
    text = f"correlate {word(value.name)} by {value_text(value.read)}"
    return _with(text, value, {"name", "read"})


@_reads(ErrorTrigger)
def _error(value: ErrorTrigger) -> str:
    matches = ", ".join(f"{word(name)} = {value_text(wanted)}" for name, wanted in value.match)
    return _with(joined("error", f"[{matches}]" if matches else ""), value, {"match"})


@_reads(RetryPolicy)
def _retry(value: RetryPolicy) -> str:
    return f"retry ({named(members(value))})"


@_reads(ErrorTemplate)
def _template(value: ErrorTemplate) -> str:
    """A standard type is its bare name."""
    kind = value_text(value.type)
    if isinstance(value.type, Constant) and isinstance(value.type.document, str):
        kind = _STANDARD_TYPES.get(value.type.document, kind)
    return _with(f"{kind} {value_text(value.status)}", value, {"type", "status"})
