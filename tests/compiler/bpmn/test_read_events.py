from __future__ import annotations

import pytest

from diglot.compiler import codes
from diglot.compiler.graph import (
    Compensate,
    ConditionTrigger,
    Constant,
    DataRules,
    Duration,
    Emit,
    End,
    ErrorTemplate,
    EventTrigger,
    Expression,
    Raise,
    Receive,
    Record,
    Start,
    TimerTrigger,
    Wait,
)
from support.bpmn_graphs import graph_of, graphs_of, kinds, node, path, ways

_SIGNALS = "<signal id='s1' name='one'/><signal id='s2' name='two'/>"


def _timer(content: str) -> str:
    return f"<timerEventDefinition>{content}</timerEventDefinition>"


def _caught(definition: str, around: str = "", finds: tuple[str, ...] = ()):
    return graph_of(
        f"<startEvent id='begin'/><intermediateCatchEvent id='wait'>{definition}"
        "</intermediateCatchEvent><endEvent id='done'/>" + path("begin wait done"),
        around,
        finds=finds,
    )


def _ended(definition: str, around: str = ""):
    return graph_of(
        f"<startEvent id='begin'/><endEvent id='done'>{definition}</endEvent>" + path("begin done"),
        around,
    )


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (
            "<timeDuration>P1DT30S</timeDuration>",
            TimerTrigger(form="duration", value=Duration(milliseconds=86_430_000)),
        ),
        (
            "<timeDate>2030-01-31T09:00:00Z</timeDate>",
            TimerTrigger(form="instant", value=Constant("2030-01-31T09:00:00Z")),
        ),
        (
            "<timeCycle>R3/PT10S</timeCycle>",
            TimerTrigger(form="cycle", value=Constant("R3/PT10S")),
        ),
        (
            "<timeCycle>0 0/5 * * * ?</timeCycle>",
            TimerTrigger(form="cycle", value=Constant("0 0/5 * * * ?")),
        ),
        (
            "<timeDuration>'PT1M'</timeDuration>",
            TimerTrigger(form="duration", value=Duration(milliseconds=60_000)),
        ),
    ],
)
def test_a_timer_waits_as_it_is_written(content: str, expected: TimerTrigger):
    assert node(_caught(_timer(content)), "wait", Wait).timer == expected


def test_a_computed_time_is_an_expression():
    timer = node(_caught(_timer("<timeDate>${due}</timeDate>")), "wait", Wait).timer

    assert timer is not None
    assert timer.form == "instant"
    assert getattr(timer.value, "source", "") == "${due}"


def test_a_time_that_cannot_be_read_is_refused():
    graph = _caught(
        _timer("<timeDuration>P1X</timeDuration>"),
        finds=("time-unreadable",),
    )

    node(graph, "wait", Receive)


@pytest.mark.parametrize(
    "time",
    [
        "<timeDate>${due}</timeDate>",
        "<timeDuration>= pause</timeDuration>",
        "<timeDuration>R3/PT1S</timeDuration>",
        "<timeCycle>= now()</timeCycle>",
    ],
)
def test_a_time_that_starts_instances_cannot_need_their_variables(time: str):
    graph = graph_of(
        f"<startEvent id='daily'>{_timer(time)}</startEvent><task id='a'/>" + path("daily a"),
        finds=("time-unreadable",),
    )

    assert isinstance(node(graph, "daily", Start).triggers[0], EventTrigger)


def test_a_start_may_compute_its_time_from_the_clock():
    graph = graph_of(
        f"<startEvent id='once'>{_timer('<timeDate>= now()</timeDate>')}</startEvent>"
        "<task id='a'/>" + path("once a")
    )

    (trigger,) = node(graph, "once", Start).triggers
    assert isinstance(trigger, TimerTrigger)
    assert isinstance(trigger.value, Expression)


def test_an_event_that_does_not_say_what_it_waits_for_waits_for_its_id():
    found = node(_caught(_timer(""), finds=("awaited-by-id",)), "wait", Receive)

    assert found.strategy.filters[0].kind == "message"
    assert found.strategy.filters[0].attributes[0].value == Constant("wait")


def test_a_conditional_event_waits_for_its_condition():
    graph = _caught(
        "<conditionalEventDefinition><condition>amount > 100</condition>"
        "</conditionalEventDefinition>"
    )
    condition = node(graph, "wait", Wait).condition

    assert condition is not None
    assert (condition.source, condition.yields) == ("amount > 100", "boolean")


def test_a_signal_is_caught_by_name_and_its_data_become_variables():
    graph = _caught("<signalEventDefinition signalRef='s1'/>", _SIGNALS)
    found = node(graph, "wait", Receive)

    assert found.strategy.mode == "one"
    assert found.strategy.filters[0].kind == "signal"
    assert found.strategy.filters[0].attributes[0].value == Constant("one")
    assert found.data is not None
    assert found.data.export_mode == "variables"


