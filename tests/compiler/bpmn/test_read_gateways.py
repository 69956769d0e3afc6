from __future__ import annotations

from diglot.compiler.graph import Choice, Inclusive, Receive, Start
from support.bpmn_graphs import chosen, flow, graph_of, kinds, node, path, scope, ways

_TWO = "<startEvent id='begin'/><task id='a'/><task id='b'/>"
_SIGNALS = "<signal id='s1' name='one'/><signal id='s2' name='two'/>"


def _catch(id: str, signal: str) -> str:
    return (
        f"<intermediateCatchEvent id='{id}'><signalEventDefinition signalRef='{signal}'/>"
        "</intermediateCatchEvent>"
    )


def test_an_exclusive_gateway_chooses_in_order_of_the_file():
    graph = graph_of(
        _TWO
        + "<exclusiveGateway id='decide' default='decide-b'/>"
        + path("begin decide b")
        + chosen("decide", "a", "amount > 100")
    )
    found = node(graph, "decide", Choice)

    assert found.branches == ("decide-a",)
    assert found.default == "decide-b"
    assert flow(graph, "decide-b").condition is None


def test_the_condition_of_a_default_flow_is_not_looked_at():
    graph = graph_of(
        _TWO
        + "<exclusiveGateway id='decide' default='decide-b'/>"
        + path("begin decide")
        + chosen("decide", "a", "amount > 100")
        + chosen("decide", "b", "amount > 200")
    )

    assert flow(graph, "decide-b").condition is None


def test_a_flow_without_a_condition_is_taken_whenever_none_before_it_is():
    graph = graph_of(
        _TWO
        + "<exclusiveGateway id='decide'/>"
        + path("begin decide")
        + chosen("decide", "a", "amount > 100")
        + path("decide b"),
        finds=("flow-without-condition",),
    )
    condition = flow(graph, "decide-b").condition

    assert node(graph, "decide", Choice).branches == ("decide-a", "decide-b")
    assert condition is not None
    assert condition.text == "true"


def test_an_exclusive_gateway_that_only_merges_lets_everything_pass():
    graph = graph_of(
        "<task id='a'/><task id='b'/><exclusiveGateway id='merge'/><endEvent id='done'/>"
        + path("a merge done")
        + path("b merge")
    )

    assert kinds(graph)["merge"] == "Pass"


def test_a_parallel_gateway_forks_joins_or_does_both():
    graph = graph_of(
        "<startEvent id='begin'/><parallelGateway id='fork'/><task id='a'/><task id='b'/>"
        "<parallelGateway id='both'/><task id='c'/><task id='d'/><parallelGateway id='join'/>"
        + path("begin fork a both c join")
        + path("fork b both d join"),
        finds=("gateway-mixed",),
    )
    found = kinds(graph)

    assert (found["fork"], found["both"], found["both#split"], found["join"]) == (
        "Fork", "Join", "Fork", "Join",
    )  # fmt: skip
    assert ways(graph, "both") == ["both#split"]
    assert ways(graph, "both#split") == ["c", "d"]


def test_conditions_behind_a_parallel_gateway_are_ignored():
    graph = graph_of(
        _TWO
        + "<parallelGateway id='fork'/>"
        + path("begin fork b")
        + chosen("fork", "a", "amount > 100")
    )

    assert flow(graph, "fork-a").condition is None


def test_an_inclusive_gateway_is_one_node_for_splitting_and_merging():
    graph = graph_of(
        _TWO
        + "<inclusiveGateway id='some' default='some-b'/>"
        + path("begin some b")
        + chosen("some", "a", "amount > 100")
    )
    found = node(graph, "some", Inclusive)

    assert (found.branches, found.default, found.activation) == (("some-a",), "some-b", None)


def test_a_complex_gateway_has_its_activation_condition():
    graph = graph_of(
        "<task id='a'/><task id='b'/><complexGateway id='two'>"
        "<activationCondition>activationCount >= 2</activationCondition></complexGateway>"
        "<endEvent id='done'/>" + path("a two done") + path("b two")
    )
    activation = node(graph, "two", Inclusive).activation

    assert activation is not None
    assert (activation.source, activation.yields) == ("activationCount >= 2", "boolean")


