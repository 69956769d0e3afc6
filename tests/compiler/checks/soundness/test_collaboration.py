"""The processes of one file play together: what one awaits and another sends."""

from __future__ import annotations

from itertools import pairwise

from diglot.compiler import compile_source
from diglot.compiler.checks.soundness.collaboration import Collaboration, run_together
from diglot.compiler.checks.soundness.composition import whole_of

KINDS = {
    "start": "<startEvent id='{id}'/>",
    "woken": "<startEvent id='{id}'><messageEventDefinition/></startEvent>",
    "end": "<endEvent id='{id}'/>",
    "task": "<task id='{id}'/>",
    "send": "<sendTask id='{id}'/>",
    "receive": "<receiveTask id='{id}'/>",
    "xor": "<exclusiveGateway id='{id}'/>",
    "and": "<parallelGateway id='{id}'/>",
    "race": "<eventBasedGateway id='{id}'/>",
    "catch": (
        "<intermediateCatchEvent id='{id}'><messageEventDefinition/></intermediateCatchEvent>"
    ),
    "timer": (
        "<intermediateCatchEvent id='{id}'><timerEventDefinition><timeDuration>PT1M</timeDuration>"
        "</timerEventDefinition></intermediateCatchEvent>"
    ),
}


def elements(*rows: str) -> str:
    """Nodes and flows from `start -> send ask -> end`; a node is `kind id`, or an id again."""
    made: dict[str, str] = {}
    flows: list[str] = []
    for row in rows:
        ids: list[str] = []
        for node in row.split(" -> "):
            kind, _, id = node.partition(" ")
            ids.append(id or kind)
            if id:
                made[id] = KINDS[kind].format(id=id)
        flows += [
            f"<sequenceFlow id='{one}-{other}' sourceRef='{one}' targetRef='{other}'/>"
            for one, other in pairwise(ids)
        ]
    return "".join((*made.values(), *flows))


def together(
    *processes: str, messages: str = "", budget: int = 20_000, most: int = 3
) -> Collaboration:
    """The processes, with message flows `one>other` between them."""
    pools = [f"<participant id='pool{n}' processRef='p{n}'/>" for n in range(len(processes))]
    for number, message in enumerate(messages.split()):
        source, _, target = message.partition(">")
        pools.append(f"<messageFlow id='m{number}' sourceRef='{source}' targetRef='{target}'/>")
    bodies = [
        f"<process id='p{number}' isExecutable='true'>{body}</process>"
        for number, body in enumerate(processes)
    ]
    compiled = compile_source(
        "<definitions xmlns='http://www.omg.org/spec/BPMN/20100524/MODEL' targetNamespace='x'>"
        f"<collaboration id='c'>{''.join(pools)}</collaboration>{''.join(bodies)}</definitions>",
        "together.bpmn",
    )
    assert len(compiled.graphs) == len(processes), compiled.diagnostics
    return run_together(whole_of(compiled.graphs), budget=budget, most=most)


ASKS = elements("start a1 -> send ask -> receive answered -> end a2")


def test_a_question_that_is_answered_comes_to_an_end() -> None:
    answers = elements("woken b1 -> send answer -> end b2")

    found = together(ASKS, answers, messages="ask>b1 answer>answered")

    assert (found.is_safe, found.completes, found.delivers) == (True, True, True)
    assert found.is_whole


def test_a_question_that_is_answered_on_one_way_only_gets_stuck_with_a_run_that_shows_it() -> None:
    answers = elements(
        "woken b1 -> xor decide -> send answer -> xor meet -> end b2", "decide -> task keep -> meet"
    )

    found = together(ASKS, answers, messages="ask>b1 answer>answered")

    assert not found.completes
    assert found.stuck is not None
    steps = [step.move.node for step in found.stuck.steps]
    assert found.stuck.decided == steps.index("decide")
    assert "keep" in steps
    assert "answer" not in steps


def test_two_that_wait_for_each_other_get_stuck() -> None:
    found = together(
        elements("start a1 -> receive first -> send one -> end a2"),
        elements("start b1 -> receive second -> send other -> end b2"),
        messages="one>second other>first",
    )

    assert not found.completes


