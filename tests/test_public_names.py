"""The public Python interface: names here are promises."""

from __future__ import annotations

import subprocess
import sys

import diglot


def test_every_public_name_can_be_had() -> None:
    for name in diglot.__all__:
        assert getattr(diglot, name).__name__, name


def test_importing_the_package_imports_nothing_heavy() -> None:
    code = (
        "import sys, diglot; "
        "heavy = ('pydantic', 'httpx', 'sqlalchemy', 'jsonschema', 'typer'); "
        "print([m for m in heavy if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
