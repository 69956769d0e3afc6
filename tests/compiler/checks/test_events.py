from __future__ import annotations

import time

import pytest

from diglot.compiler.checks.events import check_events
from diglot.compiler.diagnostics import Report
from diglot.compiler.graph import (
    Attribute,
    Constant,
    EventFilter,
    EventStrategy,
    Graph,
    Receive,
    Scope,
)
from support.findings import in_process, in_workflow

AROUND = """<message id='m' name='paid'/><message id='n' name='sent'/><signal id='g' name='rain'/>
  <interface id='desk'><operation id='o'><inMessageRef>m</inMessageRef></operation></interface>"""
M = "<messageEventDefinition messageRef='m'/>"
N = "<messageEventDefinition messageRef='n'/>"
SIGNAL = "<signalEventDefinition signalRef='g'/>"


def flows(*pairs: str) -> str:
    return "".join(
        f"<sequenceFlow id='{pair}' sourceRef='{pair[0]}' targetRef='{pair[1]}'/>" for pair in pairs
    )


def rivals(body: str) -> list[tuple[str, str]]:
    return in_process(body, "DG0812", "DG0813", around=AROUND)


def starts(*definitions: str) -> str:
    return "".join(
        f"<startEvent id='{name}'>{definition}</startEvent><task id='{name.upper()}'/>"
        + flows(name + name.upper())
        for name, definition in zip("abc", definitions, strict=False)
    )


def test_one_message_starts_one_of_two() -> None:
    assert rivals(starts(M, M)) == [("DG0812", "b")]


def test_two_messages_and_a_signal_start_both() -> None:
    assert rivals(starts(M, N)) == []
    assert rivals(starts(SIGNAL, SIGNAL)) == []
    assert rivals(starts(M, SIGNAL)) == []


RACE = """<startEvent id='s'/><eventBasedGateway id='r'/>
  <intermediateCatchEvent id='a'>{}</intermediateCatchEvent>
  <intermediateCatchEvent id='b'>{}</intermediateCatchEvent>""" + flows("sr", "ra", "rb")


@pytest.mark.parametrize(
    ("one", "other", "found"),
    [(M, M, [("DG0813", "b")]), (M, N, []), (SIGNAL, SIGNAL, [])],
)
def test_of_two_events_of_a_race_one_takes_the_message(
    one: str, other: str, found: list[tuple[str, str]]
) -> None:
    assert rivals(RACE.format(one, other)) == found


def bounds(host: str, *events: str) -> str:
    return (
        "<startEvent id='s'/>"
        + host
        + "".join(
            f"<boundaryEvent id='{name}' attachedToRef='h' {event}</boundaryEvent>"
            for name, event in zip("abc", events, strict=False)
        )
        + flows("sh")
    )


INTERRUPTS = ">{}"
BESIDE = "cancelActivity='false'>{}"


@pytest.mark.parametrize("form", [INTERRUPTS, BESIDE])
def test_of_two_events_at_one_activity_one_takes_the_message(form: str) -> None:
    host = "<userTask id='h'/>"

    assert rivals(bounds(host, form.format(M), form.format(M))) == [("DG0813", "b")]
    assert rivals(bounds(host, form.format(M), form.format(N))) == []


@pytest.mark.parametrize(
    "host",
    [
        "<receiveTask id='h' messageRef='m'/>",
        "<subProcess id='h'><receiveTask id='x' messageRef='m'/></subProcess>",
        "<subProcess id='h'><subProcess id='i'><receiveTask id='x' messageRef='m'/></subProcess>"
        "</subProcess>",
    ],
)
def test_an_event_at_an_activity_takes_what_is_awaited_inside(host: str) -> None:
    found = rivals(bounds(host, INTERRUPTS.format(M)))

    assert [code for code, _ in found] == ["DG0813"]
    assert rivals(bounds(host, INTERRUPTS.format(N))) == []


def handled(is_interrupting: str, inside: str, beside: str = "") -> str:
    return f"""<startEvent id='s'/><userTask id='t'/>{flows("st")}{beside}
      <subProcess id='p' triggeredByEvent='true'>
      <startEvent id='e' isInterrupting='{is_interrupting}'>{M}</startEvent>
      {inside}{flows("ei")}</subProcess>"""


def test_an_event_sub_process_takes_what_the_process_awaits() -> None:
    beside = "<receiveTask id='x' messageRef='m'/>" + flows("tx")
    body = handled("false", "<task id='i'/>", beside)

    assert rivals(body) == [("DG0813", "x")]


