"""The catalogue and the folders of cases agree: nothing supported is untested, nothing is stray."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from conformance.harness.case import ROOT, STANDARDS, Case, CaseError, definitions, load
from diglot.specs import Construct, constructs

#: How a row says that no document can get it wrong: `none: reason` in its `invalid`.
_NONE = "none: "


def catalogue(standard: str) -> dict[str, list[Construct]]:
    """The rows of a standard's catalogue by the folder of their cases."""
    folders: dict[str, list[Construct]] = {}
    for row in constructs(standard.replace("-", "_")).values():
        folders.setdefault(row.cases, []).append(row)
    return folders


def cases_of(standard: str, folder: str) -> list[Case]:
    """The cases of one folder that can be read; the others fail elsewhere."""
    found: list[Case] = []
    for path in definitions():
        if path.parent == ROOT / standard / folder:
            try:
                found.append(load(path))
            except CaseError:
                continue
    return found


def supported() -> Iterator[tuple[str, str]]:
    for standard in STANDARDS:
        for folder, rows in catalogue(standard).items():
            if any(row.support != "refused" for row in rows):
                yield standard, folder


def refused() -> Iterator[tuple[str, str]]:
    for standard in STANDARDS:
        for folder, rows in catalogue(standard).items():
            if any(row.support == "refused" for row in rows):
                yield standard, folder


@pytest.mark.parametrize(("standard", "folder"), list(supported()))
def test_what_is_supported_has_a_valid_case(standard: str, folder: str) -> None:
    valid = [case.id for case in cases_of(standard, folder) if not case.is_invalid]

    assert valid != [], f"{standard}/{folder} has no valid case, for {_rows(standard, folder)}"


@pytest.mark.parametrize(("standard", "folder"), list(supported()))
def test_what_is_supported_has_an_invalid_case_or_a_reason(standard: str, folder: str) -> None:
    rows = [row for row in catalogue(standard)[folder] if row.support != "refused"]
    if all(_reason(row) for row in rows):
        return

    invalid = [case.id for case in cases_of(standard, folder) if case.name.startswith("invalid-")]

    assert invalid != [], f"{standard}/{folder} has no invalid case, for {_rows(standard, folder)}"


@pytest.mark.parametrize(("standard", "folder"), list(refused()))
def test_what_is_refused_has_a_case_for_its_diagnostic(standard: str, folder: str) -> None:
    found = [case.id for case in cases_of(standard, folder) if case.name.startswith("refused-")]

    assert found != [], f"{standard}/{folder} has no refused case, for {_rows(standard, folder)}"


@pytest.mark.parametrize("standard", STANDARDS)
def test_every_folder_of_cases_is_one_of_the_catalogue(standard: str) -> None:
    folders = {path.name for path in (ROOT / standard).iterdir() if path.is_dir()}

    assert folders - set(catalogue(standard)) == set()


@pytest.mark.parametrize("standard", STANDARDS)
def test_every_file_of_a_folder_belongs_to_a_case(standard: str) -> None:
    known = {path.with_suffix(".toml") for path in definitions()}
    files = {path for path in Path(ROOT / standard).glob("*/*") if path.is_file()}
    cases = set(definitions()) | known

    stray = [path for path in files - cases if path.parent / f"{_stem(path)}.toml" not in known]

    assert sorted(path.name for path in stray) == []


def _rows(standard: str, folder: str) -> str:
    return ", ".join(row.key for row in catalogue(standard)[folder])


def _reason(row: Construct) -> str:
    return str(getattr(row, "invalid", "")).removeprefix(_NONE)


def _stem(path: Path) -> str:
    return path.name.split(".", 1)[0]
