"""The check goes through graphs that no reader made, and comes to an end."""

from __future__ import annotations

from itertools import pairwise

import msgspec
import pytest

from diglot.compiler import compile_source
from diglot.compiler.checks.types import check_types
from diglot.compiler.diagnostics import Report
from diglot.compiler.graph import ErrorTrigger, Graph, Handler, Scope

DOCUMENT = """
document: {dsl: 1.0.3, namespace: test, name: it, version: 1.0.0}
do:
- a: {try: [{b: {set: {n: 1}}}], catch: {as: e, do: [{c: {set: {m: $e}}}]}}
- d: {for: {in: '[1]'}, do: [{f: {set: {n: 2}, export: {as: .}}}]}
- g: {fork: {branches: [{h: {set: {n: 3}}}, {i: {wait: PT1S}}]}}
"""


def graph() -> Graph:
    found = compile_source(DOCUMENT, "it.yaml").graph
    assert found is not None
    return found


def checked(broken: Graph) -> Report:
    report = Report()
    check_types(broken, report, {})
    return report


@pytest.mark.parametrize("part", ["scopes", "nodes", "flows", "handlers"])
def test_parts_may_be_missing(part: str) -> None:
    whole = graph()
    parts: tuple[object, ...] = getattr(whole, part)

    for place in range(len(parts)):
        broken = msgspec.structs.replace(whole, **{part: parts[:place] + parts[place + 1 :]})
        assert [found.severity for found in checked(broken) if found.severity == "error"] == []


def test_scopes_may_stand_inside_themselves() -> None:
    whole = graph()
    scopes = tuple(
        msgspec.structs.replace(scope, parent=whole.scopes[-1].id) for scope in whole.scopes
    )

    assert list(checked(msgspec.structs.replace(whole, scopes=scopes))) == []


def test_scopes_may_stand_deeper_inside_each_other_than_is_looked_at() -> None:
    whole = graph()
    names = [whole.root, *(f"s{number}" for number in range(20_000))]
    scopes = tuple(Scope(id=name, parent=parent) for parent, name in pairwise(names))

    assert list(checked(msgspec.structs.replace(whole, scopes=whole.scopes + scopes))) == []


def test_handlers_may_run_what_they_guard_and_stand_deep_inside_each_other() -> None:
    whole = graph()
    names = [f"s{number}" for number in range(3_000)]
    scopes = tuple(Scope(id=name, parent=whole.root) for name in names)
    handlers = tuple(
        Handler(id=f"h{name}", trigger=ErrorTrigger(), scope=name, run=run)
        for name, run in zip([whole.root, *names], [*names, whole.root], strict=True)
    )
    broken = msgspec.structs.replace(
        whole, scopes=whole.scopes + scopes, handlers=whole.handlers + handlers
    )

    assert list(checked(broken)) == []
