"""`diglot run FILE --trace FINDINGS`: the machine shows what the checker found."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from support.command import diglot

CASES = Path(__file__).parents[2] / "conformance"
STUCK = CASES / "bpmn/parallel-gateway/join-of-an-inclusive-split.bpmn"


def findings(file: Path, into: Path) -> Path:
    written = into / "findings.json"
    written.write_text(diglot("check", "--format", "json", file).stdout, encoding="utf-8")
    return written


@pytest.mark.parametrize(
    ("case", "end"),
    [
        (STUCK, "the machine stands still: tokens wait at `join`"),
        (
            CASES / "bpmn/sequence-flow/activity-merge.bpmn",
            "the machine has 2 tokens there at once",
        ),
        (
            CASES / "bpmn/end-event-message/sent-by-each-branch.bpmn",
            "the machine has 2 tokens there at once",
        ),
        (
            CASES / "serverless-workflow/flow-directive/jump-to-itself.yaml",
            "the machine goes on, and has not come to an end",
        ),
    ],
)
def test_the_machine_comes_to_what_was_found(tmp_path: Path, case: Path, end: str) -> None:
    done = diglot("run", case, "--trace", findings(case, tmp_path))

    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == f"  => {end}"


def test_nodes_are_called_as_the_finding_calls_them(tmp_path: Path) -> None:
    named = tmp_path / "named.bpmn"
    text = STUCK.read_text(encoding="utf-8")
    named.write_text(text.replace('Gateway id="join"', 'Gateway id="join" name="All packed"'))

    done = diglot("run", named, "--trace", findings(named, tmp_path))

    assert done.stdout.startswith("DG1901 `All packed` may wait for ever")
    assert done.stdout.splitlines()[-1] == (
        "  => the machine stands still: tokens wait at `All packed`"
    )


def test_a_run_of_several_pools_is_told_and_not_played(tmp_path: Path) -> None:
    pools = CASES / "bpmn/message-flow/answer-may-not-come.bpmn"
    written = tmp_path / "findings.json"
    written.write_text(diglot("check", "--collaboration", "-f", "json", pools).stdout)

    done = diglot("run", pools, "--trace", written)

    assert done.returncode == 0
    assert done.stdout.splitlines()[-1] == "  => not played: this is a run of several processes"


def test_one_finding_of_the_list_can_be_played_alone(tmp_path: Path) -> None:
    every = json.loads(findings(STUCK, tmp_path).read_text(encoding="utf-8"))
    one = tmp_path / "one.json"
    one.write_text(json.dumps(every[0]), encoding="utf-8")

    done = diglot("run", STUCK, "--trace", one)

    assert done.returncode == 0
    assert done.stdout.startswith("DG1901 `join` may wait for ever")


def test_a_model_that_was_cured_does_not_come_to_it_any_more(tmp_path: Path) -> None:
    written = findings(STUCK, tmp_path)
    cured = tmp_path / "cured.bpmn"
    text = STUCK.read_text(encoding="utf-8")
    cured.write_text(text.replace("parallelGateway", "inclusiveGateway"), encoding="utf-8")

    done = diglot("run", cured, "--trace", written)

    assert done.returncode == 1
    assert "  => the machine " in done.stdout


def test_findings_without_a_run_are_said(tmp_path: Path) -> None:
    good = CASES / "bpmn/parallel-gateway/split-and-join.bpmn"

    done = diglot("run", good, "--trace", findings(good, tmp_path))

    assert done.returncode == 2
    assert "has no finding with a trace" in done.stderr


@pytest.mark.parametrize("text", ["[", "7", '[{"code": 1}]'])
def test_what_is_no_finding_is_said(tmp_path: Path, text: str) -> None:
    file = tmp_path / "findings.json"
    file.write_text(text, encoding="utf-8")

    done = diglot("run", STUCK, "--trace", file)

    assert done.returncode == 2
    assert done.stderr.startswith(f"diglot: --trace {file}: ")


def test_a_trace_needs_the_file_it_is_about(tmp_path: Path) -> None:
    done = diglot("run", "--trace", tmp_path / "f.json", "--resume", "x", "-d", "sqlite:///x.db")

    assert done.returncode == 2
    assert "--trace needs the FILE" in done.stderr