def test_a_merging_complex_gateway_without_a_condition_is_told():
    graph_of(
        "<task id='a'/><task id='b'/><complexGateway id='two'/><endEvent id='done'/>"
        + path("a two done")
        + path("b two"),
        finds=("complex-without-activation",),
    )


def test_an_event_based_gateway_races_the_events_behind_it():
    graph = graph_of(
        "<startEvent id='begin'/><eventBasedGateway id='race'/>"
        + _catch("one", "s1")
        + _catch("two", "s2")
        + path("begin race one")
        + path("race two"),
        _SIGNALS,
    )

    assert kinds(graph)["race"] == "Race"
    assert ways(graph, "race") == ["one", "two"]
    node(graph, "one", Receive)


def test_a_multiple_event_behind_a_gateway_takes_part_with_each_of_its_triggers():
    graph = graph_of(
        "<startEvent id='begin'/><eventBasedGateway id='race'/>"
        "<intermediateCatchEvent id='either'><signalEventDefinition signalRef='s1'/>"
        "<signalEventDefinition signalRef='s2'/></intermediateCatchEvent>"
        "<intermediateCatchEvent id='late'><timerEventDefinition><timeDuration>PT1S</timeDuration>"
        "</timerEventDefinition></intermediateCatchEvent><endEvent id='done'/>"
        + path("begin race either done")
        + path("race late done"),
        _SIGNALS,
    )

    assert ways(graph, "race") == ["either#1", "either#2", "late"]
    assert ways(graph, "either#1") == ways(graph, "either#2") == ["either"]
    assert kinds(graph)["either"] == "Pass"


def test_a_parallel_multiple_event_cannot_take_part_in_a_race():
    graph_of(
        "<startEvent id='begin'/><eventBasedGateway id='race'/>"
        "<intermediateCatchEvent id='both' parallelMultiple='true'>"
        "<signalEventDefinition signalRef='s1'/><signalEventDefinition signalRef='s2'/>"
        "</intermediateCatchEvent>"
        + _catch("one", "s1")
        + path("begin race both")
        + path("race one"),
        _SIGNALS,
        finds=("race-of-parallel",),
    )


def test_an_exclusive_gateway_that_instantiates_starts_with_either_event():
    graph = graph_of(
        "<eventBasedGateway id='race' instantiate='true'/>"
        + _catch("one", "s1")
        + _catch("two", "s2")
        + "<task id='a'/><task id='b'/>"
        + path("race one a")
        + path("race two b"),
        _SIGNALS,
    )

    assert scope(graph, "/").start == "race#one"
    assert ways(graph, "race#one") == ["one"]
    assert ways(graph, "one") == ["a"]
    assert len(node(graph, "race#two", Start).triggers) == 1
    assert kinds(graph)["one"] == "Pass"
    assert "race" not in kinds(graph)


def test_a_parallel_gateway_that_instantiates_waits_for_the_other_events():
    graph = graph_of(
        "<eventBasedGateway id='race' instantiate='true' eventGatewayType='Parallel'/>"
        + _catch("one", "s1")
        + _catch("two", "s2")
        + "<task id='a'/><task id='b'/>"
        + path("race one a")
        + path("race two b"),
        _SIGNALS,
    )

    assert ways(graph, "race#one") == ["one#happened", "two"]
    assert ways(graph, "race#two") == ["two#happened", "one"]
    assert ways(graph, "one") == ["one#happened"]
    assert ways(graph, "one#happened") == ["a"]
    node(graph, "one", Receive)


def test_a_gateway_that_says_that_it_is_mixed_is_not_told():
    graph_of(
        "<startEvent id='begin'/><parallelGateway id='fork'/><task id='a'/><task id='b'/>"
        "<parallelGateway id='both' gatewayDirection='Mixed'/><task id='c'/><task id='d'/>"
        + path("begin fork a both c")
        + path("fork b both d")
    )
