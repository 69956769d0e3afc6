"""The command line follows the imports of a BPMN file, in its own folder."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from support.command import diglot

BPMN = "http://www.omg.org/spec/BPMN/20100524/MODEL"
CALLED = (
    f"<definitions xmlns='{BPMN}' targetNamespace='https://diglot.example/shared'>"
    "<process id='checking' isExecutable='true'><startEvent id='begin'/>"
    "<scriptTask id='check' scriptFormat='jq'><script>{checked: true}</script></scriptTask>"
    "<endEvent id='done'/><sequenceFlow id='a' sourceRef='begin' targetRef='check'/>"
    "<sequenceFlow id='b' sourceRef='check' targetRef='done'/></process></definitions>"
)


def _order(location: str, called: str = "shared:checking") -> str:
    return (
        f"<definitions xmlns='{BPMN}' xmlns:shared='https://diglot.example/shared' "
        "targetNamespace='https://diglot.example/order'>"
        f"<import importType='{BPMN}' location='{location}' "
        "namespace='https://diglot.example/shared'/>"
        "<process id='order' isExecutable='true'><startEvent id='begin'/>"
        f"<callActivity id='check' calledElement='{called}'/><endEvent id='done'/>"
        "<sequenceFlow id='a' sourceRef='begin' targetRef='check'/>"
        "<sequenceFlow id='b' sourceRef='check' targetRef='done'/></process></definitions>"
    )


def _codes(done: subprocess.CompletedProcess[str]) -> set[str]:
    found = json.loads(done.stdout)
    return {one["code"] for one in found}


def test_an_import_beside_the_file_is_followed(tmp_path: Path) -> None:
    (tmp_path / "order.bpmn").write_text(_order("parts/shared.bpmn"))
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "shared.bpmn").write_text(CALLED)

    done = diglot("check", str(tmp_path / "order.bpmn"), "--format", "json")

    assert _codes(done) & {"DG1259", "DG1299"} == set()


def test_a_process_of_an_import_is_known_where_it_is_called(tmp_path: Path) -> None:
    slip = tmp_path / "slip.bpmn"
    slip.write_text(_order("shared.bpmn", "shared:cheking"))
    (tmp_path / "order.bpmn").write_text(_order("shared.bpmn"))
    (tmp_path / "shared.bpmn").write_text(CALLED)

    done = diglot("check", str(tmp_path / "order.bpmn"), "--format", "json")

    assert _codes(done) & {"DG0411", "DG0412"} == set()
    assert "Did you mean `checking`?" in diglot("check", str(slip)).stdout


def test_an_import_out_of_the_folder_is_not(tmp_path: Path) -> None:
    (tmp_path / "models").mkdir()
    (tmp_path / "models" / "order.bpmn").write_text(_order("../shared.bpmn"))
    (tmp_path / "shared.bpmn").write_text(CALLED)

    done = diglot("check", str(tmp_path / "models" / "order.bpmn"), "--format", "json")

    assert "DG1299" in _codes(done)


def test_a_document_from_standard_input_has_no_folder(tmp_path: Path) -> None:
    done = diglot("check", "-", "--format", "json", input=_order("shared.bpmn"))

    assert "DG1259" in _codes(done)


def test_what_is_imported_is_published_too(tmp_path: Path) -> None:
    (tmp_path / "order.bpmn").write_text(_order("shared.bpmn"))
    (tmp_path / "shared.bpmn").write_text(CALLED)

    done = diglot("run", str(tmp_path / "order.bpmn"))

    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == {}


def test_an_imported_file_with_errors_refuses_the_run(tmp_path: Path) -> None:
    (tmp_path / "order.bpmn").write_text(_order("shared.bpmn"))
    (tmp_path / "shared.bpmn").write_text(
        CALLED.replace("{checked: true}", "").replace(
            "<endEvent id='done'/>",
            "<endEvent id='done'/><callActivity id='nothing'/>",
        )
    )

    done = diglot("run", str(tmp_path / "order.bpmn"))

    assert done.returncode == 1
    assert "shared.bpmn" in done.stderr


@pytest.mark.skipif(sys.platform != "linux", reason="names of files are text there")
def test_a_folder_whose_name_is_no_text_is_read_and_shown(tmp_path: Path) -> None:
    folder = tmp_path / os.fsdecode(b"mod\xff")
    (folder / "parts").mkdir(parents=True)
    (folder / "order.bpmn").write_text(_order("parts/shared.bpmn"))
    (folder / "parts" / "shared.bpmn").write_text(CALLED)

    shown = diglot("check", str(folder / "order.bpmn"), "--format", "sarif")
    run = diglot("run", str(folder / "order.bpmn"))

    assert (shown.returncode, shown.stderr) == (0, "")
    assert (run.returncode, json.loads(run.stdout)) == (0, {})
