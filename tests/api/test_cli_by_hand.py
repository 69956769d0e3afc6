"""`diglot run` for what no worker does: jobs by hand, messages and signals, and a dialogue."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest

from diglot.api.cli.by_hand import Answer, Answers, OpenJob, family, open_jobs, read_answers, serve
from diglot.api.cli.interactive import HELP, Dialogue
from diglot.api.cli.members import Members
from diglot.api.cli.outside import Outside, read_short
from diglot.api.cli.waits import waits
from diglot.compiler import graph as g
from support.command import diglot
from support.graphs import (
    after,
    boundary,
    calls,
    fork,
    node,
    process,
    receive,
    task,
    told,
    waits_for,
    when,
)
from support.post import Post

DEFINITIONS = """<?xml version="1.0" encoding="UTF-8"?>
<definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL" id="all"
             targetNamespace="https://diglot.example/cases">
  <message id="paidMessage" name="paid"/>
  <process id="order" isExecutable="true">
    <startEvent id="start"><outgoing>f1</outgoing></startEvent>
    <sequenceFlow id="f1" sourceRef="start" targetRef="approve"/>
    <startEvent id="again"><outgoing>f4</outgoing>
      <messageEventDefinition id="againDefinition" messageRef="paidMessage"/></startEvent>
    <sequenceFlow id="f4" sourceRef="again" targetRef="wait"/>
    <userTask id="approve" name="Approve the order">
      <incoming>f1</incoming><outgoing>f2</outgoing></userTask>
    <sequenceFlow id="f2" sourceRef="approve" targetRef="wait"/>
    <intermediateCatchEvent id="wait">
      <incoming>f2</incoming><incoming>f4</incoming><outgoing>f3</outgoing>
      <messageEventDefinition id="paidDefinition" messageRef="paidMessage"/>
    </intermediateCatchEvent>
    <sequenceFlow id="f3" sourceRef="wait" targetRef="end"/>
    <endEvent id="end"><incoming>f3</incoming></endEvent>
  </process>
  <process id="other" isExecutable="true">
    <startEvent id="startOther"><outgoing>g1</outgoing></startEvent>
    <sequenceFlow id="g1" sourceRef="startOther" targetRef="endOther"/>
    <endEvent id="endOther"><incoming>g1</incoming></endEvent>
  </process>
