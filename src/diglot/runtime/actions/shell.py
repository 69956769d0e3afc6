"""The shell action.

Source: DSL reference, shell process.
"""

from __future__ import annotations

import tempfile
from typing import Any

from .arguments import choice, text
from .contract import ActionContext, TimeLimit
from .process import MEMORY_BYTES, RETURNS, process_arguments, require_processes, run_process
from .registry import performs


@performs("shell")
def run_shell(arguments: dict[str, Any], context: ActionContext) -> Any:
    """Run a command with the system's POSIX shell and return what `return` names.

    Arguments: `command`, `stdin`, `arguments` (the command's `$1`, `$2` and so on), `environment`,
    `return` stdout|stderr|code|all|none.
    """
    require_processes(context)
    limit = TimeLimit(context)
    form = choice(arguments, "return", RETURNS)
    command = ["/bin/sh", "-c", text(arguments, "command"), "sh", *process_arguments(arguments)]
    with tempfile.TemporaryDirectory(prefix="diglot-", ignore_cleanup_errors=True) as folder:
        result = run_process(command, folder, arguments, context, limit, memory_bytes=MEMORY_BYTES)
    return result.output(form)
