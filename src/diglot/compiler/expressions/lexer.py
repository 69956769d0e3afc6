"""jq text to tokens; every token knows its place.

Source: jq 1.8 manual, and the lexer of jq 1.8.
"""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from .errors import ExpressionSyntaxError

#: An expression longer than this is refused before it is read.
MAX_TEXT = 65_536

KEYWORDS = frozenset(
    re.findall(
        r"\w+",
        "as def module import include if then else elif reduce foreach end and or try catch "
        "label break",
    )
)


class Token(NamedTuple):
    """A token; `kind` is the sign or keyword itself, else one of the capitalised kinds below.

    NUMBER, TEXT (part of a string): `value` is the value. IDENT, FIELD, VARIABLE, FORMAT: `value`
    is the bare name. STRING and STRING_END are the quotes, INTERPOLATION and INTERPOLATION_END
    the signs around an expression in a string, LOCATION is `$__loc__`, END the end of the text.
    """

    kind: str
    value: Any
    start: int
    end: int


_CODE = re.compile(
    r"""
      (?P<space>[ \r\n\t]+ | \#(?:\\(?:\\|\r?\n)|[^\n])*)
    | (?P<number>(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)
    | (?P<field>\.[a-zA-Z_][a-zA-Z_0-9]*)
    | (?P<variable>\$(?:[a-zA-Z_][a-zA-Z_0-9]*::)*[a-zA-Z_][a-zA-Z_0-9]*)
    | (?P<ident>(?:[a-zA-Z_][a-zA-Z_0-9]*::)*[a-zA-Z_][a-zA-Z_0-9]*)
    | (?P<format>@[a-zA-Z0-9_]+)
    | (?P<sign>\?//|//=|//|\|=|\+=|-=|\*=|/=|%=|==|!=|<=|>=|\.\.|[.?=;,:|+\-*/%$<>\[{(\]})"])
    """,
    re.VERBOSE,
)
_TEXT = re.compile(r'(?P<plain>[^\\"]+)|(?P<escapes>(?:\\[^u(]|\\u[a-zA-Z0-9]{0,4})+)', re.DOTALL)
_CLOSES = {")": "(", "]": "[", "}": "{"}
_ESCAPES = {"\\": "\\", '"': '"', "/": "/"} | dict(zip("bftnr", "\b\f\t\n\r", strict=True))


def tokens(text: str) -> list[Token]:
    """The tokens of `text`, ended by END; raises `ExpressionSyntaxError`."""
    _check_characters(text)
    found: list[Token] = []
    # Open brackets; a quote stands for a string, a backslash for an interpolation in one.
    open_signs: list[tuple[str, int]] = []
    place = 0
    while place < len(text):
        if open_signs and open_signs[-1][0] == '"':
            place = _string_token(text, place, open_signs, found)
        else:
            place = _code_token(text, place, open_signs, found)
    if open_signs and open_signs[-1][0] == '"':
        raise ExpressionSyntaxError("this string is not closed", open_signs[-1][1], len(text))
    found.append(Token("END", None, len(text), len(text)))
    return found


def end_of_braces(text: str, start: int) -> int:
    """Where the brace stands that closes one opened before `start`; the end of the text if none.

    Raises `ExpressionSyntaxError` when the text up to there is not even tokens.
    """
    open_signs: list[tuple[str, int]] = [("{", start)]
    found: list[Token] = []
    place = start
    while place < len(text):
        if open_signs[-1][0] == '"':
            place = _string_token(text, place, open_signs, found)
        else:
            place = _code_token(text, place, open_signs, found)
        if not open_signs:
            return place - 1
    return len(text)


def _check_characters(text: str) -> None:
    if len(text) > MAX_TEXT:
        raise ExpressionSyntaxError(
            f"an expression has at most {MAX_TEXT} characters", 0, len(text)
        )
    for position, character in enumerate(text):
        # jq is C inside: a NUL would end the text for it, and for us it would not.
        if character == "\0" or "\ud800" <= character <= "\udfff":
            raise ExpressionSyntaxError(
                f"the character U+{ord(character):04X} is not allowed", position, position + 1
            )


