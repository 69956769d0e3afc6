"""The runners of other people's BPMN suites can fail, and see nothing but what they are given."""

from __future__ import annotations

import io
import json
import tarfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest

from conformance.external import lean, vendors
from conformance.external.driven import drive
from conformance.external.imports import Tally, problem_of_import, taken
from conformance.external.kept import counts_of, facts_of
from conformance.external.lean_ends import End
from diglot.compiler import compile_source
from diglot.compiler.source import Position, Span

_HEAD = (
    '<definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL" '
    'xmlns:di="http://www.omg.org/spec/BPMN/20100524/DI" xmlns:own="https://diglot.example/own" '
    'targetNamespace="https://diglot.example/cases">'
)


def model(body: str, more: str = "") -> bytes:
    process = f'<process id="order" isExecutable="true">{body}</process>'
    return f"{_HEAD}{process}{more}</definitions>".encode()


REVIEW = model(
    '<startEvent id="begin"/><sequenceFlow id="to-review" sourceRef="begin" targetRef="review"/>'
    '<userTask id="review" name="Review"/>'
    '<sequenceFlow id="to-done" sourceRef="review" targetRef="done"/><endEvent id="done"/>'
)


# -- scenarios


def completion(command: str, activation: int = 1) -> dict[str, Any]:
    return {
        "kind": "completeUserTaskInstance",
        "commandId": command,
        "taskId": {"processInstanceId": "one", "elementId": "review", "activation": activation},
        "submittedValues": [{"name": "approved", "value": {"kind": "boolean", "value": True}}],
    }


def scenario(folder: Path, *stimuli: dict[str, Any]) -> Path:
    start: dict[str, Any] = {
        "kind": "startProcess",
        "commandId": "start",
        "processId": "order",
        "instanceId": "one",
        "initialVariables": [],
    }
    room = folder / "review"
    room.mkdir()
    (room / "process.bpmn").write_bytes(REVIEW)
    file = room / "scenario.json"
    told: dict[str, Any] = {
        "bpmn": {"relativePath": "any/review/process.bpmn"},
        "stimuli": [start, *stimuli],
    }
    file.write_text(json.dumps(told), encoding="utf-8")
    return file


def observed(file: Path, variables: dict[str, Any], reply: str = "committed") -> None:
    state = {
        "kind": "state",
        "status": "completed",
        "variables": [{"name": name, "value": {"value": it}} for name, it in variables.items()],
        "logicalTimeMs": 0,
    }
    lists = ("activeWaits", "openUserTasks", "openMessageSubscriptions", "openTimers")
    state |= {name: [] for name in (*lists, "openEffects", "openIncidents")}
    trace = [{"kind": "command", "commandId": "start", "outcome": reply}, state]
    count = {"afterCommandId": "start", "processInstanceCount": 0}
    evidence = {"producerObservations": {"stateQueries": [count]}, "result": {"trace": trace}}
    (file.parent / "engine-evidence.json").write_text(json.dumps(evidence), encoding="utf-8")


def test_what_was_observed_has_to_be_seen(tmp_path: Path) -> None:
    file = scenario(tmp_path, completion("review"))

    observed(file, {"approved": True})
    assert lean.problem_of(tmp_path, file, None) is None

    observed(file, {"approved": False})
    assert lean.problem_of(tmp_path, file, None) == (
        'after review: expected variables {"approved": false}, got {"approved": true}'
    )


def test_what_the_standard_says_has_to_be_seen(tmp_path: Path) -> None:
    file = scenario(tmp_path, completion("review"))
    end = End(clause="13.3.3", waits=(("userTask review",), ()), variables={"approved": True})

    assert lean.problem_of(tmp_path, file, end) is None
    wrong = replace(end, waits=(("effect review",), ()))
    assert "expected waits" in str(lean.problem_of(tmp_path, file, wrong))
    assert "status" in str(lean.problem_of(tmp_path, file, replace(end, status="faulted")))


@pytest.mark.parametrize("activation", [1, 2], ids=["done before", "never begun"])
def test_a_stimulus_that_comes_too_late_or_never_fits_is_refused(
    tmp_path: Path, activation: int
) -> None:
    file = scenario(tmp_path, completion("review"), completion("again", activation))
    end = End(
        clause="13.3.3",
        waits=(("userTask review",), (), ()),
        variables={"approved": True},
        last_is_refused=True,
    )

    assert lean.problem_of(tmp_path, file, end) is None
    taken_for_good = replace(end, last_is_refused=False)
    assert lean.problem_of(tmp_path, file, taken_for_good) == (
        'after again: expected reply "committed", got "rejected"'
    )