def test_signals_without_a_name_are_one_signal():
    graph = graph_of(
        "<startEvent id='begin'/><intermediateThrowEvent id='throw'><signalEventDefinition/>"
        "</intermediateThrowEvent><intermediateCatchEvent id='catch'><signalEventDefinition/>"
        "</intermediateCatchEvent>" + path("begin throw catch")
    )

    assert getattr(node(graph, "throw", Emit).event, "members", None) == (
        ("type", Constant("signal")),
    )
    filters = node(graph, "catch", Receive).strategy.filters
    assert filters[0].attributes[0].value == Constant("signal")


def test_an_event_definition_may_stand_elsewhere():
    graph = _caught(
        "<eventDefinitionRef>soon</eventDefinitionRef>",
        "<timerEventDefinition id='soon'><timeDuration>PT1S</timeDuration></timerEventDefinition>",
    )
    found = node(graph, "wait", Wait)

    assert found.construct == "intermediate-catch-event-timer"
    assert found.timer == TimerTrigger(form="duration", value=Duration(milliseconds=1000))


def test_a_multiple_event_waits_for_the_first_of_several():
    graph = _caught(
        "<signalEventDefinition signalRef='s1'/>" + _timer("<timeDuration>PT1S</timeDuration>"),
        _SIGNALS,
    )

    assert kinds(graph)["wait"] == "Race"
    assert ways(graph, "wait") == ["wait#1", "wait#2"]
    assert ways(graph, "wait#1") == ways(graph, "wait#2") == ["wait#after"]
    assert ways(graph, "wait#after") == ["done"]


def test_a_parallel_multiple_event_waits_for_all():
    graph = graph_of(
        "<startEvent id='begin'/><intermediateCatchEvent id='wait' parallelMultiple='true'>"
        "<signalEventDefinition signalRef='s1'/><signalEventDefinition signalRef='s2'/>"
        "</intermediateCatchEvent><endEvent id='done'/>" + path("begin wait done"),
        _SIGNALS,
    )

    assert (kinds(graph)["wait"], kinds(graph)["wait#all"]) == ("Fork", "Join")
    assert ways(graph, "wait#all") == ["done"]


_TWO_SIGNALS = "<signalEventDefinition signalRef='s1'/><signalEventDefinition signalRef='s2'/>"
_TWO_OUTPUTS = (
    "<dataOutput id='o1'/><dataOutput id='o2'/>"
    "<dataOutputAssociation><sourceRef>o1</sourceRef><targetRef>first</targetRef>"
    "</dataOutputAssociation><dataOutputAssociation><sourceRef>o2</sourceRef>"
    "<targetRef>second</targetRef></dataOutputAssociation>"
)
_TWO_PROPERTIES = "<property id='first'/><property id='second'/>"


def test_a_data_output_of_an_event_is_that_of_the_definition_in_its_place():
    graph = graph_of(
        f"{_TWO_PROPERTIES}<startEvent id='begin'/><intermediateCatchEvent id='wait'>"
        f"{_TWO_OUTPUTS}{_TWO_SIGNALS}</intermediateCatchEvent>" + path("begin wait"),
        _SIGNALS,
    )

    written = [_targets(node(graph, f"wait#{number}", Receive).data) for number in (1, 2)]
    assert written == [["first"], ["second"]]


def test_each_trigger_of_a_parallel_multiple_start_has_its_own_data_output():
    graph = graph_of(
        f"{_TWO_PROPERTIES}<startEvent id='both' parallelMultiple='true'>"
        f"{_TWO_OUTPUTS}{_TWO_SIGNALS}</startEvent>",
        _SIGNALS,
    )

    data = node(graph, "both", Start).data
    assert data is not None
    assert isinstance(data.export, Record)
    read = {name: getattr(value, "text", "") for name, value in data.export.members}
    assert (".[0]" in read["first"], ".[1]" in read["second"]) == (True, True)


def test_a_data_input_of_an_event_is_carried_by_the_definition_in_its_place():
    graph = graph_of(
        f"{_TWO_PROPERTIES}<startEvent id='begin'/><intermediateThrowEvent id='tell'>"
        "<dataInput id='i1'/><dataInput id='i2'/>"
        "<dataInputAssociation><sourceRef>first</sourceRef><targetRef>i1</targetRef>"
        "</dataInputAssociation><dataInputAssociation><sourceRef>second</sourceRef>"
        f"<targetRef>i2</targetRef></dataInputAssociation>{_TWO_SIGNALS}"
        "</intermediateThrowEvent>" + path("begin tell"),
        _SIGNALS,
    )

    carried = [_carried(node(graph, f"tell#{number}", Emit)) for number in (1, 2)]
    assert carried == [".first", ".second"]


