"""What a finding weighs is its author's to say, as far as the document keeps its meaning."""

from __future__ import annotations

import pytest

from diglot.compiler import Compiled, Severity, codes, compile_source
from diglot.compiler.diagnostics import diagnose
from diglot.compiler.severities import BadSeverity, read_severities, weighed

UNUSED = """\
document: {dsl: 1.0.3, namespace: shop, name: order, version: 1.0.0}
use: {retries: {calm: {delay: PT1S}}}
do:
- a: {set: {x: 1}}
"""


def weights(compiled: Compiled) -> list[tuple[str, Severity]]:
    return [(found.code, found.severity) for found in compiled.diagnostics]


@pytest.mark.parametrize("weight", ["error", "warning", "info"])
def test_a_warning_weighs_what_its_author_says(weight: str) -> None:
    compiled = compile_source(UNUSED, severities={"DG0402": weight})
    assert weights(compiled) == [("DG0402", Severity(weight))]


def test_what_is_off_is_not_told() -> None:
    assert weights(compile_source(UNUSED, severities={"dg0402": "off"})) == []


def test_a_warning_that_is_made_an_error_leaves_the_document_its_meaning() -> None:
    plain = compile_source(UNUSED)
    compiled = compile_source(UNUSED, severities={"DG0402": "error"})

    assert (compiled.has_errors, compiled.is_refused) == (True, False)
    assert compiled.digest == plain.digest


def test_an_error_without_which_there_is_a_meaning_can_be_lowered() -> None:
    stuck = diagnose(codes.MAY_GET_STUCK, None, node="join", reason="nothing comes")
    severities = read_severities({"DG1901": "warning"})

    (lowered,) = weighed([stuck], severities)

    assert (stuck.severity, stuck.is_firm) == (Severity.ERROR, False)
    assert lowered.severity is Severity.WARNING
    assert weighed([stuck], read_severities({"DG1901": "off"})) == []


@pytest.mark.parametrize(
    ("chosen", "problem"),
    [
        ({"DG0301": "warning"}, "DG0301 (duplicate-task-name) stays an error"),
        ({"DG0301": "off"}, "cannot be off"),
        ({"DG9999": "off"}, "no code is called DG9999"),
        ({"unused-declaration": "off"}, "no code is called unused-declaration (did you mean DG04"),
        ({"DG0402": "warn"}, "warn is no severity for DG0402 (did you mean warning?)"),
    ],
)
def test_what_cannot_be_decided_is_refused_by_name(chosen: dict[str, str], problem: str) -> None:
    with pytest.raises(BadSeverity) as refused:
        compile_source(UNUSED, severities=chosen)
    assert problem in str(refused.value)


def test_all_that_is_wrong_is_told_at_once() -> None:
    with pytest.raises(BadSeverity, match=r"DG9998.*DG9999"):
        read_severities({"DG9998": "off", "DG9999": "off"})


def test_an_error_may_be_called_an_error() -> None:
    assert read_severities({"DG0301": "error"}) == {"DG0301": Severity.ERROR}


def test_a_place_that_is_refused_stays_an_error_whatever_its_code_weighs() -> None:
    text = UNUSED.replace("set: {x: 1}", "set: {x: 1}, wiat: PT1S")
    unknown = [found for found in compile_source(text).diagnostics if found.code != "DG0402"]

    kept = weighed(unknown, {found.code: Severity.INFO for found in unknown})

    assert [found.is_firm for found in unknown] == [found.is_firm for found in kept]
    assert compile_source(text).is_refused


def test_strict_reading_makes_errors_that_leave_a_meaning() -> None:
    text = (
        '<definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL" targetNamespace="x">'
        '<process id="p" isExecutable="true"><task id="t"/><task id="u"/>'
        '<sequenceFlow id="f" sourceRef="t" targetRef="u"/></process></definitions>'
    )
    lenient, strict = compile_source(text), compile_source(text, is_strict=True)

    assert (lenient.has_errors, strict.has_errors) == (False, True)
    assert not strict.is_refused
    assert strict.digest == lenient.digest


def test_strict_reading_gives_way_to_what_its_author_says() -> None:
    text = (
        '<definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL" targetNamespace="x">'
        '<process id="p" isExecutable="true"><task id="t"/><task id="u"/>'
        '<sequenceFlow id="f" sourceRef="t" targetRef="u"/></process></definitions>'
    )
    strict = compile_source(text, is_strict=True)
    chosen = {found.code: "info" for found in strict.diagnostics}

    assert not compile_source(text, is_strict=True, severities=chosen).has_errors
