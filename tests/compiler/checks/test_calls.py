from __future__ import annotations

import pytest

from diglot.compiler import codes, compile_source
from diglot.compiler.checks.calls import check_called
from diglot.compiler.checks.definitions import Definitions
from diglot.compiler.diagnostics import Report
from diglot.compiler.graph import Graph
from support.findings import WORKFLOW, in_file, in_process, in_task


def run(version: str) -> str:
    return f"run: {{workflow: {{namespace: test, name: other, version: '{version}'}}}}"


@pytest.mark.parametrize("version", ["^1.0", "1.x", "1.0", "v1.0.0", ">=1.0.0", "01.0.0"])
def test_a_version_that_no_definition_can_have_is_an_error(version: str) -> None:
    assert [code for code, _ in in_task(run(version), "DG04")] == ["DG0413"]


@pytest.mark.parametrize("version", ["1.0.0", "0.1.0-alpha.1", "1.0.0+build"])
def test_a_whole_version_may_be_published_elsewhere(version: str) -> None:
    assert in_task(run(version), "DG04") == []


def test_the_latest_version_of_something_elsewhere_is_only_worth_a_look() -> None:
    assert [code for code, _ in in_task(run("latest"), "DG04")] == ["DG0411"]


def test_an_error_can_be_judged_by_the_author_who_knows_better() -> None:
    assert codes.VERSION_NEVER_PUBLISHED.is_judged


CALL = """<startEvent id='s'/><callActivity id='c' calledElement='{}' {}/>
  <sequenceFlow id='f' sourceRef='s' targetRef='c'/>"""
TAG = "camunda:calledElementBinding='versionTag' camunda:calledElementVersionTag='{}'"
CHILD = "<process id='check' isExecutable='true' {}><startEvent id='x'/></process>"


def calls(called: str, attributes: str = "", child: str = "") -> list[tuple[str, str]]:
    body = CALL.format(called, attributes)
    return in_file(
        f"<process id='order' isExecutable='true'>{body}</process>{CHILD.format(child)}", "DG041"
    )


def test_a_process_of_the_same_file_is_there() -> None:
    assert calls("check") == []
    assert calls("check", TAG.format("1.0.0")) == []


def test_another_version_of_it_is_missed() -> None:
    tag = "camunda:versionTag='2.0.0'"

    assert calls("check", TAG.format("1.0.0"), tag) == [("DG0412", "c")]
    assert calls("check", TAG.format("2.0.0"), tag) == []


def test_a_process_of_another_file_is_worth_a_look() -> None:
    assert calls("chek") == [("DG0411", "c")]


def test_a_name_that_is_meant_is_told() -> None:
    text = CALL.format("chek", "")
    body = f"<process id='order'>{text}</process>{CHILD.format('')}"
    compiled = compile_source(
        f"<definitions xmlns='http://www.omg.org/spec/BPMN/20100524/MODEL'>{body}</definitions>"
    )

    assert [one.hint for one in compiled.diagnostics if one.code == "DG0411"] == [
        "Did you mean `check`?"
    ]


def test_a_tag_that_is_no_version_is_told_of_caller_and_called() -> None:
    assert in_process(CALL.format("check", TAG.format("spring")), "DG041") == [("DG0413", "c")]
    found = in_file(CHILD.format("camunda:versionTag='spring'"), "DG041")
    assert found == [("DG0414", "check")]
    assert in_file(CHILD.format("camunda:versionTag='1.0'"), "DG041") == []


def graph(task: str, name: str = "it", version: str = "1.0.0") -> Graph:
    head = WORKFLOW.replace("name: it", f"name: {name}").replace(
        "version: 1.0.0", f"version: {version}"
    )
    found = compile_source(f"{head}do: [{{a: {{{task}}}}}]\n").graph
    assert found is not None
    return found


def missed(*graphs: Graph, others: tuple[Graph, ...] = ()) -> list[str]:
    report = Report()
    check_called(graphs, report, Definitions(others), is_complete=True)
    return [one.message for one in report]


def test_what_is_published_together_has_to_have_all_it_calls() -> None:
    caller, child = graph(run("latest")), graph("set: {x: 1}", "other")

    assert missed(caller, child) == []
    assert missed(caller, others=(child,)) == []
    assert missed(caller) == [
        "`a` calls `other` latest, which is not among the definitions at hand"
    ]


def test_an_exact_version_is_not_replaced_by_another() -> None:
    caller, child = graph(run("2.0.0")), graph("set: {x: 1}", "other")

    assert missed(caller, child) == [
        "`a` calls `other` 2.0.0, which is not among the definitions at hand"
    ]
    assert missed(caller, graph("set: {x: 1}", "other", "2.0.0")) == []


def test_a_default_flow_is_taken_whatever_its_condition_says() -> None:
    body = """<startEvent id='s'/><exclusiveGateway id='g' default='d'/><task id='a'/><task id='b'/>
      <sequenceFlow id='f' sourceRef='s' targetRef='g'/>
      <sequenceFlow id='c' sourceRef='g' targetRef='a'>
      <conditionExpression xsi:type='tFormalExpression'>${x}</conditionExpression></sequenceFlow>
      <sequenceFlow id='d' sourceRef='g' targetRef='b'>CONDITION</sequenceFlow>"""
    condition = "<conditionExpression xsi:type='tFormalExpression'>${y}</conditionExpression>"

    assert in_process(body.replace("CONDITION", condition), "DG0410") == [("DG0410", "d")]
    assert in_process(body.replace("CONDITION", ""), "DG0410") == []


def test_a_call_inside_of_a_function_is_told_of_once() -> None:
    text = f"""{WORKFLOW}use: {{functions: {{f: {{{run("^1.0")}}}}}}}
do: [{{a: {{call: f}}}}, {{b: {{call: f}}}}]
"""

    codes_of = [one.code for one in compile_source(text).diagnostics]

    assert codes_of == ["DG0413"]
