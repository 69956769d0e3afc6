"""`diglot verify URL --all`: every instance is proven, however many there are and however long."""

from __future__ import annotations

from pathlib import Path

import pytest
from sqlalchemy import create_engine, text

from diglot.api.cli import verify
from diglot.runtime import engine as engines
from support.command import diglot
from support.graphs import process, wait
from support.runs import Run
from support.stores import new_url

pytestmark = pytest.mark.both_stores


@pytest.fixture
def url(tmp_path: Path) -> str:
    """Five instances."""
    found = new_url(tmp_path)
    run = Run(found)
    digest = run.engine.deploy(process("start -> pause -> a -> end", pause=wait("PT1S")))
    for number in range(5):
        run.engine.start(digest, {}, instance=f"i{number}")
    run.advance(1000)
    run.engine.close()
    return found


def test_every_instance_is_proven_page_by_page(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(verify, "PAGE", 2)
    monkeypatch.setattr(engines, "PIECE", 1)

    assert verify.verify_instances([url], None, every=True) == 0


def test_the_counts_are_told_and_what_is_wrong_is_named(url: str) -> None:
    proven = diglot("verify", url, "--all")
    assert (proven.returncode, proven.stdout.splitlines()[-1]) == (0, "5 proven, 0 failed")

    alchemy = create_engine(url.replace("postgresql://", "postgresql+psycopg://"))
    with alchemy.begin() as raw:
        raw.execute(text("UPDATE instances SET counter=counter+1 WHERE id='i3'"))
    alchemy.dispose()
    failed = diglot("verify", url, "--all")

    assert failed.returncode == 1
    assert "i3: history and rows disagree on counter" in failed.stdout
    assert failed.stdout.splitlines()[-1] == "4 proven, 1 failed"
    assert diglot("verify", url, "i1", "i2").returncode == 0