def test_a_message_that_nobody_takes_is_left_over() -> None:
    found = together(
        elements("start a1 -> send one -> end a2"),
        elements("start b1 -> xor x -> receive got -> xor y -> end b2", "x -> y"),
        messages="one>got",
    )

    assert found.completes
    assert not found.delivers


def test_what_nobody_in_the_file_sends_comes_from_outside() -> None:
    found = together(elements("start a1 -> receive got -> end a2"))

    assert found.completes
    assert found.delivers


def test_a_race_goes_the_way_whose_message_has_come() -> None:
    found = together(
        elements("start a1 -> race r -> catch c1 -> end a2", "r -> catch c2 -> send no -> end a3"),
        elements("start b1 -> send hello -> end b2"),
        elements("woken d1 -> end d2"),
        messages="hello>c1 no>d1",
    )

    # Of the other way the message comes from outside, so that it may be taken, too.
    assert found.completes
    assert not found.delivers


def test_a_process_that_never_begins_leaves_nothing_undone() -> None:
    found = together(
        elements("start a1 -> xor x -> send wake -> end a2", "x -> end a3"),
        elements("woken b1 -> task t -> end b2"),
        messages="wake>b1",
    )

    assert found.completes
    assert found.delivers


def test_two_messages_wake_two_tokens_that_meet() -> None:
    found = together(
        elements("start a1 -> and f -> receive one -> task t -> end a2", "f -> receive other -> t"),
        elements("start b1 -> send s1 -> send s2 -> end b2"),
        messages="s1>one s2>other",
    )

    assert not found.is_safe
    assert not found.ends_once
    assert [step.move.node for step in found.to_unsafe].count("s2") == 1


def test_a_message_that_interrupts_a_sub_process_takes_what_is_inside() -> None:
    inside = elements("start i1 -> receive never -> end i2")
    body = (
        elements("start a1 -> s -> end a2", "stop -> end a3")
        + f"<subProcess id='s'>{inside}</subProcess>"
        + "<boundaryEvent id='stop' attachedToRef='s'><messageEventDefinition/></boundaryEvent>"
    )

    found = together(
        body,
        elements("start b1 -> send halt -> end b2"),
        elements("start c1 -> receive wait -> send late -> end c2"),
        messages="halt>stop late>never",
    )

    # What is inside waits for a message that is sent only after one that comes from outside.
    assert found.completes
    assert found.is_safe


def test_a_message_beside_a_sub_process_comes_as_often_as_it_is_sent() -> None:
    body = (
        elements("start a1 -> s -> end a2", "note -> task t -> end a3")
        + f"<subProcess id='s'>{elements('start i1 -> receive go -> end i2')}</subProcess>"
        + "<boundaryEvent id='note' attachedToRef='s' cancelActivity='false'>"
        + "<messageEventDefinition/></boundaryEvent>"
    )

    found = together(
        body,
        elements("start b1 -> send n1 -> send n2 -> send over -> end b2"),
        messages="n1>note n2>note over>go",
    )

    assert found.completes
    assert not found.is_safe


def test_what_would_go_on_beyond_what_is_looked_at_is_not_called_stuck() -> None:
    found = together(
        elements("start a1 -> xor x -> send more -> xor y -> x", "y -> end a2"),
        elements("start b1 -> receive got -> end b2"),
        messages="more>got",
    )

    assert not found.is_whole
    assert found.completes


def test_of_two_tokens_in_one_sub_process_nothing_is_claimed() -> None:
    inside = elements("start i1 -> receive go -> end i2")
    body = (
        elements("start a1 -> and f -> task t1 -> s -> send done -> end a2", "f -> task t2 -> s")
        + f"<subProcess id='s'>{inside}</subProcess>"
    )

    found = together(
        body,
        elements("start b1 -> send first -> receive heard -> send last -> end b2"),
        messages="first>go done>heard last>go",
    )

    # The second message is sent once the first of the two tokens has left.
    assert not found.is_safe
    assert not found.is_whole
    assert found.completes


def test_more_states_than_the_budget_are_not_looked_at() -> None:
    branches = [f"f -> task t{number} -> j" for number in range(12)]

    found = together(elements("start a1 -> and f -> and j -> end a2", *branches), budget=500)

    assert not found.is_whole
    assert found.markings == 500
