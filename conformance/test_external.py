"""The suites of others, where they are at hand: DIGLOT_SUITES names their folder."""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest

from conformance.command import SUITES_BESIDE, SUITES_VARIABLE
from conformance.external import SUITES, ctk, round_trip
from conformance.external.models_page import PAGE, page

SEED = os.environ["DIGLOT_SEED"]
SWEEPS_ALL = os.environ.get("DIGLOT_SWEEP") == "all"
#: How much of the round trip is made where not all is.
SHARE = 0.2
FOLDER = Path(os.environ.get(SUITES_VARIABLE) or SUITES_BESIDE)
pytestmark = pytest.mark.skipif(
    not (FOLDER / "serverless-workflow").is_dir(),
    reason=f"THE SUITES OF OTHERS ARE NOT RUN: {FOLDER} is not there; set {SUITES_VARIABLE}",
)


@pytest.mark.parametrize("name", sorted(SUITES.keys() - {"exported", "round-trip"}))
def test_nothing_of_the_suite_fails(name: str) -> None:
    lines: list[str] = []

    outcome = SUITES[name](FOLDER, lines.append)

    assert [line for line in lines if line.startswith("failed")] == []
    assert lines[-1] == outcome.line
    assert outcome.exit_status == 0


def test_what_another_reader_finds_otherwise_in_a_file_was_told() -> None:
    lines: list[str] = []

    outcome = round_trip.run(
        FOLDER,
        lines.append,
        chosen=lambda name: SWEEPS_ALL or random.Random(f"{SEED} {name}").random() < SHARE,
    )

    assert [line for line in lines if line.startswith("failed")] == [], f"DIGLOT_SEED={SEED}"
    assert outcome.exit_status == 0


def test_the_kit_of_every_generation_passes() -> None:
    lines: list[str] = []

    outcome = ctk.run(FOLDER, lines.append, every_generation=True)

    assert [line for line in lines if line.startswith("failed")] == []
    assert outcome.passed >= ctk.run(FOLDER, lines.append).passed


@pytest.mark.skipif(not (FOLDER / "bpmn").is_dir(), reason="no suites of BPMN are here")
def test_the_page_of_the_reference_models_is_up_to_date() -> None:
    written = (Path(__file__).parents[1] / PAGE).read_text(encoding="utf-8")

    assert written == page(FOLDER), "run: python -m conformance.external.models_page"
