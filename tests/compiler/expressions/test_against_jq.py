"""Random programs of the plain part on random values: the same results as jq, or both an error.

One difference is declared: whole numbers are exact here and doubles in jq, and neither the
spelling of a number (`1.0`, `1e2`) nor a negative zero is remembered. Programs whose results show
it are left out.
"""

from __future__ import annotations

import json
import re
from importlib import import_module
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from diglot.compiler.expressions import ExpressionError, ExpressionLimit, compile_jq

jq: Any = import_module("jq")


def _words(text: str) -> list[str]:
    return re.findall(r"\S+", text)


_LITERALS = _words(
    """
    null true false 0 1 2 -1 1.5 3 10 0.5 -2 "" "a" "b" "ab" "a,b" "1" "é" "A" [] {} [1] [1,2,3]
    ["a","b"] {"a":1} {"b":[1]} [[1],[2]] [null,true]
    """
)
_ON_INPUT = _words(
    """
    length utf8bytelength not keys keys_unsorted add any all floor sqrt ceil round trunc abs fabs
    tostring tonumber toboolean type isinfinite isnan isnormal isfinite sort unique min max reverse
    explode implode ascii_downcase ascii_upcase trim ltrim rtrim to_entries from_entries first last
    flatten tojson fromjson transpose empty error arrays objects iterables booleans numbers normals
    finites strings nulls values scalars recurse .. paths combinations todate gmtime mktime fromdate
    @text @json @base64 @base64d @uri @urid @csv @tsv @html @sh infinite nan have_decnum @none
    $__loc__
    """
)
_OF_A_VALUE = _words(
    """
    has contains inside startswith endswith ltrimstr rtrimstr trimstr split join index rindex
    indices flatten getpath delpaths error nth in bsearch IN format
    """
)
_OF_A_FILTER = _words(
    """
    map map_values select paths with_entries first last sort_by group_by unique_by min_by max_by any
    all add walk isempty INDEX
    """
)
_OF_A_PATH = _words("path del pick")
_STEPS = _words('.a .b [0] [1] [-1] [] ["a"] [1:] [:1] [:-1] .a? []?')
_PLACES = _words(
    """
    .a .b . .. .[] .[0] .a.b .[1:] .a[] .[]? .a? .[-1] first last .c.a arrays objects values numbers
    strings scalars iterables recurse
    """
)
_TARGETS = _words('$x $y [$x,$y] {a:$x} {$a} {a:[$x],b:$y} {"b":$y} {$b:[$x]} {("a","b"):$x}')
_SCALARS: list[Any] = [
    *(None, True, False, 0, 1, 2, -1, 3, 1.5, 0.25, 10, 100, "", "a", "b", "ab", "a,b", "x y"),
    *("12", "true", "é", "😀", "A", " t ", 'a\tb"', "2015-03-05T23:51:47Z", 1425599507, [], {}),
]


