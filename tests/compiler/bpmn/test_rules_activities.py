"""Activities, services, loops and expressions keep the constraints of the standard."""

from __future__ import annotations

import pytest

from diglot.compiler import codes
from diglot.compiler.diagnostics import Code, Severity
from support.bpmn_rules import breaks, flows, process, weights

START = "<startEvent id='begin'/>"
END = "<endEvent id='done'/>"

ITEMS = (
    "<itemDefinition id='amount' structureRef='Integer'/>"
    "<itemDefinition id='total' structureRef='Integer'/>"
    "<itemDefinition id='rating' structureRef='String'/>"
    "<itemDefinition id='shapeless'/><itemDefinition id='formless'/>"
    "<itemDefinition id='amounts' structureRef='Integer' isCollection='true'/>"
    "<message id='asked' itemRef='amount'/><message id='answered' itemRef='rating'/>"
    "<message id='bare' itemRef='shapeless'/>"
    "<interface id='bureau'>"
    "<operation id='rate'><inMessageRef>asked</inMessageRef>"
    "<outMessageRef>answered</outMessageRef></operation>"
    "<operation id='note'><inMessageRef>bare</inMessageRef></operation></interface>"
)


def task(inside: str = "", attributes: str = "", name: str = "task") -> str:
    return f"<{name} id='do' {attributes}>{inside}</{name}>"


def data(*inputs: str, outputs: tuple[str, ...] = (), sets: str = "<inputSet/>") -> str:
    """An `ioSpecification` with an input or output of each of these items."""
    return (
        "<ioSpecification>"
        + "".join(f"<dataInput id='in-{one}' itemSubjectRef='{one}'/>" for one in inputs)
        + "".join(f"<dataOutput id='out-{one}' itemSubjectRef='{one}'/>" for one in outputs)
        + sets
        + "</ioSpecification>"
    )


def sub(inside: str, name: str = "subProcess", attributes: str = "") -> str:
    return f"<{name} id='scope' {attributes}>{inside}</{name}>"


def instances(inside: str = "", attributes: str = "") -> str:
    name = "multiInstanceLoopCharacteristics"
    return f"<{name} {attributes}>{inside}</{name}>"


def formal(name: str, text: str = "yes") -> str:
    return f"<{name} xsi:type='tFormalExpression'>{text}</{name}>"


def decide(condition: str) -> str:
    return f"<sequenceFlow id='f' sourceRef='do' targetRef='do'>{condition}</sequenceFlow>"


def behavior(condition: str) -> str:
    return (
        f"<complexBehaviorDefinition><condition>{condition}</condition></complexBehaviorDefinition>"
    )


EVENT_START = "<startEvent id='gone'><signalEventDefinition/></startEvent>"
EVENT = "triggeredByEvent='true'"
TWO_INPUT_SETS = "<inputSet/><inputSet/>"


