"""The harness can fail: what a case expects wrongly is found."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from conformance.harness.case import ROOT, Case, CaseError, load
from conformance.harness.difference import differences
from conformance.harness.modes import MODES, run
from conformance.harness.trace import difference

if TYPE_CHECKING:
    from conformance.harness.modes import Stage


def sequence() -> Case:
    return load(ROOT / "serverless-workflow" / "do" / "sequence.yaml")


@pytest.mark.parametrize("number", sorted(MODES))
@pytest.mark.parametrize(
    "expect",
    [
        {"status": "faulted"},
        {"output": {"n": 5}},
        {"error": {"status": 400}},
        {"trace": ["one", "three", "two"]},
        {"began": {"one": [1]}},
        {"emitted": [{"type": "any"}]},
        {"lifecycle": ["workflow.started"]},
        {"requests": ["GET https://example.com/"]},
        {"waiting": ["one"]},
        {"instances": 2},
        {"absent": ["sequence"]},
        {"diagnostics": ["DG0301@1:1"], "status": "completed"},
    ],
    ids=lambda expect: next(iter(expect)),
)
def test_a_wrong_expectation_fails_in_every_mode(
    number: int, expect: dict[str, Any], stage: Stage
) -> None:
    case = replace(sequence(), expect=expect)

    unmet = run(stage, case, MODES[number])

    if number == 7 and "diagnostics" not in expect:
        # It explores the definition, and plays none of the case's steps.
        assert unmet == []
        return
    assert [line for line in unmet if next(iter(expect)) in line] != []


def test_an_event_that_waits_for_several_things_waits_once_for_each_token(stage: Stage) -> None:
    file = ROOT / "bpmn" / "intermediate-catch-event-multiple" / "two-tokens.bpmn"

    with stage.play(load(file)) as play:
        play.next()
        play.next()
        waiting = play.evidence().waiting()

    assert waiting == ["answered", "answered"]


@pytest.mark.parametrize(
    ("trace", "names"),
    [
        (["a", ["b", "c"], "d"], "a c b d"),
        ([[["a1", "a2"], ["b1"]]], "a1 b1 a2"),
        ([["a", [["b", "c"]]]], "c a b"),
        ([], ""),
    ],
)
def test_a_trace_allows_every_interleaving_of_its_branches(trace: list[Any], names: str) -> None:
    assert difference(trace, names.split()) is None


@pytest.mark.parametrize(
    ("trace", "names"),
    [
        (["a", ["b", "c"], "d"], "a b d c"),
        ([[["a1", "a2"], ["b1"]]], "a2 a1 b1"),
        (["a", ["b", "c"]], "a b"),
        (["a"], "a a"),
        ([["b", "b"]], "b"),
    ],
)
def test_a_trace_keeps_the_order_within_a_branch(trace: list[Any], names: str) -> None:
    assert difference(trace, names.split()) is not None


@pytest.mark.parametrize(
    ("expected", "actual"), [(1, True), (None, False), ([1], [1, 2]), ({"a": 1}, {}), ("1", 1)]
)
def test_values_that_only_look_alike_differ(expected: Any, actual: Any) -> None:
    assert list(differences(expected, actual)) != []


def test_numbers_are_the_same_by_their_value() -> None:
    assert list(differences({"a": [1, 2.0]}, {"a": [1.0, 2]})) == []


def test_a_case_that_breaks_the_format_names_every_fault(tmp_path: Any) -> None:
    (tmp_path / "x.yaml").write_text("{}")
    (tmp_path / "x.toml").write_text("titel = 'a'\n[expect]\nstatus = 'fine'\n")

    with pytest.raises(CaseError) as error:
        load(tmp_path / "x.yaml")

    assert "titel" in str(error.value)
    assert "fine" in str(error.value)
