"""Several documents on one command line, as a user meets them."""

from __future__ import annotations

import json
from pathlib import Path

from support.command import diglot

CASES = Path(__file__).parents[2] / "conformance/bpmn/message-flow"


def write(folder: Path, name: str, called: str) -> str:
    """A workflow that always calls another one."""
    path = folder / f"{name}.yaml"
    path.write_text(
        f"document: {{dsl: 1.0.3, namespace: shop, name: {name}, version: 1.0.0}}\n"
        f"do: [{{a: {{run: {{workflow: {{namespace: shop, name: {called}, version: 1.0.0}}}}}}}}]\n"
    )
    return str(path)


def test_what_is_checked_together_is_checked_beside_each_other(tmp_path: Path) -> None:
    order, pay = write(tmp_path, "order", "pay"), write(tmp_path, "pay", "order")

    alone = [diglot("check", file).returncode for file in (order, pay)]
    both = diglot("check", "--format", "json", order, pay)

    assert alone == [0, 0]
    assert both.returncode == 1
    assert [(one["code"], one["file"]) for one in json.loads(both.stdout)] == [
        ("DG2011", order),
        ("DG2011", pay),
    ]


def test_what_is_told_of_another_file_shows_its_line(tmp_path: Path) -> None:
    order, pay = write(tmp_path, "order", "pay"), write(tmp_path, "pay", "order")

    said = diglot("check", order, pay).stdout

    assert f"= see: {pay}:2:7: `a` calls `order`" in said


def test_workflows_that_would_never_end_are_not_run(tmp_path: Path) -> None:
    order, pay = write(tmp_path, "order", "pay"), write(tmp_path, "pay", "order")

    done = diglot("run", order, "--with", pay)

    assert done.returncode == 1
    assert "DG2011 [error]" in done.stderr


def test_what_a_database_has_already_is_looked_at(tmp_path: Path) -> None:
    order, pay = write(tmp_path, "order", "pay"), write(tmp_path, "pay", "order")
    database = f"sqlite:///{tmp_path}/runs.db"

    first = diglot("run", order, "--database", database)
    second = diglot("run", pay, "--database", database)
    kept = diglot("findings", "shop/order", "--database", database)

    assert "DG0412 [warning] `a` calls `pay` 1.0.0" in first.stderr
    assert second.returncode == 1
    assert "DG2011 [error] every run of `pay` starts itself by way of `order`" in second.stderr
    assert "DG0412" in kept.stdout


# -- pools


def test_pools_are_played_together_where_that_is_asked_for() -> None:
    unanswered = str(CASES / "answer-may-not-come.bpmn")

    alone = diglot("check", unanswered)
    together = diglot("check", "--collaboration", unanswered)

    assert (alone.returncode, alone.stdout) == (0, "Found nothing to report.\n")
    assert together.returncode == 1
    assert "`heard` may wait for ever: in `customer` it waits for what is sent" in together.stdout
    assert "[token 2] in `clerk` `known` takes the way to `closed`" in together.stdout


def test_pools_that_always_answer_are_in_order() -> None:
    done = diglot("check", "--collaboration", str(CASES / "question-and-answer.bpmn"))

    assert (done.returncode, done.stdout) == (0, "Found nothing to report.\n")


def test_what_is_found_of_pools_is_for_programs_too() -> None:
    unanswered = str(CASES / "answer-may-not-come.bpmn")

    (found,) = json.loads(diglot("check", "--collaboration", "-f", "json", unanswered).stdout)
    log = json.loads(diglot("check", "--collaboration", "-f", "sarif", unanswered).stdout)

    assert {step["process"] for step in found["trace"]} == {"bpmn/order", "bpmn/desk-work"}
    assert [step["process"] for step in found["trace"] if step["node"] == "known"] == [
        "bpmn/desk-work"
    ]
    (result,) = log["runs"][0]["results"]
    assert result["ruleId"] == "DG1901"
    assert len(result["codeFlows"][0]["threadFlows"]) == 2
