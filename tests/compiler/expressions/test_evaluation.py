"""Results of the closures that are ours to decide; the rest is compared with jq."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from diglot.compiler.expressions import ExpressionError, compile_jq, evaluate

ORDER: dict[str, Any] = {
    "id": 7,
    "customer": {"name": "Ada", "tags": ["a", "b"]},
    "items": [{"price": 1.5, "count": 2}, {"price": 3, "count": 1}],
}


def results(text: str, value: Any = None, **variables: Any) -> list[Any]:
    program = compile_jq(text)
    assert program.plain, text
    return program.evaluate(value, variables)


def test_an_expression_has_any_number_of_results() -> None:
    assert results(".customer.tags[]", ORDER) == ["a", "b"]
    assert results(".items[] | select(.price > 5)", ORDER) == []
    assert results("[.items[] | .price * .count] | add", ORDER) == [6]


def test_variables_are_read_by_their_names() -> None:
    assert results("$a.b + $c", a={"b": 1}, c=2) == [3]


def test_a_variable_without_a_value_is_an_error() -> None:
    for text in ("$missing", "$missing.a", "1 + $missing"):
        with pytest.raises(ExpressionError, match=r"\$missing is not defined"):
            compile_jq(text).evaluate(None, {})


def test_now_is_what_the_engine_says() -> None:
    assert results("now | todate", __now=1425599507.25) == ["2015-03-05T23:51:47Z"]


@pytest.mark.parametrize(
    "text",
    [
        ".items[0].price = 9",
        ".items[].price += 1",
        ".. |= .",
        "del(.items[0], .customer.name)",
        ".items |= map(.price)",
        ".items | sort_by(.price) | reverse | .[0].x = 1",
        'walk(if type == "object" then .seen = true else . end)',
        '. * {customer: {name: "Bob"}}',
        "with_entries(.value = 1)",
        "reduce .items[] as $i (.; .total += $i.price)",
        "[., .] | .[0].id = 1 | .[1].id = 2",
        ". as $x | .customer = $x | .customer.customer.name = 1",
        "[paths] | map(length)",
        "to_entries | map(.value) | .[1].name = 2",
        'setpath(["items", 5]; 1)',
        "map_values(1)",
    ],
)
def test_an_input_is_never_changed(text: str) -> None:
    before = copy.deepcopy(ORDER)
    shared = copy.deepcopy(ORDER)

    compile_jq(text).evaluate(shared, {})

    assert shared == before


def test_an_update_does_not_change_what_an_earlier_one_gave_away() -> None:
    # The containers an update copies are its own only until a value holds them.
    text = ".a |= {x: ., y: .} | .a.x.b = 2 | (.a, .a.x) |= (.seen = true)"

    assert results(text, {"a": {"b": 1}}) == [
        {"a": {"x": {"b": 2, "seen": True}, "y": {"b": 1}, "seen": True}}
    ]
    assert (
        results("(.[0][0], .[0], .[0][0][0]) |= [., .]", [[[1]]])[0]
        == (
            results(
                "reduce ([0,0], [0], [0,0,0]) as $p (.; setpath($p; getpath($p) | [., .]))", [[[1]]]
            )[0]
        )
    )


@pytest.mark.parametrize(
    ("text", "result"),
    [
        ("9007199254740993", 9007199254740993),
        ("9007199254740992 + 1", 9007199254740993),
        ("123456789012345678 * 10", 1234567890123456780),
        ("1180591620717411303425 % 2", 1),
        ("1180591620717411303424 / 2", 590295810358705651712),
        ("9007199254740993 | tostring", "9007199254740993"),
        ("9007199254740993 == 9007199254740992", False),
        ("[9007199254740993, 9007199254740992] | max", 9007199254740993),
    ],
)
def test_whole_numbers_are_exact(text: str, result: Any) -> None:
    assert results(text) == [result]
    assert type(results(text)[0]) is type(result)


def test_a_whole_input_passes_exactly_through_every_way() -> None:
    large = 2**70 + 1

    assert evaluate(compile_jq("."), large, {}, pool=None) == [large]
    assert results(".a", {"a": large}) == [large]
    assert results("{b: .a}", {"a": large}) == [{"b": large}]


@pytest.mark.parametrize(
    ("text", "result"),
    [
        ("1 / 2", 0.5),
        ("4 / 2", 2),
        ("0.5 + 0.5", 1),
        ("1.0", 1),
        ("1e3", 1000),
        ("2.5 | floor", 2),
        ("10 | sqrt | . * .", 10.000000000000002),
        ("0 * -1", 0),
        ("5 % 3, -5 % 3, 5 % -3", 2),
    ],
)
def test_a_whole_result_is_an_int(text: str, result: Any) -> None:
    found = results(text)[0]

    assert found == result
    assert type(found) is type(result)


def test_numbers_that_json_cannot_say_are_said_as_jq_says_them() -> None:
    assert results("[nan, infinite, -infinite, 1e999]") == [
        [None, 1.7976931348623157e308, -1.7976931348623157e308, 1.7976931348623157e308]
    ]
    assert results("nan < 1, nan == nan, (nan | isnan), (infinite | isinfinite)") == [
        True,
        False,
        True,
        True,
    ]
    assert results(". * .", 1e200) == [1.7976931348623157e308]


def test_true_is_not_one() -> None:
    assert results("1 == true, [1] == [true], {a: 0} == {a: false}") == [False, False, False]
    assert results("[true, 1, 1.0, false, 0] | unique") == [[False, True, 0, 1]]
    assert results("index(1)", [True, 1]) == [1]


def test_an_error_has_the_value_that_was_raised() -> None:
    for text, value in [
        ('error("x")', "x"),
        ("error({a: 1})", {"a": 1}),
        ("error(null)", None),
        ("1 + {}", "number (1) and object ({}) cannot be added"),
        ("{} | .[0]", "Cannot index object with number (0)"),
    ]:
        with pytest.raises(ExpressionError) as caught:
            compile_jq(text).evaluate(None, {})
        assert caught.value.value == value
        assert str(caught.value)


def test_a_result_of_an_alternative_in_a_pool_is_the_result_of_the_closures() -> None:
    program = compile_jq('if test("a") then .[1:] else $x end')
    assert not program.plain

    assert evaluate(program, "abc", {"x": 1}, pool=None) == ["bc"]
    assert evaluate(program, "xyz", {"x": 2**70}, pool=None) == [2**70]
    with pytest.raises(ExpressionError, match=r"\$x is not defined"):
        evaluate(program, "abc", {}, pool=None)
