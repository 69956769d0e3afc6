"""What an author says is meant is no finding; what is said in vain is one."""

from __future__ import annotations

import time

import pytest

from diglot.compiler import Compiled, Report, compile_source, export_bpmn

HEAD = "document: {dsl: 1.0.3, namespace: shop, name: order, version: 1.0.0}\n"
TAIL = "do:\n- a: {set: {x: 1}}\n"


#: What the documents here are about; what else checks find in them does not matter.
CODES = {"DG0302", "DG0402", "DG0902", "DG1004", "DG1005", "DG1516", "DG1661"}


def left(compiled: Compiled) -> list[tuple[str, int]]:
    """The findings that are left, by code and line."""
    return [
        (found.code, 0 if found.span is None else found.span.start.line)
        for found in compiled.diagnostics
        if found.code in CODES
    ]


def ignored(compiled: Compiled) -> list[tuple[str, str]]:
    """The findings that are ignored, with the reason."""
    return [(one.finding.code, one.reason) for one in compiled.suppressed]


# YAML


def retries(*lines: str) -> Compiled:
    """A workflow that declares retry policies that nothing names; they begin in line 4."""
    body = "".join(f"    {line}\n" for line in lines)
    return compile_source(f"{HEAD}use:\n  retries:\n{body}{TAIL}", "order.yaml")


def test_a_comment_ignores_what_is_found_in_its_line() -> None:
    compiled = retries("calm: {delay: PT1S} # diglot: ignore[DG0402] kept for later", "b: {}")

    assert left(compiled) == [("DG0402", 5)]
    assert ignored(compiled) == [("DG0402", "kept for later")]


def test_a_comment_alone_in_its_line_speaks_of_the_next_line_that_has_more() -> None:
    compiled = retries(
        "# diglot: ignore[DG0402] first", "# and why", "calm: {delay: PT1S}", "b: {delay: PT1S}"
    )
    assert left(compiled) == [("DG0402", 7)]
    assert ignored(compiled) == [("DG0402", "first")]


def test_an_ignore_may_name_several_codes_in_any_case() -> None:
    text = f"{HEAD}use: {{retries: {{a: {{}}}}}} # diglot: ignore[dg0402,DG0404]\n{TAIL}"
    compiled = compile_source(text)

    assert ignored(compiled) == [("DG0402", "")]
    assert left(compiled) == [("DG1005", 2)]


def test_an_ignore_at_the_top_speaks_of_the_whole_file() -> None:
    text = (
        f"# diglot: ignore-file[DG0402] a library\n{HEAD}use: {{retries: {{a: {{}}, b: {{}}}}}}\n"
    )
    compiled = compile_source(text + TAIL)

    assert left(compiled) == []
    assert ignored(compiled) == [("DG0402", "a library")] * 2


def test_an_ignore_of_the_file_that_is_not_at_its_top_is_in_vain() -> None:
    compiled = retries("calm: {delay: PT1S} # diglot: ignore-file[DG0402]")

    assert left(compiled) == [("DG0402", 4), ("DG1005", 4)]
    assert "does not stand at its top" in compiled.diagnostics[1].message


@pytest.mark.parametrize(
    "text",
    [
        '"# diglot: ignore[DG9999]"',
        "'# diglot: ignore[DG9999]'",
        "a#diglot:ignore[DG9999]",
        "|\n        # diglot: ignore[DG9999]\n        b",
        ">-\n        # diglot: ignore[DG9999]",
    ],
)
def test_what_stands_in_a_text_is_no_comment(text: str) -> None:
    compiled = compile_source(f"{HEAD}do:\n- a:\n    set:\n      x: {text}\n")
    assert left(compiled) == []


def test_what_is_found_in_a_text_of_several_lines_is_ignored_where_it_begins() -> None:
    text = HEAD + (
        "use: {secrets: [key]}\n"
        "do:\n"
        "- a:\n"
        "    if: | # diglot: ignore[DG0902] only asked for\n"
        "      .a |\n"
        "      . == $secrets.key\n"
        "    set: {x: 1}\n"
    )
    compiled = compile_source(text)

    assert ignored(compiled) == [("DG0902", "only asked for")]
    assert left(compiled) == []


