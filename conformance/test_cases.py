"""Every case in every mode that applies to it."""

from __future__ import annotations

import os
import random
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from conformance.harness.case import Case, CaseError, definitions, load
from conformance.harness.modes import MODES, Mode, modes_of, run

if TYPE_CHECKING:
    from conformance.harness.modes import Stage


#: Of so many cases one is played on PostgreSQL, another one with each seed; all of them in a sweep.
ONE_OF = 8


def is_chosen(case: Case, mode: Mode) -> bool:
    """Whether the case is played in this mode, by the seed and the case."""
    if mode.name != "postgres" or os.environ.get("DIGLOT_SWEEP") == "all":
        return True
    return random.Random(f"{os.environ['DIGLOT_SEED']} {case.id}").randrange(ONE_OF) == 0


def plays() -> list[Any]:
    """A parameter set for each case and mode; a case that cannot be read is one that fails."""
    found: list[Any] = []
    for path in definitions():
        try:
            case = load(path)
        except CaseError:
            name = f"{path.parent.name}/{path.name}"
            found.append(pytest.param(path, MODES[1], id=f"{name}-unreadable"))
            continue
        found.extend(
            pytest.param(path, mode, id=f"{case.id}-{mode.name}")
            for mode in modes_of(case)
            if is_chosen(case, mode)
        )
    return found


@pytest.mark.parametrize(("definition", "mode"), plays())
def test_a_case_comes_to_what_it_expects(definition: Path, mode: Mode, stage: Stage) -> None:
    case = load(definition)

    unmet = run(stage, case, mode)

    assert unmet == []
