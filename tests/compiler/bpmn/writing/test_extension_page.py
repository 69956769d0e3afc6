"""The page about the namespace tells what is written and read."""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args

from diglot.compiler import compile_source
from diglot.compiler.bpmn.writing import parts
from diglot.compiler.bpmn.writing.canvas import Drawn
from diglot.compiler.codes import by_id
from diglot.compiler.graph import digest

_ROOT = Path(__file__).parents[4]
_PAGE = (_ROOT / "docs" / "bpmn-extension.md").read_text("utf-8")


def _block(language: str) -> str:
    found = re.search(rf"```{language}\n(.*?)```", _PAGE, re.DOTALL)
    assert found is not None
    return found[1]


def test_the_file_of_the_example_is_read_as_the_workflow_beside_it() -> None:
    workflow = compile_source(_block("yaml"), "packing.yaml")

    file = compile_source(_block("xml"), "packing.bpmn")

    assert not file.has_errors
    assert workflow.graph is not None
    assert file.graph is not None
    assert digest(file.graph) == digest(workflow.graph)


def test_everything_of_the_namespace_is_on_the_page() -> None:
    elements = [parts.GRAPH, parts.PART, parts.DRAWN, parts.PORTS]

    told = [name for name in elements if f"`diglot:{name.rpartition('}')[2]}`" in _PAGE]

    assert told == elements


def test_every_reason_why_something_is_drawn_is_on_the_page() -> None:
    reasons = [one for one in get_args(Drawn) if one]

    assert [one for one in reasons if f"`{one}`" not in _PAGE] == []


def test_every_code_that_the_page_names_is_one() -> None:
    named = set(re.findall(r"DG\d{4}", _PAGE))

    assert {by_id(one).id for one in named} == named