def test_without_any_answer_only_the_last_stimulus_may_be_refused(tmp_path: Path) -> None:
    file = scenario(tmp_path, completion("early", 2), completion("review"))

    assert lean.problem_of(tmp_path, file, None) == "after early: it was refused"


def test_a_plain_task_that_an_extension_binds_is_a_service_task() -> None:
    extension = '<extensionElements><own:definition type="probe"/></extensionElements>'

    assert b"serviceTask" in lean.bound(model(f'<task id="probe">{extension}</task>'))
    plain = model('<task id="probe"><extensionElements><own:note/></extensionElements></task>')
    assert lean.bound(plain) == plain


# -- what is kept


def test_a_fact_that_is_nowhere_in_the_graph_is_dropped() -> None:
    drawn = '<di:BPMNDiagram id="drawing"><di:BPMNPlane id="plane"/></di:BPMNDiagram>'
    data = model('<task id="work" name="Work" own:cost="5"/>', drawn)
    graphs = compile_source(data).graphs

    kept = counts_of(facts_of(data, graphs), is_standard=True)
    assert (kept["dropped"], kept["meaning"] > 0, kept["export"] > 0) == (0, True, True)

    bare = [msgspec.structs.replace(graph, foreign=None, presentation=None) for graph in graphs]
    facts = facts_of(data, bare)
    lost = {fact.place for fact in facts if fact.how == "dropped" and fact.is_standard}
    assert "line 1: definitions @targetNamespace" in lost
    assert any(place.endswith("BPMNPlane @id") for place in lost)
    assert "line 1: task @name" not in lost
    assert counts_of(facts, is_standard=False)["dropped"] == 1


def test_a_prefix_that_a_value_needs_is_a_fact() -> None:
    data = model("", '<itemDefinition id="item" structureRef="own:order"/>')
    graphs = compile_source(model('<task id="work"/>')).graphs

    (fact,) = [fact for fact in facts_of(data, graphs) if fact.kind == "prefix"]

    assert fact.place == "line 1: itemDefinition @structureRef=own:order"


# -- files by other tools


def test_a_refusal_is_told_in_one_line() -> None:
    lines: list[str] = []
    tally = Tally()

    assert problem_of_import(b"<definitions", "broken.bpmn", tally, lines.append) is None
    assert problem_of_import(REVIEW, "review.bpmn", tally, lines.append) is None

    assert [line.split(": ")[:2] for line in lines] == [["refused", "broken.bpmn"]]
    assert tally.line.startswith("1 read, 1 refused; warnings: ")


def test_a_finding_beside_the_file_is_a_failure() -> None:
    compiled = compile_source(b"<definitions", "broken.bpmn")
    nowhere = Span("broken.bpmn", Position(9, 1), Position(9, 2))
    moved = tuple(msgspec.structs.replace(found, span=nowhere) for found in compiled.diagnostics)

    problem = taken(replace(compiled, diagnostics=moved), "broken.bpmn", Tally(), print)

    assert problem is not None
    assert problem.endswith("it has no place in the file, or no cure")


def test_an_archive_is_read_and_nothing_of_it_is_written(tmp_path: Path) -> None:
    archive = tmp_path / "exports.tar.gz"
    with tarfile.open(archive, "w:gz") as made:
        for name in ("../outside.bpmn", "tool/review.bpmn", "tool/readme.txt"):
            member = tarfile.TarInfo(name)
            member.size = len(REVIEW)
            made.addfile(member, io.BytesIO(REVIEW))
        link = tarfile.TarInfo("tool/link.bpmn")
        link.type, link.linkname = tarfile.SYMTYPE, "/etc/hostname"
        made.addfile(link)

    found = list(vendors.members(archive))

    assert found == [("../outside.bpmn", REVIEW), ("tool/review.bpmn", REVIEW)]
    assert sorted(tmp_path.rglob("*")) == [archive]


# -- driving


def test_a_process_is_driven_to_its_end() -> None:
    assert drive(compile_source(REVIEW).graphs) == {"completed": 1}


def test_a_process_that_starts_itself_for_ever_is_driven_a_while() -> None:
    data = model(
        '<startEvent id="begin"><signalEventDefinition signalRef="again"/></startEvent>'
        '<sequenceFlow id="to-end" sourceRef="begin" targetRef="end"/>'
        '<endEvent id="end"><signalEventDefinition signalRef="again"/></endEvent>',
        '<signal id="again" name="again"/>',
    )

    endings = drive(compile_source(data).graphs)

    assert endings["completed"] >= 10


def test_a_process_that_nobody_has_is_stood_in_for() -> None:
    data = model('<callActivity id="call" calledElement="elsewhere"/>')

    assert drive(compile_source(data).graphs) == {"completed": 2}
