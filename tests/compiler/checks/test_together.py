from __future__ import annotations

from itertools import pairwise

import pytest

from support.findings import in_file, in_workflow

HEAD = """<message id='q' name='request'/><message id='a' name='answer'/>
  <message id='b' name='Ans-Wer'/><signal id='g' name='rain'/>"""


def process(name: str, *parts: str, executable: str = "true") -> str:
    """A process of events in a row: `>q` throws a message, `<q` catches it, `*g` is a signal."""
    places = [f"{name}{number}" for number in range(len(parts))]
    body = "".join(event(place, part) for place, part in zip(places, parts, strict=True))
    body += "".join(
        f"<sequenceFlow id='{one}-{other}' sourceRef='{one}' targetRef='{other}'/>"
        for one, other in pairwise(places)
    )
    return f"<process id='{name}' isExecutable='{executable}'>{body}</process>"


def event(id: str, part: str) -> str:
    if part == "start":
        return f"<startEvent id='{id}'/>"
    kind = "signal" if part[0] in "*+" else "message"
    definition = f"<{kind}EventDefinition {kind}Ref='{part[1]}'/>"
    element = {"^": "startEvent", "<": "intermediateCatchEvent", "+": "intermediateCatchEvent"}.get(
        part[0], "intermediateThrowEvent"
    )
    return f"<{element} id='{id}'>{definition}</{element}>"


def found(*processes: str) -> list[tuple[str, str]]:
    return in_file(HEAD + "".join(processes), "DG0812", "DG0816", "DG0817")


def test_messages_that_meet_are_in_order() -> None:
    assert found(process("x", "start", ">q", "<a"), process("y", "^q", ">a")) == []


def test_what_is_not_awaited_or_not_sent_is_worth_a_look_where_others_meet() -> None:
    assert found(process("x", "start", ">q", ">a"), process("y", "^q")) == [("DG0816", "x2")]
    assert found(process("x", "start", ">q", "<a"), process("y", "^q")) == [("DG0817", "x2")]
    assert found(process("x", "start", ">q", "*g"), process("y", "^q")) == [("DG0816", "x2")]


def test_a_process_alone_speaks_with_others() -> None:
    assert found(process("x", "start", ">q", "<a")) == []
    assert found(process("x", "start", ">q", "<q", ">a"), process("y", "start")) == []


def test_what_starts_a_process_comes_from_outside() -> None:
    assert found(process("x", "^a", ">q"), process("y", "^q")) == []


def test_pictures_are_not_looked_at() -> None:
    x, y = process("x", "start", ">q", ">a", executable="false"), process("y", "^q")

    assert found(x, y) == []


def test_a_name_that_is_nearly_the_same_is_meant() -> None:
    assert found(process("x", "start", ">b", "<a")) == [("DG0816", "x1")]


def test_one_message_starts_one_of_two_processes() -> None:
    assert found(process("x", "^q"), process("y", "^q")) == [("DG0812", "y0")]
    assert found(process("x", "^q"), process("y", "^q", executable="false")) == []


@pytest.mark.parametrize(
    ("sent", "wanted", "is_told"),
    [
        ("com.example.orderPlaced", "com.example.order-placed", True),
        ("com.example.order.placed", "com.example.order.placed", False),
        ("com.example.orderPlaced", "com.example.paid", False),
        ("com.example.orderPlaced", "com.example.*", False),
    ],
)
def test_an_event_under_nearly_the_same_name_is_meant(
    sent: str, wanted: str, is_told: bool
) -> None:
    text = f"""do:
- send: {{emit: {{event: {{with: {{type: {sent}}}}}}}}}
- hear: {{listen: {{to: {{one: {{with: {{type: '{wanted}'}}}}}}}}}}
"""

    assert len(in_workflow(text, "DG0816")) == int(is_told)