</definitions>
"""


@pytest.fixture
def order(tmp_path: Path) -> str:
    path = tmp_path / "order.bpmn"
    path.write_text(DEFINITIONS)
    return str(path)


# -- whole calls


def test_a_job_nobody_does_ends_the_run_and_says_what_would_complete_it(order: str) -> None:
    done = diglot("run", order)

    assert (done.returncode, done.stdout) == (3, "")
    assert done.stderr.splitlines() == [
        'diglot: approve "Approve the order" (user-task) waits for somebody:'
        " --complete approve='{...}', or --fail approve=CODE",
    ]


def test_jobs_and_messages_come_from_the_command_line(order: str) -> None:
    done = diglot("run", order, "--complete", 'approve={"ok": true}', "--message", 'paid={"n": 1}')
    assert (done.returncode, json.loads(done.stdout)) == (0, {"ok": True, "n": 1})


def test_a_job_may_fail_with_a_code(order: str) -> None:
    done = diglot("run", order, "--fail", "user-task=not-approved")
    assert (done.returncode, json.loads(done.stdout)["type"]) == (1, "not-approved")


def test_a_run_that_is_kept_goes_on_with_what_is_given_later(order: str, tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/runs.db"
    first = diglot("run", order, "--database", url)
    call = shlex.split(first.stderr.splitlines()[-1].removeprefix("diglot: give it with: "))

    second = diglot(*call[1:])
    assert second.returncode == 3
    assert "diglot: wait waits for the message paid: --message paid='{...}'" in second.stderr

    call = shlex.split(second.stderr.splitlines()[-1].removeprefix("diglot: give it with: "))
    assert diglot(*call[1:]).returncode == 0


def test_which_process_runs_and_where_it_begins_can_be_said(order: str) -> None:
    other = diglot("run", order, "--process", "other")
    again = diglot("run", order, "--start", "again", "--message", "paid")
    assert (other.returncode, again.returncode) == (0, 0)
    assert again.stderr.splitlines() == [
        "diglot: again does not wait for the message paid and begins now,"
        " with --input as what that would bring",
    ]
    assert other.stderr == ""


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("--process", "third"), "has no process third; it has order, other"),
        (("--start", "nowhere"), "order has no start 'nowhere'"),
        (("--complete", "=1"), "--complete wants TYPE=JSON"),
        (("--complete", "a=nope"), "--complete a is not JSON"),
        (("--fail", "a"), "--fail wants TYPE=CODE"),
        (("--message", "=1"), "--message wants NAME"),
        (("--signal", "a={"), "--signal a is not JSON"),
        (("--complete", "a=-", "--message", "b=-"), "can be read once only"),
        (("--interactive", "--input", "-"), "can be read once only"),
    ],
)
def test_what_cannot_be_read_is_refused_with_a_reason(
    order: str, arguments: tuple[str, ...], reason: str
) -> None:
    done = diglot("run", order, *arguments)
    assert done.returncode == 2
    assert reason in done.stderr


def test_a_person_may_do_everything(order: str) -> None:
    done = diglot("run", order, "--interactive", input='1\n{"ok": true}\nm paid={"n": 2}\n')
    assert (done.returncode, json.loads(done.stdout)) == (0, {"ok": True, "n": 2})


def test_an_answer_that_nothing_asked_for_is_named(order: str) -> None:
    done = diglot("run", order, "--process", "other", "--complete", "aprove={}")
    assert done.returncode == 0
    assert "diglot: no job came that is called aprove" in done.stderr


def test_a_serverless_workflow_runs_a_process_of_bpmn(order: str, tmp_path: Path) -> None:
    file = tmp_path / "outer.yaml"
    file.write_text(
        "document: {dsl: 1.0.3, namespace: test, name: outer, version: 1.0.0}\n"
        "do:\n"
        "  - order:\n"
        "      run: {workflow: {namespace: test, name: order, version: latest, input: {n: 1}}}\n"
        "  - after: {set: {got: '${ . }'}}\n"
    )
    done = diglot(
        "run", str(file), "--with", order, "--complete", 'approve={"ok": true}', "--message", "paid"
    )
    assert (done.returncode, json.loads(done.stdout)) == (0, {"got": {"n": 1, "ok": True}})


# -- answers


@pytest.fixture
def post() -> Iterator[Post]:
    post = Post()
    yield post
    post.engine.close()


def job(element: str = "approve", type: str = "user-task", name: str = "Approve") -> OpenJob:
    return OpenJob("one", 1, type, f"{element}#each", element, name, {})


def test_an_answer_is_for_an_element_its_name_or_a_type_of_jobs() -> None:
    answers = Answers()
    for name in ("approve", "Approve", "user-task"):
        answers.add(name, Answer(name))

    assert answers.take(job()) == Answer("approve")
    assert answers.take(job(element="other")) == Answer("Approve")
    assert answers.take(job(element="other", name="x")) == Answer("user-task")
    assert answers.take(job(element="other", name="x", type="y")) is None


def test_answers_for_one_name_are_given_in_order_and_the_last_one_again() -> None:
    answers = read_answers(("approve=no",), ("approve=1", "approve=2"))
    found = [answers.take(job()) for _ in range(4)]
    assert found == [Answer(code="no"), Answer(1), Answer(2), Answer(2)]


def test_a_result_that_is_not_given_is_an_empty_object() -> None:
    assert read_answers((), ("approve",)).take(job()) == Answer({})


def test_jobs_of_called_instances_are_served_too(post: Post) -> None:
    post.publish(process("start -> work -> end", name="child"))
    instance = post.begin(process("start -> call -> end", call=calls("child")))
    answers = Answers()
    answers.add("work", Answer({"n": 1}))

    assert serve(post.engine, instance, answers) == 1
    post.rest()

    assert post.output(instance) == {"n": 1}
    assert (answers.unused, serve(post.engine, instance, answers)) == ([], 0)


def test_a_job_that_a_worker_has_begun_is_not_answered(post: Post) -> None:
    instance = post.begin(process("start -> work -> end"))
    answers = Answers()
    answers.add("work", Answer({}))
    (lease,) = post.claim("work")

    assert serve(post.engine, instance, answers) == 0
    assert answers.unused == ["work"]
    post.engine.complete(lease, {})


def test_an_answered_job_is_on_record_as_an_attempt(post: Post) -> None:
    instance = post.begin(process("start -> work -> end"))
    (open,) = open_jobs(post.engine, instance)
    answers = Answers()
    answers.add("work", Answer({}))

    serve(post.engine, instance, answers)

    (attempt,) = post.engine.store.attempts(instance, open.id)
    assert (attempt["worker"], attempt["outcome"]) == ("diglot run", "completed")


# -- what comes from outside


def test_a_short_message_may_have_data_and_a_correlation_key() -> None:
    found = read_short("message", 'paid@7={"n": 1}')
    assert (found["type"], found["correlationkey"], found["data"]) == ("paid", "7", {"n": 1})
    assert "correlationkey" not in read_short("signal", "go")
    assert read_short("signal", "go")["diglotkind"] == "signal"


def test_what_is_waited_for_comes_first_and_the_rest_when_the_run_is_stuck(post: Post) -> None:
    outside = Outside((), ("a", "b"), ("go",))
    instance = post.begin(process("start -> wait -> end", wait=waits_for("go", kind="signal")))

    def take(*, is_stuck: bool) -> str | None:
        found = outside.take(family(post.engine, instance), is_stuck=is_stuck)
        return None if found is None else found["type"]

    assert take(is_stuck=False) == "go"
    assert take(is_stuck=False) is None
    assert take(is_stuck=True) == "a"
    assert take(is_stuck=True) == "b"
    assert take(is_stuck=True) is None


def test_everything_that_is_waited_for_is_told(post: Post) -> None:
    graph = process(
        """
        start -> all -> work -> end
        told -> endT
        all -> paid -> endP
        all -> when -> endW
        all -> made -> endE
        all -> go -> endG
        all -> call -> endC
        """,
        all=fork(),
        work=task("user-task"),
        told=boundary("work", told("cancelled")),
        paid=receive("paid"),
        when=when(".x == 1"),
        made=receive("made", "event"),
        go=receive("go", "signal"),
        call=calls("child"),
    )
    post.publish(process("start -> ask -> end", name="child", ask=task("ask")))
    instance = post.begin(graph)

    found = {waiting.text: waiting.option for waiting in waits(post.engine, instance)}

    assert found == {
        "work (user-task) waits for somebody": "--complete",
        "ask (ask) waits for somebody": "--complete",
        "told waits for the message cancelled": "--message",
        "paid waits for the message paid": "--message",
        "go waits for the signal go": "--signal",
        "made waits for an event of made": "--event",
        "when waits for its condition to be true": "",
    }
    assert len(family(post.engine, instance)) == 2


# -- the dialogue


class Person:
    """Types lines one after the other and reads what is told."""

    def __init__(self, *lines: str) -> None:
        self.lines = list(lines)
        self.seen: list[str] = []

    def ask(self, question: str) -> str:
        if not self.lines:
            raise EOFError
        return self.lines.pop(0)

    def turn(self, post: Post, instance: str, *, has_timers: bool = False) -> str:
        members = Members(post.engine, instance)
        move = Dialogue(post.engine, members, self.ask, self.seen.append).turn(
            has_timers=has_timers
        )
        post.rest()
        return move


ASKS = process("start -> work -> wait -> end", wait=waits_for("paid"))


@pytest.mark.parametrize("lines", [("1", '{"n": 1}'), ('1 {"n": 1}',)])
def test_a_person_completes_a_job(post: Post, lines: tuple[str, ...]) -> None:
    instance = post.begin(ASKS, {"order": 7})
    person = Person(*lines)

    assert person.turn(post, instance) == "moved"

    assert post.waiting(instance) == ["wait"]
    assert person.seen[0] == "1  work (work)"
    assert ('"order": 7' in "".join(person.seen)) == (len(lines) == 2)


def test_a_person_lets_a_job_fail(post: Post) -> None:
    instance = post.begin(ASKS)
    assert Person("1", "!no").turn(post, instance) == "moved"
    assert post.output(instance)["type"] == "no"


def test_a_person_sends_messages_and_signals(post: Post) -> None:
    instance = post.begin(process("start -> wait -> end", wait=waits_for("paid")))
    caught = post.begin(
        process("start -> wait -> end", name="c", wait=waits_for("go", kind="signal"))
    )

    assert Person('m paid={"n": 1}').turn(post, instance) == "moved"
    assert Person("s go").turn(post, caught) == "moved"

    assert (post.output(instance), post.output(caught)) == ({"n": 1}, {})


def test_a_person_is_asked_again_when_nothing_came_of_it(post: Post) -> None:
    instance = post.begin(ASKS)
    person = Person("", "?", "5", "x", "1 {", "1 !", "m =1", "m paid={", "w", "²", "1 {}")

    assert person.turn(post, instance) == "moved"

    told = person.seen[1:]
    assert told.count(HELP) == 4
    assert "no job here has the number 5" in told
    assert "an error needs a code, such as !not-found" in told
    assert "a CloudEvent needs type, a text that is not empty" in told
    assert "nothing waits for the clock" in told
    assert sum(line.startswith("that is not JSON") for line in told) == 2


def test_a_person_may_wait_or_leave(post: Post) -> None:
    graph = process("start -> work -> end\ntold -> endT", told=boundary("work", after("PT1H")))
    instance = post.begin(graph)
    assert Person("w").turn(post, instance, has_timers=True) == "wait"
    assert Person("q").turn(post, instance, has_timers=True) == "leave"
    assert Person().turn(post, instance) == "leave"


def test_secrets_are_not_shown_to_a_person() -> None:
    post = Post(secrets=lambda name: "hidden" if name == "token" else None)
    arguments = g.Record((("token", g.SecretValue("token")),))
    work = node(g.Task, action=g.Action(type="work", arguments=arguments))
    instance = post.begin(process("start -> work -> end", work=work))
    person = Person("1", "{}")

    person.turn(post, instance)

    assert "***" in "".join(person.seen)
    assert "hidden" not in "".join(person.seen)
