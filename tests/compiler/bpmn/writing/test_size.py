"""Work grows with the file and no faster, whatever it is made of."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

import pytest

from diglot.compiler.bpmn.writing.write import write_bpmn
from diglot.compiler.diagnostics import Report
from support.exported_files import diagram, file, graphs_of

HEAD = "xmlns:diglot='https://diglot.dev/bpmn/1'"


def _chain(size: int) -> str:
    tasks = "".join(f"<task id='t{n}'/>" for n in range(size))
    flows = "".join(
        f"<sequenceFlow id='f{n}' sourceRef='t{n}' targetRef='t{n + 1}'/>" for n in range(size - 1)
    )
    shapes = "".join(
        f"<bpmndi:BPMNShape id='s{n}' bpmnElement='t{n}'>"
        f"<dc:Bounds x='{n * 150}' y='0' width='100' height='80'/></bpmndi:BPMNShape>"
        for n in range(size)
    )
    edges = "".join(
        f"<bpmndi:BPMNEdge id='e{n}' bpmnElement='f{n}'><di:waypoint x='{n * 150 + 100}' y='40'/>"
        f"<di:waypoint x='{n * 150 + 150}' y='40'/></bpmndi:BPMNEdge>"
        for n in range(size - 1)
    )
    return file(tasks + flows, drawn=diagram("order", shapes + edges))


def _aside(size: int) -> str:
    extension = (
        f"<extensionElements><diglot:aside {HEAD}><tool:x/></diglot:aside></extensionElements>"
    )
    return file(f"<task id='a'>{extension * size}</task>")


FILES: dict[str, Callable[[int], str]] = {
    "tasks that are drawn": _chain,
    "tasks with odd ids": lambda size: file("".join(f"<task id='ü{n}'/>" for n in range(size))),
    "tasks without ids": lambda size: file("<task/>" * size),
    "elements of others": lambda size: file(
        f"<task id='a'>{''.join(f'<tool:x{n}/>' for n in range(size))}</task>"
    ),
    "vocabularies": lambda size: file(
        "<task id='a'><extensionElements>"
        + "".join(f"<x:y xmlns:x='urn:{n}'/>" for n in range(size))
        + "</extensionElements></task>"
    ),
    "texts with elements": lambda size: file(
        f"<task id='a'>{'<documentation><tool:b/></documentation>' * size}</task>"
    ),
    "references in a chain to nothing": lambda size: file(
        "<task id='a'/>"
        + "".join(
            f"<association id='x{n}' sourceRef='a' targetRef='x{n + 1}'/>" for n in range(size)
        )
    ),
    "what was set aside": _aside,
    "processes": lambda size: file(
        "<task id='a'/>",
        around="".join(f"<process id='p{n}'><task id='t{n}'/></process>" for n in range(size)),
    ),
}


@pytest.mark.parametrize("kind", FILES)
def test_twice_as_much_takes_twice_the_steps(kind: str):
    size = 60
    graphs = [graphs_of(FILES[kind](count)) for count in (size, 2 * size)]
    write_bpmn(graphs[0], Report())

    small, large = (_calls(lambda one=one: write_bpmn(one, Report())) for one in graphs)

    assert large < 2.6 * small


def _calls(run: Callable[[], Any]) -> int:
    """How many functions are called."""
    count = 0

    def counted(frame: FrameType, event: str, argument: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(counted)
    try:
        run()
    finally:
        sys.setprofile(before)
    return count
