"""How a code is declared; every declaration is one entry of `ALL`."""

from __future__ import annotations

from diglot.compiler.diagnostics import Code, Severity

ERROR = Severity.ERROR
WARNING = Severity.WARNING
INFO = Severity.INFO

#: Every declared code by its id.
ALL: dict[str, Code] = {}


def code(
    id: str,
    name: str,
    severity: Severity,
    message: str,
    *,
    why: str,
    remedy: str,
    bad: str = "",
    good: str = "",
    is_judged: bool = False,
) -> Code:
    """Declare a code; see `Code` for the fields.

    Raises:
        ValueError: the id or the name is taken.
    """
    if id in ALL:
        raise ValueError(f"{id} is declared twice: {ALL[id].name} and {name}")
    if any(name == known.name for known in ALL.values()):
        raise ValueError(f"two codes are named {name}")
    declared = ALL[id] = Code(id, name, severity, message, why, remedy, bad, good, is_judged)
    return declared


def by_id(id: str) -> Code:
    """The code with this id.

    Raises:
        KeyError: no code has it.
    """
    return ALL[id]
