from __future__ import annotations

import json

import pytest
import yaml
from hypothesis import example, given
from hypothesis import strategies as st

from diglot.compiler.checks.positions import span_inside
from diglot.compiler.graph import Expression
from diglot.compiler.source import Position, Source, Span

NOTATIONS = {
    "plain": ("a: .items | foo(1)\n", ".items | foo(1)"),
    "plain over lines": ("a: .items |\n    foo(1)\n", ".items |\n    foo(1)"),
    "single quotes": ("a: '.it''s | foo(1)'\n", ".it''s | foo(1)"),
    "double quotes": ('a: ".x == \\"\\u00e4\\" | foo(1)"\n', '.x == \\"\\u00e4\\" | foo(1)'),
    "an escaped line end": ('a: ".x \\\n  | foo(1)"\n', ".x \\\n  | foo(1)"),
    "an escaped tab": ('a: ". \\t| foo(1)"\n', ". \\t| foo(1)"),
    "literal block": ("a: |-\n    .x\n      | foo(1)\n    | .y\n", ".x\n      | foo(1)\n    | .y"),
    "folded block": ("a: >-\n    .x\n    | foo(1)\n\n    | .y\n", ".x\n    | foo(1)\n\n    | .y"),
}


def expression_in(file: str, written: str, text: str) -> tuple[Expression, Source]:
    source = Source(file, "order.yaml")
    start = file.index(written)
    return Expression(text=text, span=source.span(start, start + len(written))), source


@pytest.mark.parametrize("notation", list(NOTATIONS))
def test_a_part_of_an_expression_is_found_in_every_notation(notation: str) -> None:
    file, written = NOTATIONS[notation]
    text = yaml.safe_load(file)["a"]
    expression, source = expression_in(file, written, text)
    at = text.index("foo")

    found = span_inside(expression, at, at + 3, {"order.yaml": source})

    place = file.index("foo")
    assert found == source.span(place, place + 3)


def test_the_end_of_an_expression_is_behind_its_last_character() -> None:
    expression, source = expression_in("a: .x +\n", ".x +", ".x +")

    found = span_inside(expression, 4, 4, {"order.yaml": source})

    assert found == Span("order.yaml", Position(1, 8), Position(1, 8))


def test_without_the_file_lines_are_counted() -> None:
    start = Position(3, 10)
    expression = Expression(text=".a\n| foo", span=Span("gone.yaml", start, Position(4, 6)))

    assert span_inside(expression, 1, 2, {}) == Span("gone.yaml", Position(3, 11), Position(3, 12))
    assert span_inside(expression, 5, 8, {}) == Span("gone.yaml", Position(4, 3), Position(4, 6))


def test_an_expression_that_the_file_does_not_say_has_one_place() -> None:
    expression, source = expression_in("a: .x + 1\n", ".x + 1", "try (.x + 1) catch .")

    assert span_inside(expression, 5, 7, {"order.yaml": source}) == expression.span


def test_an_expression_without_a_place_has_none_inside() -> None:
    assert span_inside(Expression(text=".a"), 0, 1, {}) is None


@given(st.text("ab \n\t\"'\\ä\U0001f600|", min_size=1, max_size=12), st.booleans())
@example('\\"', True)
def test_every_character_of_a_quoted_text_is_found(text: str, is_ascii: bool) -> None:
    written = json.dumps(text, ensure_ascii=is_ascii)[1:-1]
    expression, source = expression_in(f'{{"a": "{written}"}}', written, text)

    for at, character in enumerate(text):
        found = span_inside(expression, at, at + 1, {"order.yaml": source})
        assert found is not None
        start = source.offset(found.start)
        tail = json.dumps(text[at:], ensure_ascii=is_ascii)[1:-1]
        if character not in " \n\t":
            assert source.text[start : start + len(tail)] == tail
