"""`diglot findings`: what was found in a document when it was published."""

from __future__ import annotations

from typing import Any, Final, Literal

import typer

from diglot.compiler.plain import plain
from diglot.runtime.engine import Engine
from diglot.runtime.store import open_store

from .streams import print_json, tell

_DIGEST_LENGTH: Final = 64


def print_findings_of(
    definition: str, database: str | None, format: Literal["text", "json"]
) -> int:
    """Print what is kept with a version, named as NAMESPACE/NAME, with :VERSION, or by its digest.

    What is JSON in `diglot check` is kept, so that it is the same here.
    """
    if database is None:
        tell("diglot: findings needs the --database that the definition was published in")
        return 2
    engine = Engine(open_store(database, create=False))
    try:
        found = engine.findings(_digest(engine, definition))
    finally:
        engine.close()
    if format == "json":
        print_json(found)
        return 0
    for one in found:
        typer.echo(_line(one))
    typer.echo(f"Published with {_counted(found)}.")
    return 0


def _digest(engine: Engine, definition: str) -> str:
    if "/" not in definition and len(definition) == _DIGEST_LENGTH:
        return definition
    name, _, version = definition.partition(":")
    namespace, _, name = name.rpartition("/")
    return engine.find(namespace or "bpmn", name, version or "latest")


def _line(found: dict[str, Any]) -> str:
    place = f"{found['file']}:{found['line']}:{found['column']}: " if found["file"] else ""
    ignored = found["suppression"]
    weight = "ignored" if ignored else found["severity"]
    reason = f" ({ignored['reason']})" if ignored and ignored["reason"] else ""
    return plain(f"{place}{found['code']} [{weight}] {found['message']}{reason}")


def _counted(found: list[dict[str, Any]]) -> str:
    if not found:
        return "nothing to report"
    ignored = sum(1 for one in found if one["suppression"])
    said = "1 finding" if len(found) == 1 else f"{len(found)} findings"
    return f"{said}, {ignored} of them ignored" if ignored else said
