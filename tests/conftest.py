from __future__ import annotations

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture(scope="session")
def suites() -> Path:
    """Other people's test files for Serverless Workflow, found through DIGLOT_SUITES."""
    folder = Path(os.environ.get("DIGLOT_SUITES") or ROOT.parent / "shared" / "suites")
    if not (folder / "serverless-workflow").is_dir():
        pytest.skip(f"no test suites below {folder}: set DIGLOT_SUITES")
    return folder / "serverless-workflow"


@pytest.fixture(scope="session")
def bpmn_suites() -> Path:
    """Other people's test files for BPMN, found through DIGLOT_SUITES."""
    folder = Path(os.environ.get("DIGLOT_SUITES") or ROOT.parent / "shared" / "suites") / "bpmn"
    if not folder.is_dir():
        pytest.skip(f"no test suites below {folder.parent}: set DIGLOT_SUITES")
    return folder
