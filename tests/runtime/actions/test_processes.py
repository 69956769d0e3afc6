"""Scripts and shell commands: what they get, what they leave, and how they are stopped."""

from __future__ import annotations

import os
import select
import shutil
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from diglot.runtime.actions import ActionContext, ActionError, execute

if TYPE_CHECKING:
    from conftest import ContextMaker, Server

needs_node = pytest.mark.skipif(
    shutil.which("node") is None, reason="NODE IS MISSING: JavaScript is not run"
)

PRINT_ALL = {
    "python": """
import os, sys
print(sys.argv[1:], repr(sys.stdin.read()), os.environ["COLOR"])
""",
    "js": """
import { readFileSync } from 'node:fs';
const [, , ...args] = process.argv;
const text = readFileSync(process.stdin.fd, 'utf8');
console.log(JSON.stringify(args), JSON.stringify(text), process.env.COLOR);
""",
}


@pytest.fixture
def context(make_context: ContextMaker) -> ActionContext:
    return make_context(allow_processes=True)


def failure(kind: str, arguments: dict[str, Any], context: ActionContext) -> ActionError:
    with pytest.raises(ActionError) as caught:
        execute(kind, arguments, context)
    return caught.value


class Pipe:
    """A named pipe that a test reads and processes hold open; it tells who is still alive."""

    def __init__(self, path: Path) -> None:
        os.mkfifo(path)
        self.path = str(path)
        self._reader = os.open(path, os.O_RDONLY | os.O_NONBLOCK)

    def read(self) -> bytes:
        """What was written; empty once no process holds the pipe any more."""
        assert select.select([self._reader], [], [], 5)[0], "a process holds the pipe still"
        return os.read(self._reader, 1024)

    def close(self) -> None:
        os.close(self._reader)


@pytest.fixture
def pipe(tmp_path: Path) -> Iterator[Pipe]:
    with closing(Pipe(tmp_path / "pipe")) as pipe:
        yield pipe


HOLD = 'exec 9> "$1"; printf held >&9; '


# --- scripts


@pytest.mark.parametrize(
    ("language", "expected"),
    [
        ("python", "['a b', '3', 'true'] 'line\\n' grün\n"),
        pytest.param("js", '["a b","3","true"] "line\\n" grün\n', marks=needs_node),
    ],
)
@pytest.mark.parametrize("given", ["list", "object"])
def test_a_script_gets_arguments_input_and_environment(
    context: ActionContext, language: str, expected: str, given: str
):
    argv = ["a b", 3, True]
    arguments = {
        "language": language,
        "code": PRINT_ALL[language],
        "stdin": "line\n",
        "arguments": argv if given == "list" else dict(zip("xyz", argv, strict=True)),
        "environment": {"COLOR": "grün", "UNSET": None},
    }

    assert execute("script", arguments, context) == expected


