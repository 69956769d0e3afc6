"""Runs a script that stands beside this file with variables as its globals.

Started in a process of its own: `argv[1]` is the folder with `script` and `variables.json`; what
came of it is left in `outcome.json`. A name that a script sets is a variable if its value is JSON.
"""

import ast
import json
import sys
import traceback
from pathlib import Path
from typing import Any


class BpmnError(Exception):
    """A business error with a code that an error event catches."""

    def __init__(self, code: str, message: str = "") -> None:
        super().__init__(message or code)
        self.code = code


def is_json(value: object) -> bool:
    """Whether a value can be kept."""
    try:
        json.dumps(value, allow_nan=False)
    except (TypeError, ValueError, RecursionError):
        return False
    return True


def told(error: Exception) -> str:
    """What went wrong and in which line of the script, and nothing of what ran it."""
    frames = traceback.extract_tb(error.__traceback__)
    lines = [frame.lineno for frame in frames if frame.filename == "script"]
    place = f" in line {lines[-1]}" if lines else ""
    return f"{type(error).__name__}: {error}{place}"


def run(code: str, names: dict[str, Any]) -> Any:
    """Execute the code; the value of a last line that is an expression."""
    tree = ast.parse(code, "script")
    last = None
    if tree.body and isinstance(end := tree.body[-1], ast.Expr):
        last = ast.Expression(end.value)
        del tree.body[-1]
    exec(compile(tree, "script", "exec"), names)
    return None if last is None else eval(compile(last, "script", "eval"), names)


def main(folder: Path) -> None:
    """Run the script of a folder and leave its outcome there."""
    variables: dict[str, Any] = json.loads((folder / "variables.json").read_text("utf-8"))
    before = {name: json.dumps(value, sort_keys=True) for name, value in variables.items()}
    names = {"__name__": "__main__", "BpmnError": BpmnError, **variables}
    outcome: dict[str, Any]
    try:
        result = run((folder / "script").read_text("utf-8"), names)
    except BpmnError as error:
        outcome = {"error": {"type": str(error.code), "title": str(error)}}
    except Exception as error:
        sys.exit(told(error))
    else:
        changed = {
            name: value
            for name, value in names.items()
            if not name.startswith("__")
            and is_json(value)
            and (name not in before or json.dumps(value, sort_keys=True) != before[name])
        }
        outcome = {"variables": changed, "result": result if is_json(result) else None}
    (folder / "outcome.json").write_text(json.dumps(outcome), "utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
