"""`diglot render`: a picture of a document, or of a run, as a user gets it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from support import command
from support.diagrams import SVG, parsed, title_of

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples"
TRIP = str(EXAMPLES / "trip.bpmn")
#: What runs with a library that is not there.
WITHOUT_PNG = (
    "import sys; sys.modules['resvg_py'] = None; from diglot.api.cli.app import main; main()"
)


def diglot(
    *arguments: str, code: str = "", input: str | None = None
) -> subprocess.CompletedProcess[str]:
    if not code:
        return command.diglot(*arguments, input=input)
    return subprocess.run(
        [sys.executable, "-c", code, *arguments],
        capture_output=True,
        text=True,
        input=input,
        check=False,
        timeout=60,
        encoding="utf-8",
    )


@pytest.mark.parametrize(
    "name",
    ["order.yaml", "refund.yaml", "approval.bpmn", "purchase.bpmn", "trip.bpmn", "fulfilment.bpmn"],
)
def test_an_example_becomes_a_picture(name: str, tmp_path: Path) -> None:
    output = tmp_path / "out.svg"

    done = diglot("render", str(EXAMPLES / name), "-o", str(output))

    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    top = parsed(output.read_text(encoding="utf-8"))
    assert "A diagram with" in (top.findtext(f"{SVG}desc") or "")


def test_without_an_output_the_picture_is_printed() -> None:
    done = diglot("render", TRIP)
    assert done.returncode == 0
    assert done.stdout.startswith("<svg ")


def test_a_picture_is_of_pixels_where_the_file_says_so(tmp_path: Path) -> None:
    pytest.importorskip("resvg_py")
    output = tmp_path / "out.PNG"

    done = diglot("render", TRIP, "-o", str(output))

    assert done.returncode == 0, done.stderr
    assert output.read_bytes().startswith(b"\x89PNG\r\n")


def test_pixels_need_an_extra_which_is_named(tmp_path: Path) -> None:
    output = tmp_path / "out.png"

    done = diglot("render", TRIP, "-o", str(output), code=WITHOUT_PNG)

    assert done.returncode == 2
    assert "pip install 'diglot[png]'" in done.stderr
    assert not output.exists()


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("out.jpg", "a picture is .svg or .png"),
        ("out", "--format says which"),
        ("out.bpmn", "diglot export writes BPMN"),
        ("none/out.svg", "there is no folder"),
        ("folder.svg", "is no file"),
    ],
)
def test_an_output_that_cannot_be_one_is_refused(name: str, told: str, tmp_path: Path) -> None:
    (tmp_path / "folder.svg").mkdir()

    done = diglot("render", TRIP, "-o", str(tmp_path / name))

    assert (done.returncode, done.stdout) == (2, "")
    assert told in done.stderr
    assert [one.name for one in tmp_path.iterdir()] == ["folder.svg"]


def test_a_form_may_be_said(tmp_path: Path) -> None:
    output = tmp_path / "picture"

    done = diglot("render", TRIP, "-o", str(output), "--format", "svg")

    assert done.returncode == 0, done.stderr
    assert output.read_text(encoding="utf-8").startswith("<svg ")


def test_a_picture_is_replaced(tmp_path: Path) -> None:
    output = tmp_path / "out.svg"
    output.write_text("older " * 50_000)

    assert diglot("render", TRIP, "-o", str(output)).returncode == 0
    assert output.read_text(encoding="utf-8").endswith("</svg>\n")


def test_pixels_go_to_a_pipe_where_they_are_asked_for() -> None:
    pytest.importorskip("resvg_py")
    done = subprocess.run(
        [sys.executable, "-m", "diglot.api.cli", "render", TRIP, "--format", "png"],
        capture_output=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(b"\x89PNG\r\n")


def test_pixels_are_not_for_a_terminal() -> None:
    here, there = os.openpty()
    try:
        done = subprocess.run(
            [sys.executable, "-m", "diglot.api.cli", "render", TRIP, "--format", "png"],
            stdout=there,
            stderr=subprocess.PIPE,
            check=False,
            timeout=60,
            text=True,
        )
    finally:
        os.close(there)
        os.close(here)
    assert done.returncode == 2
    assert "name a file with -o" in done.stderr


def test_a_reader_that_leaves_is_no_fault() -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "diglot.api.cli", "render", TRIP],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == ""
        process.wait(60)


def test_standard_input_is_a_document() -> None:
    text = (EXAMPLES / "trip.bpmn").read_text(encoding="utf-8")
    done = diglot("render", "-", input=text)
    assert (done.returncode, done.stdout) == (0, diglot("render", TRIP).stdout)


def test_states_are_given_by_what_they_belong_to(tmp_path: Path) -> None:
    states = tmp_path / "states.json"
    states.write_text(json.dumps({"pay": {"status": "failed", "note": "no funds"}}))

    done = diglot("render", TRIP, "--state", str(states))

    assert done.returncode == 0, done.stderr
    assert title_of(done.stdout, "pay") == "Service task: Pay \u2013 failed: no funds"


@pytest.mark.parametrize(
    "text",
    ["", "[]", '{"pay": "done"}', '{"pay": {"status": "gone"}}', '{"pay": {}}', "\x00", "[" * 9999],
)
def test_states_that_are_none_are_refused(text: str, tmp_path: Path) -> None:
    states = tmp_path / "states.json"
    states.write_text(text)

    done = diglot("render", TRIP, "--state", str(states))

    assert (done.returncode, done.stdout) == (2, "")
    assert str(states) in done.stderr


def test_states_may_come_from_standard_input() -> None:
    done = diglot("render", TRIP, "--state", "-", input='{"pay": {"status": "waiting"}}')
    assert title_of(done.stdout, "pay") == "Service task: Pay \u2013 waiting"


def test_states_of_something_else_are_told(tmp_path: Path) -> None:
    states = tmp_path / "states.json"
    states.write_text('{"nobody": {"status": "done"}}')

    done = diglot("render", TRIP, "--state", str(states))

    assert done.returncode == 0
    assert "none of the states" in done.stderr


def test_a_run_is_drawn_with_where_it_stands(tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path / 'runs.db'}"
    begun = diglot("run", TRIP, "--complete", "service-task", "--fail", "pay=no-funds",
                   "--database", database, "--watch")  # fmt: skip
    instance = begun.stderr.split("instance ")[1].split()[0]

    done = diglot("render", "--instance", instance, "--database", database)

    assert done.returncode == 0, done.stderr
    assert " \u2013 failed" in title_of(done.stdout, "pay")
    assert " \u2013 done" in title_of(done.stdout, "home")
    assert "\u2013" not in title_of(done.stdout, "travel")


def test_a_run_is_drawn_as_its_document_was_though_the_imports_are_gone(tmp_path: Path) -> None:
    cases = ROOT / "conformance" / "bpmn" / "definitions"
    for name in ("import-followed.bpmn", "import-followed.shared.bpmn"):
        (tmp_path / name).write_bytes((cases / name).read_bytes())
    database = f"sqlite:///{tmp_path / 'runs.db'}"
    source = str(tmp_path / "import-followed.bpmn")
    begun = diglot("run", source, "--database", database, "--watch")
    drawn = diglot("render", source)
    for path in tmp_path.glob("*.bpmn"):
        path.unlink()

    instance = begun.stderr.split("instance ")[1].split()[0]
    done = diglot("render", "--instance", instance, "--database", database)

    assert (done.returncode, done.stderr) == (0, "")
    assert parsed(done.stdout).attrib["viewBox"] == parsed(drawn.stdout).attrib["viewBox"]
    assert title_of(done.stdout, "check") == "Call activity \u2013 active"


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ((), "name a document"),
        (("--instance", "x"), "--database"),
        ((TRIP, "--instance", "x", "--database", "sqlite://"), "not both"),
        (("--instance", "x", "--database", "sqlite://"), "no instance has the id x"),
        ((TRIP, "--database", "sqlite://"), "--database needs --instance"),
        (("--instance", "x", "--database", "sqlite:///none.db"), "there is no database none.db"),
        (("-", "--state", "-"), "cannot both be standard input"),
        (("nothing.bpmn",), "nothing.bpmn: No such file or directory"),
        ((TRIP, "--state", "nothing.json"), "nothing.json: No such file or directory"),
        ((TRIP, "--view", "other"), "'business', 'technical'"),
        ((TRIP, "--theme", "other"), "'auto', 'light', 'dark'"),
        ((TRIP, "--format", "gif"), "'svg', 'png'"),
        ((TRIP, "--process", "nobody"), "has no process nobody; it has"),
        ((TRIP, "--diagram", "7"), "there is no diagram 7; there is 1"),
        ((TRIP, "--background", "red"), "#rrggbb"),
    ],
)
def test_a_wrong_call_says_how(arguments: tuple[str, ...], told: str) -> None:
    done = diglot("render", *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert told in done.stderr


def test_a_document_with_errors_is_not_drawn(tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.yaml"
    wrong.write_text("document: {}\n")

    done = diglot("render", str(wrong))

    assert (done.returncode, done.stdout) == (1, "")
    assert "[error]" in done.stderr


TWO = """<definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL" targetNamespace="me">
<process id="one" name="First" isExecutable="true"><startEvent id="a"/></process>
<process id="two" name="Second" isExecutable="true"><startEvent id="b"/></process>
</definitions>"""


def test_of_several_diagrams_the_first_is_drawn_which_is_told(tmp_path: Path) -> None:
    source = tmp_path / "two.bpmn"
    source.write_text(TWO, encoding="utf-8")

    first = diglot("render", str(source))
    second = diglot("render", str(source), "--process", "two")

    assert first.returncode == second.returncode == 0
    assert parsed(first.stdout).findtext(f"{SVG}title") == "First"
    assert "this is First, diagram 1 of 2; --diagram shows another" in first.stderr
    assert parsed(second.stdout).findtext(f"{SVG}title") == "Second"
    for name in ("2", "Second", "two"):
        assert diglot("render", str(source), "--diagram", name).stdout == second.stdout


def test_one_of_several_diagrams_is_chosen_by_its_name_or_its_process() -> None:
    purchase = str(EXAMPLES / "purchase.bpmn")
    by_process = diglot("render", purchase, "--process", "seller")
    by_number = diglot("render", purchase, "--diagram", "1")
    assert by_process.stdout == by_number.stdout != ""


def test_a_theme_is_for_all_who_look() -> None:
    dark = diglot("render", TRIP, "--theme", "dark").stdout
    assert parsed(dark).attrib["color"] == "#e3e8ee"
    assert "<style>" not in dark
