"""Which variables an expression reads, and which members its result has."""

from __future__ import annotations

import pytest

from diglot.compiler.checks.data_flow.jq import (
    EXPECTED,
    HARMFUL,
    HARMLESS,
    mentions_of,
    program_of,
)
from diglot.compiler.checks.data_flow.made import members_made


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (".a", [("", "a", HARMFUL)]),
        (".a.b.c", [("", "a", HARMFUL)]),
        ("$a", [("a", None, HARMFUL)]),
        ("$a.b", [("a", "b", HARMFUL)]),
        ("$a | .b", [("a", "b", HARMFUL)]),
        ('$a["b c"]', [("a", "b c", HARMFUL)]),
        (". | .a", [("", "a", HARMFUL)]),
        ("{a, b: .c}", [("", "a", HARMFUL), ("", "c", HARMFUL)]),
        (".a + 1", [("", "a", HARMLESS)]),
        (".a - 1", [("", "a", HARMFUL)]),
        (".a > 1", [("", "a", HARMFUL)]),
        ('.a == "b"', [("", "a", HARMLESS)]),
        (".a == null", [("", "a", EXPECTED)]),
        (".a // .b", [("", "a", EXPECTED), ("", "b", HARMLESS)]),
        (".a?", [("", "a", EXPECTED)]),
        ('has("a")', [("", "a", EXPECTED)]),
        (".a | IN(null, 1)", [("", "a", EXPECTED)]),
        ("(.a | not) and .b > 1", [("", "a", HARMLESS), ("", "b", HARMLESS)]),
        ('if .a > 1 then .b else "c" end', [("", "a", HARMFUL), ("", "b", EXPECTED)]),
        (".a as $x | $x + .b", [("", "a", HARMFUL), ("", "b", HARMLESS)]),
        ("[.a[] | .b]", [("", "a", HARMFUL)]),
        ("reduce .a[] as $x (0; . + $x)", [("", "a", HARMFUL)]),
        (".a | map(.b)", [("", "a", HARMFUL)]),
        ('"\\(.a)"', [("", "a", HARMFUL)]),
        ("def f($x): $x * 2; f(.a)", [("", "a", HARMLESS)]),
    ],
)
def test_the_names_of_an_expression(text: str, expected: list[tuple[str, str, int]]) -> None:
    found = mentions_of(text)

    assert [(one.name, one.key, one.care) for one in found.found] == expected


@pytest.mark.parametrize(
    "text", [".", "keys", "..", ".[.x]", "del(.a)", ".a = 1", "tojson", "@json"]
)
def test_an_expression_may_use_all_there_is(text: str) -> None:
    assert mentions_of(text).uses_input


@pytest.mark.parametrize("text", [".a", "$a", "1", "range(3)", ".a | keys", '{a: 1, "b": .c}'])
def test_an_expression_need_not_use_all_there_is(text: str) -> None:
    assert not mentions_of(text).uses_input


def test_what_is_no_jq_mentions_nothing() -> None:
    assert mentions_of(".a +").found == []


@pytest.mark.parametrize(
    ("text", "sure", "possible", "is_open", "keeps"),
    [
        ("{a: 1, b: 2}", "a b", "a b", False, ""),
        ("{a, $b}", "a b", "a b", False, ""),
        ("{(.k): 1, a: 2}", "a", "a", True, ""),
        ("$context", "", "", False, "context"),
        ("$context + {a: 1}", "a", "a", False, "context"),
        ("$context | .a = 1 | .b.c = 2", "a", "a", False, "context"),
        ("if .x then {a: 1} else {a: 2, b: 3} end", "a", "a b", False, ""),
        (".", "", "", True, ""),
        ("[$context, .] | add", "", "", True, "context"),
        ("$context.a", "", "", True, ""),
        ("null", "", "", False, ""),
    ],
)
def test_the_members_of_what_an_expression_makes(
    text: str, sure: str, possible: str, is_open: bool, keeps: str
) -> None:
    program = program_of(text)
    assert program is not None

    found = members_made(program, "context")

    assert found.sure == set(sure.split())
    assert found.possible == set(possible.split())
    assert (found.is_open, found.keeps) == (is_open, keeps)
