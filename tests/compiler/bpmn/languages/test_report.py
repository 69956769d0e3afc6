"""An expression becomes a value of the graph, or a finding at its exact place."""

from __future__ import annotations

from typing import Any

import pytest

from diglot.compiler.bpmn.languages.report import compile_expression
from diglot.compiler.diagnostics import Report
from diglot.compiler.graph import Constant, Expression
from diglot.compiler.source import Source


def compiled(text: str, **settings: Any) -> tuple[Expression | Constant | None, Report]:
    """The text as the second line of a file, four characters from its start."""
    source = Source(f"<process>\n    {text}\n</process>", "file.bpmn")
    start = source.text.index(text)
    report = Report()
    settings.setdefault("is_condition", True)
    value = compile_expression(
        text,
        lambda first, last: source.span(start + first, start + last),
        report,
        "is-large",
        **settings,
    )
    return value, report


def test_a_condition_is_jq_that_keeps_the_author_s_words() -> None:
    value, report = compiled("${order.urgent}")

    assert len(report) == 0
    assert isinstance(value, Expression)
    assert value.text == ".order.urgent"
    assert value.source == "${order.urgent}"
    assert (value.source_language, value.of, value.yields) == ("juel", "variables", "boolean")
    assert str(value.span) == "file.bpmn:2:7"


def test_jq_has_no_other_words_beside_it() -> None:
    value, _ = compiled(".order.urgent", declared="jq", is_condition=False)

    assert isinstance(value, Expression)
    assert (value.source, value.source_language, value.yields) == (None, "jq", "any")


@pytest.mark.parametrize(
    ("text", "settings", "expected"),
    [
        ("${'PT5M'}", {}, "PT5M"),
        ("= 1 + 2", {}, 3),
        ("plain", {"profile": "zeebe"}, "plain"),
        ('"x"', {}, "x"),
        ("= null", {}, None),
    ],
)
def test_a_value_without_variables_is_a_constant(
    text: str, settings: dict[str, Any], expected: object
) -> None:
    value, report = compiled(text, is_condition=False, **settings)

    assert len(report) == 0
    assert value == Constant(expected)


@pytest.mark.parametrize("text", ["true", "${true}", "= 1 = 1", "return true;"])
def test_a_constant_condition_is_an_expression_all_the_same(text: str) -> None:
    value, report = compiled(text)

    assert len(report) == 0
    assert isinstance(value, Expression)
    assert value.text == "true"


@pytest.mark.parametrize(
    ("text", "settings", "code", "column", "end", "part"),
    [
        ("${a && rules.ask(b)}", {}, "DG1302", 18, 21, "ask"),
        ("${a && (b}", {}, "DG1303", 13, 14, "b"),
        ("= a and uuid()", {}, "DG1302", 13, 17, "uuid"),
        ("  let it be", {"declared": "urn:x"}, "DG1301", 7, 16, "let it be"),
        ("return new A();", {"declared": "java"}, "DG1301", 12, 15, "new"),
        ("${a && 'x' > 5}", {}, "DG1304", 12, 19, "'x' > 5"),
        ("(" * 200 + "a", {}, "DG1305", None, None, ""),
        ("${a + 5}", {}, "DG1306", 7, 12, "a + 5"),
        ("= 23", {}, "DG1306", 7, 9, "23"),
        ("approved", {"profile": "zeebe"}, "DG1306", 5, 13, "approved"),
    ],
)
def test_what_cannot_be_carried_is_reported_where_it_stands(
    text: str, settings: dict[str, Any], code: str, column: int | None, end: int | None, part: str
) -> None:
    value, report = compiled(text, **settings)

    assert value is None
    (found,) = report
    assert (found.code, found.pointer) == (code, "is-large")
    assert found.span is not None
    if end is not None:
        assert (found.span.start.column, found.span.end.column) == (column, end)
    if code != "DG1305":
        assert part in str(found.parameters.get("part"))


def test_a_string_may_be_a_value_where_it_is_no_condition() -> None:
    value, report = compiled("${a + 5}", is_condition=False)

    assert len(report) == 0
    assert isinstance(value, Expression)
