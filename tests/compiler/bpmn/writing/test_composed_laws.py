"""What holds for every graph that is composed, in both views."""

from __future__ import annotations

import re
from collections import Counter
from typing import get_args

import pytest
from conformance.external.opened import faults_of_schema, opened
from hypothesis import given, settings

from diglot.compiler import compile_source
from diglot.compiler.bpmn.writing.view import View
from diglot.compiler.bpmn.writing.write import write_bpmn
from diglot.compiler.diagnostics import Report
from diglot.compiler.graph import Graph, digest
from support.random_workflows import EVERYTHING, Case, cases, graph_of

VIEWS: tuple[View, ...] = get_args(View)
#: A rule that a process breaks which goes round for ever: it has no end.
_ENDLESS = {"end-event-required"}


def _written(graph: Graph, view: View) -> str:
    report = Report()
    text = write_bpmn((graph,), report, view=view)
    assert [found.message for found in report] == []
    assert text is not None
    return text


@pytest.mark.parametrize("view", VIEWS)
@settings(max_examples=15, deadline=None)
@given(case=cases(EVERYTHING))
def test_what_is_written_is_read_as_the_same_graph(view: View, case: Case) -> None:
    for document in (case.main, *case.children):
        graph = graph_of(document)

        again = compile_source(_written(graph, view), "again.bpmn")

        assert not again.has_errors
        assert again.graph is not None
        assert digest(again.graph) == digest(graph)


@pytest.mark.parametrize("view", VIEWS)
@settings(max_examples=6, deadline=None)
@given(case=cases(EVERYTHING))
def test_others_find_nothing_wrong_with_what_is_written(view: View, case: Case) -> None:
    for document in (case.main, *case.children):
        text = _written(graph_of(document), view)

        assert faults_of_schema(text.encode()) == []
        found = opened(text)
        assert found.warnings == ()
        assert [one for one in found.findings if one.rule not in _ENDLESS] == []


@pytest.mark.parametrize("view", VIEWS)
@settings(max_examples=6, deadline=None)
@given(case=cases(EVERYTHING))
def test_every_id_is_there_once_and_taken_by_every_reader(view: View, case: Case) -> None:
    text = _written(graph_of(case.main), view)

    ids = Counter(re.findall(r'<bpmn:\w+ id="([^"]*)"', text))
    assert [id for id, count in ids.items() if count > 1] == []
    assert [id for id in ids if not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_.-]*", id)] == []


@pytest.mark.parametrize("view", VIEWS)
@settings(max_examples=6, deadline=None)
@given(case=cases(EVERYTHING))
def test_writing_twice_gives_the_same_bytes(view: View, case: Case) -> None:
    graph = graph_of(case.main)

    assert _written(graph, view) == _written(graph, view)
