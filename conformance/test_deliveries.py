"""The orders in which messages may come: what each allows, and that it allows no more."""

from __future__ import annotations

import os
import random
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

import pytest

from conformance.external.deliveries import NETWORKS
from diglot.compiler.checks.soundness.collaboration import run_together
from diglot.compiler.checks.soundness.composition import ENDED, MESSAGE, Step, Whole
from diglot.compiler.checks.soundness.scope_net import Move

SEED = os.environ["DIGLOT_SEED"]
ANY_ORDER, PAIRS, CAUSALLY, INBOXES, OUTBOXES, ONE_QUEUE, ONE_BY_ONE = NETWORKS
IN_ORDER = tuple(NETWORKS)[1:]


def talking(*scripts: str) -> Whole:
    """Processes that send `!m`, wait for `?m`, and may wait for or go without `~m`, in order."""
    words = [script.split() for script in scripts]
    names = sorted({word[1:] for script in words for word in script})
    places = [("", "", name, MESSAGE) for name in names]
    steps: list[Step] = []
    begins: list[int] = []
    for number, script in enumerate(words):
        process = f"p{number}"
        begins.append(len(places))
        for at, word in enumerate(script):
            here, message = len(places), names.index(word[1:])
            places.append((process, "/", f"{at}", ""))
            move = Move(word, ())
            if word[0] == "!":
                steps.append(Step(process, move, (here,), (here + 1, message)))
            else:
                steps.append(Step(process, move, (here, message), (here + 1,)))
            if word[0] == "~":
                steps.append(Step(process, move, (here,), (here + 1,)))
        places.append((process, "/", "end", ENDED))
    return Whole(
        places=tuple(places),
        steps=tuple(steps),
        marked=tuple(begins),
        messages=frozenset(range(len(names))),
        ends=frozenset(n for n, place in enumerate(places) if place[3] == ENDED),
        idle=frozenset(),
        several=frozenset(),
        inside=frozenset(),
    )


def completing(*scripts: str) -> list[str]:
    """The ways of messages with which all come to their ends, whatever happens."""
    whole = talking(*scripts)
    found = {name: run_together(whole, delivery=way(whole)) for name, way in NETWORKS.items()}
    assert all(together.is_whole for together in found.values())
    return [name for name, together in found.items() if together.completes]


def test_two_messages_of_one_process_to_another_change_places_in_any_order_only() -> None:
    assert completing("!m !n", "?n ?m") == [ANY_ORDER]


def test_what_follows_from_a_message_overtakes_it_where_each_two_have_a_queue() -> None:
    assert completing("!first !next", "?next !last", "?last ?first") == [ANY_ORDER, PAIRS]


def test_a_box_of_the_receiver_has_an_order_for_those_of_different_senders() -> None:
    assert completing("!m", "!n", "?n ?m") == [ANY_ORDER, PAIRS, CAUSALLY, OUTBOXES]


def test_a_box_of_the_sender_has_an_order_for_those_to_different_receivers() -> None:
    assert completing("!m !n", "~m", "?n") == [ANY_ORDER, PAIRS, CAUSALLY, INBOXES]


def test_one_queue_has_an_order_for_those_that_have_no_process_in_common() -> None:
    assert completing("!m", "!n", "~m", "?n") == [*NETWORKS][:5]


def test_two_that_both_send_first_get_stuck_where_one_message_is_under_way_at_a_time() -> None:
    assert completing("!m ?n", "!n ?m") == [*NETWORKS][:6]


def test_who_is_asked_and_answers_comes_to_an_end_in_whichever_order() -> None:
    assert completing("!ask ?answer", "?ask !answer") == [*NETWORKS]


def test_a_race_is_not_decided_by_a_message_behind_another_one() -> None:
    whole = talking("!m !n", "~m ?n")
    m, n = sorted(whole.messages)
    sends = [step for step in whole.steps if step.move.node[0] == "!"]
    looks = [Step("p1", Move("race", ()), (one,), (one,)) for one in (m, n)]
    delivery = NETWORKS[INBOXES](whole)
    assert delivery is not None

    order = delivery.begins
    for step in sends:
        order = delivery.after(order, step)

    assert delivery.after(order, looks[0]) == order
    assert delivery.after(order, looks[1]) is None


