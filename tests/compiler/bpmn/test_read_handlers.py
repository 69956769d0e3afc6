from __future__ import annotations

from diglot.compiler.graph import (
    CancelTrigger,
    Compensate,
    CompensationTrigger,
    Constant,
    ErrorTrigger,
    EscalationTrigger,
    Record,
    SeveralTrigger,
    Start,
    TimerTrigger,
)
from support.bpmn_graphs import flow, graph_of, handler, kinds, node, path, scope, ways

_TIMER = "<timerEventDefinition><timeDuration>PT1S</timeDuration></timerEventDefinition>"


def _guarded(event: str, around: str = ""):
    return graph_of(
        f"<startEvent id='begin'/><task id='work'/>{event}<task id='rescue'/>"
        + path("begin work")
        + path("caught rescue"),
        around,
    )


def test_a_boundary_event_is_a_handler_of_its_activity_and_a_node_on_the_way():
    graph = _guarded(f"<boundaryEvent id='caught' attachedToRef='work'>{_TIMER}</boundaryEvent>")
    found = handler(graph, "caught")

    assert (found.node, found.is_interrupting, found.construct) == (
        "work", True, "boundary-event-timer",
    )  # fmt: skip
    assert isinstance(found.trigger, TimerTrigger)
    assert found.flow is not None
    taken = flow(graph, found.flow)
    assert (taken.source, taken.target, taken.role) == ("work", "caught", "handler")
    assert kinds(graph)["caught"] == "Pass"
    assert ways(graph, "caught") == ["rescue"]


def test_a_boundary_event_need_not_interrupt_but_an_error_always_does():
    quiet = _guarded(
        f"<boundaryEvent id='caught' attachedToRef='work' cancelActivity='false'>{_TIMER}"
        "</boundaryEvent>"
    )
    error = _guarded(
        "<boundaryEvent id='caught' attachedToRef='work' cancelActivity='false'>"
        "<errorEventDefinition/></boundaryEvent>"
    )

    assert not handler(quiet, "caught").is_interrupting
    assert handler(error, "caught").is_interrupting


def test_an_error_is_caught_by_its_code_or_whatever_it_is():
    one = _guarded(
        "<boundaryEvent id='caught' attachedToRef='work'><errorEventDefinition errorRef='e'/>"
        "</boundaryEvent>",
        "<error id='e' errorCode='E42'/>",
    )
    every = _guarded(
        "<boundaryEvent id='caught' attachedToRef='work'><errorEventDefinition/></boundaryEvent>"
    )

    assert handler(one, "caught").trigger == ErrorTrigger(match=(("type", Constant("E42")),))
    assert handler(every, "caught").trigger == ErrorTrigger()


def test_a_vendor_names_the_variables_of_an_error():
    graph = _guarded(
        "<boundaryEvent id='caught' attachedToRef='work'><errorEventDefinition "
        "camunda:errorCodeVariable='code' camunda:errorMessageVariable='text'/></boundaryEvent>"
    )
    data = handler(graph, "caught").data

    assert data is not None
    assert isinstance(data.export, Record)
    assert [name for name, _ in data.export.members] == ["code", "text"]
    assert data.export_mode == "variables"


def test_an_escalation_is_caught_by_its_code():
    graph = _guarded(
        "<boundaryEvent id='caught' attachedToRef='work' cancelActivity='false'>"
        "<escalationEventDefinition escalationRef='late'/></boundaryEvent>",
        "<escalation id='late' escalationCode='LATE'/>",
    )

    assert handler(graph, "caught").trigger == EscalationTrigger(code="LATE")
    data = handler(graph, "caught").data
    assert data is not None
    assert data.export_mode == "variables"


def test_a_multiple_boundary_event_has_several_triggers():
    graph = _guarded(
        f"<boundaryEvent id='caught' attachedToRef='work' parallelMultiple='true'>{_TIMER}"
        "<signalEventDefinition signalRef='s'/></boundaryEvent>",
        "<signal id='s' name='stop'/>",
    )
    trigger = handler(graph, "caught").trigger

    assert isinstance(trigger, SeveralTrigger)
    assert trigger.needs_all
    assert len(trigger.triggers) == 2


