from __future__ import annotations

import pytest

from diglot.compiler import codes, compile_source
from diglot.compiler.checks.races import check_races
from diglot.compiler.diagnostics import Report
from diglot.compiler.graph import Graph
from support.bpmn_graphs import graph_of, path

_SIGNALS = "<signal id='s1' name='one'/><signal id='s2' name='two'/>"
_ONE = "<signalEventDefinition signalRef='s1'/>"
_TWO = "<signalEventDefinition signalRef='s2'/>"
_HOUR = "<timerEventDefinition><timeDuration>PT1H</timeDuration></timerEventDefinition>"
_DAY = "<timerEventDefinition><timeDuration>P1D</timeDuration></timerEventDefinition>"


def findings(graph: Graph) -> list[tuple[str, str]]:
    report = Report()
    check_races(graph, report, {})
    return [(codes.by_id(one.code).name, one.message) for one in report]


# -- one thing, waited for twice


def guarded(first: str, second: str, attributes: str = "") -> Graph:
    return graph_of(
        "<startEvent id='begin'/><userTask id='a'/><userTask id='b'/>"
        f"<boundaryEvent id='e1' attachedToRef='a'>{first}</boundaryEvent>"
        f"<boundaryEvent id='e2' attachedToRef='a' {attributes}>{second}</boundaryEvent>"
        + path("begin a")
        + path("e1 b")
        + path("e2 b"),
        _SIGNALS,
    )


@pytest.mark.parametrize(("what", "trigger"), [("signal", _ONE), ("time", _HOUR)])
def test_two_events_of_an_activity_wait_for_the_same(what: str, trigger: str) -> None:
    assert findings(guarded(trigger, trigger)) == [
        ("caught-twice", f"`e2` waits at `a` for the same {what} as `e1`")
    ]


@pytest.mark.parametrize(("first", "second"), [(_ONE, _TWO), (_HOUR, _DAY), (_ONE, _HOUR)])
def test_events_may_wait_for_different_things(first: str, second: str) -> None:
    assert findings(guarded(first, second)) == []


def test_what_goes_on_beside_may_hear_the_same_signal() -> None:
    assert findings(guarded(_ONE, _ONE, "cancelActivity='false'")) == []


def test_events_of_two_activities_may_wait_for_the_same() -> None:
    graph = graph_of(
        "<startEvent id='begin'/><userTask id='a'/><userTask id='b'/><userTask id='c'/>"
        f"<boundaryEvent id='e1' attachedToRef='a'>{_ONE}</boundaryEvent>"
        f"<boundaryEvent id='e2' attachedToRef='b'>{_ONE}</boundaryEvent>"
        + path("begin a b")
        + path("e1 c")
        + path("e2 c"),
        _SIGNALS,
    )

    assert findings(graph) == []


def raced(first: str, second: str) -> Graph:
    return graph_of(
        "<startEvent id='begin'/><eventBasedGateway id='race'/><userTask id='a'/>"
        f"<intermediateCatchEvent id='e1'>{first}</intermediateCatchEvent>"
        f"<intermediateCatchEvent id='e2'>{second}</intermediateCatchEvent>"
        + path("begin race e1 a")
        + path("race e2 a"),
        _SIGNALS,
    )


@pytest.mark.parametrize(("what", "trigger"), [("signal", _ONE), ("time", _HOUR)])
def test_a_race_between_the_same_is_none(what: str, trigger: str) -> None:
    assert findings(raced(trigger, trigger)) == [
        ("caught-twice", f"`e2` waits at `race` for the same {what} as `e1`")
    ]


def test_a_race_between_others_is_one() -> None:
    assert findings(raced(_ONE, _HOUR)) == []


# -- branches that lose

_HEAD = """
document: { dsl: '1.0.3', namespace: test, name: race, version: '1.0.0' }
do:
  - race:
      fork:
        compete: COMPETE
        branches:
          - quick: { do: [pause: { wait: PT1S }] }
          - slow:
              do: [SLOW]
"""
_POST = "order: { call: http, with: { method: METHOD, endpoint: https://example.com/orders } }"
_PAUSE = "pause: { wait: PT1H }"


def branch(*tasks: str, method: str = "post", compete: str = "true") -> Graph:
    text = _HEAD.replace("COMPETE", compete).replace(
        "SLOW", ", ".join(f"{{ {task} }}" for task in tasks)
    )
    compiled = compile_source(text.replace("METHOD", method))
    assert compiled.graph is not None, compiled.diagnostics
    return compiled.graph


def test_a_branch_may_lose_when_it_has_changed_something() -> None:
    assert findings(branch(_POST, _PAUSE)) == [
        (
            "loser-half-done",
            "the branch `slow` may be stopped when it has done `order` and not yet what follows",
        )
    ]


def test_a_branch_may_lose_when_it_has_told_something() -> None:
    told = "told: { emit: { event: { with: { type: began } } } }"

    assert [name for name, _ in findings(branch(told, _PAUSE))] == ["loser-half-done"]


def test_what_is_done_last_decides_the_race() -> None:
    assert findings(branch(_PAUSE, _POST)) == []


@pytest.mark.parametrize("method", ["get", "HEAD", "options"])
def test_a_request_that_changes_nothing_may_lose(method: str) -> None:
    assert findings(branch(_POST, _PAUSE, method=method)) == []


def test_what_follows_without_a_pause_belongs_to_it() -> None:
    assert findings(branch(_POST, "note: { set: { done: true } }")) == []


def test_branches_that_all_come_to_their_end_lose_nothing() -> None:
    assert findings(branch(_POST, _PAUSE, compete="false")) == []


def test_what_happens_deeper_inside_counts() -> None:
    assert [name for name, _ in findings(branch(f"part: {{ do: [{{ {_POST} }}] }}", _PAUSE))] == [
        "loser-half-done"
    ]
