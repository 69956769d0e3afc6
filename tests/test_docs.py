"""What the documentation says exists: links, codes, commands, decisions."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import pytest
import typer.main

from diglot.api.cli.app import app
from diglot.compiler import codes

ROOT = Path(__file__).resolve().parents[1]
PAGES = sorted(
    [*ROOT.glob("*.md")]
    + [
        page
        for room in ("docs", "examples", "conformance", "benchmarks")
        for page in (ROOT / room).rglob("*.md")
    ]
)
#: Pages drawn from the code hold other people's text as examples.
WRITTEN = [page for page in PAGES if page.parent.name != "codes"]

_LINK = re.compile(r"\]\(([^)\s]+)\)")
_FENCE = re.compile(r"```.*?```", re.DOTALL)
_COMMAND = re.compile(r"(?:\.venv/bin/)?diglot ([^`\n]*)")


def name(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def links(page: Path) -> Iterator[str]:
    """The targets of a page's links inside the project."""
    for target in _LINK.findall(_FENCE.sub("", page.read_text(encoding="utf-8"))):
        if not re.match(r"[a-z][a-z0-9+.-]*:", target):
            yield target


def anchors(page: Path) -> set[str]:
    """The anchors of a page's headings, as code hosts make them."""
    headings = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {
        re.sub(r"[^\w -]", "", heading).strip().lower().replace(" ", "-") for heading in headings
    }


def commands(page: Path) -> Iterator[list[str]]:
    """The arguments of each `diglot` command line on a page."""
    text = page.read_text(encoding="utf-8")
    shown = "\n".join(re.findall(r"^(?: {4}|\$ |[.\w/-]*diglot ).*$|&& .*$", text, re.MULTILINE))
    for line in _COMMAND.findall(shown):
        for variant in _variants(line.partition("   ")[0].partition(" #")[0]):
            yield shlex.split(variant)


def _variants(line: str) -> list[str]:
    """One command for each word of `a | b | c` at the end of a line."""
    first, *others = line.split(" | ")
    head = first.rpartition(" ")[0]
    return [first, *(f"{head} {other.strip()}" for other in others)]


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_every_link_leads_somewhere(page: Path) -> None:
    dead: list[str] = []
    for target in links(page):
        path, _, anchor = target.partition("#")
        place = (page.parent / path).resolve() if path else page
        is_there = place.exists()
        if is_there and anchor and place.suffix == ".md":
            is_there = anchor in anchors(place)
        if not is_there:
            dead.append(target)

    assert dead == []


def test_every_page_can_be_reached_from_the_first() -> None:
    rest, reached = [ROOT / "README.md"], set[Path]()
    while rest:
        page = rest.pop()
        if page in reached:
            continue
        reached.add(page)
        for target in links(page):
            place = (page.parent / target.partition("#")[0]).resolve()
            place = place / "README.md" if place.is_dir() else place
            if place.suffix == ".md" and place.exists():
                rest.append(place)

    assert sorted(set(PAGES) - reached) == [ROOT / "CHANGELOG.md"]


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_every_code_that_is_named_exists(page: Path) -> None:
    named = set(re.findall(r"\bDG\d{4}\b", page.read_text(encoding="utf-8")))

    assert named - codes.ALL.keys() == set()


@pytest.mark.parametrize("page", WRITTEN, ids=name)
def test_every_command_that_is_shown_can_be_typed(page: Path) -> None:
    known: dict[str, Any] = cast("Any", typer.main.get_command(app)).commands
    for first, *others in commands(page):
        assert first in known
        # An option that is not there is an error of the parser.
        known[first].make_context(first, others)


def test_the_pages_show_commands() -> None:
    shown = [arguments[0] for page in WRITTEN for arguments in commands(page)]

    assert set(shown) >= {"check", "run", "verify", "graph", "conformance"}


def test_every_key_of_a_case_is_explained() -> None:
    suite = ROOT / "conformance"
    schema = json.loads((suite / "case.schema.json").read_text(encoding="utf-8"))
    text = (suite / "README.md").read_text(encoding="utf-8")
    keys = {*schema["properties"], *schema["$defs"]["expect"]["properties"]}

    silent = [
        key for key in keys if not re.search(rf"(^|`|, |\[){key}(`| *=|\])", text, re.MULTILINE)
    ]

    assert silent == []


def test_the_program_of_the_quickstart_does_what_it_says(tmp_path: Path) -> None:
    text = (ROOT / "docs" / "quickstart.md").read_text(encoding="utf-8")
    (program,) = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    paths = os.pathsep.join([str(ROOT / "src"), os.environ.get("PYTHONPATH", "")])

    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": paths},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )

    assert done.stderr == ""
    assert "'status': 'confirmed'" in done.stdout


def decisions() -> list[int]:
    text = (ROOT / "docs" / "decisions" / "README.md").read_text(encoding="utf-8")
    return [int(number) for number in re.findall(r"^\| A(\d+) \|", text, re.MULTILINE)]


def test_decisions_are_numbered_without_gaps() -> None:
    found = decisions()

    assert found == list(range(1, len(found) + 1))


def test_every_decision_is_pinned_and_every_pinned_one_is_written() -> None:
    cases = (ROOT / "conformance").glob("*/*/*.toml")
    found = (tomllib.loads(case.read_text(encoding="utf-8")) for case in cases)
    pinned = {int(case["decision"][1:]) for case in found if "decision" in case}
    # Two versions of one definition cannot be told in a case: tests of schedules pin it.
    in_tests = {100}

    assert pinned | in_tests == set(decisions())


@pytest.mark.parametrize("page", WRITTEN, ids=name)
def test_every_decision_that_is_named_exists(page: Path) -> None:
    named = {int(number) for number in re.findall(r"\bA(\d+)\b", page.read_text(encoding="utf-8"))}

    assert named - set(decisions()) == set()


def vendor_rows() -> list[tuple[str, str]]:
    """(module of the profile, extension) of every extension that is said to be read."""
    text = (ROOT / "docs" / "support" / "bpmn-vendors.md").read_text(encoding="utf-8")
    found: list[tuple[str, str]] = []
    sections = re.findall(r"^## ([^\n]*\(`[^\n]*)\n(.*?)(?=^## )", text, re.M | re.DOTALL)
    for heading, body in sections:
        module = re.findall(r"`(\w+)`", heading)[0]
        for row in re.findall(r"^\| (?:executed|told) \| (.*) \|$", body, re.M):
            found.extend((module, name) for name in re.findall(r"`([\w-]+)`", row))
    return found


def test_what_is_said_to_be_read_of_a_vendor_is_in_its_profile() -> None:
    profiles = ROOT / "src" / "diglot" / "compiler" / "bpmn" / "profiles"
    rows = vendor_rows()

    missing = [
        (module, name)
        for module, name in rows
        if f'"{name}"' not in (profiles / f"{module}.py").read_text(encoding="utf-8")
    ]

    assert {module for module, _ in rows} == {
        path.stem for path in profiles.glob("[a-z]*.py") if path.stem not in ("contract", "finding")
    }
    assert missing == []