def test_an_activity_is_undone_by_the_one_associated_with_its_boundary():
    graph = graph_of(
        "<startEvent id='begin'/><task id='pay'/><boundaryEvent id='paid' attachedToRef='pay'>"
        "<compensateEventDefinition/></boundaryEvent><task id='refund' isForCompensation='true'/>"
        "<association id='undo' sourceRef='paid' targetRef='refund'/>" + path("begin pay")
    )
    found = handler(graph, "paid")

    assert (found.node, found.activity, found.trigger) == ("pay", "refund", CompensationTrigger())
    assert (found.flow, found.run) == (None, None)
    assert kinds(graph)["refund"] == "Pass"
    assert "paid" not in kinds(graph)


def test_what_runs_several_times_is_undone_run_by_run():
    graph = graph_of(
        "<startEvent id='begin'/><task id='pay'><multiInstanceLoopCharacteristics>"
        "<loopCardinality>3</loopCardinality></multiInstanceLoopCharacteristics></task>"
        "<boundaryEvent id='paid' attachedToRef='pay'><compensateEventDefinition/></boundaryEvent>"
        "<task id='refund' isForCompensation='true'/>"
        "<association id='undo' sourceRef='paid' targetRef='refund'/>" + path("begin pay")
    )

    assert handler(graph, "paid").node == "pay#each"
    assert "refund" in kinds(graph, "pay#body")


def test_a_transaction_is_cancelled_from_inside_and_left_by_its_boundary():
    graph = graph_of(
        "<startEvent id='begin'/><transaction id='buy'><startEvent id='inside'/>"
        "<endEvent id='give-up'><cancelEventDefinition/></endEvent>"
        + path("inside give-up")
        + "</transaction><boundaryEvent id='cancelled' attachedToRef='buy'>"
        "<cancelEventDefinition/></boundaryEvent><task id='tell'/>"
        + path("begin buy")
        + path("cancelled tell")
    )

    assert scope(graph, "buy#body").form == "transaction"
    assert node(graph, "give-up", Compensate).cancels
    assert handler(graph, "cancelled").trigger == CancelTrigger()


def test_an_event_sub_process_is_a_handler_of_the_scope_around_it():
    graph = graph_of(
        "<startEvent id='begin'/><subProcess id='rescue' triggeredByEvent='true'>"
        f"<startEvent id='late' isInterrupting='false'>{_TIMER}</startEvent><endEvent id='over'/>"
        + path("late over")
        + "</subProcess>"
    )
    found = handler(graph, "late")

    assert (found.scope, found.run, found.is_interrupting) == ("/", "rescue#body", False)
    assert found.construct == "event-sub-process-timer"
    body = scope(graph, "rescue#body")
    assert (body.form, body.parent, body.start) == ("event-sub-process", "/", "late")
    assert node(graph, "late", Start).triggers == ()
    assert "rescue" not in kinds(graph)


def test_a_compensation_event_sub_process_undoes_its_scope():
    graph = graph_of(
        "<startEvent id='begin'/><subProcess id='buy'><task id='pay'/>"
        "<subProcess id='undo' triggeredByEvent='true'><startEvent id='undone'>"
        "<compensateEventDefinition/></startEvent></subProcess></subProcess>" + path("begin buy")
    )
    found = handler(graph, "undone")

    assert (found.scope, found.run, found.trigger) == (
        "buy#body", "undo#body", CompensationTrigger(),
    )  # fmt: skip


def test_start_events_of_an_event_sub_process_with_nothing_in_common_are_apart():
    graph = graph_of(
        "<startEvent id='begin'/><subProcess id='rescue' triggeredByEvent='true'>"
        f"<startEvent id='late'>{_TIMER}</startEvent><endEvent id='one'/>"
        "<startEvent id='wrong'><errorEventDefinition/></startEvent><endEvent id='two'/>"
        + path("late one")
        + path("wrong two")
        + "</subProcess>"
    )

    assert handler(graph, "late").run == "rescue#body"
    assert handler(graph, "wrong").run == "rescue#body2"
    assert list(kinds(graph, "rescue#body2")) == ["wrong", "two"]