def test_an_ignore_without_a_known_code_is_told() -> None:
    compiled = retries(
        "a: {} # diglot: ignore", "b: {} # diglot: ignore[DG0000, unused-declaration]"
    )
    told = [found for found in compiled.diagnostics if found.code == "DG1004"]

    assert [found.message for found in told] == [
        "this ignore names no code",
        "this ignore names `DG0000`, which is no code",
        "this ignore names `unused-declaration`, which is no code",
    ]
    assert told[2].hint == "Did you mean `DG0402`?"


def test_an_ignore_that_has_nothing_to_ignore_is_told_at_its_code() -> None:
    compiled = compile_source(HEAD + "do:\n- a: {set: {x: 1}} # diglot: ignore[DG0402, DG0404]\n")

    assert left(compiled) == [("DG1005", 3), ("DG1005", 3)]
    assert [str(found.span) for found in compiled.diagnostics] == [
        "<input>:3:37",
        "<input>:3:45",
    ]


def test_what_takes_a_document_its_meaning_cannot_be_ignored() -> None:
    text = HEAD + "do:\n- a: {set: {x: 1}, then: nowhere} # diglot: ignore[DG0302]\n"
    compiled = compile_source(text)

    assert (left(compiled), ignored(compiled)) == ([("DG0302", 3)], [])
    assert compiled.is_refused


def test_an_ignore_does_not_judge_what_was_not_looked_at() -> None:
    text = HEAD + "do:\n- a: {set: {x: 1}, then: nowhere} # diglot: ignore[DG0402]\n"
    assert left(compile_source(text)) == [("DG0302", 3)]


def test_an_ignore_of_what_is_off_is_not_in_vain() -> None:
    text = f"{HEAD}use: {{retries: {{a: {{}}}}}} # diglot: ignore[DG0402]\n{TAIL}"
    compiled = compile_source(text, severities={"DG0402": "off"})

    assert (left(compiled), ignored(compiled)) == ([], [])


def test_the_findings_of_ignores_can_be_weighed_too() -> None:
    text = HEAD + "do:\n- a: {set: {x: 1}} # diglot: ignore[DG0402]\n"
    assert left(compile_source(text, severities={"DG1005": "off"})) == []


def test_what_is_ignored_may_have_been_made_an_error() -> None:
    text = f"{HEAD}use: {{retries: {{a: {{}}}}}} # diglot: ignore[DG0402] known\n{TAIL}"
    compiled = compile_source(text, severities={"DG0402": "error"})

    assert not compiled.has_errors
    assert ignored(compiled) == [("DG0402", "known")]


def test_json_has_no_comments() -> None:
    text = (
        '{"document": {"dsl": "1.0.3", "namespace": "shop", "name": "order", "version": "1.0.0"},'
        ' "do": [{"a": {"set": {"x": "# diglot: ignore[DG9999]"}}}]}'
    )
    assert left(compile_source(text, "order.json")) == []


# BPMN

_OPEN = (
    '<definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL" id="d" targetNamespace="x"'
    ' xmlns:diglot="https://diglot.dev/bpmn/1">\n'
)


def bpmn(*body: str) -> Compiled:
    """A process around elements that stand in lines of their own, from the third on."""
    inside = "\n".join(body)
    text = f'{_OPEN}<process id="p" isExecutable="true">\n{inside}\n</process></definitions>'
    return compile_source(text, "order.bpmn")


def script(id: str, inside: str = "") -> str:
    """A script task without a script, which is a finding."""
    return f'<scriptTask id="{id}" scriptFormat="application/jq">{inside}</scriptTask>'


def test_a_comment_before_an_element_speaks_of_it() -> None:
    compiled = bpmn("<!-- diglot: ignore[DG1516] drawn first -->", script("a"), script("b"))

    assert left(compiled) == [("DG1516", 5)]
    assert ignored(compiled) == [("DG1516", "drawn first")]


