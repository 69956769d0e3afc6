"""Real deaths: a process is killed at a commit, and another one goes on with its database."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from conformance.harness.case import ROOT, Case, CaseError, definitions, load
from conformance.harness.driver import Play, compiled
from conformance.harness.journal import Journal
from conformance.harness.kill import play_and_kill
from conformance.harness.observation import disagreements, observe
from conformance.harness.victim import JOURNAL

if TYPE_CHECKING:
    from conformance.harness.modes import Stage

#: How many cases are killed for real, each at one commit.
_CASES = 4


def eligible() -> list[Case]:
    """Cases of several steps; doubles would die with the process that asks them."""
    found: list[Case] = []
    for path in definitions():
        try:
            case = load(path)
        except CaseError:
            continue
        is_long = len(case.steps) > 1 and not case.is_refused and not case.doubles
        if is_long and not compiled(path).is_refused:
            found.append(case)
    return found


@pytest.mark.parametrize("number", range(_CASES))
def test_a_case_goes_on_after_its_process_was_killed(
    number: int, stage: Stage, tmp_path: Path
) -> None:
    dice = random.Random(f"{stage.seed} {number}")
    case = dice.choice(eligible())
    with stage.folder() as folder:
        play, count = play_and_kill(case, folder, stage.servers, None)
        play.close()
    moment = dice.randrange(count)
    command = [sys.executable, "-m", "conformance.harness.victim", str(case.definition)]
    paths = os.pathsep.join([str(ROOT.parent / "src"), str(ROOT.parent)])

    died = subprocess.run(
        [*command, str(tmp_path), str(moment)],
        env={**os.environ, "PYTHONPATH": paths},
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert died.returncode == -signal.SIGKILL, died.stderr.decode()
    play = Play(case, tmp_path, stage.servers, journal=Journal(tmp_path / JOURNAL))
    try:
        play.revive()
        while not play.is_done:
            play.next()
        unmet = [
            *play.finish(),
            *disagreements(stage.plain_end(case), observe(play.evidence())),
        ]
    finally:
        play.close()

    assert unmet == [], f"{case.id} killed at moment {moment}"


@pytest.mark.parametrize("moment", [0, 1], ids=["before", "after"])
def test_an_engine_that_dies_while_it_lays_out_its_database_leaves_one_that_works(
    moment: int, stage: Stage, tmp_path: Path
) -> None:
    case = eligible()[0]

    play, _ = play_and_kill(case, tmp_path, stage.servers, moment)
    try:
        unmet = [
            *play.finish(),
            *disagreements(stage.plain_end(case), observe(play.evidence())),
        ]
    finally:
        play.close()

    assert unmet == []
