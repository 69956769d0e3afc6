"""Conditions of which one is always true, as far as their texts show.

Texts are compared in whichever language they were written. What cannot be told apart from the
outside, such as a range that three conditions share, is taken for open.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from diglot.compiler.graph import Expression

#: A longer condition is no plain comparison.
_LONGEST: Final = 500
#: So many brackets, or denials, around one are looked through.
_DEEPEST: Final = 8
#: One comparison and nothing else; texts in quotes may hold anything.
_COMPARISON: Final = re.compile(
    r"""(?P<left>(?:[^<>=!&|"']|"[^"]*"|'[^']*')+?)\s*(?P<sign>===?|!==?|<>|<=|>=|=|<|>)\s*"""
    r"""(?P<right>(?:[^<>=!&|"']|"[^"]*"|'[^']*')+)"""
)
_JOINED: Final = re.compile(r"""\b(and|or|AND|OR)\b|&&|\|\|""")
_QUOTED: Final = re.compile(r""""[^"]*"|'[^']*'""")
_SPOKEN: Final = (
    *((r"\bne\b", "!="), (r"\beq\b", "=="), (r"\ble\b", "<="), (r"\bge\b", ">=")),
    *((r"\blt\b", "<"), (r"\bgt\b", ">")),
)
_SIGNS: Final = {"===": "==", "=": "==", "!==": "!=", "<>": "!="}
_OPPOSITES: Final = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
_TURNED: Final = {"<": ">", ">": "<", "<=": ">=", ">=": "<="}
#: What is said of what: its operand, and whether that is so.
_Claim = tuple[str, str, str]


def is_one_true(conditions: Iterable[Expression]) -> bool:
    """Whether one of the conditions is a plain true, or two of them are each other's opposite."""
    claims: set[_Claim] = set()
    for condition in conditions:
        text = condition.source or condition.text
        if len(text) > _LONGEST:
            continue
        text = _bare(" ".join(text.split()))
        if text.lower() == "true":
            return True
        claim = _claim(text)
        if claim is not None:
            if _opposite(claim) in claims:
                return True
            claims.add(claim)
    return False


def _claim(text: str) -> _Claim | None:
    """What a condition says of what; nothing where it says several things at once."""
    is_so = True
    for _ in range(_DEEPEST):
        inner = _negated(text)
        if inner is None:
            break
        text, is_so = inner, not is_so
    if _JOINED.search(_QUOTED.sub("''", text)):
        return None
    for word, sign in _SPOKEN:
        text = re.sub(word, sign, text)
    found = _COMPARISON.fullmatch(text)
    if found is None:
        if re.search(r"[<>=|]", text):
            return None
        claim = (_squeezed(text), "==", "true")
    else:
        sign = _SIGNS.get(found["sign"], found["sign"])
        claim = _plain(_squeezed(found["left"]), sign, _squeezed(found["right"]))
    return claim if is_so else _opposite(claim)


def _plain(left: str, sign: str, right: str) -> _Claim:
    """A comparison in one of the ways in which it can be written."""
    if left in ("true", "false") or (sign in _TURNED and left > right):
        left, sign, right = right, _TURNED.get(sign, sign), left
    if right == "false" and sign in ("==", "!="):
        sign, right = _OPPOSITES[sign], "true"
    return left, sign, right


def _opposite(claim: _Claim) -> _Claim:
    left, sign, right = claim
    return left, _OPPOSITES[sign], right


def _negated(text: str) -> str | None:
    """What a text denies as a whole."""
    text = _bare(text)
    if text.startswith("!") and not text.startswith("!="):
        return _whole(text[1:])
    if re.match(r"not\b", text):
        return _whole(text[3:])
    if re.search(r"\|\s*not$", text) and text.count("|") == 1:
        return _bare(text[: text.rindex("|")])
    return None


def _whole(text: str) -> str | None:
    """A text in brackets without them, a name or a call; nothing where more may follow."""
    text = text.strip()
    if _is_wrapped(text):
        return _bare(text)
    name = re.match(r"[\w.$\[\]]+", text)
    rest = text if name is None else text[name.end() :]
    return text if name is not None and (not rest or _is_wrapped(rest)) else None


def _bare(text: str) -> str:
    """A condition without the marks of its language and the brackets around it."""
    text = text.strip()
    if text.startswith("return ") and text.endswith(";"):
        text = text[7:-1].strip()
    if text.startswith(("${", "#{")) and text.endswith("}") and text.count("{") == 1:
        text = text[2:-1].strip()
    elif text.startswith("=") and not text.startswith("=="):
        text = text[1:].strip()
    for _ in range(_DEEPEST):
        if not _is_wrapped(text):
            break
        text = text[1:-1].strip()
    return text


def _is_wrapped(text: str) -> bool:
    """Whether one pair of brackets is around the whole text."""
    if len(text) > _LONGEST or not text.startswith("(") or not text.endswith(")"):
        return False
    depth = 0
    for place, character in enumerate(text):
        depth += (character == "(") - (character == ")")
        if depth == 0:
            return place == len(text) - 1
    return False


def _squeezed(text: str) -> str:
    return "".join(_bare(text).split())
