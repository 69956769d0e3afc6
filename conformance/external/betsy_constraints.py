"""The files of betsy that break a constraint: each is refused, for this constraint."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from diglot.compiler import compile_source
from diglot.compiler.diagnostics import Severity

from .constraints import ids_of
from .outcome import Outcome, Reporter, Verdict, judged, settled
from .strictly import errors_in


def run(suites: Path, report: Reporter) -> Outcome:
    """Run every file that has to be refused."""
    return settled(_verdicts(suites / "bpmn" / "betsy"), report)


def _verdicts(folder: Path) -> Iterator[Verdict]:
    path = folder / "expectations.json"
    if not path.is_file():
        return
    for test in json.loads(path.read_text(encoding="utf-8"))["constraint_tests"]:
        problem = partial(_problem, folder / test["file"], test["constraint"])
        yield judged(f"betsy/{test['file']}", problem)


def _problem(file: Path, constraint: str) -> str | None:
    errors = errors_in(file)
    wanted = ids_of(constraint)
    if not any(found.code in wanted for found in errors):
        # Some constraints are about expressions, which are looked at while they are translated.
        compiled = compile_source(file.read_bytes(), file.name, is_strict=True)
        errors = [found for found in compiled.diagnostics if found.severity is Severity.ERROR]
    if any(found.code in wanted for found in errors):
        return None
    others = "; ".join(f"{found.span} {found.code} {found.message}" for found in errors)
    return f"{constraint} is not found, only {others or 'nothing'}"