def _code_token(
    text: str, place: int, open_signs: list[tuple[str, int]], found: list[Token]
) -> int:
    read = _CODE.match(text, place)
    if read is None:
        raise ExpressionSyntaxError(f"unexpected character {text[place]!r}", place, place + 1)
    end = read.end()
    word = read.group()
    match read.lastgroup:
        case "space":
            pass
        case "number":
            found.append(Token("NUMBER", number(word), place, end))
        case "field":
            found.append(Token("FIELD", word[1:], place, end))
        case "variable":
            kind = "LOCATION" if word == "$__loc__" else "VARIABLE"
            found.append(Token(kind, word[1:], place, end))
        case "ident":
            found.append(Token(word if word in KEYWORDS else "IDENT", word, place, end))
        case "format":
            found.append(Token("FORMAT", word[1:], place, end))
        case _:
            found.append(_sign(word, place, open_signs))
    return end


def _sign(word: str, place: int, open_signs: list[tuple[str, int]]) -> Token:
    end = place + len(word)
    if word == '"':
        open_signs.append((word, place))
        return Token("STRING", None, place, end)
    if word in "([{":
        open_signs.append((word, place))
    elif word in _CLOSES:
        opened = open_signs.pop()[0] if open_signs else ""
        if opened == "\\" and word == ")":
            return Token("INTERPOLATION_END", None, place, end)
        if opened != _CLOSES[word]:
            raise ExpressionSyntaxError(f"{word!r} closes nothing here", place, end)
    return Token(word, None, place, end)


def _string_token(
    text: str, place: int, open_signs: list[tuple[str, int]], found: list[Token]
) -> int:
    if text[place] == '"':
        open_signs.pop()
        found.append(Token("STRING_END", None, place, place + 1))
        return place + 1
    if text.startswith("\\(", place):
        open_signs.append(("\\", place))
        found.append(Token("INTERPOLATION", None, place, place + 2))
        return place + 2
    read = _TEXT.match(text, place)
    if read is None:
        raise ExpressionSyntaxError("this string is not closed", open_signs[-1][1], len(text))
    word = read.group()
    value = word if read.lastgroup == "plain" else _unescape(word, place)
    found.append(Token("TEXT", value, place, read.end()))
    return read.end()


def _unescape(run: str, place: int) -> str:
    """The characters of an unbroken run of escapes; surrogate pairs are joined."""
    found: list[str] = []
    at = 0
    while at < len(run):
        kind = run[at + 1]
        if kind != "u":
            if kind not in _ESCAPES:
                raise ExpressionSyntaxError(
                    f"\\{kind} is not an escape of jq", place + at, place + at + 2
                )
            found.append(_ESCAPES[kind])
            at += 2
            continue
        code = _hex4(run, at + 2, place)
        at += 6
        if 0xD800 <= code <= 0xDBFF:
            low = _hex4(run, at + 2, place) if run.startswith("\\u", at) else 0
            if not 0xDC00 <= low <= 0xDFFF:
                raise ExpressionSyntaxError("half of a surrogate pair", place + at - 6, place + at)
            code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00)
            at += 6
        # A low half alone becomes the replacement character, as in jq.
        found.append("\ufffd" if 0xDC00 <= code <= 0xDFFF else chr(code))
    return "".join(found)


def _hex4(run: str, at: int, place: int) -> int:
    digits = run[at : at + 4]
    if not re.fullmatch(r"[0-9a-fA-F]{4}", digits):
        raise ExpressionSyntaxError(
            "\\u needs four hexadecimal digits", place + at - 2, place + at + len(digits)
        )
    return int(digits, 16)


def number(word: str) -> int | float:
    """The value of a number's text: whole numbers are exact, however they are spelled."""
    if word.isdigit() and len(word) <= 4_000:
        return int(word)
    value = float(word)
    return int(value) if value.is_integer() and abs(value) < 2**53 else value
