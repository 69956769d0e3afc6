"""A JSON Schema as a type: every value that fits the schema is of the type."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from diglot.compiler.checks.types.constants import holds, type_of_value
from diglot.compiler.checks.types.joining import coarser, meet, union
from diglot.compiler.checks.types.model import ANYTHING, NOTHING
from diglot.compiler.checks.types.schemas import type_of_schema

NAMES = st.sampled_from(["a", "b", "c"])
SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-2, 2),
    st.sampled_from([0.5, 1.0]),
    st.sampled_from(["", "a"]),
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(NAMES, inner, max_size=3)),
    max_leaves=6,
)
KINDS = st.sampled_from(["null", "boolean", "number", "integer", "string", "array", "object"])


def schemas(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.fixed_dictionaries(
        {},
        optional={
            "type": st.one_of(KINDS, st.lists(KINDS, min_size=1, max_size=3, unique=True)),
            "const": VALUES,
            "enum": st.lists(VALUES, min_size=1, max_size=3),
            "properties": st.dictionaries(NAMES, inner, max_size=3),
            "required": st.lists(NAMES, max_size=2, unique=True),
            "additionalProperties": inner,
            "patternProperties": st.dictionaries(st.sampled_from(["^a", "c"]), inner, max_size=2),
            "items": inner,
            "prefixItems": st.lists(inner, min_size=1, max_size=2),
            "minItems": st.integers(0, 2),
            "allOf": st.lists(inner, min_size=1, max_size=2),
            "anyOf": st.lists(inner, min_size=1, max_size=2),
            "oneOf": st.lists(inner, min_size=1, max_size=2),
            "not": inner,
            "unevaluatedProperties": st.booleans(),
            "$ref": st.just("#/$defs/x"),
        },
    )


SCHEMAS = st.recursive(st.booleans(), schemas, max_leaves=6)
#: What references lead to has none itself, so that the validator comes to an end.
REFERRED = st.sampled_from(
    [True, False, {"type": "string"}, {"required": ["a"]}, {"properties": {"a": {"const": 1}}}]
)


@settings(max_examples=600, deadline=None)
@given(SCHEMAS, REFERRED, st.lists(VALUES, min_size=1, max_size=6))
def test_a_value_that_fits_a_schema_is_of_its_type(
    schema: Any, referred: Any, values: list[Any]
) -> None:
    document: Any = schema if isinstance(schema, bool) else {**schema, "$defs": {"x": referred}}
    validator: Any = Draft202012Validator(document)

    type = type_of_schema(document)

    assert [one for one in values if validator.is_valid(one) and not holds(type, one)] == []


@settings(max_examples=400, deadline=None)
@given(VALUES, VALUES, VALUES)
def test_types_of_values_hold_what_they_are_made_of(one: Any, two: Any, three: Any) -> None:
    left, right = union(type_of_value(one), type_of_value(two)), type_of_value(three)

    assert holds(left, one)
    assert holds(left, two)
    assert holds(union(left, right), three)
    assert holds(coarser(left), one)
    if holds(left, three):
        assert holds(meet(left, right), three)
    if meet(left, right) == NOTHING:
        assert not holds(left, three)


@pytest.mark.parametrize(
    ("schema", "value", "is_held"),
    [
        ({"type": "integer"}, 1.0, True),
        ({"type": "integer"}, True, False),
        ({"enum": [1, "a"]}, "a", True),
        ({"enum": [1, "a"]}, True, False),
        ({"properties": {"a": {"type": "string"}}}, {"a": 1}, False),
        ({"properties": {"a": {"type": "string"}}}, 5, True),
        ({"required": ["a"], "type": "object"}, {}, False),
        ({"additionalProperties": False, "type": "object"}, {"a": 1}, False),
        ({"items": {"type": "string"}}, ["a", 1], False),
        ({"allOf": [{"type": ["string", "null"]}, {"type": ["null", "array"]}]}, "a", False),
        ({"anyOf": [{"type": "string"}, {"const": 3}]}, 4, False),
        ({"$ref": "#/$defs/t", "$defs": {"t": {"type": "string"}}}, 4, False),
        ({"type": "array", "minItems": 1}, [], False),
    ],
)
def test_what_a_schema_says_of_kinds_and_members_is_in_its_type(
    schema: Any, value: Any, is_held: bool
) -> None:
    assert holds(type_of_schema(schema), value) is is_held


@pytest.mark.parametrize(
    "schema",
    [
        {"$ref": "https://example.com/other.json"},
        {"$ref": "#anchor"},
        {"$dynamicRef": "#x"},
        {"$schema": "http://json-schema.org/draft-03/schema#", "type": "string"},
        {"not": {"type": "string"}},
    ],
)
def test_what_is_not_followed_may_be_anything(schema: Any) -> None:
    assert type_of_schema(schema) == ANYTHING


def test_an_old_draft_takes_a_reference_alone() -> None:
    schema = {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "type": "object",
        "properties": {"a": {"$ref": "#/definitions/t", "type": "number"}},
        "definitions": {"t": {"type": "string"}},
    }

    assert holds(type_of_schema(schema), {"a": "x"})
