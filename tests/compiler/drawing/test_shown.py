"""States are found by any name of what they belong to, and stand at the element that shows it."""

from __future__ import annotations

import pytest

from diglot.compiler import compile_source
from diglot.compiler.diagnostics import Report
from diglot.compiler.drawing import State
from diglot.compiler.drawing.shown import states_by_element
from diglot.compiler.drawing.written import tree_of
from diglot.compiler.export import export_bpmn
from support.diagrams import document

DONE, FAILED = State(status="done", count=1), State(status="failed", note="no")
WORKFLOW = """document: {dsl: 1.0.3, namespace: test, name: one, version: 1.0.0}
do:
- first: {set: {a: 1}}
- second: {set: {b: 1}}
"""
BPMN = document(
    "<process id='p'><startEvent id='s'/><task id='a b'/><task id='t'/>"
    "<boundaryEvent id='x' attachedToRef='t'><timerEventDefinition><timeDuration>PT1S"
    "</timeDuration></timerEventDefinition></boundaryEvent><endEvent id='e'/>"
    "<sequenceFlow id='f' sourceRef='s' targetRef='t'/>"
    "<sequenceFlow id='g' sourceRef='t' targetRef='e'/></process>"
)


def shown(text: str, states: dict[str, State]) -> dict[str, State]:
    compiled = compile_source(text.encode(), "one.yaml" if text is WORKFLOW else "one.bpmn")
    written = export_bpmn(compiled.graphs, Report())
    assert written is not None
    return states_by_element(tree_of(written), compiled.graphs, states)


@pytest.mark.parametrize("name", ["first", "/do/0/first"])
def test_a_state_is_found_by_the_name_or_the_pointer_of_a_node(name: str) -> None:
    assert shown(WORKFLOW, {name: DONE})["first"] == DONE


def test_what_is_shown_nowhere_is_left_out() -> None:
    assert shown(WORKFLOW, {"nobody": DONE}) == {}


def test_the_most_urgent_of_several_states_is_shown() -> None:
    found = shown(WORKFLOW, {"first": DONE, "/do/0/first": FAILED})
    assert found["first"] == State(status="failed", count=1, note="no")


@pytest.mark.parametrize("name", ["t", "f", "x"])
def test_elements_of_a_file_go_by_their_ids(name: str) -> None:
    assert shown(BPMN, {name: DONE})[name] == DONE


def test_a_flow_between_what_is_done_is_left_to_the_run_where_it_is_part_of_it() -> None:
    assert shown(BPMN, {"s": DONE, "t": DONE}).keys() == {"s", "t"}


def test_an_activity_that_was_left_by_its_border_was_not_left_by_its_flow() -> None:
    states = {"t": DONE, "x": DONE, "g": DONE}
    assert shown(BPMN, states).keys() == {"t", "x"}


def test_an_activity_that_ran_twice_may_have_been_left_both_ways() -> None:
    states = {"t": State(status="done", count=2), "x": DONE, "g": DONE}
    assert shown(BPMN, states).keys() == {"t", "x", "g"}
