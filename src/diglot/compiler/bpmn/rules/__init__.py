"""The constraints of the BPMN standard that its schema cannot say.

Each rule is a function of one element; the modules are sorted by subject and fill one registry.
"""

from __future__ import annotations

from collections import Counter
from itertools import chain
from types import ModuleType
from typing import Any, Final

from ... import codes
from ...diagnostics import Report, Severity
from ...imports import Resolve
from ..document import Document
from . import (
    addresses,
    calls,
    choreography,
    collaboration,
    data,
    data_flow,
    definitions,
    expressions,
    flows,
    gateways,
    intermediate,
    links,
    loops,
    scopes,
    services,
    start_end,
    tasks,
)
from .facts import Facts
from .imports import Imports, read_imports
from .references import references_name_the_right_kind
from .rule import ABOUT, RULES, Finding, Findings

__all__ = ["SUBJECTS", "Imports", "check_rules", "read_imports"]

#: The modules of rules; importing them has filled the registry.
SUBJECTS: Final[tuple[ModuleType, ...]] = (
    addresses,
    calls,
    choreography,
    collaboration,
    data,
    data_flow,
    definitions,
    expressions,
    flows,
    gateways,
    intermediate,
    links,
    loops,
    scopes,
    services,
    start_end,
    tasks,
)
#: So many findings of one code are told about one file.
_MOST_OF_A_CODE: Final = 100


def check_rules(
    document: Document,
    report: Report,
    *,
    strict: bool = False,
    resolve: Resolve | None = None,
    imports: Imports | None = None,
) -> None:
    """Report every broken constraint of the standard.

    What every reader of the field understands all the same weighs less than an error, unless
    `strict`. Imported files are read through `resolve` alone, which gives the bytes behind the path
    of an import, or `None`; without it imports are not followed. `imports` are what has been read
    so already.
    """
    imports = imports or read_imports(document, resolve)
    for declared in imports.unread:
        report.add(
            codes.IMPORT_NOT_READ,
            declared.span,
            declared.id,
            location=_short(declared.get("location")),
        )
    facts = Facts(document, imports.documents, is_strict=strict)
    told: Counter[str] = Counter()
    for finding in chain(imports.findings, _findings(facts)):
        told[finding.code.id] += 1
        if told[finding.code.id] <= _MOST_OF_A_CODE:
            _add(report, finding, strict)


def _findings(facts: Facts) -> Findings:
    yield from references_name_the_right_kind(facts)
    for name, rules in RULES.items():
        elements = facts.named.get(name, ())
        if not elements:
            continue
        asked = [one for one in rules if one not in ABOUT or facts.speaks_of(ABOUT[one])]
        for element in elements:
            for check in asked:
                yield from check(element, facts)


def _add(report: Report, finding: Finding, strict: bool) -> None:
    element = finding.element
    around = (outer.id for outer in element.ancestors() if outer.id)
    lenient = finding.severity or finding.code.severity
    report.add(
        finding.code,
        element.span,
        element.id or next(around, ""),
        severity=Severity.ERROR if strict else lenient,
        # What strictness alone makes an error is as clear as before.
        is_judged=lenient is not Severity.ERROR,
        **{name: _short(value) for name, value in finding.parameters.items()},
    )


def _short(value: Any) -> Any:
    """A text of the document, shortened for a message."""
    return value[:79] + "…" if isinstance(value, str) and len(value) > 80 else value
