"""A short run of processes that die and stand still at random, with a seed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.slow
@pytest.mark.parametrize("store", ["sqlite", "postgres"])
def test_whoever_dies_everything_ends_and_is_proven(store: str) -> None:
    words = "--minutes 0.2 --engines 2 --workers 2 --seed 7 --most 150 --store"
    ran = subprocess.run(
        [sys.executable, "-m", "tests.faults.random_faults", *words.split(), store],
        cwd=ROOT, capture_output=True, text=True, check=False, timeout=300,
    )  # fmt: skip

    assert ran.returncode == 0, ran.stderr
    assert "all of it is proven" in ran.stdout
