"""Collaborations, references and imports keep the constraints of the standard."""

from __future__ import annotations

import pytest

from diglot.compiler import codes
from diglot.compiler.diagnostics import Code, Severity
from support.bpmn_rules import breaks, definitions, findings, process, weights

BPMN = "http://www.omg.org/spec/BPMN/20100524/MODEL"
PROCESSES = (
    "<process id='buying'><startEvent id='begin'/><sendTask id='ask'/><endEvent id='bought'/>"
    "<intermediateCatchEvent id='got'><messageEventDefinition/></intermediateCatchEvent>"
    "<textAnnotation id='note'/></process>"
    "<process id='selling'><startEvent id='asked'><messageEventDefinition/></startEvent>"
    "<startEvent id='woken'/><task id='answer'/><endEvent id='sold'/>"
    "<intermediateThrowEvent id='told'/></process>"
)


def trade(source: str, target: str) -> str:
    return (
        "<collaboration id='trade'><participant id='buyer' processRef='buying'/>"
        "<participant id='seller' processRef='selling'/><participant id='bank'/>"
        f"<messageFlow id='m' sourceRef='{source}' targetRef='{target}'/></collaboration>"
        + PROCESSES
    )


def often(numbers: str) -> str:
    return (
        f"<collaboration><participant><participantMultiplicity {numbers}/></participant>"
        "</collaboration>"
    )


def following(closed: str) -> str:
    return (
        "<choreography id='plan' isClosed='true'/>"
        f"<collaboration {closed}><choreographyRef>plan</choreographyRef></collaboration>"
    )


@pytest.mark.parametrize(
    ("code", "broken", "kept"),
    [
        pytest.param(
            codes.MESSAGE_FLOW_END,
            trade("begin", "seller"),
            trade("bought", "seller"),
            id="a start event sends nothing",
        ),
        pytest.param(
            codes.MESSAGE_FLOW_END,
            trade("ask", "sold"),
            trade("ask", "answer"),
            id="an end event receives nothing",
        ),
        pytest.param(
            codes.MESSAGE_FLOW_END,
            trade("ask", "told"),
            trade("told", "got"),
            id="a throwing event receives nothing",
        ),
        pytest.param(
            codes.MESSAGE_FLOW_END,
            trade("note", "seller"),
            trade("buyer", "seller"),
            id="an artifact sends nothing",
        ),
        pytest.param(
            codes.MESSAGE_FLOW_IN_POOL,
            trade("ask", "got"),
            trade("ask", "asked"),
            id="a message leaves its pool",
        ),
        pytest.param(
            codes.MESSAGE_FLOW_IN_POOL,
            trade("ask", "buyer"),
            trade("ask", "bank"),
            id="a message goes to another pool",
        ),
        pytest.param(
            codes.MESSAGE_FLOW_IN_POOL,
            trade("bank", "bank"),
            trade("bank", "buyer"),
            id="a message goes to another participant",
        ),
        pytest.param(
            codes.MESSAGE_FLOW_WITHOUT_MESSAGE_EVENT,
            trade("ask", "woken"),
            trade("ask", "asked"),
            id="a start that receives is a message event",
        ),
        pytest.param(
            codes.MESSAGE_FLOW_WITHOUT_MESSAGE_EVENT,
            trade("bought", "seller"),
            trade("ask", "seller"),
            id="an end that sends is a message event",
        ),
        pytest.param(
            codes.PARTICIPANT_COUNT,
            often("minimum='-1' maximum='1'"),
            often("minimum='0' maximum='1'"),
            id="a minimum is not negative",
        ),
        pytest.param(
            codes.PARTICIPANT_COUNT,
            often("minimum='2'"),
            often("maximum='2'"),
            id="a minimum is not above the maximum",
        ),
        pytest.param(
            codes.CHOREOGRAPHY_REFERENCE,
            "<choreography><choreographyRef>plan</choreographyRef></choreography>",
            following("isClosed='true'"),
            id="a choreography follows none",
        ),
        pytest.param(
            codes.CLOSED_DISAGREES,
            following(""),
            following("isClosed='true'"),
            id="a collaboration is as closed as its choreography",
        ),
        pytest.param(
            codes.GLOBAL_CONVERSATION_CONTENT,
            "<globalConversation><conversation/></globalConversation>",
            "<globalConversation><participant/></globalConversation>",
            id="a global conversation holds no other",
        ),
        pytest.param(
            codes.PUBLIC_PROCESS_EXECUTABLE,
            process("", "processType='Public' isExecutable='true'"),
            process("", "processType='Public'"),
            id="a public process is not run",
        ),
        pytest.param(
            codes.REFERENCE_TYPE,
            "<signal id='s'/>" + process("<receiveTask messageRef='s'/>"),
            "<message id='s'/>" + process("<receiveTask messageRef='s'/>"),
            id="an attribute names the right kind",
        ),
        pytest.param(
            codes.REFERENCE_TYPE,
            "<message id='t'/>"
            + process("<startEvent><eventDefinitionRef>t</eventDefinitionRef></startEvent>"),
            "<timerEventDefinition id='t'/>"
            + process("<startEvent><eventDefinitionRef>t</eventDefinitionRef></startEvent>"),
            id="a child names the right kind",
        ),
        pytest.param(
            codes.REFERENCE_TYPE,
            process("<startEvent id='s'/><boundaryEvent attachedToRef='s'/>"),
            process("<callActivity id='s'/><boundaryEvent attachedToRef='s'/>"),
            id="a boundary event is attached to an activity",
        ),
    ],
)  # fmt: skip
def test_a_constraint_on_files(code: Code, broken: str, kept: str) -> None:
    assert breaks(broken, code)
    assert not breaks(kept, code)