@pytest.mark.parametrize(
    "inside",
    [
        "<!-- diglot: ignore[DG1516] why -->",
        "<documentation>Ünder way</documentation><!-- diglot: ignore[DG1516] why -->",
        "<!-- diglot: ignore[DG1516] why --><documentation>x</documentation>",
        '<extensionElements><diglot:ignore code="DG1516">why</diglot:ignore></extensionElements>',
        '<extensionElements><x xmlns="y"/><diglot:ignore code="DG1516, DG1517"> why'
        "</diglot:ignore></extensionElements>",
    ],
)
def test_an_ignore_within_an_element_speaks_of_it(inside: str) -> None:
    compiled = bpmn(script("a", inside), script("b"))

    assert [one for one in left(compiled) if one[0] != "DG1005"] == [("DG1516", 4)]
    assert ignored(compiled) == [("DG1516", "why")]


def test_an_ignore_of_a_sub_process_does_not_speak_of_what_is_in_it() -> None:
    compiled = bpmn(
        "<!-- diglot: ignore[DG1516] -->",
        '<subProcess id="s">',
        script("a"),
        "<!-- diglot: ignore[DG1516] last of all -->",
        "</subProcess>",
    )
    assert left(compiled) == [("DG1005", 3), ("DG1516", 5), ("DG1005", 6)]


def test_an_ignore_before_the_model_speaks_of_the_whole_file() -> None:
    text = f'<!-- diglot: ignore-file[DG1516] a sketch -->\n{_OPEN}<process id="p">{script("a")}'
    compiled = compile_source(f"{text}{script('b')}</process></definitions>")

    assert ignored(compiled) == [("DG1516", "a sketch")] * 2
    assert "DG1516" not in [code for code, _ in left(compiled)]


def test_an_ignore_in_vain_is_told_in_a_bpmn_file_too() -> None:
    compiled = bpmn(
        "<!-- diglot: ignore[DG0402] -->",
        '<task id="a"><extensionElements><diglot:ignore code="DG0000">x</diglot:ignore>'
        "<diglot:ignore/></extensionElements></task>",
    )
    assert left(compiled) == [("DG1005", 3), ("DG1004", 4), ("DG1004", 4)]


def test_an_ignore_of_another_vocabulary_is_none() -> None:
    inside = '<extensionElements><o:ignore xmlns:o="other" code="DG1516"/></extensionElements>'
    assert ("DG1516", 3) in left(bpmn(script("a", inside)))


def test_an_ignore_of_an_element_is_exported_with_it() -> None:
    inside = (
        '<extensionElements><diglot:ignore code="DG1516">why</diglot:ignore></extensionElements>'
    )
    compiled = bpmn(script("a", inside))

    text = export_bpmn(compiled.graphs, Report())
    assert text is not None
    again = compile_source(text, "again.bpmn")

    assert again.digest == compiled.digest
    assert ignored(again) == [("DG1516", "why")]


def test_an_ignore_in_a_file_that_was_composed_is_exported_again() -> None:
    composed = export_bpmn(compile_source(HEAD + TAIL).graphs, Report())
    assert composed is not None
    edited = composed.replace('{"x": 1}', '{"x": 2}')
    place = edited.index("</bpmn:extensionElements>", edited.index("<bpmn:scriptTask"))
    ignore = '<diglot:ignore code="DG1661">on purpose</diglot:ignore>'

    compiled = compile_source(f"{edited[:place]}{ignore}{edited[place:]}", "order.bpmn")
    assert ignored(compiled) == [("DG1661", "on purpose")]
    again = export_bpmn(compiled.graphs, Report())

    assert again is not None
    assert ignore in again


# Size


@pytest.mark.slow
def test_ten_thousand_ignores_take_no_second() -> None:
    body = "".join(f"    r{n}: {{}} # diglot: ignore[DG0402]\n" for n in range(10_000))
    text = f"{HEAD}use:\n  retries:\n{body}{TAIL}"
    plain = text.replace("# diglot", "# ")

    began = time.process_time()
    compile_source(plain)
    without = time.process_time() - began
    began = time.process_time()
    compiled = compile_source(text)

    assert time.process_time() - began < without + 1
    assert len(compiled.suppressed) == 5_000
