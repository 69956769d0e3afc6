"""The conformance test kit of the specification: Gherkin features, each scenario in an engine."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

from conformance.harness.doubles import Servers

from .ctk_steps import Trial, take
from .gherkin import GherkinError, Scenario, read_feature
from .outcome import Outcome, Reporter, Verdict, failed, generations, judged, settled

_FEATURES = "ctk/features"


def run(suites: Path, report: Reporter, *, every_generation: bool = False) -> Outcome:
    """Run the kit of the newest generation of the specification, or of every one."""
    found = generations(suites, _FEATURES)
    chosen = found if every_generation else found[-1:]
    with Servers() as servers:
        return settled((verdict for folder in chosen for verdict in _kit(servers, folder)), report)


def _kit(servers: Servers, folder: Path) -> Iterator[Verdict]:
    for file in sorted((folder / _FEATURES).rglob("*.feature")):
        name = f"{folder.name}/{file.name}"
        try:
            scenarios = read_feature(file)
        except GherkinError as error:
            yield failed(name, str(error))
            continue
        for scenario in scenarios:
            yield judged(f"{name}: {scenario.title}", partial(_problem, servers, scenario))


def _problem(servers: Servers, scenario: Scenario) -> str | None:
    """The first step that does not hold."""
    trial = Trial(servers)
    try:
        for step in scenario.steps:
            problem = take(trial, step)
            if problem is not None:
                return f"line {step.line}: {problem}"
    finally:
        trial.sandbox.close()
    return None
