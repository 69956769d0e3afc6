"""The script action: Python and JavaScript.

Source: DSL reference, script process.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

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
    """
    require_processes(context)
    limit = TimeLimit(context)
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
