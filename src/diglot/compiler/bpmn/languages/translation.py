"""One expression to jq: read it, emit it, and make sure that jq takes what came of it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

from diglot.compiler.expressions import ExpressionSyntaxError, Program, compile_jq

from . import read_bare, read_juel, read_xpath
from .constants import work_out
from .definitions import prelude, strict_definitions
from .emission import Emission
from .pieces import OPEN, Piece, render
from .reading import check_text
from .result import Language, Refusal, Refused, Translation
from .strict import Strict

#: Constants longer than this as JSON stay programs.
_LONGEST_CONSTANT: Final = 4_096


def translate(text: str, language: Language) -> Translation | Refusal:
    """An expression as a jq program that means the same, or the part that has none.

    The text is the body alone, as `spoken` gives it; JUEL may also come as text with `${..}` in
    it. Never raises for any text.
    """
    try:
        match language:
            case "text":
                return _constant(text, text, language)
            case "jq":
                return _as_it_is(text)
            case "feel":
                from .feel import Feel
                from .feel_definitions import feel_definitions
                from .read_feel import read

                check_text(text)
                feel = Feel(text)
                return _finished(feel, feel.emit(read(text)), language, feel_definitions())
            case _:
                check_text(text)
                reader = {"juel": read_juel, "xpath": read_xpath, "bare": read_bare}[language]
                strict = Strict(text, language)
                piece = strict.emit(reader.read(text))
                return _finished(strict, piece, language, strict_definitions())
    except Refused as refused:
        return refused.refusal(text)
    except RecursionError:
        # Depth is bounded, but not how deep the caller already is.
        return Refused(0, len(text), "it is nested too deeply", kind="size").refusal(text)


def _finished(
    emission: Emission, piece: Piece, language: Language, definitions: Mapping[str, str]
) -> Translation:
    front = prelude(emission.used, definitions)
    if emission.has_root:
        front += ". as $all | "
    text, places = render(piece)
    text = front + text
    whole = (0, len(text), 0, len(emission.text))
    moved = [(start + len(front), end + len(front), *source) for start, end, *source in places]
    mapped = (whole, *((start, end, first, last) for start, end, first, last in moved))
    program = _compiled(emission.text, text)
    names = tuple(sorted(emission.names))
    value = OPEN if names else work_out(program)
    if value is not OPEN:
        return _constant(emission.text, value, language, text, mapped)
    return Translation(text, language, mapped, names, False)


def _compiled(source: str, text: str) -> Program:
    try:
        return compile_jq(text)
    except ExpressionSyntaxError as error:
        raise Refused(0, len(source), f"as jq it is {error.message}", kind="size") from None


def _constant(
    source: str,
    value: Any,
    language: Language,
    program: str = "",
    places: tuple[tuple[int, int, int, int], ...] = (),
) -> Translation:
    text = json.dumps(value, ensure_ascii=False)
    if len(text) > _LONGEST_CONSTANT and program:
        return Translation(program, language, places, (), True, value)
    return Translation(text, language, ((0, len(text), 0, len(source)),), (), True, value)


def _as_it_is(text: str) -> Translation:
    check_text(text)
    try:
        program = compile_jq(text)
    except ExpressionSyntaxError as error:
        raise Refused(
            error.offset, max(error.end, error.offset), error.message, kind="syntax"
        ) from None
    names = sorted({path[0] for path in program.paths() if path and isinstance(path[0], str)})
    whole = ((0, len(text), 0, len(text)),)
    value = OPEN if program.reads_input else work_out(program)
    if value is not OPEN:
        return Translation(text, "jq", whole, (), True, value)
    return Translation(text, "jq", whole, tuple(names), False)
