"""The pictures of the documentation are what the commands beside them make."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from support.command import diglot
from support.diagrams import SVG, parsed

ROOT = Path(__file__).resolve().parents[2]
PICTURES = ROOT / "docs" / "pictures"
PAGE = (PICTURES / "README.md").read_text(encoding="utf-8")
COMMANDS = [shlex.split(line) for line in re.findall(r"^    diglot (.*)$", PAGE, re.MULTILINE)]


def _output(command: list[str]) -> str:
    return command[command.index("-o") + 1]


@pytest.mark.parametrize("command", COMMANDS, ids=_output)
def test_a_picture_is_what_its_command_makes(command: list[str], tmp_path: Path) -> None:
    kept = ROOT / _output(command)
    made = tmp_path / kept.name

    done = diglot(*command[: command.index("-o")], "-o", made, cwd=ROOT)

    assert (done.returncode, done.stderr) == (0, "")
    assert made.read_text(encoding="utf-8") == kept.read_text(encoding="utf-8"), shlex.join(command)


def test_every_picture_has_its_command_and_its_line() -> None:
    kept = {path.name for path in PICTURES.glob("*.svg")}
    assert {Path(_output(command)).name for command in COMMANDS} == kept
    assert set(re.findall(r"^\| \[([\w-]+\.svg)\]", PAGE, re.MULTILINE)) == kept


@pytest.mark.parametrize("path", sorted(PICTURES.glob("*.svg")), ids=lambda path: path.name)
def test_a_picture_says_what_it_shows(path: Path) -> None:
    top = parsed(path.read_text(encoding="utf-8"))
    assert top.findtext(f"{SVG}title")
    assert "A diagram with" in (top.findtext(f"{SVG}desc") or "")
