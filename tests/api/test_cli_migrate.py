"""`diglot migrate`: what it says about steps, of which this version has none yet."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from diglot.api.cli.migrate import migrate_database
from diglot.runtime.store import open_store
from support.command import diglot
from support.steps import NOTE, REMARK, known


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A database of this version."""
    path = tmp_path / "runs.db"
    open_store(f"sqlite:///{path}").close()
    return path


def said(file: Path, capsys: pytest.CaptureFixture[str], phase: str, *, dry_run: bool) -> list[str]:
    """What the command of a version that knows two more steps prints."""
    url = f"sqlite:///{file}"
    assert migrate_database(url, phase=phase, dry_run=dry_run, known=known(NOTE, REMARK)) == 0
    return capsys.readouterr().out.splitlines()


def test_a_dry_run_prints_each_step_with_its_statements(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = file.read_bytes()

    assert said(file, capsys, "all", dry_run=True) == [
        "0002 (pre)",
        "    ALTER TABLE instances ADD COLUMN note TEXT;",
        "    CREATE INDEX instances_noted ON instances (note);",
        "0003 (post)",
        "    DROP INDEX instances_noted;",
        "    ALTER TABLE instances RENAME COLUMN note TO remark;",
        "2 steps would be done; nothing was changed",
    ]
    assert file.read_bytes() == before


def test_the_phases_are_done_one_after_the_other(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert said(file, capsys, "pre", dry_run=False) == ["0002 (pre)", "1 step done"]
    assert said(file, capsys, "pre", dry_run=False)[0].startswith("nothing to do")
    assert said(file, capsys, "all", dry_run=False) == ["0003 (post)", "1 step done"]


def test_a_phase_that_there_is_not_is_refused(file: Path) -> None:
    refused = diglot("migrate", f"sqlite:///{file}", "--phase", "post")

    assert refused.returncode == 2
    assert "--phase" in refused.stderr


def test_the_database_of_another_program_is_refused(tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "other.db") as raw:
        raw.execute("CREATE TABLE birds (name TEXT)")
    raw.close()

    refused = diglot("migrate", f"sqlite:///{tmp_path}/other.db")

    assert refused.returncode == 2
    assert "is the database of another program" in refused.stderr
    assert "Traceback" not in refused.stderr
