from __future__ import annotations

from diglot.compiler.graph import (
    Attribute,
    Constant,
    Emit,
    EventTrigger,
    Expression,
    Receive,
    Record,
    Start,
    TimerTrigger,
    UriTemplate,
)
from diglot.compiler.graph.data import Duration
from support.workflows import graph_of, node, scope


def listen(to: str, more: str = "") -> Receive:
    return node(graph_of(f"do: [{{a: {{listen: {{to: {to}}}{more}}}}}]"), "/do/0/a", Receive)


def test_an_event_keeps_its_attributes_in_the_authors_order():
    graph = graph_of(
        "do: [{a: {emit: {event: {with: {type: t, source: 'https://x/{id}', data: {n: '${ .n }'},\n"
        "  roomid: r}}}}}]"
    )
    event = node(graph, "/do/0/a", Emit).event

    assert isinstance(event, Record)
    assert [name for name, _ in event.members] == ["type", "source", "data", "roomid"]
    members = dict(event.members)
    assert members["type"] == Constant("t")
    assert members["source"] == UriTemplate("https://x/{id}")
    assert isinstance(members["data"], Record)


def test_one_event_is_awaited_by_its_attributes():
    found = listen("{one: {with: {type: a.b, data: '${ .t > 38 }', room: 5}}}")
    (wanted,) = found.strategy.filters
    kind, data, room = wanted.attributes

    assert (found.strategy.mode, found.read) == ("one", "data")
    assert kind == Attribute(name="type", value=Constant("a.b"), is_pattern=True)
    assert data.name == "data"
    assert isinstance(data.value, Expression)
    assert data.value.text == ".t > 38"
    assert room == Attribute(name="room", value=Constant(5))


def test_an_expression_is_no_pattern():
    found = listen("{one: {with: {type: '${ startswith(\"a\") }', source: s, subject: u}}}")

    assert [attribute.is_pattern for attribute in found.strategy.filters[0].attributes] == [
        False,
        True,
        True,
    ]


def test_all_and_any_take_several_filters():
    assert len(listen("{all: [{with: {type: a}}, {with: {type: b}}]}").strategy.filters) == 2
    assert listen("{all: [{with: {type: a}}]}").strategy.mode == "all"
    assert listen("{any: []}").strategy.filters == ()
    assert listen("{any: []}").strategy.mode == "any"


def test_listening_ends_by_a_condition_or_by_other_events():
    until = listen("{any: [], until: length > 3}").strategy.until
    events = listen("{any: [], until: {one: {with: {type: stop}}}}").strategy.until_events

    assert until is not None
    assert until.text == "length > 3"
    assert events is not None
    assert events.mode == "one"


def test_a_correlation_expects_a_constant_or_what_an_expression_gives():
    found = listen(
        "{one: {with: {type: a}, correlate: {first: {from: .id},\n"
        "  second: {from: .id, expect: abc},\n"
        "  third: {from: .id, expect: $context.id}, fourth: {from: .id, expect: '${ .x }'}}}}"
    )
    first, second, third, fourth = found.strategy.filters[0].correlations

    assert (first.name, first.read.text, first.expect) == ("first", ".id", None)
    assert second.expect == Constant("abc")
    assert isinstance(third.expect, Expression)
    assert third.expect.text == "$context.id"
    assert isinstance(fourth.expect, Expression)


def test_an_iterator_runs_a_scope_for_each_event():
    graph = graph_of(
        "do: [{a: {listen: {to: {any: []}, read: envelope}, foreach: {item: ev, at: i,\n"
        "  do: [{b: {set: {x: '${ $ev }'}}}], output: {as: .x}, export: {as: .y}}}}]"
    )
    found = node(graph, "/do/0/a", Receive)

    assert (found.read, found.item, found.index) == ("envelope", "ev", "i")
    assert found.body == "/do/0/a/foreach/do"
    assert scope(graph, "/do/0/a/foreach/do").form == "each"
    assert scope(graph, "/do/0/a/foreach/do").parent == "/"
    assert found.each is not None
    assert isinstance(found.each.write, Expression)
    assert isinstance(found.each.export, Expression)


def test_an_iterator_may_only_shape_the_events():
    found = listen("{any: []}", ", foreach: {output: {as: .x}}")

    assert found.body is None
    assert found.each is not None


def trigger(schedule: str) -> EventTrigger | TimerTrigger:
    graph = graph_of(f"schedule: {schedule}\ndo: [{{a: {{set: {{x: 1}}}}}}]")
    (found,) = node(graph, "/#start", Start).triggers
    assert isinstance(found, EventTrigger | TimerTrigger)
    return found


def test_a_schedule_is_a_trigger_of_the_start():
    assert trigger("{every: PT1M}") == TimerTrigger(
        form="every", value=Duration(milliseconds=60_000)
    )
    assert trigger("{after: {seconds: 1}}") == TimerTrigger(
        form="after", value=Duration(milliseconds=1_000)
    )
    assert trigger("{cron: '0  6 * * 1-5'}") == TimerTrigger(
        form="cron", value=Constant("0 6 * * 1-5")
    )
    assert trigger("{cron: '*/10 * * * * *'}") == TimerTrigger(
        form="cron", value=Constant("*/10 * * * * *")
    )


def test_events_start_a_workflow():
    found = trigger("{on: {one: {with: {type: t}}}, read: envelope}")

    assert isinstance(found, EventTrigger)
    assert (found.strategy.mode, found.read) == ("one", "envelope")


def test_a_workflow_without_a_schedule_starts_only_when_asked():
    assert node(graph_of("do: [{a: {set: {x: 1}}}]"), "/#start", Start).triggers == ()
