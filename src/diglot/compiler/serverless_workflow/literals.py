"""Findings about constant text: what looks like an expression and is none, what is a credential.

Keys of well-known services are looked for in the whole text of a document, by the checks.

Source: DSL, Runtime Expressions; our decision A22.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from .. import codes
from ..expressions import ExpressionSyntaxError, compile_jq, tree
from ..expressions.parser import parse
from ..expressions.strict import expression_text
from .variables import ARGUMENTS

if TYPE_CHECKING:
    from .reading import Reading

_EMBEDDED = re.compile(r"\$\{[^{}]{0,200}\}?")
#: In a shell `${` opens a parameter expansion; what no shell would take was meant for the engine.
_EMBEDDED_IN_SHELL = re.compile(r"\$\{(?=\s|\.|\$[A-Za-z])[^{}]{0,200}\}?")
_PATH = re.compile(r"\.[A-Za-z_]\w*(?:\.[A-Za-z_]\w*|\[\d*\]|\[\"[^\"]*\"\])*\??")
_VARIABLE = re.compile(rf"\$(?:{'|'.join(sorted(ARGUMENTS))})\b[\w.\[\]]*")
_JSON_PATH = re.compile(r"\$\.[A-Za-z_]\w*(?:\.[A-Za-z_]\w*|\[\d+\])*")
#: What a text has that calculates: an operator with room around it, and something that it reads.
_OPERATOR = re.compile(r"\s(?:[-+*/%|<>]|[=!<>]=|//|and|or)\s")
_READS = re.compile(r"(?:^|[\s(\[{])(?:\.[A-Za-z_]|\$[a-z])")
#: Longer texts are read by nobody as an expression that lacks its braces.
_LONGEST_GUESS = 300
_CALCULATIONS = (tree.Arithmetic, tree.Comparison, tree.Logic, tree.Alternative, tree.If)
_SECRET_NAME = re.compile(
    r"(?:^|[-_.])(?:password|passwd|secret|token|api[-_]?key|authorization|cookie)$", re.IGNORECASE
)
_STAND_IN = re.compile(r"[*x.\s_-]*|<[^<>]*>|\{[^{}]*\}", re.IGNORECASE)


def check_literal(reading: Reading, text: str, pointer: str) -> None:
    """Report a string of the author's data that looks like something else than text."""
    if has_embedded_expression(reading, text, pointer):
        return
    if _looks_like_expression(text):
        hint = "jq writes `.` for `$.`, inside of `${ }`." if _JSON_PATH.match(text) else ""
        reading.find(codes.EXPRESSION_LOOKS_LITERAL, pointer, hint=hint, text=text[:100])


def _looks_like_expression(text: str) -> bool:
    """Whether a text is a path, or calculates with one in a way that no prose does."""
    if text[:1] in (".", "$") and (
        _PATH.fullmatch(text) or _VARIABLE.fullmatch(text) or _JSON_PATH.fullmatch(text)
    ):
        return True
    if len(text) > _LONGEST_GUESS or not _OPERATOR.search(text) or not _READS.search(text):
        return False
    try:
        program = compile_jq(text)
        node = parse(text)
    except ExpressionSyntaxError:
        return False
    if program.unknown_functions or program.forbidden or program.variables - ARGUMENTS:
        return False
    if isinstance(node, tree.Pipe):
        # Names with bars between them may be a pattern.
        node = node.stages[-1]
        return not isinstance(node, tree.Path | tree.Variable | tree.Identity | tree.Literal)
    return isinstance(node, _CALCULATIONS)


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
