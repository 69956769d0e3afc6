"""The code of everything that does not get through the front door."""

from __future__ import annotations

import json
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from diglot.compiler import codes
from diglot.compiler.diagnostics import Code, Diagnostic, Report
from diglot.compiler.serverless_workflow.compose import DEFAULT_LIMITS, Refused, SyntaxFault
from diglot.compiler.serverless_workflow.yaml import Limits, decode, load_document, read_yaml
from diglot.compiler.source import Source

MIB = 1_048_576


def load(text: str, name: str = "flow.yaml", limits: Limits = DEFAULT_LIMITS) -> Any:
    """The value of a text that loads without a finding."""
    report = Report()
    located = load_document(Source(text, name), report, limits=limits)
    assert [found.message for found in report] == []
    assert located is not None
    return located.value


def findings(text: str, name: str = "flow.yaml", limits: Limits = DEFAULT_LIMITS) -> list[str]:
    """`code@line:column pointer` of each finding of a text that is refused."""
    report = Report()
    assert load_document(Source(text, name), report, limits=limits) is None
    return [place_of(found) for found in report]


def place_of(found: Diagnostic) -> str:
    assert found.span is not None
    start = found.span.start
    return f"{found.code}@{start.line}:{start.column} {found.pointer}".rstrip()


def at(code: Code, place: str) -> list[str]:
    return [f"{code.id}@{place}"]


# Text


def test_nested_aliases_are_counted_before_they_are_expanded() -> None:
    lines = ["a0: &a0 [x,x,x,x,x,x,x,x,x]"]
    lines += [f"a{i}: &a{i} [{','.join([f'*a{i - 1}'] * 9)}]" for i in range(1, 10)]
    assert findings("\n".join(lines)) == at(codes.ALIASES_TOO_LARGE, "5:30 /a4/5")


def test_an_alias_of_much_text_counts_its_text() -> None:
    text = f"a: &a {'x' * 500_000}\nb: [{','.join(['*a'] * 1000)}]\n"
    assert findings(text) == at(codes.ALIASES_TOO_LARGE, "2:8 /b/1")


def test_an_alias_counts_its_depth() -> None:
    text = f"a: &a {'[' * 60}{']' * 60}\nb: {'[' * 60}*a{']' * 60}\n"
    assert findings(text) == at(codes.NESTING_TOO_DEEP, "2:64 /b" + "/0" * 60)


def test_a_merge_key_is_refused() -> None:
    text = "a: &a {x: 1}\nb:\n  <<: *a\n  y: 2\n"
    assert findings(text) == at(codes.MERGE_KEY, "3:3 /b/<<")
    assert load('"<<": 1') == {"<<": 1}
    assert load("a: <<") == {"a": "<<"}


def test_merge_keys_cannot_multiply() -> None:
    lines = ["a0: &a0 {k: 1}"]
    lines += [f"a{i}: &a{i} {{<<: [{','.join([f'*a{i - 1}'] * 8)}]}}" for i in range(1, 9)]
    found = findings("\n".join(lines))
    assert {each.split("@")[0] for each in found} <= {
        codes.MERGE_KEY.id,
        codes.ALIASES_TOO_LARGE.id,
    }


def test_a_value_that_holds_itself_is_refused() -> None:
    assert findings("a: &a [*a]") == at(codes.ALIAS_CYCLE, "1:8 /a/0")
    assert findings("&a {b: {c: *a}}") == at(codes.ALIAS_CYCLE, "1:12 /b/c")


def test_an_alias_needs_its_anchor() -> None:
    assert findings("a: *b\nb: &b 1\n") == at(codes.UNKNOWN_ALIAS, "1:4 /a")


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("a: !!python/object/apply:os.system [ls]", "1:4 /a"),
        ("a:\n- !!python/name:os.system ''", "2:3 /a/0"),
        ("a: !!timestamp 2024-01-01", "1:4 /a"),
        ("a: !!binary aGk=", "1:4 /a"),
        ("a: !secret x", "1:4 /a"),
        ("a: !<tag:example.com,2000:x> {b: 1}", "1:4 /a"),
        ("!x y: 1", "1:1 /y"),
    ],
)
def test_a_tag_beyond_the_core_is_refused(text: str, place: str) -> None:
    assert findings(text) == at(codes.CUSTOM_TAG, place)


@pytest.mark.parametrize("text", ["!!int x", "!!int 1.5", "!!bool 'no'", "!!map [1]", "!!seq {}"])
def test_a_tag_has_to_fit_its_value(text: str) -> None:
    assert findings(f"a: {text}") == at(codes.TAG_MISMATCH, "1:4 /a")


