"""Findings as a SARIF log, the form that code hosts and editors show.

Source: SARIF 2.1.0, 3.14 (run), 3.27 (result), 3.30 (region), 3.35 (suppression), 3.36 (code flow),
3.49 (rule), 3.55 (fix).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from typing import Any
from urllib.parse import quote

from diglot.compiler import codes
from diglot.compiler.diagnostics import Code, Diagnostic, Fix, Severity, TraceStep
from diglot.compiler.plain import plain_json
from diglot.compiler.source import Span
from diglot.compiler.suppression import Suppressed

from .explain import explain
from .fingerprints import fingerprints

_Json = dict[str, Any]

_SCHEMA = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)
_DRIVE = re.compile(r"[A-Za-z]:/")
_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note"}


def render_sarif(diagnostics: Iterable[Diagnostic], suppressed: Iterable[Suppressed] = ()) -> str:
    """A log with one run, whose rules are the codes that were found.

    What is suppressed comes last; then every result says whether it is.
    """
    left, ignored = list(diagnostics), list(suppressed)
    found = [*left, *(one.finding for one in ignored)]
    reasons: list[Suppressed | None] = [*(None for _ in left), *ignored]
    ids = sorted({each.code for each in found})
    driver: dict[str, Any] = {"name": "diglot", "rules": [_rule(codes.by_id(id)) for id in ids]}
    installed = _version()
    if installed is not None:
        driver["version"] = installed
    results = [
        _result(each, ids.index(each.code), fingerprint)
        for each, fingerprint in zip(found, fingerprints(found), strict=True)
    ]
    if ignored:
        for result, reason in zip(results, reasons, strict=True):
            result["suppressions"] = [] if reason is None else [_suppression(reason)]
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "results": results,
    }
    log = {"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}
    return plain_json(json.dumps(log, ensure_ascii=False, indent=2)) + "\n"


def _rule(code: Code) -> _Json:
    return {
        "id": code.id,
        "name": "".join(word.capitalize() for word in code.name.split("-")),
        "shortDescription": {"text": code.name.replace("-", " ").capitalize() + "."},
        "fullDescription": {"text": code.why},
        "help": {"text": f"{code.why} {code.remedy}", "markdown": explain(code)},
        "defaultConfiguration": {"level": _LEVELS[code.severity]},
    }


def _result(found: Diagnostic, rule_index: int, fingerprint: str) -> _Json:
    result: _Json = {
        "ruleId": found.code,
        "ruleIndex": rule_index,
        "level": _LEVELS[found.severity],
        "message": {"text": found.message},
        "partialFingerprints": {"diglot/v1": fingerprint},
        "properties": {"hint": found.hint},
    }
    location = _location(found.span, found.pointer)
    if location:
        result["locations"] = [location]
    if found.related:
        result["relatedLocations"] = [
            {"id": number, **_location(one.span, one.pointer), "message": {"text": one.message}}
            for number, one in enumerate(found.related, 1)
        ]
    if found.trace:
        result["codeFlows"] = [_code_flow(found.trace)]
    if found.fixes:
        result["fixes"] = [_fix(one) for one in found.fixes]
    return result


def _code_flow(steps: Sequence[TraceStep]) -> _Json:
    """A run: the steps of each of its tokens, in their order among all."""
    lanes: dict[int, list[_Json]] = {}
    for number, step in enumerate(steps, 1):
        location = _location(step.span, step.pointer)
        location["message"] = {"text": step.message}
        lanes.setdefault(step.lane, []).append(
            {
                "location": location,
                "executionOrder": number,
                "importance": "essential" if step.matters else "unimportant",
            }
        )
    flows = [
        {"id": f"token {number}", "locations": lanes[lane]}
        for number, lane in enumerate(sorted(lanes), 1)
    ]
    return {"threadFlows": flows}


def _fix(fix: Fix) -> _Json:
    files: dict[str, list[_Json]] = {}
    for edit in fix.edits:
        replacement = {
            "deletedRegion": _region(edit.span),
            "insertedContent": {"text": edit.text},
        }
        files.setdefault(edit.span.file, []).append(replacement)
    changes = [
        {"artifactLocation": {"uri": _uri(file)}, "replacements": replacements}
        for file, replacements in files.items()
    ]
    return {"description": {"text": fix.title}, "artifactChanges": changes}


def _suppression(one: Suppressed) -> _Json:
    said: _Json = {"kind": "inSource", "location": _location(one.span, "")}
    return {**said, "justification": one.reason} if one.reason else said


def _location(span: Span | None, pointer: str) -> _Json:
    location: _Json = {}
    if span is not None:
        location["physicalLocation"] = {
            "artifactLocation": {"uri": _uri(span.file)},
            "region": _region(span),
        }
    if pointer:
        location["logicalLocations"] = [
            {
                "name": pointer.rpartition("/")[2],
                "fullyQualifiedName": pointer,
                "kind": "object" if pointer.startswith("/") else "element",
            }
        ]
    return location


def _region(span: Span) -> _Json:
    return {
        "startLine": span.start.line,
        "startColumn": span.start.column,
        "endLine": span.end.line,
        "endColumn": span.end.column,
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