class Author:
    """Writes programs; the dice are Hypothesis's, so that a failing program gets smaller."""

    def __init__(self, dice: Random) -> None:
        self.dice = dice

    def one_of(self, *options: Any) -> Any:
        return self.dice.choice(options)

    def program(self) -> str:
        return f"1 as $x | [2] as $y | {self.filter(self.dice.randint(1, 3))}"

    def filter(self, depth: int) -> str:
        if depth <= 0:
            return self.one_of(self.reading, self.literal)(depth)
        kind = self.one_of(
            *(self.reading, self.literal, self.sum, self.call, self.call, self.structure),
            *(self.flow, self.flow, self.update, self.generator, self.function),
        )
        return kind(depth - 1)

    def reading(self, depth: int) -> str:
        base = self.one_of(".", ".", ".a", ".b", "$x", "$y")
        steps = [self.one_of(*_STEPS) for _ in range(self.dice.randint(0, 2))]
        if depth >= 0 and self.dice.random() < 0.2:
            steps.append(f"[{self.filter(depth)}]")
        text = base + "".join(steps)
        return text.replace("..", ".") if base == "." else text

    def literal(self, _depth: int) -> str:
        return self.one_of(*_LITERALS)

    def sum(self, depth: int) -> str:
        sign = self.one_of(*_words("+ - * / % == != < <= > >= and or //"))
        return f"({self.filter(depth)} {sign} {self.filter(depth)})"

    def call(self, depth: int) -> str:
        names, argument = self.one_of(
            (_ON_INPUT, None),
            (_OF_A_VALUE, self.filter),
            (_OF_A_FILTER, self.filter),
            (_OF_A_PATH, self.place),
        )
        name = self.one_of(*names)
        return f"{name}({argument(depth)})" if argument else name

    def structure(self, depth: int) -> str:
        inner = self.filter(depth)
        key = self.one_of('"z"', '"p","q"', ".a", "$x")
        return self.one_of(
            f"[{inner}]",
            f"{{a: {inner}}}",
            f"{{b, $x, c: {inner}}}",
            f"{{({key}): {inner}}}",
            f'{{"a\\({inner})"}}',
            f'"p\\({inner})q"',
            f'"\\({inner})\\(1,2)"',
            f"-({inner})",
            f'@json "v\\({inner})"',
            f'@csv "\\({inner})"',
            f'@uri "\\({inner})"',
            f'@html "<\\({inner})"',
            f'@sh "\\({inner})"',
            f'@base64 "\\({inner})"',
        )

    def flow(self, depth: int) -> str:
        one, other = self.filter(depth), self.filter(depth)
        target = self.one_of(*_TARGETS)
        source = self.one_of(".[]?", "(1,2)", ".[]", f"({one})")
        return self.one_of(
            f"({one} | {other})",
            f"({one}, {other})",
            f"(if {one} then {other} end)",
            f"(if {one} then {other} elif {other} then . else {one} end)",
            f"(try ({one}) catch ({other}))",
            f"({one})?",
            f"({one} as {target} | {other})",
            f"reduce {source} as $x ({self.literal(0)}; {other})",
            f"reduce {source} as {{a: $x}} (.; {other})",
            f"foreach {source} as $x ({one}; {other})",
            f"[foreach {source} as [$x] ({one}; {other}; [$x, .])]",
            f"(label $l | {one} | if {other} then break $l else . end)",
            f"(label $l | {one}, break $l, {other})",
        )

    def place(self, depth: int) -> str:
        if depth <= 0:
            return self.one_of(*_PLACES)
        one, other, ask = self.place(depth - 1), self.place(depth - 1), self.filter(depth - 1)
        return self.one_of(
            self.one_of(*_PLACES),
            f"{one} | {other}",
            f"({one}, {other})",
            f"select({ask})",
            f"(if {ask} then {one} else {other} end)",
            f"({one} // {other})",
            f"({one})?",
            f"({ask} as $x | {one})",
            f"getpath({ask})",
            f"first({one})",
            f"({one})[{ask}]",
            f"{one} | select({ask})",
        )

    def update(self, depth: int) -> str:
        sign = self.one_of(*_words("= |= += -= *= /= %= //="))
        return f"({self.place(depth)} {sign} {self.filter(depth)})"

    def generator(self, depth: int) -> str:
        one, other = self.filter(depth), self.filter(depth)
        count = self.one_of(*_words("0 1 2 3 -1 1.5 .a"))
        return self.one_of(
            f"range({count})",
            f"range({count}; 3)",
            f"range({count}; 5; 2)",
            "range(5; 0; -2)",
            f"limit({count}; {one})",
            f"skip({count}; {one})",
            f"nth({count}; {one})",
            "until(. > 4; . + 1)",
            "[limit(4; while(. < 4; . + 1))]",
            f"any({one}; {other})",
            f"all({one}; {other})",
            f"[limit(5; repeat({self.literal(0)}))]",
            f"[limit(5; recurse({one}))]",
            f"[limit(5; recurse({one}; {other}))]",
            f'setpath(["a", {count}]; {one})',
            f"setpath({one}; {other})",
            f"pow({one}; 2)",
            f"IN({one}; {other})",
            f"INDEX({one}; {other})",
            f"combinations({count})",
        )

    def function(self, depth: int) -> str:
        one, other = self.filter(depth), self.filter(depth)
        use = self.one_of("del(p)", "path(p)", "p |= 1", "p = 5", "[p]")
        return self.one_of(
            f"(def f: {one}; [f, f])",
            f"(def f(g): g | {one}; f({other}))",
            f"(def f($v): $v, {one}; f({other}))",
            f"(def f(p): {use}; f({self.place(depth)}))",
            f"(def f($v; g): [$v, g, v]; f({one}; {other}))",
            "(def f: if . <= 1 then 1 else . * (. - 1 | f) end; [., 5] | map(numbers | f))",
        )

    def value(self, depth: int = 3) -> Any:
        kind = self.dice.random()
        if depth == 0 or kind < 0.4:
            return self.one_of(*_SCALARS)
        if kind < 0.7:
            return [self.value(depth - 1) for _ in range(self.dice.randint(0, 3))]
        keys = ["a", "b", "c", "key", "value", "name"]
        return {
            self.dice.choice(keys): self.value(depth - 1) for _ in range(self.dice.randint(0, 3))
        }


