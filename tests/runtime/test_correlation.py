"""Correlation: which message belongs to which instance.

Source: BPMN 2.0.2 8.4.2.
"""

from __future__ import annotations

import pytest

from diglot.compiler import graph as g
from support.graphs import (
    event_sub,
    fork,
    join,
    key,
    node,
    process,
    sends,
    sets,
    starts,
    told,
    told_all,
    waits_for,
)
from support.post import Post

ORDER = key("order", ".data.order")
BY_ORDER = key(
    "order",
    ".data.order",
    expect=g.Expression(text=".order", of="variables"),
    is_shared=False,
)


@pytest.fixture(params=["one engine", "restarted"])
def post(request: pytest.FixtureRequest) -> Post:
    class Restarted(Post):
        def rest(self) -> None:
            super().rest()
            self.restart()

    return Post() if request.param == "one engine" else Restarted()


def keys(post: Post, instance: str) -> dict[str, object]:
    """The shared keys that an instance knows."""
    (root, *_) = post.engine.state(instance).scopes.values()
    return root.keys


# -- keys that what is received or sent gives a value


def test_the_first_message_received_gives_a_key_its_value_and_later_ones_match(post: Post) -> None:
    graph = process(
        "start -> first -> second -> end",
        first=waits_for("paid", ORDER),
        second=waits_for("shipped", ORDER),
    )
    instance = post.begin(graph)

    post.message("paid", order=7)
    assert keys(post, instance) == {"order": 7}
    post.message("shipped", order=8)
    assert post.waiting(instance) == ["second"]
    post.message("shipped", order=7)

    assert post.row(instance).status == "completed"


def test_the_first_message_sent_gives_a_key_its_value(post: Post) -> None:
    graph = process(
        "start -> ask -> answer -> end",
        ask=sends("asked", "{order: .order}", ORDER),
        answer=waits_for("answered", ORDER),
    )
    seven, eight = post.begin(graph, {"order": 7}), post.begin(graph, {"order": 8})

    post.message("answered", order=8, yes=True)

    assert post.waiting(seven) == ["answer"]
    assert post.output(eight) == {"order": 8, "yes": True}


def test_a_message_sent_later_does_not_change_a_key(post: Post) -> None:
    graph = process(
        "start -> ask -> again -> wait -> end",
        ask=sends("asked", "{order: 1}", ORDER),
        again=sends("asked", "{order: 2}", ORDER),
        wait=waits_for("answered", ORDER),
    )
    assert keys(post, post.begin(graph)) == {"order": 1}


def test_a_message_that_does_not_carry_a_key_matches_while_it_has_no_value(post: Post) -> None:
    graph = process(
        "start -> first -> second -> third -> end",
        first=waits_for("hello", ORDER),
        second=waits_for("paid", ORDER),
        third=waits_for("hello", ORDER),
    )
    instance = post.begin(graph)

    post.message("hello")
    assert post.waiting(instance) == ["second"]
    assert keys(post, instance) == {}
    post.message("paid", order=7)
    post.message("hello")

    assert post.waiting(instance) == ["third"]


def test_a_key_of_several_parts_is_carried_when_all_of_them_are(post: Post) -> None:
    both = key("both", "[.data.customer, .data.order]")
    graph = process(
        "start -> first -> second -> third -> end",
        first=waits_for("hello", both),
        second=waits_for("paid", both),
        third=waits_for("shipped", both),
    )
    instance = post.begin(graph)

    post.message("hello", customer="c")
    assert keys(post, instance) == {}
    post.message("paid", customer="c", order=7)
    assert keys(post, instance) == {"both": ["c", 7]}
    post.message("shipped", customer="c")
    post.message("shipped", customer="d", order=7)
    assert post.waiting(instance) == ["third"]
    post.message("shipped", customer="c", order=7)

    assert post.row(instance).status == "completed"


