"""What is known of an expression before it runs."""

from __future__ import annotations

import pytest

from diglot.compiler.expressions import Program, compile_jq

#: No variables from outside.
NONE: set[str] = set()


def _places(program: Program, spans: tuple[tuple[str, int, int], ...]) -> list[tuple[str, str]]:
    return [(name, program.text[start:end]) for name, start, end in spans]


def test_variables_from_outside_have_their_places() -> None:
    program = compile_jq('$a + ($b as $c | $c + $a) | "\\($d.e)"')

    assert program.variables == {"a", "b", "d"}
    assert _places(program, program.variable_spans) == [
        ("a", "$a"),
        ("b", "$b"),
        ("a", "$a"),
        ("d", "$d"),
    ]


@pytest.mark.parametrize(
    ("text", "variables"),
    [
        (". as [$a, {b: $c}] | $a + $c", NONE),
        (". as {$a, $b: [$c]} | $a + $b + $c", NONE),
        (". as {a: $x, ($x): $y} | $y", {"x"}),
        ("reduce $l[] as $x ($i; . + $x) | $x", {"l", "i", "x"}),
        ("foreach .[] as $x (0; $x; $x + $y)", {"y"}),
        ("def f($a; b): $a + b + $c; f(1; $d)", {"c", "d"}),
        ("def f($a): 1; $a", {"a"}),
        ("(. as $x | $x) + $x", {"x"}),
        ("{$a, b: $c, ($d): 1}", {"a", "c", "d"}),
        (". as [$a] ?// $b | [$a, $b]", NONE),
        (".[$i][$j:$k]", {"i", "j", "k"}),
        ("now", {"__now"}),
        ("$__loc__", NONE),
    ],
)
def test_only_variables_from_outside_are_free(text: str, variables: set[str]) -> None:
    assert compile_jq(text).variables == variables


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("env.HOME", [("env", "env")]),
        ("$ENV.HOME", [("$ENV", "$ENV")]),
        ("[input, inputs]", [("input", "input"), ("inputs", "inputs")]),
        ("debug | debug(1)", [("debug", "debug"), ("debug", "debug")]),
        ("halt_error(1)", [("halt_error", "halt_error")]),
        ("localtime", [("localtime", "localtime")]),
        ('strflocaltime("%H")', [("strflocaltime", "strflocaltime")]),
        ("get_search_list", [("get_search_list", "get_search_list")]),
        ("$__prog_args", [("$__prog_args", "$__prog_args")]),
        ('include "a"; 1', [("include", 'include "a";')]),
        ('import "a" as $b; 1', [("import", 'import "a" as $b;')]),
        ("now | todate | fromdate | gmtime | mktime", []),
        ("def env: 1; env", []),
        (". as $ENV | $ENV", []),
        ("def f(input): input; f(1)", []),
        (".env.input", []),
        ("{env: 1, debug: 2}", []),
    ],
)
def test_what_reaches_out_is_found(text: str, names: list[tuple[str, str]]) -> None:
    program = compile_jq(text)

    assert _places(program, program.forbidden) == names


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("uuid", [("uuid/0", "uuid")]),
        ("lenght | map(frob(1; 2))", [("lenght/0", "lenght"), ("frob/2", "frob")]),
        ("length(1)", [("length/1", "length")]),
        ("def f(g): g; f(1) | f | g", [("f/0", "f"), ("g/0", "g")]),
        ("def f: f; f", []),
        ("def f($a): a; f(1)", []),
    ],
)
def test_calls_of_unknown_functions_are_found(text: str, names: list[tuple[str, str]]) -> None:
    program = compile_jq(text)

    assert _places(program, program.unknown_functions) == names


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        (".a == 1", True),
        (".a and .b", True),
        ("not", True),
        ("true", True),
        ("any(.[]; . > 1)", True),
        (".a | has(1)", True),
        ("if . then true else .a > 1 end", True),
        (".a > 1 // false", True),
        (". as $x | $x == 1", True),
        (".a", None),
        ("$a", None),
        ("if .a then true end", None),
        ("null + .a", None),
        (".a // false", None),
        ("select(.a == 1)", None),
        ("1", False),
        ('"a"', False),
        ("[.a]", False),
        ("{a: .b}", False),
        (".a | length", False),
        (".a + 1", False),
        (".a * .b", False),
        ('"\\(.)"', False),
        ("@base64", False),
        ("null", False),
    ],
)
def test_conditions_are_told_from_other_values(text: str, answer: bool | None) -> None:
    assert compile_jq(text).is_boolean is answer


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        (".", True),
        (".a", True),
        ("[1, .]", True),
        ("length", True),
        ("{a}", True),
        ("if true then 1 end", True),
        ("$a[.b]", True),
        ("1", False),
        ("$a.b", False),
        ("$a | .b", False),
        ("{a: 1, b: $c}", False),
        ("$a as $b | $b", False),
        ("reduce $a[] as $x (0; . + $x)", False),
        ("[range(3)]", False),
        ("now", False),
    ],
)
def test_reading_the_input_is_told(text: str, answer: bool) -> None:
    assert compile_jq(text).reads_input is answer


@pytest.mark.parametrize(
    ("text", "paths"),
    [
        (".", ()),
        (".a.b[0]", (("a", "b", 0),)),
        (".a | .b | .c", (("a", "b", "c"),)),
        (".a[] | .b", (("a",),)),
        ("[.a, .b] | .c", (("a",), ("b",))),
        ("{x, y: .z.w}", (("x",), ("z", "w"))),
        (".a as $x | .b + $x.c", (("a",), ("b",))),
        (".a + .a", (("a",),)),
        (".items | map(.price) | add", (("items",),)),
        ("select(.a == 1) | .b", (("a",),)),
        ("$context.a", ()),
        (".[.k]", (("k",),)),
        (".a |= .b", (("a",),)),
        (".a = .b", (("b",),)),
        ("try .a catch .b", (("a",),)),
        ("reduce .a[] as $x (.b; .c)", (("a",), ("b",))),
    ],
)
def test_literal_paths_of_the_input_are_told(
    text: str, paths: tuple[tuple[str | int, ...], ...]
) -> None:
    assert compile_jq(text).paths() == paths


@pytest.mark.parametrize(("text", "answer"), [(".", True), (" . # all", True), (".a", False)])
def test_the_identity_is_known(text: str, answer: bool) -> None:
    assert compile_jq(text).is_identity is answer


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        (".a.b + $c | length", True),
        ("[.[] | select(.a) | {b, c: (.d // 1)}] | group_by(.b)", True),
        ("def f: if . > 3 then . else . + 1 | f end; f", True),
        (".a[].b |= . + 1 | del(.c)", True),
        ('test("a")', False),
        ('sub("a"; "b")', False),
        ("tostream", False),
        (". as [$a] ?// $a | $a", False),
        ("path(.a | tostring)", False),
        ("(.a | tostring) |= 1", False),
        ("input", False),
        ("uuid", False),
        ('import "a" as b; 1', False),
    ],
)
def test_the_plain_part_is_known(text: str, answer: bool) -> None:
    assert compile_jq(text).plain is answer


def test_a_text_is_compiled_once() -> None:
    assert compile_jq(".once") is compile_jq(".once")
    assert compile_jq(".once") == compile_jq(".once")
    assert compile_jq(".once") != compile_jq(". | .once")
