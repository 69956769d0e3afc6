"""Secrets: a run holds seals, the worker opens them, nobody else sees anything."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from diglot.runtime.faults import Fault
from diglot.runtime.secrets import Secrets, from_environment, masked, reseal
from support.runs import Run

VALUES = {"api": {"token": "s3cr3t-token", "port": 8080}, "plain": "hunter2-hunter2"}
KEY = bytes(range(32))


@pytest.fixture
def secrets() -> Secrets:
    return Secrets(VALUES.get, KEY)


def test_a_seal_says_nothing_of_the_value(secrets: Secrets) -> None:
    sealed = secrets.sealed("i1", "api")
    assert "s3cr3t" not in str(sealed)
    assert masked(sealed) == {"token": "***", "port": "***"}


def test_a_worker_opens_seals_alone_and_inside_text(secrets: Secrets) -> None:
    sealed = secrets.sealed("i1", "api")
    text = f"Bearer {sealed['token']}"

    assert secrets.unseal("i1", {"h": text, "p": sealed["port"]}) == {
        "h": "Bearer s3cr3t-token",
        "p": 8080,
    }


def test_a_seal_of_another_instance_or_database_opens_nothing(secrets: Secrets) -> None:
    foreign = Secrets(VALUES.get, b"x" * 32).sealed("i1", "plain")
    other = secrets.sealed("i2", "plain")

    assert secrets.unseal("i1", foreign) == "***"
    assert secrets.unseal("i1", f"a {other}") == "a ***"


def test_a_secret_that_comes_back_is_sealed_again(secrets: Secrets) -> None:
    sealed = secrets.sealed("i1", "api")
    opened = secrets.opened_in("i1", {"header": sealed["token"]})

    echoed = reseal({"echo": ["you sent s3cr3t-token"]}, opened)

    assert masked(echoed) == {"echo": ["you sent ***"]}


def test_a_secret_that_is_not_there_is_an_authorization_error(secrets: Secrets) -> None:
    with pytest.raises(Fault) as raised:
        secrets.sealed("i1", "nothing")
    assert (raised.value.problem["status"], raised.value.problem["title"]) == (
        403,
        "Authorization Error",
    )


def test_the_environment_gives_only_what_its_prefix_allows() -> None:
    provide = from_environment(
        {"DIGLOT_SECRET_API": '{"token": "t"}', "DIGLOT_SECRET_my_key": "v", "PATH": "/bin"}
    )
    assert provide("api") == {"token": "t"}
    assert provide("my-key") == "v"
    assert provide("PATH") is None


WITH_SECRET = """
use: {secrets: [plain]}
do:
  - shape: {input: {from: '{key: $secrets.plain}'}, set: {header: '${ "Bearer \\(.key)" }'}}
  - call:
      call: http
      with: {method: get, endpoint: https://example.com, headers: {X-Key: '${ .header }'}}
"""


def test_a_secret_is_in_no_row_and_no_output(tmp_path: Path) -> None:
    path = tmp_path / "runs.db"
    told: list[dict[str, Any]] = []
    run = Run(f"sqlite:///{path}", secrets=VALUES.get, sinks=(told.append,))
    instance = run.start(WITH_SECRET)
    (lease,) = run.claim()
    arguments = run.engine.secrets.unseal(instance, lease.arguments)
    assert arguments["headers"]["X-Key"] == "Bearer hunter2-hunter2"

    run.engine.complete(lease, {"ok": True})
    run.advance(0)
    run.engine.close()

    stored = b"".join(part.read_bytes() for part in tmp_path.iterdir())
    assert b"hunter2" not in stored
    assert "hunter2" not in str(told)
    assert told, "lifecycle events were sent"


def test_a_missing_secret_faults_the_task_with_403() -> None:
    run = Run(secrets=lambda name: None)
    instance = run.start(WITH_SECRET)
    error = run.row(instance).error
    assert error is not None
    assert (error["status"], error["instance"]) == (403, "/do/0/shape")
