"""Expressions as elements."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Final

from ...graph import Constant, Expression, Flow, Listing, Record, Value
from ...graph.text_values import value_text
from ..document import XSI
from .tag import Tag

#: What the language of the graph is called.
JQ: Final = "https://github.com/jqlang/jq"
#: The format of a script in it.
JQ_SCRIPT: Final = "application/jq"


def expression(name: str, value: Expression) -> Tag:
    """An element that is an expression in jq."""
    return formal(name, value.text, language=JQ)


def formal(name: str, text: str, *, language: str = "") -> Tag:
    """An element that is a formal expression."""
    attributes = {f"{{{XSI}}}type": "bpmn:tFormalExpression"}
    if language:
        attributes["language"] = language
    return Tag(name, attributes, [], text)


def any_of(flows: Iterable[Flow]) -> Expression | None:
    """A condition that holds where that of one of some flows does; None where none has one."""
    conditions = [flow.condition for flow in flows if flow.condition is not None]
    if len(conditions) < 2:
        return conditions[0] if conditions else None
    return Expression(text=" or ".join(f"({one.text})" for one in conditions))


def as_jq(value: Value) -> str:
    """A value as a program in jq; what jq has no form for as a text."""
    match value:
        case Expression(text=text):
            return text
        case Constant(document):
            return json.dumps(document, ensure_ascii=False)
        case Record(members):
            inner = (
                f"{json.dumps(name, ensure_ascii=False)}: {_inner(one)}" for name, one in members
            )
            return f"{{{', '.join(inner)}}}"
        case Listing(items):
            return f"[{', '.join(map(_inner, items))}]"
        case _:
            return json.dumps(value_text(value), ensure_ascii=False)


def _inner(value: Value) -> str:
    text = as_jq(value)
    return f"({text})" if isinstance(value, Expression) else text
