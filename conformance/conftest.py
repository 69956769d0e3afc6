"""What the suite needs around it: doubles, folders for databases, and the seed of samples."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator

import pytest

from conformance.harness.doubles import Servers
from conformance.harness.modes import Stage


def pytest_configure(config: pytest.Config) -> None:
    # In the environment, so that every worker of a parallel run draws from the same seed.
    os.environ.setdefault("DIGLOT_SEED", str(secrets.randbelow(1_000_000)))


def pytest_report_header(config: pytest.Config) -> str:
    sweep = "all of them" if _sweeps_all() else "a sample, DIGLOT_SWEEP=all for all of them"
    seed = os.environ["DIGLOT_SEED"]
    return f"conformance: kills at commits and ways to BPMN: {sweep}; DIGLOT_SEED={seed}"


@pytest.fixture(scope="session")
def stage() -> Iterator[Stage]:
    """Servers and folders for plays."""
    with Servers() as servers:
        stage = Stage(servers, seed=int(os.environ["DIGLOT_SEED"]), sweeps_all=_sweeps_all())
        yield stage
        stage.close()


def _sweeps_all() -> bool:
    return os.environ.get("DIGLOT_SWEEP") == "all"
