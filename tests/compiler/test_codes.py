"""Every kind of finding is declared once, completely, in the range of its subject."""

from __future__ import annotations

import inspect
import re
from pathlib import PurePosixPath
from string import Formatter
from types import ModuleType
from typing import Any

import pytest

from diglot.compiler import codes
from diglot.compiler.codes import (
    behaviour,
    bpmn,
    bpmn_flow,
    data_flow,
    declare,
    events,
    export,
    expressions,
    faults,
    flow,
    languages,
    names,
    secrets,
    shape,
    structure,
    support,
    text,
    timing,
    types,
    xml,
)
from diglot.compiler.diagnostics import Code, Severity, diagnose

RANGES = {
    "DG01": text,
    "DG02": shape,
    "DG03": flow,
    "DG04": names,
    "DG05": expressions,
    "DG06": timing,
    "DG07": faults,
    "DG08": events,
    "DG09": secrets,
    "DG10": support,
    "DG11": xml,
    "DG12": bpmn,
    "DG13": languages,
    "DG15": bpmn_flow,
    "DG16": export,
    "DG17": types,
    "DG18": data_flow,
    "DG19": behaviour,
    "DG20": structure,
}
EVERY = pytest.mark.parametrize("code", codes.ALL.values(), ids=list(codes.ALL))


def declared(module: ModuleType) -> dict[str, Code]:
    return {name: value for name, value in vars(module).items() if isinstance(value, Code)}


def fields(template: str) -> set[str]:
    return {field for _, field, _, _ in Formatter().parse(template) if field is not None}


def test_every_code_stands_in_the_module_of_its_range() -> None:
    found = {
        code.id: prefix for prefix, module in RANGES.items() for code in declared(module).values()
    }
    assert found == {id: id[:4] for id in codes.ALL}


def test_every_code_is_an_attribute_of_the_package_by_its_name() -> None:
    expected = {code.name.replace("-", "_").upper(): code for code in codes.ALL.values()}
    assert declared(codes) == expected


@EVERY
def test_a_code_is_found_by_its_id(code: Code) -> None:
    assert re.fullmatch(r"DG[0-9]{4}", code.id)
    assert codes.by_id(code.id) is code


def test_an_unknown_id_has_no_code() -> None:
    with pytest.raises(KeyError, match="DG9999"):
        codes.by_id("DG9999")


@pytest.mark.parametrize(("id", "name"), [("DG0103", "new-name"), ("DG9999", "duplicate-key")])
def test_an_id_and_a_name_are_given_once(id: str, name: str) -> None:
    before = dict(codes.ALL)
    with pytest.raises(ValueError, match="duplicate-key"):
        declare.code(id, name, Severity.ERROR, "x", why="x", remedy="x")
    assert before == codes.ALL


@EVERY
def test_a_message_is_a_phrase_that_its_parameters_fill(code: Code) -> None:
    taken = set(inspect.signature(diagnose).parameters)
    assert fields(code.message) & taken == set()
    assert not code.message.endswith(".")

    parameters: dict[str, Any] = dict.fromkeys(fields(code.message), "<>")
    filled = diagnose(code, None, **parameters).message

    assert "{{" not in filled
    assert filled.count("<>") >= len(fields(code.message))


@EVERY
def test_a_reason_and_a_remedy_are_sentences(code: Code) -> None:
    for sentence in (code.why, code.remedy):
        assert re.match(r"[A-Z`$]", sentence)
        assert re.search(r"[.`]$", sentence)
        assert "{{" not in sentence


@EVERY
def test_examples_come_in_pairs_below_the_conformance_suite(code: Code) -> None:
    assert bool(code.bad) == bool(code.good)
    for example in filter(None, (code.bad, code.good)):
        path = PurePosixPath(example)
        assert len(path.parts) == 3
        assert path.suffix in (".yaml", ".json", ".bpmn")
    assert code.bad != code.good or not code.bad