def test_a_script_sees_nothing_of_the_engines_environment(
    context: ActionContext, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("DATABASE_PASSWORD", "s3cret")
    code = "import os; print(*os.environ); print(os.getcwd() == os.environ['HOME'])"

    names, is_home = execute("script", {"language": "python", "code": code}, context).splitlines()

    # Shells and Python add a few of their own.
    own = {"LC_CTYPE", "OLDPWD", "PWD", "SHLVL", "_"}
    assert set(names.split()) - own == {"HOME", "PATH", "TMPDIR"}
    assert is_home == "True"


def test_the_folder_of_a_script_is_removed_with_all_it_wrote(context: ActionContext):
    code = "import os; open('left', 'w').write('x'); print(os.getcwd(), end='')"

    folder = execute("script", {"language": "python", "code": code}, context)

    assert not Path(folder).exists()


@needs_node
def test_a_script_in_javascript_is_a_module(context: ActionContext):
    code = "const x = await Promise.resolve([3, 1, 2].toSorted()); console.log(x.join())"

    assert execute("script", {"language": "js", "code": code}, context) == "1,2,3\n"


def test_a_script_may_be_fetched(server: Server, make_context: ContextMaker):
    server.answers("/new.py", b"print('fetched')")
    uri = server.answers("/old.py", status=301, headers={"Location": "/new.py"})
    source = {"name": "script", "endpoint": {"uri": uri}}

    output = execute(
        "script", {"language": "python", "source": source}, make_context(allow_processes=True)
    )

    assert output == "fetched\n"


def test_a_missing_interpreter_is_a_configuration_error_with_the_cure(
    context: ActionContext, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
):
    monkeypatch.setenv("PATH", str(tmp_path))

    error = failure("script", {"language": "js", "code": "1"}, context)

    assert (error.type, error.status) == ("configuration", 400)
    assert "install Node.js" in error.detail


# --- shell commands


def test_a_command_gets_arguments_input_and_environment(context: ActionContext):
    arguments = {
        "command": 'input=$(cat); echo "$input, $1 $2, $COLOR"',
        "stdin": "in",
        "arguments": ["a; b", "$(c)"],
        "environment": {"COLOR": "red"},
    }

    assert execute("shell", arguments, context) == "in, a; b $(c), red\n"


@pytest.mark.parametrize(
    ("form", "expected"),
    [
        (None, "out\n"),
        ("stdout", "out\n"),
        ("stderr", "err"),
        ("code", 3),
        ("all", {"code": 3, "stdout": "out\n", "stderr": "err"}),
        ("none", None),
    ],
)
def test_a_code_that_is_not_zero_is_no_error(
    context: ActionContext, form: str | None, expected: object
):
    command = {"command": "echo out; printf err >&2; exit 3", "return": form}

    assert execute("shell", command, context) == expected


def test_a_process_that_a_signal_ended_has_the_code_of_the_shell(context: ActionContext):
    assert execute("shell", {"command": "kill -TERM $$", "return": "code"}, context) == 143


def test_input_that_is_an_object_goes_in_as_json(context: ActionContext):
    assert execute("shell", {"command": "cat", "stdin": {"a": [1, "ü"]}}, context) == (
        '{"a":[1,"ü"]}'
    )


def test_input_that_nobody_reads_is_no_error(context: ActionContext):
    assert execute("shell", {"command": "echo done", "stdin": "x" * 500_000}, context) == "done\n"


def test_much_goes_in_and_out_at_once(context: ActionContext):
    text = "0123456789" * 50_000

    assert execute("shell", {"command": "cat", "stdin": text}, context) == text


def test_output_that_is_not_text_keeps_its_place(context: ActionContext):
    assert execute("shell", {"command": r"printf '\377ok'"}, context) == "\ufffdok"


# --- limits


@pytest.mark.parametrize(
    ("kind", "arguments"),
    [("shell", {"command": "echo x"}), ("script", {"language": "python", "code": "1"})],
)
def test_processes_are_refused_unless_they_are_allowed(
    make_context: ContextMaker, kind: str, arguments: dict[str, Any]
):
    error = failure(kind, arguments, make_context())

    assert (error.type, error.status) == ("authorization", 403)


def test_a_time_out_kills_the_children_of_the_children(make_context: ContextMaker, pipe: Pipe):
    command = HOLD + 'sh -c "sleep 300 & sleep 300; true" & sleep 300; true'
    context = make_context(allow_processes=True, timeout_s=0.3)

    error = failure("shell", {"command": command, "arguments": [pipe.path]}, context)

    assert (error.type, error.status) == ("timeout", 408)
    assert "0.3 s" in error.detail
    assert (pipe.read(), pipe.read()) == (b"held", b"")


def test_children_left_behind_are_killed_and_do_not_delay_the_result(
    context: ActionContext, pipe: Pipe
):
    arguments = {"command": HOLD + "sleep 300 & echo done", "arguments": [pipe.path]}

    assert execute("shell", arguments, context) == "done\n"
    assert (pipe.read(), pipe.read()) == (b"held", b"")


def test_a_cancelled_process_is_killed(make_context: ContextMaker, pipe: Pipe):
    cancelled = threading.Event()
    context = make_context(allow_processes=True, cancelled=cancelled)
    arguments = {"command": HOLD + "sleep 300; true", "arguments": [pipe.path]}

    def cancel_once_it_runs() -> None:
        assert pipe.read() == b"held"
        cancelled.set()

    watcher = threading.Thread(target=cancel_once_it_runs)
    watcher.start()
    error = failure("shell", arguments, context)
    watcher.join()

    assert error.title == "Cancelled"
    assert pipe.read() == b""


@pytest.mark.parametrize("redirect", ["", ">&2"])
def test_output_beyond_the_cap_kills_the_process(make_context: ContextMaker, redirect: str):
    context = make_context(allow_processes=True, max_output_bytes=100_000)

    error = failure("shell", {"command": f"yes {redirect}"}, context)

    assert (error.type, error.status, error.title) == ("runtime", 500, "Output Too Large")


def test_a_process_has_limits_on_memory_files_and_dumps(context: ActionContext):
    memory = "x = bytearray(6 * 1024**3)"
    limits = "import resource as r; print(r.getrlimit(r.RLIMIT_CORE), r.getrlimit(r.RLIMIT_FSIZE))"

    output = execute("script", {"language": "python", "code": memory, "return": "stderr"}, context)
    assert "MemoryError" in output

    output = execute("script", {"language": "python", "code": limits}, context)
    assert output == "(0, 0) (268435456, 268435456)\n"


@pytest.mark.parametrize(
    ("kind", "arguments"),
    [
        ("shell", {}),
        ("shell", {"command": ""}),
        ("shell", {"command": ["echo"]}),
        ("shell", {"command": "echo", "return": "everything"}),
        ("shell", {"command": "echo", "arguments": [["nested"]]}),
        ("shell", {"command": "echo", "arguments": ["a\0b"]}),
        ("shell", {"command": "echo", "arguments": "text"}),
        ("shell", {"command": "echo " + "x" * 3_000_000}),
        ("shell", {"command": "echo", "environment": {"A=B": "x"}}),
        ("shell", {"command": "echo", "environment": {"A": "x\0"}}),
        ("script", {"language": "ruby", "code": "1"}),
        ("script", {"language": "python"}),
        ("script", {"language": "python", "source": {}}),
    ],
)
def test_arguments_that_make_no_process_are_a_validation_error(
    context: ActionContext, kind: str, arguments: dict[str, Any]
):
    error = failure(kind, arguments, context)

    assert (error.type, error.status) == ("validation", 400)
