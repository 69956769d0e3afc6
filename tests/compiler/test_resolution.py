"""Which definition a call names, where several are there."""

from __future__ import annotations

import pytest

from diglot.compiler.graph.resolution import Key, latest, resolve

PUBLISHED = {
    ("shop", "pay"): ["1.0.0", "1.10.0", "1.9.0"],
    ("bpmn", "pack"): ["1.0.0"],
    ("default", "pack"): ["2.0.0"],
    ("default", "ship"): ["1.0.0"],
}


def found(namespace: str, name: str, version: str = "latest") -> Key | None:
    return resolve(namespace, name, version, lambda where, what: PUBLISHED.get((where, what), []))


@pytest.mark.parametrize(
    ("versions", "highest"),
    [
        (["1.9.0", "1.10.0", "1.2.0"], "1.10.0"),
        (["1.0.0-rc.1", "1.0.0", "1.0.0-rc.2"], "1.0.0"),
        (["1.0.0-rc.9", "1.0.0-rc.10", "1.0.0-rc"], "1.0.0-rc.10"),
        (["1.0.0-2", "1.0.0-alpha"], "1.0.0-alpha"),
        ([f"1.{'9' * 9000}.0", f"2.{'0' * 9000}.0"], f"2.{'0' * 9000}.0"),
        (["²", "1.0.0"], "1.0.0"),
    ],
)
def test_the_highest_version_is_the_latest(versions: list[str], highest: str) -> None:
    assert latest(versions) == highest


def test_a_call_gets_the_version_it_names_or_the_latest() -> None:
    assert found("shop", "pay", "1.9.0") == Key("shop", "pay", "1.9.0")
    assert found("shop", "pay") == Key("shop", "pay", "1.10.0")
    assert found("shop", "pay", "3.0.0") is None


def test_a_process_is_looked_for_among_workflows_and_the_other_way_round() -> None:
    assert found("bpmn", "ship") == Key("default", "ship", "1.0.0")
    assert found("shop", "pack") == Key("bpmn", "pack", "1.0.0")
    assert found("bpmn", "pack") == Key("bpmn", "pack", "1.0.0")
    assert found("bpmn", "pack", "2.0.0") == Key("default", "pack", "2.0.0")
    assert found("shop", "nobody") is None
