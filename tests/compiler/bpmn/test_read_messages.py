from __future__ import annotations

from diglot.compiler.graph import (
    Constant,
    Correlation,
    Emit,
    EventTrigger,
    Expression,
    Graph,
    Receive,
    Record,
    Start,
    Task,
)
from support.bpmn_graphs import graph_of, graphs_of, node, path


def _type(emit: Emit) -> object:
    assert isinstance(emit.event, Record)
    return dict(emit.event.members)["type"]


def _awaited(receive: Receive) -> object:
    return receive.strategy.filters[0].attributes[0].value


def _pools(flow: str, definition: str = "<messageEventDefinition/>") -> tuple[Graph, Graph]:
    """Two pools with a throw in the one and a catch in the other."""
    graphs, _ = graphs_of(
        "<collaboration id='trade'><participant id='p' processRef='buyer'/>"
        f"<participant id='q' processRef='seller'/>{flow}</collaboration>"
        "<message id='m' name='order placed'/>"
        "<process id='buyer'><intermediateThrowEvent id='tell'><messageEventDefinition/>"
        "</intermediateThrowEvent></process>"
        f"<process id='seller'><intermediateCatchEvent id='hear'>{definition}"
        "</intermediateCatchEvent></process>"
    )
    return graphs[0], graphs[1]


def test_a_message_goes_by_its_name():
    graph = graph_of(
        "<startEvent id='begin'/><sendTask id='tell' messageRef='m'/>"
        "<receiveTask id='hear' messageRef='m'/>" + path("begin tell hear"),
        "<message id='m' name='order placed'/>",
    )
    sent, heard = node(graph, "tell", Emit), node(graph, "hear", Receive)

    assert (sent.kind, _type(sent)) == ("message", Constant("order placed"))
    assert heard.strategy.filters[0].kind == "message"
    assert _awaited(heard) == Constant("order placed")
    assert graph.declarations.messages == ("order placed",)


def test_a_message_may_be_that_of_an_operation():
    graph = graph_of(
        "<startEvent id='begin'/><intermediateThrowEvent id='tell'><messageEventDefinition>"
        "<operationRef>place</operationRef></messageEventDefinition></intermediateThrowEvent>"
        + path("begin tell"),
        "<message id='m' name='order placed'/><interface id='i' name='shop'>"
        "<operation id='place' name='place'><inMessageRef>m</inMessageRef></operation></interface>",
    )

    assert _type(node(graph, "tell", Emit)) == Constant("order placed")


def test_pools_meet_by_the_message_of_their_flow():
    buyer, seller = _pools("<messageFlow id='f' sourceRef='tell' targetRef='hear' messageRef='m'/>")

    assert _type(node(buyer, "tell", Emit)) == Constant("order placed")
    assert _awaited(node(seller, "hear", Receive)) == Constant("order placed")


def test_pools_meet_by_what_the_other_end_names():
    buyer, _ = _pools(
        "<messageFlow id='f' sourceRef='tell' targetRef='hear'/>",
        "<messageEventDefinition messageRef='m'/>",
    )

    assert _type(node(buyer, "tell", Emit)) == Constant("order placed")


def test_pools_meet_by_the_id_of_their_flow():
    buyer, seller = _pools("<messageFlow id='f' sourceRef='tell' targetRef='hear'/>")

    assert _type(node(buyer, "tell", Emit)) == Constant("f")
    assert _awaited(node(seller, "hear", Receive)) == Constant("f")


def test_a_catch_at_the_end_of_several_flows_hears_them_all():
    buyer, seller = _pools(
        "<messageFlow id='other' sourceRef='p' targetRef='hear'/>"
        "<messageFlow id='f' sourceRef='tell' targetRef='hear'/>"
    )

    assert _type(node(buyer, "tell", Emit)) == Constant("other")
    assert _awaited(node(seller, "hear", Receive)) == Constant("other")


def test_a_message_that_nothing_names_is_called_like_its_event():
    graph = graph_of(
        "<startEvent id='begin'/><intermediateCatchEvent id='hear'><messageEventDefinition/>"
        "</intermediateCatchEvent>" + path("begin hear"),
        finds=("message-without-name",),
    )

    assert _awaited(node(graph, "hear", Receive)) == Constant("hear")


def test_a_send_task_without_a_message_is_a_job():
    graph = graph_of("<startEvent id='begin'/><sendTask id='tell'/>" + path("begin tell"))

    assert node(graph, "tell", Task).action.type == "send-task"


def test_a_vendors_worker_sends_a_message():
    graph = graph_of(
        "<startEvent id='begin'/><intermediateThrowEvent id='tell'><extensionElements>"
        "<zeebe:taskDefinition type='mail'/></extensionElements>"
        "<messageEventDefinition messageRef='m'/></intermediateThrowEvent>" + path("begin tell"),
        "<message id='m' name='order placed'/>",
    )

    assert node(graph, "tell", Task).action.type == "mail"