@pytest.mark.parametrize(
    ("code", "broken", "kept"),
    [
        pytest.param(
            codes.EVENT_SUB_PROCESS_WITH_FLOW,
            START + sub(EVENT_START, attributes=EVENT) + flows("begin scope"),
            START + sub("") + flows("begin scope"),
            id="no flow leads to an event sub-process",
        ),
        pytest.param(
            codes.EVENT_SUB_PROCESS_WITH_FLOW,
            sub(EVENT_START, attributes=EVENT) + END + flows("scope done"),
            sub(EVENT_START, attributes=EVENT),
            id="no flow leaves an event sub-process",
        ),
        pytest.param(
            codes.EVENT_SUB_PROCESS_START,
            sub("", attributes=EVENT),
            sub(EVENT_START, attributes=EVENT),
            id="an event sub-process has a start",
        ),
        pytest.param(
            codes.EVENT_SUB_PROCESS_TRIGGER,
            sub("<startEvent><linkEventDefinition/></startEvent>", attributes=EVENT),
            sub("<startEvent><timerEventDefinition/></startEvent>", attributes=EVENT),
            id="a link starts no event sub-process",
        ),
        pytest.param(
            codes.AD_HOC_EMPTY,
            sub("<dataObject id='d'/>", "adHocSubProcess"),
            sub("<task/>", "adHocSubProcess"),
            id="an ad-hoc sub-process holds activities",
        ),
        pytest.param(
            codes.AD_HOC_CONTENT,
            sub("<task/>" + END, "adHocSubProcess"),
            sub("<task/><intermediateThrowEvent/>", "adHocSubProcess"),
            id="an ad-hoc sub-process has no end",
        ),
        pytest.param(
            codes.SUB_PROCESS_WITH_DATA_INTERFACE,
            sub(data()),
            task(data()),
            id="a sub-process has no data interface",
        ),
        pytest.param(
            codes.CHOREOGRAPHY_IN_PROCESS,
            "<choreographyTask id='agree'/>",
            task(),
            id="no choreography stands in a process",
        ),
        pytest.param(
            codes.CHOREOGRAPHY_IN_PROCESS,
            sub("<callChoreography id='agree'/>", "transaction"),
            sub(task(), "transaction"),
            id="no choreography stands in a sub-process",
        ),
        pytest.param(
            codes.QUANTITY_BELOW_ONE,
            task(attributes="startQuantity='0'"),
            task(attributes="startQuantity='2'"),
            id="an activity takes a token",
        ),
        pytest.param(
            codes.QUANTITY_BELOW_ONE,
            task(attributes="completionQuantity='-1'"),
            task(attributes="completionQuantity='many'"),
            id="an activity leaves a token",
        ),
        pytest.param(
            codes.SCRIPT_WITHOUT_FORMAT,
            task("<script>1</script>", name="scriptTask"),
            task("<script>1</script>", "scriptFormat='text/x-jq'", name="scriptTask"),
            id="a script has a format",
        ),
        pytest.param(
            codes.RECEIVE_STARTS_WITH_INCOMING,
            START + task(attributes="instantiate='true'", name="receiveTask") + flows("begin do"),
            task(attributes="instantiate='true'", name="receiveTask"),
            id="nothing leads to a receive task that starts",
        ),
        pytest.param(
            codes.RESOURCE_UNCLEAR,
            task(
                "<performer><resourceRef>clerk</resourceRef>"
                "<resourceAssignmentExpression/></performer>"
            ),
            task("<performer><resourceAssignmentExpression/></performer>"),
            id="a role has one assignment",
        ),
        pytest.param(
            codes.RESOURCE_UNCLEAR,
            task("<potentialOwner><resourceParameterBinding/></potentialOwner>"),
            task(
                "<potentialOwner><resourceRef>clerk</resourceRef>"
                "<resourceParameterBinding/></potentialOwner>"
            ),
            id="only a resource has parameters",
        ),
        pytest.param(
            codes.LOOPS_TWICE,
            task("<standardLoopCharacteristics/>" + instances()),
            task(instances()),
            id="an activity repeats in one way",
        ),
        pytest.param(
            codes.INSTANCES_UNKNOWN,
            task(instances()),
            task(instances("<loopCardinality>3</loopCardinality>")),
            id="the number of instances is known",
        ),
        pytest.param(
            codes.LOOP_DATA_UNKNOWN,
            task(data("amounts") + instances("<loopDataInputRef>elsewhere</loopDataInputRef>")),
            task(data("amounts") + instances("<loopDataInputRef>in-amounts</loopDataInputRef>")),
            id="a collection is a data input",
        ),
        pytest.param(
            codes.LOOP_ITEM_TYPE,
            task(
                data("amounts")
                + instances(
                    "<loopDataInputRef>in-amounts</loopDataInputRef>"
                    "<inputDataItem itemSubjectRef='rating'/>"
                )
            ),
            task(
                data("amounts")
                + instances(
                    "<loopDataInputRef>in-amounts</loopDataInputRef>"
                    "<inputDataItem itemSubjectRef='amount'/>"
                )
            ),
            id="an item is one of its collection",
        ),
        pytest.param(
            codes.LOOP_ITEM_TYPE,
            task(
                data(outputs=("amounts",))
                + instances(
                    "<loopDataOutputRef>out-amounts</loopDataOutputRef>"
                    "<outputDataItem itemSubjectRef='amounts'/>"
                )
            ),
            task(
                data(outputs=("amounts",))
                + instances(
                    "<loopDataOutputRef>out-amounts</loopDataOutputRef>"
                    "<outputDataItem itemSubjectRef='total'/>"
                )
            ),
            id="an item is no collection",
        ),
        pytest.param(
            codes.SERVICE_SETS,
            task(data(sets=TWO_INPUT_SETS), "operationRef='rate'", "serviceTask"),
            task(data(), "operationRef='rate'", "serviceTask"),
            id="a service task has one input set",
        ),
        pytest.param(
            codes.SERVICE_SETS,
            task(
                data(sets="<inputSet/><outputSet/><outputSet/>"),
                "operationRef='rate'",
                "serviceTask",
            ),
            task(data(sets="<outputSet/><outputSet/>"), "", "serviceTask"),
            id="a service task has one output set",
        ),
        pytest.param(
            codes.OPERATION_ITEM,
            task(data("rating", outputs=("rating",)), "operationRef='rate'", "serviceTask"),
            task(data("total", outputs=("rating",)), "operationRef='rate'", "serviceTask"),
            id="the input of a service task is what its operation takes",
        ),
        pytest.param(
            codes.OPERATION_ITEM,
            task(data("amount", outputs=("total",)), "operationRef='rate'", "serviceTask"),
            task(data("shapeless", outputs=("total",)), "operationRef='note'", "serviceTask"),
            id="the output of a service task is what its operation answers",
        ),
        pytest.param(
            codes.OPERATION_ITEM,
            task(data("formless"), "operationRef='note'", "serviceTask"),
            task(data("shapeless"), "operationRef='note'", "serviceTask"),
            id="items without a structure are different ones",
        ),
        pytest.param(
            codes.MESSAGE_TASK_SETS,
            task(data("amount", "total"), "messageRef='asked'", "sendTask"),
            task(data("amount"), "messageRef='asked'", "sendTask"),
            id="a send task has one data input",
        ),
        pytest.param(
            codes.MESSAGE_TASK_SETS,
            task(
                data(outputs=("amount",), sets="<outputSet/><outputSet/>"),
                "messageRef='asked'",
                "receiveTask",
            ),
            task(data("amount", "total", outputs=("amount",)), "messageRef='asked'", "receiveTask"),
            id="a receive task has one output set",
        ),
        pytest.param(
            codes.MESSAGE_TASK_ITEM,
            task(data("rating"), "messageRef='asked'", "sendTask"),
            task(data("total"), "messageRef='asked'", "sendTask"),
            id="a send task sends what its message carries",
        ),
        pytest.param(
            codes.MESSAGE_TASK_ITEM,
            task(data(outputs=("rating",)), "messageRef='asked'", "receiveTask"),
            task(data(outputs=("amount",)), "messageRef='asked'", "receiveTask"),
            id="a receive task receives what its message carries",
        ),
        pytest.param(
            codes.EXPRESSION_NOT_FORMAL,
            decide("<conditionExpression>large</conditionExpression>"),
            decide(formal("conditionExpression")),
            id="a condition is formal",
        ),
        pytest.param(
            codes.EXPRESSION_NOT_FORMAL,
            "<timerEventDefinition><timeDate>tomorrow</timeDate></timerEventDefinition>",
            "<timerEventDefinition>" + formal("timeDate") + "</timerEventDefinition>",
            id="a time is formal",
        ),
        pytest.param(
            codes.EXPRESSION_NOT_FORMAL,
            "<assignment><from>all</from>" + formal("to") + "</assignment>",
            "<assignment>" + formal("from") + formal("to") + "</assignment>",
            id="both sides of an assignment are formal",
        ),
        pytest.param(
            codes.EXPRESSION_EMPTY,
            decide(formal("conditionExpression", " ")),
            decide("<conditionExpression/>"),
            id="a formal expression has text",
        ),
        pytest.param(
            codes.EXPRESSION_EMPTY,
            "<dataPath/>",
            "<dataPath>order</dataPath>",
            id="a path has text",
        ),
        pytest.param(
            codes.EXPRESSION_EMPTY,
            "<complexBehaviorDefinition><condition/></complexBehaviorDefinition>",
            "<complexBehaviorDefinition><condition>many</condition></complexBehaviorDefinition>",
            id="a condition of a behaviour has text",
        ),
        pytest.param(
            codes.CONDITION_CONSTANT,
            behavior("23"),
            behavior("many"),
            id="the condition of a behaviour is no number",
        ),
        pytest.param(
            codes.CONDITION_CONSTANT,
            behavior("'enough'"),
            task(instances(behavior("23"), "behavior='Complex'")),
            id="a condition that is evaluated is looked at elsewhere",
        ),
        pytest.param(
            codes.MEDIA_TYPE_MALFORMED,
            task(attributes="scriptFormat='groovy'", name="scriptTask"),
            task(attributes="scriptFormat='text/x-groovy; v=1'", name="scriptTask"),
            id="a script's format is a media type",
        ),
        pytest.param(
            codes.MEDIA_TYPE_MALFORMED,
            task("<documentation textFormat='prose'>A note.</documentation>"),
            task("<documentation>A note.</documentation>"),
            id="a text's format is a media type",
        ),
        pytest.param(
            codes.URI_MALFORMED,
            sub("", "transaction", "method='in two phases'"),
            sub("", "transaction", "method='##Compensate'"),
            id="a method is a URI",
        ),
        pytest.param(
            codes.URI_MALFORMED,
            decide("<conditionExpression language='50%'>x</conditionExpression>"),
            decide("<conditionExpression language='https://example.com/%C3%A4'>x</conditionExpression>"),
            id="a language is a URI",
        ),
    ],
)  # fmt: skip
def test_a_constraint_on_activities(code: Code, broken: str, kept: str) -> None:
    assert breaks(ITEMS + process(broken), code)
    assert not breaks(ITEMS + process(kept), code)


