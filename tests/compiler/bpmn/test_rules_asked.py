"""A rule is not asked where a file has nothing that it is about: no finding is lost by that."""

from __future__ import annotations

from pathlib import Path

import pytest

from diglot.compiler.bpmn.rules import check_rules
from diglot.compiler.bpmn.rules.rule import ABOUT
from diglot.compiler.bpmn.xml import read_xml
from diglot.compiler.diagnostics import Diagnostic, Report

CASES = Path(__file__).resolve().parents[3] / "conformance" / "bpmn"
FILES = sorted(CASES.glob("*/invalid-*.bpmn"))


def found_in(file: Path, *, strict: bool) -> list[Diagnostic]:
    report = Report()
    document = read_xml(file.read_bytes(), file.name, report)
    if document is not None:
        check_rules(document, report, strict=strict)
    return report.sorted()


@pytest.mark.parametrize("strict", [False, True])
def test_the_findings_are_those_of_all_rules(monkeypatch: pytest.MonkeyPatch, strict: bool) -> None:
    some = [found_in(file, strict=strict) for file in FILES]

    with monkeypatch.context() as patch:
        for check in tuple(ABOUT):
            patch.delitem(ABOUT, check)
        every = [found_in(file, strict=strict) for file in FILES]

    assert len(FILES) > 100
    assert every == some


def test_a_document_knows_every_namespace_of_its_names() -> None:
    for file in sorted(CASES.glob("*/*.bpmn")):
        document = read_xml(file.read_bytes(), file.name, Report())
        if document is not None:
            elements = list(document.root.walk())
            used = {element.namespace for element in elements}
            used |= {name[1:].partition("}")[0] for one in elements for name in one.foreign}

            assert used <= document.vocabularies, file.name
