"""The pools of one file together, in the words of whoever drew them."""

from __future__ import annotations

from itertools import pairwise
from time import process_time

import pytest

from diglot.compiler import Compiled, compile_source
from diglot.compiler.diagnostics import Diagnostic
from diglot.compiler.several import with_pools
from support.findings import DEFINITIONS

KINDS = {
    "start": "<startEvent id='{id}'/>",
    "woken": "<startEvent id='{id}'><messageEventDefinition/></startEvent>",
    "end": "<endEvent id='{id}'/>",
    "task": "<userTask id='{id}' name='{id}'/>",
    "send": "<sendTask id='{id}' name='{id}'/>",
    "receive": "<receiveTask id='{id}' name='{id}'/>",
    "xor": "<exclusiveGateway id='{id}' default='{id}-{default}'/>",
    "or": "<inclusiveGateway id='{id}'/>",
    "and": "<parallelGateway id='{id}'/>",
    "race": "<eventBasedGateway id='{id}'/>",
    "timer": (
        "<intermediateCatchEvent id='{id}'><timerEventDefinition><timeDuration>PT1M</timeDuration>"
        "</timerEventDefinition></intermediateCatchEvent>"
    ),
}


def elements(*rows: str) -> str:
    """Nodes and flows from `start a -> send ask -> end b`; a flow `->?` has a condition."""
    made: dict[str, str] = {}
    flows: list[str] = []
    for row in rows:
        ids = [part.split()[-1].lstrip("?") for part in row.split(" -> ")]
        for part, id, following in zip(row.split(" -> "), ids, [*ids[1:], ""], strict=True):
            kind, _, named = part.partition(" ")
            if named:
                made[id] = KINDS[kind].format(id=id, default=following)
        flows += [
            f"<sequenceFlow id='{one}-{other}' sourceRef='{one}' targetRef='{other}'/>"
            for one, other in pairwise(ids)
        ]
    return "".join((*made.values(), *flows))


def compiled(messages: str, *processes: str) -> Compiled:
    """A file with a pool for each process, and message flows `one>other` between them."""
    pools = [
        f"<participant id='pool{n}' name='Pool {n}' processRef='p{n}'/>"
        for n in range(len(processes))
    ]
    for number, message in enumerate(messages.split()):
        source, _, target = message.partition(">")
        pools.append(f"<messageFlow id='said{number}' sourceRef='{source}' targetRef='{target}'/>")
    bodies = [
        f"<process id='p{number}' isExecutable='false'>{body}</process>"
        for number, body in enumerate(processes)
    ]
    found = compile_source(
        f"{DEFINITIONS}<collaboration id='trade'>{''.join(pools)}</collaboration>"
        f"{''.join(bodies)}</definitions>",
        "pools.bpmn",
    )
    assert len(found.graphs) >= len(processes), found.diagnostics
    return found


def findings(messages: str, *processes: str) -> list[Diagnostic]:
    """What is found of the pools together, and not of each by itself."""
    before = compiled(messages, *processes)
    after = with_pools(before)
    return [found for found in after.diagnostics if found not in before.diagnostics]


ASKS = elements("start begin -> send ask -> receive answered -> end happy")
ANSWERS = elements("woken asked -> send answer -> end over")
MAY_ANSWER = elements(
    "woken asked -> xor decide -> task keep -> end silent", "decide -> send answer -> end over"
)
FLOWS = "ask>asked answer>answered"


def test_pools_that_answer_each_other_are_in_order() -> None:
    assert findings(FLOWS, ASKS, ANSWERS) == []


def test_who_is_not_always_answered_may_wait_for_ever() -> None:
    (found,) = findings(FLOWS, ASKS, MAY_ANSWER)

    assert (found.code, found.pointer, found.severity) == ("DG1901", "answered", "error")
    assert found.message == (
        "`answered` may wait for ever: in `Pool 0` it waits for what is sent by `answer` of "
        "`Pool 1`, which does not come any more once in `Pool 1` `decide` takes the way to `keep`"
    )
    assert [(one.message, one.pointer) for one in found.related] == [
        ("this decides it", "decide"),
        ("what is waited for would come from here", "answer"),
    ]


def test_its_run_names_the_pools_and_tells_their_tokens_apart() -> None:
    (found,) = findings(FLOWS, ASKS, MAY_ANSWER)

    told = [(one.lane, one.process, one.message) for one in found.trace if one.matters]
    assert told == [
        (0, "bpmn/p0", "in `Pool 0` `ask` is done and goes on to `answered`"),
        (1, "bpmn/p1", "in `Pool 1` `decide` takes the way to `keep`"),
    ]


def test_two_that_wait_for_each_other_never_come_on() -> None:
    (found,) = findings(
        "one>second other>first",
        elements("start a -> receive first -> send one -> end b"),
        elements("start c -> receive second -> send other -> end d"),
    )

    assert found.message == (
        "`first` may wait for ever: in `Pool 0` it waits for what is sent by `other` of `Pool 1`, "
        "which never comes, while `second` waits there"
    )


