"""What runs while faults are injected, and how often each of its jobs is done."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from tests.support.graphs import (
    after,
    boundary,
    calls,
    compensate,
    fork,
    join,
    jq,
    key,
    process,
    sends,
    starts,
    sub,
    told,
    undoes,
    wait,
    waits_for,
)

from diglot.compiler import compile_source
from diglot.compiler import graph as g

#: The worker says of a job of this node that it is to be made again, at its first attempt.
SHAKY: Final = "shaky"
#: The worker says of a job of this node that it failed, until the process has tried often enough.
FAILS: Final = "/do/0/fails/try/0/call"

_RETRY = """
document: {dsl: 1.0.3, namespace: test, name: retry, version: 1.0.0}
do:
- fails:
    try:
    - call: {call: http, with: {method: get, endpoint: 'http://x/'}}
    catch:
      errors: {with: {status: 503}}
      retry: {delay: {milliseconds: 50}, limit: {attempt: {count: 3}}}
"""


@dataclass(frozen=True, slots=True)
class Kind:
    """A definition; how many of each node's jobs an instance has; whether a message is awaited."""

    graph: g.Graph
    jobs: dict[str, int] = field(default_factory=dict[str, int])
    hears: bool = False


def _of(text: str) -> g.Graph:
    graph = compile_source(text, "retry.yaml").graph
    assert graph is not None
    return graph


_ID = key("id", ".data.id", expect=jq(".id"))

#: By name. Those without jobs of their own here are only called, or started by a message.
KINDS: Final[dict[str, Kind]] = {
    "linear": Kind(
        process(f"start -> a -> {SHAKY} -> c -> end", name="linear"), {"a": 1, SHAKY: 1, "c": 1}
    ),
    "fork": Kind(
        process(
            "start -> split -> a -> join -> d -> end\nsplit -> b -> join\nsplit -> c -> join",
            name="fork",
            split=fork(),
            join=join(),
        ),
        {"a": 1, "b": 1, "c": 1, "d": 1},
    ),
    "timers": Kind(
        process(
            "start -> pause -> a -> end\nlate -> b -> end",
            name="timers",
            pause=wait("PT0.7S"),
            late=boundary("a", after("PT10M")),
        ),
        {"a": 1},
    ),
    "hears": Kind(
        process("start -> a -> hear -> b -> end", name="hears", hear=waits_for("paid", _ID)),
        {"a": 1, "b": 1},
        hears=True,
    ),
    "asks": Kind(
        process(
            "start -> tell -> hear -> a -> end",
            name="asks",
            tell=sends("asked", "{id: .id}"),
            hear=waits_for("answered", _ID),
        ),
        {"a": 1},
    ),
    "answers": Kind(
        process(
            "start -> a -> tell -> end",
            name="answers",
            start=starts(told("asked")),
            tell=sends("answered", "{id: .id}"),
        ),
        {"a": 1},
    ),
    "calls": Kind(
        process("start -> a -> below -> b -> end", name="calls", below=calls("linear")),
        {"a": 1, "b": 1},
    ),
    "undoes": Kind(
        process(
            "start -> a -> b -> throw -> end",
            name="undoes",
            throw=compensate(),
            undo_a=undoes("a"),
            undo_b=undoes("b"),
        ),
        {"a": 1, "b": 1, "undo_a": 1, "undo_b": 1},
    ),
    "many": Kind(
        process(
            "start -> each -> b -> end",
            name="many",
            each=sub(
                "start_one -> one -> end_one",
                multi=g.MultiInstance(collection=jq("[range(7)]"), item="x"),
            ),
        ),
        {"one": 7, "b": 1},
    ),
    "retry": Kind(_of(_RETRY), {FAILS: 4}),
}
