"""How much a finding weighs where the author has decided it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final, Literal, get_args

import msgspec

from . import codes
from .diagnostics import Diagnostic, Severity
from .hints import Hints

#: What an author may say of a code; `off` is not to be told of it at all.
Weight = Literal["error", "warning", "info", "off"]

#: What is decided, by the ids of codes; None is not to be told of it.
Severities = Mapping[str, Severity | None]

_WEIGHTS: Final[Mapping[str, Severity | None]] = {
    weight: None if weight == "off" else Severity(weight) for weight in get_args(Weight)
}


class BadSeverity(ValueError):
    """There is no such code or severity, or the code is an error that nobody may lower."""


def read_severities(chosen: Mapping[str, str]) -> Severities:
    """What an author has decided, by the ids of codes.

    Raises:
        BadSeverity: with all that is wrong with it.
    """
    hints = Hints()
    wrong = [problem for id, weight in chosen.items() if (problem := _problem(id, weight, hints))]
    if wrong:
        raise BadSeverity("; ".join(wrong))
    return {id.upper(): _WEIGHTS[weight] for id, weight in chosen.items()}


def weighed(found: Iterable[Diagnostic], severities: Severities) -> list[Diagnostic]:
    """The findings with the weights that were decided, without those that are not to be told.

    What takes a document its meaning stays an error.
    """
    told: list[Diagnostic] = []
    for one in found:
        if one.code in severities and not one.is_firm:
            severity = severities[one.code]
            if severity is None:
                continue
            one = msgspec.structs.replace(one, severity=severity, is_judged=True)
        told.append(one)
    return told


def meant_by(text: str, hints: Hints) -> str:
    """The id of the code whose name somebody wrote, or nearly; ids themselves are too alike."""
    by_name = {known.name: known.id for known in codes.ALL.values()}
    return by_name.get(hints.nearest(text.lower(), by_name) or "", "")


def _problem(id: str, weight: str, hints: Hints) -> str:
    """What is wrong with one decision; empty where nothing is."""
    code = codes.ALL.get(id.upper())
    if code is None:
        meant = meant_by(id, hints)
        return f"no code is called {id}" + (f" (did you mean {meant}?)" if meant else "")
    if weight not in _WEIGHTS:
        meant = hints.nearest(weight, _WEIGHTS) or ""
        hint = f" (did you mean {meant}?)" if meant else ""
        return f"{weight} is no severity for {code.id}{hint}; there are {', '.join(_WEIGHTS)}"
    if code.severity is Severity.ERROR and not code.is_judged and weight != "error":
        return (
            f"{code.id} ({code.name}) stays an error and cannot be {weight}: "
            "a document that has it has no clear meaning"
        )
    return ""
