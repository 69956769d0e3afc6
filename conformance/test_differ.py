"""What the comparison of two BPMN files finds, and what it takes for the same."""

from __future__ import annotations

import pytest

from conformance.external.differ import counted, differences, untold
from diglot.compiler import codes
from diglot.compiler.diagnostics import Report

_HEAD = (
    "xmlns:d='http://www.omg.org/spec/BPMN/20100524/DI' xmlns:o='urn:other'"
    " xmlns:c='http://www.omg.org/spec/DD/20100524/DC'"
    " xmlns:diglot='https://diglot.dev/bpmn/1' targetNamespace='urn:me'"
)


def file(body: str, *, drawn: str = "", prefix: str = "") -> str:
    """A file with a process of these elements."""
    name = f"{prefix}:" if prefix else ""
    declared = (
        f"xmlns{':' + prefix if prefix else ''}='http://www.omg.org/spec/BPMN/20100524/MODEL'"
    )
    body = body.replace("</", "</~").replace("<", f"<{name}").replace(f"<{name}/~", f"</{name}")
    for foreign in ("d:", "o:", "c:", "diglot:"):
        body = body.replace(f"<{name}{foreign}", f"<{foreign}")
        body = body.replace(f"</{name}{foreign}", f"</{foreign}")
    diagram = f"<d:BPMNDiagram><d:BPMNPlane bpmnElement='p'>{drawn}</d:BPMNPlane></d:BPMNDiagram>"
    return (
        f"<{name}definitions {declared} {_HEAD}><{name}process id='p'>{body}</{name}process>"
        f"{diagram if drawn else ''}</{name}definitions>"
    )


def shape(element: str, x: int, name: str = "s") -> str:
    """A shape of an element."""
    bounds = f"<c:Bounds x='{x}' y='0' width='100' height='80'/>"
    return f"<d:BPMNShape id='{name}' bpmnElement='{element}'>{bounds}</d:BPMNShape>"


def told(before: str, after: str) -> list[str]:
    """The differences in words."""
    return [str(one) for one in differences(before, after)]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("<task id='a'/>", "<task id='a'></task>"),
        ("<task id='a'/>", "\n  <task id='a'/>\n"),
        ("<task id='a' isForCompensation='1'/>", "<task id='a' isForCompensation='true'/>"),
        ("<task id='a'/><task id='b'/>", "<task id='a'/><task id='b'/>"),
        ("<task id='a'/><laneSet id='l'/>", "<laneSet id='l'/><task id='a'/>"),
        ("<task id='a'/>", "<task id='a'><incoming>f</incoming></task>"),
        ("<task/>", "<task id='task_1' diglot:id=''/>"),
        ("<association/>", "<association id='association_1'/>"),
        ("<task id='ä'/>", "<task id='a' diglot:id='ä'/>"),
        ("<task id='a' default='x:f'/>", "<task id='a' default='f'/>"),
        (
            "<task id='a'><extensionElements><o:x/></extensionElements>"
            "<extensionElements><o:y/></extensionElements></task>",
            "<task id='a'><extensionElements><o:x/><o:y/></extensionElements></task>",
        ),
        (
            "<task id='a'/>",
            "<task id='a'><extensionElements><diglot:part/></extensionElements></task>",
        ),
    ],
)
def test_what_stands_for_the_same_is_no_difference(before: str, after: str) -> None:
    assert told(file(before), file(after)) == []
    assert told(file(before), file(after, prefix="q")) == []


@pytest.mark.parametrize(
    ("before", "after", "found"),
    [
        ("<task id='a'/>", "", ["a removed: task"]),
        ("", "<task id='a'/>", ["a added: task"]),
        ("<task id='a'/>", "<userTask id='a'/>", ["a removed: task"]),
        ("<task id='a' name='x'/>", "<task id='a'/>", ["a changed: task @name was 'x', is None"]),
        ("<task id='a'/>", "<task id='a' name='x'/>", ["a changed: task @name was None, is 'x'"]),
        (
            "<task id='a'/><task id='b'/>",
            "<task id='b'/><task id='a'/>",
            ["p moved: process with its task in another order"],
        ),
        (
            "<subProcess id='s'/><task id='a'/>",
            "<subProcess id='s'><task id='a'/></subProcess>",
            ["a moved: task from #p to #s"],
        ),
        (
            "<textAnnotation id='n'><text>x</text></textAnnotation>",
            "<textAnnotation id='n'><text>y</text></textAnnotation>",
            ["n changed: text its text was 'x'"],
        ),
        (
            "<task id='a'><extensionElements><o:x/></extensionElements></task>",
            "<task id='a'><extensionElements><diglot:aside/></extensionElements></task>",
            ["a removed: extensionElements"],
        ),
    ],
)
def test_what_another_reader_finds_otherwise_is_a_difference(
    before: str, after: str, found: list[str]
) -> None:
    assert told(file(before), file(after)) == found


def test_a_shape_elsewhere_is_moved_and_a_new_one_is_drawn() -> None:
    body = "<task id='a'/><task id='b'/>"
    before = file(body, drawn=shape("a", 0))
    after = file(body, drawn=shape("a", 9) + shape("b", 200, "t"))

    found = differences(before, after)

    assert counted(found) == "0 added, 0 removed, 0 changed, 1 moved, 1 drawn"


def test_a_difference_is_told_by_a_finding_at_the_element_or_at_what_is_around_it() -> None:
    before = file("<task id='a'><incoming/><o:x/></task><task id='b' name='x'/>")
    found = differences(before, file("<task id='a'/><task id='b'/>"))
    report = Report()
    report.add(codes.ELEMENT_SET_ASIDE, None, "a", element="x", owner="task", reason="so")

    assert [one.id for one in found] == ["", "b"]
    assert [one.id for one in untold(found, report)] == ["b"]


def test_what_is_drawn_need_not_be_told() -> None:
    body = "<task id='a'/>"
    found = differences(file(body), file(body, drawn=shape("a", 0)))

    assert counted(found) == "0 added, 0 removed, 0 changed, 0 moved, 1 drawn"
    assert untold(found, Report()) == []
