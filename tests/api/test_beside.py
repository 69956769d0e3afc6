"""What a document imports is read from its own folder and from nowhere else."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from diglot.api.beside import LIMIT_BYTES, beside
from diglot.compiler.imports import ImportRefused


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    inside = tmp_path / "models"
    (inside / "parts").mkdir(parents=True)
    (inside / "a b.bpmn").write_bytes(b"a")
    (inside / "parts" / "b.bpmn").write_bytes(b"b")
    (tmp_path / "secret.bpmn").write_bytes(b"secret")
    return inside


@pytest.mark.parametrize(
    ("below", "location", "expected"),
    [
        ("", "a b.bpmn", b"a"),
        ("", "a%20b.bpmn", b"a"),
        ("", "./parts/b.bpmn", b"b"),
        ("parts", "b.bpmn", b"b"),
        ("parts", "../a b.bpmn", b"a"),
        ("", "c.bpmn", None),
        ("", "parts", None),
    ],
)
def test_a_file_of_the_folder_is_read(
    folder: Path, below: str, location: str, expected: bytes | None
) -> None:
    assert beside(folder, below)(location) == expected


@pytest.mark.parametrize(
    "location",
    [
        "../secret.bpmn",
        "parts/../../secret.bpmn",
        "%2e%2e/secret.bpmn",
        "/etc/passwd",
        "file:///etc/passwd",
        "file:secret.bpmn",
        "https://diglot.example/shared.bpmn",
        "..\\secret.bpmn",
        "C:/secret.bpmn",
        "a\0b",
        "a%00b",
    ],
)
def test_nothing_else_is_read(folder: Path, location: str) -> None:
    with pytest.raises(ImportRefused):
        beside(folder)(location)


def test_a_link_out_of_the_folder_is_not_followed(folder: Path) -> None:
    (folder / "link.bpmn").symlink_to(folder.parent / "secret.bpmn")

    with pytest.raises(ImportRefused):
        beside(folder)("link.bpmn")


def test_what_is_no_plain_file_is_not_opened(folder: Path) -> None:
    os.mkfifo(folder / "pipe.bpmn")

    assert beside(folder)("pipe.bpmn") is None


def test_a_file_that_is_too_large_is_refused(folder: Path) -> None:
    (folder / "large.bpmn").write_bytes(b" " * (LIMIT_BYTES + 1))

    with pytest.raises(ImportRefused, match="more than"):
        beside(folder)("large.bpmn")
