"""Findings as a SARIF log, the form that code hosts and editors show.

Source: SARIF 2.1.0, 3.14 (run), 3.27 (result), 3.49 (rule), 3.30 (region).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import Any
from urllib.parse import quote

from diglot.compiler import codes
from diglot.compiler.diagnostics import Code, Diagnostic, Severity
from diglot.compiler.plain import plain_json
from diglot.compiler.source import Span

from .explain import explain

_SCHEMA = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)
_DRIVE = re.compile(r"[A-Za-z]:/")
_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note"}


def render_sarif(diagnostics: Iterable[Diagnostic]) -> str:
    """A log with one run, whose rules are the codes that were found."""
    found = list(diagnostics)
    ids = sorted({each.code for each in found})
    driver: dict[str, Any] = {"name": "diglot", "rules": [_rule(codes.by_id(id)) for id in ids]}
    installed = _version()
    if installed is not None:
        driver["version"] = installed
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "results": [_result(each, ids.index(each.code)) for each in found],
    }
    log = {"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}
    return plain_json(json.dumps(log, ensure_ascii=False, indent=2)) + "\n"


def _rule(code: Code) -> dict[str, Any]:
    return {
        "id": code.id,
        "name": "".join(word.capitalize() for word in code.name.split("-")),
        "shortDescription": {"text": code.name.replace("-", " ").capitalize() + "."},
        "fullDescription": {"text": code.why},
        "help": {"text": f"{code.why} {code.remedy}", "markdown": explain(code)},
        "defaultConfiguration": {"level": _LEVELS[code.severity]},
    }


def _result(found: Diagnostic, rule_index: int) -> dict[str, Any]:
    result: dict[str, Any] = {
        "ruleId": found.code,
        "ruleIndex": rule_index,
        "level": _LEVELS[found.severity],
        "message": {"text": found.message},
        "properties": {"hint": found.hint},
    }
    location: dict[str, Any] = {}
    if found.span is not None:
        location["physicalLocation"] = _physical(found.span)
    if found.pointer:
        location["logicalLocations"] = [{"fullyQualifiedName": found.pointer}]
    if location:
        result["locations"] = [location]
    return result


def _physical(span: Span) -> dict[str, Any]:
    return {
        "artifactLocation": {"uri": _uri(span.file)},
        "region": {
            "startLine": span.start.line,
            "startColumn": span.start.column,
            "endLine": span.end.line,
            "endColumn": span.end.column,
        },
    }


def _uri(file: str) -> str:
    """The file's name as a URI: absolute names with a scheme, relative ones as they are."""
    path = file.replace("\\", "/")
    if path.startswith("/"):
        return "file://" + quote(path)
    if _DRIVE.match(path):
        return "file:///" + quote(path, safe="/:")
    return quote(path)


def _version() -> str | None:
    # Imported here because it takes longer than the rest of a check's output together.
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("diglot")
    except PackageNotFoundError:
        return None
