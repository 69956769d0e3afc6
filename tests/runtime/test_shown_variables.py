"""A job shows the variables as they were when it was opened, wherever they are kept."""

from __future__ import annotations

from typing import Any

import pytest

from diglot.compiler import compile_source
from diglot.runtime.store.sql_store import SqlStore
from support.post import Post

pytestmark = pytest.mark.both_stores


def model(body: str) -> bytes:
    return f"""<?xml version="1.0" encoding="UTF-8"?>
<definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL" id="d"
  targetNamespace="https://diglot.example/test">
<process id="shown" isExecutable="true">{body}</process></definitions>""".encode()


SIDE_BY_SIDE = """
<startEvent id="start"/>
<sequenceFlow id="f0" sourceRef="start" targetRef="split"/>
<parallelGateway id="split"/>
<sequenceFlow id="f1" sourceRef="split" targetRef="a"/>
<sequenceFlow id="f2" sourceRef="split" targetRef="b"/>
<serviceTask id="a"/><serviceTask id="b"/>
<sequenceFlow id="f3" sourceRef="a" targetRef="join"/>
<sequenceFlow id="f4" sourceRef="b" targetRef="join"/>
<parallelGateway id="join"/>
<sequenceFlow id="f5" sourceRef="join" targetRef="c"/>
<serviceTask id="c"/>
<sequenceFlow id="f6" sourceRef="c" targetRef="end"/>
<endEvent id="end"/>
"""
IN_A_SCOPE = f"""
<startEvent id="begin"/>
<sequenceFlow id="g0" sourceRef="begin" targetRef="sub"/>
<subProcess id="sub">{SIDE_BY_SIDE}</subProcess>
<sequenceFlow id="g1" sourceRef="sub" targetRef="over"/>
<endEvent id="over"/>
"""


def begun(body: str, input: dict[str, Any]) -> tuple[Post, str]:
    post = Post()
    compiled = compile_source(model(body), "shown.bpmn")
    assert compiled.graph is not None, compiled.diagnostics
    return post, post.begin(compiled.graph, input)


@pytest.mark.parametrize("body", [SIDE_BY_SIDE, IN_A_SCOPE])
def test_what_a_neighbour_sets_afterwards_is_not_shown(body: str) -> None:
    post, _ = begun(body, {"n": 1})
    (a, b) = sorted(post.claim("service-task"), key=lambda lease: lease.node)
    assert a.arguments["variables"] == b.arguments["variables"] == {"n": 1}

    post.engine.complete(a, {"n": 2, "by": "a"})
    post.rest()
    assert post.engine.store.give_back(b, post.clock.now_ms(), post.clock.now_ms(), "released")
    (again,) = post.claim("service-task")

    assert again.node == b.node
    assert again.arguments["variables"] == {"n": 1}
    post.engine.complete(again, {"by": "b"})
    post.rest()
    (last,) = post.claim("service-task")
    assert last.arguments["variables"] == {"n": 2, "by": "b"}


def test_a_state_that_is_loaded_shows_the_same() -> None:
    post, instance = begun(IN_A_SCOPE, {"n": [1, {"m": None}]})
    before = {job.node: job.arguments for job in post.engine.state(instance).jobs.values()}
    (a, _) = sorted(post.claim("service-task"), key=lambda lease: lease.node)
    post.engine.complete(a, {"n": 2})
    post.rest()

    after = {job.node: job.arguments for job in post.engine.state(instance).jobs.values()}

    assert {"variables": {"n": [1, {"m": None}]}}.items() <= before[a.node].items()
    assert all(before[node] == arguments for node, arguments in after.items())
    assert [lease.arguments for lease in post.engine.store.leases()] == list(after.values())


def test_variables_are_kept_once_and_gone_with_their_scope() -> None:
    post, instance = begun(IN_A_SCOPE, {"text": "x" * 1000})
    store = post.engine.store
    assert isinstance(store, SqlStore)
    read = store._all  # pyright: ignore[reportPrivateUsage]
    kept = read("SELECT arguments FROM jobs", ())
    assert len(kept) == 2
    assert all(len(arguments) < 200 for (arguments,) in kept)

    while leases := post.claim("service-task"):
        for lease in leases:
            post.engine.complete(lease, {})
        post.rest()

    assert post.row(instance).status == "completed"
    assert read("SELECT scope FROM variables", ()) == []
