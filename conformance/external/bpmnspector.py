"""The files of BPMNspector: valid ones, and ones that break one constraint in a known line.

What was recorded are the verdicts of its 113 rules on files that its schemas allow. It looked at
references and at media types with other means, whose verdicts are not recorded; findings about
these say nothing here.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Set
from functools import partial
from pathlib import Path
from typing import Any

from diglot.compiler import codes
from diglot.compiler.diagnostics import Diagnostic

from .constraints import ids_of
from .outcome import Outcome, Reporter, Verdict, failed, judged, settled
from .strictly import errors_in

#: What the codes of a file's text and shape begin with.
_SHAPE = "DG11"


def run(suites: Path, report: Reporter) -> Outcome:
    """Run every file that has a verdict."""
    return settled(_verdicts(suites / "bpmn" / "bpmnspector"), report)


def _verdicts(folder: Path) -> Iterator[Verdict]:
    if not (folder / "expectations.json").is_file():
        return
    rules = _read(folder / "rules.json")["rules"]
    for rule in sorted({rule["rule"] for rule in rules}):
        if not ids_of(rule):
            yield failed(f"bpmnspector/{rule}", "no diagnostic stands for this constraint")
    measured = frozenset(id for rule in rules for id in ids_of(rule["rule"]))
    for name, expected in _read(folder / "expectations.json")["expectations"].items():
        problem = partial(_problem, folder / "files" / name, expected, measured)
        yield judged(f"bpmnspector/{name}", problem)


def _read(file: Path) -> Any:
    return json.loads(file.read_text(encoding="utf-8"))


def _problem(file: Path, expected: Mapping[str, Any], measured: Set[str]) -> str | None:
    errors = errors_in(file)
    if expected["valid"]:
        wrong = [found for found in errors if _is_measured(found, measured)]
        return f"it is valid, and yet {_told(wrong)}" if wrong else None
    wanted = ids_of(expected["rule"])
    hits = [found for found in errors if found.code in wanted]
    if not hits:
        return f"{expected['rule']} is not found, only {_told(errors)}"
    lines = {detail["line"] for detail in expected["details"]} - {None}
    if lines and not any(_covers(found, line) for found in hits for line in lines):
        return f"{expected['rule']} is expected in line {sorted(lines)}, not {_told(hits)}"
    return None


def _is_measured(found: Diagnostic, measured: Set[str]) -> bool:
    if found.code == codes.REFERENCE_UNRESOLVED.id:
        return False
    return found.code.startswith(_SHAPE) or found.code in measured


def _covers(found: Diagnostic, line: int) -> bool:
    span = found.span
    return span is not None and span.start.line <= line <= span.end.line


def _told(errors: list[Diagnostic]) -> str:
    return "; ".join(f"{found.span} {found.code} {found.message}" for found in errors) or "nothing"
