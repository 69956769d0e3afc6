"""Cures that need no decision: each changes what is wrong, and nothing else."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from diglot.api.fixing import fix_all
from diglot.compiler import Compiled, Source, codes, compile_source
from diglot.compiler.diagnostics import Edit
from diglot.compiler.fixes import applied, with_fixes

ROOT = Path(__file__).parents[2] / "conformance"
EXAMPLES = sorted(
    path
    for standard in ("serverless-workflow", "bpmn")
    for path in (ROOT / standard).rglob("*")
    if path.suffix in (".yaml", ".json", ".bpmn")
)
HEAD = "document: {dsl: 1.0.3, namespace: shop, name: order, version: '1.0.0'}\n"
MODEL = "http://www.omg.org/spec/BPMN/20100524/MODEL"


def fixed(text: str, name: str) -> tuple[str, list[str]]:
    """A document after its fixes, and their titles."""
    made = fix_all(text, lambda changed: compile_source(changed, name))
    return made.compiled.source.text, [fix.title for fix in made.fixes]


def workflow(body: str) -> str:
    """The tasks of a workflow after its fixes."""
    text, _ = fixed(HEAD + body, "order.yaml")
    assert text.startswith(HEAD)
    return text.removeprefix(HEAD)


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ("do: [{a: {set: {x: 1}, then: lst}}, {last: {set: {y: 1}}}]", "then: last}"),
        ("do: [{a: {set: {x: '${ .y | lenght }'}}}]", "'${ .y | length }'"),
        ("do: [{a: {set: {x: '${ $contxt }'}}}]", "'${ $context }'"),
        ("do: [{a: {call: gret}}]\nuse: {functions: {greet: {set: {x: 1}}}}", "call: greet"),
        ("do: [{a: {set: {x: 1}, tehn: end}}]", "then: end"),
        ("do: [{a: {if: .a && .b || .c&&.d, set: {x: 1}}}]", "if: .a and .b or .c and .d,"),
        ("do: [{a: {if: .a === 1, set: {x: 1}}}]", "if: .a == 1,"),
        ("do: [{a: {if: .a == 'x', set: {x: 1}}}]", 'if: .a == "x",'),
        ('do: [{a: {if: "!.a", set: {x: 1}}}]', 'if: "(.a | not)"'),
        ("do: [{a: {if: amount > 5, set: {x: 1}}}]", "if: .amount > 5"),
        ("do: [{a: {wait: 5s}}]", "wait: PT5S"),
        ("do: [{a: {wait: 10 minutes}}]", "wait: PT10M"),
        ("do: [{a: {wait: 1500ms}}]", "wait: PT1.500S"),
        ("do: [{a: {wait: 2 days}}]", "wait: P2D"),
        (
            "do: [{a: {call: http, with: {method: get, endpoint: https://x.y, query: {p: 2}}}}]",
            'query: {p: "2"}',
        ),
        ("do: [{1: {set: {x: 1}}}]", 'do: [{"1": {set: {x: 1}}}]'),
        ("do: [{a: {for: {in: [1, 2]}, do: [{b: {set: {x: 1}}}]}}]", 'in: "${ [1, 2] }"'),
        (
            "do: [{a: {raise: {error: {type: 'https://x.y', status: '400'}}}}]",
            "status: 400",
        ),
    ],
)
def test_what_was_meant_is_written(wrong: str, right: str) -> None:
    text = workflow(wrong)

    assert right in text
    assert not compile_source(HEAD + text).has_errors


def test_a_version_that_is_a_number_is_quoted() -> None:
    text, titles = fixed(HEAD.replace("'1.0.0'", "1").replace("1.0.3", "'1.0.3'"), "order.yaml")
    # A version of one number is none, quoted or not.
    assert (titles, "version: 1}" in text) == ([], True)


def test_tabs_become_the_spaces_that_the_document_indents_by() -> None:
    text = f"{HEAD}do:\n    - a:\n\t\tset:\n\t\t    x: 1\n"
    made, titles = fixed(text, "order.yaml")

    assert made == f"{HEAD}do:\n    - a:\n        set:\n            x: 1\n"
    assert titles == ["Indent with 4 spaces instead of tabs."]


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ("- a: {set: {x: 1}} # diglot: ignore[DG0402] old\n", "- a: {set: {x: 1}}\n"),
        ("# diglot: ignore[DG0402] old\n- a: {set: {x: 1}}\n", "- a: {set: {x: 1}}\n"),
        ("- a: {set: {x: 1}} # diglot: ignore[DG0404, DG0402]\n", "- a: {set: {x: 1}}\n"),
        ("- a: {set: {x: .b}} # diglot: ignore[DG0506, DG0402]\n", "ignore[DG0506]\n"),
        ("- a: {set: {x: .b}} # diglot: ignore[DG0402, DG0506]\n", "ignore[DG0506]\n"),
        ("- a: {set: {x: .b}} # diglot: ignore[expression-looks-literal]\n", "ignore[DG0506]\n"),
    ],
)
def test_an_ignore_in_vain_goes(wrong: str, right: str) -> None:
    assert workflow(f"do:\n{wrong}").endswith(right)


def model(body: str, attributes: str = "") -> str:
    return f'<definitions xmlns="{MODEL}" targetNamespace="x"{attributes}>{body}</definitions>'


def process(*elements: str) -> str:
    return f'<process id="p" isExecutable="true">{"".join(elements)}</process>'


START = '<startEvent id="s"><outgoing>f</outgoing></startEvent>'
END = '<endEvent id="e"><incoming>f</incoming></endEvent>'
FLOW = '<sequenceFlow id="f" sourceRef="s" targetRef="e"/>'


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        (
            model(process(START, END, FLOW.replace('"e"', '"ee"')).replace('id="e"', 'id="eend"')),
            'targetRef="eend"',
        ),
        (
            model(process('<startEvent id="s"/>', END, FLOW)),
            '<startEvent id="s"><outgoing>f</outgoing></startEvent>',
        ),
        (
            model(
                process(
                    START,
                    '<endEvent id="e"><documentation>x</documentation><extensionElements/>'
                    "<terminateEventDefinition/></endEvent>",
                    FLOW,
                )
            ),
            "<extensionElements/><incoming>f</incoming><terminateEventDefinition/>",
        ),
        (model(process(START, END, FLOW)).replace(f' xmlns="{MODEL}"', ""), f'xmlns="{MODEL}"'),
        (
            model(process(START, END, FLOW)).replace(MODEL, "http://schema.omg.org/spec/BPMN/2.0"),
            f'xmlns="{MODEL}"',
        ),
        (
            model(
                process(START, END, FLOW, "<textAnotation id='n'><text>x</text></textAnotation>")
            ),
            "<textAnnotation id='n'><text>x</text></textAnnotation>",
        ),
        (
            model(process(START, END, FLOW.replace("/>", ' isImmediate="false"/>'))),
            'targetRef="e"/>',
        ),
        (model(process(START, END, FLOW), f' xmlns:b="{MODEL}" b:name="x"'), ' name="x"'),
    ],
)
def test_what_every_reader_understands_is_written_as_the_standard_has_it(
    wrong: str, right: str
) -> None:
    text, titles = fixed(wrong, "order.bpmn")

    assert len(titles) == 1
    assert right in text


def test_a_flow_that_makes_no_difference_goes_with_what_is_said_of_it() -> None:
    path = ROOT / codes.FLOW_TWICE.bad
    points = '<i:waypoint x="0" y="0"/><i:waypoint x="9" y="0"/>'
    drawn = (
        '<d:BPMNDiagram xmlns:d="http://www.omg.org/spec/BPMN/20100524/DI"'
        ' xmlns:i="http://www.omg.org/spec/DD/20100524/DI"><d:BPMNPlane bpmnElement="order">'
        f'<d:BPMNEdge bpmnElement="past-again">{points}</d:BPMNEdge></d:BPMNPlane></d:BPMNDiagram>'
    )
    text = path.read_text().replace("</definitions>", f"{drawn}</definitions>")
    made, titles = fixed(text, path.name)

    assert titles == ["Remove `past-again`, which says what another flow says."]
    assert "past-again" not in made
    assert made.count("\n") == text.count("\n") - 3


def test_a_flow_that_something_else_names_stays() -> None:
    path = ROOT / codes.FLOW_TWICE.bad
    named = path.read_text().replace('id="split">', 'id="split" default="past-again">')
    assert "past-again" in fixed(named, path.name)[0]


@pytest.mark.parametrize("quote", ["'", '"'])
def test_a_flow_goes_or_stays_whichever_quotes_its_file_has(quote: str) -> None:
    path = ROOT / codes.FLOW_TWICE.bad
    text = path.read_text().replace('"', quote)
    begin = f"<parallelGateway id={quote}split{quote}"
    named = text.replace(begin, f"{begin} default='past-again'")

    assert "past-again" not in fixed(text, path.name)[0]
    assert "past-again" in fixed(named, path.name)[0]


def test_an_activity_that_compensates_is_marked() -> None:
    (path,) = (ROOT / "bpmn").rglob("invalid-handler-unmarked.bpmn")
    text, titles = fixed(path.read_text(), path.name)

    assert titles == ['Add `isForCompensation="true"` to the activity.']
    assert 'isForCompensation="true"' in text
    assert "DG1239" not in codes_of(compile_source(text))


def codes_of(compiled: Compiled) -> list[str]:
    return [found.code for found in compiled.diagnostics]


def test_no_fix_of_an_example_brings_what_was_not_there() -> None:
    wrong: list[str] = []
    count = 0
    for path in EXAMPLES:
        before = compile_source(path.read_bytes(), path.name)
        if not any(found.fixes for found in before.diagnostics):
            continue
        count += 1
        text, _ = fixed(before.source.text, path.name)
        brought = set(codes_of(compile_source(text, path.name))) - set(codes_of(before))
        is_done = fixed(text, path.name)[1] == []
        if (brought and before.graphs) or not is_done:
            wrong.append(f"{path}: {brought}")

    assert wrong == []
    assert count > 50


def test_a_warning_is_no_reason_to_rename() -> None:
    text = model(process(START.replace('"s"', '"s" isInterupting="true"'), END, FLOW))
    found = compile_source(text)

    assert "DG1125" in codes_of(found)
    assert [one.fixes for one in found.diagnostics if one.code == "DG1125"] == [()]


def test_edits_that_overlap_are_refused() -> None:
    source = Source("abcdef", "x")
    edits = [Edit(source.span(0, 3), "1"), Edit(source.span(2, 4), "2")]

    assert applied(source, edits) is None
    assert applied(source, [edits[0], Edit(source.span(3, 4), "2")]) == "12ef"
    assert applied(source, [Edit(source.span(1, 1), "1"), Edit(source.span(1, 1), "2")]) is None
    assert applied(source, [Edit(Source("abc", "y").span(0, 1), "1")]) is None


def unlisted(count: int) -> str:
    """Flows that their nodes do not list."""
    return "".join(
        f'<task id="t{n}"/><sequenceFlow id="f{n}" sourceRef="t{n}" targetRef="t{n + 1}"/>'
        for n in range(count)
    )


def alike(count: int) -> str:
    """Flows of gateways that make no difference, and that a note is about."""
    return "".join(
        f'<exclusiveGateway id="t{n}"/>'
        f'<sequenceFlow id="f{n}" sourceRef="t{n}" targetRef="t{n + 1}"/>'
        f'<sequenceFlow id="g{n}" sourceRef="t{n}" targetRef="t{n + 1}"/>'
        f'<textAnnotation id="n{n}"/><association id="a{n}" sourceRef="g{n}" targetRef="n{n}"/>'
        for n in range(count)
    )


@pytest.mark.slow
@pytest.mark.parametrize(("written", "count"), [(unlisted, 5_000), (alike, 3_000)])
def test_fixes_of_many_findings_take_no_longer_than_finding_them(
    written: Callable[[int], str], count: int
) -> None:
    text = model(process(written(count), f'<task id="t{count}"/>'))
    found = compile_source(text).diagnostics
    bare = [msgspec.structs.replace(one, fixes=()) for one in found]
    source = Source(text)

    began = time.process_time()
    made = [one for one in with_fixes(bare, {source.name: source}) if one.fixes]

    assert time.process_time() - began < 2
    assert len(made) >= 100