def test_who_takes_two_messages_at_once_takes_them_in_their_order() -> None:
    whole = talking("!m !n", "?n ?m")
    m, n = sorted(whole.messages)
    sends = [step for step in whole.steps if step.move.node[0] == "!"]
    for name in IN_ORDER[:-1]:
        delivery = NETWORKS[name](whole)
        assert delivery is not None
        order = delivery.begins
        for step in sends:
            order = delivery.after(order, step)

        assert delivery.after(order, Step("p1", Move("both", ()), (n, m), ())) is not None


class _Event(NamedTuple):
    """A message sent or taken; of several of one name the first that is under way is taken."""

    sends: bool
    message: str
    sender: int
    receiver: int

    @property
    def process(self) -> int:
        """Where it happens."""
        return self.sender if self.sends else self.receiver


@pytest.mark.parametrize("number", range(40))
@pytest.mark.parametrize("name", IN_ORDER)
def test_a_run_is_allowed_if_and_only_if_its_events_are_in_order(name: str, number: int) -> None:
    chance = random.Random(f"{SEED} {number}")
    routes = {f"m{n}": tuple(chance.sample(range(4), 2)) for n in range(chance.randint(2, 6))}
    whole = _chattering(routes)
    delivery = NETWORKS[name](whole)
    assert delivery is not None
    order, run = delivery.begins, list[_Event]()

    for _ in range(30):
        under_way = [*_under_way(run)]
        message = chance.choice([*routes])
        sends = message not in under_way or chance.random() < 0.5
        event = _Event(sends, message, *routes[message])
        word = f"{'!' if sends else '?'}{message}"
        after = delivery.after(order, next(s for s in whole.steps if s.move.node == word))

        assert (after is not None) == _is_in_order([*run, event], name), [*run, event]
        if after is not None:
            order = after
            run.append(event)


def _chattering(routes: dict[str, tuple[int, ...]]) -> Whole:
    """Processes that may send and take their messages whenever they like, as far as steps go."""
    words: list[list[str]] = [[], [], [], []]
    for message, (sender, receiver) in routes.items():
        words[sender].append(f"!{message}")
        words[receiver].append(f"?{message}")
    return talking(*map(" ".join, words))


def _under_way(run: Sequence[_Event]) -> Iterator[str]:
    left = [event.message for event in run if event.sends]
    for event in run:
        if not event.sends:
            left.remove(event.message)
    yield from left


def _is_in_order(run: Sequence[_Event], name: str) -> bool:
    """By the definitions: what is sent later is not taken earlier, among those that compare.

    Source: Chevrou, Hurault, Quéinnec, On the diversity of asynchronous communication (2016).
    """
    if name == ONE_BY_ONE:
        return run[0].sends and all(
            other == one._replace(sends=False) if one.sends else other.sends
            for one, other in pairwise(run)
        )
    taken = _taken(run)
    for late, event in enumerate(run):
        for early in range(late) if event.sends and late in taken else ():
            other = run[early]
            if other.sends and taken.get(early, len(run)) > taken[late]:
                compares = {
                    PAIRS: (other.sender, other.receiver) == (event.sender, event.receiver),
                    CAUSALLY: other.receiver == event.receiver and _follows(run, late, early),
                    INBOXES: other.receiver == event.receiver,
                    OUTBOXES: other.sender == event.sender,
                    ONE_QUEUE: True,
                }
                if compares[name]:
                    return False
    return True


def _taken(run: Sequence[_Event]) -> dict[int, int]:
    """By the place of a sending in a run that of the taking."""
    found: dict[int, int] = {}
    for at, event in enumerate(run):
        if not event.sends:
            sent = next(
                n
                for n, one in enumerate(run)
                if one.sends and one.message == event.message and n not in found
            )
            found[sent] = at
    return found


def _follows(run: Sequence[_Event], late: int, early: int) -> bool:
    """Whether an event follows from an earlier one, by what a process does and what it is sent."""
    sent = {taken: sending for sending, taken in _taken(run).items()}
    reached, rest = {late}, [late]
    while rest:
        at = rest.pop()
        before = {n for n in range(at) if run[n].process == run[at].process}
        before |= {sent[at]} if at in sent else set()
        rest += before - reached
        reached |= before
    return early in reached