def _targets(rules: DataRules | None) -> list[str]:
    assert rules is not None
    assert isinstance(rules.export, Record)
    return [name for name, _ in rules.export.members]


def _carried(emit: Emit) -> str:
    assert isinstance(emit.event, Record)
    data = dict(emit.event.members)["data"]
    assert isinstance(data, Expression)
    return data.text


def test_a_link_goes_on_at_its_namesake_of_the_same_level():
    link = "<linkEventDefinition name='later'/>"
    graph = graph_of(
        "<startEvent id='begin'/>"
        f"<intermediateThrowEvent id='from'>{link}</intermediateThrowEvent>"
        f"<intermediateCatchEvent id='to'>{link}</intermediateCatchEvent><endEvent id='done'/>"
        + path("begin from")
        + path("to done")
    )

    assert ways(graph, "from") == ["to"]
    assert (kinds(graph)["from"], kinds(graph)["to"]) == ("Pass", "Pass")


def test_a_link_that_leads_nowhere_is_told():
    graph_of(
        "<startEvent id='begin'/><intermediateThrowEvent id='from'>"
        "<linkEventDefinition name='later'/></intermediateThrowEvent>" + path("begin from"),
        finds=("link-without-catch",),
    )


def test_ends_without_and_with_effect():
    graph = graph_of(
        "<startEvent id='begin'/><endEvent id='done'/><endEvent id='stop'>"
        "<terminateEventDefinition/></endEvent>" + path("begin done") + path("begin stop")
    )

    assert node(graph, "done", End).effect == "none"
    assert node(graph, "stop", End).effect == "terminate"


@pytest.mark.parametrize(
    ("definition", "around", "code", "title"),
    [
        (
            "<errorEventDefinition errorRef='e'/>",
            "<error id='e' name='Rejected' errorCode='E42'/>",
            "E42",
            "Rejected",
        ),
        ("<errorEventDefinition errorRef='e'/>", "<error id='e' name='Bad'/>", "Bad", "Bad"),
        ("<errorEventDefinition errorRef='e'/>", "<error id='e'/>", "e", "e"),
        ("<errorEventDefinition errorRef='E7'/>", "", "E7", ""),
        ("<errorEventDefinition/>", "", "error", ""),
    ],
)  # fmt: skip
def test_an_error_is_raised_by_its_code(definition: str, around: str, code: str, title: str):
    assert node(_ended(definition, around), "done", Raise).error == ErrorTemplate(
        type=Constant(code),
        status=Constant(500),
        title=Constant(title) if title else None,
    )


def test_an_escalation_is_raised_by_its_code_and_the_token_goes_on():
    graph = graph_of(
        "<startEvent id='begin'/><intermediateThrowEvent id='tell'>"
        "<escalationEventDefinition escalationRef='late'/></intermediateThrowEvent>"
        "<endEvent id='done'/>" + path("begin tell done"),
        "<escalation id='late' escalationCode='LATE'/>",
    )

    assert node(graph, "tell", Raise).escalation == "LATE"
    assert ways(graph, "tell") == ["done"]


def test_compensation_is_asked_of_one_activity_or_of_the_scope():
    graph = graph_of(
        "<startEvent id='begin'/><task id='pay'/><intermediateThrowEvent id='one'>"
        "<compensateEventDefinition activityRef='pay' waitForCompletion='false'/>"
        "</intermediateThrowEvent><endEvent id='all'><compensateEventDefinition/></endEvent>"
        + path("begin pay one all")
    )
    one, everything = node(graph, "one", Compensate), node(graph, "all", Compensate)

    assert (one.activity, one.waits) == ("pay", False)
    assert (everything.activity, everything.waits) == (None, True)


def test_a_multiple_throw_brings_about_one_thing_after_the_other():
    graph = graph_of(
        "<startEvent id='begin'/><intermediateThrowEvent id='tell'>"
        "<signalEventDefinition signalRef='s2'/><signalEventDefinition signalRef='s1'/>"
        "</intermediateThrowEvent><endEvent id='done'/>" + path("begin tell done"),
        _SIGNALS,
    )

    assert ways(graph, "tell") == ["tell#1"]
    assert ways(graph, "tell#1") == ["tell#2"]
    assert ways(graph, "tell#2") == ["done"]
    assert getattr(node(graph, "tell#1", Emit).event, "members", None) == (
        ("type", Constant("two")),
    )


