"""Real kinds of conditions give what their language says, natively, or name what is refused."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any, cast

import pytest

from diglot.compiler.bpmn.languages import Refusal, Translation, spoken, translate
from diglot.compiler.expressions import ExpressionError, compile_jq
from diglot.compiler.expressions.program import NATIVE_FUEL

_SECTIONS = cast(
    "dict[str, dict[str, Any]]",
    tomllib.loads(Path(__file__).with_name("corpus.toml").read_text(encoding="utf-8")),
)


def rows() -> list[Any]:
    found: list[Any] = []
    for name, section in _SECTIONS.items():
        settings = {key: value for key, value in section.items() if key != "rows"}
        found += [
            pytest.param(settings, *row, id=f"{name}: {row[0]} {row[1]}") for row in section["rows"]
        ]
    return found


def translated(text: str, settings: dict[str, str]) -> Translation | Refusal:
    said = spoken(text, **settings)
    return said if isinstance(said, Refusal) else translate(said.text, said.language)


@pytest.mark.parametrize(("settings", "text", "given", "outcome"), rows())
def test_a_condition_gives_what_its_language_says(
    settings: dict[str, str], text: str, given: str, outcome: str
) -> None:
    found = translated(text, settings)

    if outcome.startswith("? "):
        assert isinstance(found, Refusal), found
        assert found.part == outcome[2:]
        return
    assert isinstance(found, Translation), found
    program = compile_jq(found.text)
    assert program.plain
    variables = json.loads(given)

    if outcome.startswith("! "):
        with pytest.raises(ExpressionError) as failed:
            program.evaluate(variables, {})
        assert outcome[2:] in str(failed.value)
        return
    expected = json.loads(outcome)
    (result,) = program.evaluate(variables, {}, fuel=NATIVE_FUEL)
    assert result == expected
    assert isinstance(result, bool) == isinstance(expected, bool)
    assert not found.is_constant or found.value == result


def test_the_corpus_has_the_shares_of_real_files() -> None:
    counts = {name: len(section["rows"]) for name, section in _SECTIONS.items()}
    total = sum(counts.values())

    assert total >= 300
    assert counts["juel"] / total > 0.3
    assert (counts["statements"] + counts["scripts"]) / total > 0.15
    assert counts["feel"] / total > 0.15


def test_no_row_stands_there_twice() -> None:
    ids = [(name, *row[:2]) for name, section in _SECTIONS.items() for row in section["rows"]]

    assert len(set(ids)) == len(ids)
