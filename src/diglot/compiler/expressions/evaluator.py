"""The program of an evaluator process: jq on a pipe, and nothing else within reach.

It is started as a script in an empty environment and imports nothing of Diglot. A request is two
frames: a JSON array of the text, the names of its variables, and the most bytes of a result; and
the JSON object `{"v": {variables}, "d": input}`, which jq reads itself. The answer is one frame:
`{"results": [...]}`, `{"error": value}` or `{"limit": name}`. A frame is its length in eight bytes
and its bytes.
"""

import json
import os
import resource
import signal
import sys
from collections import OrderedDict
from importlib import import_module
from typing import Any, BinaryIO

#: Compiled programs that are kept.
CACHE_SIZE = 256

#: Everything in jq that reaches out. A definition in front also makes `import` a syntax error.
PRELUDE = "".join(
    f'def {name}: error("{name.partition("(")[0]} is not allowed");'
    for name in (
        "env",
        "input",
        "inputs",
        "debug",
        "debug(m)",
        "stderr",
        "halt",
        "halt_error",
        "halt_error(c)",
        "input_filename",
        "input_line_number",
        "get_search_list",
        "get_prog_origin",
        "get_jq_origin",
        "modulemeta",
        "localtime",
        "strflocaltime(f)",
    )
)


def read_frame(source: BinaryIO) -> bytes | None:
    """The next frame, None at the end of the requests."""
    head = source.read(8)
    if len(head) < 8:
        return None
    return source.read(int.from_bytes(head, "big"))


def write_frame(target: BinaryIO, data: bytes) -> None:
    """Send a frame."""
    target.write(len(data).to_bytes(8, "big") + data)
    target.flush()


def wrap(text: str, names: list[str]) -> str:
    """The text with its variables bound, its results collected and its error caught.

    All of it stands in the first line, so that `$__loc__` stays true; the line end behind the text
    ends a comment.
    """
    bindings = "".join(f"$__in.v.{name} as ${name}|" for name in names)
    now = "$__now" if "__now" in names else 'error("now is not bound")'
    return (
        f"{PRELUDE}. as $__in|{bindings}def now: {now};"
        f"(try {{results:[$__in.d|({text}\n)]}} catch {{error:.}})|tojson"
    )


def compile_program(jq: Any, text: str, names: list[str]) -> Any:
    """The program of a text; raises `ValueError`.

    The text is compiled alone first: what is no program by itself, such as `1) | (2`, must not
    become one within the brackets.
    """
    bindings = "".join(f"null as ${name}|" for name in names)
    jq.compile(f"{PRELUDE}{bindings}{text}")
    return jq.compile(wrap(text, names))


def answer(jq: Any, programs: "OrderedDict[str, Any]", head: bytes, data: bytes) -> bytes:
    """The frame of one request."""
    text, names, most = json.loads(head)
    key = f"{','.join(names)}\n{text}"
    program = programs.get(key)
    try:
        if program is None:
            program = programs[key] = compile_program(jq, text, names)
            if len(programs) > CACHE_SIZE:
                programs.popitem(last=False)
        programs.move_to_end(key)
        # jq writes the JSON: it keeps the digits of a number, and Python builds no objects.
        frame = program.input_text(data.decode()).first().encode()
    except MemoryError:
        return b'{"limit":"memory"}'
    except (ValueError, StopIteration, RecursionError) as fault:
        # A compile error goes on with the place in the wrapped text, which the author never saw.
        return json.dumps({"error": str(fault).partition(" at <top-level>")[0]}).encode()
    return frame if len(frame) <= most else b'{"limit":"size"}'


def limit_process(memory: int) -> None:
    """Give up what is not needed: memory, files, children, core files."""
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    resource.setrlimit(resource.RLIMIT_NPROC, (0, 0))
    # Descriptors 0, 1 and 2 are open: no other can be.
    resource.setrlimit(resource.RLIMIT_NOFILE, (3, 3))


def main() -> None:
    """Serve requests until the pipe ends."""
    memory, seconds, *directories = sys.argv[1:]
    sys.path.extend(directories)
    jq: Any = import_module("jq")

    # Python itself may have set the locale in the environment.
    os.environ.clear()
    jq.compile(".").input_text("null").first()
    limit_process(int(memory))
    # The parent ends a request that overruns; the alarm does it when there is no parent any more.
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    programs: OrderedDict[str, Any] = OrderedDict()
    source, target = sys.stdin.buffer, sys.stdout.buffer
    write_frame(target, b'"ready"')
    while (head := read_frame(source)) is not None:
        data = read_frame(source)
        if data is None:
            return
        signal.setitimer(signal.ITIMER_REAL, float(seconds))
        frame = answer(jq, programs, head, data)
        signal.setitimer(signal.ITIMER_REAL, 0)
        write_frame(target, frame)


if __name__ == "__main__":
    main()
