"""`diglot run` for a file with several processes, which start and reach each other."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from diglot.api.cli.members import MOST_BEGUN, Members
from support.command import diglot
from support.graphs import process
from support.post import Post

ROOT = Path(__file__).resolve().parents[2]
PURCHASE = str(ROOT / "examples" / "purchase.bpmn")
ORDER = '{"order": {"number": 7, "items": ["tea"]}}'

HEAD = """<definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL"
  xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" id="all"
  targetNamespace="https://diglot.example/cases">
  <message id="orderMessage" name="order"/>
  <message id="goodsMessage" name="goods"/>
  <signal id="goSignal" name="go"/>
"""
#: What an event is about.
ORDERED = '<messageEventDefinition id="{}Definition" messageRef="orderMessage"/>'
GOODS = '<messageEventDefinition id="{}Definition" messageRef="goodsMessage"/>'
GO = '<signalEventDefinition id="{}Definition" signalRef="goSignal"/>'
TIMER = (
    '<timerEventDefinition id="{}Definition"><timeDuration xsi:type="tFormalExpression">{}'
    "</timeDuration></timerEventDefinition>"
)
CONDITION = (
    '<conditionalEventDefinition id="{}Definition"><condition xsi:type="tFormalExpression"'
    ' language="https://jqlang.org/jq">true</condition></conditionalEventDefinition>'
)


def pool(id: str, *elements: str, executable: str = "true", also: str = "") -> str:
    """A process whose elements follow each other; each is given as `tag id [definition]`."""
    parts: list[tuple[str, str, str]] = []
    for element in elements:
        tag, name, *rest = element.split(" ", 2)
        parts.append((tag, name, rest[0].format(name) if rest else ""))
    text = f'<process id="{id}" isExecutable="{executable}">'
    for place, (tag, name, inside) in enumerate(parts):
        incoming = f"<incoming>{id}{place}</incoming>" if place else ""
        outgoing = f"<outgoing>{id}{place + 1}</outgoing>" if place + 1 < len(parts) else ""
        text += f'<{tag} id="{name}">{incoming}{outgoing}{inside}</{tag}>'
        if place:
            text += (
                f'<sequenceFlow id="{id}{place}" sourceRef="{parts[place - 1][1]}"'
                f' targetRef="{name}"/>'
            )
    return text + also + "</process>"


def write(folder: Path, *pools: str, name: str = "pools.bpmn") -> str:
    path = folder / name
    path.write_text(HEAD + "".join(pools) + "</definitions>")
    return str(path)


BUYER = pool("buyer", "startEvent need", "intermediateThrowEvent send " + ORDERED, "endEvent done")
PATIENT = pool(
    "buyer",
    "startEvent need",
    "intermediateThrowEvent send " + ORDERED,
    "intermediateCatchEvent receive " + GOODS,
    "endEvent done",
)
SELLER = pool("seller", "startEvent ordered " + ORDERED, "userTask pack", "endEvent sent " + GOODS)


def test_a_message_starts_the_other_process_of_the_file_and_its_answer_comes_back() -> None:
    done = diglot("run", PURCHASE, "--process", "buyer", "--input", ORDER)

    assert (done.returncode, json.loads(done.stdout)["content"]) == (0, ["tea"])
    assert done.stderr == "diglot: seller completed\n"


def test_what_the_others_do_is_watched_under_their_names() -> None:
    done = diglot("run", PURCHASE, "--process", "buyer", "--input", ORDER, "--watch")

    assert "✓ Receive the goods done" in done.stderr.splitlines()
    assert "seller: ✓ Pack done" in done.stderr.splitlines()


def test_a_process_that_is_not_to_be_run_is_run_and_that_is_told(tmp_path: Path) -> None:
    drawn = pool("drawn", "startEvent begin", "endEvent done", executable="false")
    done = diglot("run", write(tmp_path, drawn))

    assert (done.returncode, done.stdout) == (0, "{}\n")
    assert done.stderr == 'diglot: drawn says isExecutable="false", and is run all the same\n'


def test_the_status_is_that_of_the_started_process_and_what_others_wait_for_is_told(
    tmp_path: Path,
) -> None:
    done = diglot("run", write(tmp_path, BUYER, SELLER))

    assert (done.returncode, json.loads(done.stdout)) == (0, {})
    assert done.stderr == "diglot: seller waits for the job pack (user-task)\n"


def test_jobs_of_the_others_are_done_from_the_command_line(tmp_path: Path) -> None:
    done = diglot("run", write(tmp_path, PATIENT, SELLER), "--complete", "pack")

    assert (done.returncode, done.stderr) == (0, "diglot: seller completed\n")


def test_how_an_other_faulted_is_told(tmp_path: Path) -> None:
    done = diglot("run", write(tmp_path, BUYER, SELLER), "--fail", "pack=no-stock")

    assert done.returncode == 0
    assert done.stderr == "diglot: seller faulted at pack: no-stock\n"


def test_a_process_of_another_file_is_started(tmp_path: Path) -> None:
    other = write(tmp_path, SELLER, name="seller.bpmn")
    done = diglot("run", write(tmp_path, PATIENT), "--with", other, "--complete", "pack")

    assert (done.returncode, done.stderr) == (0, "diglot: seller completed\n")


def test_the_started_process_does_not_start_by_its_own_messages(tmp_path: Path) -> None:
    file = write(tmp_path, pool("echo", "startEvent s " + GO, "endEvent e " + GO))

    assert diglot("run", file).stderr == (
        "diglot: s does not wait for the signal go and begins now,"
        " with --input as what that would bring\n"
    )


def test_a_process_that_is_not_to_be_run_is_not_started_beside_one_that_is(tmp_path: Path) -> None:
    public = SELLER.replace('isExecutable="true"', 'isExecutable="false"')
    both = (BUYER.replace('isExecutable="true"', 'isExecutable="false"'), public)

    assert diglot("run", write(tmp_path, BUYER, public)).stderr == ""
    assert "seller waits" in diglot("run", write(tmp_path, *both)).stderr


def test_a_run_that_is_kept_goes_on_with_all_its_processes(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/runs.db"
    file = write(tmp_path, PATIENT, SELLER)
    first = diglot("run", file, "--database", url)
    instance = first.stderr.splitlines()[0].removeprefix("instance ")
    assert first.returncode == 3
    assert "diglot: seller waits for the job pack (user-task)" in first.stderr

    second = diglot("run", "--resume", instance, "--database", url, "--complete", "pack")
    assert second.returncode == 0
    assert second.stderr.splitlines()[-1] == "diglot: seller completed"
    proof = diglot("verify", "--all", "--database", url)
    assert (proof.returncode, "2 proven" in proof.stdout) == (0, True)


def test_a_call_leaves_what_began_before_it_alone(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/runs.db"
    file = write(tmp_path, BUYER, SELLER)
    diglot("run", file, "--database", url)
    done = diglot("run", file, "--database", url, "--complete", "pack")

    assert done.stderr.count("seller") == 1
    assert "diglot: seller completed" in done.stderr


def test_starts_that_are_not_armed_are_named_once(tmp_path: Path) -> None:
    other = pool("report", "startEvent nightly " + TIMER.format("{}", "PT1H"), "endEvent r")
    stock = pool("stock", "startEvent low " + CONDITION, "endEvent t")
    done = diglot("run", write(tmp_path, BUYER, other, stock))

    assert done.stderr == (
        "diglot: not armed here: nightly of report, which a timer starts;"
        " low of stock, which a condition starts\n"
    )


def test_instances_that_begin_each_other_without_an_end_are_left(tmp_path: Path) -> None:
    first = pool("first", "startEvent s", "endEvent e " + GO)
    again = pool("again", "startEvent s2 " + GO, "endEvent e2 " + GO)
    done = diglot("run", write(tmp_path, first, again))

    assert (done.returncode, json.loads(done.stdout)) == (0, {})
    assert f"more than {MOST_BEGUN} instances, and the run is left there" in done.stderr


def test_a_process_that_calls_itself_without_an_end_faults(tmp_path: Path) -> None:
    call = '<callActivity id="c" calledElement="deep"'
    # A process that is to be run is refused by the checker.
    deep = pool("deep", "startEvent s", "callActivity c", "endEvent e", executable="false")
    done = diglot("run", write(tmp_path, deep.replace('<callActivity id="c"', call)))

    assert done.returncode == 1
    assert json.loads(done.stdout)["detail"] == "calls are nested deeper than 200 levels"


def test_whoever_does_not_want_to_wait_for_the_others_has_his_output(tmp_path: Path) -> None:
    slow = pool(
        "slow",
        "startEvent ordered " + ORDERED,
        "intermediateCatchEvent later " + TIMER.format("{}", "PT1H"),
        "endEvent sent",
    )
    with subprocess.Popen(
        [sys.executable, "-m", "diglot.api.cli", "run", write(tmp_path, BUYER, slow)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as run:
        assert run.stderr is not None
        told = [run.stderr.readline(), run.stderr.readline()]
        os.kill(run.pid, signal.SIGINT)
        output, rest = run.communicate(timeout=60)

    assert told[0] == ("diglot: buyer completed; still going on: slow (Ctrl-C leaves it)\n")
    assert told[1].startswith("diglot: the clock goes on at ")
    assert (run.returncode, json.loads(output)) == (0, {})
    assert rest.startswith("diglot: slow waits for the timer until ")


def test_a_person_may_go_on_with_the_others(tmp_path: Path) -> None:
    done = diglot("run", write(tmp_path, BUYER, SELLER), "--interactive", input="1 {}\n")

    told = done.stderr + done.stdout
    assert done.returncode == 0
    assert "buyer completed; q leaves the others" in told
    assert "1  seller: pack (user-task)" in told
    assert "diglot: seller completed" in told


# -- what begins by hand


@pytest.mark.parametrize(
    ("definition", "notice"),
    [
        ("", ""),
        (
            ORDERED,
            "s does not wait for the message order and begins now,"
            " with --input as what that would bring",
        ),
        (GO, "s does not wait for the signal go and begins now, with --input as what that would"),
        (TIMER.format("{}", "PT1H"), "s does not wait for a timer and begins now\n"),
        (CONDITION, "s does not wait for a condition and begins now\n"),
        (
            ORDERED + '<signalEventDefinition id="second" signalRef="goSignal"/>',
            "s does not wait for the message order or the signal go and begins now",
        ),
    ],
)
def test_what_is_different_at_a_start_with_a_trigger_is_said(
    tmp_path: Path, definition: str, notice: str
) -> None:
    start = f"startEvent s {definition}" if definition else "startEvent s"
    done = diglot("run", write(tmp_path, pool("one", start, "endEvent e")))

    assert done.returncode == 0
    assert done.stderr.startswith(f"diglot: {notice}" if notice else "")
    assert bool(done.stderr) == bool(notice)


@pytest.mark.parametrize(
    ("schedule", "notice"),
    [
        ("every: {hours: 1}", "the workflow runs once, now\n"),
        (
            "on: {one: {with: {type: paid}}}",
            "the workflow runs once, now, with --input as the events that would have started it\n",
        ),
    ],
)
def test_a_schedule_is_not_followed(tmp_path: Path, schedule: str, notice: str) -> None:
    file = tmp_path / "one.yaml"
    file.write_text(
        "document: {dsl: 1.0.3, namespace: test, name: one, version: 1.0.0}\n"
        f"schedule: {{{schedule}}}\ndo: [{{a: {{set: {{x: 1}}}}}}]\n"
    )

    assert diglot("run", str(file)).stderr == f"diglot: the schedule is not followed; {notice}"


# -- members


def test_members_are_those_that_events_began_since(tmp_path: Path) -> None:
    post = Post()
    from diglot.compiler import graph as g
    from support.graphs import heard, node

    start = node(g.Start, triggers=(heard("go"),))
    digest = post.publish(process("start -> work -> end", name="other", start=start))
    post.message("go")
    post.clock.advance(1)
    started = post.begin(process("start -> work -> end"))
    members, strangers = Members(post.engine, started), Members(post.engine, started, ["none"])
    post.message("go")

    for one in (members, strangers):
        one.look()
        one.look()

    assert len(members.begun) == 1
    assert members.begun[0].startswith(digest[:16])
    assert (members.active, strangers.active) == ([started, *members.begun], [started])
    assert members.outcomes() == ["other waits for the job work (work)"]
