"""What a rule is: a function of one element that yields what is wrong with it.

A rule is registered for the names of the elements it looks at; `check_rules` shows it each of them
once. The weight of a finding is that of its code, or, where only the place tells, its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from ...diagnostics import Code, Severity

if TYPE_CHECKING:
    from ..document import Element
    from .facts import Facts


class Finding(NamedTuple):
    """One broken constraint at one element; `parameters` fill the message of the code.

    `severity` replaces that of the code where a file is read leniently.
    """

    code: Code
    element: Element
    parameters: dict[str, Any]
    severity: Severity | None = None


Findings = Iterator[Finding]
Rule = Callable[["Element", "Facts"], Findings]

#: The rules by the local name of the elements they look at.
RULES: Final[dict[str, list[Rule]]] = {}
#: What some rules are about: names of attributes and elements.
ABOUT: Final[dict[Rule, frozenset[str]]] = {}


def rule(*names: str, about: Iterable[str] = ()) -> Callable[[Rule], Rule]:
    """Register a rule for the elements of these names.

    Where no element of a file has any of the attributes or children that it is `about`, nothing is
    shown to it: most files have most of them nowhere.
    """

    def register(check: Rule) -> Rule:
        for name in sorted(set(names)):
            RULES.setdefault(name, []).append(check)
        if about:
            ABOUT[check] = frozenset(about)
        return check

    return register


def found(
    code: Code, element: Element, severity: Severity | None = None, /, **parameters: Any
) -> Finding:
    """A finding of `code` at `element`."""
    return Finding(code, element, parameters, severity)


def called(element: Element) -> str:
    """What a message calls an element: its id, else its name, else what it is."""
    return element.id or element.get("name").strip() or element.name
