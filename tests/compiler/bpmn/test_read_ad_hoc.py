"""What a vendor says of ad-hoc sub-processes: what begins, and what is collected."""

from __future__ import annotations

from diglot.compiler.graph import Constant, End, Inclusive, Pass, Record, ScopeNode, Variable
from support.bpmn_graphs import flow, graph_of, kinds, node, path, scope, ways


def _clean(facts: str, inside: str = "<userTask id='sweep'/><userTask id='wash'/>"):
    extension = f"<extensionElements><zeebe:adHoc {facts}/></extensionElements>"
    return graph_of(
        f"<startEvent id='begin'/><adHocSubProcess id='clean'>{extension}{inside}"
        "</adHocSubProcess>" + path("begin clean")
    )


def test_without_a_choice_every_activity_begins() -> None:
    assert ways(_clean(""), "clean#body#start") == ["sweep", "wash"]


def test_a_choice_is_a_split_that_leads_to_nothing_by_default() -> None:
    graph = _clean("activeElementsCollection='=chores'")

    split = node(graph, "clean#body#chosen", Inclusive)

    assert ways(graph, "clean#body#start") == ["clean#body#chosen"]
    assert [flow(graph, branch).target for branch in split.branches] == ["sweep", "wash"]
    assert split.default is not None
    assert flow(graph, split.default).target == "clean#body#nothing"
    assert node(graph, "clean#body#nothing", End).scope == "clean#body"


def test_a_constant_choice_is_a_choice() -> None:
    graph = _clean("activeElementsCollection='=[&quot;wash&quot;]'")

    assert len(node(graph, "clean#body#chosen", Inclusive).branches) == 2


def test_what_an_activity_gives_is_collected_in_a_scope_of_its_own() -> None:
    graph = _clean("outputCollection='minutes' outputElement='=spent'")

    collected = node(graph, "sweep#collected#out", Pass)

    assert node(graph, "sweep", ScopeNode).body == "sweep#collected"
    assert scope(graph, "sweep#collected").variables == (
        Variable(name="spent", value=Constant(None)),
    )
    assert collected.data is not None
    assert isinstance(collected.data.export, Record)
    assert [name for name, _ in collected.data.export.members] == ["minutes"]


def test_what_is_collected_is_handed_over_by_the_sub_process() -> None:
    graph = _clean("outputCollection='minutes' outputElement='=spent'")

    rules = node(graph, "clean", ScopeNode).data

    assert scope(graph, "clean#body").variables == (Variable(name="minutes", value=Constant([])),)
    assert rules is not None
    assert isinstance(rules.export, Record)
    assert [name for name, _ in rules.export.members] == ["minutes"]


def test_nothing_is_collected_of_an_activity_that_something_follows() -> None:
    inside = "<userTask id='sweep'/><userTask id='wash'/>" + path("sweep wash")

    graph = _clean("outputCollection='minutes' outputElement='=spent'", inside)

    assert kinds(graph, "clean#body")["sweep"] == "Task"
    assert kinds(graph, "clean#body")["wash"] == "Scope"


def test_an_activity_that_runs_several_times_is_collected_once() -> None:
    loop = "<multiInstanceLoopCharacteristics><loopCardinality>2</loopCardinality>"
    inside = f"<userTask id='wash'>{loop}</multiInstanceLoopCharacteristics></userTask>"

    graph = _clean("outputCollection='minutes' outputElement='=spent'", inside)

    assert node(graph, "wash", ScopeNode).multi is None
    assert node(graph, "wash#run", ScopeNode).multi is not None
    assert kinds(graph, "wash#run#body")["wash#run#each"] == "Task"
