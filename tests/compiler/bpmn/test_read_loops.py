from __future__ import annotations

from diglot.compiler.bpmn.reading import ALL_VARIABLES, RESULT
from diglot.compiler.graph import (
    Constant,
    Emit,
    Expression,
    Inclusive,
    Pass,
    Record,
    ScopeNode,
    Task,
    Variable,
)
from support.bpmn_graphs import flow, graph_of, kinds, node, path, scope, ways


def _looped(
    content: str,
    attributes: str = "",
    around: str = "",
    more: str = "",
    finds: tuple[str, ...] = (),
):
    return graph_of(
        f"<startEvent id='begin'/><userTask id='ask' {attributes}>{content}</userTask>"
        f"<endEvent id='done'/>{more}" + path("begin ask done"),
        around,
        finds=finds,
    )  # fmt: skip


def _multi(content: str, attributes: str = "") -> str:
    return (
        f"<multiInstanceLoopCharacteristics {attributes}>{content}"
        "</multiInstanceLoopCharacteristics>"
    )


def test_a_loop_is_a_scope_around_one_run_of_the_activity():
    graph = _looped(
        "<standardLoopCharacteristics testBefore='true' loopMaximum='3'>"
        "<loopCondition>again</loopCondition></standardLoopCharacteristics>"
    )
    found = node(graph, "ask", ScopeNode)

    assert found.construct == "standard-loop"
    assert found.loop is not None
    assert (found.loop.is_tested_before, found.loop.maximum) == (True, Constant(3))
    assert found.loop.condition is not None
    assert found.loop.condition.source == "again"
    assert kinds(graph, "ask#body") == {
        "ask#body#start": "Start", "ask#each": "Task", "ask#body#end": "End",
    }  # fmt: skip
    assert node(graph, "ask#each", Task).pointer == "ask"
    assert ways(graph, "ask#body#start") == ["ask#each"]
    assert ways(graph, "ask#each") == ["ask#body#end"]
    assert ways(graph, "ask") == ["done"]


def test_a_loop_without_an_end_is_refused():
    _looped("<standardLoopCharacteristics/>", finds=("loop-without-end",))


def test_a_maximum_below_one_is_refused():
    _looped(
        "<standardLoopCharacteristics loopMaximum='0'><loopCondition>again</loopCondition>"
        "</standardLoopCharacteristics>",
        finds=("loop-maximum-below-one",),
    )


def test_instances_by_number_count_from_one_and_see_how_many_there_are():
    graph = _looped(_multi("<loopCardinality>3</loopCardinality>", "isSequential='true'"))
    multi = node(graph, "ask", ScopeNode).multi

    assert multi is not None
    assert (multi.cardinality, multi.collection) == (Constant(3), None)
    assert (multi.index, multi.first, multi.counts, multi.is_sequential) == (
        "loopCounter", 1, True, True,
    )  # fmt: skip


def test_instances_of_a_collection_get_an_item_and_give_one():
    graph = graph_of(
        "<dataObject id='people' name='people' isCollection='true'/>"
        "<dataObject id='answers' name='answers' isCollection='true'/>"
        "<startEvent id='begin'/><userTask id='ask'><ioSpecification>"
        "<dataInput id='all'/><dataOutput id='given'/><inputSet/><outputSet/></ioSpecification>"
        "<dataInputAssociation><sourceRef>people</sourceRef><targetRef>all</targetRef>"
        "</dataInputAssociation><dataOutputAssociation><sourceRef>given</sourceRef>"
        "<targetRef>answers</targetRef></dataOutputAssociation>"
        + _multi(
            "<loopDataInputRef>all</loopDataInputRef><loopDataOutputRef>given</loopDataOutputRef>"
            "<inputDataItem id='in' name='person'/><outputDataItem id='out' name='answer'/>"
            "<completionCondition>numberOfCompletedInstances > 1</completionCondition>"
        )
        + "</userTask>"
        + path("begin ask")
    )
    multi = node(graph, "ask", ScopeNode).multi

    assert multi is not None
    assert multi.collection == Expression(text=".people", of="variables")
    assert (multi.item, multi.output_to) == ("person", "answers")
    assert multi.output == Expression(text=".answer", of="variables")
    assert multi.completion is not None
    assert scope(graph, "ask#body").variables == (Variable(name="answer", value=Constant(None)),)


