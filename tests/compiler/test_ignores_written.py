"""An ignore that is offered for a finding ignores it, whatever the finding is."""

from __future__ import annotations

from pathlib import Path

import pytest

from diglot.compiler import codes, compile_source
from diglot.compiler.diagnostics import Code
from diglot.compiler.fixes import applied
from diglot.compiler.suppression.writing import REASON, ignore_of

ROOT = Path(__file__).parents[2] / "conformance"
#: What is wrong with an ignore, and with what stands before everything else.
NOWHERE = {codes.UNKNOWN_SUPPRESSION, codes.UNUSED_SUPPRESSION, codes.ENCODING_WRONG}
EXPLAINED = [code for code in codes.ALL.values() if (ROOT / code.bad).is_file()]


@pytest.mark.parametrize("code", EXPLAINED, ids=lambda code: code.id)
def test_an_ignore_ignores_the_example_of_a_code(code: Code) -> None:
    path = ROOT / code.bad
    is_xml = path.suffix == ".bpmn"
    compiled = compile_source(path.read_bytes(), path.name)
    for found in compiled.diagnostics:
        if found.code != code.id:
            continue
        edit = ignore_of(found, compiled.source, is_xml=is_xml)
        if edit is None:
            assert found.is_firm or code in NOWHERE or path.suffix == ".json"
            continue
        text = applied(compiled.source, [edit])
        assert code not in NOWHERE
        assert text is not None
        again = compile_source(text, path.name)

        if compiled.is_refused:
            # What else is wrong keeps it from being looked at.
            continue
        assert [one.reason for one in again.suppressed if one.finding.code == code.id] == [REASON]
        assert "DG1005" not in {one.code for one in again.diagnostics} - {found.code}
        assert again.digest == compiled.digest
