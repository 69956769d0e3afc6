"""The script action: Python and JavaScript.

Source: DSL reference, script process; BPMN 2.0.2 13.3.3, Script Task.
"""

from __future__ import annotations

import json
import shutil
import sys
import tempfile
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any, cast

from .arguments import as_mapping, choice, endpoint, invalid, text
from .contract import ActionContext, ActionError, TimeLimit
from .process import MEMORY_BYTES, RETURNS, process_arguments, require_processes, run_process
from .registry import performs

_LANGUAGES = {"python": "python", "js": "js", "javascript": "js"}


@performs("script")
def run_script(arguments: dict[str, Any], context: ActionContext) -> Any:
    """Run a script in a process of its own and return what `return` names.

    Arguments: `language` python|js, `code` or `source` {endpoint}, `stdin`, `arguments`,
    `environment`, `return` stdout|stderr|code|all|none. Arguments are `sys.argv[1:]` in Python and
    `process.argv` from its third item in JavaScript, which is read as an ES module.

    With `variables` the script sees them as its globals, and its result is an object of those it
    set (`variables`) and of the value of its last expression (`result`); with `return` variables
    it is the variables alone.
    """
    require_processes(context)
    limit = TimeLimit(context)
    if "variables" in arguments:
        return _run_on_variables(arguments, context, limit)
    form = choice(arguments, "return", RETURNS)
    language = _LANGUAGES.get(text(arguments, "language").lower())
    if language is None:
        raise invalid("`language` has to be one of python and js")
    command, suffix, memory_bytes = _interpreter(language)
    argv = process_arguments(arguments)
    code = _code(arguments, context, limit)
    with tempfile.TemporaryDirectory(prefix="diglot-", ignore_cleanup_errors=True) as folder:
        # A file and not standard input, which belongs to the script.
        script = Path(folder, f"script{suffix}")
        script.write_bytes(code)
        command = [*command, str(script), *argv]
        result = run_process(command, folder, arguments, context, limit, memory_bytes=memory_bytes)
    return result.output(form)


def _run_on_variables(
    arguments: dict[str, Any], context: ActionContext, limit: TimeLimit
) -> dict[str, Any]:
    language = _LANGUAGES.get(text(arguments, "language").lower())
    if language is None:
        raise invalid("`language` has to be one of python and js")
    command, suffix, memory_bytes = _interpreter("python" if language == "python" else "js")
    harness = files("diglot.runtime.actions").joinpath("harness", f"variables{suffix}").read_bytes()
    with tempfile.TemporaryDirectory(prefix="diglot-", ignore_cleanup_errors=True) as folder:
        place = Path(folder)
        (place / f"harness{suffix}").write_bytes(harness)
        (place / "script").write_bytes(_code(arguments, context, limit))
        (place / "variables.json").write_text(json.dumps(arguments["variables"]), "utf-8")
        command = [*command, str(place / f"harness{suffix}"), folder]
        plain = {"language": language}
        result = run_process(command, folder, plain, context, limit, memory_bytes=memory_bytes)
        outcome = _outcome(place / "outcome.json", context.max_output_bytes)
    if outcome is None:
        raise ActionError("runtime", 500, "Script Failed", result.stderr.strip()[-2000:])
    if "error" in outcome:
        error = outcome["error"]
        raise ActionError(str(error["type"]), 500, str(error["title"]), "")
    return outcome["variables"] if arguments.get("return") == "variables" else outcome


def _outcome(file: Path, limit_bytes: int) -> dict[str, Any] | None:
    """What the harness left, or nothing where the script did not come to its end."""
    try:
        if file.stat().st_size > limit_bytes:
            detail = f"the script set more than {limit_bytes} bytes of variables"
            raise ActionError("runtime", 500, "Output Too Large", detail)
        return cast("dict[str, Any]", json.loads(file.read_text("utf-8")))
    except (OSError, ValueError):
        return None


def _interpreter(language: str) -> tuple[list[str], str, int | None]:
    """Command, suffix of the script's file and limit of the address space."""
    if language == "python":
        if not sys.executable:
            raise _absent("python", "start the engine with a Python that knows its own path")
        # Isolated: neither the environment nor the folder changes what an import means.
        return [sys.executable, "-I", "-B"], ".py", MEMORY_BYTES
    node = shutil.which("node")
    if node is None:
        raise _absent("js", "install Node.js 22 or newer and put `node` on the engine's PATH")
    # V8 reserves far more address space than it uses, so that only its heap can be bounded.
    return [node, "--max-old-space-size=1024"], ".mjs", None


def _absent(language: str, cure: str) -> ActionError:
    return ActionError(
        "configuration", 400, "Interpreter Missing", f"no interpreter for {language}: {cure}"
    )


def _code(arguments: Mapping[str, Any], context: ActionContext, limit: TimeLimit) -> bytes:
    if arguments.get("source") is None:
        return text(arguments, "code").encode("utf-8", "replace")
    from .exchange import Request, send

    source = as_mapping(arguments["source"], "source")
    uri, authentication = endpoint(source.get("endpoint"), "source.endpoint")
    request = Request(method="GET", uri=uri, authentication=authentication)
    return send(request, context, limit, follow_redirects=True).body
