"""Models of another checker: what it says of them, what we say, and runs that the machine plays.

`WRONG` has its findings, file by file, in its own words: `safeness` where two tokens meet,
`option_to_complete` where something gets stuck, `proper_completion` where an end event is come to
twice, `dead_activities` where a task never runs. A file that it refuses or gives up is not there.

Source: rust_bpmn_analyzer 0.2.0; its tests and the names of their files say the same.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

from conformance.harness.checked import unlike
from diglot.compiler import codes, compile_source
from diglot.compiler.checks.soundness.collaboration import run_together
from diglot.compiler.checks.soundness.composition import whole_of
from diglot.compiler.checks.soundness.fault import Fault, faults_of
from diglot.compiler.checks.soundness.scope_net import Untold
from diglot.compiler.checks.soundness.surroundings import Surroundings
from diglot.compiler.diagnostics import Severity
from diglot.compiler.pipeline import Compiled

from .outcome import Verdict, judged
from .soundness_published import WRONG

FOLDERS = ("bpmn-analyzer-js", "kraeuter-bpm2024", "rust_bpmn_analyzer")
_NEVER = frozenset({codes.NEVER_RUNS.id, codes.NODE_UNREACHABLE.id})
#: What is walked through together; where that is too much, each process is looked at alone.
_BUDGET = 6_000


def run(folder: Path) -> Iterator[Verdict]:
    """One verdict on every model."""
    for name in FOLDERS:
        for path in sorted((folder / name).rglob("*.bpmn")):
            case = path.relative_to(folder).with_suffix("").as_posix()
            yield judged(f"soundness/{case}", partial(_problem, path, WRONG.get(case)))


def _problem(path: Path, published: str | None) -> str | None:
    compiled = compile_source(path.read_bytes(), path.name)
    for graph in compiled.graphs:
        for problem in unlike(graph):
            return problem
    ours = " ".join(sorted(_wrong(compiled)))
    if published is None or published == ours:
        return None
    return f"published: {published or 'sound'}; ours: {ours or 'sound'}"


def doubted(compiled: Compiled) -> frozenset[str]:
    """What has errors, so that flows whose conditions could not be read are not told as certain."""
    found = compiled.diagnostics
    return frozenset(one.pointer for one in found if one.severity is Severity.ERROR)


def _wrong(compiled: Compiled) -> Iterator[str]:
    """What is wrong with the processes of a file together, in the words of the other checker."""
    if any(one.code in _NEVER for one in compiled.diagnostics):
        yield "dead_activities"
    unread = doubted(compiled)
    together = run_together(whole_of(compiled.graphs, unread), budget=_BUDGET)
    if together.is_whole:
        is_safe, completes = together.is_safe, together.completes
    else:
        kinds = set(_kinds(compiled, unread))
        is_safe, completes = "doubled" not in kinds, not kinds & {"stuck", "endless"}
        completes &= all(one.code != codes.ENDLESS_LOOP.id for one in compiled.diagnostics)
    if not is_safe:
        yield "safeness"
    if not completes:
        yield "option_to_complete"
    if not together.ends_once:
        yield "proper_completion"


def _kinds(compiled: Compiled, unread: frozenset[str]) -> Iterator[str]:
    for graph in compiled.graphs:
        around = Surroundings(graph, unread)
        for scope in graph.scopes:
            try:
                found = list(faults_of(around, scope))
            except Untold:
                continue
            yield from (one.kind for one in found if isinstance(one, Fault))
