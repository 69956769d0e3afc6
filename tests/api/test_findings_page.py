"""`docs/findings.md` names what is found in the models of others: no more, no less."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from fnmatch import fnmatch
from pathlib import Path

from diglot.api.cli.documents import compile_file
from diglot.compiler.several import with_pools

PAGE = Path(__file__).parents[2] / "docs/findings.md"
#: What other pages list: broken rules of the standards, and what is not supported.
ELSEWHERE = re.compile(r"DG(?:01|02|03|11|12|15)|DG1001")
ROW = re.compile(r"^\| ([^|]*)\| ([^|]*DG[^|]*)\|", re.MULTILINE)


def listed(heading: str, names: Iterable[str]) -> set[tuple[str, str]]:
    """The files and codes of the table below a heading; a row without files goes on with the last.

    A file that none of the `names` is stands for itself.
    """
    known = [*names]
    section = PAGE.read_text(encoding="utf-8").split(f"## {heading}\n")[1].split("\n## ")[0]
    found: set[tuple[str, str]] = set()
    files: list[str] = []
    for first, second in ROW.findall(section):
        patterns = [part.strip() for part in first.split(",") if part.strip()]
        if patterns:
            files = [
                name
                for pattern in patterns
                for name in [one for one in known if fnmatch(one, pattern)] or [pattern]
            ]
        found |= {(name, code) for name in files for code in re.findall(r"DG\d{4}", second)}
    return found


def found(files: Iterable[Path]) -> Iterator[tuple[str, str]]:
    """The names of files, each with the codes of what is found there."""
    for file in files:
        compiled = with_pools(compile_file(str(file), is_strict=False, severities={}))
        for one in compiled.diagnostics:
            if not ELSEWHERE.match(one.code):
                yield file.stem, one.code


def test_the_page_names_what_is_found_in_the_examples_of_serverless_workflow(suites: Path) -> None:
    versions = {
        version: [*(suites / version / "examples").rglob("*.yaml")]
        for version in ("v1.0.3", "main-2026-07-29")
    }

    for files in versions.values():
        names = [file.stem for file in files]
        assert set(found(files)) == listed("Examples of Serverless Workflow", names)


def test_the_page_names_what_is_found_in_the_reference_models(bpmn_suites: Path) -> None:
    files = [*(bpmn_suites / "miwg/reference").glob("*.bpmn")]

    names = [file.stem for file in files]
    assert set(found(files)) == listed("Reference models of BPMN", names)
