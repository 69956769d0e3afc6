"""Events keep the constraints of the standard."""

from __future__ import annotations

import pytest

from diglot.compiler import codes
from diglot.compiler.diagnostics import Code, Severity
from support.bpmn_rules import breaks, flows, process, weights

START = "<startEvent id='begin'/>"
END = "<endEvent id='done'/>"
TASK = "<task id='approve'/>"


def event(name: str, id: str, *triggers: str, attributes: str = "") -> str:
    inside = "".join(f"<{trigger}EventDefinition/>" for trigger in triggers)
    return f"<{name} id='{id}' {attributes}>{inside}</{name}>"


def start(*triggers: str) -> str:
    return event("startEvent", "begin", *triggers)


def catch(*triggers: str) -> str:
    return event("intermediateCatchEvent", "later", *triggers)


def throw(*triggers: str) -> str:
    return event("intermediateThrowEvent", "tell", *triggers)


def boundary(*triggers: str, host: str = "approve", attributes: str = "") -> str:
    at = f"attachedToRef='{host}' {attributes}"
    return TASK + event("boundaryEvent", "late", *triggers, attributes=at)


def inside(scope: str, body: str, attributes: str = "") -> str:
    return f"<{scope} id='scope' {attributes}>{body}</{scope}>"


def link(event: str, id: str, ends: str, around: str = "") -> str:
    inner = f"<linkEventDefinition id='{id}' name='over'>{ends}</linkEventDefinition>"
    found = f"<{event} id='at-{id}'>{inner}</{event}>"
    return inside("subProcess", found) if around else found


def leave(target: str = "<target>back</target>") -> str:
    return link("intermediateThrowEvent", "away", target)


def arrive(source: str = "<source>away</source>", around: str = "") -> str:
    return link("intermediateCatchEvent", "back", source, around)


def timer(*times: str) -> str:
    return (
        "<intermediateCatchEvent id='later'><timerEventDefinition>"
        + "".join(times)
        + "</timerEventDefinition></intermediateCatchEvent>"
    )


def time(kind: str, text: str) -> str:
    return f"<time{kind} xsi:type='tFormalExpression'>{text}</time{kind}>"


UNDONE = boundary("compensate")
HANDLER = (
    "<task id='undo' isForCompensation='true'/>"
    "<association id='to-undo' sourceRef='late' targetRef='undo'/>"
)