def test_a_message_whose_key_cannot_be_read_does_not_match(post: Post) -> None:
    broken = key("order", ".data.order | keys")
    instance = post.begin(process("start -> wait -> end", wait=waits_for("paid", broken)))
    post.message("paid", order=7)
    assert post.waiting(instance) == ["wait"]


def test_sending_a_message_whose_key_cannot_be_read_gives_it_no_value(post: Post) -> None:
    broken = key("order", ".data.order | keys")
    instance = post.begin(
        process("start -> ask -> work -> end", ask=sends("asked", "{order: 1}", broken))
    )
    assert (post.waiting(instance), keys(post, instance)) == (["work"], {})


def test_two_keys_are_learnt_from_different_messages(post: Post) -> None:
    customer = key("customer", ".data.customer")
    graph = process(
        "start -> first -> second -> third -> end",
        first=waits_for("a", ORDER),
        second=waits_for("b", ORDER, customer),
        third=waits_for("c", customer),
    )
    instance = post.begin(graph)

    post.message("a", order=1)
    post.message("b", order=1, customer=2)
    assert keys(post, instance) == {"order": 1, "customer": 2}
    post.message("c", customer=3)
    assert post.waiting(instance) == ["third"]


def test_a_handler_correlates_by_the_keys_of_its_instance(post: Post) -> None:
    graph = process(
        "start -> ask -> work -> end",
        ask=sends("asked", "{order: .order}", ORDER),
        on_cancel=event_sub(told("cancelled", ORDER), "startC -> undo -> endC"),
    )
    seven, eight = post.begin(graph, {"order": 7}), post.begin(graph, {"order": 8})

    post.message("cancelled", order=8)

    assert (post.waiting(seven), post.waiting(eight)) == (["work"], ["undo"])


def test_a_key_that_is_not_shared_is_known_to_its_own_wait_alone(post: Post) -> None:
    own = key("order", ".data.order", is_shared=False)
    graph = process(
        "start -> first -> second -> end",
        first=waits_for("paid", own),
        second=waits_for("paid", own),
    )
    instance = post.begin(graph)

    post.message("paid", order=1)
    post.message("paid", order=2)

    assert post.row(instance).status == "completed"


# -- what a message has to equal


def test_a_message_matches_what_variables_are_when_it_comes(post: Post) -> None:
    graph = process(
        """
        start -> both -> wait -> endA
        both -> work -> set -> endB
        """,
        both=fork(),
        wait=waits_for("paid", BY_ORDER),
        set=sets(order="7"),
    )
    instance = post.begin(graph, {"order": 6})
    (lease,) = post.claim("work")
    post.engine.complete(lease, {})
    post.rest()

    post.message("paid", order=6)
    assert post.waiting(instance) == ["wait"]
    post.message("paid", order=7)

    assert post.row(instance).status == "completed"


def test_of_many_that_wait_the_one_with_the_key_gets_the_message(post: Post) -> None:
    graph = process("start -> wait -> end", wait=waits_for("paid", BY_ORDER))
    instances = [post.begin(graph, {"order": number}) for number in range(5)]

    post.message("paid", order=3)

    assert [event.instance for event in post.engine.store.receivers("paid")] == [
        one for one in instances if one != instances[3]
    ]


def test_a_kept_message_waits_for_the_one_with_its_key(post: Post) -> None:
    graph = process("start -> wait -> end", wait=waits_for("paid", BY_ORDER))
    post.message("paid", order=3)
    post.message("paid", order=4)

    assert post.waiting(post.begin(graph, {"order": 5})) == ["wait"]
    assert post.output(post.begin(graph, {"order": 4})) == {"order": 4}
    assert post.output(post.begin(graph, {"order": 3})) == {"order": 3}


# -- conversations that several starts take part in


