"""Documents against the standard's schemas: what is told, how severely, and where."""

from __future__ import annotations

import tarfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from diglot.compiler import codes
from diglot.compiler.bpmn.document import BPMN, BPMNDI, DC, DI, XSI, Document
from diglot.compiler.bpmn.shape import check_shape
from diglot.compiler.bpmn.xml import read_xml
from diglot.compiler.diagnostics import Report, Severity

HEAD = (
    f'<definitions xmlns="{BPMN}" xmlns:bpmndi="{BPMNDI}" xmlns:di="{DI}" xmlns:dc="{DC}" '
    f'xmlns:xsi="{XSI}" xmlns:x="urn:x" targetNamespace="https://diglot.example/t">'
)
FLOW = '<sequenceFlow id="f" sourceRef="a" targetRef="b"/>'
TASKS = '<task id="a"/><task id="b"/>'


def check(body: str, *, strict: bool = False) -> tuple[Document, Report]:
    report = Report()
    document = read_xml(f"{HEAD}{body}</definitions>", "order.bpmn", report)
    assert document is not None
    check_shape(document, report, strict=strict)
    return document, report


def found(body: str) -> list[str]:
    """The findings as `code severity@what is marked`."""
    document, report = check(body)
    text = document.source.text
    told: list[str] = []
    for one in report.sorted():
        assert one.span is not None
        start, end = (document.source.offset(place) for place in (one.span.start, one.span.end))
        told.append(f"{one.code} {one.severity}@{text[start:end]}")
    return told


def process(body: str) -> str:
    return f'<process id="p">{body}</process>'


