"""`diglot conformance`: the suite lives beside the sources, not in the installed package."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

import typer


def run_suite(arguments: list[str]) -> int:
    """Run the suite of the checkout around the working folder, or around this package."""
    root = _checkout()
    if root is None:
        typer.echo(
            "diglot: the conformance suite is part of the source checkout; call this inside one",
            err=True,
        )
        return 2
    sys.path.insert(0, str(root))
    command = importlib.import_module("conformance.command")
    return int(command.main(arguments))


def _checkout() -> Path | None:
    here = Path.cwd()
    for folder in (here, *here.parents, *Path(__file__).resolve().parents):
        if (folder / "conformance" / "command.py").is_file():
            return folder
    return None
