"""BPMN files of real projects: read or refused exactly, and what is meant to run is driven."""

from __future__ import annotations

from collections import Counter
from functools import partial
from pathlib import Path

from diglot.compiler import compile_source

from .driven import drive
from .imports import Tally, taken
from .outcome import Outcome, Reporter, judged, settled


def run(suites: Path, report: Reporter) -> Outcome:
    """Read every file there is, and drive those that are executable."""
    folder = suites / "bpmn" / "wild"
    tally, endings = Tally(), Counter[str]()
    verdicts = [
        judged(f"wild-bpmn/{file.name}", partial(_problem, file, tally, endings, report))
        for file in sorted(folder.rglob("*.bpmn"))
    ]
    report(tally.line)
    report("driven: " + ", ".join(f"{count} {how}" for how, count in sorted(endings.items())))
    return settled(verdicts, report)


def _problem(file: Path, tally: Tally, endings: Counter[str], report: Reporter) -> str | None:
    compiled = compile_source(file.read_bytes(), file.name)
    problem = taken(compiled, file.name, tally, report)
    executable = [
        graph for graph in compiled.graphs if graph.metadata.get("executable") is not False
    ]
    if problem is None and executable and not compiled.is_refused:
        endings.update(drive(executable))
    return problem
