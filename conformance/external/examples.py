"""The examples of the specification: each compiles, or is refused for what is not supported alone.

What compiles is played, and comes to an end where local doubles can bring it about.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

from conformance.harness.doubles import Servers
from diglot.compiler import codes, compile_source

from .outcome import Dispute, Outcome, Reporter, Verdict, generations, judged, settled
from .strangers import problem_of_playing

#: Examples that cannot come to a good end, whoever plays them.
DISPUTES = (
    Dispute(
        "accumulate-room-readings.yaml",
        "Cannot index array",
        "`.data.reading` is applied to the output of a listen, which is an array "
        "(DSL reference, Listen)",
    ),
    Dispute(
        "for.yaml",
        "Cannot index array",
        "`.pets` is applied to the output of a listen, which is an array (DSL reference, Listen)",
    ),
    Dispute(
        "mock-service-extension.yaml",
        "startswith() requires string",
        "`startswith` is applied to an endpoint that the document writes as a mapping",
    ),
)

_SUFFIXES = (".yaml", ".yml", ".json")


def run(suites: Path, report: Reporter) -> Outcome:
    """Run the examples of every generation of the specification."""
    with Servers() as servers:
        return settled(
            (
                verdict
                for folder in generations(suites, "examples")
                for verdict in _examples(servers, folder)
            ),
            report,
            DISPUTES,
        )


def _examples(servers: Servers, folder: Path) -> Iterator[Verdict]:
    for file in sorted((folder / "examples").rglob("*")):
        if file.suffix in _SUFFIXES:
            case = f"{folder.name}/{file.relative_to(folder / 'examples')}"
            yield judged(case, partial(_problem, servers, file))


def _problem(servers: Servers, file: Path) -> str | None:
    compiled = compile_source(file.read_bytes(), file.name)
    errors = [found for found in compiled.diagnostics if found.severity.value == "error"]
    wrong = [found for found in errors if found.code != codes.UNSUPPORTED_CONSTRUCT.id]
    if wrong:
        return "; ".join(f"{found.span} {found.code} {found.message}" for found in wrong)
    return None if errors else problem_of_playing(servers, compiled, processes="run")
