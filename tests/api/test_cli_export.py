"""`diglot export`: what is written, where, and what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from diglot.compiler import compile_source
from support.command import diglot

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples"
DOCUMENTS = [
    "order.yaml",
    "refund.yaml",
    "approval.bpmn",
    "purchase.bpmn",
    "trip.bpmn",
    "fulfilment.bpmn",
]


@pytest.mark.parametrize("name", DOCUMENTS)
def test_an_exported_example_is_read_as_the_same(name: str, tmp_path: Path) -> None:
    source = EXAMPLES / name
    output = tmp_path / "out.bpmn"

    done = diglot("export", str(source), "-o", str(output))

    assert (done.returncode, done.stdout) == (0, ""), done.stderr
    before = compile_source(source.read_bytes(), name)
    after = compile_source(output.read_bytes(), "out.bpmn")
    assert after.digest == before.digest


def test_without_an_output_the_file_is_printed() -> None:
    done = diglot("export", str(EXAMPLES / "trip.bpmn"))
    assert done.returncode == 0
    assert done.stdout.startswith('<?xml version="1.0" encoding="UTF-8"?>\n<bpmn:definitions')
    assert done.stdout.endswith("</bpmn:definitions>\n")


def test_two_exports_are_the_same_bytes(tmp_path: Path) -> None:
    for name in ("one", "two"):
        diglot("export", str(EXAMPLES / "order.yaml"), "-o", str(tmp_path / name))
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()


def test_a_view_decides_what_is_seen() -> None:
    views = [
        diglot("export", str(EXAMPLES / "order.yaml"), "--view", view).stdout
        for view in ("business", "technical")
    ]
    assert len(set(views)) == 2


def test_standard_input_is_a_document() -> None:
    text = (EXAMPLES / "approval.bpmn").read_text(encoding="utf-8")
    assert diglot("export", "-", input=text).returncode == 0


def test_a_document_with_errors_is_not_exported(tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.yaml"
    wrong.write_text(
        "document: {dsl: 1.0.3, namespace: t, name: one, version: 1.0.0}\n"
        "do:\n- one: {set: {a: 1}, then: nowhere}\n"
    )
    output = tmp_path / "out.bpmn"

    done = diglot("export", str(wrong), "-o", str(output))

    assert (done.returncode, done.stdout) == (1, "")
    assert "DG0302 [error]" in done.stderr
    assert not output.exists()


def test_what_is_read_is_not_overwritten(tmp_path: Path) -> None:
    source = tmp_path / "trip.bpmn"
    before = (EXAMPLES / "trip.bpmn").read_bytes()
    source.write_bytes(before)

    done = diglot("export", "trip.bpmn", "-o", str(source), cwd=tmp_path)

    assert (done.returncode, source.read_bytes()) == (2, before)
    assert "is what is read" in done.stderr


@pytest.mark.parametrize(
    ("output", "told"),
    [
        ("no/x.bpmn", "there is no folder no; make it, or name another"),
        (".", "is no file; name one to write to"),
        ("", "the empty name is no file"),
        ("x.svg", "what is exported is .bpmn or .xml; diglot render draws pictures"),
        ("x.yaml", "what is exported is .bpmn or .xml"),
    ],
)
def test_an_output_that_cannot_be_one_is_refused(output: str, told: str, tmp_path: Path) -> None:
    done = diglot("export", str(EXAMPLES / "trip.bpmn"), "-o", output, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert told in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_an_output_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    done = diglot("export", str(EXAMPLES / "trip.bpmn"), "-o", "/dev/full", cwd=tmp_path)
    assert done.returncode == 2
    assert "No space left on device" in done.stderr


def test_an_older_file_is_replaced(tmp_path: Path) -> None:
    output = tmp_path / "out.bpmn"
    output.write_text("older " * 50_000)

    assert diglot("export", str(EXAMPLES / "trip.bpmn"), "-o", str(output)).returncode == 0
    assert output.read_text(encoding="utf-8").endswith("</bpmn:definitions>\n")


@pytest.mark.parametrize(
    ("arguments", "told"),
    [((), "Missing argument"), (("trip.bpmn", "--view", "other"), "'business', 'technical'")],
)
def test_a_wrong_call_says_how(arguments: tuple[str, ...], told: str) -> None:
    done = diglot("export", *arguments, cwd=EXAMPLES)
    assert (done.returncode, done.stdout) == (2, "")
    assert told in done.stderr


def test_all_processes_of_a_file_are_exported() -> None:
    done = diglot("export", str(EXAMPLES / "purchase.bpmn"))
    assert done.stdout.count("<bpmn:process ") == 2


def test_a_document_that_is_not_there_is_told() -> None:
    done = diglot("export", "nothing.yaml")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "diglot: nothing.yaml: No such file or directory\n"