def test_the_collection_goes_in_and_out_of_the_activity_and_not_of_its_runs():
    graph = graph_of(
        "<dataObject id='people' isCollection='true'/><dataObject id='answers'/>"
        "<startEvent id='begin'/><userTask id='ask'><ioSpecification>"
        "<dataInput id='all'/><dataOutput id='given'/>"
        "<inputSet><dataInputRefs>all</dataInputRefs></inputSet><outputSet/></ioSpecification>"
        "<dataInputAssociation><sourceRef>people</sourceRef><targetRef>all</targetRef>"
        "</dataInputAssociation><dataOutputAssociation><sourceRef>given</sourceRef>"
        "<targetRef>answers</targetRef></dataOutputAssociation>"
        + _multi(
            "<loopDataInputRef>all</loopDataInputRef><loopDataOutputRef>given</loopDataOutputRef>"
            "<inputDataItem id='in' name='person'/><outputDataItem id='out' name='answer'/>"
        )
        + "</userTask>"
        + path("begin ask")
    )
    whole, run = node(graph, "ask", ScopeNode).data, node(graph, "ask#each", Task)

    assert whole is not None
    assert whole.needs is not None
    assert whole.needs.text == ".people != null"
    assert run.data is not None
    assert (run.data.read, run.data.export) == (None, RESULT)
    assert isinstance(run.action.arguments, Record)
    assert dict(run.action.arguments.members)["variables"] == ALL_VARIABLES


def test_a_vendor_names_collections_and_items():
    graph = _looped(
        _multi(
            "<extensionElements><zeebe:loopCharacteristics inputCollection='=people' "
            "inputElement='person' outputCollection='answers' outputElement='=answer'/>"
            "</extensionElements>"
        )
    )
    multi = node(graph, "ask", ScopeNode).multi

    assert multi is not None
    assert isinstance(multi.collection, Expression)
    assert multi.collection.source == "=people"
    assert (multi.item, multi.output_to, multi.first) == ("person", "answers", 1)
    assert scope(graph, "ask#body").variables == (Variable(name="answer", value=Constant(None)),)


def test_the_bare_name_of_a_variable_is_a_collection():
    graph = _looped(_multi("", "camunda:collection='people' camunda:elementVariable='person'"))
    multi = node(graph, "ask", ScopeNode).multi

    assert multi is not None
    assert multi.collection == Expression(text=".people", of="variables")


def test_a_sub_process_is_repeated_itself():
    graph = graph_of(
        "<startEvent id='begin'/><subProcess id='pack'>"
        + _multi("<loopCardinality>2</loopCardinality>")
        + "<task id='wrap'/></subProcess>"
        + path("begin pack")
    )
    found = node(graph, "pack", ScopeNode)

    assert found.multi is not None
    assert (found.body, found.construct) == ("pack#body", "sub-process")
    assert scope(graph, "pack#body").form == "sub-process"
    assert [one.id for one in graph.scopes] == ["/", "pack#body"]


_SIGNAL = "<signal id='s' name='done'/><signalEventDefinition id='thrown' signalRef='s'/>"


def test_every_run_throws_with_the_behavior_none():
    graph = _looped(
        _multi(
            "<loopCardinality>2</loopCardinality>",
            "behavior='None' noneBehaviorEventRef='thrown'",
        ),
        around=_SIGNAL,
    )

    node(graph, "ask#each#behavior", Pass)
    assert ways(graph, "ask#each") == ["ask#each#behavior"]
    assert ways(graph, "ask#each#behavior") == ["ask#each#behavior1"]
    assert node(graph, "ask#each#behavior1", Emit).kind == "signal"
    assert ways(graph, "ask#each#behavior1") == ["ask#body#end"]