def test_a_plain_end_sends_where_a_message_flow_leads_to_another_pool():
    graphs, _ = graphs_of(
        "<collaboration id='trade'><participant id='p' processRef='buyer'/>"
        "<participant id='q' processRef='seller'/>"
        "<messageFlow id='f' sourceRef='done' targetRef='asked'/></collaboration>"
        "<process id='buyer'><endEvent id='done'/></process>"
        "<process id='seller'><startEvent id='asked'><messageEventDefinition/></startEvent>"
        "</process>"
    )
    (trigger,) = node(graphs[1], "asked", Start).triggers

    assert _type(node(graphs[0], "done", Emit)) == Constant("f")
    assert isinstance(trigger, EventTrigger)
    assert trigger.strategy.filters[0].attributes[0].value == Constant("f")


_CONVERSATION = (
    "<message id='m' name='order placed'/><message id='n' name='order paid'/>"
    "<correlationProperty id='number' name='number'>"
    "<correlationPropertyRetrievalExpression messageRef='m'><messagePath>${id}</messagePath>"
    "</correlationPropertyRetrievalExpression>"
    "<correlationPropertyRetrievalExpression messageRef='n'><messagePath>${order}</messagePath>"
    "</correlationPropertyRetrievalExpression></correlationProperty>"
    "<collaboration id='trade'><correlationKey id='order-key'>"
    "<correlationPropertyRef>number</correlationPropertyRef></correlationKey></collaboration>"
)
_TALK = (
    "<startEvent id='begin'/><sendTask id='tell' messageRef='m'/>"
    "<receiveTask id='hear' messageRef='n'/>" + path("begin tell hear")
)


def test_a_correlation_key_is_shared_by_what_is_sent_and_what_is_awaited():
    graph = graph_of(_TALK, _CONVERSATION)
    (sent,) = node(graph, "tell", Emit).keys
    (heard,) = node(graph, "hear", Receive).strategy.filters[0].correlations

    assert (sent.name, sent.is_shared, sent.read.source) == ("order-key", True, "${id}")
    assert (heard.name, heard.is_shared, heard.read.source) == ("order-key", True, "${order}")
    assert heard.read.text.startswith("(.data | (")
    assert heard.read.of == "data"


def test_a_subscription_computes_the_key_from_the_process():
    graph = graph_of(
        "<correlationSubscription id='sub' correlationKeyRef='order-key'>"
        "<correlationPropertyBinding correlationPropertyRef='number'>"
        "<dataPath>${current.id}</dataPath></correlationPropertyBinding>"
        "</correlationSubscription>" + _TALK,
        _CONVERSATION,
    )
    (heard,) = node(graph, "hear", Receive).strategy.filters[0].correlations

    assert isinstance(heard.expect, Expression)
    assert (heard.expect.source, heard.is_shared) == ("${current.id}", False)


def test_a_message_with_a_part_of_a_key_is_told_and_not_correlated():
    graph = graph_of(
        _TALK,
        _CONVERSATION.replace(
            "<collaboration",
            "<correlationProperty id='day'><correlationPropertyRetrievalExpression messageRef='m'>"
            "<messagePath>${day}</messagePath></correlationPropertyRetrievalExpression>"
            "</correlationProperty><collaboration",
        ).replace(
            "</correlationKey>",
            "<correlationPropertyRef>day</correlationPropertyRef></correlationKey>",
        ),
        finds=("correlation-key-incomplete",),
    )

    assert len(node(graph, "tell", Emit).keys) == 1
    assert node(graph, "tell", Emit).keys[0].read.text.startswith("[(.data")
    assert node(graph, "hear", Receive).strategy.filters[0].correlations == ()


def test_a_vendors_key_is_compared_with_what_the_message_carries():
    graph = graph_of(
        "<startEvent id='begin'/><intermediateCatchEvent id='hear'>"
        "<messageEventDefinition messageRef='m'/></intermediateCatchEvent>" + path("begin hear"),
        "<message id='m' name='order paid'><extensionElements>"
        "<zeebe:subscription correlationKey='=order.id'/></extensionElements></message>",
    )
    (found,) = node(graph, "hear", Receive).strategy.filters[0].correlations

    assert isinstance(found, Correlation)
    assert (found.name, found.read.text) == ("correlationKey", ".correlationkey // .subject")
    assert isinstance(found.expect, Expression)
    assert found.expect.source == "=order.id"


def test_a_start_expects_no_key_of_a_vendor():
    graph = graph_of(
        "<startEvent id='asked'><messageEventDefinition messageRef='m'/></startEvent>",
        "<message id='m' name='order paid'><extensionElements>"
        "<zeebe:subscription correlationKey='=order.id'/></extensionElements></message>",
    )
    (trigger,) = node(graph, "asked", Start).triggers

    assert isinstance(trigger, EventTrigger)
    assert trigger.strategy.filters[0].correlations == ()


def test_a_receive_task_can_start_instances():
    graph = graph_of(
        "<receiveTask id='asked' instantiate='true' messageRef='m'/><task id='a'/>"
        + path("asked a"),
        "<message id='m' name='order placed'/>",
    )
    found = node(graph, "asked", Start)

    assert (found.construct, len(found.triggers)) == ("receive-task", 1)
