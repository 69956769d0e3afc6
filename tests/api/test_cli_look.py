"""`diglot check`, `graph` and `explain` for files with several processes, and what `run` tells."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from diglot.api.cli.documents import FEW
from support.command import diglot

ROOT = Path(__file__).resolve().parents[2]
PURCHASE = str(ROOT / "examples" / "purchase.bpmn")


def test_what_there_is_to_run_is_said_when_it_is_asked_for(tmp_path: Path) -> None:
    idle = tmp_path / "idle.bpmn"
    idle.write_text(
        (ROOT / "examples" / "trip.bpmn").read_text().replace('"true"', '"false"'), "utf-8"
    )
    order = str(ROOT / "examples" / "order.yaml")
    done = diglot("check", "--verbose", PURCHASE, str(idle), order)

    assert done.stderr.splitlines() == [
        f'{PURCHASE}: process buyer 1.0.0 "Buyer"',
        f'{PURCHASE}: process seller 1.0.0 "Seller"',
        f'{idle}: process trip 1.0.0 "A trip", not executable',
        f'{order}: workflow shop/order 1.0.0 "Order fulfilment"',
    ]
    assert diglot("check", PURCHASE).stderr == ""


def test_the_graph_of_each_process_is_shown() -> None:
    first, other = diglot("graph", PURCHASE), diglot("graph", PURCHASE, "--process", "seller")
    as_json = diglot("graph", PURCHASE, "--json", "--process", "seller")

    assert first.stdout.startswith("graph bpmn/buyer 1.0.0\n")
    assert first.stderr == "diglot: this is buyer; --process shows seller\n"
    assert (other.stdout.partition("\n")[0], other.stderr) == ("graph bpmn/seller 1.0.0", "")
    assert json.loads(as_json.stdout)["name"] == "seller"


def test_a_process_that_is_not_there_has_no_graph() -> None:
    done = diglot("graph", PURCHASE, "--process", "third")

    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"diglot: {PURCHASE} has no process third; it has buyer, seller\n"


def test_a_constraint_of_the_standard_is_explained_with_its_sections() -> None:
    assert "Source: BPMN 2.0.2, 7.6.1, 8.4.13." in diglot("explain", "DG1201").stdout
    assert "Source:" not in diglot("explain", "DG0301").stdout


@pytest.mark.parametrize("count", [FEW, FEW + 1])
def test_many_warnings_do_not_bury_what_a_run_says(tmp_path: Path, count: int) -> None:
    file = tmp_path / "flows.bpmn"
    tasks = [f"t{number}" for number in range(count)]
    flows = "".join(
        f'<sequenceFlow id="f{place}" sourceRef="{source}" targetRef="{target}"/>'
        for place, (source, target) in enumerate(zip(["s", *tasks], [*tasks, "e"], strict=True))
    )
    incoming = "<incoming>f{}</incoming>"
    file.write_text(
        '<definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL" id="d"'
        ' targetNamespace="https://diglot.example/cases"><process id="p" isExecutable="true">'
        '<startEvent id="s"><outgoing>f0</outgoing></startEvent>'
        + "".join(
            f'<task id="{task}">{incoming.format(place)}</task>' for place, task in enumerate(tasks)
        )
        + f'<endEvent id="e">{incoming.format(count)}</endEvent>{flows}</process></definitions>'
    )
    found = json.loads(diglot("check", "--format", "json", str(file)).stdout)
    assert [one["code"] for one in found] == ["DG1203"] * count

    done = diglot("run", str(file))

    assert (done.returncode, done.stdout) == (0, "{}\n")
    if count > FEW:
        assert done.stderr == f"diglot: {file} has {count} warnings, which diglot check shows\n"
    else:
        assert done.stderr.endswith(f"Found {count} warnings.\n")


#: A name that turns the direction of its text, fakes a line and clears the screen.
STEERING = """<?xml version="1.0" encoding="UTF-8"?>
<definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL"
             targetNamespace="https://diglot.example/cases">
  <process id="order" name="turned &#x202e;" isExecutable="true">
    <startEvent id="begin"><outgoing>to-approve</outgoing></startEvent>
    <sequenceFlow id="to-approve" sourceRef="begin" targetRef="approve"/>
    <userTask id="approve" name="ok &#x202e;&#10;diglot: completed &#x9b;2J">
      <incoming>to-approve</incoming><outgoing>to-done</outgoing>
    </userTask>
    <sequenceFlow id="to-done" sourceRef="approve" targetRef="done"/>
    <endEvent id="done"><incoming>to-done</incoming></endEvent>
  </process>
</definitions>
"""


@pytest.mark.parametrize(
    "arguments",
    [
        ("check", "--verbose"),
        ("graph",),
        ("graph", "--json"),
        ("run",),
        ("run", "--watch"),
        ("run", "--interactive"),
        ("run", "--complete", 'approve={"note": "\u202e\x9b"}'),
        ("run", "--fail", "approve=\u202e"),
    ],
    ids=" ".join,
)
def test_names_and_values_cannot_steer_the_terminal(
    tmp_path: Path, arguments: tuple[str, ...]
) -> None:
    file = tmp_path / "order.bpmn"
    file.write_text(STEERING, "utf-8")

    done = diglot(arguments[0], str(file), *arguments[1:])

    assert not set("\u202e\x9b\x1b") & set(done.stdout + done.stderr)
    assert not any(line.startswith("diglot: completed") for line in done.stderr.splitlines())
    assert "mistake in diglot" not in done.stderr


def test_json_keeps_its_meaning_though_nothing_in_it_steers_the_terminal(tmp_path: Path) -> None:
    file = tmp_path / "order.bpmn"
    file.write_text(STEERING, "utf-8")

    done = diglot("run", str(file), "--complete", 'approve={"note": "\u202e\\n\x9bü"}')

    assert json.loads(done.stdout) == {"note": "\u202e\n\x9bü"}
    assert "ü" in done.stdout


@pytest.mark.parametrize("text", ["", " \n\n"])
def test_an_empty_file_is_told_what_either_language_begins_with(tmp_path: Path, text: str) -> None:
    file = tmp_path / "order.bpmn"
    file.write_text(text, "utf-8")

    done = diglot("check", str(file))

    assert "DG0108" in done.stdout
    assert "`definitions`" in done.stdout
