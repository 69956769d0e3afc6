"""Conditions in words, and those that have none."""

from __future__ import annotations

import pytest

from diglot.compiler.bpmn.writing import conditions
from diglot.compiler.graph import Expression


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (".total > 1000", "total > 1000"),
        (".order.totalAmount >= 10.5", "order total amount ≥ 10.5"),
        ('.orderType == "electronic"', "order type = electronic"),
        ('.["order type"] != "x"', "order type ≠ x"),
        ("$context.stock > 0", "stock > 0"),
        ("$input.n < -1", "n < -1"),
        ("$workflow.input.n == 1", "n = 1"),
        ("$pet.age > 3", "pet age > 3"),
        (".approved", "approved"),
        (".approved == true", "approved"),
        (".approved == false", "not approved"),
        (".approved != true", "not approved"),
        (".approved | not", "not approved"),
        (".error == null", "no error"),
        (".vet != null", "vet is given"),
        ('.name == ""', "name is empty"),
        ('.name != ""', "name is not empty"),
        (".items | length > 3", "number of items > 3"),
        ("(.items | length) > 3", "number of items > 3"),
        ("(.items | length) == 0", "no items"),
        (".items | length > 0", "any items"),
        ("(.n // 0) > 1", "n > 1"),
        (".a? > 1", "a > 1"),
        (".a > 1 and .b < 2", "a > 1 and b < 2"),
        (".a and (.b or .c)", "a and (b or c)"),
        (".price * .count > 100", "price * count > 100"),
        ('.name | startswith("A")', "name begins with A"),
        ('.name | test("b c")', "name contains b c"),
        ('.name | ascii_downcase == "x"', "name = x"),
    ],
)
def test_a_comparison_of_data_is_told_in_words(text: str, expected: str) -> None:
    assert conditions.said(Expression(text=text)) == expected


@pytest.mark.parametrize(
    "text",
    [
        "[.[] | select(. > 3)] | any",
        ".items[0].price > 3",
        "if .a then .b else .c end",
        ". > 3",
        "true",
        "0",
        "length > 3",
        '.name | test("^a.*")',
        "{a: 1} == .",
        ".a as $x | $x > 1",
        '"\\(.a)" == "1"',
        ".a >",
        " and ".join([".quite.a.long.path > 1"] * 5),
        ".a > 1 and " * 200 + ".a",
        "(" * 300 + ".a" + ")" * 300,
        '.a == "\\u0000"',
    ],
)
def test_what_is_more_than_a_comparison_is_not_told_at_all(text: str) -> None:
    assert conditions.said(Expression(text=text)) == ""


def test_the_data_as_a_whole_is_told_where_it_has_a_name() -> None:
    assert conditions.said(Expression(text=". | length > 3"), subject="events") == (
        "number of events > 3"
    )


@pytest.mark.parametrize(
    ("source", "language", "expected"),
    [
        ("= amount > 1000", "feel", "amount > 1000"),
        ('= orderType = "x" and not(paid)', "feel", "order type = x and not (paid)"),
        ("${amount == 1 && !paid}", "juel", "amount = 1 and not paid"),
        ("= count(items) > 3", "feel", "count(items) > 3"),
        ("= some x in items satisfies x > 3", "feel", "some x in items satisfies x > 3"),
    ],
)
def test_a_condition_of_another_language_is_told_as_its_author_wrote_it(
    source: str, language: str, expected: str
) -> None:
    value = Expression(text="true", source=source, source_language=language)

    assert conditions.said(value) == expected


def test_a_comparison_with_a_constant_is_known_by_what_it_asks_for() -> None:
    found = conditions.compared(Expression(text='.order.type == "electronic"'))

    assert found == conditions.Comparison("order type", "electronic")


@pytest.mark.parametrize("text", [".a > 1", ".a == .b", ".a == null", ".a == true", "[.a] == 1"])
def test_other_conditions_are_no_comparison_with_a_constant(text: str) -> None:
    assert conditions.compared(Expression(text=text)) is None
