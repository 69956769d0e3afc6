"""What is jq, what is not, and where a mistake stands."""

from __future__ import annotations

import re
from importlib import import_module
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from diglot.compiler.expressions import ExpressionSyntaxError, compile_jq
from diglot.compiler.expressions.known import KNOWN
from diglot.compiler.expressions.lexer import MAX_TEXT

jq: Any = import_module("jq")

JQ = [
    ".",
    "..",
    ".a.b[0][]?",
    '."a"."b"?',
    '.["a b"].c[1:2][:3][4:]',
    ".a.[0].[]",
    ".. .a",
    "...a",
    ".and.if",
    "1 + 2 as $x | $x",
    "1, 2 as $x | $x, 3",
    '. as [$a, {b: $c, $d, $e: [$f], ($g): $h, "i": $j}] | $a',
    ". as [$a] ?// {a: $a} ?// $a | $a",
    "reduce .[] as $x (0; . + $x)",
    "reduce 1 + 2 as [$x] (0; .)",
    "foreach .[] as {a: $x} (0; . + $x; [., $x])",
    "foreach .[] as $x (0; . + $x)",
    "def f: def g($a; b): $a + b; g(1; 2); f",
    "label $out | 1, break $out, 2",
    "if . then 1 end",
    "if . then 1 elif .a then 2 else 3 end",
    'try error("x") catch .',
    "try error + 1",
    ".a?.b??",
    r'"a\(1 + "b\("c")")d"',
    r'@base64 "x\(.)y", @json, @text "z"',
    '{a, $b, "c", "d\\(1)", @text "e", (.f): 1, if: 2, $__loc__, "g": 1 | 2, h: 1,}',
    "{$x: 1}",
    "-1 - -.a",
    ".a = 1 | .b |= . + 1 | .c += 1 | .d -= 1 | .e *= 2 | .f /= 2 | .g %= 2 | .h //= 1",
    ".a // .b // 1",
    "1 as $x | 2 as $y | [$x, $y, $__loc__]",
    "# a comment\n1 # another \\\n still the same\n",
    "[1.5e3, .5, 1., 0 ]",
    "a::b(1)",
    'import "a" as b; include "c"; 1',
    "module {}; 1",
]

NOT_JQ = [
    "",
    "# only a comment",
    "def f: 1;",
    "1 +",
    "1 == 2 == 3",
    ".a = .b = 1",
    ".a?//1",
    "..a",
    ". a",
    ".[:]",
    ".[1:2:3]",
    ".a.[1:]",
    "{(1): 2}",
    "{([]): 2}",
    "{1: 2}",
    "{a: 1 as $x | $x}",
    "1 as [] | 2",
    "if . then 1",
    '"open',
    r'"\x"',
    r'"\ud800"',
    r'"\u12"',
    "1) | (2",
    "[1",
    "(1]",
    "break $out",
    "reduce . as $x (1)",
    "$ x",
    "§",
    "1 2",
    "true false",
]


@pytest.mark.parametrize("text", JQ)
def test_what_jq_reads_is_read(text: str) -> None:
    assert _is_read_by_jq(text)
    assert compile_jq(text).text == text


@pytest.mark.parametrize("text", NOT_JQ)
def test_what_jq_refuses_is_refused(text: str) -> None:
    assert not _is_read_by_jq(text)
    with pytest.raises(ExpressionSyntaxError):
        compile_jq(text)


_SIGNS = re.findall(
    r"\S+",
    """
    . .. .a [ ] ( ) { } | , // and or == < + - * = |= //= ? ?// try catch if then else elif end
    reduce foreach as $x def f ; : label break 1 "s" @json null [] {} # $ :: .[ in {a:1} {$x}
    """,
)


@settings(max_examples=300, deadline=None, derandomize=True)
@given(st.lists(st.sampled_from(_SIGNS), max_size=8))
def test_signs_in_any_order_are_read_as_jq_reads_them(signs: list[str]) -> None:
    text = " ".join(signs)

    fault = _fault(text)

    assert (fault is None) == _is_read_by_jq(text)
    assert fault is None or 0 <= fault.offset <= fault.end <= len(text)


def _fault(text: str) -> ExpressionSyntaxError | None:
    try:
        compile_jq(text)
    except ExpressionSyntaxError as fault:
        return fault
    return None


def _is_read_by_jq(text: str) -> bool:
    """Whether jq finds no fault in the grammar; unknown names are another matter."""
    try:
        jq.compile(text)
    except ValueError as fault:
        found = re.search(
            r"syntax error|Top-level program|[Ii]nvalid|escape|object key|\*label-", str(fault)
        )
        return found is None
    return True


@pytest.mark.parametrize(
    ("text", "marked"),
    [
        (".a | .b )", ")"),
        (".a + + 1", "+"),
        ("{a: 1 b: 2}", "b"),
        ('"a" | "open', '"open'),
        (r'"ok \q"', r"\q"),
        (". foo", ". foo"),
        ("[1, 2", ""),
        ("1 | break $nowhere", "break $nowhere"),
        ("if .a then 1 else 2", ""),
        ('"é" | §', "§"),
    ],
)
def test_a_mistake_is_marked(text: str, marked: str) -> None:
    with pytest.raises(ExpressionSyntaxError) as caught:
        compile_jq(text)

    fault = caught.value
    assert text[fault.offset : fault.end] == marked
    assert fault.message


@pytest.mark.parametrize("character", ["\0", "\ud800"])
def test_characters_that_end_or_break_a_c_string_are_refused(character: str) -> None:
    with pytest.raises(ExpressionSyntaxError) as caught:
        compile_jq(f'"a{character}"')

    assert (caught.value.offset, caught.value.end) == (2, 3)


@pytest.mark.parametrize(
    "text",
    [
        *("(" * 5_000 + ")" * 5_000, "[" * 5_000, "-" * 5_000 + "1", "try " * 5_000),
        *("if " * 5_000, '"\\(' * 5_000, "1 as $x | " * 5_000 + "1", "{a:" * 5_000),
        "def f: " * 5_000,
    ],
)
def test_a_text_that_is_nested_too_deeply_is_refused(text: str) -> None:
    with pytest.raises(ExpressionSyntaxError):
        compile_jq(text)


def test_a_text_that_is_too_long_is_refused() -> None:
    with pytest.raises(ExpressionSyntaxError, match="at most"):
        compile_jq(" " * MAX_TEXT + "1")


def test_a_long_line_is_not_a_deep_tree() -> None:
    assert compile_jq(" + ".join(["1"] * 5_000)).evaluate(None, {}) == [5_000]
    assert compile_jq(" | ".join(["."] * 5_000)).evaluate(7, {}) == [7]
    assert compile_jq(".a" * 5_000).evaluate(None, {}) == [None]


def test_the_functions_we_know_are_those_of_the_library() -> None:
    (entries,) = jq.compile("[builtins]").input_value(None).all()

    assert {f"{name}/{arity}" for name, arity in KNOWN} == set(entries[0])