@pytest.mark.parametrize(
    "code",
    [codes.EXPRESSION_NOT_FORMAL, codes.INSTANCES_UNKNOWN],
    ids=["an expression in prose", "instances without a number"],
)
def test_what_is_only_drawn_may_stay_open(code: Code) -> None:
    body = decide("<conditionExpression>large</conditionExpression>") + task(instances())

    assert breaks(process(body), code)
    assert not breaks(process(body, "isExecutable='false'"), code)


def test_a_number_of_instances_kept_by_a_tool_is_only_noted() -> None:
    own = process(task(instances(attributes="tool:collection='orders'")))
    below = process(task(instances("<extensionElements><tool:each/></extensionElements>")))

    assert weights(own, codes.INSTANCES_UNKNOWN) == [Severity.INFO]
    assert weights(below, codes.INSTANCES_UNKNOWN) == [Severity.INFO]
    assert weights(process(task(instances())), codes.INSTANCES_UNKNOWN) == [Severity.WARNING]


def test_several_starts_of_an_event_sub_process_are_warned_about() -> None:
    two = process(sub(EVENT_START * 2, attributes=EVENT))
    none = process(sub("", attributes=EVENT))

    assert weights(two, codes.EVENT_SUB_PROCESS_START) == [Severity.WARNING]
    assert weights(none, codes.EVENT_SUB_PROCESS_START) == [Severity.ERROR]


