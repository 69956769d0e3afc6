from __future__ import annotations

import json

import jq  # pyright: ignore[reportMissingTypeStubs]
import pytest

from diglot.compiler.bpmn.writing.formal import JQ, as_jq, expression, formal
from diglot.compiler.graph import Constant, Expression, Listing, Record, Value


def test_an_expression_says_its_language():
    tag = expression("condition", Expression(text=".a > 1"))

    assert (tag.name, tag.text, tag.attributes["language"]) == ("condition", ".a > 1", JQ)


def test_a_formal_expression_without_a_language_has_that_of_the_file():
    tag = formal("timeDuration", "PT5S")

    assert [name.rpartition("}")[2] for name in tag.attributes] == ["type"]
    assert tag.text == "PT5S"


@pytest.mark.parametrize(
    ("value", "result"),
    [
        (Constant(document={"a": [1, None, "x"]}), {"a": [1, None, "x"]}),
        (Constant(document='a "quoted" \\(text)'), 'a "quoted" \\(text)'),
        (Expression(text=".n, 2 | . + 1"), 8),
        (Record(members=(("a b", Expression(text=".n | . + 1")), ("c", Constant(document=1)))),
         {"a b": 8, "c": 1}),
        (Listing(items=(Expression(text=".n"), Constant(document="x"))), [7, "x"]),
    ],
)  # fmt: skip
def test_a_value_is_a_program_that_gives_it(value: Value, result: object):
    program = jq.compile(as_jq(value))  # pyright: ignore

    assert program.input_text(json.dumps({"n": 7})).first() == result  # pyright: ignore