@pytest.mark.parametrize(
    ("code", "broken", "kept"),
    [
        pytest.param(
            codes.START_WITH_INCOMING,
            START + TASK + flows("approve begin"),
            START + TASK + flows("begin approve"),
            id="nothing leads to a start event",
        ),
        pytest.param(
            codes.START_WITHOUT_OUTGOING,
            START,
            START + END + flows("begin done"),
            id="a start event leads on",
        ),
        pytest.param(
            codes.START_TRIGGER,
            start("error"),
            start("message", "timer", "conditional", "signal"),
            id="no error starts a process",
        ),
        pytest.param(
            codes.START_TRIGGER, start("compensate"), start(), id="no compensation starts a process"
        ),
        pytest.param(
            codes.START_OF_SUB_PROCESS_TRIGGER,
            inside("subProcess", start("message")),
            inside("subProcess", start()),
            id="a sub-process waits for nothing",
        ),
        pytest.param(
            codes.START_OF_SUB_PROCESS_TRIGGER,
            inside("transaction", start("timer")),
            inside("subProcess", start("timer"), "triggeredByEvent='true'"),
            id="a transaction waits for nothing",
        ),
        pytest.param(
            codes.START_WITHOUT_END, START, START + END, id="beside a start is an end"
        ),
        pytest.param(
            codes.END_WITHOUT_START, END, START + END, id="beside an end is a start"
        ),
        pytest.param(
            codes.END_WITHOUT_START,
            "<receiveTask id='take'/>" + END,
            "<receiveTask id='take' instantiate='true'/>" + END,
            id="a receive task that starts is a start",
        ),
        pytest.param(
            codes.END_WITH_OUTGOING,
            END + TASK + flows("done approve"),
            END + TASK + flows("approve done"),
            id="nothing leaves an end event",
        ),
        pytest.param(
            codes.END_WITHOUT_INCOMING,
            END,
            START + END + flows("begin done"),
            id="an end event is led to",
        ),
        pytest.param(
            codes.END_RESULT,
            event("endEvent", "done", "timer"),
            event("endEvent", "done", "message", "signal", "terminate"),
            id="an end event waits for nothing",
        ),
        pytest.param(
            codes.CANCEL_END_OUTSIDE_TRANSACTION,
            event("endEvent", "done", "cancel"),
            inside("transaction", event("endEvent", "done", "cancel")),
            id="a transaction is cancelled",
        ),
        pytest.param(
            codes.CATCH_TRIGGER, catch("escalation"), catch("timer"), id="what a catch waits for"
        ),
        pytest.param(
            codes.THROW_RESULT, throw("terminate"), throw("escalation"), id="what a throw throws"
        ),
        pytest.param(
            codes.BOUNDARY_TRIGGER, boundary("link"), boundary("error"), id="what a border catches"
        ),
        pytest.param(
            codes.NON_INTERRUPTING_TRIGGER,
            boundary("error", attributes="cancelActivity='false'"),
            boundary("timer", attributes="cancelActivity='false'"),
            id="an error interrupts an activity",
        ),
        pytest.param(
            codes.NON_INTERRUPTING_TRIGGER,
            inside(
                "subProcess",
                event("startEvent", "lost", "error", attributes="isInterrupting='false'"),
                "triggeredByEvent='true'",
            ),
            inside("subProcess", event("startEvent", "lost", "error"), "triggeredByEvent='true'"),
            id="an error interrupts a scope",
        ),
        pytest.param(
            codes.CANCEL_BOUNDARY_OUTSIDE_TRANSACTION,
            boundary("cancel"),
            boundary("cancel", host="scope") + inside("transaction", ""),
            id="a cancel is caught at a transaction",
        ),
        pytest.param(
            codes.BOUNDARY_WITH_INCOMING,
            boundary("timer") + flows("approve late"),
            boundary("timer") + END + flows("late done"),
            id="nothing leads to a boundary event",
        ),
        pytest.param(
            codes.BOUNDARY_WITHOUT_OUTGOING,
            boundary("timer"),
            UNDONE,
            id="a boundary event leads on, a compensation does not",
        ),
        pytest.param(
            codes.COMPENSATION_BOUNDARY_WITH_FLOW,
            UNDONE + END + flows("late done"),
            UNDONE + HANDLER,
            id="no flow leaves a compensation event",
        ),
        pytest.param(
            codes.COMPENSATION_WITHOUT_HANDLER,
            UNDONE,
            UNDONE + HANDLER,
            id="a compensation has a handler",
        ),
        pytest.param(
            codes.COMPENSATION_HANDLER_UNMARKED,
            UNDONE + HANDLER.replace("true", "false"),
            UNDONE + HANDLER,
            id="a compensation handler is marked",
        ),
        pytest.param(
            codes.LINK_WITH_FLOW,
            leave() + arrive() + END + flows("at-away done"),
            leave() + arrive() + END + flows("at-back done"),
            id="a link replaces the flow",
        ),
        pytest.param(
            codes.LINK_WITH_FLOW,
            leave() + arrive() + START + flows("begin at-back"),
            leave() + arrive() + START + flows("begin at-away"),
            id="no flow leads to a catching link",
        ),
        pytest.param(
            codes.LINK_NOT_ANSWERED,
            leave() + arrive("<source>elsewhere</source>"),
            leave() + arrive(),
            id="the ends of a link name each other",
        ),
        pytest.param(
            codes.LINK_END_MISSING,
            leave("") + arrive(),
            leave() + arrive(),
            id="a link names its target",
        ),
        pytest.param(
            codes.LINK_END_MISSING,
            leave() + arrive(""),
            leave() + arrive(),
            id="a link names its sources",
        ),
        pytest.param(
            codes.LINK_LEAVES_SCOPE,
            leave() + arrive(around="subProcess"),
            leave() + arrive(),
            id="a link stays on its level",
        ),
        pytest.param(
            codes.EVENT_DEFINITION_SHARED,
            "<startEvent id='begin'><eventDefinitionRef>told</eventDefinitionRef></startEvent>"
            "<endEvent id='done'><signalEventDefinition id='told'/></endEvent>",
            "<startEvent id='begin'><signalEventDefinition id='told'/></startEvent>"
            "<endEvent id='done'><eventDefinitionRef>told</eventDefinitionRef></endEvent>",
            id="the definition of a throwing event is its own",
        ),
        pytest.param(
            codes.MESSAGE_EVENT_WITHOUT_MESSAGE,
            start("message"),
            "<startEvent><messageEventDefinition messageRef='placed'/></startEvent>",
            id="a message event names its message",
        ),
        pytest.param(
            codes.MESSAGE_EVENT_WITHOUT_OPERATION,
            "<startEvent><messageEventDefinition messageRef='placed'/></startEvent>",
            "<startEvent><messageEventDefinition messageRef='placed'>"
            "<operationRef>take</operationRef></messageEventDefinition></startEvent>",
            id="a message event names its operation",
        ),
        pytest.param(
            codes.ESCALATION_WITHOUT_CODE,
            throw("escalation"),
            boundary("escalation"),
            id="an escalation that is raised has a code",
        ),
        pytest.param(
            codes.TIMER_AMBIGUOUS,
            timer(time("Date", "2026-07-01"), time("Duration", "PT1H")),
            timer(time("Duration", "PT1H")),
            id="a timer has one time",
        ),
    ],
)  # fmt: skip
def test_a_constraint_on_events(code: Code, broken: str, kept: str) -> None:
    assert breaks(process(broken), code)
    assert not breaks(process(kept), code)


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("Date", "2026-07-01T12:00:00Z"),
        ("Date", "2026-07-01T12:00:00.5+02:00"),
        ("Date", "2026-07-01"),
        ("Date", "${due}"),
        ("Duration", "P1Y2M3W4DT5H6M7.5S"),
        ("Duration", "PT0S"),
        ("Duration", "=duration(wait)"),
        ("Cycle", "R3/PT10S"),
        ("Cycle", "R/2026-07-01T12:00:00Z/P1D"),
        ("Cycle", "0 0/5 * * * ?"),
    ],
)
def test_a_time_is_written_in_iso_8601_or_computed(kind: str, text: str) -> None:
    assert not breaks(process(timer(time(kind, text))), codes.TIMER_MALFORMED)


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("Date", "tomorrow"),
        ("Date", "PT1H"),
        ("Duration", "P"),
        ("Duration", "PT1X"),
        ("Cycle", "R3"),
    ],
)
def test_another_literal_is_no_time(kind: str, text: str) -> None:
    assert breaks(process(timer(time(kind, text))), codes.TIMER_MALFORMED)


