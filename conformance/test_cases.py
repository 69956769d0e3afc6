"""Every case in every mode that applies to it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from conformance.harness.case import CaseError, definitions, load
from conformance.harness.modes import MODES, Mode, modes_of, run

if TYPE_CHECKING:
    from conformance.harness.modes import Stage


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
            pytest.param(path, mode, id=f"{case.id}-{mode.name}") for mode in modes_of(case)
        )
    return found


@pytest.mark.parametrize(("definition", "mode"), plays())
def test_a_case_comes_to_what_it_expects(definition: Path, mode: Mode, stage: Stage) -> None:
    case = load(definition)

    unmet = run(stage, case, mode)

    assert unmet == []