def called(inside: str, element: str = "process") -> str:
    return f"<{element} id='check'>{inside}</{element}>"


CALL = "<callActivity id='do' calledElement='check'>{}</callActivity>"
TRIGGERED = "<startEvent><timerEventDefinition/></startEvent>"


@pytest.mark.parametrize(
    ("code", "broken", "kept"),
    [
        pytest.param(
            codes.CALL_WITHOUT_NONE_START,
            process(CALL.format("")) + called(TRIGGERED),
            process(CALL.format("")) + called(TRIGGERED + START),
            id="a called process can be begun",
        ),
        pytest.param(
            codes.CALL_DATA_DISAGREES,
            process(CALL.format(data("amount"))) + called("", "globalTask"),
            process(CALL.format("")) + called("", "globalTask"),
            id="a call has the data of what it calls",
        ),
        pytest.param(
            codes.CALL_DATA_DISAGREES,
            process(CALL.format(data("rating"))) + called(data("amount").replace("in-", "its-")),
            process(CALL.format(data("total"))) + called(data("amount").replace("in-", "its-")),
            id="a call has data of the same kinds",
        ),
        pytest.param(
            codes.CALL_DATA_DISAGREES,
            process(CALL.format(data(sets="<inputSet><dataInputRefs>a</dataInputRefs></inputSet>")))
            + called(data()),
            process(CALL.format(data())) + called(data()),
            id="a call has sets of the same size",
        ),
        pytest.param(
            codes.SERVICE_WITHOUT_BINDING,
            called("<supportedInterfaceRef>bureau</supportedInterfaceRef>", "globalUserTask"),
            called("", "globalUserTask"),
            id="a service binds operations",
        ),
        pytest.param(
            codes.BINDING_ITEM,
            called(
                "<supportedInterfaceRef>bureau</supportedInterfaceRef>"
                + data("rating")
                + "<ioBinding operationRef='rate' inputDataRef='in-rating'/>"
            ),
            called(
                "<supportedInterfaceRef>bureau</supportedInterfaceRef>"
                + data("total")
                + "<ioBinding operationRef='rate' inputDataRef='in-total'/>"
            ),
            id="a binding connects data of one kind",
        ),
    ],
)  # fmt: skip
def test_a_constraint_on_what_is_called(code: Code, broken: str, kept: str) -> None:
    assert breaks(ITEMS + broken, code)
    assert not breaks(ITEMS + kept, code)
