"""Runners of other people's suites; the suites themselves are found through `DIGLOT_SUITES`.

A runner takes the folder of all suites and a function for its lines. It knows the shape of a
suite and no file by name, says what did not pass, and last the counts.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from . import (
    betsy,
    betsy_constraints,
    bpmnspector,
    ctk,
    examples,
    exported,
    lean,
    miwg,
    round_trip,
    soundness,
    token_simulation,
    vendors,
    wild,
    wild_bpmn,
)
from .outcome import Outcome, Reporter

Runner = Callable[[Path, Reporter], Outcome]

SUITES: Mapping[str, Runner] = {
    "ctk": ctk.run,
    "examples": examples.run,
    "wild": wild.run,
    "bpmnspector": bpmnspector.run,
    "betsy-constraints": betsy_constraints.run,
    "betsy": betsy.run,
    "token-simulation": token_simulation.run,
    "lean": lean.run,
    "miwg": miwg.run,
    "round-trip": round_trip.run,
    "vendors": vendors.run,
    "wild-bpmn": wild_bpmn.run,
    "exported": exported.run,
    "soundness": soundness.run,
}