def test_the_first_run_alone_throws_with_the_behavior_one():
    graph = _looped(
        _multi(
            "<loopCardinality>2</loopCardinality>", "behavior='One' oneBehaviorEventRef='thrown'"
        ),
        around=_SIGNAL,
    )
    split = node(graph, "ask#each#behavior", Inclusive)
    condition = flow(graph, split.branches[0]).condition

    assert condition is not None
    assert condition.text == ".numberOfCompletedInstances == 0"
    assert split.default is not None
    assert flow(graph, split.default).target == "ask#body#end"


def test_each_true_condition_throws_with_the_behavior_complex():
    graph = _looped(
        _multi(
            "<loopCardinality>2</loopCardinality><complexBehaviorDefinition>"
            "<condition>numberOfCompletedInstances > 1</condition>"
            "<event><signalEventDefinition signalRef='s'/></event></complexBehaviorDefinition>",
            "behavior='Complex'",
        ),
        around=_SIGNAL,
    )
    split = node(graph, "ask#each#behavior", Inclusive)
    condition = flow(graph, split.branches[0]).condition

    assert condition is not None
    assert condition.source == "numberOfCompletedInstances > 1"
    assert "numberOfCompletedInstances: (.numberOfCompletedInstances + 1)" in condition.text
    node(graph, "ask#each#behavior1", Emit)


def test_a_behavior_without_an_event_throws_nothing():
    _looped(
        _multi("<loopCardinality>2</loopCardinality>", "behavior='None'"),
        finds=("behavior-without-event",),
    )


def test_boundary_events_guard_all_runs_together():
    graph = _looped(
        _multi("<loopCardinality>2</loopCardinality>"),
        more="<boundaryEvent id='late' attachedToRef='ask'><timerEventDefinition>"
        "<timeDuration>PT1S</timeDuration></timerEventDefinition></boundaryEvent>",
    )

    assert [handler.node for handler in graph.handlers] == ["ask"]


def test_an_item_that_nobody_named_is_not_in_sight():
    graph = _looped(_multi("<loopCardinality>2</loopCardinality>"))
    multi = node(graph, "ask", ScopeNode).multi

    assert multi is not None
    assert multi.item == ""


def test_an_aggregation_is_an_object_of_variables_that_a_run_has_to_itself():
    graph = graph_of(
        "<startEvent id='begin'/><userTask id='work'><multiInstanceLoopCharacteristics "
        "flowable:collection='people' flowable:elementVariable='one'><extensionElements>"
        "<flowable:variableAggregation target='votes'><flowable:variable source='vote'/>"
        "<flowable:variable sourceExpression='${one.name}' target='by'/>"
        "</flowable:variableAggregation></extensionElements></multiInstanceLoopCharacteristics>"
        "</userTask>" + path("begin work")
    )

    multi = node(graph, "work", ScopeNode).multi

    assert multi is not None
    assert multi.output_to == "votes"
    assert multi.output is not None
    assert multi.output.text.startswith('{"vote": (.vote), "by": (')
    assert scope(graph, "work#body").variables == (Variable(name="vote", value=Constant(None)),)


def test_an_aggregation_by_a_class_collects_nothing():
    graph = graph_of(
        "<startEvent id='begin'/><userTask id='work'><multiInstanceLoopCharacteristics "
        "flowable:collection='people'><extensionElements>"
        "<flowable:variableAggregation target='votes' class='org.example.Sum'/>"
        "</extensionElements></multiInstanceLoopCharacteristics></userTask>" + path("begin work")
    )

    multi = node(graph, "work", ScopeNode).multi

    assert multi is not None
    assert multi.output is None


def test_a_sub_process_with_mappings_maps_them_in_each_run():
    graph = graph_of(
        "<startEvent id='begin'/><subProcess id='work'><extensionElements><zeebe:ioMapping>"
        "<zeebe:output source='=sum' target='price'/></zeebe:ioMapping></extensionElements>"
        "<multiInstanceLoopCharacteristics><loopCardinality>2</loopCardinality>"
        "</multiInstanceLoopCharacteristics><task id='inner'/></subProcess>" + path("begin work")
    )

    run = node(graph, "work#each", ScopeNode)

    assert node(graph, "work", ScopeNode).multi is not None
    assert run.multi is None
    assert run.data is not None
    assert isinstance(run.data.export, Record)
