"""Which strings are expressions."""

from __future__ import annotations

import pytest

from diglot.compiler.expressions.strict import expression_text, has_embedded_expression


@pytest.mark.parametrize(
    ("value", "inner"),
    [
        ("${ .a }", " .a "),
        ("  ${.a}\n", ".a"),
        ("${ {a: {b: 1}} }", " {a: {b: 1}} "),
        ('${ "}" }', ' "}" '),
        ('${ "\\("}" + "{")" }', ' "\\("}" + "{")" '),
        ("${ .a # a } comment\n }", " .a # a } comment\n "),
        ("${ .a # the brace of this comment closes }", " .a # the brace of this comment closes "),
        ('${ "open }', ' "open '),
        ("${ .a §}", " .a §"),
        ("${\n  .a |\n  .b\n}", "\n  .a |\n  .b\n"),
        ("${}", ""),
    ],
)
def test_a_string_that_is_one_expression_gives_its_text(value: str, inner: str) -> None:
    found = expression_text(value)

    assert found is not None
    text, offset = found
    assert text == inner
    assert value[offset : offset + len(text)] == text
    assert not has_embedded_expression(value)


@pytest.mark.parametrize(
    "value",
    ["", "a", "${", "}", "$ {a}", "{.a}", "$.a", "${ .a", ".a }", "a { b } c", "$${", "}${"],
)
def test_a_string_without_one_is_text(value: str) -> None:
    assert expression_text(value) is None
    assert not has_embedded_expression(value)


@pytest.mark.parametrize(
    "value",
    ["Hello ${ .name }", "${ .a } and ${ .b }", "${ .a }!", "x${.a}", "${ {} } }", "a ${ b } c"],
)
def test_an_expression_within_text_is_noticed(value: str) -> None:
    assert expression_text(value) is None
    assert has_embedded_expression(value)
