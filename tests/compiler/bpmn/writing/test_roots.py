"""What a file declares has an id and a name of its own."""

from __future__ import annotations

from diglot.compiler.bpmn.writing.ids import Ids
from diglot.compiler.bpmn.writing.roots import Roots


def test_what_is_declared_twice_is_declared_once():
    roots = Roots(Ids())

    assert roots.error("Timeout error", "timeout") == roots.error("Timeout error", "timeout")
    assert roots.message("paid") != roots.signal("paid")
    assert [tag.name for tag in roots.tags] == ["error", "message", "signal"]


def test_errors_that_are_called_alike_are_told_apart_by_their_codes():
    roots = Roots(Ids())

    ids = {roots.error("Own error", f"https://{host}.example/own") for host in ("one", "two")}

    assert ids == {"error_own", "error_own_2"}
    assert [tag.attributes["name"] for tag in roots.tags] == [
        "Own error",
        "Own error (https://two.example/own)",
    ]
