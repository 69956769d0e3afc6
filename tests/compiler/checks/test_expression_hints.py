from __future__ import annotations

import pytest

from diglot.compiler import compile_source

HEAD = "document: {dsl: 1.0.3, namespace: test, name: one, version: 1.0.0}\n"


def hint(condition: str) -> str:
    text = f'{HEAD}do: [{{a: {{if: "{condition}", set: {{x: 1}}}}}}]'
    (found,) = compile_source(text).diagnostics
    return found.hint


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        (".a && .b", "jq writes `and` for `&&`."),
        (".a || .b", "jq writes `or` for `||`."),
        ("|| .a", "jq writes `or` for `||`."),
        ("!.a", "jq writes `not` behind a pipe: `(.done | not)`."),
        (".a == 'b'", "jq writes text in double quotes."),
        (".a === 1", "jq compares with `==`."),
    ],
)
def test_an_operator_of_another_language_is_told(condition: str, expected: str) -> None:
    assert hint(condition) == expected


@pytest.mark.parametrize("condition", [".a ==", ".a | | .b", "(.a", "|"])
def test_other_mistakes_get_no_such_hint(condition: str) -> None:
    assert "jq" not in hint(condition)


def test_a_condition_that_assigns_is_told_to_compare() -> None:
    assert hint(".a = 1") == "`=` assigns; compare with `==`."
    assert "assigns" not in hint(".a | length")