def test_tag_directives_are_refused_before_they_are_parsed() -> None:
    many = "".join(f"%TAG !{i}! tag:x\n" for i in range(50_000))
    assert findings(f"# c\n{many}---\na: 1") == at(codes.YAML_DIRECTIVE, "2:1")
    assert findings(f"a: 1\n...\n{many}---\nb: 2") == at(codes.SEVERAL_DOCUMENTS, "3:1")


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("[" * 3000, "1:101 " + "/0" * 100),
        ("[" * 1_000_000, "1:101 " + "/0" * 100),
        ("a: " + "[" * 300, "1:103 /a" + "/0" * 99),
        ("- " * 3000, "1:201 " + "/0" * 100),
        ('{"a":' * 3000, "1:501 " + "/a" * 100),
        ("".join(" " * i + "a:\n" for i in range(200)), "101:101 " + "/a" * 100),
    ],
)
def test_nesting_is_bounded(text: str, place: str) -> None:
    assert findings(text) == at(codes.NESTING_TOO_DEEP, place)


def test_nesting_up_to_the_bound_is_read() -> None:
    assert json.dumps(load("[" * 100 + "]" * 100)) == "[" * 100 + "]" * 100


def test_nesting_the_parser_itself_refuses_has_the_same_code() -> None:
    assert findings("a: " + "{" * 5000)[0].startswith(codes.NESTING_TOO_DEEP.id)


@pytest.mark.parametrize(
    "text", ["- x\n" * 60_000, "[" + "1," * 60_000 + "1]", "a: [" + "x, " * 60_000]
)
def test_the_number_of_values_is_bounded(text: str) -> None:
    assert findings(text)[0].startswith(codes.TOO_MANY_NODES.id)


