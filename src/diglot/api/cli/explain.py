"""`diglot explain`."""

from __future__ import annotations

import difflib

import typer

from diglot.compiler import codes
from diglot.compiler.render import explain

from .streams import tell


def explain_code(name: str | None) -> int:
    """Print the page of a code, or the list of all codes."""
    if name is None:
        for known in codes.ALL.values():
            typer.echo(f"{known.id}  {known.severity.value:<7}  {known.name}")
        return 0
    code = codes.ALL.get(name.upper())
    if code is None:
        near = difflib.get_close_matches(name.upper(), codes.ALL, n=3)
        hint = f" (did you mean {', '.join(near)}?)" if near else ""
        tell(f"diglot: there is no code {name}{hint}")
        return 2
    typer.echo(explain(code), nl=False)
    return 0
