"""What an instance waits for, each on a line with the option that would bring it."""

from __future__ import annotations

from pathlib import Path

import pytest

from diglot.api.cli.waits import waits
from diglot.compiler import compile_source
from diglot.compiler import graph as g
from support.graphs import (
    after,
    boundary,
    fork,
    jq,
    key,
    node,
    process,
    receive,
    task,
    told,
    wait,
    when,
)
from support.post import Post

ROOT = Path(__file__).resolve().parents[2]
CARRIED = ".correlationkey // .subject"


def lines(graph: g.Graph, **input: object) -> list[str]:
    """What an instance that has come to rest waits for."""
    post = Post()
    instance = post.begin(graph, input)
    found = [one.line for one in waits(post.engine, instance)]
    post.engine.close()
    return found


def listens(*keys: g.Correlation) -> g.Graph:
    return process("start -> work -> end\npaid -> endP", paid=boundary("work", told("paid", *keys)))


def test_each_kind_of_wait_has_the_option_that_brings_it() -> None:
    graph = process(
        "start -> all -> work -> end\nlate -> endL\nall -> paid -> endP\nall -> go -> endG\n"
        "all -> pause -> endT\nall -> when -> endW",
        all=fork(),
        work=task("user-task"),
        late=boundary("work", after("PT1H")),
        paid=receive("paid it"),
        go=receive("go", "signal"),
        pause=wait("PT2H"),
        when=when(".x == 1"),
    )

    assert sorted(lines(graph)) == [
        "go waits for the signal go: --signal go='{...}'",
        "late waits for the timer until 2025-06-15T16:06:40.000Z",
        "paid waits for the message paid it: --message 'paid it={...}'",
        "pause waits for the timer until 2025-06-15T17:06:40.000Z",
        "when waits for its condition to be true",
        "work (user-task) waits for somebody: --complete work='{...}', or --fail work=CODE",
    ]


def test_a_signal_without_a_name_is_any_signal() -> None:
    filter = g.EventFilter(kind="signal")
    part = node(g.Receive, strategy=g.EventStrategy(mode="one", filters=(filter,)))

    assert lines(process("start -> wait -> end", wait=part)) == [
        "wait waits for any signal: --signal NAME='{...}'"
    ]


@pytest.mark.parametrize(
    ("keys", "line"),
    [
        ((key("order", ".data.order"),), "the message paid: --message paid='{...}'"),
        (
            (key("correlationKey", CARRIED, jq('"7"'), is_shared=False),),
            "the message paid with correlationKey \"7\": --message paid@7='{...}'",
        ),
        (
            (key("correlationKey", CARRIED, jq(".order"), is_shared=False),),
            "the message paid with correlationKey null, which never comes",
        ),
        (
            (key("order", ".data.order", jq('error("no")'), is_shared=False),),
            "the message paid: --message paid='{...}'",
        ),
    ],
)
def test_a_message_has_the_keys_that_are_wanted(keys: tuple[g.Correlation, ...], line: str) -> None:
    assert lines(listens(*keys))[1] == f"paid waits for {line}"


def test_a_key_that_the_instance_has_learned_is_told() -> None:
    purchase = (ROOT / "examples" / "purchase.bpmn").read_bytes()
    buyer = compile_source(purchase, "purchase.bpmn").graphs[0]

    assert lines(buyer, order={"number": 7}) == [
        'receive-goods "Receive the goods" waits for the message goods with by-number 7:'
        " --message goods='{...}'"
    ]
