"""Whole histories of workers, crashes, clocks and events, each drawn by one seed."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from diglot.runtime.store import open_store
from support.mail import Mail
from support.simulation import Simulation

#: Seeds of the ordinary run, and of a whole sweep.
FEW = range(40)
ALL = range(5_000)
#: A sweep is told in parts, so that one that fails names its hundred.
PART = 100


@pytest.fixture(scope="module")
def empty(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An empty database, made once: its layout takes longer than a whole simulation."""
    path = tmp_path_factory.mktemp("simulation") / "empty.db"
    open_store(f"sqlite:///{path}").close()
    return path


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """A folder in memory where the machine has one: what is simulated is not the disk."""
    memory = Path("/dev/shm")
    if not (memory.is_dir() and os.access(memory, os.W_OK)):
        yield tmp_path
        return
    path = memory / f"simulation-{os.getpid()}"
    path.mkdir(exist_ok=True)
    yield path
    shutil.rmtree(path)


def fresh(empty: Path, folder: Path) -> Path:
    """An empty database of its own for one simulation."""
    for old in folder.glob("runs.db*"):
        old.unlink()
    return Path(shutil.copy(empty, folder / "runs.db"))


def simulate(seed: int, empty: Path, folder: Path) -> None:
    Simulation(seed, fresh(empty, folder)).run()


@pytest.mark.parametrize("seed", FEW)
def test_whatever_happens_every_instance_ends_once_and_its_history_is_its_state(
    seed: int, empty: Path, folder: Path
) -> None:
    simulate(seed, empty, folder)


@pytest.mark.parametrize("seed", FEW)
def test_whatever_happens_a_message_is_taken_once_and_a_signal_by_everyone(
    seed: int, empty: Path, folder: Path
) -> None:
    Mail(seed, fresh(empty, folder)).run()


@pytest.mark.slow
@pytest.mark.skipif(os.environ.get("DIGLOT_SWEEP") != "all", reason="DIGLOT_SWEEP is not all")
@pytest.mark.parametrize("first", ALL[::PART])
def test_a_sweep_of_seeds(first: int, empty: Path, folder: Path) -> None:
    for seed in range(first, first + PART):
        simulate(seed, empty, folder)


@pytest.mark.slow
@pytest.mark.skipif(os.environ.get("DIGLOT_SWEEP") != "all", reason="DIGLOT_SWEEP is not all")
@pytest.mark.parametrize("first", ALL[::PART])
def test_a_sweep_of_seeds_for_messages(first: int, empty: Path, folder: Path) -> None:
    for seed in range(first, first + PART):
        Mail(seed, fresh(empty, folder)).run()
