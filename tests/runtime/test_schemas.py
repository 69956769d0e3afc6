"""Schemas: what fits and what does not, and no pattern that holds up the engine."""

from __future__ import annotations

import time
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from diglot.compiler.graph import Schema
from diglot.runtime.faults import Fault
from diglot.runtime.patterns import fits
from diglot.runtime.schemas import validator

ENDLESS = ["^(a+)+$", "^(a|a)*$", "(x+x+)+y", "^(([a-z])+.)+[A-Z]([a-z])+$", "(?=(a+))a*b\\1"]


def check(schema: Any, value: Any) -> str:
    """What is wrong with the value, or nothing."""
    try:
        validator(Schema(document=schema), {})(value, "data")
    except Fault as found:
        return str(found.problem["detail"])
    return ""


def test_a_value_that_does_not_fit_is_told_with_its_place() -> None:
    schema = {"type": "object", "properties": {"a": {"items": {"type": "integer"}}}}
    assert check(schema, {"a": [1, 2]}) == ""
    assert check(schema, {"a": [1, "x"]}).startswith("the data does not fit its schema at /a/1")


@pytest.mark.parametrize("pattern", ENDLESS)
def test_a_pattern_made_to_run_for_ever_ends(pattern: str) -> None:
    began = time.monotonic()

    told = check({"type": "string", "pattern": pattern}, "a" * 5000 + "!")
    as_name = check({"patternProperties": {pattern: False}}, {"a" * 5000 + "!": 1})

    # It may fit, not fit, or be given up; it may not go on.
    assert isinstance(told + as_name, str)
    assert time.monotonic() - began < 20


def test_names_are_sorted_into_properties_patterns_and_others() -> None:
    schema = {
        "properties": {"a": {"type": "integer"}},
        "patternProperties": {"^x-": {"type": "string"}},
        "additionalProperties": False,
    }
    assert check(schema, {"a": 1, "x-b": "c"}) == ""
    assert "additional properties are not allowed: 'b'" in check(schema, {"b": 1})
    assert "at /x-b" in check(schema, {"x-b": 1})


def test_a_reference_to_an_address_is_an_error_and_no_request() -> None:
    told = check({"$ref": "https://example.com/schema.json"}, 1)
    assert "example.com/schema.json" in told


@given(st.from_regex(r"\A[a-c]{1,3}[*+?]?[a-c]?\Z"), st.text(alphabet="abcd\n", max_size=12))
def test_a_guarded_pattern_finds_what_the_library_finds(pattern: str, text: str) -> None:
    expected = cast("Any", Draft202012Validator({"pattern": pattern})).is_valid(text)
    assert fits(pattern, text) is expected


@given(st.sampled_from(["(ab|a)*c", "(a?b)+", "^(a|b)+$", "(ab){2}"]), st.text("abc", max_size=8))
def test_the_evaluator_finds_what_python_finds(pattern: str, text: str) -> None:
    import re

    assert fits(pattern, text) is (re.search(pattern, text) is not None)