def test_a_way_out_is_enough() -> None:
    waits = elements(
        "start begin -> send ask -> race r -> receive answered -> end happy",
        "r -> timer late -> end tired",
    )

    assert [found.code for found in findings(FLOWS, waits, MAY_ANSWER)] == ["DG1907"]


def test_what_comes_too_late_is_left_over() -> None:
    waits = elements(
        "start begin -> send ask -> race r -> receive answered -> end happy",
        "r -> timer late -> end tired",
    )
    (found,) = findings(FLOWS, waits, ANSWERS)

    assert (found.code, found.pointer, found.severity) == ("DG1907", "answer", "info")
    assert found.message == (
        "what `answer` of `Pool 1` sends may be left over: no pool takes it any more once in "
        "`Pool 0` `r` is done and goes on to `late`"
    )


def test_what_goes_round_for_ever_together_never_finishes() -> None:
    asks = elements(
        "start begin -> send ask -> race r -> receive more -> send next -> r",
        "r -> receive stop -> send bye -> end happy",
    )
    tells = elements(
        "woken asked -> send tell -> race q -> receive again -> tell",
        "q -> receive gone -> send halt -> end over",
    )
    (found,) = findings("ask>asked next>again tell>more bye>gone halt>stop", asks, tells)

    assert found.code == "DG1903"
    assert found.message.endswith("the collaboration of the pools can never finish")


def test_of_a_pool_that_is_wrong_by_itself_nothing_is_said_together() -> None:
    stuck = elements(
        "woken asked -> xor decide -> and join -> send answer -> end over",
        "decide -> task keep -> join",
    )
    (found,) = findings(FLOWS, ASKS, stuck)

    assert (found.code, found.hint) == ("DG1906", "Mend that, then ask again.")
    assert found.message == (
        "whether the collaboration of the pools always comes to its end is not decided: "
        "what is wrong with one pool by itself has to be mended first"
    )


def test_who_is_called_and_talks_is_not_looked_into() -> None:
    caller = "<startEvent id='s'/><callActivity id='call' calledElement='p1'/>" + (
        "<sequenceFlow id='f' sourceRef='s' targetRef='call'/>"
    )
    (found,) = findings(
        "say>answered",
        caller,
        elements("start c1 -> send say -> end c2"),
        elements("start begin -> receive answered -> end happy"),
    )

    assert found.message.endswith("`p1` is called, and takes or sends messages itself")


def test_a_file_of_one_pool_has_nothing_to_say() -> None:
    one = compiled("", ASKS)

    assert with_pools(one) is one


def test_its_author_may_know_better() -> None:
    before = compiled(FLOWS, ASKS, MAY_ANSWER)
    text = before.source.text.replace(
        "<receiveTask id='answered'", "<!-- diglot: ignore[DG1901] --><receiveTask id='answered'"
    )
    after = with_pools(compile_source(text, "pools.bpmn"))

    assert [one.finding.code for one in after.suppressed] == ["DG1901"]


@pytest.mark.parametrize(("pools", "tasks"), [(2, 800), (60, 20), (200, 2)])
def test_hostile_numbers_are_looked_through_in_time(pools: int, tasks: int) -> None:
    rows = [
        elements(f"start s{n} -> {' -> '.join(f'task t{n}x{m}' for m in range(tasks))} -> end e{n}")
        for n in range(pools)
    ]
    before = compiled("", *rows)
    start = process_time()
    after = with_pools(before)

    assert {one.code for one in after.diagnostics if one.code.startswith("DG19")} <= {"DG1906"}
    assert process_time() - start < 4


def test_what_is_too_wide_is_not_decided() -> None:
    talking = [
        elements(
            f"start s{n} -> or o{n} -> send a{n} -> or m{n} -> end e{n}",
            *(f"o{n} -> send {letter}{n} -> m{n}" for letter in "bcd"),
        )
        for n in range(5)
    ]
    hears = elements("start s -> receive r -> end e")
    (found,) = findings("a0>r", *talking, hears)

    assert found.code == "DG1906"
    assert "it can be in more than" in found.message


def test_messages_without_an_end_are_not_decided() -> None:
    asks = elements("start begin -> xor again -> send ask -> again", "again -> end over")
    hears = elements("woken asked -> end happy")
    (found,) = findings("ask>asked", asks, hears)

    assert found.code == "DG1906"
    assert found.message.endswith(
        "more than 3 tokens or messages of one kind may come together, or two in one sub-process"
    )


def test_pools_without_names_are_called_as_their_processes() -> None:
    before = compiled(FLOWS, ASKS, MAY_ANSWER)
    text = before.source.text.replace(" name='Pool 0'", "").replace(
        "<participant id='pool1'", "<participant id='outside'/><participant id='pool1'"
    )
    (found,) = (one for one in with_pools(compile_source(text)).diagnostics if one.code == "DG1901")

    assert "in `p0` it waits for what is sent by `answer` of `Pool 1`" in found.message
