from __future__ import annotations

import pytest

from diglot.compiler.bpmn.xml import XmlLimits
from diglot.compiler.graph import Call, Expression, Record, ScopeNode, Task
from support.bpmn_graphs import graph_of, graphs_of, kinds, names_of, node, path, scope, ways


def test_a_sub_process_is_a_scope_that_the_token_enters():
    graph = graph_of(
        "<startEvent id='begin'/><subProcess id='pack'><startEvent id='inside'/><task id='wrap'/>"
        + path("inside wrap")
        + "</subProcess><endEvent id='done'/>"
        + path("begin pack done")
    )

    assert node(graph, "pack", ScopeNode).body == "pack#body"
    body = scope(graph, "pack#body")
    assert (body.form, body.parent, body.start, body.binds_input) == (
        "sub-process", "/", "inside", False,
    )  # fmt: skip
    assert ways(graph, "pack") == ["done"]


def test_all_start_events_of_a_sub_process_begin():
    graph = graph_of(
        "<startEvent id='begin'/><subProcess id='pack'><startEvent id='a'/><startEvent id='b'/>"
        "<task id='alone'/></subProcess>" + path("begin pack")
    )

    assert scope(graph, "pack#body").start == "pack#body#start"
    assert ways(graph, "pack#body#start") == ["a", "b", "alone"]


def test_an_ad_hoc_sub_process_begins_with_all_its_activities():
    graph = graph_of(
        "<startEvent id='begin'/><adHocSubProcess id='clean' ordering='Sequential' "
        "cancelRemainingInstances='false'><task id='sweep'/><task id='wash'/><task id='dry'/>"
        + path("wash dry")
        + "<completionCondition>isClean</completionCondition></adHocSubProcess>"
        + path("begin clean")
    )
    ad_hoc = node(graph, "clean", ScopeNode).ad_hoc

    assert ad_hoc is not None
    assert (ad_hoc.is_sequential, ad_hoc.cancels_remaining) == (True, False)
    assert ad_hoc.completion is not None
    assert ad_hoc.completion.source == "isClean"
    assert scope(graph, "clean#body").form == "ad-hoc"
    assert ways(graph, "clean#body#start") == ["sweep", "wash"]


def _called(attributes: str, content: str = "", around: str = "", finds: tuple[str, ...] = ()):
    return graph_of(
        f"<startEvent id='begin'/><callActivity id='ship' {attributes}>{content}</callActivity>"
        + path("begin ship"),
        around,
        finds=finds,
    )


def test_a_call_activity_calls_a_process_by_its_id_and_hands_over_nothing():
    found = node(_called("calledElement='shipping'"), "ship", Call)

    assert (found.namespace, found.process, found.version) == ("bpmn", "shipping", "latest")
    assert found.input == Record(())
    assert found.data is None


def test_a_vendor_hands_over_variables():
    found = node(
        _called(
            "calledElement='shipping'",
            "<extensionElements><camunda:in source='order' target='parcel'/>"
            "<camunda:out source='code' target='tracking'/></extensionElements>",
        ),
        "ship",
        Call,
    )

    assert found.data is not None
    assert isinstance(found.data.read, Record)
    assert [name for name, _ in found.data.read.members] == ["parcel"]
    assert found.input == Expression(text=".")
    assert isinstance(found.data.export, Record)
    assert [name for name, _ in found.data.export.members] == ["tracking"]


def test_all_variables_go_both_ways_where_the_vendor_says_so():
    found = node(
        _called(
            "",
            "<extensionElements><zeebe:calledElement processId='shipping'/></extensionElements>",
        ),
        "ship",
        Call,
    )

    assert found.process == "shipping"
    assert found.input == Expression(text=".", of="variables")
    assert found.data is not None
    assert found.data.export_mode == "variables"


@pytest.mark.parametrize(
    ("task", "type"),
    [
        ("<globalUserTask id='shared' name='Check'/>", "user-task"),
        ("<globalManualTask id='shared'/>", "manual-task"),
        ("<globalBusinessRuleTask id='shared'/>", "business-rule-task"),
        (
            "<globalScriptTask id='shared' scriptFormat='text/x-groovy'><script>x = 1</script>"
            "</globalScriptTask>",
            "script-task",
        ),
    ],
)
def test_a_global_task_is_done_in_place(task: str, type: str):
    found = node(_called("calledElement='shared'", around=task), "ship", Task)

    assert found.action.type == type
    assert found.construct == "call-activity"


def test_a_call_of_nothing_is_refused():
    assert kinds(_called("", finds=("call-of-nothing",)))["ship"] == "Pass"


def test_a_computed_call_is_refused():
    _called("calledElement='${which}'", finds=("call-computed",))


def test_every_process_has_a_graph_those_to_be_run_first():
    graphs, _ = graphs_of(
        "<collaboration id='all'><participant id='us' processRef='b'/><participant id='them'/>"
        "</collaboration>"
        "<process id='a' isExecutable='false'><task id='x'/></process>"
        "<process id='b'><task id='y'/></process>"
        "<process id='c' isExecutable='true' name='Third'><documentation>Last.</documentation>"
        "<task id='z'/></process><process id='d'/>"
    )

    assert [graph.name for graph in graphs] == ["c", "b", "a"]
    assert [graph.metadata for graph in graphs] == [{}, {}, {"executable": False}]
    assert graphs[0].key == "bpmn/c"
    assert (graphs[0].title, graphs[0].documentation) == ("Third", "Last.")


def test_a_file_without_a_process_is_told():
    graphs, report = graphs_of("<collaboration id='all'><participant id='them'/></collaboration>")

    assert graphs == ()
    assert names_of(report) == ["nothing-to-run"]


def test_the_version_is_the_vendors_where_it_is_a_semantic_one():
    def version(tag: str) -> tuple[str, object]:
        graphs, _ = graphs_of(
            f"<process id='order' camunda:versionTag='{tag}'><task id='a'/></process>"
        )
        return graphs[0].version, graphs[0].metadata.get("version")

    assert version("2.1.0") == ("2.1.0", None)
    assert version("spring") == ("1.0.0", "spring")


def test_processes_without_an_id_have_names_of_their_own():
    graphs, _ = graphs_of(
        "<process><task id='a'/></process><process id='process'><task id='b'/></process>"
        "<process><task id='c'/></process>"
    )

    assert [graph.name for graph in graphs] == ["process-2", "process", "process-3"]


def test_sub_processes_as_deep_as_a_file_may_be_are_read():
    # Above them are the definitions and the process, in the innermost one stands a task.
    levels = range(XmlLimits().depth - 3)
    opened = "".join(f"<subProcess id='s{level}'>" for level in levels)

    graph = graph_of(opened + "<task id='a'/>" + "</subProcess>" * len(levels))

    assert len(graph.scopes) == len(levels) + 1
