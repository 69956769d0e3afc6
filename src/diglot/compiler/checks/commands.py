"""Commands and scripts: data that becomes a part of them, and certificates they do not look at.

Source: DSL reference, Shell Process, Script Process.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from diglot.compiler import codes
from diglot.compiler.diagnostics import Report
from diglot.compiler.expressions import tree
from diglot.compiler.graph import Expression, Graph, Record, Task, Value
from diglot.compiler.source import Source

from .interpolation import is_fixed
from .listeners import called
from .programs import program_of
from .spoken import found_at, texts

#: The member of a job's arguments that is run, by its name: what it is called.
_RUN: Final = {"command": "command", "code": "script"}
#: What makes a text of data that stays one word of a shell, or one value of a script.
_QUOTES: Final = {"command": frozenset({"sh"}), "code": frozenset({"json"})}
_TO_JSON: Final = frozenset({"tojson"})
_NUMBERS: Final = frozenset({"length", "tonumber", "floor", "ceil", "round"})
#: How programs are told to take any certificate.
_UNVERIFIED: Final = re.compile(
    r"\bcurl(?=\s)[^|;&\n]{0,300}?(?:--insecure\b|\s-[A-Za-z]{0,8}k[A-Za-z]{0,8}(?=\s|$))"
    r"|--no-check-certificate\b|\bhttp\.sslVerify[= ]false\b"
    r"|\bGIT_SSL_NO_VERIFY=(?:1|true)\b|\bNODE_TLS_REJECT_UNAUTHORIZED['\"\]]{0,2}\s*=\s*['\"]?0"
    r"|\brejectUnauthorized['\"]?\s*:\s*false\b|\bverify\s*=\s*False\b"
    r"|\b_create_unverified_context\b|\bverify_mode\s*=\s*(?:ssl\.)?CERT_NONE\b"
    r"|\bInsecureSkipVerify\b"
)
_SWITCHES: Final = {
    "NODE_TLS_REJECT_UNAUTHORIZED": ("0",),
    "GIT_SSL_NO_VERIFY": ("1", "true"),
    "PYTHONHTTPSVERIFY": ("0",),
}


def check_commands(graph: Graph, report: Report, sources: Mapping[str, Source]) -> None:
    """Report data inside of commands and scripts, and calls that take any certificate."""
    told: set[tuple[str, str]] = set()
    for node in graph.nodes:
        if not isinstance(node, Task) or not isinstance(node.action.arguments, Record):
            continue
        place = node.pointer or node.id
        for name, value in node.action.arguments.members:
            if (place, name) in told:
                continue
            if name == "environment":
                written = _switch(value)
            elif name in _RUN:
                if isinstance(value, Expression) and not _is_quoted(value, name):
                    told.add((place, name))
                    report.add(
                        codes.COMMAND_FROM_DATA,
                        value.span or node.span,
                        place,
                        what=_RUN[name],
                        task=called(node),
                    )
                written = _unverified(value)
            else:
                continue
            if written:
                told.add((place, name))
                span = found_at(node, written, sources)
                shown = " ".join(written.split())[:80]
                report.add(codes.TLS_NOT_VERIFIED, span, place, written=shown)


def _switch(environment: Value) -> str:
    for path, text in texts(environment):
        name = path[-1] if path else ""
        if text.strip().lower() in _SWITCHES.get(name, ()):
            return name
    return ""


def _unverified(value: Value) -> str:
    text = (
        value.text if isinstance(value, Expression) else next((one for _, one in texts(value)), "")
    )
    for found in _UNVERIFIED.finditer(text):
        line = text[text.rfind("\n", 0, found.start()) + 1 : found.start()]
        # A comment says nothing to a program.
        if not line.lstrip().startswith(("#", "//")):
            return found.group()
    return ""


def _is_quoted(expression: Expression, name: str) -> bool:
    program = program_of(expression.text)
    return program is None or _is_harmless(program, name)


def _is_harmless(node: tree.Node, name: str) -> bool:
    """Whether data cannot add commands: there is none, it is quoted, or it is a number."""
    match node:
        case tree.Text(format=format, parts=parts):
            if format in _QUOTES[name]:
                return True
            return format == "text" and all(
                isinstance(part, str) or _is_harmless(part, name) for part in parts
            )
        case tree.Arithmetic(first=first, rest=rest):
            return all(_is_harmless(term, name) for term in (first, *(one for _, one in rest)))
        case tree.If(branches=branches, otherwise=tree.Node() as otherwise):
            results = (*(result for _, result in branches), otherwise)
            return all(_is_harmless(result, name) for result in results)
        case tree.Alternative(items=items):
            return all(_is_harmless(item, name) for item in items)
        case tree.Pipe(stages=stages):
            return _is_harmless(stages[-1], name)
        case tree.Format(name=format):
            return format in _QUOTES[name]
        case tree.Call(name=function, arguments=()):
            return function in _NUMBERS or (name == "code" and function in _TO_JSON)
        case _:
            return is_fixed(node)