def test_typed_start_events_have_triggers():
    graph = graph_of(
        f"<startEvent id='daily'>{_timer('<timeCycle>R/P1D</timeCycle>')}</startEvent>"
        "<startEvent id='full'><conditionalEventDefinition><condition>stock > 10</condition>"
        "</conditionalEventDefinition></startEvent>"
        "<startEvent id='told'><signalEventDefinition signalRef='s1'/></startEvent>"
        "<task id='a'/>" + path("daily a") + path("full a") + path("told a"),
        _SIGNALS,
    )

    assert node(graph, "daily", Start).triggers == (
        TimerTrigger(form="cycle", value=Constant("R/P1D")),
    )
    assert isinstance(node(graph, "full", Start).triggers[0], ConditionTrigger)
    told = node(graph, "told", Start)
    assert isinstance(told.triggers[0], EventTrigger)
    assert told.data is not None


def test_a_multiple_start_has_several_triggers_and_a_parallel_one_a_common_one():
    definitions = "<signalEventDefinition signalRef='s1'/><signalEventDefinition signalRef='s2'/>"
    either = graph_of(f"<startEvent id='either'>{definitions}</startEvent>", _SIGNALS)
    both = graph_of(
        f"<startEvent id='both' parallelMultiple='true'>{definitions}</startEvent>", _SIGNALS
    )

    assert len(node(either, "either", Start).triggers) == 2
    (trigger,) = node(both, "both", Start).triggers
    assert isinstance(trigger, EventTrigger)
    assert (trigger.strategy.mode, len(trigger.strategy.filters)) == ("all", 2)


def test_a_parallel_start_cannot_wait_for_a_time():
    graph_of(
        "<startEvent id='both' parallelMultiple='true'><signalEventDefinition signalRef='s1'/>"
        + _timer("<timeDuration>PT1S</timeDuration>")
        + "</startEvent>",
        _SIGNALS,
        finds=("parallel-start-of-other",),
    )


def test_an_intermediate_event_without_a_definition_lets_tokens_pass():
    graph = graph_of(
        "<startEvent id='begin'/><intermediateThrowEvent id='milestone'/><endEvent id='done'/>"
        + path("begin milestone done")
    )

    assert kinds(graph)["milestone"] == "Pass"


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("timeDate", "2030-02-30"),
        ("timeDate", "2030-01-01T25:00:00Z"),
        ("timeDate", "2030-01-01T09:00:00[Nowhere/Land]"),
        ("timeCycle", "R3/PT0S"),
        ("timeCycle", "R/2030-13-01T00:00:00Z/PT1H"),
        ("timeCycle", "R2/2030-01-02T00:00:00Z/2030-01-01T00:00:00Z"),
        ("timeCycle", "0 61 * * * *"),
        ("timeCycle", "0 0 31 2 *"),
        ("timeCycle", "h * * * *"),
        ("timeCycle", "@every 5m"),
        ("timeDuration", "P1Y" + "0" * 300 + "D"),
    ],
)
def test_a_time_that_no_clock_could_follow_is_told_at_its_place(kind: str, text: str) -> None:
    definition = f"<timerEventDefinition><{kind}>{text}</{kind}></timerEventDefinition>"
    _, report = graphs_of(
        f"<process id='order' isExecutable='true'><startEvent id='begin'>{definition}</startEvent>"
        "</process>"
    )

    (found,) = [one for one in report if one.code == codes.TIME_UNREADABLE.id]

    assert found.span is not None
    assert found.span.end.column - found.span.start.column == len(text)


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("timeDate", "2030-01-01T09:00:00[Europe/Berlin]"),
        ("timeDate", "2030-01-01T09:00:00+01:00[Europe/Berlin]"),
        ("timeCycle", "R/PT10S"),
        ("timeCycle", "@daily"),
        ("timeCycle", "0 0 12 ? * MON"),
    ],
)
def test_a_constant_time_is_kept_as_it_is_written(kind: str, text: str) -> None:
    definition = f"<timerEventDefinition><{kind}>{text}</{kind}></timerEventDefinition>"

    graph = graph_of(f"<startEvent id='begin'>{definition}</startEvent>")

    (trigger,) = node(graph, "begin", Start).triggers
    assert isinstance(trigger, TimerTrigger)
    assert trigger.value == Constant(text)


def test_a_signal_that_a_vendor_keeps_in_its_instance_is_local() -> None:
    graph = graph_of(
        "<startEvent id='begin'/><intermediateThrowEvent id='tell'>"
        "<signalEventDefinition signalRef='paid'/></intermediateThrowEvent>" + path("begin tell"),
        "<signal id='paid' name='paid' flowable:scope='processInstance'/>",
    )

    assert node(graph, "tell", Emit).is_local