def test_an_event_sub_process_that_goes_on_listening_takes_what_it_awaits_itself() -> None:
    inside = "<receiveTask id='i' messageRef='m'/>"

    assert rivals(handled("false", inside)) == [("DG0813", "i")]
    assert rivals(handled("true", inside)) == []


def test_what_is_awaited_one_after_the_other_is_no_rival() -> None:
    body = (
        "<startEvent id='s'/><receiveTask id='a' messageRef='m'/>"
        "<receiveTask id='b' messageRef='m'/>" + flows("sa", "ab")
    )

    assert rivals(body) == []


KEYED = """<startEvent id='s'/><eventBasedGateway id='r'/>
  <receiveTask id='a' messageRef='k'/><receiveTask id='b' messageRef='l'/>""" + flows(
    "sr", "ra", "rb"
)
TWO_KEYS = """<message id='k' name='paid'><extensionElements>
  <zeebe:subscription correlationKey='=order'/></extensionElements></message>
  <message id='l' name='paid'><extensionElements>
  <zeebe:subscription correlationKey='={}'/></extensionElements></message>"""


def test_two_keys_make_two_receivers() -> None:
    assert in_process(KEYED, "DG0813", around=TWO_KEYS.format("customer")) == []
    assert in_process(KEYED, "DG0813", around=TWO_KEYS.format("order")) == [("DG0813", "b")]


@pytest.mark.parametrize(
    ("name", "is_told"),
    [("${topic}", True), ("=topic", True), ("a-${b}", True), ("#{topic}", True), ("a=b", False)],
)
def test_a_name_that_wants_to_be_computed_is_told_once(name: str, is_told: bool) -> None:
    around = f"<message id='m' name='{name}'/>"
    body = (
        "<startEvent id='s'/><receiveTask id='a' messageRef='m'/>"
        "<receiveTask id='b' messageRef='m'/>" + flows("sa", "ab")
    )

    found = in_process(body, "DG0814", around=around)

    assert found == ([("DG0814", "a")] if is_told else [])


@pytest.mark.parametrize(
    ("condition", "is_told"),
    [("${stock &lt; 5}", True), ("${order.id == 1}", True), ("${true}", False)],
)
def test_a_condition_that_starts_instances_has_no_data(condition: str, is_told: bool) -> None:
    body = f"""<startEvent id='s'><conditionalEventDefinition>
      <condition xsi:type='tFormalExpression'>{condition}</condition>
      </conditionalEventDefinition></startEvent><task id='t'/>{flows("st")}"""

    assert len(in_process(body, "DG0815")) == int(is_told)


def test_a_schedule_compares_with_what_is_known_beforehand() -> None:
    def found(expect: str) -> list[tuple[str, str]]:
        key = f"{{from: .data.id, expect: {expect}}}"
        on = f"{{one: {{with: {{type: a}}, correlate: {{k: {key}}}}}}}"
        return in_workflow(f"schedule: {{on: {on}}}\ndo: [{{a: {{set: {{x: 1}}}}}}]\n", "DG0815")

    assert found("'${ .order }'") == [("DG0815", ".order")]
    assert found("seven") == []


def test_an_attribute_has_a_name_of_small_letters_and_digits() -> None:
    def found(attributes: str) -> list[tuple[str, str]]:
        return in_workflow(f"do: [{{a: {{emit: {{event: {{with: {attributes}}}}}}}}}]\n", "DG0818")

    assert found("{type: a, orderId: 1, order_id: 1}") == [
        ("DG0818", "orderId"),
        ("DG0818", "order_id"),
    ]
    assert found("{type: a, diglotinstance: x}") == [("DG0818", "diglotinstance")]
    assert found("{type: a, source: /x, orderid2: 1, data: {orderId: 1}}") == []


def test_a_filter_names_attributes_too() -> None:
    listen = "do: [{a: {listen: {to: {one: {with: {type: a, orderId: 1}}}}}}]\n"

    assert in_workflow(listen, "DG0818") == [("DG0818", "orderId")]


def test_thousands_of_waits_are_compared_in_a_moment() -> None:
    wanted = EventFilter(kind="message", attributes=(Attribute(name="type", value=Constant("m")),))
    scopes = [Scope(id="/", form="process")]
    scopes += [Scope(id=f"s{n}", parent=f"s{n - 1}" if n else "/") for n in range(5_000)]
    nodes = tuple(
        Receive(id=f"r{n}", scope=f"s{n}", strategy=EventStrategy(mode="one", filters=(wanted,)))
        for n in range(5_000)
    )
    graph = Graph(namespace="t", name="t", version="1.0.0", scopes=tuple(scopes), nodes=nodes)
    report = Report()

    began = time.process_time()
    check_events(graph, report, {})

    assert len(report) == 0
    assert time.process_time() - began < 1
