"""Every program of the corpus gives the same with jq itself."""

from __future__ import annotations

import json
import tomllib
from importlib import import_module
from pathlib import Path
from typing import Any

from diglot.compiler.bpmn.languages import Refusal, spoken, translate
from diglot.compiler.expressions import ExpressionError, compile_jq

jq: Any = import_module("jq")


def test_native_results_are_those_of_jq() -> None:
    sections = tomllib.loads(Path(__file__).with_name("corpus.toml").read_text(encoding="utf-8"))
    differences: list[tuple[str, Any, Any]] = []
    for section in sections.values():
        settings = {key: value for key, value in section.items() if key != "rows"}
        for text, given, _ in section["rows"]:
            said = spoken(text, **settings)
            found = said if isinstance(said, Refusal) else translate(said.text, said.language)
            if isinstance(found, Refusal):
                continue
            native, reference = both(found.text, json.loads(given))
            if native != reference:
                differences.append((text, native, reference))

    assert differences == []


def both(text: str, variables: Any) -> tuple[Any, Any]:
    """The results natively and with jq; an error is its first words."""
    native: Any
    reference: Any
    try:
        native = compile_jq(text).evaluate(variables, {})
    except ExpressionError as error:
        native = str(error)[:20]
    try:
        reference = jq.compile(text).input_text(json.dumps(variables)).all()
    except ValueError as error:
        reference = str(error).removeprefix("jq: error: ")[:20]
    return native, reference
