"""The table of styles in the OpenAPI specification, 4.8.12.6, and what lies beside it."""

from __future__ import annotations

from typing import Any

import pytest

from diglot.runtime.actions import ActionError
from diglot.runtime.actions.openapi_styles import (
    cookie_text,
    header_text,
    path_text,
    query_pairs,
    read_parameter,
)

SCALAR = "blue"
ARRAY = ["blue", "black"]
OBJECT = {"R": 100, "G": 200}


def described(place: str, style: str | None, explode: bool | None, **others: Any):
    given: dict[str, Any] = {"name": "color", "in": place, "style": style, "explode": explode}
    written = {name: value for name, value in given.items() if value is not None}
    return read_parameter({**written, **others}, is_swagger=False)


@pytest.mark.parametrize(
    ("style", "explode", "value", "expected"),
    [
        (None, None, SCALAR, "blue"),
        ("simple", False, ARRAY, "blue,black"),
        ("simple", False, OBJECT, "R,100,G,200"),
        ("simple", True, ARRAY, "blue,black"),
        ("simple", True, OBJECT, "R=100,G=200"),
        ("label", False, SCALAR, ".blue"),
        ("label", False, ARRAY, ".blue,black"),
        ("label", False, OBJECT, ".R,100,G,200"),
        ("label", True, ARRAY, ".blue.black"),
        ("label", True, OBJECT, ".R=100.G=200"),
        ("matrix", False, SCALAR, ";color=blue"),
        ("matrix", False, ARRAY, ";color=blue,black"),
        ("matrix", False, OBJECT, ";color=R,100,G,200"),
        ("matrix", True, ARRAY, ";color=blue;color=black"),
        ("matrix", True, OBJECT, ";R=100;G=200"),
        ("simple", False, "a/b,c", "a%2Fb%2Cc"),
    ],
)
def test_a_path_parameter_has_its_style(
    style: str | None, explode: bool | None, value: Any, expected: str
):
    assert path_text(described("path", style, explode), value) == expected


@pytest.mark.parametrize(
    ("style", "explode", "value", "expected"),
    [
        (None, None, SCALAR, ["color=blue"]),
        (None, None, ARRAY, ["color=blue", "color=black"]),
        (None, None, OBJECT, ["R=100", "G=200"]),
        ("form", False, ARRAY, ["color=blue,black"]),
        ("form", False, OBJECT, ["color=R,100,G,200"]),
        ("spaceDelimited", False, ARRAY, ["color=blue%20black"]),
        ("pipeDelimited", False, ARRAY, ["color=blue%7Cblack"]),
        ("deepObject", True, OBJECT, ["color%5BR%5D=100", "color%5BG%5D=200"]),
        (
            "deepObject",
            True,
            {"a": {"b": [1, 2]}},
            ["color%5Ba%5D%5Bb%5D=1", "color%5Ba%5D%5Bb%5D=2"],
        ),
        ("form", True, [], []),
    ],
)
def test_a_query_parameter_has_its_style(
    style: str | None, explode: bool | None, value: Any, expected: list[str]
):
    assert query_pairs(described("query", style, explode), value) == expected


def test_reserved_characters_stay_only_where_the_document_allows_it():
    value = "a/b:c?d&e#f"

    kept = query_pairs(described("query", None, None, allowReserved=True), value)
    encoded = query_pairs(described("query", None, None), value)

    assert kept == ["color=a/b:c?d%26e%23f"]
    assert encoded == ["color=a%2Fb%3Ac%3Fd%26e%23f"]


def test_a_parameter_with_content_is_written_as_json():
    content: dict[str, Any] = {"content": {"application/json": {}}}

    assert query_pairs(described("query", None, None, **content), OBJECT) == [
        "color=%7B%22R%22%3A100%2C%22G%22%3A200%7D"
    ]


def test_headers_and_cookies_have_one_style_each():
    assert header_text(described("header", None, None), OBJECT) == "R,100,G,200"
    assert header_text(described("header", None, True), OBJECT) == "R=100,G=200"
    assert cookie_text(described("cookie", None, False), ARRAY) == "color=blue,black"


def test_a_style_that_has_no_place_there_is_refused():
    with pytest.raises(ActionError, match="a query parameter the style 'matrix'"):
        described("query", "matrix", None)
