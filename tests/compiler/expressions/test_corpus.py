"""Every expression of the documents that others have written is read as jq reads it."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
import yaml

from diglot.compiler.expressions import ExpressionSyntaxError, compile_jq
from diglot.compiler.expressions.strict import expression_text

jq: Any = import_module("jq")

ROOT = Path(__file__).resolve().parents[3]
SUITES = Path(os.environ.get("DIGLOT_SUITES", ROOT.parent / "shared" / "suites"))
FOLDER = SUITES / "serverless-workflow"

#: Fields that hold an expression with or without its signs.
FIELDS = frozenset(("if", "when", "exceptWhen", "while", "until", "in", "from", "as"))

pytestmark = pytest.mark.skipif(
    not FOLDER.is_dir(),
    reason=f"no documents of others in {FOLDER}: set DIGLOT_SUITES to the folder that holds them",
)


def documents() -> Iterator[tuple[Path, Any]]:
    for path in sorted(FOLDER.rglob("*")):
        if path.suffix in (".yaml", ".yml", ".json"):
            text = path.read_text()
            yield path, json.loads(text) if path.suffix == ".json" else yaml.safe_load(text)


def expressions(value: Any, field: str = "") -> Iterator[str]:
    match value:
        case str():
            found = expression_text(value)
            if found is not None:
                yield found[0]
            elif field in FIELDS:
                yield value
        case [*items]:
            for item in items:
                yield from expressions(item)
        case {}:
            for name in value:
                yield from expressions(value[name], str(name))
        case _:
            pass


def _is_read(text: str) -> bool:
    try:
        compile_jq(text)
    except ExpressionSyntaxError:
        return False
    return True


def _is_read_by_jq(text: str) -> bool:
    try:
        jq.compile(text)
    except ValueError as fault:
        return not re.search(r"syntax error|Top-level|[Ii]nvalid", str(fault))
    return True


def test_every_expression_is_read_as_jq_reads_it() -> None:
    read = 0
    for path, document in documents():
        for text in expressions(document):
            assert _is_read(text) == _is_read_by_jq(text), (path.name, text)
            read += 1
    assert read > 500


def test_every_expression_of_the_official_examples_is_plain() -> None:
    seen = 0
    for path, document in documents():
        if path.parent.name != "examples":
            continue
        for text in expressions(document):
            program = compile_jq(text)
            assert program.plain, (path.name, text)
            seen += 1
    assert seen > 100
