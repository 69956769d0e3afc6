"""The reference models of the standard's interchange group: read without an error or a loss."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

from diglot.compiler import compile_source

from .imports import told
from .kept import facts_of
from .outcome import Outcome, Reporter, judged, settled


#: Models that say of themselves that they can be executed, with expressions that cannot.
def run(suites: Path, report: Reporter) -> Outcome:
    """Read every reference model there is."""
    verdicts = (
        judged(f"miwg/{file.name}", partial(_problem, file)) for file in reference_models(suites)
    )
    return settled(verdicts, report)


def reference_models(suites: Path) -> list[Path]:
    """The files of the models, in order of their names."""
    return sorted((suites / "bpmn" / "miwg" / "reference").glob("*.bpmn"))


def _problem(file: Path) -> str | None:
    return next(_problems(file), None)


def _problems(file: Path) -> Iterator[str]:
    data = file.read_bytes()
    compiled = compile_source(data, file.name)
    if not compiled.graphs:
        yield "no graph came of it"
    lost = [fact for fact in facts_of(data, compiled.graphs) if fact.how == "dropped"]
    for fact in lost:
        if fact.is_standard:
            yield f"{len(lost)} facts are lost, the first is the {fact.kind} {fact.place}"
    # A reference model may get stuck, as some do: it is read all the same.
    errors = [told(one) for one in compiled.diagnostics if one.is_firm]
    if errors:
        yield f"{len(errors)} error{'s' * (len(errors) > 1)}: {'; '.join(errors)}"