def test_the_size_is_bounded_in_bytes() -> None:
    assert findings("a: " + "é" * (MIB // 2)) == at(codes.DOCUMENT_TOO_LARGE, "1:1")
    assert load("a: " + "x" * (MIB - 3)) == {"a": "x" * (MIB - 3)}


def test_a_key_is_bounded() -> None:
    assert findings(json.dumps({"k" * 1025: 1})) == at(codes.KEY_TOO_LONG, "1:2")


@pytest.mark.parametrize(
    "text",
    [
        "x" * MIB,
        "a\n" * 400_000,
        " " * MIB,
        "#\n" * 500_000,
        '"' + "\\" * 999_999,
        '["' + "\\u00" * 9999,
    ],
)
def test_a_megabyte_of_nothing_in_particular_ends(text: str) -> None:
    report = Report()
    load_document(Source(text), report)
    assert len(report) <= 1


def test_a_duplicate_key_is_refused_wherever_it_stands() -> None:
    assert findings("a: 1\nb: {c: 1, 'c': 2}\na: 2\n") == [
        f"{codes.DUPLICATE_KEY.id}@2:11 /b/c",
        f"{codes.DUPLICATE_KEY.id}@3:1 /a",
    ]
    assert findings('{"a": 1, "\\u0061": 2}') == at(codes.DUPLICATE_KEY, "1:10 /a")


def test_the_number_of_findings_is_bounded() -> None:
    assert len(findings("a: 1\n" * 5000)) == DEFAULT_LIMITS.findings


@pytest.mark.parametrize(
    "key", ["1", "1.5", "true", "null", "~", "? [a]\n", "? {a: 1}\n", "!!int '1'"]
)
def test_a_key_is_a_string(key: str) -> None:
    assert findings(f"{key}: x")[0].startswith(codes.NON_STRING_KEY.id)


@pytest.mark.parametrize("text", [".inf", "-.INF", ".nan", "1e400", "-1e999", "!!float 1e400"])
def test_a_number_is_finite(text: str) -> None:
    assert findings(f"- {text}") == at(codes.NUMBER_NOT_FINITE, "1:3 /0")


@pytest.mark.parametrize("text", ["NaN", "Infinity", "-Infinity", "1e400"])
def test_a_json_number_is_finite(text: str) -> None:
    assert findings(f"[{text}]", "flow.json") == at(codes.NUMBER_NOT_FINITE, "1:2 /0")
    assert findings(f"[{text}]", "<input>") == at(codes.NUMBER_NOT_FINITE, "1:2 /0")


@pytest.mark.parametrize(
    "text", ["1" * 4301, "-" + "1" * 5000, "0x" + "f" * 3600, "0o" + "7" * 9000]
)
def test_an_integer_has_at_most_4300_digits(text: str) -> None:
    assert findings(f"- {text}") == at(codes.NUMBER_TOO_LONG, "1:3 /0")
    assert load("- " + "1" * 4300) == [int("1" * 4300)]


@pytest.mark.parametrize(
    "character", ["\x00", "\x07", "\x1b", "\x7f", "\x85", "\u2028", "\ufffe", "\ud800"]
)
def test_a_control_character_is_refused(character: str) -> None:
    assert findings(f"a: b{character}c") == at(codes.CONTROL_CHARACTER, "1:5")


@pytest.mark.parametrize("text", ['["\\ud800"]', '["\\ude00\\ud83d"]', 'a: "\\ud800"'])
def test_half_a_character_is_refused(text: str) -> None:
    assert findings(text)[0].startswith(codes.LONE_SURROGATE.id)
    assert load('["\\ud83d\\ude00"]') == ["😀"]


def test_several_documents_are_refused() -> None:
    assert findings("a: 1\n---\nb: 2\n") == at(codes.SEVERAL_DOCUMENTS, "2:1")
    assert findings("a: 1\n---\n") == at(codes.SEVERAL_DOCUMENTS, "2:1")


@pytest.mark.parametrize("text", ["", " \n", "# only a comment\n", "---\n"])
def test_an_empty_document_is_refused(text: str) -> None:
    assert findings(text) == at(codes.EMPTY_DOCUMENT, "1:1")


@pytest.mark.parametrize(
    ("text", "place"),
    [("a:\n\tb: 1", "2:1"), ("a:\n  b: 1\n\tc: 2", "3:1"), ("a:\n  - b\n  \t- c\n d: 1", "3:3")],
)
def test_a_tab_in_the_indentation_is_named(text: str, place: str) -> None:
    assert findings(text) == at(codes.TAB_INDENTATION, place)


@given(st.text(max_size=60) | st.text(alphabet="&*a!:- \n\t'\"{}[]|>#%<,?", max_size=60))
def test_any_text_loads_or_is_refused_with_a_code(text: str) -> None:
    report = Report()
    located = load_document(Source(text, "flow.yaml"), report)
    assert (located is None) == report.has_errors


# Bytes


@pytest.mark.parametrize(
    "data",
    [
        "a: é".encode(),
        b"\xef\xbb\xbf" + "a: é".encode(),
        b"\xff\xfe" + "a: é".encode("utf-16-le"),
        b"\xfe\xff" + "a: é".encode("utf-16-be"),
    ],
)
def test_bytes_are_utf_8_or_say_that_they_are_utf_16(data: bytes) -> None:
    source = decode(data, "flow.yaml", Report())
    assert source is not None
    assert load(source.text) == {"a": "é"}


@pytest.mark.parametrize(
    ("data", "place"),
    [
        (b"a: 1\nb: \xff\n", "2:4"),
        (b"\xff\xfea\x00\x00\xd8", "1:2"),
        (b"\xff\xfe\x00\x00a\x00\x00\x00", "1:1"),
        ("a: é".encode("latin-1"), "1:4"),
    ],
)
def test_other_bytes_are_refused(data: bytes, place: str) -> None:
    report = Report()
    assert decode(data, "flow.yaml", report) is None
    assert [place_of(found) for found in report] == at(codes.INVALID_ENCODING, place)


def test_too_many_bytes_are_not_decoded() -> None:
    report = Report()
    assert decode(b"\xff" * (MIB + 1), "flow.yaml", report) is None
    assert [place_of(found) for found in report] == at(codes.DOCUMENT_TOO_LARGE, "1:1")


def test_a_byte_order_mark_in_a_text_is_no_part_of_it() -> None:
    assert load("\ufeffa: 1\nb: 2") == {"a": 1, "b": 2}


def test_limits_can_be_set() -> None:
    assert findings("a: [b]", limits=Limits(depth=1)) == at(codes.NESTING_TOO_DEEP, "1:4 /a")
    assert findings("a: [b]", limits=Limits(nodes=3)) == at(codes.TOO_MANY_NODES, "1:5 /a/0")


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ('a: "\\ud800"', codes.LONE_SURROGATE),
        ('a: "\\UFFFFFFFF"', codes.YAML_SYNTAX),
        ("a:\n\tb: 1", codes.TAB_INDENTATION),
        ("a: b: c", codes.YAML_SYNTAX),
        ("a: &a [*a]", codes.ALIAS_CYCLE),
        ("a: !x 1", codes.CUSTOM_TAG),
        ("- " * 3000, codes.NESTING_TOO_DEEP),
    ],
)
def test_the_parser_in_python_refuses_the_same(text: str, code: Code) -> None:
    report = Report()
    try:
        read_yaml(Source(text), report, DEFAULT_LIMITS, parser=yaml.BaseLoader)
    except SyntaxFault as fault:
        refused = [fault.code.id]
    except Refused:
        refused = [found.code for found in report]
    else:
        refused = [found.code for found in report]
    assert refused == [code.id]
