"""The suite tests itself: titles, sources, names, and the examples of every diagnostic."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from conformance.harness import expectations
from conformance.harness.case import ROOT, Case, CaseError, definitions, load
from conformance.harness.driver import compiled
from diglot.compiler import codes
from diglot.compiler.diagnostics import Code

_KEBAB = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
#: Words of a title that says what ought to be or will be, and not what is.
_NOT_PRESENT = re.compile(r"\b(should|must|shall|will|would|ought|has to|have to)\b")
_SECTION = re.compile(
    r"(DSL|DSL reference|RFC \d+|CloudEvents|jq|YAML 1\.2|JSON Schema|BPMN 2\.0\.2 \d+|DMN 1\.\d"
    r"|XML 1\.0|XPath 1\.0|ISO 8601)\b.*"
)
_DECISION = re.compile(r"A[0-9]+")


def cases() -> list[Case]:
    found: list[Case] = []
    for path in definitions():
        try:
            found.append(load(path))
        except CaseError:
            continue
    return found


CASES = cases()
EXPLAINED = [code for code in codes.ALL.values() if code.bad]


def test_every_definition_has_a_case_that_can_be_read() -> None:
    faults: list[str] = []
    for path in definitions():
        try:
            load(path)
        except CaseError as error:
            faults.append(str(error))

    assert faults == []


def test_titles_are_unique() -> None:
    titles = Counter(title for _, title in {(case.file, case.title) for case in CASES})

    assert [title for title, count in titles.items() if count > 1] == []


def test_titles_are_short_and_say_what_is() -> None:
    wrong = [
        case.id
        for case in CASES
        if len(case.title) > 80 or _NOT_PRESENT.search(case.title) or case.title.endswith(".")
    ]

    assert wrong == []


def test_every_case_names_what_says_so() -> None:
    wrong = [
        f"{case.id}: {case.source}"
        for case in CASES
        if (case.section and not _SECTION.fullmatch(case.section))
        or (case.decision and not _DECISION.fullmatch(case.decision))
    ]

    assert wrong == []


def test_names_of_files_are_in_kebab_case() -> None:
    wrong = [
        case.id
        for case in CASES
        if not _KEBAB.fullmatch(case.name) or not _KEBAB.fullmatch(case.construct)
    ]

    assert wrong == []


def test_every_key_that_a_case_may_expect_is_checked() -> None:
    import json

    schema = json.loads((ROOT / "case.schema.json").read_text(encoding="utf-8"))
    written = set(schema["$defs"]["expect"]["properties"]) - {"output_json", "diagnostics"}

    assert written == expectations.keys()


def test_a_code_has_both_examples_or_none() -> None:
    half = [code.id for code in codes.ALL.values() if bool(code.bad) != bool(code.good)]

    assert half == []


@pytest.mark.parametrize("code", EXPLAINED, ids=lambda code: code.id)
def test_the_bad_example_of_a_code_has_that_finding_and_no_other(code: Code) -> None:
    assert found_in(code.bad) == {code.id}


@pytest.mark.parametrize("code", EXPLAINED, ids=lambda code: code.id)
def test_the_good_example_of_a_code_has_not_that_finding(code: Code) -> None:
    assert code.id not in found_in(code.good)


def test_a_refused_construct_is_the_example_of_the_code_for_it() -> None:
    refused = [case for case in CASES if case.name.startswith("refused-")]
    wanted = codes.UNSUPPORTED_CONSTRUCT.id

    without = [case.id for case in refused if wanted not in found_in(str(case.definition))]

    assert without == []


def found_in(path: str) -> set[str]:
    """The codes of everything found in a file below the suite."""
    return {found.code for found in compiled(Path(ROOT, path)).diagnostics}
