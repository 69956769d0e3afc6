"""The documents of the specification and of its users: each is read, or refused with reasons."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path

import pytest

from diglot.compiler.diagnostics import Report, Severity
from diglot.compiler.graph import Graph, digest, from_json, to_json
from diglot.compiler.graph.text import to_text
from diglot.compiler.serverless_workflow import read
from diglot.compiler.source import Source

GENERATIONS = ("v1.0.3", "main-2026-07-29")
#: What the beginnings of the names of refused examples have in common, and what refuses them.
REFUSED = {
    "authentication-oauth2": "`oauth2` authentication",
    "authentication-oidc": "`oidc` authentication",
    "call-asyncapi": "`call: asyncapi`",
    "call-custom-function-cataloged": "the cataloged function",
    "call-grpc": "`call: grpc`",
    "call-mcp": "`call: mcp`",
    "run-container": "`run.container`",
    "run-return": "`run.container`",
}
#: Files of users that are wrong in themselves, and why.
WRONG = {
    "50-activity-call-workflow.yaml": ["DG0401"],
    "51-agentic-workflow-workflow.yaml": ["DG0303", "DG0401"],
    "53-authorise-change-request-workflow.yaml": ["DG0301"],
    "56-child-workflows-workflow.yaml": ["DG0301"],
    "65-query-workflow.yaml": ["DG0301"],
    "66-schedule-workflow.yaml": ["DG0601"],
    "68-switch-workflow.yaml": ["DG0301"],
    "71-invalid-workflow.yaml": ["DG0206"],
    "75-named-auth-workflow.yaml": ["DG1001"],
    "84-try_catch_compensate.yaml": ["DG0702"],
    "91-run_shell_args_kv.yaml": ["DG0217"],
    "100-testcreateworkflow-v1.yaml": ["DG0203", "DG0206"],
}


def compiled(path: Path) -> tuple[Graph | None, Report]:
    report = Report()
    graph = read(Source(path.read_text("utf-8"), path.name), report)
    return graph, report


def errors(report: Report) -> Iterator[str]:
    return (found.message for found in report if found.severity is Severity.ERROR)


@pytest.mark.parametrize("generation", GENERATIONS)
def test_every_example_is_read_or_refused_for_what_is_not_supported(suites: Path, generation: str):
    examples = sorted((suites / generation / "examples").glob("*.yaml"))

    assert examples
    for path in examples:
        graph, report = compiled(path)
        reasons = [words for start, words in REFUSED.items() if path.name.startswith(start)]
        found = list(errors(report))
        assert graph is not None, path.name
        assert len(found) == len(reasons), (path.name, found)
        assert all(found[0].startswith(words) for words in reasons), (path.name, found)


def test_every_file_of_users_is_read_or_refused_for_a_reason(suites: Path):
    with (suites / "wild" / "SOURCES.tsv").open(encoding="utf-8", newline="") as table:
        rows = list(csv.DictReader(table, delimiter="\t"))
    names = [row["file"] for row in rows if row["dialect"].startswith("1.0")]

    assert names
    for name in names:
        path = suites / "wild" / name
        if path.exists():
            _, report = compiled(path)
            codes = {found.code for found in report if found.severity is Severity.ERROR}
            assert sorted(codes) == WRONG.get(name, []), name


def test_what_is_read_survives_the_interchange_form(suites: Path):
    for path in sorted((suites / "main-2026-07-29" / "examples").glob("*.yaml")):
        graph, _ = compiled(path)
        assert graph is not None
        again = from_json(to_json(graph))
        assert again == graph, path.name
        assert digest(again) == digest(graph)
        assert "order of" not in to_text(graph)
