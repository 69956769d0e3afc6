"""Errors of a run: problem documents, as history and handlers see them.

Source: DSL reference, Error, Standard Error Types; RFC 9457.
"""

from __future__ import annotations

from typing import Any

from diglot.compiler.graph.errors import STANDARD_ERRORS, canonical_error_type, error_type

from .events import Problem

_TITLES = {
    "configuration": "Configuration Error",
    "validation": "Validation Error",
    "expression": "Expression Error",
    "authentication": "Authentication Error",
    "authorization": "Authorization Error",
    "timeout": "Timeout",
    "communication": "Communication Error",
    "runtime": "Runtime Error",
}


class Fault(Exception):
    """An error raised inside a run; the machine turns it into history, it never leaves it."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem.get("detail") or problem.get("title") or problem["type"])
        self.problem = problem


def problem(
    name: str, detail: str = "", *, status: int | None = None, title: str = "", instance: str = ""
) -> Problem:
    """A problem of the standard type `name` (`validation`, `timeout`, ...)."""
    found: dict[str, Any] = {
        "type": error_type(name),
        "status": STANDARD_ERRORS[name] if status is None else status,
        "title": title or _TITLES[name],
    }
    if detail:
        found["detail"] = detail
    if instance:
        found["instance"] = instance
    return found


def reported(error: Problem) -> Problem:
    """What somebody outside reports as an error, as the machine takes it.

    Its type and its status are always there, the type in its canonical form; its instance is for
    the machine to say.

    Source: DSL reference, Error; our decisions A1, A29.
    """
    found = {**problem("runtime"), **error} if "type" not in error else dict(error)
    found["type"] = canonical_error_type(str(found["type"]))
    found.setdefault("status", 500)
    found.pop("instance", None)
    return found


def fault(name: str, detail: str = "", *, status: int | None = None, title: str = "") -> Fault:
    """A `Fault` of the standard type `name`; its instance is set where it is raised."""
    return Fault(problem(name, detail, status=status, title=title))
