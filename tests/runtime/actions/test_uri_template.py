from __future__ import annotations

import re
from typing import Any
from urllib.parse import unquote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from diglot.compiler.expressions.uri_template import UriTemplateError, expand, template_names


@pytest.mark.parametrize(
    ("template", "values", "expected"),
    [
        ("https://pets.test/pet/{petId}", {"petId": 1}, "https://pets.test/pet/1"),
        ("/find?status={status}", {"status": "sold out"}, "/find?status=sold%20out"),
        ("/{a}/{b}", {"a": "x/y?", "b": "ü"}, "/x%2Fy%3F/%C3%BC"),
        ("/{pet.id}", {"pet.id": "dotted", "pet": {"id": "nested"}}, "/dotted"),
        ("/{flag}/{other}", {"flag": True, "other": False}, "/true/false"),
        ("/{price}", {"price": 1.5}, "/1.5"),
        ("/{missing}/end", {}, "//end"),
        ("/{nothing}", {"nothing": None}, "/"),
        ("/{x,y,z}", {"x": 1024, "z": 768}, "/1024,768"),
        ("/plain", {"plain": 1}, "/plain"),
        ("/kept%20{x}", {"x": "%20"}, "/kept%20%2520"),
    ],
)
def test_a_name_is_replaced_by_the_encoded_value_of_that_key(
    template: str, values: dict[str, Any], expected: str
):
    assert expand(template, values) == expected


def test_a_value_that_looks_like_a_template_is_not_expanded_again():
    assert expand("/{x}", {"x": "{y}", "y": "secret"}) == "/%7By%7D"


@pytest.mark.parametrize("value", [{}, {"a": 1}, [], [1, 2]])
def test_an_object_or_an_array_cannot_stand_in_a_uri(value: object):
    with pytest.raises(UriTemplateError, match="only a string, a number, a boolean or null"):
        expand("/{x}", {"x": value})


@pytest.mark.parametrize(
    "template",
    ["/{open", "/close}", "/{a{b}}", "/{}", "/{a,}", "/{+path}", "/{?q}", "/{list*}", "/{var:3}"],
)
def test_anything_but_simple_expansion_is_refused(template: str):
    with pytest.raises(UriTemplateError):
        template_names(template)


def test_names_come_once_each_in_order_of_appearance():
    assert template_names("/{b}/{a}?again={b}&more={c,a}") == ("b", "a", "c")


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_an_expanded_value_decodes_to_itself_and_holds_no_reserved_character(value: str):
    expanded = expand("{x}", {"x": value})

    assert unquote(expanded) == value
    assert re.fullmatch(r"(?:[A-Za-z0-9._~-]|%[0-9A-F]{2})*", expanded)
