"""Sequence flows and gateways keep the constraints of the standard."""

from __future__ import annotations

import pytest

from diglot.compiler import codes
from diglot.compiler.diagnostics import Code, Severity
from support.bpmn_rules import breaks, findings, flows, process, weights

START = "<startEvent id='begin'/>"
END = "<endEvent id='done'/>"
TASK = "<task id='approve'/>"
CONDITION = "<conditionExpression xsi:type='tFormalExpression'>yes</conditionExpression>"


def flow(source: str, target: str, inside: str = "", attributes: str = "") -> str:
    return (
        f"<sequenceFlow id='{source}-{target}' sourceRef='{source}' targetRef='{target}' "
        f"{attributes}>{inside}</sequenceFlow>"
    )


def race(*targets: str, attributes: str = "") -> str:
    leads = "".join(flows(f"first {target}") for target in targets)
    return f"<eventBasedGateway id='first' {attributes}/>{leads}"


def catch(id: str, trigger: str = "timer") -> str:
    return f"<intermediateCatchEvent id='{id}'><{trigger}EventDefinition/></intermediateCatchEvent>"


@pytest.mark.parametrize(
    ("code", "broken", "kept"),
    [
        pytest.param(
            codes.SEQUENCE_FLOW_END,
            TASK + "<textAnnotation id='note'/>" + flows("approve note"),
            TASK + END + flows("approve done"),
            id="a flow leads to a flow node",
        ),
        pytest.param(
            codes.SEQUENCE_FLOW_END,
            TASK + "<group id='stage'/>" + flows("stage approve"),
            TASK + END + flows("approve done"),
            id="a flow comes from a flow node",
        ),
        pytest.param(
            codes.SEQUENCE_FLOW_LEAVES_SCOPE,
            TASK + "<subProcess id='ship'><task id='pack'/></subProcess>" + flows("approve pack"),
            TASK + "<subProcess id='ship'><task id='pack'/></subProcess>" + flows("approve ship"),
            id="a flow stays in its scope",
        ),
        pytest.param(
            codes.SEQUENCE_FLOW_NOT_LISTED,
            "<startEvent id='begin'><outgoing>begin-done</outgoing></startEvent>"
            + END
            + flows("begin done"),
            "<startEvent id='begin'><outgoing>begin-done</outgoing></startEvent>"
            "<endEvent id='done'><incoming>tool:begin-done</incoming></endEvent>"
            + flows("begin done"),
            id="the nodes at both ends list a flow",
        ),
        pytest.param(
            codes.SEQUENCE_FLOW_LISTED_ELSEWHERE,
            START + TASK + "<endEvent id='done'><incoming>begin-approve</incoming></endEvent>"
            + flows("begin approve"),
            START + TASK + "<endEvent id='done'><incoming>approve-done</incoming></endEvent>"
            + flows("begin approve done"),
            id="a node lists its own flows only",
        ),
        pytest.param(
            codes.CONDITION_ON_ONLY_FLOW,
            TASK + END + flow("approve", "done", CONDITION),
            TASK + END + flow("approve", "done", CONDITION) + "<endEvent id='lost'/>"
            + flows("approve lost"),
            id="a condition has an alternative",
        ),
        pytest.param(
            codes.CONDITION_ON_ONLY_FLOW,
            START + END + flow("begin", "done", CONDITION),
            "<exclusiveGateway id='decide'/>" + END + flow("decide", "done", CONDITION),
            id="the flow out of an event has no condition",
        ),
        pytest.param(
            codes.DEFAULT_FLOW_LEAVES_ELSEWHERE,
            START + "<task id='approve' default='begin-approve'/>" + flows("begin approve"),
            "<task id='approve' default='approve-done'/>" + END + flows("approve done"),
            id="the default leaves its node",
        ),
        pytest.param(
            codes.SEQUENCE_FLOW_NOT_IMMEDIATE,
            START + END + flow("begin", "done", attributes="isImmediate='false'"),
            START + END + flow("begin", "done", attributes="isImmediate='true'"),
            id="a flow of a process that is run is immediate",
        ),
        pytest.param(
            codes.NODE_WITHOUT_INCOMING,
            START + TASK,
            START + TASK + flows("begin approve"),
            id="beside a start event a task is led to",
        ),
        pytest.param(
            codes.NODE_WITHOUT_INCOMING,
            "<intermediateThrowEvent id='tell'/>",
            START + "<task id='undo' isForCompensation='true'/>"
            "<subProcess id='late' triggeredByEvent='true'/>"
            + catch("over", "link")
            + "<adHocSubProcess id='free'><task id='any'/></adHocSubProcess>" + flows("begin free"),
            id="an intermediate event is always led to",
        ),
        pytest.param(
            codes.NODE_WITHOUT_OUTGOING,
            TASK + END,
            TASK + END + flows("approve done"),
            id="beside an end event a task leads on",
        ),
        pytest.param(
            codes.NODE_WITHOUT_OUTGOING,
            catch("later"),
            "<intermediateThrowEvent id='tell'><linkEventDefinition/></intermediateThrowEvent>",
            id="an intermediate event leads on, unless by a link",
        ),
        pytest.param(
            codes.GATEWAY_DIRECTION_DISAGREES,
            "<parallelGateway id='g' gatewayDirection='Converging'/>" + END + TASK
            + flows("g done") + flows("g approve"),
            "<parallelGateway id='g' gatewayDirection='Diverging'/>" + END + TASK
            + flows("g done") + flows("g approve"),
            id="a converging gateway has one outgoing flow",
        ),
        pytest.param(
            codes.GATEWAY_DIRECTION_DISAGREES,
            "<parallelGateway id='g' gatewayDirection='Diverging'/>" + START + TASK
            + flows("begin g") + flows("approve g"),
            "<parallelGateway id='g' gatewayDirection='Converging'/>" + START + TASK
            + flows("begin g") + flows("approve g"),
            id="a diverging gateway has one incoming flow",
        ),
        pytest.param(
            codes.GATEWAY_DIRECTION_DISAGREES,
            "<inclusiveGateway id='g' gatewayDirection='Mixed'/>" + START + flows("begin g"),
            "<inclusiveGateway id='g' gatewayDirection='Unspecified'/>" + START + flows("begin g"),
            id="a mixed gateway has several flows of both kinds",
        ),
        pytest.param(
            codes.GATEWAY_DECIDES_NOTHING,
            START + "<exclusiveGateway id='g'/>" + END + flows("begin g done"),
            START + "<exclusiveGateway id='g'/>" + END + TASK + flows("begin g done")
            + flows("g approve"),
            id="a gateway splits or merges",
        ),
        pytest.param(
            codes.RACE_WITHOUT_CHOICE,
            race("late") + catch("late"),
            race("late", "gone") + catch("late") + catch("gone", "signal"),
            id="an event-based gateway waits for several events",
        ),
        pytest.param(
            codes.RACE_WITH_CONDITION,
            "<eventBasedGateway id='first'/>" + catch("late") + flow("first", "late", CONDITION),
            race("late") + catch("late"),
            id="an event-based gateway has no conditions",
        ),
        pytest.param(
            codes.RACE_TARGET,
            race("approve") + TASK,
            race("late", "receive") + catch("late") + "<receiveTask id='receive'/>",
            id="an event-based gateway leads to what waits",
        ),
        pytest.param(
            codes.RACE_TARGET,
            race("late") + catch("late", "link"),
            race("late") + catch("late", "conditional"),
            id="an event-based gateway waits for no link",
        ),
        pytest.param(
            codes.RACE_MIXES_RECEIVERS,
            race("a", "b") + "<receiveTask id='a'/>" + catch("b", "message"),
            race("a", "b") + "<receiveTask id='a'/>" + catch("b"),
            id="an event-based gateway receives in one way",
        ),
        pytest.param(
            codes.RACE_TASK_WITH_BOUNDARY,
            race("a") + "<receiveTask id='a'/><boundaryEvent id='late' attachedToRef='a'/>",
            START + flows("begin a")
            + "<receiveTask id='a'/><boundaryEvent id='late' attachedToRef='a'/>",
            id="nothing is attached to what an event-based gateway waits for",
        ),
        pytest.param(
            codes.RACE_TARGET_SHARED,
            race("late") + catch("late") + TASK + flows("approve late"),
            race("late") + catch("late"),
            id="only the gateway leads to what it waits for",
        ),
        pytest.param(
            codes.RACE_STARTS_WITH_INCOMING,
            START + race("late", attributes="instantiate='true'") + flows("begin first"),
            race("late", attributes="instantiate='true'"),
            id="nothing leads to a gateway that starts",
        ),
    ],
)  # fmt: skip
def test_a_constraint_on_flows_and_gateways(code: Code, broken: str, kept: str) -> None:
    assert breaks(process(broken), code)
    assert not breaks(process(kept), code)


