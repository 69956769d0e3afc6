"""The command line as a user meets it: whole processes, exit statuses, what stands where."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

from support.command import diglot

ROOT = Path(__file__).resolve().parents[2]
HEAD = "document: {dsl: 1.0.3, namespace: test, name: one, version: 1.0.0}\n"
ORDER = str(ROOT / "examples" / "order.yaml")
ORDER_INPUT = "@" + str(ROOT / "examples" / "order-input.json")


def write(folder: Path, body: str, name: str = "one.yaml") -> str:
    path = folder / name
    path.write_text(HEAD + body)
    return str(path)


def test_the_order_example_runs_to_its_output() -> None:
    done = diglot("run", ORDER, "--input", ORDER_INPUT, "--watch")

    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == {
        "customer": "Ada",
        "reserved": ["tea", "samovar"],
        "paid": 1209,
        "status": "confirmed",
    }
    assert "confirm done" in done.stderr


def test_the_order_example_has_no_findings() -> None:
    done = diglot("check", "--strict", ORDER)
    assert (done.returncode, done.stdout) == (0, "Found nothing to report.\n")


def test_input_that_does_not_fit_its_schema_is_a_problem_document() -> None:
    done = diglot("run", ORDER, "--input", '{"customer": "Ada"}')

    problem = json.loads(done.stdout)
    assert done.returncode == 1
    assert (problem["status"], problem["instance"]) == (400, "/input")
    assert "items" in problem["detail"]


def test_a_faulted_workflow_prints_its_problem_and_exits_with_1(tmp_path: Path) -> None:
    file = write(
        tmp_path, "do: [{no: {raise: {error: {type: 'https://x.y/z', status: 418, title: No}}}}]"
    )
    done = diglot("run", file)

    assert done.returncode == 1
    assert json.loads(done.stdout) == {
        "type": "https://x.y/z",
        "status": 418,
        "title": "No",
        "instance": "/do/0/no",
    }


def test_findings_point_at_their_place_and_exit_with_1(tmp_path: Path) -> None:
    file = write(tmp_path, "do: [{a: {set: {x: '${ .a | lenght }'}}}]")
    done = diglot("check", file)

    assert done.returncode == 1
    assert f"{file}:2:29: DG0503 [error]" in done.stdout
    assert "Did you mean `length`?" in done.stdout


def test_findings_can_be_had_as_json_and_sarif(tmp_path: Path) -> None:
    file = write(tmp_path, "do: [{a: {then: nowhere, set: {x: 1}}}]")

    (finding,) = json.loads(diglot("check", "--format", "json", file).stdout)
    sarif = json.loads(diglot("check", "--format", "sarif", file).stdout)

    assert (finding["code"], finding["line"]) == ("DG0302", 2)
    assert sarif["version"] == "2.1.0"
    assert sarif["runs"][0]["results"][0]["ruleId"] == "DG0302"


def test_standard_input_is_a_file_called_dash(tmp_path: Path) -> None:
    done = diglot("run", "-", input=HEAD + "do: [{a: {set: {x: 1}}}]")
    assert (done.returncode, json.loads(done.stdout)) == (0, {"x": 1})


def test_a_call_that_is_wrong_exits_with_2(tmp_path: Path) -> None:
    file = write(tmp_path, "do: [{a: {set: {x: 1}}}]")
    for arguments in (
        ("check", str(tmp_path / "nothing.yaml")),
        ("run",),
        ("run", file, "--input", "{"),
        ("run", "--resume", "x"),
        ("run", "--resume", "x", "--database", f"sqlite:///{tmp_path}/runs.db"),
        ("verify",),
        ("explain", "DG9999"),
        ("run", file, "--database", "oracle://x"),
    ):
        done = diglot(*arguments)
        assert done.returncode == 2, (arguments, done.stderr)
        assert any(line.startswith("diglot: ") for line in done.stderr.splitlines())
        assert "Traceback" not in done.stderr


def test_a_run_that_is_killed_goes_on_where_it_was(tmp_path: Path) -> None:
    marks = tmp_path / "marks"
    file = write(
        tmp_path,
        "do:\n"
        f"  - mark: {{run: {{shell: {{command: 'echo one >> {marks}'}}}}}}\n"
        "  - pause: {wait: {seconds: 1}}\n"
        "  - after: {set: {done: true}}\n",
    )
    url = f"sqlite:///{tmp_path}/runs.db"
    process = subprocess.Popen(
        [sys.executable, "-m", "diglot.api.cli", "run", file, "--database", url, "--watch"],
        stderr=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stderr is not None
    instance = process.stderr.readline().split()[1]
    for line in process.stderr:
        if "pause waiting" in line:
            break
    os.kill(process.pid, signal.SIGKILL)
    process.communicate()

    done = diglot("run", "--resume", instance, "--database", url)

    assert (done.returncode, json.loads(done.stdout)) == (0, {"done": True})
    assert marks.read_text() == "one\n"
    proven = diglot("verify", "--all", "--database", url)
    assert (proven.returncode, proven.stdout.splitlines()[-1]) == (0, "1 proven, 0 failed")


def test_a_script_that_was_running_when_the_run_was_killed_runs_again_at_once(
    tmp_path: Path,
) -> None:
    started = tmp_path / "started"
    file = write(
        tmp_path,
        "do:\n"
        "  - work:\n"
        "      run: {shell: {command: "
        f"'if [ -e {started} ]; then echo again; else touch {started}; sleep 60; fi'}}}}\n",
    )
    url = f"sqlite:///{tmp_path}/runs.db"
    process = subprocess.Popen(
        [sys.executable, "-m", "diglot.api.cli", "run", file, "--database", url],
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stderr is not None
    instance = process.stderr.readline().split()[1]
    deadline = time.monotonic() + 20
    while not started.exists() and time.monotonic() < deadline:
        time.sleep(0.02)
    os.kill(process.pid, signal.SIGKILL)
    process.communicate()

    done = diglot("run", "--resume", instance, "--database", url)

    assert (done.returncode, json.loads(done.stdout)) == (0, "again\n")


def test_a_run_that_waits_for_an_event_says_so_and_exits_with_3(tmp_path: Path) -> None:
    file = write(tmp_path, "do: [{get: {listen: {to: {one: {with: {type: paid}}}}}}]")
    url = f"sqlite:///{tmp_path}/runs.db"

    waiting = diglot("run", file, "--database", url)
    instance = waiting.stderr.splitlines()[0].split()[1]
    done = diglot(
        "run", "--resume", instance, "--database", url,
        "--event", '{"id": "1", "source": "/s", "type": "paid", "data": {"n": 1}}',
    )  # fmt: skip

    assert waiting.returncode == 3
    assert "get waits for an event of paid" in waiting.stderr
    assert (done.returncode, json.loads(done.stdout)) == (0, [{"n": 1}])


def test_a_called_definition_comes_with_the_run(tmp_path: Path) -> None:
    child = tmp_path / "child.yaml"
    child.write_text(
        "document: {dsl: 1.0.3, namespace: test, name: child, version: 1.0.0}\n"
        "do: [{a: {set: {doubled: '${ .n * 2 }'}}}]"
    )
    file = write(
        tmp_path,
        "do: [{c: {run: {workflow: "
        "{namespace: test, name: child, version: 1.0.0, input: {n: 21}}}}}]",
    )
    done = diglot("run", file, "--with", str(child))
    assert (done.returncode, json.loads(done.stdout)) == (0, {"doubled": 42})


def test_a_secret_from_the_command_line_is_not_printed(tmp_path: Path) -> None:
    file = write(tmp_path, "use: {secrets: [key]}\ndo: [{a: {set: {x: '${ $secrets.key }'}}}]")
    done = diglot("run", file, "--secret", "key=hunter2")
    assert json.loads(done.stdout) == {"x": "***"}
    assert "hunter2" not in done.stderr


def test_cloudevents_go_to_the_sink(tmp_path: Path) -> None:
    file = write(tmp_path, "do: [{a: {set: {x: 1}}}]")
    sink = tmp_path / "events.jsonl"

    diglot("run", file, "--sink", str(sink))

    types = [json.loads(line)["type"] for line in sink.read_text().splitlines()]
    assert types[0] == "io.serverlessworkflow.workflow.started.v1"
    assert types[-1] == "io.serverlessworkflow.workflow.completed.v1"


def test_the_graph_can_be_printed_and_read_again(tmp_path: Path) -> None:
    readable = diglot("graph", ORDER)
    exchanged = diglot("graph", "--json", ORDER)
    again = diglot("graph", "-", input=exchanged.stdout)

    assert readable.stdout.startswith("graph shop/order 1.0.0\n")
    assert again.stdout == readable.stdout


def test_a_code_is_explained() -> None:
    done = diglot("explain", "dg0302")
    assert done.returncode == 0
    assert done.stdout.startswith("# DG0302: ")


def test_strict_makes_an_error_of_a_broken_rule_of_bpmn(tmp_path: Path) -> None:
    file = tmp_path / "order.bpmn"
    # The nodes do not list their flow, as in many a file.
    file.write_text(
        '<definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL" targetNamespace="x:y">'
        '<process id="order" isExecutable="true"><startEvent id="begin"/><endEvent id="done"/>'
        '<sequenceFlow id="flow" sourceRef="begin" targetRef="done"/></process></definitions>'
    )

    lenient = diglot("check", str(file), "--format", "json")
    strict = diglot("check", str(file), "--format", "json", "--strict")

    assert lenient.returncode == 0
    assert '"error"' not in lenient.stdout
    assert strict.returncode == 1
    assert '"error"' in strict.stdout
