from __future__ import annotations

from diglot.compiler.graph import Inclusive, Pass, Start
from support.bpmn_graphs import chosen, flow, graph_of, graphs_of, kinds, node, path, scope, ways


def test_a_node_has_the_id_name_construct_and_place_of_its_element():
    graph = graph_of(
        "<startEvent id='begin'/><userTask id='review' name='Review\n it'>"
        "<documentation>Look twice.</documentation><documentation>Then sign.</documentation>"
        "</userTask>" + path("begin review")
    )
    found = next(node for node in graph.nodes if node.id == "review")

    assert (found.pointer, found.name, found.construct) == ("review", "Review it", "user-task")
    assert found.documentation == "Look twice.\n\nThen sign."
    assert str(found.span).startswith("order.bpmn:1:")


def test_flows_keep_their_ids_names_and_documentation():
    graph = graph_of(
        "<startEvent id='begin'/><endEvent id='done'/>"
        "<sequenceFlow id='straight' name='at once' sourceRef='begin' targetRef='done'>"
        "<documentation>Nothing to do.</documentation></sequenceFlow>"
    )
    found = flow(graph, "straight")

    assert (found.source, found.target, found.name) == ("begin", "done", "at once")
    assert found.documentation == "Nothing to do."


def test_an_activity_with_conditional_flows_splits_behind_itself():
    graph = graph_of(
        "<startEvent id='begin'/><task id='weigh' default='weigh-small'/><task id='large'/>"
        "<task id='small'/><task id='log'/>"
        + path("begin weigh")
        + chosen("weigh", "large", "amount > 100")
        + path("weigh small")
        + path("weigh log")
    )

    assert ways(graph, "weigh") == ["weigh#out"]
    split = node(graph, "weigh#out", Inclusive)
    assert split.branches == ("weigh-large", "weigh-log")
    assert split.default == "weigh-small"
    assert split.pointer == "weigh"
    condition = flow(graph, "weigh-large").condition
    assert condition is not None
    assert (condition.of, condition.yields, condition.source) == (
        "variables", "boolean", "amount > 100",
    )  # fmt: skip
    assert flow(graph, "weigh-log").condition is None


def test_unconditional_flows_of_an_activity_leave_it_together():
    graph = graph_of(
        "<startEvent id='begin'/><task id='both'/><task id='a'/><task id='b'/>"
        + path("begin both a")
        + path("both b")
    )

    assert ways(graph, "both") == ["a", "b"]
    assert "both#out" not in kinds(graph)


def test_flows_leave_in_the_order_in_which_their_node_lists_them():
    graph = graph_of(
        "<startEvent id='begin'/><parallelGateway id='fork'><outgoing>fork-c</outgoing>"
        "<outgoing>fork-a</outgoing></parallelGateway><task id='a'/><task id='b'/><task id='c'/>"
        + path("begin fork a")
        + path("fork b")
        + path("fork c")
    )

    assert ways(graph, "fork") == ["c", "a", "b"]


def test_token_quantities_stand_at_the_node_and_at_its_flows():
    graph = graph_of(
        "<startEvent id='begin'/><task id='pack' startQuantity='3' completionQuantity='2'/>"
        "<endEvent id='done'/>" + path("begin pack done")
    )

    assert node(graph, "pack", Pass).start_quantity == 3
    assert flow(graph, "pack-done").quantity == 2
    assert flow(graph, "begin-pack").quantity == 1


def test_a_process_begins_at_its_start_event():
    graph = graph_of("<startEvent id='begin'/><endEvent id='done'/>" + path("begin done"))

    assert scope(graph, "/").start == "begin"
    assert scope(graph, "/").binds_input
    assert node(graph, "begin", Start).triggers == ()


def test_without_a_start_event_whatever_nothing_leads_to_begins():
    graph = graph_of(
        "<task id='a'/><task id='b'/><task id='c'/><task id='undo' isForCompensation='true'/>"
        "<boundaryEvent id='late' attachedToRef='a'><timerEventDefinition>"
        "<timeDuration>PT1S</timeDuration></timerEventDefinition></boundaryEvent>" + path("a c"),
    )

    assert scope(graph, "/").start == "/#start"
    assert ways(graph, "/#start") == ["a", "b"]


def test_what_stands_alone_beside_a_start_event_gets_a_token_too():
    graph = graph_of("<startEvent id='begin'/><task id='a'/><task id='alone'/>" + path("begin a"))

    assert scope(graph, "/").start == "/#start"
    assert ways(graph, "/#start") == ["begin", "alone"]


def test_what_stands_alone_gets_a_token_when_an_event_starts_the_process():
    graph = graph_of(
        "<startEvent id='asked'><messageEventDefinition messageRef='ask'/></startEvent>"
        "<task id='a'/><task id='alone'/>" + path("asked a"),
        "<message id='ask' name='ask'/>",
    )

    assert scope(graph, "/").start == "asked"
    assert set(ways(graph, "asked")) == {"a", "alone"}


def test_of_several_start_events_the_first_without_a_trigger_is_the_usual_one():
    graph = graph_of(
        "<startEvent id='asked'><messageEventDefinition messageRef='ask'/></startEvent>"
        "<startEvent id='first'/><startEvent id='second'/><task id='a'/>"
        + path("asked a")
        + path("first a")
        + path("second a"),
        "<message id='ask' name='ask'/>",
    )

    assert scope(graph, "/").start == "first"
    assert [id for id, kind in kinds(graph).items() if kind == "Start"] == [
        "asked", "first", "second",
    ]  # fmt: skip


def test_a_circle_that_nothing_leads_into_is_told():
    graph = graph_of("<task id='a'/><task id='b'/>" + path("a b a"), finds=("nothing-begins",))

    assert ways(graph, "/#start") == []


def test_a_flow_out_of_its_container_carries_nothing():
    graph = graph_of(
        "<startEvent id='begin'/><subProcess id='inner'><task id='a'/></subProcess>"
        "<task id='b'/>" + path("begin inner b") + path("a b")
    )

    assert ways(graph, "a") == []


def test_a_condition_in_prose_stops_a_process_that_is_to_be_run():
    _, report = graphs_of(
        "<process id='order' isExecutable='true'><startEvent id='begin'/>"
        "<exclusiveGateway id='ok' default='ok-b'/><task id='a'/><task id='b'/>"
        + path("begin ok b")
        + chosen("ok", "a", "the customer is happy")
        + "</process>"
    )

    assert report.has_errors


def test_a_condition_in_prose_is_a_warning_where_the_process_is_only_a_picture():
    graphs, report = graphs_of(
        "<process id='order' isExecutable='false'><startEvent id='begin'/>"
        "<exclusiveGateway id='ok' default='ok-b'/><task id='a'/><task id='b'/>"
        + path("begin ok b")
        + chosen("ok", "a", "the customer is happy")
        + "</process>"
    )
    condition = flow(graphs[0], "ok-a").condition

    assert not report.has_errors
    assert len(report) == 1
    assert condition is not None
    assert condition.source == "the customer is happy"
    assert condition.text == 'error("this cannot be evaluated: the customer is happy")'