def test_an_instance_knows_the_keys_of_the_message_that_started_it(post: Post) -> None:
    graph = process(
        "start -> wait -> end", start=starts(told("paid", ORDER)), wait=waits_for("shipped", ORDER)
    )
    post.publish(graph)
    post.message("paid", order=1)
    post.message("paid", order=2)
    first, second = post.instances

    post.message("shipped", order=2)

    statuses = {post.row(one).input[0]["order"]: post.row(one).status for one in (first, second)}
    assert statuses == {1: "running", 2: "completed"}


def test_a_message_of_a_conversation_that_has_begun_starts_no_other_instance(post: Post) -> None:
    # A parallel event-based gateway: whichever comes first starts it, and the others are awaited.
    paid, shipped = told("paid", ORDER), told("shipped", ORDER)
    graph = process(
        """
        start -> all
        startShipped -> all
        start -> waitShipped -> all
        startShipped -> waitPaid -> all
        all -> work -> end
        """,
        start=starts(paid),
        startShipped=starts(shipped),
        waitShipped=waits_for("shipped", ORDER),
        waitPaid=waits_for("paid", ORDER),
        all=join(need=2),
    )
    post.publish(graph)

    post.message("shipped", order=1)
    post.message("paid", order=2)
    assert len(post.instances) == 2
    post.message("paid", order=1)
    assert len(post.instances) == 2
    post.message("paid", order=1)

    waiting = {(str(post.row(one).input), *post.waiting(one)) for one in post.instances}
    assert waiting == {
        ("[{'order': 1}]", "work"),
        ("[{'order': 2}]", "waitShipped"),
    }


def test_a_conversation_that_is_over_can_begin_again(post: Post) -> None:
    graph = process(
        """
        start -> work -> end
        startShipped -> work
        """,
        start=starts(told("paid", ORDER)),
        startShipped=starts(told("shipped", ORDER)),
    )
    post.publish(graph)
    post.message("paid", order=1)
    post.message("shipped", order=1)
    (instance,) = post.instances

    post.engine.cancel(instance)
    post.message("shipped", order=1)

    assert len(post.instances) == 2


def test_messages_of_one_conversation_that_come_at_once_start_one_instance(post: Post) -> None:
    graph = process(
        """
        start -> wait -> work
        """,
        start=starts(told("paid", ORDER)),
        wait=waits_for("paid", ORDER),
    )
    post.publish(graph)
    for number in (1, 2):
        post.engine.publish_event(
            {"id": str(number), "source": "/test", "type": "paid", "data": {"order": 7}}
        )
    post.rest()

    (instance,) = post.instances
    assert post.waiting(instance) == ["work"]


def test_all_messages_that_start_an_instance_together_share_their_keys(post: Post) -> None:
    both = starts(told_all(told("paid", ORDER), told("shipped", ORDER)))
    post.publish(process("start -> work", start=both))

    post.message("paid", order=1)
    post.message("shipped", order=2)
    assert post.instances == []
    post.message("shipped", order=1)

    (instance,) = post.instances
    assert post.row(instance).input == [{"order": 1}, {"order": 1}]
    assert keys(post, instance) == {"order": 1}


def test_correlation_values_stand_in_the_history() -> None:
    from diglot.runtime import events as e

    post = Post()
    instance = post.begin(process("start -> wait -> work", wait=waits_for("paid", ORDER)))
    post.message("paid", order=7)
    assert [event for event in post.events(instance) if isinstance(event, e.KeysKnown)] == [
        e.KeysKnown(1, {"order": 7})
    ]


def test_a_start_can_run_its_data_rules_on_what_started_it(post: Post) -> None:
    data = g.DataRules(
        export=g.Record((("total", g.Expression(text="(.[0].a // .a) + 1")),)),
        export_mode="variables",
    )
    graph = process("start -> work", start=node(g.Start, triggers=(told("paid"),), data=data))
    post.publish(graph)

    post.message("paid", a=1)
    (instance,) = post.instances

    (root,) = post.engine.state(instance).scopes.values()
    assert root.variables == {"total": 2}