def test_a_wrong_reference_that_decides_nothing_is_a_warning() -> None:
    lanes = "<laneSet><lane><flowNodeRef>d</flowNodeRef></lane></laneSet>"
    body = process("<dataObject id='d'/>" + lanes)

    assert weights(body, codes.REFERENCE_TYPE) == [Severity.WARNING]
    assert weights(body, codes.REFERENCE_TYPE, strict=True) == [Severity.ERROR]


def test_a_reference_that_names_nothing_is_left_to_the_shape() -> None:
    assert findings(process("<callActivity calledElement='away'/>", "")) == []


IMPORT = (
    f"<import importType='{BPMN}' location='shared.bpmn' namespace='https://diglot.example/other'/>"
)
SHARED = definitions("<process id='shared'/>").replace("example/rules", "example/other")


def found(body: str, files: dict[str, str], *, strict: bool = True) -> list[tuple[str, Severity]]:
    def resolve(location: str) -> bytes | None:
        text = files.get(location)
        return None if text is None else text.encode()

    return [(one.code, one.severity) for one in findings(body, strict=strict, resolve=resolve)]


def test_an_import_that_nobody_can_follow_is_a_warning_also_in_strict_reading() -> None:
    assert [(one.code, one.severity) for one in findings(IMPORT, strict=True)] == [
        (codes.IMPORT_NOT_READ.id, Severity.WARNING)
    ]


def test_an_import_that_is_there_is_no_finding() -> None:
    assert found(IMPORT, {"shared.bpmn": SHARED}) == []


def test_an_import_that_is_not_there_breaks_a_constraint() -> None:
    assert found(IMPORT, {}) == [(codes.IMPORT_UNREADABLE.id, Severity.ERROR)]
    assert found(IMPORT, {}, strict=False) == [(codes.IMPORT_UNREADABLE.id, Severity.WARNING)]


def test_an_import_that_is_no_bpmn_breaks_a_constraint() -> None:
    assert found(IMPORT, {"shared.bpmn": "<html/>"}) == [
        (codes.IMPORT_UNREADABLE.id, Severity.ERROR)
    ]


def test_what_is_imported_is_imported_with_its_own_imports() -> None:
    below = IMPORT.replace("shared.bpmn", "parts/one.bpmn")
    one = definitions(IMPORT.replace("shared.bpmn", "../two.bpmn"))

    assert found(below, {"parts/one.bpmn": one, "two.bpmn": SHARED}) == []
    assert found(below, {"parts/one.bpmn": one}) == [(codes.IMPORT_UNREADABLE.id, Severity.ERROR)]


def test_files_that_import_each_other_are_read_once() -> None:
    here = IMPORT.replace("shared.bpmn", "a.bpmn")
    a = definitions(IMPORT.replace("shared.bpmn", "b.bpmn")).replace("example/rules", "example/a")
    b = definitions(IMPORT.replace("shared.bpmn", "a.bpmn")).replace("example/rules", "example/b")

    assert found(here, {"a.bpmn": a, "b.bpmn": b}) == []


def test_an_id_stands_in_one_file_of_a_namespace() -> None:
    same = definitions("<message id='asked'/>")
    body = IMPORT + "<message id='asked'/>"

    assert found(body, {"shared.bpmn": same}) == [(codes.ID_IMPORTED_TWICE.id, Severity.ERROR)]
    assert found(IMPORT, {"shared.bpmn": same}) == []


def test_a_prefix_leads_into_the_imported_file() -> None:
    call = IMPORT + process("<callActivity calledElement='other:order'/>")
    waiting = "<startEvent><messageEventDefinition/></startEvent><endEvent id='e'/>"
    shared = SHARED.replace("<process id='shared'/>", f"<process id='order'>{waiting}</process>")

    (one,) = findings(call, resolve={"shared.bpmn": shared.encode()}.get)

    assert one.code == codes.CALL_WITHOUT_NONE_START.id
    assert one.span is not None
    assert one.span.file == "shared.bpmn"
