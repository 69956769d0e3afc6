"""Findings about constant text: what looks like an expression and is none, what looks secret.

Source: DSL, Runtime Expressions; our decision A22.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from .. import codes
from ..expressions.strict import expression_text
from .variables import ARGUMENTS

if TYPE_CHECKING:
    from .reading import Reading

_EMBEDDED = re.compile(r"\$\{[^{}]{0,200}\}?")
#: In a shell `${` opens a parameter expansion; what no shell would take was meant for the engine.
_EMBEDDED_IN_SHELL = re.compile(r"\$\{(?=\s|\.|\$[A-Za-z])[^{}]{0,200}\}?")
_PATH = re.compile(r"\.[A-Za-z_]\w*(?:\.[A-Za-z_]\w*|\[\d*\]|\[\"[^\"]*\"\])*\??")
_VARIABLE = re.compile(rf"\$(?:{'|'.join(sorted(ARGUMENTS))})\b[\w.\[\]]*")
#: Beginnings and forms of keys that services give out, long enough not to be met by chance. The
#: look behind also keeps the search linear.
_KEYS = re.compile(
    r"(?<![\w-])(?:gh[pousr]_[A-Za-z0-9]{30,}|github_pat_\w{30,}|glpat-[\w-]{20,}"
    r"|xox[abeoprs]-[\w-]{20,}|AKIA[A-Z0-9]{16}|AIza[\w-]{35}|sk-[A-Za-z0-9_-]{32,}"
    r"|eyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]{10,}"
    r"|-----BEGIN [A-Z ]{0,20}PRIVATE KEY-----)"
)
_SECRET_NAME = re.compile(
    r"(?:^|[-_.])(?:password|passwd|secret|token|api[-_]?key|authorization|cookie)$", re.IGNORECASE
)
_STAND_IN = re.compile(r"[*x.\s_-]*|<[^<>]*>|\{[^{}]*\}", re.IGNORECASE)


def check_literal(reading: Reading, text: str, pointer: str) -> None:
    """Report a string of the author's data that looks like something else than text."""
    if has_embedded_expression(reading, text, pointer):
        return
    if text[:1] in (".", "$") and (_PATH.fullmatch(text) or _VARIABLE.fullmatch(text)):
        reading.find(codes.EXPRESSION_LOOKS_LITERAL, pointer, text=text[:100])
    found = _KEYS.search(text)
    if found:
        span = reading.document.scalar_span(pointer, *found.span())
        reading.find(codes.SECRET_LITERAL, pointer, span=span, kind="a key")


def has_embedded_expression(
    reading: Reading, text: str, pointer: str, *, is_shell: bool = False
) -> bool:
    """Report `${ }` in the middle of a text, where nothing evaluates it."""
    if "${" not in text:
        return False
    found = (_EMBEDDED_IN_SHELL if is_shell else _EMBEDDED).search(text)
    if found is None:
        return False
    span = reading.document.scalar_span(pointer, *found.span())
    reading.find(codes.EMBEDDED_EXPRESSION, pointer, span=span, text=found.group())
    return True


def check_credential(reading: Reading, text: str, pointer: str, kind: str) -> None:
    """Report a credential that stands in the document instead of a secret's name."""
    if expression_text(text) is None and not _STAND_IN.fullmatch(text):
        reading.find(codes.SECRET_LITERAL, pointer, kind=kind)


def check_named_credential(reading: Reading, name: str, text: str, pointer: str) -> None:
    """The same for a header or a variable whose name says that it holds a credential."""
    if _SECRET_NAME.search(name):
        check_credential(reading, text, pointer, "a credential")