def test_a_document_by_the_schemas_has_no_findings() -> None:
    body = (
        '<import namespace="urn:o" location="o.bpmn" importType="http://www.omg.org/spec/BPMN"/>'
        '<message id="m" name="paid"/>'
        '<process id="p" isExecutable="true"><documentation>An <x:b>order</x:b>.</documentation>'
        '<extensionElements><x:any a="1"/></extensionElements>'
        '<laneSet id="ls"><lane id="l" name="sales"><flowNodeRef>a</flowNodeRef></lane></laneSet>'
        '<startEvent id="s" isInterrupting="true"><outgoing>f0</outgoing>'
        '<messageEventDefinition id="d" messageRef="m"/></startEvent>'
        f'<sequenceFlow id="f0" sourceRef="s" targetRef="a"/>{TASKS}'
        '<sequenceFlow id="f" sourceRef="a" targetRef="b"><conditionExpression '
        'xsi:type="tFormalExpression" language="urn:l">x &lt; 1</conditionExpression>'
        "</sequenceFlow>"
        '<boundaryEvent id="e" attachedToRef="a" x:late="1"><timerEventDefinition>'
        "<timeDuration>PT1S</timeDuration></timerEventDefinition></boundaryEvent></process>"
        '<bpmndi:BPMNDiagram><bpmndi:BPMNPlane bpmnElement="p">'
        '<bpmndi:BPMNShape id="a_di" bpmnElement="a" isExpanded="false">'
        '<dc:Bounds x="1" y="-1.5" width="1e2" height=".5"/></bpmndi:BPMNShape>'
        '<bpmndi:BPMNEdge bpmnElement="f"><di:waypoint xsi:type="dc:Point" x="0" y="0"/>'
        '<di:waypoint x="0" y="0"/></bpmndi:BPMNEdge></bpmndi:BPMNPlane></bpmndi:BPMNDiagram>'
    )

    assert found(body) == []


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (process("<serviceTaks id='a'/>"), ["DG1120 error@<serviceTaks id='a'/>"]),
        ("<bpmndi:BPMNDrawing/>", ["DG1120 warning@<bpmndi:BPMNDrawing/>"]),
        ("<task id='a'/>", ["DG1121 error@<task id='a'/>"]),
        (process("<process id='q'/>"), ["DG1121 error@<process id='q'/>"]),
        (process("<dataState id='q'/>"), ["DG1121 warning@<dataState id='q'/>"]),
        (process("<task id='a'><outgoing/><incoming/></task>")[:0], []),
        (process("<x:note/>"), ["DG1131 warning@<x:note/>"]),
        (process("stray"), ["DG1132 warning@<process id=\"p\">"]),
        (process("<extensionElements/><documentation/>"), ["DG1122 warning@<documentation/>"]),
        (process("<extensionElements/><extensionElements></extensionElements>"),
         ["DG1123 warning@<extensionElements>"]),
        (process("<dataObject id='d'/><task id='a'><dataInputAssociation/></task>"),
         ["DG1124 warning@<dataInputAssociation/>"]),
        (process("<task id='a' isForCompensaton='true'/>"), ["DG1125 warning@true"]),
        (process("<task id='a' x:b='1'/><extensionElements x:c='2'/>"),
         ["DG1122 warning@<extensionElements x:c='2'/>", "DG1125 warning@2"]),
        (process("<incoming>f</incoming>"), ["DG1121 warning@<incoming>"]),
        (process("<sequenceFlow id='f' sourceRef='f'/>"),
         ["DG1126 error@<sequenceFlow id='f' sourceRef='f'/>"]),
        (process("<sequenceFlow id='f' sourceRef='f' targetRef=' '/>"),
         ["DG1126 error@<sequenceFlow id='f' sourceRef='f' targetRef=' '/>"]),
        (process("<boundaryEvent id='e'/>"), ["DG1126 error@<boundaryEvent id='e'/>"]),
        ("<resource id='r'/>", ["DG1126 warning@<resource id='r'/>"]),
        ("<resource id='r' name=''/>", []),
        (process("<task id='a' startQuantity='one'/>"), ["DG1127 error@one"]),
        (process(f"<task id='a' startQuantity='{'9' * 5000}'/>"), ["DG1127 error@" + "9" * 5000]),
        (process("<task id='a' startQuantity=''/>"), ["DG1127 warning@"]),
        (process("<eventBasedGateway id='g' eventGatewayType='Inclusive'/>"),
         ["DG1127 error@Inclusive"]),
        (process("<eventBasedGateway id='g' eventGatewayType='parallel'/>"),
         ["DG1127 warning@parallel"]),
        ("<message id='m'/><message id='m'/>", ["DG1128 error@m"]),
        ("<itemDefinition id='m'/><itemDefinition id='m'/>", ["DG1128 warning@m"]),
        ("<message id='m'/><itemDefinition id='m'/>", ["DG1128 warning@m"]),
        ("<message id='1m'/><message id='a b'/><message id='größe_1.2-3'/>",
         ["DG1129 warning@1m", "DG1129 warning@a b"]),
        (process("<sequenceFlow id='f' sourceRef='f' targetRef='t'/>"), ["DG1130 error@t"]),
        (process("<boundaryEvent id='e' attachedToRef='t'/>"), ["DG1130 error@t"]),
        (process("<task id='a'><outgoing>g</outgoing></task>"), ["DG1130 warning@<outgoing>"]),
        (process("<receiveTask id='a' messageRef='m'/>"), ["DG1130 warning@m"]),
        (process("<task id='a' default='f'/>"), ["DG1130 warning@f"]),
        (process("<callActivity id='a' calledElement='elsewhere'/>"), []),
        (process("<receiveTask id='a' messageRef='x:m'/>"), []),
        (process("<receiveTask id='a' messageRef='tns:m'/>"), ["DG1130 warning@tns:m"]),
        (process("<property id='q' itemSubjectRef='xsd:string'/>"), ["DG1130 warning@xsd:string"]),
        ("<bpmndi:BPMNDiagram/>", ["DG1124 warning@<bpmndi:BPMNDiagram/>"]),
        (process(f"{TASKS}<sequenceFlow id='f' sourceRef='a' targetRef='b'><conditionExpression "
                 "language='urn:l'>1</conditionExpression></sequenceFlow>"), []),
        (process(f"{TASKS}<sequenceFlow id='f' sourceRef='a' targetRef='b'><conditionExpression "
                 "xsi:type='tTask'>1</conditionExpression></sequenceFlow>"),
         ["DG1127 warning@tTask"]),
        (process(f"{TASKS}<sequenceFlow id='f' sourceRef='a' targetRef='b'><conditionExpression "
                 "xsi:type='b:tFormalExpression'>1</conditionExpression></sequenceFlow>"),
         ["DG1111 warning@b:tFormalExpression"]),
    ],
)  # fmt: skip
def test_what_the_schemas_do_not_allow_is_told_once(body: str, expected: list[str]) -> None:
    assert found(body) == expected


def test_only_the_first_child_in_a_wrong_order_is_told() -> None:
    body = process(f"{FLOW}{TASKS}<association id='x' sourceRef='a' targetRef='b'/><task id='c'/>"
                   "<documentation/><task id='d'/>")  # fmt: skip

    assert found(body) == ["DG1122 warning@<task id='c'/>"]


def test_what_stands_in_a_wrong_place_is_checked_all_the_same() -> None:
    assert found("<task id='1'/>") == ["DG1121 error@<task id='1'/>", "DG1129 warning@1"]


def test_what_is_foreign_or_open_is_not_looked_into() -> None:
    inner = f'<x:a><task xmlns="{BPMN}" nonsense="1"><bad/></task></x:a>'

    assert found(process(f"<extensionElements>{inner}</extensionElements>")) == []
    assert found(process(f"<documentation>{inner}</documentation>")) == []


