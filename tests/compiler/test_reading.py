"""YAML and JSON text as plain values, and what is said about text that is neither."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from diglot.compiler import codes
from diglot.compiler.diagnostics import Report
from diglot.compiler.serverless_workflow.compose import DEFAULT_LIMITS
from diglot.compiler.serverless_workflow.yaml import load_document, read_yaml
from diglot.compiler.source import Source

#: In a text that starts with a bracket these are refused as somebody's JSON.
NOT_FINITE = ("NaN", "Infinity", "-Infinity")
JSON_VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**30), 10**30)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=30).filter(lambda text: text not in NOT_FINITE),
    lambda inner: (
        st.lists(inner, max_size=5) | st.dictionaries(st.text(max_size=12), inner, max_size=5)
    ),
    max_leaves=20,
)


#: What YAML 1.2 reads as a number and PyYAML, which writes YAML 1.1, would not quote.
CORE_NUMBER = re.compile(
    r"^(?:0o[0-7]+|0x[0-9a-fA-F]+|[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?)$"
)


def write_yaml(value: Any, **options: Any) -> str:
    """A value as YAML that means the same to readers of YAML 1.2."""
    pyyaml: Any = yaml
    dumper: Any = type("CoreDumper", (yaml.SafeDumper,), {})
    dumper.add_implicit_resolver("core", CORE_NUMBER, list("+-.0123456789"))
    return str(pyyaml.dump(value, Dumper=dumper, **options))


def load(text: str, name: str = "flow.yaml") -> Any:
    """The value of a text that loads without a finding."""
    report = Report()
    located = load_document(Source(text, name), report)
    assert [found.message for found in report] == []
    assert located is not None
    return located.value


def refusal(text: str, name: str) -> tuple[str, str, str]:
    """`code@line:column`, message and hint of the one finding of a text."""
    report = Report()
    assert load_document(Source(text, name), report) is None
    (found,) = report
    assert found.span is not None
    start = found.span.start
    return f"{found.code}@{start.line}:{start.column}", found.message, found.hint


# Values


@given(JSON_VALUES)
def test_json_text_loads_as_what_was_dumped(value: Any) -> None:
    assert load(json.dumps(value), "flow.json") == value
    assert load(json.dumps(value, indent="\t", ensure_ascii=False), "flow.json") == value


@settings(max_examples=60)
@given(JSON_VALUES, st.sampled_from([None, "'", '"']), st.booleans())
def test_yaml_text_loads_as_what_was_dumped(value: Any, style: str | None, flow: bool) -> None:
    text = write_yaml(value, default_style=style, default_flow_style=flow)
    assert load(text) == value


@settings(max_examples=60)
@given(JSON_VALUES)
def test_the_parser_in_python_gives_the_same_value(value: Any) -> None:
    source = Source(write_yaml(value), "flow.yaml")
    root = read_yaml(source, Report(), DEFAULT_LIMITS, parser=yaml.BaseLoader)
    assert root is not None
    assert root.value == value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("~", None),
        ("null", None),
        ("True", True),
        ("FALSE", False),
        ("014", 14),
        ("+1", 1),
        ("0o14", 12),
        ("0xFf", 255),
        ("1.", 1.0),
        (".5", 0.5),
        ("1e3", 1000.0),
        ("-0.0", -0.0),
        ("123456789012345678901234567890", 123456789012345678901234567890),
    ],
)
def test_a_plain_scalar_of_the_core_schema_is_a_value(text: str, value: Any) -> None:
    loaded = load(f"a: {text}")["a"]
    assert (type(loaded), repr(loaded)) == (type(value), repr(value))


@pytest.mark.parametrize(
    "text",
    [
        "no",
        "Yes",
        "on",
        "y",
        "12:30:45",
        "2024-01-01",
        "1_000",
        "0b1",
        "-0x1",
        "nUll",
        ".",
        "-.",
        "=",
    ],
)
def test_what_only_yaml_1_1_reads_as_a_value_is_a_string(text: str) -> None:
    assert load(f"a: {text}") == {"a": text}


def test_on_is_a_key_like_any_other() -> None:
    assert load("schedule:\n  on:\n    one: {}\n") == {"schedule": {"on": {"one": {}}}}


def test_a_core_tag_says_what_a_scalar_is() -> None:
    text = '{a: !!str 1, b: !!int "2", c: !!float 3, d: !!null "", e: ! 5, f: !!seq []}'
    expected: dict[str, Any] = {"a": "1", "b": 2, "c": 3.0, "d": None, "e": "5", "f": []}
    assert load(text) == expected


def test_an_alias_repeats_its_value() -> None:
    text = "a: &p {x: [1]}\nb: *p\n&k c: *k\n"
    assert load(text) == {"a": {"x": [1]}, "b": {"x": [1]}, "c": "c"}


def test_an_anchor_may_be_given_again() -> None:
    assert load("- &a 1\n- *a\n- &a 2\n- *a\n") == [1, 1, 2, 2]


def test_json_with_tabs_loads_under_any_name() -> None:
    assert load('\n{\n\t"a": [\n\t\t1\n\t]\n}\n') == {"a": [1]}


def test_a_flow_mapping_that_is_no_json_is_yaml() -> None:
    assert load("{a: 1, 'b': [x, y]} # c") == {"a": 1, "b": ["x", "y"]}


def test_a_yaml_directive_and_document_marks_are_read() -> None:
    assert load("# c\n%YAML 1.2\n---\na: 1\n...\n# c\n") == {"a": 1}


# Syntax


@pytest.mark.parametrize(
    ("text", "place", "hint"),
    [
        ("a: b: c", "1:5", "Quote a value that has ': ' in it; else align the keys."),
        ("a: 'x", "1:6", "A quote that was opened is not closed."),
        ("a: @x", "1:4", "Quote a value that starts with @, ` or %."),
        ("a: [1, 2", "1:9", "A list in [ ] or a mapping in { } is not closed, or lacks a comma."),
        ("{a: 1, b: ]}", "1:11", codes.YAML_SYNTAX.remedy),
        ("'a' b", "1:5", codes.YAML_SYNTAX.remedy),
    ],
)
def test_a_yaml_mistake_has_a_place_and_a_hint(text: str, place: str, hint: str) -> None:
    found, _, advice = refusal(text, "flow.yaml")
    assert (found, advice) == (f"{codes.YAML_SYNTAX.id}@{place}", hint)


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ("", "1:1", "the text ends where a value is expected"),
        ('{"a": 1', "1:8", "the text ends where ',' or '}' is expected"),
        ('{"a": 1,}', "1:9", "expected a key in double quotes"),
        ("[1,]", "1:4", "expected a value"),
        ('{"a" 1}', "1:6", "expected ':'"),
        ("{'a': 1}", "1:2", "single quotes do not delimit JSON strings"),
        ("[1 2]", "1:4", "expected ',' or ']'"),
        ("[01]", "1:2", "expected a value or ']'"),
        ("[1]\n]", "2:1", "expected the end of the document"),
        ("[1, // c\n2]", "1:5", "JSON has no comments"),
        ('["a\tb"]', "1:4", "a control character stands in a string"),
        ('["a\\qb"]', "1:4", "the escape is not one of JSON's"),
        ('["a\n"]', "1:2", "the string does not end on its line"),
        ("[True]", "1:2", "expected a value or ']'"),
    ],
)
def test_a_json_mistake_has_a_place_and_a_reason(text: str, place: str, message: str) -> None:
    found, said, _ = refusal(text, "flow.json")
    assert found == f"{codes.JSON_SYNTAX.id}@{place}"
    assert said == f"this is not JSON: {message}"


@given(st.text(alphabet='{}[]",:1e-.\\u0 tnf\n', max_size=30))
def test_exactly_what_json_accepts_is_accepted_as_json(text: str) -> None:
    def refuse(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        if len(dict(pairs)) < len(pairs):
            raise ValueError("duplicate key")
        return dict(pairs)

    try:
        expected = json.loads(text, object_pairs_hook=refuse)
        json.dumps(expected, allow_nan=False, ensure_ascii=False).encode()
    except ValueError:
        expected = None
    located = load_document(Source(text, "flow.json"), Report())
    assert (located.value if located else None) == expected