def test_a_referenced_definition_counts_like_one_inside() -> None:
    definition = "<errorEventDefinition id='lost'/>"
    body = "<startEvent id='begin'><eventDefinitionRef>lost</eventDefinitionRef></startEvent>"

    assert breaks(definition + process(body), codes.START_TRIGGER)


def test_an_escalation_with_a_code_is_raised() -> None:
    escalation = "<escalation id='late' escalationCode='late'/>"
    body = "<endEvent id='done'><escalationEventDefinition escalationRef='late'/></endEvent>"

    assert not breaks(escalation + process(body), codes.ESCALATION_WITHOUT_CODE)


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (catch(), codes.CATCH_TRIGGER),
        (boundary(), codes.BOUNDARY_TRIGGER),
        (inside("subProcess", START, "triggeredByEvent='true'"), codes.EVENT_SUB_PROCESS_TRIGGER),
    ],
    ids=["in the flow", "at a border", "in an event sub-process"],
)
def test_only_in_strict_reading_an_event_has_to_say_what_it_waits_for(
    body: str, code: Code
) -> None:
    assert weights(process(body), code) == []
    assert weights(process(body), code, strict=True) == [Severity.ERROR]


def test_what_no_tool_writes_is_a_note() -> None:
    body = process("<endEvent><messageEventDefinition messageRef='paid'/></endEvent>")

    assert weights(body, codes.MESSAGE_EVENT_WITHOUT_OPERATION) == [Severity.INFO]
    assert weights(body, codes.MESSAGE_EVENT_WITHOUT_OPERATION, strict=True) == [Severity.ERROR]
