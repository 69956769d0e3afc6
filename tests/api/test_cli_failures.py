"""What the command line says when the call, the machine or the user gets in the way."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from diglot.runtime.engine import Engine
from support.command import diglot

HEAD = "document: {dsl: 1.0.3, namespace: test, name: one, version: 1.0.0}\n"
ECHO = "do: [{a: {set: {got: '${ . }'}}}]"
COMMAND = [sys.executable, "-m", "diglot.api.cli"]


def write(folder: Path, body: str, name: str = "one.yaml") -> str:
    path = folder / name
    path.write_text(HEAD + body)
    return str(path)


def refusal(done: subprocess.CompletedProcess[str]) -> str:
    """The last line of a call that was refused, which speaks of no place in our code."""
    assert done.returncode == 2, done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    return done.stderr.splitlines()[-1]


def shell(line: str) -> subprocess.CompletedProcess[str]:
    """A call with its streams redirected by a shell."""
    command = line.replace("diglot", " ".join(COMMAND), 1)
    return subprocess.run(
        ["bash", "-c", command], capture_output=True, text=True, check=False, timeout=60
    )


# -- values


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        ("{", "--input is not JSON"),
        ("NaN", "NaN is no number of JSON"),
        ("1e999", "1e999 is too large a number"),
        ('{"a": 1, "a": 2}', "'a' stands twice"),
        ("[" * 100_000, "--input is nested too deep"),
        ("@nothing.json", "nothing.json: No such file or directory"),
    ],
)
def test_an_input_that_is_no_json_is_refused(tmp_path: Path, value: str, reason: str) -> None:
    assert reason in refusal(diglot("run", write(tmp_path, ECHO), "--input", value))


def test_an_input_file_may_be_larger_than_a_document_may(tmp_path: Path) -> None:
    items = [{"number": number, "text": "x" * 50} for number in range(20_000)]
    (tmp_path / "input.json").write_text(json.dumps(items))

    done = diglot("run", write(tmp_path, ECHO), "--input", f"@{tmp_path}/input.json")

    assert json.loads(done.stdout) == {"got": items}


def test_standard_input_is_read_for_one_purpose_only(tmp_path: Path) -> None:
    done = diglot("run", "-", "--input", "-", input=HEAD + ECHO)
    assert "can be read once only" in refusal(done)


def test_an_event_that_is_no_object_is_refused_before_the_run_begins(tmp_path: Path) -> None:
    done = diglot("run", write(tmp_path, ECHO), "--event", "[1]")
    assert done.stdout == ""
    assert "--event is no CloudEvent" in refusal(done)


def test_nothing_of_a_secret_that_cannot_be_read_is_shown(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text('{"password": hunter2')
    done = diglot("run", write(tmp_path, ECHO), "--secret", f"key=@{tmp_path}/secret")
    assert "the secret key" in refusal(done)
    assert "hunter2" not in done.stdout + done.stderr


# -- streams


def test_closed_and_full_streams_leave_no_traceback(tmp_path: Path) -> None:
    file = write(tmp_path, ECHO)
    for line, status in (
        ("diglot check - <&-", 1),
        (f"diglot check {file} >&-", 0),
        (f"diglot run {file} >&-", 0),
        (f"diglot run {file}.nothing 2>&-", 2),
        (f"diglot run {file} >/dev/full", 2),
    ):
        done = shell(line)
        assert done.returncode == status, (line, done.stderr)
        assert "Traceback" not in done.stderr


def test_a_reader_that_goes_away_is_no_fault_of_ours() -> None:
    done = shell("diglot explain | head -1")
    assert done.stdout.startswith("DG0101")
    assert done.stderr == ""


def test_a_terminal_that_is_not_unicode_gets_json_all_the_same(tmp_path: Path) -> None:
    value = {"é": "日本 😀"}
    call = ["run", write(tmp_path, ECHO), "--watch", "--input", json.dumps(value)]
    done = subprocess.run(
        [*COMMAND, *call],
        capture_output=True,
        check=True,
        timeout=60,
        env={**os.environ, "PYTHONIOENCODING": "latin-1"},
    )
    assert json.loads(done.stdout) == {"got": value}


# -- databases


def write_text(path: Path) -> None:
    path.write_bytes(b"text " * 1000)


def cut_off(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:20_000])


def damage(statement: str) -> Callable[[Path], None]:
    def change(path: Path) -> None:
        with sqlite3.connect(path) as connection:
            connection.execute(statement)
        connection.close()

    return change


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (write_text, "not a SQLite database"),
        (cut_off, "damaged"),
        (damage("UPDATE meta SET value='9' WHERE key IN ('layout', 'engines')"), "has layout 9"),
        (damage("DELETE FROM meta"), "database of another program"),
        (damage("UPDATE meta SET value='x' WHERE key='seal'"), "cannot be read"),
        (damage("UPDATE instances SET output=x'7b'"), "cannot be read"),
        (damage("UPDATE definition_versions SET graph=x'7b7d'"), "not a graph"),
    ],
)
def test_a_database_that_cannot_be_read_is_refused_with_a_reason(
    tmp_path: Path, change: Callable[[Path], None], reason: str
) -> None:
    path = tmp_path / "runs.db"
    url = f"sqlite:///{path}"
    started = diglot("run", write(tmp_path, ECHO), "--database", url)
    instance = started.stderr.split()[1]
    change(path)

    assert reason in refusal(diglot("run", "--resume", instance, "--database", url))


def test_a_history_that_cannot_be_read_is_not_proven(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/runs.db"
    diglot("run", write(tmp_path, ECHO), "--database", url)
    damage("UPDATE events SET payload=x'00'")(tmp_path / "runs.db")

    done = diglot("verify", "--all", "--database", url)

    assert (done.returncode, done.stderr) == (1, "")
    assert done.stdout.endswith("0 proven, 1 failed\n")


def test_a_database_that_is_not_there_is_made_by_a_run_alone(tmp_path: Path) -> None:
    path = tmp_path / "runs.db"
    for call in (("verify", "--all"), ("run", "--resume", "x")):
        assert "there is no database" in refusal(diglot(*call, "--database", f"sqlite:///{path}"))
        assert not path.exists()


@pytest.mark.parametrize("url", ["", "runs.db", "sqlite:///", "sqlite:////proc/none/runs.db"])
def test_an_address_that_names_no_file_is_refused(tmp_path: Path, url: str) -> None:
    done = diglot("run", write(tmp_path, ECHO), "--database", url)
    assert refusal(done).startswith("diglot: ")


def test_other_content_under_a_published_version_is_refused_with_what_to_do(
    tmp_path: Path,
) -> None:
    url = f"sqlite:///{tmp_path}/runs.db"
    diglot("run", write(tmp_path, ECHO), "--database", url)

    done = diglot("run", write(tmp_path, "do: [{b: {set: {x: 1}}}]"), "--database", url)

    assert refusal(done) == (
        "diglot: test/one 1.0.0 is published with other content; "
        "give the document a new version, or use another database"
    )


# -- stopping and going on


@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_run_that_is_asked_to_stop_says_how_to_go_on(
    tmp_path: Path, number: signal.Signals, status: int
) -> None:
    started, ended = tmp_path / "started", tmp_path / "ended"
    file = write(
        tmp_path,
        "do:\n"
        "  - work:\n"
        "      run: {shell: {command: "
        f"'if [ -e {started} ]; then echo again; else touch {started}; sleep 60; "
        f"touch {ended}; fi'}}}}\n",
    )
    url = f"sqlite:///{tmp_path}/runs.db"
    process = subprocess.Popen(
        [*COMMAND, "run", file, "--database", url, "--watch"],
        stderr=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stderr is not None
    instance = process.stderr.readline().split()[1]
    for line in process.stderr:
        if "work running" in line:
            break
    process.send_signal(number)
    stdout, stderr = process.communicate(timeout=20)

    assert (process.returncode, stdout) == (status, "")
    again = f"diglot run --resume {instance} --database {url}"
    assert stderr == f"diglot: stopped; go on with: {again}\n"
    started.touch()
    done = diglot(*again.split()[1:])
    assert (done.returncode, json.loads(done.stdout)) == (0, "again\n")
    assert not ended.exists()


def test_a_run_that_has_ended_prints_its_output_again(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/runs.db"
    first = diglot("run", write(tmp_path, ECHO), "--database", url, "--input", "7")

    again = diglot("run", "--resume", first.stderr.split()[1], "--database", url)

    assert (again.returncode, again.stdout) == (0, first.stdout)


def test_a_suspended_run_goes_on_when_it_is_named(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/runs.db"
    body = "do: [{g: {listen: {to: {one: {with: {type: paid}}}}}}, {p: {wait: {milliseconds: 1}}}]"
    instance = diglot("run", write(tmp_path, body), "--database", url).stderr.split()[1]
    engine = Engine(url)
    engine.suspend(instance)
    engine.close()

    event = '{"id": "1", "source": "/s", "type": "paid", "data": 1}'
    done = diglot("run", "--resume", instance, "--database", url, "--event", event)

    assert (done.returncode, json.loads(done.stdout)) == (0, [1])
    assert f"instance {instance} was suspended and goes on" in done.stderr


def test_a_run_leaves_the_other_runs_of_its_database_alone(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/runs.db"
    mark = tmp_path / "mark"
    other = write(
        tmp_path,
        "do:\n"
        "  - get: {listen: {to: {one: {with: {type: paid}}}}}\n"
        "  - pause: {wait: {milliseconds: 1}}\n"
        f"  - work: {{run: {{shell: {{command: 'touch {mark}'}}}}}}\n",
    )
    waiting = diglot("run", other, "--database", url)
    emit = tmp_path / "emit.yaml"
    emit.write_text(
        HEAD.replace("one", "two")
        + "do: [{tell: {emit: {event: {with: {source: /s, type: paid}}}}},"
        " {pause: {wait: {milliseconds: 200}}}]"
    )

    told = diglot("run", str(emit), "--database", url)

    assert (waiting.returncode, told.returncode, mark.exists()) == (3, 0, False)
    instance = waiting.stderr.split()[1]
    assert diglot("run", "--resume", instance, "--database", url).returncode == 0
    assert mark.exists()


def test_two_calls_may_go_on_with_one_run(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/runs.db"
    body = "do: [{get: {listen: {to: {one: {with: {type: paid}}}}}}, {p: {wait: {seconds: 1}}}]"
    instance = diglot("run", write(tmp_path, body), "--database", url).stderr.split()[1]
    event = '{"id": "1", "source": "/s", "type": "paid", "data": 1}'
    call = [*COMMAND, "run", "--resume", instance, "--database", url, "--event", event]
    both = [subprocess.Popen(call, stdout=subprocess.PIPE, text=True) for _ in range(2)]

    outputs = [process.communicate(timeout=30)[0] for process in both]

    assert [json.loads(output) for output in outputs] == [[1], [1]]


def test_a_run_in_memory_that_waits_says_so(tmp_path: Path) -> None:
    done = diglot("run", write(tmp_path, "do: [{g: {listen: {to: {any: []}}}}]"))
    assert done.returncode == 3
    assert done.stderr.startswith(
        "diglot: g waits for an event of any type that its filter takes: --event '{"
    )


def test_what_a_child_waits_for_is_told(tmp_path: Path) -> None:
    child = tmp_path / "child.yaml"
    child.write_text(
        HEAD.replace("one", "child") + "do: [{ask: {listen: {to: {one: {with: {type: paid}}}}}}]"
    )
    file = write(
        tmp_path, "do: [{c: {run: {workflow: {namespace: test, name: child, version: 1.0.0}}}}]"
    )
    done = diglot("run", file, "--with", str(child))
    assert done.returncode == 3
    assert "diglot: ask waits for an event of paid" in done.stderr


def test_a_scheduled_workflow_runs_once_and_now(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/runs.db"
    file = write(
        tmp_path,
        "schedule: {every: {milliseconds: 100}}\n"
        "do: [{p: {wait: {milliseconds: 500}}}, {a: {set: {got: '${ . }'}}}]",
    )
    done = diglot("run", file, "--database", url, "--input", "7")

    assert (done.returncode, json.loads(done.stdout)) == (0, {"got": 7})
    assert "the schedule is not followed" in done.stderr
    assert "1 proven" in diglot("verify", "--all", "--database", url).stdout


def test_an_event_that_came_before_is_named(tmp_path: Path) -> None:
    event = '{"id": "1", "source": "/s", "type": "other"}'
    file = write(tmp_path, "do: [{get: {listen: {to: {one: {with: {type: paid}}}}}}]")
    done = diglot("run", file, "--event", event, "--event", event)
    assert "source /s and id 1 has come before" in done.stderr


def test_a_database_of_this_version_has_nothing_to_migrate(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/runs.db"
    diglot("run", write(tmp_path, ECHO), "--database", url)

    for more in ((), ("--dry-run",), ("--phase", "pre")):
        done = diglot("migrate", url, *more)
        assert (done.returncode, done.stdout) == (
            0, "nothing to do: the database has this version's layout\n",
        )  # fmt: skip


def test_a_database_of_a_later_version_is_not_migrated(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/runs.db"
    diglot("run", write(tmp_path, ECHO), "--database", url)
    damage("UPDATE meta SET value='9' WHERE key IN ('layout', 'engines')")(tmp_path / "runs.db")

    assert "or a later one" in refusal(diglot("migrate", url))
    assert "is not a database URL" in refusal(diglot("migrate", "runs.db"))
