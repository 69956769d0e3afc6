"""The rules of the machine, one a node kind; a second rule for a kind is an error at import."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from diglot.runtime.plan import NodePlan
    from diglot.runtime.state import ScopeVisit, Visit

    from .frame import Frame, Routes
    from .step import Step

    #: A kind that needs nothing from outside: its output, and the flows to take instead of all.
    PureRule = Callable[[Step, Frame, NodePlan], tuple[Any, Routes | None]]
    #: A kind that waits: called once the visit is entered.
    Rule = Callable[[Step, Visit, NodePlan], None]
    #: A kind that owns scope visits: called with the one that is done.
    BodyRule = Callable[[Step, Visit, NodePlan, ScopeVisit], None]

R = TypeVar("R", bound=Callable[..., Any])

#: Rules of kinds that are entered and left within one step.
pure_rules: dict[type, PureRule] = {}
#: Rules of kinds that wait for something.
rules: dict[type, Rule] = {}
#: What a kind does when a scope it owns is done.
body_rules: dict[type, BodyRule] = {}


def passes(kind: type) -> Callable[[R], R]:
    """Register the rule of a kind that is entered and left within one step."""
    return _registering(pure_rules, kind)


def runs(kind: type) -> Callable[[R], R]:
    """Register the rule of a kind that waits for something."""
    return _registering(rules, kind)


def continues(kind: type) -> Callable[[R], R]:
    """Register what a kind does when a scope it owns is done."""
    return _registering(body_rules, kind)


def _registering(table: dict[type, Any], kind: type) -> Callable[[R], R]:
    def register(rule: R) -> R:
        if kind in table:
            raise RuntimeError(f"{kind.__name__} has two rules")
        table[kind] = rule
        return rule

    return register
