"""What is laid out several times stands in one place, and is told once."""

from __future__ import annotations

from diglot.compiler.diagnostics import Report


def add_once(found: Report, report: Report) -> None:
    """Add the findings that are not the same as another one of them at the same place.

    A function is laid out at each of its calls, an extension around each task.
    """
    told: set[tuple[str, object, str]] = set()
    for one in found:
        key = (one.code, one.span or one.pointer, one.message)
        if key not in told:
            told.add(key)
            report.diagnostics.append(one)
