from __future__ import annotations

from pathlib import Path

import pytest

from diglot.compiler.bpmn.profiles import profile_of
from diglot.compiler.bpmn.reader import read
from diglot.compiler.bpmn.xml import read_xml
from diglot.compiler.checks.references import check_references
from diglot.compiler.diagnostics import Report, Severity
from diglot.compiler.graph import Graph, digest, from_json, to_json

#: Folders whose files are meant to run.
_RUNNABLE = (
    "betsy/activities", "betsy/basics", "betsy/cfpatterns", "betsy/data", "betsy/errors",
    "betsy/events", "betsy/gateways", "token-simulation", "lean-scenarios",
)  # fmt: skip
_PICTURES = ("wild", "miwg/reference", "fbpmn", "bpmnspector")


def _read(file: Path) -> tuple[tuple[Graph, ...], Report]:
    document = read_xml(file.read_bytes(), file.name, Report())
    if document is None:
        return (), Report()
    report = Report()
    return read(document, report, profile=profile_of(document)), report


def _files(suites: Path, folders: tuple[str, ...]) -> list[Path]:
    return sorted(file for folder in folders for file in (suites / folder).rglob("*.bpmn"))


def test_models_that_are_meant_to_run_are_carried_whole(bpmn_suites: Path):
    files = _files(bpmn_suites, _RUNNABLE)
    refused = {
        file.name: [found.message for found in report if found.severity is Severity.ERROR]
        for file in files
        for _, report in [_read(file)]
        if report.has_errors
    }

    assert len(files) > 250
    # A loop that runs at most -1 times, a stray character in a condition.
    assert sorted(refused) == [
        "Conditional_StartEvent_EventSubProcess_NonInterrupting.bpmn",
        "LoopTask_NegativeLoopMaximum.bpmn",
    ]


@pytest.mark.parametrize("folder", [*_RUNNABLE, *_PICTURES])
def test_whatever_is_read_is_a_graph_without_loose_ends(bpmn_suites: Path, folder: str):
    for file in _files(bpmn_suites, (folder,)):
        graphs, report = _read(file)
        for graph in graphs:
            broken = Report()
            check_references(graph, broken, {})
            known = {found.code for found in report if found.severity is Severity.ERROR}
            assert [found.message for found in broken] == [] or known, file
            assert digest(from_json(to_json(graph))) == digest(graph), file


@pytest.mark.parametrize("folder", [*_RUNNABLE, *_PICTURES])
def test_every_refusal_says_what_and_where(bpmn_suites: Path, folder: str):
    for file in _files(bpmn_suites, (folder,)):
        for found in _read(file)[1]:
            assert found.span is not None, file
            assert found.message, file
            assert found.hint, file