def test_a_value_in_another_case_is_put_right() -> None:
    body = process("<startEvent id='s' isInterrupting=' FALSE '/><eventBasedGateway id='g' "
                   "eventGatewayType='parallel'/><task id='a' startQuantity=''/>")  # fmt: skip

    document, report = check(body)

    assert [one.severity for one in report] == [Severity.WARNING] * 3
    start, gateway, task = (document.by_id[name].attributes for name in ("s", "g", "a"))
    assert start == {"id": "s", "isInterrupting": "false"}
    assert gateway == {"id": "g", "eventGatewayType": "Parallel"}
    assert task == {"id": "a"}


@pytest.mark.parametrize(
    ("body", "hint"),
    [
        (process("<serviceTaks id='a'/>"), "Did you mean `serviceTask`?"),
        (process("<task id='a' isForCompensaton='true'/>"), "Did you mean `isForCompensation`?"),
        (process("<task id='approve'/><sequenceFlow id='f' sourceRef='aprove' targetRef='f'/>"),
         "Did you mean `approve`?"),
    ],
)  # fmt: skip
def test_a_slip_of_the_pen_has_a_hint(body: str, hint: str) -> None:
    _, report = check(body)

    assert [one.hint for one in report] == [hint]


def test_a_finding_names_the_nearest_id() -> None:
    _, report = check(process("<task id='a'><ioSpecification/></task>"))

    assert {one.pointer for one in report} == {"a"}


def test_strict_makes_every_finding_an_error() -> None:
    body = f"<x:note/>{process('<documentation/><extensionElements/>stray')}" + "<resource id='1'/>"

    lenient = check(body)[1].sorted()
    strict = check(body, strict=True)[1].sorted()

    assert [one.severity for one in lenient] == [Severity.WARNING] * len(lenient)
    assert [one.severity for one in strict] == [Severity.ERROR] * len(lenient)
    assert [one.message for one in strict] == [one.message for one in lenient]


def test_a_missing_target_namespace_is_a_warning() -> None:
    report = Report()
    document = read_xml(f'<definitions xmlns="{BPMN}"/>', "order.bpmn", report)
    assert document is not None
    check_shape(document, report)

    assert [(one.code, one.severity) for one in report] == [
        (codes.TARGET_NAMESPACE_MISSING.id, Severity.WARNING)
    ]


def test_many_findings_of_a_kind_are_bounded() -> None:
    _, report = check(process("<nothing/><task a='1'/>" * 1_000))

    assert [one.code for one in report].count(codes.UNKNOWN_ELEMENT.id) == 100
    assert [one.code for one in report].count(codes.UNKNOWN_ATTRIBUTE.id) == 100


def outcomes(files: Iterator[tuple[str, bytes]]) -> dict[str, str]:
    """What became of each file: clean, warned, or the codes of its errors."""
    found: dict[str, str] = {}
    for name, data in files:
        report = Report()
        document = read_xml(data, name, report)
        if document is not None:
            check_shape(document, report)
        errors = [one for one in report if one.severity is Severity.ERROR]
        assert all(one.span is not None and one.hint for one in report)
        assert document is not None or errors
        found[name] = " ".join(sorted({one.code for one in errors})) or (
            "warned" if len(report) else "clean"
        )
    return found


def test_every_wild_file_is_read(bpmn_suites: Path) -> None:
    files = sorted((bpmn_suites / "wild").glob("*.bpmn*"))

    became = outcomes((path.name, path.read_bytes()) for path in files)

    assert len(became) >= 60
    assert {name: what for name, what in became.items() if what.startswith("DG")} == {}


def test_every_reference_model_is_by_the_schemas(bpmn_suites: Path) -> None:
    files = sorted((bpmn_suites / "miwg" / "reference").glob("*.bpmn"))

    became = outcomes((path.name, path.read_bytes()) for path in files)

    assert len(became) == 21
    assert set(became.values()) == {"clean"}


def test_every_export_of_a_vendor_is_read_or_has_an_exact_error(bpmn_suites: Path) -> None:
    def members() -> Iterator[tuple[str, bytes]]:
        with tarfile.open(bpmn_suites / "miwg" / "vendor-exports.tar.gz") as archive:
            for member in archive:
                content = archive.extractfile(member)
                if member.name.endswith(".bpmn") and content is not None:
                    yield member.name, content.read()

    became = outcomes(members())

    refused = {what for what in became.values() if what.startswith("DG")}
    # One flow twice by one id, and flows to elements that are not there.
    assert refused <= {codes.ID_TWICE.id, codes.REFERENCE_UNRESOLVED.id, codes.XML_SYNTAX.id}
    assert len(became) >= 400
    assert sum(what in ("clean", "warned") for what in became.values()) > 0.99 * len(became)