def test_a_border_between_pools_is_no_border_of_a_sub_process() -> None:
    body = process(TASK + flows("approve pack")) + "<process id='p'><task id='pack'/></process>"

    assert weights(body, codes.SEQUENCE_FLOW_LEAVES_SCOPE) == [Severity.ERROR]


def test_a_flow_of_a_process_that_is_only_drawn_may_wait() -> None:
    body = START + END + flow("begin", "done", attributes="isImmediate='false'")

    assert not breaks(process(body, "isExecutable='false'"), codes.SEQUENCE_FLOW_NOT_IMMEDIATE)


def test_what_tools_leave_out_is_a_warning_and_in_strict_reading_an_error() -> None:
    body = process(START + END + flows("begin done"))

    assert weights(body, codes.SEQUENCE_FLOW_NOT_LISTED) == [Severity.WARNING]
    assert weights(body, codes.SEQUENCE_FLOW_NOT_LISTED, strict=True) == [Severity.ERROR]


def test_of_one_code_so_many_findings_are_told_and_no_more() -> None:
    body = process("".join(f"<exclusiveGateway id='g{number}'/>" for number in range(150)))

    assert len(weights(body, codes.GATEWAY_DECIDES_NOTHING)) == 100


def test_a_message_quotes_the_beginning_of_a_long_name() -> None:
    (found,) = findings(process(f"<exclusiveGateway id='{'g' * 1000}'/>"))

    assert len(found.message) < 200
