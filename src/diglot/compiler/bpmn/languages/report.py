"""An author's expression as a value of the graph, or the finding that says why there is none."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, Final

from diglot.compiler import codes
from diglot.compiler.diagnostics import Code, Report
from diglot.compiler.expressions import compile_jq
from diglot.compiler.graph import Constant, Expression
from diglot.compiler.source import Span

from .dialects import spoken
from .emission import a, kind_of
from .result import Refusal, Spoken, Translation
from .translation import translate

_CODES: Final[dict[str, Code]] = {
    "language": codes.UNKNOWN_LANGUAGE,
    "meaning": codes.EXPRESSION_NOT_TRANSLATABLE,
    "syntax": codes.EXPRESSION_UNPARSABLE,
    "type": codes.EXPRESSION_ALWAYS_FAILS,
    "size": codes.EXPRESSION_TOO_LARGE,
}
_NAMES: Final = {
    "feel": "FEEL",
    "juel": "JUEL",
    "xpath": "XPath",
    "bare": "a condition",
    "jq": "jq",
    "text": "text",
}


def compile_expression(
    element_text: str,
    span_of: Callable[[int, int], Span],
    report: Report,
    pointer: str,
    *,
    declared: str = "",
    document_language: str = "",
    profile: str = "",
    is_condition: bool,
) -> Expression | Constant | None:
    """The value of an expression; None where it has none, which is then in the report.

    `span_of` gives the place of a stretch of `element_text` in the file. What depends on no
    variable is a constant. A condition is always an expression, one that yields a boolean; a
    condition that cannot is reported.
    """

    def refuse(refusal: Refusal, offset: int, language: str) -> None:
        report.add(
            _CODES[refusal.kind],
            span_of(refusal.start + offset, refusal.end + offset),
            pointer,
            hint=refusal.hint,
            part=_abridged(refusal.part),
            reason=refusal.reason,
            language=language,
        )

    said = spoken(
        element_text, declared=declared, document_language=document_language, profile=profile
    )
    if isinstance(said, Refusal):
        refuse(said, 0, "an expression")
        return None
    found = translate(said.text, said.language)
    if isinstance(found, Refusal):
        refuse(found, said.offset, _NAMES[said.language])
        return None
    span = span_of(said.offset, said.offset + len(said.text))
    if not is_condition:
        if found.is_constant:
            return Constant(found.value)
        return _expression(element_text, said, found, span, is_condition=False)
    outcome = _never_boolean(found)
    if outcome:
        report.add(
            codes.NOT_BOOLEAN_CONSTANT, span, pointer, part=_abridged(said.text), found=outcome
        )
        return None
    return _expression(element_text, said, found, span, is_condition=True)


def _expression(
    text: str, said: Spoken, found: Translation, span: Span, *, is_condition: bool
) -> Expression:
    return Expression(
        text=found.text,
        source=None if said.language == "jq" else text,
        source_language=said.language,
        of="variables",
        yields="boolean" if is_condition else "any",
        span=span,
    )


def _never_boolean(found: Translation) -> str:
    """What a condition yields that is never true or false; empty where it may be."""
    if found.is_constant:
        return "" if isinstance(found.value, bool) else _shown(found.value)
    return "no boolean" if compile_jq(found.text).is_boolean is False else ""


def _shown(value: Any) -> str:
    kind = kind_of(value)
    if kind in ("list", "object"):
        return a(kind)
    text = _abridged(json.dumps(value, ensure_ascii=False))
    return text if kind == "null" else f"the {kind} {text}"


def _abridged(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= 60 else f"{text[:57]}..."