def _outcome_of_jq(text: str, value: Any) -> tuple[str, Any]:
    try:
        return "results", jq.compile(text).input_value(value).all()
    except ValueError as fault:
        return "error", str(fault)


def _outcome(text: str, value: Any) -> tuple[str, Any] | None:
    """None where the program is left to jq, or ended by a limit."""
    program = compile_jq(text)
    if not program.plain:
        return None
    try:
        return "results", program.evaluate(value, {}, fuel=50_000)
    except ExpressionLimit:
        return None
    except ExpressionError as failed:
        return "error", failed.value


def _shows_the_difference(value: Any) -> bool:
    """Whether a value is, or holds, a number that is not the same in jq."""
    match value:
        case bool() | None:
            return False
        case int() | float():
            return abs(value) > 2**52 or 0 < abs(value) < 1e-4
        case str():
            digits = sum(map(str.isdigit, value))
            return digits > 14 or any(sign in value for sign in ("-0", "e-", "e+", "E", ".0"))
        case [*items]:
            return any(map(_shows_the_difference, items))
        case _:
            return any(map(_shows_the_difference, [*value, *value.values()]))


def _same(left: Any, right: Any) -> bool:
    """Equal to jq: `true` is not 1, and the order of keys counts."""
    match left, right:
        case [*lefts], [*rights]:
            return len(lefts) == len(rights) and all(map(_same, lefts, rights))
        case {}, {}:
            return list(left) == list(right) and all(map(_same, left.values(), right.values()))
        case (bool(), _) | (_, bool()):
            return left is right
        case ((int() | float()), (int() | float())):
            return abs(left - right) <= 1e-12 * max(abs(left), abs(right))
        case _:
            return type(left) is type(right) and left == right


def _compare(dice: Random) -> None:
    author = Author(dice)
    text, value = author.program(), author.value()
    before = json.dumps(value)

    ours = _outcome(text, value)

    assert json.dumps(value) == before, "the input was changed"
    if ours is None:
        return
    theirs = _outcome_of_jq(text, value)
    if _shows_the_difference(theirs[1]) or _shows_the_difference(ours[1]):
        return
    assert ours[0] == theirs[0], (text, value, ours, theirs)
    if ours[0] == "results":
        assert _same(ours[1], theirs[1]), (text, value, ours, theirs)


DICE = st.randoms(use_true_random=False)

#: A program is more than a few choices.
UNCHECKED = [HealthCheck.large_base_example, HealthCheck.too_slow, HealthCheck.data_too_large]


@settings(max_examples=400, deadline=None, derandomize=True, suppress_health_check=UNCHECKED)
@given(DICE)
def test_the_closures_give_what_jq_gives(dice: Random) -> None:
    _compare(dice)


@pytest.mark.slow
@settings(max_examples=20_000, deadline=None, suppress_health_check=UNCHECKED)
@given(DICE)
def test_the_closures_give_what_jq_gives_in_many_cases(dice: Random) -> None:
    _compare(dice)


@pytest.mark.parametrize(
    "text",
    [
        "1 + {}",
        "{} - 1",
        "[] * {}",
        "1 / 0",
        "5 % 0",
        "{(.a): 1}",
        ".[0].a",
        '.a["x"]',
        ".a[]",
        "keys",
        ".a | keys",
        "-.a",
        ".a | length | . / 0",
        "implode",
        ".a | explode | .[0] = null | implode",
        ".a | tonumber",
        ".a | fromdate",
        "has(0)",
        "split(1)",
        'ltrimstr("a")',
        "sort",
        "min",
        "group_by(.a)",
        "@csv",
        "[{}] | @sh",
        "@none",
        "setpath(1; 2)",
        "setpath([0]; 2)",
        "[1] | .[-2] = 1",
        "del(.[0])",
        "range(null)",
        "limit(-1; 1)",
        "nth(-1; 1)",
        "flatten(-1)",
        "[1] | combinations",
        "error",
        "error(null)",
        '"long text that is cut in the message, é too" | .[0]',
        "[range(100)] | .a",
        '{"a": "ü" , "bbbbbbbbbbbbbbbbbb": "cccccccccccccccc"} | .[0]',
    ],
)
def test_an_error_says_what_jq_says(text: str) -> None:
    caught = f"try ({text}) catch ."
    value = {"a": "text"}

    assert compile_jq(caught).plain
    assert compile_jq(caught).evaluate(value, {}) == jq.compile(caught).input_value(value).all()
